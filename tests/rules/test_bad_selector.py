"""HET533: conditions on labels."""
from __future__ import annotations

import pytest

from hetc.rules.bad_selector import RULE
from tests.rules.checks import Found, check_manifest, indented, job, task


def nodes(*conditions: str) -> str:
    lines = "".join(f"      - {each}\n" for each in conditions)
    way = "affinity:\n  nodeAffinity:\n    requiredDuringSchedulingIgnoredDuringExecution:\n      nodeSelectorTerms:\n"
    return job(task(pod=way + "      - matchExpressions:\n" + indented(lines, 2)))


def pods(*terms: str) -> str:
    way = "affinity:\n  podAntiAffinity:\n    requiredDuringSchedulingIgnoredDuringExecution:\n"
    return job(task(pod=way + "".join(f"    - {each}\n" for each in terms)))


def test_nodes() -> None:
    assert check_manifest(RULE, nodes("{key: a, operator: In}", "{key: a, operator: Exists, values: [b]}", "{key: a, operator: Gt, values: ['1', '2']}", "{key: a, operator: Lt, values: [x]}", "{key: a, operator: in, values: [b]}")) == [
        Found(16, 38, "error", "operator `In` has no values to compare with", "add `values: [VALUE]`"),
        Found(17, 46, "error", "operator `Exists` compares with nothing, and `values` are given", "leave the values out, or write `In`"),
        Found(18, 42, "error", "operator `Gt` compares with one whole number", 'write one, in quotes: `values: ["8"]`'),
        Found(19, 42, "error", "operator `Lt` compares with one whole number", 'write one, in quotes: `values: ["8"]`'),
        Found(20, 38, "error", "`in` is no operator of this condition", "write `In`"),
    ]


def test_pods() -> None:
    assert check_manifest(RULE, pods("{labelSelector: {matchExpressions: [{key: a, operator: Gt, values: ['1']}]}, topologyKey: zone}", "{labelSelector: {}}", "{labelSelector: {}, topologyKey: ''}")) == [
        Found(14, 70, "error", "`Gt` is no operator of this condition", "write `DoesNotExist`, `Exists`, `In` or `NotIn`"),
        Found(15, 15, "error", "the term has no `topologyKey`", "add `topologyKey: kubernetes.io/hostname`, for example"),
        Found(16, 35, "error", "the term has no `topologyKey`", "add `topologyKey: kubernetes.io/hostname`, for example"),
    ]


def test_spread() -> None:
    assert check_manifest(RULE, job(task(pod="topologySpreadConstraints:\n- {labelSelector: {matchExpressions: [{key: a, operator: NotIn, values: []}]}}"))) == [
        Found(12, 66, "error", "operator `NotIn` has no values to compare with", "add `values: [VALUE]`"),
    ]


def test_no_terms() -> None:
    assert check_manifest(RULE, job(task(pod="affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}}}"))) == [
        Found(11, 83, "error", "the required affinity to nodes has no terms", "add `nodeSelectorTerms`, or leave it out"),
    ]


def test_weights() -> None:
    assert check_manifest(RULE, job(task(pod="affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 0}, {weight: 101}]}}"))) == [
        Found(11, 94, "error", "the weight is 0, and lies between 1 and 100", "write a number from 1 to 100"),
        Found(11, 107, "error", "the weight is 101, and lies between 1 and 100", "write a number from 1 to 100"),
    ]


@pytest.mark.parametrize("text", [
    nodes("{key: a, operator: In, values: [b]}", "{key: a, operator: DoesNotExist}", "{key: a, operator: Gt, values: ['8']}", "{key: a}", "{key: a, operator: Exists, values: []}"),
    pods("{labelSelector: {matchLabels: {a: b}}, topologyKey: zone}"),
    job(task(pod="affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}, {weight: 100}]}}")),
    job(task(pod="affinity: x")),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


@pytest.mark.parametrize("kind", ["podAffinity", "podAntiAffinity"])
def test_both_kinds_of_affinity_to_pods(kind: str) -> None:
    required = f"affinity: {{{kind}: {{requiredDuringSchedulingIgnoredDuringExecution: [{{labelSelector: {{}}}}]}}}}"
    assert [each.message for each in check_manifest(RULE, job(task(pod=required)))] == ["the term has no `topologyKey`"]
    preferred = f"affinity: {{{kind}: {{preferredDuringSchedulingIgnoredDuringExecution: [{{weight: 0}}]}}}}"
    assert [each.message for each in check_manifest(RULE, job(task(pod=preferred)))] == ["the weight is 0, and lies between 1 and 100"]


def test_conditions_on_fields_of_nodes() -> None:
    text = nodes("{key: metadata.name, operator: in, values: [b]}").replace("matchExpressions", "matchFields")
    assert [each.message for each in check_manifest(RULE, text)] == ["`in` is no operator of this condition"]


def test_values_beside_an_operator() -> None:
    text = nodes("{key: a, operator: DoesNotExist, values: [b]}", "{key: a, operator: 3}", "{key: a, operator: Gt, values: [3]}")
    assert [each.message for each in check_manifest(RULE, text)] == [
        "operator `DoesNotExist` compares with nothing, and `values` are given", "operator `Gt` compares with one whole number"]


def test_topology_key_of_a_constraint() -> None:
    text = job(task(pod='topologySpreadConstraints:\n- {labelSelector: {}, topologyKey: ""}'))
    assert check_manifest(RULE, text) == [
        Found(12, 31, "error", "the term has no `topologyKey`", "add `topologyKey: kubernetes.io/hostname`, for example")]
    assert check_manifest(RULE, text.replace('""', "zone")) == []


def test_claims() -> None:
    claim = "{selector: {matchExpressions: [{key: a, operator: In}]}}"
    text = job(task(pod=f"volumes: [{{name: v, ephemeral: {{volumeClaimTemplate: {{spec: {claim}}}}}}}]"),
               spec=f"volumes: [{{mountPath: /a, volumeClaim: {claim}}}]")
    assert [each.message for each in check_manifest(RULE, text)] == ["operator `In` has no values to compare with"] * 2
    assert check_manifest(RULE, text.replace("operator: In", "operator: In, values: [b]")) == []


def test_numbers_of_64_bits() -> None:
    text = nodes(f"{{key: a, operator: Gt, values: ['{2**63 - 1}']}}", f"{{key: a, operator: Gt, values: ['{2**63}']}}")
    assert [(each.line, each.message) for each in check_manifest(RULE, text)] == [(17, "operator `Gt` compares with one whole number")]


def test_a_sign_is_no_part_of_a_label() -> None:
    """Kubernetes refuses the value where nodes are required, and lets it pass where they are preferred."""
    assert check_manifest(RULE, nodes("{key: a, operator: Gt, values: ['-5']}", "{key: a, operator: Lt, values: ['+5']}", "{key: a, operator: In, values: ['-5']}")) == [
        Found(16, 51, "error", "`-5` is no value of a label, which has no sign", "write it without the sign"),
        Found(17, 51, "error", "`+5` is no value of a label, which has no sign", "write it without the sign"),
    ]
    preferred = "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: a, operator: Gt, values: ['-5']}]}}]}}"
    assert check_manifest(RULE, job(task(pod=preferred))) == []


@pytest.mark.parametrize(("value", "said"), [
    (2**63 - 1, 0), (2**63, 1), (-(2**63), 0), (-(2**63) - 1, 1), ("0" * 39 + "1", 0), ("0" * 40 + "1", 1),
])
def test_numbers_of_64_bits_that_are_preferred(value: int | str, said: int) -> None:
    condition = f"{{key: a, operator: Gt, values: ['{value}']}}"
    preferred = f"affinity: {{nodeAffinity: {{preferredDuringSchedulingIgnoredDuringExecution: [{{weight: 1, preference: {{matchExpressions: [{condition}]}}}}]}}}}"
    assert [each.message for each in check_manifest(RULE, job(task(pod=preferred)))] == ["operator `Gt` compares with one whole number"] * said
