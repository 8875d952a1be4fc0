"""HET633: gangs and the domains that they have to lie in."""
from __future__ import annotations

import pytest

from hetc.rules import gang_room
from hetc.rules.gang_room import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related
from tests.test_topology import hypernode, node

TREE = (hypernode("a", 1, "node n0", "node n1") + hypernode("b", 1, "node n2", "node n3", "node n4") + hypernode("c", 2, "hyper a", "hyper b"))
BIG, SMALL = "{cpu: 64, nvidia.com/gpu: 8, pods: 110}", "{cpu: 16, pods: 110}"
#: Two nodes with GPUs below `a`; below `b` one, and two without.
NODES = "".join(node(f"n{at}", f"{{kind: {'big' if has == BIG else 'small'}}}", has) for at, has in enumerate((BIG, BIG, BIG, SMALL, SMALL)))


def gpus(count: int, replicas: int, name: str = "worker", more: str = "", pod: str = "") -> str:
    return task(f"resources: {{limits: {{nvidia.com/gpu: {count}}}}}" if count else "image: a.example/b:1", name, replicas, pod) + (f"  {more}\n" if more else "")


def bounded(*tasks: str, tier: object = 1, minimum: int | None = None, mode: str = "hard") -> str:
    least = f"minAvailable: {minimum}\n" if minimum is not None else ""
    return job(*tasks, spec=f"{least}networkTopology: {{mode: {mode}, highestTierAllowed: {tier}}}")


def grouped(policy: str, replicas: int = 4, more: str = "") -> str:
    topology = "networkTopology: {highestTierAllowed: 1}"
    return job(gpus(8, replicas, more=f"partitionPolicy: {{{policy}, {topology}}}") + (f"  {more}\n" if more else ""))


@pytest.mark.parametrize(("text", "message"), [
    (bounded(gpus(8, 4)), "the gang needs 4 nodes in one domain, and the largest up to tier 1, `b`, has 3"),
    (bounded(gpus(8, 6), tier=9), "the gang needs 6 nodes in one domain, and the largest up to tier 9, `c`, has 5"),
    (bounded(gpus(8, 6), tier=2), "the gang needs 6 nodes in one domain, and the largest up to tier 2, `c`, has 5"),
    (bounded(gpus(8, 2, "a"), gpus(8, 2, "b")), "the gang needs 4 nodes in one domain, and the largest up to tier 1, `b`, has 3"),
    (bounded(gpus(8, 9), minimum=4), "the gang needs 4 nodes in one domain, and the largest up to tier 1, `b`, has 3"),
    (bounded(gpus(0, 1, "master"), gpus(8, 9), minimum=5), "the gang needs 4 nodes in one domain, and the largest up to tier 1, `b`, has 3"),
    (grouped("totalPartitions: 1, partitionSize: 4, minPartitions: 1"),
     "a group of task `worker` needs 4 nodes in one domain, and the largest up to tier 1, `b`, has 3"),
    (grouped("totalPartitions: 2, partitionSize: 4, minPartitions: 1", 8),
     "a group of task `worker` needs 4 nodes in one domain, and the largest up to tier 1, `b`, has 3"),
    (grouped("totalPartitions: 1, partitionSize: 4"), "a group of task `worker` needs 4 nodes in one domain, and the largest up to tier 1, `b`, has 3"),
])
def test_by_the_number_of_nodes(text: str, message: str) -> None:
    (found,) = check_manifest(RULE, text + TREE)
    assert (found.level, found.message, found.help) == ("warning", message, "allow a higher tier, or ask for less")


@pytest.mark.parametrize(("text", "message"), [
    (bounded(gpus(8, 3)), "the gang needs 3 pods in one domain, and the largest up to tier 1, `a`, has room for 2"),
    (bounded(gpus(4, 5)), "the gang needs 5 pods in one domain, and the largest up to tier 1, `a`, has room for 4"),
    (bounded(gpus(0, 2, pod="nodeSelector: {kind: other}")),
     "the gang needs 2 pods in one domain, and the largest up to tier 1, `a`, has room for 0"),
    (bounded(gpus(8, 9), minimum=3), "the gang needs 3 pods in one domain, and the largest up to tier 1, `a`, has room for 2"),
    (bounded(gpus(8, 3, "x"), gpus(4, 2, "y"), tier=1), "the gang needs 3 pods of task `x` in one domain, and the largest up to tier 1, `a`, has room for 2"),
    (bounded(gpus(0, 1, "x"), gpus(8, 9, "y"), minimum=5, tier=2), "the gang needs 5 pods in one domain, and the largest up to tier 2, `c`, has room for 4"),
    (bounded(gpus(8, 2, "x"), gpus(4, 3, "y"), gpus(0, 1, "z"), tier=2),
     "the gang needs 28 of `nvidia.com/gpu` in one domain, and the largest up to tier 2, `c`, has 24"),
    (bounded(gpus(8, 2, "x"), gpus(4, 3, "y"), tier=2), "the gang needs 28 of `nvidia.com/gpu` in one domain, and the largest up to tier 2, `c`, has 24"),
])
def test_by_what_the_nodes_have(text: str, message: str) -> None:
    (found,) = check_manifest(RULE, text + TREE + NODES)
    assert (found.level, found.message) == ("warning", message)


@pytest.mark.parametrize("text", [
    bounded(gpus(8, 4)),
    *(text + TREE for text in (
        bounded(gpus(8, 3)), bounded(gpus(8, 3), tier=9), bounded(gpus(8, 5), tier=2), bounded(gpus(8, 9), minimum=3), bounded(gpus(8, 9), mode="soft"),
        bounded(gpus(4, 9)), bounded(gpus(8, 9), tier=0), bounded(gpus(8, 9), tier="x"), job(gpus(8, 9)),
        grouped("totalPartitions: 2, partitionSize: 4", 8), grouped("totalPartitions: 3, partitionSize: 3, minPartitions: 2", 9),
        grouped("totalPartitions: 1, partitionSize: 9", 9, more="minAvailable: 3"))),
    *(text + TREE + NODES for text in (bounded(gpus(8, 2)), bounded(gpus(4, 4)), bounded(gpus(8, 3), tier=2), bounded(gpus(0, 90)))),
    bounded(gpus(8, 9)) + hypernode("a", 1, "like n.*"),
    bounded(gpus(8, 2, "x"), gpus(8, 2, "y"), minimum=1) + hypernode("a", 1, "node n0"),
    grouped("totalPartitions: 2, partitionSize: 4", 8) + hypernode("a", 1, "node n3") + NODES,
    bounded(gpus(8, 2)) + TREE + "".join(node(f"n{at}") for at in range(2)),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_nodes_that_are_gone_have_no_room() -> None:
    found = check_manifest(RULE, bounded(gpus(8, 1)) + hypernode("a", 1, "node gone") + NODES)
    assert [each.message for each in found] == [
        "the gang needs 1 pod in one domain, and the largest up to tier 1, `a`, has room for 0"]


def test_places() -> None:
    text = bounded(gpus(8, 4)) + TREE
    assert check_manifest(RULE, text)[0][:2] == (6, 53)
    assert [message for _, _, message in related(RULE, text)] == ["the largest"]


def test_by_name() -> None:
    text = bounded(gpus(8, 4)).replace("highestTierAllowed: 1", "highestTierName: leaf") + TREE.replace("  tier: 1", "  tier: 1\n  tierName: leaf")
    assert check_manifest(RULE, text) == [Found(
        6, 50, "warning", "the gang needs 4 nodes in one domain, and the largest up to tier 1, `b`, has 3", "allow a higher tier, or ask for less")]


def test_more_than_any_cluster_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gang_room, "MOST_FITS", 5)
    assert len(check_manifest(RULE, bounded(gpus(8, 3)) + TREE + NODES)) == 1
    monkeypatch.setattr(gang_room, "MOST_FITS", 4)
    assert check_manifest(RULE, bounded(gpus(8, 3)) + TREE + NODES) == []
    monkeypatch.setattr(gang_room, "MOST_FITS", 5)
    assert len(check_manifest(RULE, bounded(gpus(8, 3, "x"), gpus(8, 3, "y")) + f"---\n{bounded(gpus(8, 3))}" + TREE + NODES)) == 1
