"""A condition on labels compares with as many values as its operator takes, and an affinity names where it counts.

Source: Kubernetes' validation of affinities and label selectors, which Volcano's webhook calls for the pod template.
"""
from __future__ import annotations

import re

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import claims, jobs, mappings, number, sequence, tasks, text
from hetc.names import choice, shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Node

OPERATORS = ("DoesNotExist", "Exists", "In", "NotIn")
#: Operators that only conditions on nodes have.
NUMERIC = ("Gt", "Lt")
LARGEST_WEIGHT = 100


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        affinity = find(task.pod, "affinity")
        for node in walk(find(affinity, "nodeAffinity") or Mapping({}, task.node.origin)):
            for condition in (*mappings(find(node, "matchExpressions")), *mappings(find(node, "matchFields"))):
                yield from _condition(condition, (*OPERATORS, *NUMERIC))
        for term in mappings(find(affinity, "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")):
            for condition in mappings(term.get("matchExpressions")):
                yield from _signed(condition)
        for kind in ("podAffinity", "podAntiAffinity"):
            for node in walk(find(affinity, kind) or Mapping({}, task.node.origin)):
                yield from _selector(find(node, "labelSelector"))
                yield from _topology_key(node)
        for constraint in mappings(find(task.pod, "topologySpreadConstraints")):
            yield from _selector(constraint.get("labelSelector"))
            if "topologyKey" in constraint.entries:
                yield from _topology_key(constraint)
        yield from _terms(affinity)
    for job in jobs(manifest):
        for holder, key in claims(job):
            yield from _selector(find(holder, key, "selector"))


def _selector(selector: Node | None) -> Iterator[Finding]:
    for condition in mappings(find(selector, "matchExpressions")):
        yield from _condition(condition, OPERATORS)


def _condition(condition: Mapping, operators: tuple[str, ...]) -> Iterator[Finding]:
    node, values = condition.get("operator"), sequence(condition.get("values"))
    operator = text(node)
    if node is None or operator is None:
        return
    place = condition.key_span("values") if values else node.origin.span
    if operator not in operators:
        yield Finding(f"`{shorten(operator)}` is no operator of this condition", node.origin.span, choice(operator, operators))
    elif operator in ("In", "NotIn") and not values:
        yield Finding(f"operator `{operator}` has no values to compare with", place, "add `values: [VALUE]`")
    elif operator in ("Exists", "DoesNotExist") and values:
        yield Finding(f"operator `{operator}` compares with nothing, and `values` are given", place, "leave the values out, or write `In`")
    elif operator in NUMERIC and (len(values) != 1 or not _is_whole(text(values[0]) or "")):
        yield Finding(f"operator `{operator}` compares with one whole number", place, 'write one, in quotes: `values: ["8"]`')


def _signed(condition: Mapping) -> Iterator[Finding]:
    """A number with a sign, which is no value of a label; where nodes are only preferred, Kubernetes lets it pass."""
    for value in sequence(condition.get("values")) if text(condition.get("operator")) in NUMERIC else []:
        written = text(value) or ""
        if written[:1] in ("-", "+") and _is_whole(written):
            yield Finding(f"`{shorten(written)}` is no value of a label, which has no sign", value.origin.span, "write it without the sign")


def _is_whole(written: str) -> bool:
    """Whether Go reads a whole number of 64 bits."""
    return re.fullmatch(r"[+-]?[0-9]{1,40}", written) is not None and -(2**63) <= int(written) < 2**63


def _topology_key(node: Node) -> Iterator[Finding]:
    """A term about pods says within which label of the nodes."""
    if isinstance(node, Mapping) and "labelSelector" in node.entries and not text(node.get("topologyKey")):
        place = node.key_span("topologyKey") if "topologyKey" in node.entries else node.origin.span
        yield Finding("the term has no `topologyKey`", place, "add `topologyKey: kubernetes.io/hostname`, for example")


def _terms(affinity: Node | None) -> Iterator[Finding]:
    """Terms that are required are there, and those that are preferred have weights."""
    required = find(affinity, "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    if isinstance(required, Mapping) and not sequence(required.get("nodeSelectorTerms")):
        yield Finding("the required affinity to nodes has no terms", required.origin.span, "add `nodeSelectorTerms`, or leave it out")
    for kind in ("nodeAffinity", "podAffinity", "podAntiAffinity"):
        for term in mappings(find(affinity, kind, "preferredDuringSchedulingIgnoredDuringExecution")):
            node = term.get("weight")
            weight = number(node)
            if node is not None and weight is not None and not 1 <= weight <= LARGEST_WEIGHT:
                yield Finding(f"the weight is {weight}, and lies between 1 and {LARGEST_WEIGHT}", node.origin.span,
                              f"write a number from 1 to {LARGEST_WEIGHT}")


RULE = ManifestRule(Code("HET533", "bad-selector", ERROR, "a condition on labels that Kubernetes refuses"), check)
