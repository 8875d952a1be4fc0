"""HET532: names and labels of a JobFlow's jobs."""
from __future__ import annotations

import pytest

from hetc.rules.flow_job import RULE
from tests.rules.checks import Found, check_manifest, flow
from tests.rules.helpers import related


def test_name() -> None:
    assert check_manifest(RULE, flow("{name: " + "a" * 30 + "}", name="b" * 33)) == [
        Found(6, 12, "error",
              "the flow's job cannot have its name: `bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` has 64 characters, 1 more than the 63 allowed",
              "shorten the JobFlow's name or the template's"),
    ]


def test_a_dot_at_the_end() -> None:
    assert check_manifest(RULE, flow("{name: a-}", name="b")) == [
        Found(6, 12, "error",
              "the flow's job cannot have its name: `b-a-` has a `-` at the start or end of a part",
              "shorten the JobFlow's name or the template's"),
    ]


def test_label_of_the_flow() -> None:
    assert check_manifest(RULE, flow("{name: a}", name="b" * 61)) == [
        Found(3, 18, "error",
              "`bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb` is too long for a label of the flow's jobs, which has the namespace before it: 1 more than the 63 allowed",
              "cut 1 from the name"),
    ]


def test_label_of_the_template() -> None:
    assert check_manifest(RULE, flow("{name: " + "a" * 56 + "}", namespace="n" * 10, name="b")) == [
        Found(6, 12, "error",
              "`aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` is too long for a label of the flow's jobs, which has the namespace before it: 4 more than the 63 allowed",
              "cut 4 from the name"),
    ]


def test_template() -> None:
    assert check_manifest(RULE, "apiVersion: flow.volcano.sh/v1alpha1\nkind: JobTemplate\nmetadata: {name: " + "a" * 62 + "}\n") == [
        Found(3, 18, "error",
              "`aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` is too long for a label of the flow's jobs, which has the namespace before it: 1 more than the 63 allowed",
              "cut 1 from the name"),
    ]


@pytest.mark.parametrize("text", [
    flow("{name: " + "a" * 30 + "}", name="b" * 32),
    flow("{name: a}", name="b" * 60),
    "apiVersion: flow.volcano.sh/v1alpha1\nkind: JobTemplate\nmetadata: {name: " + "a" * 61 + "}\n",
    flow("{name: [x]}", name="[x]", namespace="[x]"),
    flow("{name: a-}", name="''"),
    flow("{name: ''}", name="b"),
    flow("{}", name="b"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_the_namespace_of_a_template() -> None:
    text = "apiVersion: flow.volcano.sh/v1alpha1\nkind: JobTemplate\nmetadata: {name: " + "a" * 57 + ", namespace: mlops}\n"
    assert check_manifest(RULE, text) == []
    assert [each.help for each in check_manifest(RULE, text.replace("mlops", "ml-ops"))] == ["cut 1 from the name"]


@pytest.mark.parametrize(("length", "said"), [(63, 2), (64, 1)])
def test_a_template_whose_own_name_is_too_long_is_told_once(length: int, said: int) -> None:
    assert len(check_manifest(RULE, flow(f"{{name: {'a' * length}}}"))) == said


def test_the_place_beside() -> None:
    assert related(RULE, flow("{name: a-}", name="b")) == [(3, 18, "the JobFlow's name")]
