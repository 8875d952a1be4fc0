"""HET510: topologies with two tiers."""
from __future__ import annotations

import pytest

from hetc.rules.two_tiers import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related


def test_of_a_job() -> None:
    assert check_manifest(RULE, job(task(), spec="networkTopology: {highestTierAllowed: 0, highestTierName: rack}")) == [
        Found(6, 44, "error", "the topology has both `highestTierAllowed` and `highestTierName`", "keep one of the two"),
    ]


def test_of_a_task() -> None:
    assert check_manifest(RULE, job(task() + "  partitionPolicy: {networkTopology: {highestTierName: rack, highestTierAllowed: 1}}\n")) == [
        Found(14, 41, "error", "the topology has both `highestTierAllowed` and `highestTierName`", "keep one of the two"),
    ]


def test_of_a_pod_group() -> None:
    assert check_manifest(RULE, "apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\nspec:\n  networkTopology: {highestTierAllowed: 1, highestTierName: a}\n  subGroupPolicy:\n  - networkTopology: {highestTierAllowed: 1, highestTierName: a}\n") == [
        Found(4, 44, "error", "the topology has both `highestTierAllowed` and `highestTierName`", "keep one of the two"),
        Found(6, 46, "error", "the topology has both `highestTierAllowed` and `highestTierName`", "keep one of the two"),
    ]


@pytest.mark.parametrize("text", [
    job(task(), spec="networkTopology: {highestTierAllowed: 1}"),
    job(task(), spec="networkTopology: {highestTierName: rack}"),
    job(task(), spec="networkTopology: {highestTierName: , highestTierAllowed: 1}"),
    job(task(), spec='networkTopology: {highestTierName: "", highestTierAllowed: 1}'),
    job(task(), spec="networkTopology: rack"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_the_place_beside() -> None:
    assert related(RULE, job(task(), spec="networkTopology: {highestTierAllowed: 0, highestTierName: rack}")) == [
        (6, 21, "the other one")]
