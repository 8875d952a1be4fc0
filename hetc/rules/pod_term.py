"""The terms that place pods beside others or spread them: within which label of nodes, among which pods, and by name of a node.

Source: Kubernetes' core validation of affinities and topologySpreadConstraints, which Volcano's webhook calls for the pod template.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import mappings, present, sequence, tasks, text
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node, Scalar

LISTS = ("matchLabelKeys", "mismatchLabelKeys")
NODE_NAME = "metadata.name"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        for term in _terms(task):
            yield from _topology_key(term)
            yield from _keys(term)
            for namespace in sequence(term.get("namespaces")):
                yield from _wrong(namespace, "namespace", names.dns1123_label(text(namespace) or ""))
        for constraint in mappings(find(task.pod, "topologySpreadConstraints")):
            node = constraint.get("minDomains")
            if node is not None and present(constraint, "minDomains") and text(constraint.get("whenUnsatisfiable")) == "ScheduleAnyway":
                yield Finding("`minDomains` counts only where pods are not placed otherwise", constraint.key_span("minDomains"),
                              "leave it out, or write `whenUnsatisfiable: DoNotSchedule`")
        for node in walk(find(task.pod, "affinity", "nodeAffinity") or Mapping({}, task.node.origin)):
            for condition in mappings(find(node, "matchFields")):
                yield from _field(condition)


def _terms(task: TaskView) -> Iterator[Mapping]:
    """Terms about pods, each a mapping with a `topologyKey`."""
    for kind in ("podAffinity", "podAntiAffinity"):
        for node in walk(find(task.pod, "affinity", kind) or Mapping({}, task.node.origin)):
            if isinstance(node, Mapping) and "topologyKey" in node.entries:
                yield node
    yield from mappings(find(task.pod, "topologySpreadConstraints"))


def _topology_key(term: Mapping) -> Iterator[Finding]:
    node = term.get("topologyKey")
    if node is None or text(node) is None:
        return
    if not text(node) and "labelSelector" not in term.entries:
        yield Finding("the term has no `topologyKey`", node.origin.span, "write `kubernetes.io/hostname`, for example")
    elif text(node):
        yield from _wrong(node, "topology key", names.label_key(text(node) or ""))


def _keys(term: Mapping) -> Iterator[Finding]:
    """Keys whose values in the pod's own labels narrow the selector."""
    seen: dict[str, Scalar | Node] = _selected(term.get("labelSelector")) if present(term, "whenUnsatisfiable") else {}
    for name in LISTS:
        keys = sequence(term.get(name))
        if keys and not present(term, "labelSelector"):
            yield Finding(f"`{name}` stands without a `labelSelector`", term.key_span(name), "add `labelSelector: {}`")
        for key in keys:
            written = text(key)
            if written is None:
                continue
            yield from _wrong(key, "label key", names.label_key(written))
            if written in seen:
                yield Finding(f"label `{names.shorten(written)}` is matched twice", key.origin.span, "keep one of the two",
                              (Label(seen[written].origin.span, "the other one"),))
            seen.setdefault(written, key)


def _selected(selector: Node | None) -> dict[str, Scalar | Node]:
    labels = find(selector, "matchLabels")
    found: dict[str, Scalar | Node] = {name: entry.key for name, entry in labels.entries.items()} if isinstance(labels, Mapping) else {}
    for condition in mappings(find(selector, "matchExpressions")):
        key = condition.get("key")
        if key is not None and text(key):
            found.setdefault(text(key) or "", key)
    return found


def _field(condition: Mapping) -> Iterator[Finding]:
    """A condition on a node itself: its one name."""
    key, operator, values = condition.get("key"), condition.get("operator"), sequence(condition.get("values"))
    if key is not None and text(key) is not None and text(key) != NODE_NAME:
        yield Finding(f"`{names.shorten(text(key) or '')}` is no field to find a node by", key.origin.span, f"write `{NODE_NAME}`")
        return
    if operator is not None and text(operator) in ("Exists", "DoesNotExist", "Gt", "Lt"):
        yield Finding(f"operator `{text(operator)}` does not compare with the name of a node", operator.origin.span,
                      "write `In` or `NotIn`")
    elif len(values) > 1:
        yield Finding("a node has one name, and several are given", condition.key_span("values"), "make a term of each")
    for value in values:
        yield from _wrong(value, "node name", names.dns1123_subdomain(text(value) or ""))


def _wrong(node: Node, what: str, wrong: str | None) -> Iterator[Finding]:
    if wrong is not None and text(node) is not None:
        yield Finding(f"no legal {what}: {wrong}", node.origin.span)


RULE = ManifestRule(Code("HET583", "pod-term", ERROR, "a term that places pods, and that Kubernetes refuses"), check)
