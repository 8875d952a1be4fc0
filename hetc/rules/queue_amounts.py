"""A Queue's amounts: what it is guaranteed is at most what it deserves, and that is at most its capability.

Volcano's webhook takes each resource by itself. A guarantee needs its resource among the deserved ones; where a capability leaves
a resource out, it does not bound it.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import documents_of
from hetc.names import shorten
from hetc.quantity import MAX, Quantity, QuantityError, parse
from hetc.record import Record
from hetc.rule import ManifestRule
from hetc.rules.resource_amounts import is_extended
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Node

_ONE = 10**9


class Amount(Record):
    """An amount of one resource: its key, its value as written, and as Kubernetes reads it."""

    key: Scalar
    node: Scalar
    quantity: Quantity


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for queue in documents_of(manifest.documents, "Queue"):
        parts = [find(queue, "spec", "capability"), find(queue, "spec", "deserved"), find(queue, "spec", "guarantee", "resource")]
        for part in parts:
            yield from _sound(part)
        capability, deserved, guarantee = (amounts(part) for part in parts)
        yield from _at_most(guarantee, deserved, "is guaranteed", "deserved", needed=True)
        yield from _at_most(deserved, capability, "is deserved", "in the capability", needed=False)


def amounts(node: Node | None) -> dict[str, Amount]:
    """Resource -> amount; those that are none are left out."""
    found = {}
    for name, entry in node.entries.items() if isinstance(node, Mapping) else ():
        if isinstance(entry.value, Scalar) and entry.value.value is not None and not isinstance(entry.value.value, bool):
            try:
                found[name] = Amount(entry.key, entry.value, parse(entry.value.text))
            except QuantityError:
                continue
    return found


def _sound(node: Node | None) -> Iterator[Finding]:
    """Amounts that no queue can have, whatever the others are."""
    for name, entry in node.entries.items() if isinstance(node, Mapping) else ():
        value, shown = entry.value, f"`{shorten(name)}`"
        if not isinstance(value, Scalar) or value.value is None or isinstance(value.value, bool):
            continue
        try:
            quantity = parse(value.text)
        except QuantityError as error:
            yield Finding(f"{shown}: {error.args[0]}", value.origin.span, error.help)
            continue
        if isinstance(value.value, float) and not value.value.is_integer():
            yield Finding(f"{shown} is `{shorten(value.text)}`, and Kubernetes takes whole numbers and strings", value.origin.span,
                          f"write `{quantity.canonical()}`")
        elif quantity.nano < 0:
            yield Finding(f"{shown} is `{shorten(value.text)}`, below zero", value.origin.span, "write an amount from zero on")
        elif not is_extended(name):
            continue
        elif quantity.milli() > MAX:
            yield Finding(f"{shown} is `{shorten(value.text)}`, more than Kubernetes can count", value.origin.span,
                          "write a smaller amount")
        elif quantity.nano % _ONE:
            yield Finding(f"{shown} is `{shorten(value.text)}`, and must be a whole number", value.origin.span,
                          f"write `{quantity.value()}`")


def _at_most(lower: dict[str, Amount], upper: dict[str, Amount], of_lower: str, of_upper: str, needed: bool) -> Iterator[Finding]:
    """Each amount of `lower` beside its bound; `needed`: without one the bound is zero."""
    for name, amount in lower.items():
        bound, shown = upper.get(name), f"`{shorten(amount.node.text)}` of `{shorten(name)}` {of_lower}"
        if bound is not None and amount.quantity > bound.quantity:
            yield Finding(f"{shown}, and `{shorten(bound.node.text)}` is {of_upper}", amount.node.origin.span,
                          f"write at most `{shorten(bound.node.text)}`, or raise the other", (Label(bound.node.origin.span, "the other"),))
        elif bound is None and needed:
            yield Finding(f"{shown}, and none is {of_upper}", amount.key.origin.span, f"add `{shorten(name)}` to `{of_upper}`")


RULE = ManifestRule(Code("HET525", "queue-amounts", ERROR, "amounts of a Queue that cannot be, or not together"), check)
