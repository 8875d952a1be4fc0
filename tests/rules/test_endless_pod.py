"""HET622: pods that are started again for ever."""
from __future__ import annotations

import pytest

from hetc.rules.endless_pod import RULE
from tests.rules.checks import Found, check_manifest, job, task

EFFECT = "its pods never finish, and the job never completes"
HELP = "write `restartPolicy: Never` or `OnFailure`"
ENDLESS, FINITE = task(pod="restartPolicy: Always"), task(name="t", pod="restartPolicy: Never", replicas=2)
ON_COMPLETED = "policies: [{event: TaskCompleted, action: CompleteJob}]"


@pytest.mark.parametrize("pod", ["hostPID: false", "restartPolicy: null", "restartPolicy: ''"])
def test_left_out(pod: str) -> None:
    message = f"task `worker` has no `restartPolicy`, which is `Always` then: {EFFECT}"
    assert check_manifest(RULE, job(task(pod=pod))) == [Found(7, 11, "warning", message, HELP)]


def test_written() -> None:
    assert check_manifest(RULE, job(ENDLESS)) == [Found(11, 24, "warning", f"`restartPolicy` of task `worker` is `Always`: {EFFECT}", HELP)]


@pytest.mark.parametrize("text", [
    job(FINITE), job(task(pod="restartPolicy: OnFailure")), job(task(pod="restartPolicy: 3")), job(task(pod="restartPolicy: Alwasy")),
    job(task(replicas=0)), job("- {name: a, replicas: 1}"),
    # other tasks end the job
    job(ENDLESS, FINITE, spec=ON_COMPLETED), job(ENDLESS, task(name="t", pod="restartPolicy: Never"), spec=ON_COMPLETED),
    job(ENDLESS, FINITE, spec="policies: [{events: [PodFailed, TaskCompleted], action: TerminateJob}]"),
    job(ENDLESS, FINITE, spec="policies: [{event: '*', action: AbortJob}]"),
    job(ENDLESS, FINITE.replace("  template:", f"  {ON_COMPLETED}\n  template:")),
    job(ENDLESS, FINITE, spec="minSuccess: 2"),
])
def test_fine(text: str) -> None:
    assert check_manifest(RULE, text) == []


@pytest.mark.parametrize("text", [
    job(ENDLESS, FINITE), job(ENDLESS, spec=ON_COMPLETED), job(ENDLESS, FINITE, spec="minSuccess: 3"),
    job(ENDLESS, FINITE, spec="policies: [{event: TaskCompleted, action: RestartJob}]"),
    job(ENDLESS, FINITE, spec="policies: [{event: PodFailed, action: CompleteJob}]"),
    job(ENDLESS.replace("  template:", f"  {ON_COMPLETED}\n  template:"), FINITE),
    job(ENDLESS, task(name="t", pod="restartPolicy: Never", replicas=0), spec=ON_COMPLETED),
])
def test_nothing_ends_the_job(text: str) -> None:
    assert len(check_manifest(RULE, text)) == 1
