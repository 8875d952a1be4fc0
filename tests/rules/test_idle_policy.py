"""HET623: policies that never fire."""
from __future__ import annotations

import pytest

from hetc.rules.idle_policy import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related

FAILED = ("write `restartPolicy: Never`, or answer `TaskFailed`")


def policies(text: str, restart: str = "Never", pod: str = "", more: str = "") -> str:
    """A job whose policies begin at line 6, column 13."""
    return job(task(pod=f"restartPolicy: {restart}{pod}") + more, spec=f"policies: [{text}]")


@pytest.mark.parametrize(("policy", "restart", "column", "message", "help"), [
    ("{event: PodPending, action: AbortJob}", "Never", 22, "event `PodPending` is ignored without a `timeout`",
     "add `timeout: 10m`, for example"),
    ("{event: JobUpdated, action: AbortJob}", "Never", 22, "event `JobUpdated` is never raised by Volcano", "leave the policy out"),
    ("{event: PodFailed, action: AbortJob}", "OnFailure", 22, "event `PodFailed` hardly comes where `restartPolicy` is `OnFailure`", FAILED),
    ("{event: PodFailed, action: AbortJob}", "Always", 22, "event `PodFailed` hardly comes where `restartPolicy` is `Always`", FAILED),
    ("{events: [PodFailed], action: AbortJob}", "Always", 24, "event `PodFailed` hardly comes where `restartPolicy` is `Always`", FAILED),
    ("{event: TaskFailed, action: AbortJob}", "Never", 22,
     "event `TaskFailed` counts restarts, and with `restartPolicy: Never` there are none",
     "answer `PodFailed`, or write `restartPolicy: OnFailure`"),
    ("{event: TaskCompleted, action: CompleteJob}", "Always", 22, "event `TaskCompleted` never comes where `restartPolicy` is `Always`",
     "write `restartPolicy: Never` or `OnFailure`"),
    ("{exitCode: 3, action: AbortJob}", "OnFailure", 25, "exit code 3 is hardly ever seen where `restartPolicy` is `OnFailure`",
     "write `restartPolicy: Never`"),
    ("{exitCode: 256, action: AbortJob}", "Never", 25, "`exitCode` is 256, and exit codes are from 1 to 255", "write a number from 1 to 255"),
    ("{exitCode: -1, action: AbortJob}", "Never", 25, "`exitCode` is -1, and exit codes are from 1 to 255", "write a number from 1 to 255"),
])
def test_idle(policy: str, restart: str, column: int, message: str, help: str) -> None:
    assert check_manifest(RULE, policies(policy, restart)) == [Found(6, column, "warning", message, help)]


@pytest.mark.parametrize(("policy", "restart"), [
    ("{event: PodPending, action: AbortJob, timeout: 10m}", "Never"), ("{event: PodFailed, action: AbortJob}", "Never"),
    ("{event: TaskFailed, action: AbortJob}", "OnFailure"), ("{event: TaskCompleted, action: CompleteJob}", "OnFailure"),
    ("{event: PodEvicted, action: RestartJob}", "OnFailure"), ("{event: Unknown, action: AbortJob}", "Never"),
    ("{event: '*', action: AbortJob}", "Always"), ("{events: [PodEvicted, PodFailed], action: RestartJob}", "OnFailure"),
    ("{exitCode: 255, action: AbortJob}", "Never"), ("{exitCode: 1, action: AbortJob}", "Never"), ("{exitCode: 0, action: AbortJob}", "Never"),
    ("{event: PodFailed, action: AbortJob}", "3"), ("", "Never"), ("{event: 3, action: AbortJob}", "Never"),
])
def test_fine(policy: str, restart: str) -> None:
    assert check_manifest(RULE, policies(policy, restart)) == []


def test_a_policy_of_the_job_is_idle_only_if_it_is_for_all_tasks() -> None:
    other = task(name="other", pod="restartPolicy: Never")
    for event, restart in (("PodFailed", "OnFailure"), ("TaskCompleted", "Always")):
        assert check_manifest(RULE, policies(f"{{event: {event}, action: AbortJob}}", restart, more=other)) == []
    assert check_manifest(RULE, policies("{event: TaskFailed, action: AbortJob}", more=task(name="b", pod="restartPolicy: OnFailure"))) == []
    gone = task(name="other", pod="restartPolicy: Never", replicas=0)
    assert len(check_manifest(RULE, policies("{event: PodFailed, action: AbortJob}", "OnFailure", more=gone))) == 1


def test_a_sidecar_is_started_again_in_any_pod() -> None:
    sidecar = "\ninitContainers: [{name: s, image: b:1, restartPolicy: Always}]"
    assert check_manifest(RULE, policies("{event: TaskFailed, action: AbortJob}", pod=sidecar)) == []
    assert len(check_manifest(RULE, policies("{event: TaskCompleted, action: AbortJob}", "Always", sidecar))) == 1


def test_several_restart_policies() -> None:
    other = task(name="other", pod="restartPolicy: Always")
    [found] = check_manifest(RULE, policies("{event: PodFailed, action: AbortJob}", "OnFailure", more=other))
    assert found.message == "event `PodFailed` hardly comes where `restartPolicy` is `Always` or `OnFailure`"


def test_unknown_is_the_job_s() -> None:
    text = job(task(pod="restartPolicy: Never").replace("  template:", "  policies: [{event: Unknown, action: AbortJob}]\n  template:"))
    assert check_manifest(RULE, text) == [
        Found(9, 24, "warning", "event `Unknown` is raised for the whole job, and a task's policies are not asked",
              "move the policy to the job's `policies`"),
    ]


def test_the_first_policy_of_a_list_holds() -> None:
    for event in ("PodFailed", "'*'"):
        text = policies(f"{{event: {event}, action: RestartJob}}, {{exitCode: 3, action: AbortJob}}, {{exitCode: 4, action: AbortJob}}")
        found = check_manifest(RULE, text)
        assert [(each.message, each.help) for each in found] == [
            (f"exit code {code} is never looked at: a policy above answers every pod that fails", "move this policy above the other one")
            for code in (3, 4)
        ]
        assert related(RULE, text) == [(6, 14, "the other one")] * 2
    assert check_manifest(RULE, policies("{exitCode: 3, action: AbortJob}, {event: PodFailed, action: RestartJob}")) == []
    assert check_manifest(RULE, policies("{event: PodEvicted, action: AbortJob}, {exitCode: 3, action: RestartJob}")) == []


def test_of_several_containers_one_is_asked() -> None:
    side = "      - {name: agent, image: b:1}\n"
    message = "exit code 3 is compared with that of container `agent` of task `worker` alone, the first by name"
    found = [Found(6, 25, "info", message, "name the container that matters first by the alphabet")]
    assert check_manifest(RULE, policies("{exitCode: 3, action: AbortJob}", more=side)) == found
