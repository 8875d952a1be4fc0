"""HET519: counts."""
from __future__ import annotations

import pytest

from hetc.rules.count_range import RULE
from tests.rules.checks import Found, check_manifest, job, task

OTHERS = (
    ("batch.volcano.sh/v1alpha1", "CronJob", "failedJobsHistoryLimit: -1, startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1"),
    ("scheduling.volcano.sh/v1beta1", "PodGroup", "minMember: -1, subGroupPolicy: [{subGroupSize: 0, minSubGroups: -1}]"),
    ("scheduling.volcano.sh/v1beta1", "Queue", "weight: 65536, priority: -1"),
    ("topology.volcano.sh/v1alpha1", "HyperNode", "tier: -1"),
)


def test_job() -> None:
    assert check_manifest(RULE, job(task(), spec="maxRetry: -1\nminAvailable: -1\nminSuccess: 0\nttlSecondsAfterFinished: -1\nnetworkTopology: {highestTierAllowed: -1}")) == [
        Found(6, 13, "error", "`maxRetry` is -1, less than it may be", "write at least `0`"),
        Found(7, 17, "error", "`minAvailable` is -1, less than it may be", "write at least `0`"),
        Found(8, 15, "error", "`minSuccess` is 0, less than it may be", "write at least `1`"),
        Found(9, 28, "error", "`ttlSecondsAfterFinished` is -1, less than it may be", "write at least `0`"),
        Found(10, 41, "error", "`highestTierAllowed` is -1, less than it may be", "write at least `0`"),
    ]


def test_too_many() -> None:
    assert check_manifest(RULE, job(task(replicas=2147483648), spec="maxRetry: 2147483648")) == [
        Found(6, 13, "error", "`maxRetry` is 2147483648, more than it may be", "write at most `2147483647`"),
        Found(9, 15, "error", "`replicas` is 2147483648, more than it may be", "write at most `2147483647`"),
    ]


def test_task() -> None:
    assert check_manifest(RULE, job(task(replicas=-1) + "  maxRetry: -1\n  minAvailable: -1\n  partitionPolicy: {minPartitions: -1, networkTopology: {highestTierAllowed: -1}}\n")) == [
        Found(8, 15, "error", "`replicas` is -1, less than it may be", "write at least `0`"),
        Found(14, 15, "error", "`maxRetry` is -1, less than it may be", "write at least `0`"),
        Found(15, 19, "error", "`minAvailable` is -1, less than it may be", "write at least `0`"),
        Found(16, 38, "error", "`minPartitions` is -1, less than it may be", "write at least `0`"),
        Found(16, 80, "error", "`highestTierAllowed` is -1, less than it may be", "write at least `0`"),
    ]


def test_others() -> None:
    assert check_manifest(RULE, "".join(f"apiVersion: {group}\nkind: {kind}\nspec: {{{spec}}}\n---\n" for group, kind, spec in OTHERS)) == [
        Found(3, 32, "error", "`failedJobsHistoryLimit` is -1, less than it may be", "write at least `0`"),
        Found(3, 61, "error", "`startingDeadlineSeconds` is -1, less than it may be", "write at least `0`"),
        Found(3, 93, "error", "`successfulJobsHistoryLimit` is -1, less than it may be", "write at least `0`"),
        Found(7, 19, "error", "`minMember` is -1, less than it may be", "write at least `0`"),
        Found(7, 55, "error", "`subGroupSize` is 0, less than it may be", "write at least `1`"),
        Found(7, 72, "error", "`minSubGroups` is -1, less than it may be", "write at least `0`"),
        Found(11, 16, "error", "`weight` is 65536, more than it may be", "write at most `65535`"),
        Found(11, 33, "error", "`priority` is -1, less than it may be", "write at least `0`"),
        Found(15, 14, "error", "`tier` is -1, less than it may be", "write at least `0`"),
    ]


@pytest.mark.parametrize("text", [
    job(task(replicas=0) + "  maxRetry: 0\n  minAvailable: 0\n  partitionPolicy: {minPartitions: 0}\n", spec="maxRetry: 0\nminAvailable: 0\nminSuccess: 1\nttlSecondsAfterFinished: 0"),
    job(task(replicas=2147483647), spec="maxRetry: 2147483647"),
    job(task(), spec="maxRetry: x\nminSuccess: \nnetworkTopology: x"),
    "apiVersion: batch.volcano.sh/v1alpha1\nkind: CronJob\nspec: {startingDeadlineSeconds: 4000000000, failedJobsHistoryLimit: 0}\n",
    job(task(), spec="networkTopology: {highestTierAllowed: 9223372036854775807}"),
    "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nspec: {weight: 65535, priority: 0}\n",
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_a_weight_of_zero_is_made_one() -> None:
    assert check_manifest(RULE, "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nspec: {weight: 0}\n") == [
        Found(3, 16, "warning", "a queue of weight 0 is given weight 1", "write `1`")]


def test_topologies_of_pod_groups() -> None:
    topology = "networkTopology: {highestTierAllowed: -1}"
    text = f"apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\nspec: {{{topology}, subGroupPolicy: [x, {{{topology}}}]}}\n"
    assert [each[:2] for each in check_manifest(RULE, text)] == [(3, 46), (3, 110)]
