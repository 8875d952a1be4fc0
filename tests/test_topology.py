"""Domains of a network, and the room in them."""
from __future__ import annotations

import pytest

from hetc import topology
from hetc.manifest import Manifest
from hetc.pattern import matcher
from hetc.topology import Pod, Tree, selects, tree
from tests.rules.checks import job, manifest, task


def hypernode(name: str, tier: int | str, *members: str, tier_name: str = "") -> str:
    """A document for a HyperNode; a member is `hyper NAME`, `node NAME`, `like PATTERN` or `labels YAML`."""
    selectors = {"hyper": "exactMatch: {name: %s}", "node": "exactMatch: {name: %s}", "like": "regexMatch: {pattern: '%s'}", "labels": "labelMatch: %s"}
    lines = [f"  - {{type: {'HyperNode' if kind == 'hyper' else 'Node'}, selector: {{{selectors[kind] % value}}}}}\n"
             for kind, _, value in (member.partition(" ") for member in members)]
    named = f"  tierName: {tier_name}\n" if tier_name else ""
    head = f"---\napiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata: {{name: {name}}}\nspec:\n  tier: {tier}\n{named}  members:\n"
    return head + "".join(lines)


def node(name: str, labels: str = "{}", allocatable: str = "{}") -> str:
    return f"---\napiVersion: v1\nkind: Node\nmetadata: {{name: {name}, labels: {labels}}}\nstatus: {{allocatable: {allocatable}}}\n"


def of(text: str) -> Tree:
    return tree(Manifest(manifest(text).documents))


def sizes(text: str) -> dict[str, list[str] | None]:
    return {each.name: None if each.nodes is None else sorted(each.nodes) for each in of(text).domains}


def test_members_by_name_and_below() -> None:
    text = hypernode("top", 2, "hyper a", "hyper b", "hyper gone") + hypernode("a", 1, "node n0", "node n1") + hypernode("b", 1, "node n1", "node n2")
    assert sizes(text) == {"a": ["n0", "n1"], "b": ["n1", "n2"], "top": ["n0", "n1", "n2"]}


def test_hypernodes_in_a_ring_end() -> None:
    ring = hypernode("a", 1, "hyper b") + hypernode("b", 2, "hyper a", "node n0")
    assert sizes(ring) == {"a": ["n0"], "b": ["n0"]}
    assert sizes(ring + hypernode("c", 3, "hyper a"))["c"] == ["n0"]


@pytest.mark.parametrize(("member", "without", "with_nodes"), [
    ("node n7", ["n7"], ["n7"]),
    ("like ^n[01]$", None, ["n0", "n1"]),
    ("like (n+)+", None, None),
    ("labels {matchLabels: {rack: a}}", None, ["n0"]),
    ("labels {matchExpressions: [{key: rack, operator: In, values: [b, c]}]}", None, ["n1"]),
    ("labels {}", None, []),
])
def test_selectors(member: str, without: list[str] | None, with_nodes: list[str] | None) -> None:
    nodes = node("n0", "{rack: a}") + node("n1", "{rack: b}") + node("x2")
    assert sizes(hypernode("a", 1, member)) == {"a": without}
    assert sizes(hypernode("a", 1, member) + nodes) == {"a": with_nodes}


def test_trees_beyond_all_clusters_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = "".join(hypernode(f"h{at}", at, f"hyper h{at - 1}") for at in range(9))
    monkeypatch.setattr(topology, "MOST_STEPS", 90)
    assert len(sizes(chain)) == 9
    assert sizes(chain + hypernode("h9", 9, "hyper h8")) == {}
    leaves = hypernode("a", 1, "like n") + "".join(node(f"n{at}") for at in range(90))
    assert len(sizes(leaves)["a"] or ()) == 90
    assert sizes(leaves + node("n90")) == {}


def test_a_hypernode_without_a_tier_is_no_domain() -> None:
    assert sizes(hypernode("a", "x", "node n0")) == {}


def test_names_of_tiers() -> None:
    assert of(hypernode("a", 1, "node n0", tier_name="leaf") + hypernode("b", 3, "hyper a")).names == {"leaf": 1}


@pytest.mark.parametrize(("condition", "holds"), [
    ("{key: a, operator: In, values: [x, y]}", True), ("{key: a, operator: In, values: [y]}", False),
    ("{key: b, operator: NotIn, values: [x]}", True), ("{key: a, operator: NotIn, values: [x]}", False),
    ("{key: a, operator: Exists}", True), ("{key: b, operator: Exists}", False),
    ("{key: a, operator: DoesNotExist}", False), ("{key: b, operator: DoesNotExist}", True),
    ("{key: a, operator: Gt, values: ['3']}", True),
])
def test_conditions(condition: str, holds: bool) -> None:
    (document,) = manifest(f"selector: {{matchExpressions: [{condition}]}}\nlabels: {{a: x}}\n").documents
    assert selects(document.get("selector"), document.get("labels")) is holds


@pytest.mark.parametrize(("container", "pod", "room"), [
    ("resources: {requests: {cpu: 3}, limits: {nvidia.com/gpu: 2}}", "", 3),
    ("resources: {requests: {cpu: 3, nvidia.com/gpu: 1}}", "", 5),
    ("resources: {requests: {memory: 1Gi}}", "", 6),
    ("resources: {requests: {amd.com/gpu: 1}}", "", 0),
    ("image: a", "nodeSelector: {rack: b}", 0),
    ("image: a", "nodeSelector: {rack: a}", 6),
    ("image: a", "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: Exists}]}]}}}", 6),
    ("image: a", "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: rick, operator: Exists}]}]}}}", 0),
])
def test_room(container: str, pod: str, room: int) -> None:
    (document,) = manifest(node("n0", "{rack: a}", "{cpu: 16, nvidia.com/gpu: 7, pods: 6}")).documents
    (view,) = manifest(job(task(container.replace("image: a", "image: a.example/b:1"), pod=pod))).jobs[0].tasks
    assert Pod(view, {"n0": document}).rooms == {"n0": room}


@pytest.mark.parametrize(("resources", "alone"), [("{nvidia.com/gpu: 8}", True), ("{amd.com/gpu: 7}", False), ("{cpu: 96}", False)])
def test_pods_that_take_a_node(resources: str, alone: bool) -> None:
    (view,) = manifest(job(task(f"resources: {{limits: {resources}}}"))).jobs[0].tasks
    assert Pod(view, {}).takes_node is alone


@pytest.mark.parametrize(("pattern", "text", "found"), [
    ("^node-[0-9]+$", "node-12", True), ("^node-[0-9]+$", "a-node-1", False), ("rack-(?:a|b)-", "x-rack-b-1", True), (r"\d{2}", "n12", True),
    ("n.*", "n1", True),
])
def test_patterns(pattern: str, text: str, found: bool) -> None:
    matches = matcher(pattern)
    assert matches is not None
    assert bool(matches(text)) is found


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)(a|a)(a|a)(a|a)", "a*a*a*a*", "[[:alpha:]]", r"\pL", "[z-a]", "a" * 101, "(?i)a", "(a|b)*"])
def test_patterns_for_others(pattern: str) -> None:
    assert matcher(pattern) is None
