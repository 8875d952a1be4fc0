"""HET515: names of containers."""
from __future__ import annotations

import pytest

from hetc.rules.container_name import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related


def named(name: str) -> str:
    return job(f"- name: worker\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: {name}\n        image: a.example/b:1\n")


def test_capitals() -> None:
    assert check_manifest(RULE, named("Main")) == [
        Found(12, 17, "error", "no legal container name: `Main` has `M`, and only a-z, 0-9 and `-` are allowed", "write `main`"),
    ]


def test_a_dot() -> None:
    assert check_manifest(RULE, named("a.b")) == [
        Found(12, 17, "error", "no legal container name: `a.b` has `.`, and only a-z, 0-9 and `-` are allowed", "write `a-b`"),
    ]


def test_too_long() -> None:
    assert check_manifest(RULE, named("a" * 64)) == [
        Found(12, 17, "error",
              "no legal container name: `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` has 64 characters, 1 more than the 63 allowed",
              "write `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`"),
    ]


def test_empty() -> None:
    assert check_manifest(RULE, named('""')) == [
        Found(12, 17, "error", "the container has no name", "add `name: main`"),
    ]


def test_none() -> None:
    assert check_manifest(RULE, named("")) == [
        Found(12, 15, "error", "the container has no name", "add `name: main`"),
    ]


def test_missing() -> None:
    assert check_manifest(RULE, job("- name: worker\n  replicas: 1\n  template: {spec: {containers: [{image: a.example/b:1}]}}")) == [
        Found(9, 36, "error", "the container has no name", "add `name: main`"),
    ]


def test_twice() -> None:
    assert check_manifest(RULE, job(task(pod="initContainers:\n- {name: main, image: a.example/b:1}"))) == [
        Found(15, 17, "error", "duplicate container name `main`", "give each container a name of its own"),
    ]


@pytest.mark.parametrize("text", [
    named("a" * 63),
    named("1-a"),
    job(task(pod="initContainers:\n- {name: prep, image: a.example/b:1}")),
    named("3"),
    job(task(name="a"), task(name="b")),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_each_container_has_a_name_of_its_own() -> None:
    text = job(task(pod="initContainers:\n- {image: a.example/b:1}\n- {name: _, image: a.example/b:1}\n- {name: main, image: a.example/b:1}"))
    assert [each[3:] for each in check_manifest(RULE, text)] == [
        ("the container has no name", "add `name: main`"),
        ("no legal container name: `_` has `_`, and only a-z, 0-9 and `-` are allowed", "write lower-case letters, digits and `-`"),
        ("duplicate container name `main`", "give each container a name of its own"),
    ]
    assert related(RULE, text) == [(14, 18, "first used here")]
