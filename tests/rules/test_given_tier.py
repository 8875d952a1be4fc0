"""HET632: tiers and the HyperNodes given with them."""
from __future__ import annotations

import pytest

from hetc.manifest import Given, Manifest
from hetc.rules.given_tier import RULE
from tests.rules.checks import NO_SITE, Found, check_manifest, job, manifest, task
from tests.rules.helpers import related
from tests.test_topology import hypernode

TREE = hypernode("a", 1, "node n0", tier_name="leaf") + hypernode("b", 3, "hyper a", tier_name="spine")


def bounded(topology: str) -> str:
    return job(task(), spec=f"networkTopology: {{{topology}}}")


@pytest.mark.parametrize(("topology", "column", "message", "help"), [
    ("highestTierName: laef", 38, "no HyperNode has the tier name `laef`, and Volcano goes on without a bound", "did you mean `leaf`?"),
    ("highestTierName: zzzz", 38, "no HyperNode has the tier name `zzzz`, and Volcano goes on without a bound", "known are `leaf`, `spine`"),
    ("mode: soft, highestTierName: zzzz", 50, "no HyperNode has the tier name `zzzz`, and Volcano goes on without a bound", "known are `leaf`, `spine`"),
    ("highestTierAllowed: 4", 41, "tier 4 is above 3, the highest of the HyperNodes, and bounds nothing", "write at most 3"),
    ("mode: hard, highestTierAllowed: 0", 53, "tier 0 is below 1, the lowest of the HyperNodes, so that no pod is ever placed", "write at least 1"),
])
def test_tiers_that_are_not_there(topology: str, column: int, message: str, help: str) -> None:
    assert check_manifest(RULE, bounded(topology) + TREE) == [Found(6, column, "warning", message, help)]


def test_of_tiers_without_names() -> None:
    assert check_manifest(RULE, bounded("highestTierName: leaf") + hypernode("a", 1, "node n0"))[0].help == "none of them has a name: write the tier's number"


def test_in_groups_and_pod_groups() -> None:
    text = job(task() + "  partitionPolicy: {networkTopology: {highestTierAllowed: 7}}\n") + (
        "---\napiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\n"
        "spec:\n  networkTopology: {highestTierAllowed: 8}\n  subGroupPolicy:\n  - networkTopology: {highestTierAllowed: 9}\n")
    assert [each.message[:6] for each in check_manifest(RULE, text + TREE)] == ["tier 7", "tier 8", "tier 9"]


@pytest.mark.parametrize("text", [
    bounded("highestTierAllowed: 9"),
    bounded("highestTierName: zzzz") + hypernode("a", "x", "node n0"),
    bounded("highestTierAllowed: 5") + TREE + hypernode("c", 7, "hyper b"),
    *(bounded(topology) + TREE for topology in (
        "highestTierAllowed: 1", "highestTierAllowed: 2", "highestTierAllowed: 3", "highestTierName: leaf", "highestTierName: ''",
        "mode: soft, highestTierAllowed: 9", "mode: soft", "highestTierAllowed: x")),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_the_places_beside() -> None:
    assert related(RULE, bounded("highestTierAllowed: 4") + TREE) == [(27, 18, "the highest")]
    assert related(RULE, bounded("highestTierAllowed: 0") + TREE) == [(18, 18, "the lowest")]


def test_of_the_cluster() -> None:
    here, given = manifest(bounded("highestTierAllowed: 4")), Given(manifest(TREE).documents)
    assert len(list(RULE.check(Manifest(here.documents, True, given), NO_SITE))) == 1
