"""HET583: terms that place pods."""
from __future__ import annotations

import pytest

from hetc.rules.pod_term import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job, related

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
SPREAD = "maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule"


def pod(text: str) -> list[str]:
    return [each.message for each in check_manifest(RULE, job(pod=text + "\n"))]


def term(keys: str) -> list[str]:
    """What is said of a term, which is the same wherever it stands."""
    found = pod(f"affinity: {{podAffinity: {{{REQUIRED}: [{{{keys}}}]}}}}")
    assert found == pod(f"affinity: {{podAntiAffinity: {{{PREFERRED}: [{{weight: 1, podAffinityTerm: {{{keys}}}}}]}}}}")
    return found


@pytest.mark.parametrize(("keys", "message"), [
    ("topologyKey: a b, labelSelector: {}",
     "no legal topology key: `a b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed"),
    ("topologyKey: a/b/c, labelSelector: {}", "no legal topology key: `a/b/c` has more than one `/`"),
    ("topologyKey: ''", "the term has no `topologyKey`"),
    ("topologyKey: a, namespaces: [b, B]", "no legal namespace: `B` has `B`, and only a-z, 0-9 and `-` are allowed"),
    ("topologyKey: a, matchLabelKeys: [x]", "`matchLabelKeys` stands without a `labelSelector`"),
    ("topologyKey: a, mismatchLabelKeys: [x]", "`mismatchLabelKeys` stands without a `labelSelector`"),
    ("topologyKey: a, labelSelector: {}, matchLabelKeys: [x], mismatchLabelKeys: [x]", "label `x` is matched twice"),
    ("topologyKey: a, labelSelector: {}, matchLabelKeys: [5, a b]",
     "no legal label key: `a b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed"),
    ("topologyKey: a, labelSelector: {}, matchLabelKeys: [a b]",
     "no legal label key: `a b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed"),
])
def test_terms(keys: str, message: str) -> None:
    assert term(keys) == [message]


@pytest.mark.parametrize("keys", [
    "topologyKey: kubernetes.io/hostname, labelSelector: {}, namespaces: [a]", "topologyKey: a",
    "topologyKey: a, labelSelector: {matchLabels: {x: y}}, matchLabelKeys: [x]", "topologyKey: 5", "labelSelector: {}",
    "topologyKey: a, labelSelector: {}, matchLabelKeys: [x], mismatchLabelKeys: [y]", "topologyKey: '', labelSelector: {}",
    "topologyKey: a, labelSelector: {}, matchLabelKeys: [5, 6]",
])
def test_terms_that_are_fine(keys: str) -> None:
    assert term(keys) == []


def test_spreading() -> None:
    def spread(keys: str) -> list[str]:
        return pod(f"topologySpreadConstraints: [{{{keys}}}]")

    assert spread(f"{SPREAD}, matchLabelKeys: [x]") == ["`matchLabelKeys` stands without a `labelSelector`"]
    assert spread(f"{SPREAD}, labelSelector: {{matchLabels: {{x: y}}}}, matchLabelKeys: [x]") == ["label `x` is matched twice"]
    selector = "labelSelector: {matchExpressions: [{key: x, operator: Exists}]}"
    assert spread(f"{SPREAD}, {selector}, matchLabelKeys: [x]") == ["label `x` is matched twice"]
    assert spread(f"{SPREAD}, {selector}, matchLabelKeys: [y]") == []
    assert spread(f"{SPREAD}, {selector.replace('key: x', 'key: 5')}, matchLabelKeys: ['']") == ["no legal label key: the name is empty"]
    anyway = SPREAD.replace("DoNotSchedule", "ScheduleAnyway")
    assert spread(f"{anyway}, minDomains: 1") == ["`minDomains` counts only where pods are not placed otherwise"]
    assert spread(f"{SPREAD}, minDomains: 1") == spread(f"{anyway}, minDomains: ") == []
    assert spread(SPREAD.replace("zone", "''")) == ["the term has no `topologyKey`"]


@pytest.mark.parametrize(("condition", "messages"), [
    ("{key: metadata.name, operator: In, values: [a]}", []), ("{key: metadata.name, operator: NotIn, values: [a.b]}", []),
    ("{key: spec.x, operator: In, values: [a]}", ["`spec.x` is no field to find a node by"]),
    *((f"{{key: metadata.name, operator: {operator}}}", [f"operator `{operator}` does not compare with the name of a node"])
      for operator in ("Exists", "DoesNotExist", "Gt", "Lt")),
    ("{key: metadata.name, operator: In, values: [a, b]}", ["a node has one name, and several are given"]),
    ("{key: metadata.name, operator: In, values: [A]}", ["no legal node name: `A` has `A`, and only a-z, 0-9, `-` and `.` are allowed"]),
])
def test_nodes_by_name(condition: str, messages: list[str]) -> None:
    assert pod(f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{{matchFields: [{condition}]}}]}}}}}}") == messages


def test_a_place() -> None:
    assert check_manifest(RULE, job(pod=f"topologySpreadConstraints: [{{{SPREAD}, matchLabelKeys: [x]}}]\n")) == [
        Found(13, 103, "error", "`matchLabelKeys` stands without a `labelSelector`", "add `labelSelector: {}`")]


ONE = f"topologySpreadConstraints: [{{{SPREAD}, KEYS}}]\n"


@pytest.mark.parametrize(("text", "help"), [
    (ONE.replace("DoNotSchedule", "ScheduleAnyway").replace("KEYS", "minDomains: 1"), "leave it out, or write `whenUnsatisfiable: DoNotSchedule`"),
    (ONE.replace("zone", "''"), "write `kubernetes.io/hostname`, for example"),
    (ONE.replace("KEYS", "labelSelector: {}, matchLabelKeys: [x, x]"), "keep one of the two"),
    *((f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{{matchFields: [{{key: {condition}}}]}}]}}}}}}\n", help)
      for condition, help in (("spec.x", "write `metadata.name`"), ("metadata.name, operator: Gt", "write `In` or `NotIn`"),
                              ("metadata.name, values: [a, b]", "make a term of each"))),
])
def test_what_to_write(text: str, help: str) -> None:
    assert [each.help for each in check_manifest(RULE, job(pod=text))] == [help]


def test_the_place_beside() -> None:
    assert related(RULE, job(pod=ONE.replace("KEYS", "labelSelector: {}, matchLabelKeys: [x, x]"))) == [(13, 139, "the other one")]
