"""HET624: jobs that end with their first task."""
from __future__ import annotations

import pytest

from hetc.rules.early_end import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related

TWO = (task(name="worker", replicas=4), task(name="master"))
OWN = "  policies: [{event: TaskCompleted, action: CompleteJob}]\n  template:"


@pytest.mark.parametrize(("policy", "column"), [
    ("{event: TaskCompleted, action: CompleteJob}", 22), ("{event: TaskCompleted, action: TerminateJob}", 22),
    ("{event: TaskCompleted, action: AbortJob}", 22), ("{events: [PodEvicted, TaskCompleted], action: CompleteJob}", 36),
])
def test_any_task_ends_the_job(policy: str, column: int) -> None:
    text = job(*TWO, spec=f"policies: [{policy}]")
    assert check_manifest(RULE, text) == [
        Found(6, column, "warning", "`TaskCompleted` of any of 2 tasks ends the job, whichever completes first",
              "move the policy to the task whose end is the job's, such as `master`"),
    ]
    assert [label[2] for label in related(RULE, text)] == ["the action"]


def test_a_task_that_answers_other_events_asks_the_job_too() -> None:
    other = TWO[1].replace("  template:", OWN.replace("TaskCompleted", "PodFailed"))
    assert len(check_manifest(RULE, job(TWO[0], other, spec="policies: [{event: TaskCompleted, action: CompleteJob}]"))) == 1


@pytest.mark.parametrize("text", [
    job(TWO[0], spec="policies: [{event: TaskCompleted, action: CompleteJob}]"),
    job(TWO[0], task(name="b", replicas=0), spec="policies: [{event: TaskCompleted, action: CompleteJob}]"),
    job(TWO[0], TWO[1].replace("  template:", OWN), spec="policies: [{event: TaskCompleted, action: CompleteJob}]"),
    job(TWO[0], TWO[1].replace("  template:", OWN.replace("TaskCompleted", "'*'")), spec="policies: [{event: TaskCompleted, action: CompleteJob}]"),
    job(TWO[0], TWO[1].replace("  template:", OWN)),
    job(*TWO, spec="policies: [{event: TaskCompleted, action: RestartJob}]"),
    job(*TWO, spec="policies: [{event: PodFailed, action: TerminateJob}]"),
])
def test_fine(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_without_a_master_the_first_task_is_named() -> None:
    text = job(task(name="a"), task(name="b"), task(name="c"), spec="policies: [{event: TaskCompleted, action: CompleteJob}]")
    [found] = check_manifest(RULE, text)
    assert found.help is not None and found.help.endswith("such as `a`") and "any of 3 tasks" in found.message
