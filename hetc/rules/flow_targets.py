"""The flows of a JobFlow wait for flows of the same JobFlow, and none for itself in the end.

Of two flows of one name Volcano sees the last: a warning. Source: Volcano's webhook `/jobflows/validate`; where that is off, as in
the default installation, the flow is admitted and its jobs never come.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.graph import cycles
from hetc.manifest import documents_of, mappings, sequence, text
from hetc.names import nearest, shorten, way
from hetc.rule import ManifestRule
from hetc.tree import Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Mapping


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for document in documents_of(manifest.documents, "JobFlow"):
        flows = mappings(find(document, "spec", "flows"))
        yield from _names(flows)
        yield from _targets(flows)


def _names(flows: list[Mapping]) -> Iterator[Finding]:
    seen: dict[str, Mapping] = {}
    for flow in flows:
        name, node = text(flow.get("name")), flow.get("name")
        if node is not None and name and seen.setdefault(name, flow) is not flow:
            yield Finding(f"two flows are called `{shorten(name)}`, and Volcano sees the last only", node.origin.span,
                          "make a JobTemplate of another name for it", (Label(seen[name].origin.span, "the other one"),), WARNING)


def _targets(flows: list[Mapping]) -> Iterator[Finding]:
    edges: dict[str, dict[str, Scalar]] = {name: {} for flow in flows if (name := text(flow.get("name")))}
    for flow in flows:
        name = text(flow.get("name")) or ""
        for node in sequence(find(flow, "dependsOn", "targets")):
            target = text(node)
            if not isinstance(node, Scalar) or target is None:
                continue
            if target not in edges:
                close = nearest(target, edges, name)
                yield Finding(f"flow `{shorten(name)}` waits for `{shorten(target)}`, and there is no such flow", node.origin.span,
                              f"did you mean `{close}`?" if close else "name a flow of this JobFlow")
            elif target == name:
                yield Finding(f"flow `{shorten(name)}` waits for itself", node.origin.span, "take it out of what it waits for")
            elif name in edges:
                edges[name].setdefault(target, node)
    for cycle in cycles({name: list(targets) for name, targets in edges.items()}):
        places = [edges[waiting][awaited] for waiting, awaited in zip(cycle, [*cycle[1:], cycle[0]])]
        yield Finding(f"the flows wait for each other in a cycle: {way(cycle)}", places[0].origin.span,
                      "take one of these dependencies out",
                      tuple(Label(node.origin.span, f"waits for `{shorten(node.text)}`") for node in places[1:9]))


RULE = ManifestRule(Code("HET529", "flow-targets", ERROR, "flows that wait for no flow, or for each other in a cycle"), check)
