"""HET625: topologies that limit nothing."""
from __future__ import annotations

import pytest

from hetc.rules.open_topology import RULE
from tests.rules.checks import Found, check_manifest, job
from tests.rules.helpers import related

MESSAGE, HELP = ("`networkTopology` is hard and has no tier, so it limits nothing",
                 "add `highestTierAllowed: 1`, for example, or write `mode: soft`")


def task(*fields: str) -> str:
    return "".join(f"- {{name: t{index}, replicas: {field}}}\n" for index, field in enumerate(fields))


@pytest.mark.parametrize(("topology", "column"), [("{mode: hard}", 27), ("{}", 20), ("{mode: ''}", 27), ("{mode: hard, highestTierName: null}", 27)])
def test_hard_without_a_tier(topology: str, column: int) -> None:
    assert check_manifest(RULE, job(task("1"), spec=f"networkTopology: {topology}")) == [Found(6, column, "warning", MESSAGE, HELP)]


@pytest.mark.parametrize("topology", [
    "{mode: soft}", "{mode: hard, highestTierAllowed: 1}", "{highestTierName: rack}", "{highestTierAllowed: 0}", "null", "{mode: Hard}", "{mode: []}",
])
def test_fine(topology: str) -> None:
    assert check_manifest(RULE, job(task("1"), spec=f"networkTopology: {topology}")) == []


def test_everywhere() -> None:
    groups = "4, partitionPolicy: {totalPartitions: 2, partitionSize: 2, networkTopology: {}}"
    assert [found.message for found in check_manifest(RULE, job(task(groups)))] == [MESSAGE]
    group = "apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\nspec: {networkTopology: {}, subGroupPolicy: [{networkTopology: {}}]}\n"
    assert [found[:2] for found in check_manifest(RULE, group)] == [(3, 25), (3, 64)]


def test_groups_that_may_start_in_part() -> None:
    text = job(task("8, minAvailable: 5, partitionPolicy: {totalPartitions: 2, partitionSize: 4}"))
    message = "5 of 8 pods of task `t0` may start, and without `minPartitions` groups of 4 may start in part"
    assert check_manifest(RULE, text) == [Found(7, 63, "warning", message, "write `minPartitions: 1`, with `minAvailable: 4`")]
    assert related(RULE, text) == [(7, 43, "the minimum")]
    small = text.replace("minAvailable: 5", "minAvailable: 2")
    assert [found.help for found in check_manifest(RULE, small)] == ["write `minPartitions: 1`, with `minAvailable: 4`"]


@pytest.mark.parametrize(("least", "total", "size", "meant"), [(1, 2, 4, 1), (3, 2, 2, 1), (5, 4, 2, 2)])
def test_the_smallest_groups(least: int, total: int, size: int, meant: int) -> None:
    text = job(task(f"8, minAvailable: {least}, partitionPolicy: {{totalPartitions: {total}, partitionSize: {size}}}"))
    assert [found.help for found in check_manifest(RULE, text)] == [f"write `minPartitions: {meant}`, with `minAvailable: {meant * size}`"]


@pytest.mark.parametrize("fields", [
    "8, minAvailable: x, partitionPolicy: {totalPartitions: 2, partitionSize: 4}",
    "8, minAvailable: 5, partitionPolicy: {totalPartitions: 2}", "8, minAvailable: 5, partitionPolicy: {partitionSize: 4}",
    "8, minAvailable: 8, partitionPolicy: {totalPartitions: 2, partitionSize: 4}",
    "8, minAvailable: 0, partitionPolicy: {totalPartitions: 2, partitionSize: 4}",
    "8, partitionPolicy: {totalPartitions: 2, partitionSize: 4}",
    "8, minAvailable: 4, partitionPolicy: {totalPartitions: 2, partitionSize: 4, minPartitions: 1}",
    "8, minAvailable: 5, partitionPolicy: {totalPartitions: 2, partitionSize: 4, minPartitions: 0}",
    "8, minAvailable: 5, partitionPolicy: {totalPartitions: 8, partitionSize: 1}",
    "8, minAvailable: 5",
])
def test_groups_that_start_whole_or_are_not_meant_to(fields: str) -> None:
    assert check_manifest(RULE, job(task(fields))) == []
