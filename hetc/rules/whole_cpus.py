"""A NUMA policy hands out whole cores, so Volcano's webhook wants a whole cpu request of every container, init containers too.

A container's requests are its limits only where it has no requests at all: one for memory alone leaves none for cpu.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import tasks, text
from hetc.names import shorten
from hetc.quantity import Quantity, QuantityError, parse
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest
    from hetc.site import Site

_CORE = 10**9


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        policy = task.node.get("topologyPolicy")
        if policy is not None and text(policy) not in (None, "", "none"):
            for container in task.containers():
                yield from _container(container, shorten(text(policy) or ""), Label(policy.origin.span, "the policy"))


def _container(container: Container, policy: str, label: Label) -> Iterator[Finding]:
    shown = f"container `{shorten(container.name)}`"
    requests, limits = (find(container.node, "resources", key) for key in ("requests", "limits"))
    asked = requests if isinstance(requests, Mapping) and requests.entries else limits
    cpu = find(asked, "cpu")
    if not isinstance(cpu, Scalar) or cpu.value is None:
        why = ", since it has other requests" if asked is requests and find(limits, "cpu") is not None else ""
        yield Finding(f"{shown} requests no cpu{why}, and topology policy `{policy}` wants whole ones", container.node.origin.span,
                      "add `cpu` to its `requests`, a whole number", (label,))
        return
    amount = _amount(cpu)
    if amount is not None and (amount.nano <= 0 or amount.nano % _CORE):
        yield Finding(f"{shown} requests `{shorten(cpu.text)}` of cpu, and topology policy `{policy}` wants whole ones", cpu.origin.span,
                      f"write `{max(amount.value(), 1)}`", (label,))


def _amount(cpu: Scalar) -> Quantity | None:
    """None for what is no amount, which another rule refuses."""
    try:
        return parse(cpu.text)
    except QuantityError:
        return None


RULE = ManifestRule(Code("HET511", "whole-cpus", ERROR, "a NUMA policy for containers without whole cpus"), check)
