"""HET628: labels and annotations where nobody looks for them."""
from __future__ import annotations

import pytest

from hetc.rules.misplaced_metadata import RULE
from tests.rules.checks import Found, check_manifest, job, task


def metadata(own: str, *pods: str) -> str:
    """A job with metadata at line 3, and a task for each pod's."""
    tasks = [task(name=f"t{index}").replace("    spec:\n", f"    metadata: {pod}\n    spec:\n", 1) for index, pod in enumerate(pods)]
    return job(*tasks).replace("metadata:\n  name: demo\n", f"metadata: {own}\n", 1)


SIDECAR = "{annotations: {sidecar.istio.io/inject: 'false'}}"


@pytest.mark.parametrize("key", [
    "sidecar.istio.io/inject", "volcano.sh/task-priority", "volcano.sh/vgpu-mode", "nvidia.com/use-gputype", "volcano.sh/qos-level",
    "container.apparmor.security.beta.kubernetes.io/main", "hccl/rankIndex",
])
def test_of_pods_on_the_job(key: str) -> None:
    message = f"annotation `{key}` is read from pods, and Volcano does not copy the job's to them"
    assert check_manifest(RULE, metadata(f"{{annotations: {{{key}: x}}}}", "{}")) == [
        Found(3, 26, "warning", message, "move it to `template.metadata` of each task"),
    ]


@pytest.mark.parametrize("key", ["volcano.sh/sla-waiting-time", "volcano.sh/task-topology-affinity"])
def test_of_the_job_on_pods(key: str) -> None:
    message = f"annotation `{key}` is read from the job, and not from its pods"
    pod = f"{{annotations: {{{key}: x}}}}"
    assert check_manifest(RULE, metadata("{}", pod)) == [Found(9, 32, "warning", message, "move it to the job's `metadata`")]
    assert check_manifest(RULE, metadata(pod, pod)) == []


def test_on_the_job_and_on_some_of_its_pods() -> None:
    assert len(check_manifest(RULE, metadata(SIDECAR, SIDECAR, "{}"))) == 1
    assert check_manifest(RULE, metadata(SIDECAR, SIDECAR, SIDECAR)) == []
    assert len(check_manifest(RULE, metadata(SIDECAR.replace("annotations", "labels"), SIDECAR))) == 1


@pytest.mark.parametrize(("key", "field"), [
    ("scheduling.volcano.sh/queue-name", "queue"), ("scheduling.volcano.sh/group-min-member", "minAvailable"),
    ("volcano.sh/network-topology-mode", "networkTopology"),
])
def test_of_other_kinds(key: str, field: str) -> None:
    message = f"annotation `{key}` is for pods without a Job of Volcano's, and a Job does not look at it"
    for text, place in ((metadata(f"{{annotations: {{{key}: x}}}}", "{}"), (3, 26)), (metadata("{}", f"{{annotations: {{{key}: x}}}}"), (9, 32))):
        assert check_manifest(RULE, text) == [Found(*place, "warning", message, f"write `{field}` in the job's `spec`")]


@pytest.mark.parametrize("key", ["volcano.sh/preemptable", "volcano.sh/cooldown-time", "volcano.sh/jdb-min-available", "team", "example.com/a"])
def test_fine(key: str) -> None:
    assert check_manifest(RULE, metadata(f"{{annotations: {{{key}: x}}}}", "{}")) == []
    assert check_manifest(RULE, metadata("{}", f"{{annotations: {{{key}: x}}}}")) == []


def test_a_job_without_tasks_has_no_pods() -> None:
    assert check_manifest(RULE, f"apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {SIDECAR}\n") == []
