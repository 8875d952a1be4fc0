"""A Queue's parent is another queue, at most four above it, and bounds what its children have.

A child's capability is at most that of the nearest queue above that has one for the resource; what the children of one parent are
guaranteed, and what they deserve, is in sum at most the parent's. Queues that are given, in the same run or as the cluster's, are
looked at as far as a queue here bounds them or is bounded by them; a parent that is not among them may be in the cluster: a
warning. `root` is there always, and its amounts are Volcano's. Source: Volcano's webhook `/queues/validate`.
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
    from hetc.tree import Node

ROOT, DEFAULT = "root", "default"
#: Levels below the root that Volcano allows where its flag says nothing.
DEEPEST = 5
#: More levels than these are not looked at.
MOST = 50
PARTS = {"deserved": ("spec", "deserved"), "guarantee": ("spec", "guarantee", "resource")}


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    known = manifest.objects("Queue")
    parents = parents_of(known)
    children: dict[str, list[Mapping]] = {}
    for name, parent in parents.items():
        if name != parent:
            children.setdefault(parent, []).append(known[name])
    here, busy = {id(queue) for queue in manifest.documents}, _busy(manifest)
    for queue in documents_of(manifest.documents, "Queue"):
        name, node = text(find(queue, "metadata", "name")) or "", find(queue, "spec", "parent")
        if name == ROOT:
            yield from _root(queue)
        elif isinstance(node, Scalar) and name in parents:
            yield from _parent(name, node, known, parents)
            yield from _becomes_parent(node, parents[name], busy)
    for name in parents:
        yield from _capability(name, known, parents, here)
    for name, below in children.items():
        if name in known:
            yield from _sums(known[name], below, here)


def _root(queue: Mapping) -> Iterator[Finding]:
    spec = queue.get("spec")
    for key in ("capability", "deserved", "guarantee"):
        if isinstance(spec, Mapping) and isinstance(spec.get(key), Mapping):
            yield Finding(f"`{key}` of the queue `root` is Volcano's, which refuses to change it", spec.key_span(key), "leave it out",
                          level=WARNING)


def _parent(name: str, node: Scalar, known: dict[str, Mapping], parents: dict[str, str]) -> Iterator[Finding]:
    parent, span = parents[name], node.origin.span
    upper = ancestors(name, parents)
    if parent == name:
        yield Finding(f"queue `{shorten(name)}` is its own parent", span, "name another queue, such as `root`")
    elif upper[-1] == name:
        yield Finding(f"the queues are each other's parents in a cycle: {way([name, *upper[:-1]])}", span,
                      "let one of them be a child of `root`")
    elif len(upper) >= DEEPEST:
        yield Finding(f"queue `{shorten(name)}` lies {len(upper) + 1} levels deep, and Volcano allows {DEEPEST}", span,
                      "choose a parent further up")
    elif parent not in known and parent != DEFAULT:
        close = nearest(parent, known, name)
        yield Finding(f"parent `{shorten(parent)}` is none of the queues given here", span,
                      f"did you mean `{close}`?" if close else "check that it is in the cluster, or give it here too", level=WARNING)
    elif (place := _behind(parent, node, known)) is not None:
        yield Finding(f"parent `{shorten(parent)}` is given behind its child, which is refused as long as it is not there", span,
                      "move the parent before it", (Label(place, "the parent"),), WARNING)


def _busy(manifest: Manifest) -> dict[str, Scalar]:
    """Queue -> its pods, of those in the cluster that have pods and no queues below them."""
    queues = list(documents_of(manifest.given.documents, "Queue"))
    parents = {text(find(queue, "spec", "parent")) for queue in queues}
    pods = {text(find(queue, "metadata", "name")) or "": find(queue, "status", "allocated", "pods") for queue in queues}
    return {name: node for name, node in pods.items() if name not in parents and isinstance(node, Scalar) and node.text != "0"}


def _becomes_parent(node: Scalar, parent: str, busy: dict[str, Scalar]) -> Iterator[Finding]:
    pods = busy.get(parent)
    if pods is not None:
        yield Finding(f"parent `{shorten(parent)}` has `{shorten(pods.text)}` pods, and may have none when its first child comes",
                      node.origin.span, "choose another parent, or wait until they have ended", (Label(pods.origin.span, "its pods"),),
                      WARNING)


def _behind(parent: str, node: Scalar, known: dict[str, Mapping]) -> Span | None:
    """Where the parent stands, if that is further down in the same file."""
    span = known[parent].origin.span if parent in known else node.origin.span
    return span if span.source is node.origin.span.source and span.start > node.origin.span.start else None


def parents_of(known: dict[str, Mapping]) -> dict[str, str]:
    """Queue -> its parent, of those that are not right below `root`."""
    return {name: parent for name, queue in known.items() if (parent := text(find(queue, "spec", "parent")) or "") not in ("", ROOT)}


def ancestors(name: str, parents: dict[str, str]) -> list[str]:
    """The queues above one, the nearest first, without `root`; one that was there already ends the list, and so do MOST."""
    found: list[str] = []
    while name in parents and parents[name] not in found and len(found) < MOST:
        name = parents[name]
        found.append(name)
    return found


def _capability(name: str, known: dict[str, Mapping], parents: dict[str, str], here: set[int]) -> Iterator[Finding]:
    """A queue's capability beside the nearest one above, resource by resource, where one of both queues stands here."""
    own = amounts(find(known[name], "spec", "capability"))
    bounds: dict[str, tuple[Amount, bool]] = {}
    for each in ancestors(name, parents) if own else ():
        for resource, amount in amounts(find(known.get(each), "spec", "capability")).items():
            if each != name and amount.quantity.nano > 0:
                bounds.setdefault(resource, (amount, id(known[each]) in here))
    for resource, amount in own.items():
        bound, is_bound_here = bounds.get(resource, (amount, False))
        if amount.quantity <= bound.quantity:
            continue
        most, least = shorten(bound.node.text), shorten(amount.node.text)
        said = f"capability `{least}` of `{shorten(resource)}` is above that of a queue above it, `{most}`"
        if id(known[name]) in here:
            yield Finding(said, amount.node.origin.span, f"write at most `{most}`", (Label(bound.node.origin.span, "the queue above"),))
        elif is_bound_here:
            yield Finding(said, bound.node.origin.span, f"write at least `{least}`", (Label(amount.node.origin.span, "the queue below"),))


def _sums(queue: Mapping, children: list[Mapping], here: set[int]) -> Iterator[Finding]:
    """What the children are guaranteed and deserve in sum, beside what the queue does. Those of `root` are not listed."""
    named = find(queue, "metadata", "name") or queue
    for part, path in PARTS.items():
        bounds = amounts(find(queue, *path))
        for resource, below in _by_resource(children, path).items():
            bound = bounds.get(resource)
            total = Quantity(sum(amount.quantity.nano for _, amount in below), below[0][1].quantity.format)
            if total.nano > (bound.quantity.nano if bound is not None else 0):
                has, above = (f"`{shorten(bound.node.text)}`", bound.node) if bound is not None else ("none", named)
                place, related = _places(queue, above, below, here)
                if place is not None:
                    yield Finding(f"the queues below `{shorten(text(named) or '')}` have `{total.canonical()}` of `{shorten(resource)}` "
                                  f"in their `{part}`, and it has {has}", place,
                                  f"give it at least `{total.canonical()}`, or the queues below less", related)


def _by_resource(queues: list[Mapping], path: tuple[str, ...]) -> dict[str, list[tuple[Mapping, Amount]]]:
    """Resource -> the queues that have an amount of it at a path, with the amount."""
    found: dict[str, list[tuple[Mapping, Amount]]] = {}
    for queue in queues:
        for resource, amount in amounts(find(queue, *path)).items():
            found.setdefault(resource, []).append((queue, amount))
    return found


def _places(queue: Mapping, above: Node, below: list[tuple[Mapping, Amount]], here: set[int]) -> tuple[Span | None, tuple[Label, ...]]:
    """Where to report a sum: at the queue above if that stands here, else at the last one below that does; and the other places."""
    spans = [amount.node.origin.span for _, amount in below]
    labels = [Label(span, "a queue below") for span in spans]
    if id(queue) in here:
        return above.origin.span, tuple(labels[:8])
    own = [index for index, (child, _) in enumerate(below) if id(child) in here]
    if not own:
        return None, ()
    return spans[own[-1]], (Label(above.origin.span, "the queue above"), *labels[:own[-1]], *labels[own[-1] + 1:])[:8]


RULE = ManifestRule(Code("HET527", "queue-parent", ERROR, "a parent that a queue cannot have, or that does not hold its children"), check)
