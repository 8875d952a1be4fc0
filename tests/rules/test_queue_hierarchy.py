"""HET526: hierarchies of queues."""
from __future__ import annotations

import pytest

from hetc.rules.queue_hierarchy import PATH, RULE, WEIGHTS
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import related


def annotated(path: str | None, weights: str | None, name: str = "a") -> str:
    """A document for a Queue with the two annotations."""
    lines = [f'    {key}: "{value}"\n' for key, value in ((PATH, path), (WEIGHTS, weights)) if value is not None]
    head = f"---\napiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata:\n  name: {name}\n  annotations:\n    a: b\n"
    return head + "".join(lines)


def test_lengths() -> None:
    assert check_manifest(RULE, annotated("root/a/b", "1/2")) == [
        Found(9, 35, "error",
              "the hierarchy has 3 parts and 2 weights",
              "write as many in `volcano.sh/hierarchy-weights` as in `volcano.sh/hierarchy`, such as `root/a/b` and `1/2/3`"),
    ]


def test_no_weights() -> None:
    assert check_manifest(RULE, annotated("root/a", None)) == [
        Found(8, 27, "error",
              "the hierarchy has 2 parts and 0 weights",
              "write as many in `volcano.sh/hierarchy-weights` as in `volcano.sh/hierarchy`, such as `root/a/b` and `1/2/3`"),
    ]


def test_no_path() -> None:
    assert check_manifest(RULE, annotated(None, "1/2")) == [
        Found(8, 35, "error",
              "the hierarchy has 0 parts and 2 weights",
              "write as many in `volcano.sh/hierarchy-weights` as in `volcano.sh/hierarchy`, such as `root/a/b` and `1/2/3`"),
    ]


def test_weights() -> None:
    assert [each.message for each in check_manifest(RULE, annotated("root/a", "1/1e400"))] == ["`1e400` is no weight above zero"]
    assert check_manifest(RULE, annotated("root/a/b", "1/0/x")) == [
        Found(9, 35, "error", "`0` is no weight above zero", "write numbers, such as `1/2/3`"),
        Found(9, 35, "error", "`x` is no weight above zero", "write numbers, such as `1/2/3`"),
    ]


def test_on_the_way() -> None:
    assert check_manifest(RULE, annotated("root/a/b", "1/2/3", "b") + annotated("root/a", "1/2", "a")) == [
        Found(17, 27, "error",
              "path `root/a` of this queue leads to that of another, `root/a/b`",
              "give it a path that ends beside the others"),
    ]


def test_on_the_way_first() -> None:
    assert check_manifest(RULE, annotated("a", "1", "a") + annotated("root/a/b", "1/2/3", "b")) == [
        Found(8, 27, "warning",
              "path `a` of this queue leads to that of another, `root/a/b`",
              "give it a path that ends beside the others"),
    ]


@pytest.mark.parametrize("text", [
    annotated("root/a", "1/0.5"),
    annotated("a", "1e1"),
    annotated(None, None),
    annotated("root/a", "1/2", "a") + annotated("root/ab", "1/2", "b"),
    annotated("root/a", "1/2", "a") + annotated("root/a", "1/2", "b"),
    annotated("", ""),
    annotated("root", "1", "a") + annotated("", "", "b"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


@pytest.mark.parametrize(("path", "weights", "message"), [
    ("a", None, "the hierarchy has 1 part and 0 weights"), (None, "1", "the hierarchy has 0 parts and 1 weight"),
    ("", "1", "the hierarchy has 0 parts and 1 weight"),
])
def test_one_without_the_other(path: str | None, weights: str | None, message: str) -> None:
    assert [each.message for each in check_manifest(RULE, annotated(path, weights))] == [message]


def test_the_place_beside() -> None:
    assert related(RULE, annotated("root/a/b", "1/2/3", "b") + annotated("root/a", "1/2", "a")) == [(8, 27, "the other one")]
