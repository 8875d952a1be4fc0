"""HET507: policies."""
from __future__ import annotations

import pytest

from hetc.rules.bad_policy import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related


def policies(*lines: str) -> str:
    return job(task(), spec="policies:\n" + "".join(f"- {line}\n" for line in lines))


def of_task(policy: str) -> str:
    return job(task() + f"  policies:\n  - {policy}\n")


def both() -> str:
    """The same event in the list of the job and in that of a task."""
    return job(task() + "  policies:\n  - {event: PodFailed, action: AbortJob}\n", spec="policies: [{event: PodFailed, action: RestartJob}]")


def test_unknown_event() -> None:
    assert check_manifest(RULE, policies("{event: PodFail, action: RestartJob}")) == [
        Found(7, 13, "error", "`PodFail` is no event", "write `PodFailed`"),
    ]


def test_unknown_event_in_a_list() -> None:
    assert check_manifest(RULE, policies("{events: [PodFailed, podevicted], action: RestartJob}")) == [
        Found(7, 26, "error", "`podevicted` is no event", "write `PodEvicted`"),
    ]


def test_empty_event() -> None:
    assert check_manifest(RULE, policies('{event: "", action: RestartJob}')) == [
        Found(7, 13, "error",
              "`` is no event",
              "write `*`, `JobUpdated`, `PodEvicted`, `PodFailed`, `PodPending`, `TaskCompleted`, `TaskFailed` or `Unknown`"),
    ]


def test_events_of_volcano_itself() -> None:
    assert check_manifest(RULE, policies("{event: PodRunning, action: RestartJob}", "{events: [OutOfSync, CommandIssued], action: AbortJob}")) == [
        Found(7, 13, "error",
              "event `PodRunning` is Volcano's own, and no policy may answer it",
              "write one of `*`, `JobUpdated`, `PodEvicted`, `PodFailed`, `PodPending`, `TaskCompleted`, `TaskFailed`, `Unknown`"),
        Found(8, 15, "error",
              "event `OutOfSync` is Volcano's own, and no policy may answer it",
              "write one of `*`, `JobUpdated`, `PodEvicted`, `PodFailed`, `PodPending`, `TaskCompleted`, `TaskFailed`, `Unknown`"),
        Found(8, 26, "error",
              "event `CommandIssued` is Volcano's own, and no policy may answer it",
              "write one of `*`, `JobUpdated`, `PodEvicted`, `PodFailed`, `PodPending`, `TaskCompleted`, `TaskFailed`, `Unknown`"),
    ]


def test_unknown_action() -> None:
    assert check_manifest(RULE, policies("{event: PodFailed, action: restartJob}", "{exitCode: 3, action: Restart}")) == [
        Found(7, 32, "error", "`restartJob` is no action", "write `RestartJob`"),
        Found(8, 27, "error", "`Restart` is no action", "write `RestartJob`"),
    ]


def test_actions_of_volcano_itself() -> None:
    assert check_manifest(RULE, policies("{event: PodFailed, action: SyncJob}")) == [
        Found(7, 32, "error",
              "action `SyncJob` is Volcano's own",
              "write one of `AbortJob`, `CompleteJob`, `RestartJob`, `RestartPartition`, `RestartPod`, `RestartTask`, `ResumeJob`, `TerminateJob`"),
    ]


def test_no_action() -> None:
    assert check_manifest(RULE, policies("{event: PodFailed}", "{exitCode: 3}", "{exitCode: 4, action: }", '{event: Unknown, action: ""}')) == [
        Found(7, 5, "error", "the policy has no action", "add `action: RestartJob`, for example"),
        Found(8, 5, "error", "the policy has no action", "add `action: RestartJob`, for example"),
        Found(9, 19, "error", "the policy has no action", "add `action: RestartJob`, for example"),
        Found(10, 22, "error", "the policy has no action", "add `action: RestartJob`, for example"),
    ]


def test_event_and_exit_code() -> None:
    assert check_manifest(RULE, policies("{event: PodFailed, exitCode: 3, action: RestartJob}", "{events: [PodEvicted], exitCode: 4, action: AbortJob}")) == [
        Found(7, 24, "error", "the policy has both an event and `exitCode`", "make two policies of it"),
        Found(8, 28, "error", "the policy has both an event and `exitCode`", "make two policies of it"),
    ]


def test_neither() -> None:
    assert check_manifest(RULE, policies("{action: RestartJob}", "{events: [], exitCode: , action: RestartJob}")) == [
        Found(7, 5, "error", "the policy has neither an event nor `exitCode`", "add `event: PodFailed`, for example"),
        Found(8, 5, "error", "the policy has neither an event nor `exitCode`", "add `event: PodFailed`, for example"),
    ]


def test_exit_code_zero() -> None:
    assert check_manifest(RULE, policies("{exitCode: 0, action: RestartJob}")) == [
        Found(7, 16, "error", "`exitCode` is 0, which is no failure", "write the exit code of a failed container"),
    ]


def test_duplicates() -> None:
    assert check_manifest(RULE, policies("{event: PodFailed, action: RestartJob}", "{events: [PodEvicted, PodFailed], action: AbortJob}", "{exitCode: 3, action: AbortJob}", "{exitCode: 3, action: RestartJob}")) == [
        Found(8, 27, "error", "duplicate event `PodFailed`: two policies of the list answer it", "keep one of the two"),
        Found(10, 16, "error", "duplicate exit code 3: two policies of the list answer it", "keep one of the two"),
    ]


def test_star_beside_others() -> None:
    assert check_manifest(RULE, policies('{events: ["*", PodFailed], action: RestartJob}', "{event: PodEvicted, action: AbortJob}")) == [
        Found(7, 20, "error", "event `PodFailed` stands beside `*`, which answers all events", "name each event, or keep `*` alone"),
        Found(8, 13, "error", "event `PodEvicted` stands beside `*`, which answers all events", "name each event, or keep `*` alone"),
    ]
    for lines in (('{event: "*", action: RestartJob}', "{event: PodFailed, action: AbortJob}"),
                  ("{event: PodFailed, action: AbortJob}", "{exitCode: 3, action: AbortJob}", '{event: "*", action: RestartJob}')):
        assert [each.message for each in check_manifest(RULE, policies(*lines))] == [
            "event `PodFailed` stands beside `*`, which answers all events"]


def test_failures_of_a_gang_that_tolerates_them() -> None:
    def helps(event: str) -> list[str | None]:
        text = policies(*[f"{{event: {event}, action: AbortJob}}"] * 2)
        return [check_manifest(RULE, text, emitted=emitted)[0].help for emitted in (False, True)]

    assert helps("PodFailed") == ["keep one of the two", "keep one of the two; with `gang[fail=tolerate]` only `policies` answer failures"]
    assert helps("PodPending") == ["keep one of the two", "keep one of the two"]


def test_the_places_beside() -> None:
    assert related(RULE, policies("{event: PodFailed, exitCode: 3, action: RestartJob}")) == [(7, 13, "the event")]
    assert related(RULE, policies("{event: PodFailed, action: AbortJob}", "{event: PodFailed, action: AbortJob}")) == [(7, 13, "the other one")]
    assert related(RULE, policies('{events: [PodFailed, "*"], action: AbortJob}')) == [(7, 26, "the `*`")]


def test_policies_of_a_task() -> None:
    assert check_manifest(RULE, of_task("{event: PodFail, action: AbortJob}")) == [
        Found(15, 15, "error", "`PodFail` is no event", "write `PodFailed`"),
    ]


@pytest.mark.parametrize("text", [
    policies("{event: PodFailed, action: RestartJob}", "{exitCode: 3, action: AbortJob}", "{exitCode: -1, action: RestartTask}", "{exitCode: 256, action: RestartPod}"),
    policies('{event: "*", action: RestartJob}', "{exitCode: 3, action: AbortJob}"),
    policies("{events: [PodFailed, PodFailed], event: PodFailed, action: TerminateJob}"),
    policies("{events: [JobUpdated, PodEvicted, PodFailed, PodPending, TaskCompleted, TaskFailed, Unknown], action: CompleteJob}"),
    policies("{event: PodFailed, exitCode: , action: ResumeJob}", "{event: Unknown, action: RestartPartition}"),
    job(task(), spec="policies: []"),
    job(task(), spec="policies: {event: 3}"),
    policies("{event: 3, action: [x], exitCode: x}"),
    policies("{events: PodFailed, action: RestartJob}"),
    both(),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []
