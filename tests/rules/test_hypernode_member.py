"""HET528: members of HyperNodes."""
from __future__ import annotations

import pytest

from hetc.rules.hypernode_member import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import related


def hypernode(*lines: str) -> str:
    return "apiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata: {name: a}\nspec:\n" + "".join(f"  {line}\n" for line in lines)


def member(kind: str, selector: str) -> str:
    return hypernode("tier: 1", "members:", f"- type: {kind}", f"  selector: {selector}")


def test_none() -> None:
    assert check_manifest(RULE, hypernode("tier: 1")) == [
        Found(5, 3, "error", "the HyperNode has no members", "add `members:` with a `type` and a `selector` each"),
    ]


def test_an_empty_list() -> None:
    assert check_manifest(RULE, hypernode("tier: 1", "members: []")) == [
        Found(6, 3, "error", "the HyperNode has no members", "add `members:` with a `type` and a `selector` each"),
    ]


def test_null_is_no_list() -> None:
    assert check_manifest(RULE, hypernode("tier: 1", "members:")) == [
        Found(6, 3, "error", "the HyperNode has no members", "add `members:` with a `type` and a `selector` each"),
    ]


def test_the_place_beside() -> None:
    assert related(RULE, member("Node", "{regexMatch: {pattern: a}, exactMatch: {name: a}}")) == [(8, 42, "the other one")]


def test_empty_selector() -> None:
    assert check_manifest(RULE, member("Node", "{}")) == [
        Found(8, 5, "error",
              "the member's selector is empty",
              "write one of `exactMatch: {name: NAME}`, `regexMatch: {pattern: PATTERN}` and `labelMatch: {matchLabels: …}`"),
    ]


def test_two_selectors() -> None:
    assert check_manifest(RULE, member("Node", "{exactMatch: {name: a}, regexMatch: {pattern: a}}")) == [
        Found(8, 39, "error", "the member has both `exactMatch` and `regexMatch`", "make two members of it"),
    ]


def test_labels_of_hyper_nodes() -> None:
    assert check_manifest(RULE, member("HyperNode", "{labelMatch: {matchLabels: {a: b}}}")) == [
        Found(8, 16, "error", "`labelMatch` finds nodes, and the member is a HyperNode", "write `type: Node`, or another selector"),
    ]


def test_name() -> None:
    assert check_manifest(RULE, member("Node", "{exactMatch: {name: A_1}}")) == [
        Found(8, 35, "error", "no legal name of a node: `A_1` has `A`, and only a-z, 0-9, `-` and `.` are allowed"),
    ]


def test_pattern() -> None:
    assert check_manifest(RULE, member("Node", "{regexMatch: {pattern: '(a'}}")) == [
        Found(8, 38, "error", "pattern `(a` has a `(` without its `)`", "write a regular expression of Go's, such as `^node-[0-9]+$`"),
    ]


def test_empty_pattern() -> None:
    assert check_manifest(RULE, member("Node", "{regexMatch: {pattern: ''}}")) == [
        Found(8, 38, "error", "pattern `` is empty", "write a regular expression of Go's, such as `^node-[0-9]+$`"),
    ]


@pytest.mark.parametrize("text", [
    member("Node", "{exactMatch: {name: node-1.a}}"),
    member("HyperNode", "{regexMatch: {pattern: '^rack-[0-9]+$'}}"),
    member("Node", "{labelMatch: {matchLabels: {a: b}}, exactMatch: }"),
    member("Node", "{other: x}"),
    member("Node", "x"),
    hypernode("members: x"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_names_and_patterns_that_are_no_text() -> None:
    assert check_manifest(RULE, member("Node", "{regexMatch: {pattern: 5}}")) == check_manifest(RULE, member("Node", "{exactMatch: {name: 5}}")) == []
