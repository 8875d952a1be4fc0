"""HET529: flows that wait for flows."""
from __future__ import annotations

import pytest

from hetc.rules.flow_targets import RULE
from tests.rules.checks import Found, check_manifest, flow
from tests.rules.helpers import related


def test_unknown() -> None:
    assert check_manifest(RULE, flow("{name: prepare}", "{name: train, dependsOn: {targets: [prepar]}}")) == [
        Found(7, 41, "error", "flow `train` waits for `prepar`, and there is no such flow", "did you mean `prepare`?"),
    ]


def test_unknown_without_a_near_one() -> None:
    assert check_manifest(RULE, flow("{name: train, dependsOn: {targets: [zzzz]}}")) == [
        Found(6, 41, "error", "flow `train` waits for `zzzz`, and there is no such flow", "name a flow of this JobFlow"),
    ]


def test_itself() -> None:
    assert check_manifest(RULE, flow("{name: a, dependsOn: {targets: [a]}}")) == [
        Found(6, 37, "error", "flow `a` waits for itself", "take it out of what it waits for"),
    ]


def test_cycle() -> None:
    assert check_manifest(RULE, flow("{name: a, dependsOn: {targets: [b]}}", "{name: b, dependsOn: {targets: [c]}}", "{name: c, dependsOn: {targets: [a]}}")) == [
        Found(6, 37, "error", "the flows wait for each other in a cycle: `a` -> `b` -> `c` -> `a`", "take one of these dependencies out"),
    ]


def test_twice() -> None:
    assert check_manifest(RULE, flow("{name: a}", "{name: a}")) == [
        Found(7, 12, "warning", "two flows are called `a`, and Volcano sees the last only", "make a JobTemplate of another name for it"),
    ]


@pytest.mark.parametrize("text", [
    flow("{name: a}", "{name: b, dependsOn: {targets: [a, a]}}", "{name: c, dependsOn: {targets: [a, b]}}"),
    flow("{name: a, dependsOn: {targets: []}}"),
    flow("{name: a, dependsOn: x}", "{name: [x]}", "x"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_the_places_beside() -> None:
    assert related(RULE, flow("{name: a}", "{name: a}")) == [(6, 5, "the other one")]
    three = flow(*(f"{{name: {one}, dependsOn: {{targets: [{other}]}}}}" for one, other in ("ab", "bc", "ca")))
    assert related(RULE, three) == [(7, 37, "waits for `c`"), (8, 37, "waits for `a`")]
    ring = [f"f{number:02}" for number in range(12)]
    many = flow(*(f"{{name: {one}, dependsOn: {{targets: [{other}]}}}}" for one, other in zip(ring, [*ring[1:], ring[0]])))
    assert len(related(RULE, many)) == 8


def test_a_target_that_is_no_text_says_nothing_of_the_next() -> None:
    assert [each.message for each in check_manifest(RULE, flow("{name: a, dependsOn: {targets: [3, {}, zzzz]}}"))] == [
        "flow `a` waits for `zzzz`, and there is no such flow"]


def test_no_flow_is_meant_to_wait_for_itself() -> None:
    assert [each.help for each in check_manifest(RULE, flow("{name: train, dependsOn: {targets: [trian]}}"))] == ["name a flow of this JobFlow"]


def test_a_flow_without_a_name() -> None:
    assert [each.message for each in check_manifest(RULE, flow("{name: a}", "{dependsOn: {targets: [zzzz, a]}}"))] == [
        "flow `` waits for `zzzz`, and there is no such flow"]
