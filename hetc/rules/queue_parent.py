"""A Queue's parent is another queue, at most four above it, and bounds what its children have.

A child's capability is at most that of the nearest queue above that has one for the resource; what the children of one parent are
guaranteed, and what they deserve, is in sum at most the parent's. Only Queues given in the same run can be looked at; where some
are given, a parent that is not among them may be in the cluster: a warning. `root` is there always, and its amounts are Volcano's.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import documents_of, text
from hetc.names import nearest, shorten, way
from hetc.quantity import Quantity
from hetc.rule import ManifestRule
from hetc.rules.queue_amounts import amounts
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.rules.queue_amounts import Amount
    from hetc.site import Site
    from hetc.source import Span

ROOT, DEFAULT = "root", "default"
#: Levels below the root that Volcano allows where its flag says nothing.
DEEPEST = 5
#: More levels than these are not looked at.
MOST = 50
PARTS = {"deserved": ("spec", "deserved"), "guarantee": ("spec", "guarantee", "resource")}


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    known = {name: queue for queue in documents_of((*manifest.queues, *manifest.documents), "Queue")
             if (name := text(find(queue, "metadata", "name")))}
    parents = {name: parent for name, queue in known.items() if (parent := text(find(queue, "spec", "parent")) or "") not in ("", ROOT)}
    children: dict[str, list[Mapping]] = {}
    for name, parent in parents.items():
        if name != parent:
            children.setdefault(parent, []).append(known[name])
    for queue in documents_of(manifest.documents, "Queue"):
        name, node = text(find(queue, "metadata", "name")) or "", find(queue, "spec", "parent")
        if name == ROOT:
            yield from _root(queue)
        elif isinstance(node, Scalar) and name in parents:
            yield from _parent(name, node, known, parents)
            yield from _capability(name, queue, known, parents)
        yield from _sums(name, queue, children.get(name, []))


def _root(queue: Mapping) -> Iterator[Finding]:
    spec = queue.get("spec")
    for key in ("capability", "deserved", "guarantee"):
        if isinstance(spec, Mapping) and isinstance(spec.get(key), Mapping):
            yield Finding(f"`{key}` of the queue `root` is Volcano's, which refuses to change it", spec.key_span(key), "leave it out",
                          level=WARNING)


def _parent(name: str, node: Scalar, known: dict[str, Mapping], parents: dict[str, str]) -> Iterator[Finding]:
    parent, span = parents[name], node.origin.span
    above = _above(name, parents)
    if parent == name:
        yield Finding(f"queue `{shorten(name)}` is its own parent", span, "name another queue, such as `root`")
    elif above[-1] == name:
        yield Finding(f"the queues are each other's parents in a cycle: {way([name, *above[:-1]])}", span,
                      "let one of them be a child of `root`")
    elif len(above) >= DEEPEST:
        yield Finding(f"queue `{shorten(name)}` lies {len(above) + 1} levels deep, and Volcano allows {DEEPEST}", span,
                      "choose a parent further up")
    elif parent not in known and parent != DEFAULT:
        close = nearest(parent, known, name)
        yield Finding(f"parent `{shorten(parent)}` is none of the queues given here", span,
                      f"did you mean `{close}`?" if close else "check that it is in the cluster, or give it here too", level=WARNING)
    elif (place := _behind(parent, node, known)) is not None:
        yield Finding(f"parent `{shorten(parent)}` is given behind its child, which is refused as long as it is not there", span,
                      "move the parent before it", (Label(place, "the parent"),), WARNING)


def _behind(parent: str, node: Scalar, known: dict[str, Mapping]) -> Span | None:
    """Where the parent stands, if that is further down in the same file."""
    span = known[parent].origin.span if parent in known else node.origin.span
    return span if span.source is node.origin.span.source and span.start > node.origin.span.start else None


def _above(name: str, parents: dict[str, str]) -> list[str]:
    """The queues above one, the nearest first, without `root`; one that was there already ends the list, and so do MOST."""
    above: list[str] = []
    while name in parents and parents[name] not in above and len(above) < MOST:
        name = parents[name]
        above.append(name)
    return above


def _capability(name: str, queue: Mapping, known: dict[str, Mapping], parents: dict[str, str]) -> Iterator[Finding]:
    """The queue's capability beside the nearest one above, resource by resource."""
    bounds: dict[str, Amount] = {}
    for each in _above(name, parents):
        for resource, amount in amounts(find(known.get(each), "spec", "capability")).items():
            if each != name and amount.quantity.nano > 0:
                bounds.setdefault(resource, amount)
    for resource, amount in amounts(find(queue, "spec", "capability")).items():
        bound = bounds.get(resource)
        if bound is not None and amount.quantity > bound.quantity:
            yield Finding(f"capability `{shorten(amount.node.text)}` of `{shorten(resource)}` is above that of a queue above it, "
                          f"`{shorten(bound.node.text)}`", amount.node.origin.span, f"write at most `{shorten(bound.node.text)}`",
                          (Label(bound.node.origin.span, "the queue above"),))


def _sums(name: str, queue: Mapping, children: list[Mapping]) -> Iterator[Finding]:
    """What the children are guaranteed and deserve in sum, beside what the queue does. Those of `root` are not listed."""
    for part, path in PARTS.items():
        own = amounts(find(queue, *path))
        totals: dict[str, list[Amount]] = {}
        for child in children:
            for resource, amount in amounts(find(child, *path)).items():
                totals.setdefault(resource, []).append(amount)
        for resource, each in totals.items():
            total = Quantity(sum(amount.quantity.nano for amount in each), each[0].quantity.format)
            bound = own.get(resource)
            if total.nano > (bound.quantity.nano if bound is not None else 0):
                yield Finding(f"the queues below `{shorten(name)}` have `{total.canonical()}` of `{shorten(resource)}` in their `{part}`, "
                              f"and it has {f'`{shorten(bound.node.text)}`' if bound is not None else 'none'}",
                              (bound.node if bound is not None else find(queue, 'metadata', 'name') or queue).origin.span,
                              f"give it at least `{total.canonical()}`, or the queues below less",
                              tuple(Label(amount.node.origin.span, "a queue below") for amount in each[:8]))


RULE = ManifestRule(Code("HET527", "queue-parent", ERROR, "a parent that a queue cannot have, or that does not hold its children"), check)
