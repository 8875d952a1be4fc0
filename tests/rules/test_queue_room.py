"""HET634: gangs and the capability of their queues."""
from __future__ import annotations

import pytest

from hetc.manifest import Given, Manifest
from hetc.rules.queue_room import RULE
from tests.rules.checks import NO_SITE, Found, check_manifest, cron_job, job, manifest, queue, task
from tests.rules.helpers import related

HELP = "ask for less, or choose a queue with more"
GPU = "nvidia.com/gpu"


def pods(asks: str, replicas: int, name: str = "worker", more: str = "", where: str = "limits") -> str:
    return task(f"resources: {{{where}: {{{asks}}}}}", name, replicas) + (f"  {more}\n" if more else "")


def gang(*tasks: str, minimum: int | None = None) -> str:
    return job(*tasks, spec="queue: vision" + (f"\nminAvailable: {minimum}" if minimum is not None else ""))


def vision(capability: str, *more: str) -> str:
    return queue("vision", f"capability: {{{capability}}}", *more)


def messages(text: str) -> list[tuple[str, str]]:
    return [(found.level, found.message) for found in check_manifest(RULE, text)]


def needs(amount: str, resource: str, capability: str, queue: str = "queue `vision`") -> str:
    return f"needs `{amount}` of `{resource}`, and the capability of {queue} is `{capability}`"


@pytest.mark.parametrize(("text", "message"), [
    (gang(pods(f"{GPU}: 8", 3)) + vision(f"{GPU}: 16"), needs("24", GPU, "16")),
    (gang(pods("cpu: 500m", 3)) + vision("cpu: 1"), needs("1500m", "cpu", "1")),
    (gang(pods("memory: 1Ti", 2)) + vision("memory: 1T"), needs("2Ti", "memory", "1T")),
    (gang(pods("ephemeral-storage: 1Gi", 2)) + vision("ephemeral-storage: 1Gi"), needs("2Gi", "ephemeral-storage", "1Gi")),
    (gang(pods("hugepages-2Mi: 1Gi", 2)) + vision("hugepages-2Mi: 1Gi"), needs("2Gi", "hugepages-2Mi", "1Gi")),
    (gang(pods(f"{GPU}: 1", 1)) + vision(f"{GPU}: 0"), needs("1", GPU, "0")),
    (gang(pods("cpu: 8", 2, where="requests")) + vision("cpu: 15"), needs("16", "cpu", "15")),
    # A minimum of the job alone: the cheapest pods.
    (gang(pods(f"{GPU}: 1", 2, "a"), pods(f"{GPU}: 8", 4, "b"), minimum=4) + vision(f"{GPU}: 17"), needs("18", GPU, "17")),
    # One above the tasks' minima: those, and the cheapest of the rest.
    (gang(pods(f"{GPU}: 1", 4, "a", "minAvailable: 1"), pods(f"{GPU}: 8", 4, "b", "minAvailable: 2"), minimum=5) + vision(f"{GPU}: 18"),
     needs("19", GPU, "18")),
    (gang(pods(f"{GPU}: 1", 4, "a", "minAvailable: 1"), pods(f"{GPU}: 8", 4, "b", "minAvailable: 2"), minimum=3) + vision(f"{GPU}: 16"),
     needs("17", GPU, "16")),
    (gang(pods(f"{GPU}: 1", 2, "a", "minAvailable: 1"), pods(f"{GPU}: 8", 4, "b", "minAvailable: 2"), minimum=5) + vision(f"{GPU}: 25"),
     needs("26", GPU, "25")),
    (gang(pods("cpu: 1", 1)) + vision("cpu: 1n"), needs("1", "cpu", "1n")),
    (gang(pods(f"{GPU}: 8", 256)) + vision(f"{GPU}: 8"), needs("2048", GPU, "8")),
    (gang(pods(f"{GPU}: 8", 6, more="partitionPolicy: {totalPartitions: 3, partitionSize: 2, minPartitions: 2}")) + vision(f"{GPU}: 31"),
     needs("32", GPU, "31")),
    (gang(pods(f"{GPU}: 8", 3), minimum=0) + vision(f"{GPU}: 23"), needs("24", GPU, "23")),
])
def test_more_than_the_capability(text: str, message: str) -> None:
    assert messages(text) == [("error", f"the gang {message}")]


@pytest.mark.parametrize("text", [
    gang(pods(f"{GPU}: 8, cpu: 96, memory: 1Ti", 2)) + vision(f"{GPU}: 16"),
    gang(pods(f"{GPU}: 8", 2)) + vision("cpu: 1, memory: 1Gi"),
    gang(pods("cpu: 8, memory: 8Gi", 2)) + vision("cpu: 0, memory: 0"),
    gang(pods(f"{GPU}: 8", 4), minimum=2) + vision(f"{GPU}: 16"),
    gang(pods(f"{GPU}: 8", 4, more="minAvailable: 2")) + vision(f"{GPU}: 16"),
    gang(pods(f"{GPU}: 1", 2, "a"), pods(f"{GPU}: 8", 4, "b"), minimum=4) + vision(f"{GPU}: 18"),
    gang(pods(f"{GPU}: 1", 2, "a"), pods(f"{GPU}: 8", 4, "b"), minimum=1) + vision(f"{GPU}: 8"),
    gang(pods(f"{GPU}: 8", 2)) + queue("vision", f"deserved: {{{GPU}: 8}}", f"guarantee: {{resource: {{{GPU}: 8}}}}"),
    gang(pods(f"{GPU}: 8", 2)) + queue("other", f"capability: {{{GPU}: 8}}"),
    gang(pods("volcano.sh/vgpu-memory: 8000", 2)) + vision("volcano.sh/vgpu-memory: 1"),
    gang(pods("huawei.com/Ascend310P-memory: 8000", 2)) + vision("huawei.com/Ascend310P-memory: 1"),
    gang(pods("cpu: 1", 9)) + vision("pods: 2"),
    gang(pods(f"{GPU}: 8", 0)) + vision(f"{GPU}: 7"),
    gang(pods("cpu: 1", 1)) + vision(f"{GPU}: -1, cpu: x"),
    gang(pods("cpu: 1", 1)) + vision(f"{GPU}: 0"),
    gang() + vision("cpu: 1"),
    gang(pods("cpu: 9", 1)),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_each_resource_once() -> None:
    text = gang(pods(f"cpu: 8, {GPU}: 8", 2)) + vision(f"cpu: 1, {GPU}: 1")
    assert messages(text) == [("error", f"the gang {needs('16', 'cpu', '1')}"), ("error", f"the gang {needs('16', GPU, '1')}")]


def test_a_pod_outside_of_the_minimum() -> None:
    text = gang(pods("cpu: 1", 1, "a"), pods(f"cpu: 1, {GPU}: 16", 2, "b", "minAvailable: 0")) + vision(f"{GPU}: 8")
    assert messages(text) == [("warning", f"a pod of task `b` {needs('16', GPU, '8')}")]


def test_queues_above() -> None:
    above = queue("research", f"capability: {{{GPU}: 8, cpu: 9}}", "parent: top") + queue("top", "capability: {memory: 1Gi, cpu: 1}")
    text = gang(pods(f"{GPU}: 8, cpu: 8, memory: 1Gi", 2)) + vision("cpu: 12", "parent: research") + above
    assert messages(text) == [
        ("error", f"the gang {needs('16', 'cpu', '12')}"),
        ("warning", f"the gang {needs('16', GPU, '8', 'queue `research` above `vision`')}"),
        ("warning", f"the gang {needs('2Gi', 'memory', '1Gi', 'queue `top` above `vision`')}"),
    ]


def test_the_default_queue() -> None:
    text = job(pods(f"{GPU}: 8", 2)) + queue("default", f"capability: {{{GPU}: 8}}")
    assert check_manifest(RULE, text) == [Found(4, 9, "error", f"the gang {needs('16', GPU, '8', 'queue `default`')}", HELP)]


def test_places() -> None:
    text = gang(pods(f"{GPU}: 8", 3)) + vision(f"{GPU}: 16")
    assert check_manifest(RULE, text) == [Found(6, 10, "error", f"the gang {needs('24', GPU, '16')}", HELP)]
    assert related(RULE, text) == [(21, 32, "its capability")]


def test_a_cron_job() -> None:
    text = cron_job(gang(pods(f"{GPU}: 8", 3))) + vision(f"{GPU}: 16")
    assert messages(text) == [("error", f"the gang {needs('24', GPU, '16')}")]


def test_a_pod_group() -> None:
    head = "apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\nspec: {queue: vision, minResources: {cpu: 8, count/pods: 9}}\n"
    assert check_manifest(RULE, head + vision("cpu: 4, count/pods: 1")) == [Found(3, 15, "error", f"the gang {needs('8', 'cpu', '4')}", HELP)]
    assert check_manifest(RULE, head.replace("queue: vision, ", "") + queue("default", "capability: {cpu: 4}"))[0][:2] == (1, 1)


def test_of_the_cluster() -> None:
    given = Given(manifest(vision(f"{GPU}: 16")).documents, frozenset(("Queue",)))
    here = manifest(gang(pods(f"{GPU}: 8", 3)))
    (found,) = RULE.check(Manifest(here.documents, True, given), NO_SITE)
    assert found.message == f"the gang {needs('24', GPU, '16')}"
