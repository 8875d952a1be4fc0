"""The domains of a cluster's network as HyperNodes describe them, and the pods that Nodes in them have room for.

A HyperNode is a domain: the nodes that are its members, and those of the HyperNodes that are. A topology that is bounded by a tier
keeps pods inside one HyperNode of that tier or a lower one.
Source: Volcano's scheduler, pkg/scheduler/api/hyper_node_info.go and plugin network-topology-aware.
"""
from __future__ import annotations

from hetc import pattern
from hetc.manifest import amount, documents_of, jobs, mappings, number, sequence, text, texts
from hetc.record import Record, kept
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.source import Span
    from hetc.tree import Node

NUMBER, NAME = "highestTierAllowed", "highestTierName"
#: How many steps finding the nodes of a tree may take; no cluster is so large.
MOST_STEPS = 5_000_000


class Domain(Record):
    """A HyperNode. `nodes`: the names of its nodes, None where that cannot be told without the Nodes."""

    name: str
    tier: int
    document: Mapping
    nodes: frozenset[str] | None

    @property
    def place(self) -> Span:
        """Where the HyperNode is named."""
        return (find(self.document, "metadata", "name") or self.document).origin.span


class Tree(Record):
    """All HyperNodes, and all Nodes, by name."""

    hypernodes: dict[str, Mapping]
    nodes: dict[str, Mapping]

    @kept
    def domains(self) -> list[Domain]:
        """The HyperNodes with a tier, the lowest first; none of a tree beyond all clusters."""
        if self._steps() > MOST_STEPS:
            return []
        found = [Domain(name, tier, document, self._members(name)) for name, document in self.hypernodes.items()
                 if (tier := number(find(document, "spec", "tier"))) is not None]
        return sorted(found, key=lambda each: (each.tier, each.name))

    @kept
    def names(self) -> dict[str, int]:
        """Name of a tier -> its number."""
        named = ((text(find(each.document, "spec", "tierName")), each.tier) for each in self.domains)
        return {name: tier for name, tier in named if name}

    def tier(self, topology: Mapping) -> int | None:
        """The tier that bounds a topology; None where nothing does, or no HyperNode has its name."""
        given = number(topology.get(NUMBER))
        return given if given is not None else self.names.get(text(topology.get(NAME)) or "")

    def _steps(self) -> int:
        """How many steps finding the nodes of all HyperNodes takes at most."""
        steps = below = 0
        for document in self.hypernodes.values():
            for member in mappings(find(document, "spec", "members")):
                below += text(member.get("type")) == "HyperNode"
                steps += 1 if find(member, "selector", "exactMatch") else len(self.nodes)
        return steps + below * len(self.hypernodes)

    def _members(self, name: str) -> frozenset[str] | None:
        """The nodes of a HyperNode and of those below it."""
        found: set[str] = set()
        seen, todo = {name}, [name]
        while todo:
            nodes, below = self._own[todo.pop()]
            if nodes is None:
                return None
            found |= nodes
            todo.extend(below - seen)
            seen |= below
        return frozenset(found)

    @kept
    def _own(self) -> dict[str, tuple[set[str] | None, set[str]]]:
        """Name of a HyperNode -> the nodes that are its own members, and the HyperNodes that are there and are."""
        return {name: self._of(mappings(find(document, "spec", "members"))) for name, document in self.hypernodes.items()}

    def _of(self, members: list[Mapping]) -> tuple[set[str] | None, set[str]]:
        nodes: set[str] = set()
        below: set[str] = set()
        is_known = True
        for member in members:
            if text(member.get("type")) == "HyperNode":
                below.add(text(find(member, "selector", "exactMatch", "name")) or "")
            else:
                selected = self._selected(member.get("selector"))
                is_known = is_known and selected is not None
                nodes |= selected or set()
        return nodes if is_known else None, below & self.hypernodes.keys()

    @kept
    def _by_label(self) -> dict[tuple[str, str], set[str]]:
        """Label and value -> the nodes that have it."""
        found: dict[tuple[str, str], set[str]] = {}
        for name, node in self.nodes.items():
            for key, value in texts(find(node, "metadata", "labels")):
                found.setdefault((key.text, value.text), set()).add(name)
        return found

    def _labelled(self, selector: Node) -> set[str]:
        """The nodes that have the first label that a selector names; all of them where it names none."""
        for key, value in texts(find(selector, "matchLabels")):
            return self._by_label.get((key.text, value.text), set())
        return set(self.nodes)

    def _selected(self, selector: Node | None) -> set[str] | None:
        """The nodes of one member."""
        name, expression = text(find(selector, "exactMatch", "name")), text(find(selector, "regexMatch", "pattern"))
        labels = find(selector, "labelMatch")
        if name:
            return {name}
        if expression is None and labels is None:
            return set()
        if not self.nodes:
            return None
        if labels is not None:
            return {each for each in self._labelled(labels) if selects(labels, find(self.nodes[each], "metadata", "labels"))}
        matches = pattern.matcher(expression or "")
        return None if matches is None else set(filter(matches, self.nodes))


def tree(manifest: Manifest) -> Tree:
    """What is given of a cluster's network."""
    return Tree(manifest.objects("HyperNode"), manifest.objects("Node"))


def topologies(manifest: Manifest) -> Iterator[Mapping]:
    """The network topologies of jobs, of groups of their pods, and of PodGroups."""
    owners: list[Node | None] = []
    for job in jobs(manifest):
        owners += [job.spec, *(task.node.get("partitionPolicy") for task in job.tasks)]
    for group in documents_of(manifest.documents, "PodGroup"):
        owners += [group.get("spec"), *mappings(find(group, "spec", "subGroupPolicy"))]
    for owner in owners:
        topology = find(owner, "networkTopology")
        if isinstance(topology, Mapping):
            yield topology


def is_hard(topology: Mapping) -> bool:
    """Whether pods outside of one domain are refused; that is what `mode` means where it is left out."""
    return (text(topology.get("mode")) or "hard") == "hard"


def selects(selector: Node | None, labels: Node | None) -> bool:
    """Whether a selector of labels, or a term of a node's affinity, takes these labels; one that says nothing takes none."""
    wanted = find(selector, "matchLabels")
    pairs = wanted.entries if isinstance(wanted, Mapping) else {}
    conditions = mappings(find(selector, "matchExpressions"))
    if not pairs and not conditions:
        return False
    return (all(text(entry.value) == text(find(labels, key)) for key, entry in pairs.items())
            and all(_holds(condition, labels) for condition in conditions))


def _holds(condition: Mapping, labels: Node | None) -> bool:
    """Whether one condition on labels holds; one that compares numbers is taken to."""
    value = text(find(labels, text(condition.get("key")) or ""))
    values = [text(each) for each in sequence(condition.get("values"))]
    return {"In": value is not None and value in values, "NotIn": value is None or value not in values,
            "Exists": value is not None, "DoesNotExist": value is None}.get(text(condition.get("operator")) or "", True)


#: What each node has, whatever a manifest of it leaves out.
_EVERYWHERE = frozenset(("cpu", "memory", "ephemeral-storage", "pods"))
#: How many GPUs are all that a node has: no node that is sold by the dozen has more.
WHOLE_NODE = 8
_ONE = 10**9


class Pod(Record):
    """What one pod of a task asks of a node, and the room that `nodes` have for such pods."""

    task: TaskView
    nodes: dict[str, Mapping]

    @kept
    def rooms(self) -> dict[str, int]:
        """Name of a node -> how many such pods it takes if it is empty."""
        return {name: self._room(node) for name, node in self.nodes.items()}

    @kept
    def asks(self) -> dict[str, int]:
        return asks(self.task)

    @property
    def takes_node(self) -> bool:
        """Whether no second pod like this goes onto the same node."""
        return any(name.endswith("/gpu") and asked >= WHOLE_NODE * _ONE for name, asked in self.asks.items())

    def _room(self, node: Mapping) -> int:
        if not self._may_run_on(find(node, "metadata", "labels")):
            return 0
        has = find(node, "status", "allocatable")
        counts = [nano(find(has, name)) // asked for name, asked in self.asks.items()
                  if asked > 0 and (name not in _EVERYWHERE or find(has, name) is not None)]
        return min(counts, default=self.task.replicas)

    def _may_run_on(self, labels: Node | None) -> bool:
        wanted = find(self.task.pod, "nodeSelector")
        if isinstance(wanted, Mapping) and any(text(entry.value) != text(find(labels, key)) for key, entry in wanted.entries.items()):
            return False
        affinity = find(self.task.pod, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
        terms = mappings(find(affinity, "nodeSelectorTerms"))
        return not terms or any(selects(term, labels) for term in terms)


def asks(task: TaskView) -> dict[str, int]:
    """What a pod's containers ask for, resource -> amount in billionths; a limit counts where there is no request."""
    total = {"pods": _ONE}
    for container in mappings(find(task.pod, "containers")):
        limits, requests = (find(container, "resources", part) for part in ("limits", "requests"))
        names = {name for part in (limits, requests) if isinstance(part, Mapping) for name in part.entries}
        for name in names:
            total[name] = total.get(name, 0) + nano(find(requests, name) or find(limits, name))
    return total


def nano(node: Node | None) -> int:
    """An amount in billionths; what is none is nothing."""
    quantity = amount(node)
    return quantity.nano if quantity is not None else 0
