"""HET525: amounts of queues."""
from __future__ import annotations

import pytest

from hetc.rules.queue_amounts import RULE
from tests.rules.checks import Found, check_manifest, queue


def test_no_amounts() -> None:
    assert check_manifest(RULE, queue("a", "capability: {cpu: many, memory: 1.5}", "deserved: {memory: -1Gi, nvidia.com/gpu: 500m, a.b/c: 1Ei}")) == [
        Found(7, 21, "error", "`cpu`: `many` is no quantity", "write a number and a suffix, for example `64Gi` or `500m`"),
        Found(7, 35, "error", "`memory` is `1.5`, and Kubernetes takes whole numbers and strings", "write `1500m`"),
        Found(8, 22, "error", "`memory` is `-1Gi`, below zero", "write an amount from zero on"),
        Found(8, 44, "error", "`nvidia.com/gpu` is `500m`, and must be a whole number", "write `1`"),
        Found(8, 57, "error", "`a.b/c` is `1Ei`, more than Kubernetes can count", "write a smaller amount"),
    ]


def test_guarantee_above_deserved() -> None:
    assert check_manifest(RULE, queue("a", "deserved: {cpu: 4}", "guarantee: {resource: {cpu: 5000m}}")) == [
        Found(8, 31, "error", "`5000m` of `cpu` is guaranteed, and `4` is deserved", "write at most `4`, or raise the other"),
    ]


def test_guarantee_without_deserved() -> None:
    assert check_manifest(RULE, queue("a", "guarantee: {resource: {cpu: 5}}")) == [
        Found(7, 26, "error", "`5` of `cpu` is guaranteed, and none is deserved", "add `cpu` to `deserved`"),
    ]


def test_deserved_above_capability() -> None:
    assert check_manifest(RULE, queue("a", "capability: {memory: 1Gi}", "deserved: {memory: 2Gi, cpu: 1}")) == [
        Found(8, 22, "error", "`2Gi` of `memory` is deserved, and `1Gi` is in the capability", "write at most `1Gi`, or raise the other"),
    ]


@pytest.mark.parametrize("text", [
    queue("a", "capability: {cpu: 4}", "deserved: {cpu: 4000m, memory: 1Gi}", "guarantee: {resource: {cpu: 4, memory: 1024Mi}}"),
    queue("a", "capability: {cpu: }", "deserved: x", "guarantee: {resource: [x]}"),
    queue("a", "capability: {cpu: true, memory: [x]}"),
    queue("a", "weight: 1"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_one_amount_says_nothing_of_the_next() -> None:
    text = queue("a", "capability: {cpu: x, a.b/c: [1], memory: -1, ephemeral-storage: 1, a.b/d: 1500m}")
    assert [each.message.partition(",")[0] for each in check_manifest(RULE, text)] == [
        "`cpu`: `x` is no quantity", "`memory` is `-1`", "`a.b/d` is `1500m`"]
    together = queue("a", "deserved: {cpu: x, memory: 1}", "guarantee: {resource: {cpu: x, memory: 2}}")
    assert [each.message for each in check_manifest(RULE, together)][-1] == "`2` of `memory` is guaranteed, and `1` is deserved"


def test_zero_and_the_largest_amount() -> None:
    assert check_manifest(RULE, queue("a", "capability: {cpu: 0, a.b/c: 0}")) == []
    assert [each.message for each in check_manifest(RULE, queue("a", f"capability: {{a.b/c: {2**63 - 1}m}}"))] == [
        f"`a.b/c` is `{2**63 - 1}m`, and must be a whole number"]
