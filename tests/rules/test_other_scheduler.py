"""HET619: pods that another than Volcano's scheduler places."""
from __future__ import annotations

import pytest

from hetc.record import replace
from hetc.rules.other_scheduler import RULE
from tests.rules.checks import NO_SITE, Found, check_manifest, job, task
from tests.rules.helpers import related


def test_a_node_by_name() -> None:
    text = job(task(pod="nodeName: gpu-17"))
    message = "`nodeName` puts the pods of task `worker` on `gpu-17` without a scheduler, apart from their gang"
    assert check_manifest(RULE, text) == [Found(11, 19, "error", message, "write `nodeSelector: {kubernetes.io/hostname: NAME}`")]


@pytest.mark.parametrize(("spec", "own", "wanted"), [
    ("schedulerName: volcano", "other", "volcano"), ("schedulerName: gang", "volcano", "gang"), ("queue: q", "default-scheduler", "volcano"),
])
def test_another_scheduler(spec: str, own: str, wanted: str) -> None:
    message = f"`schedulerName` of task `worker` is `{own}`, and the job's is `{wanted}`: its pods leave the gang"
    text = job(task(pod=f"schedulerName: {own}"), spec=spec)
    assert check_manifest(RULE, text) == [Found(12, 24, "warning", message, "leave it out")]
    assert related(RULE, text) == ([(6, 18, "the job's")] if spec != "queue: q" else [])


def test_kubernetes_own_scheduler_for_the_job() -> None:
    message = "`default-scheduler` is Kubernetes' own scheduler, which knows no gangs and no queues"
    assert check_manifest(RULE, job(task(), spec="schedulerName: default-scheduler")) == [Found(6, 18, "warning", message, "write `volcano`")]


@pytest.mark.parametrize(("spec", "pod"), [
    ("schedulerName: volcano", "schedulerName: volcano"), ("queue: q", "schedulerName: volcano"), ("schedulerName: gang", "hostPID: false"),
    ("queue: q", "nodeName: ''"), ("queue: q", "schedulerName: ''"),
])
def test_fine(spec: str, pod: str) -> None:
    assert check_manifest(RULE, job(task(pod=pod), spec=spec)) == []


def test_the_site_s_scheduler_is_the_default() -> None:
    text = job(task(pod="schedulerName: gang"), spec="queue: q")
    assert check_manifest(RULE, text, replace(NO_SITE, scheduler="gang")) == []
    assert len(check_manifest(RULE, text)) == 1
