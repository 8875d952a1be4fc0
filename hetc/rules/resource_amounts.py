"""Resources that the API server refuses, or that mean another amount than they seem to.

Kubernetes keeps amounts in 64 bits; other resources than its own are whole numbers whose request equals the limit.
Source: Kubernetes' validation of containers, which Volcano's webhook calls.
"""
from __future__ import annotations

import re
from functools import lru_cache

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.lazy import SHORT
from hetc.manifest import amount as quantity_of
from hetc.manifest import containers, tasks, text
from hetc.names import label_key, nearest, shorten
from hetc.quantity import MAX, Quantity, QuantityError, parse
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site

_OWN = ("cpu", "memory", "ephemeral-storage")
_ALIASES = {"mem": "memory", "ram": "memory", "cpus": "cpu", "cores": "cpu", "gpu": "nvidia.com/gpu", "gpus": "nvidia.com/gpu",
            "rdma": "rdma/hca", "storage": "ephemeral-storage", "disk": "ephemeral-storage"}
_AS = "as its device plugin calls it"
_HUGE = "hugepages-"
#: A capital E that is not the binary suffix `Ei`.
_EXA = re.compile("E(?!i)")
_NANO = 10**9
_MILLI = 10**6


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for container in containers(manifest):
        limits, requests = _parts(container.node)
        if limits or requests:
            either = {**requests, **limits}
            for name, (key, _) in either.items():
                if name not in _OWN:
                    yield from _name(name, key)
            yield from _each(limits, "limits")
            yield from _each(requests, "requests")
            yield from _pairs(limits, requests)
            yield from _huge_pages(either)
    for task in tasks(manifest):
        if task.pod is not None and not task.pod.entries.keys().isdisjoint(("overhead", "resources")):
            yield from _of_pod(task, task.pod)


def _parts(node: Mapping) -> tuple[dict[str, tuple[Scalar, Scalar]], dict[str, tuple[Scalar, Scalar]]]:
    """The limits and the requests of a container or pod."""
    resources = node.get("resources")
    return _amounts(find(resources, "limits")), _amounts(find(resources, "requests"))


def _amounts(node: object) -> dict[str, tuple[Scalar, Scalar]]:
    """Resource -> key and amount. A null is dropped by the server, and what is no scalar is the schema's to refuse."""
    if not isinstance(node, Mapping):
        return {}
    return {name: (entry.key, entry.value) for name, entry in node.entries.items()
            if isinstance(entry.value, Scalar) and entry.value.value is not None}


def is_extended(name: str) -> bool:
    """A resource of a device plugin; `kubernetes.io/…` is Kubernetes' own and may be overcommitted."""
    return "/" in name and "kubernetes.io/" not in name


def _name(name: str, key: Scalar) -> Iterator[Finding]:
    if name in _OWN or (name.startswith(_HUGE) and len(name) > len(_HUGE)):
        return
    if "/" not in name:
        close = _ALIASES.get(name.lower()) or nearest(name, _OWN)
        yield Finding(f"`{shorten(name)}` is no resource", key.origin.span, f"write `{close}`" if close else f"write `DOMAIN/NAME`, {_AS}")
        return
    wrong = label_key(name) or (label_key(f"requests.{name}") if is_extended(name) else None)
    if wrong is None and name.startswith("requests."):
        wrong = f"`{shorten(name)}` starts with `requests.`"
    if wrong is not None:
        yield Finding(f"the resource's name is not `DOMAIN/NAME`: {wrong}", key.origin.span, f"write it {_AS}")


def _each(amounts: dict[str, tuple[Scalar, Scalar]], part: str) -> Iterator[Finding]:
    """Each amount by itself."""
    for name, (_, value) in amounts.items():
        judge = _known if len(name) + len(value.text) <= SHORT else _fault
        fault = judge(name, value.value, value.text, part)
        if fault is not None:
            message, help, level = fault
            yield Finding(message, value.origin.span, help, level=level)


def _fault(name: str, value: str | int | float | bool | None, text: str, part: str) -> tuple[str, str | None, str | None] | None:
    """What is wrong with an amount that is spelt as `text`, what to do, and how grave it is (None: as the rule)."""
    shown, written = f"`{shorten(name)}`", shorten(text)
    if isinstance(value, (bool, float)):
        return f"{shown} is `{written}`, and Kubernetes takes whole numbers and strings", _as_string(name, text), None
    try:
        quantity = parse(str(value))
    except QuantityError as error:
        return f"{shown}: {error.args[0]}", error.help, None
    if quantity.nano < 0:
        return f"{shown} is `{written}`, below zero", "write an amount from zero on", None
    if (quantity.milli() if name == "cpu" or is_extended(name) else quantity.value()) > MAX:
        return f"{shown} is `{written}`, more than Kubernetes can count", "write a smaller amount", None
    if is_extended(name):
        return _no_count(shown, written, quantity, value)
    if name == "cpu" and quantity.nano % _MILLI:
        return f"{shown} is `{written}`, finer than a thousandth of a core", f"write `{quantity.milli()}m`", WARNING
    if name.startswith(_HUGE) and not _is_pages(name, quantity):
        return (f"{shown} is `{written}`, which is no multiple of a page of `{shorten(name.removeprefix(_HUGE))}`",
                "write a whole number of pages, for example `2Gi` of `hugepages-2Mi`", None)
    if (name in _OWN[1:] or name.startswith(_HUGE)) and quantity.nano % _NANO:
        help = f"write `{written[:-1]}Mi`" if written.endswith("m") else f"write `{quantity.value()}`"
        return f"{shown} is `{written}`, which is no whole number of bytes", help, None
    if _EXA.search(str(value)):
        return (f"{shown} is `{written}`, which is {_exact(quantity)}: `E` is exa at the end, and an exponent before digits",
                f"write `{_exact(quantity)}`, or another unit", WARNING)
    if quantity.nano == 0 and part == "limits":
        return f"the limit of {shown} is zero, which limits nothing", "leave it out, or write an amount above zero", WARNING
    return None


#: The same, remembered: few amounts are written again and again.
_known = lru_cache(1024, typed=True)(_fault)


def _exact(quantity: Quantity) -> str:
    """The amount without a letter, or in thousandths."""
    return f"{quantity.milli()}m" if quantity.nano % _NANO else str(quantity.value())


def _is_pages(name: str, quantity: Quantity) -> bool:
    """Whether an amount of huge pages, a size in the resource's name, is a whole number of them; without a size none is meant."""
    if name == _HUGE:
        return True
    try:
        page = parse(name.removeprefix(_HUGE))
    except QuantityError:
        return False
    return page.nano > 0 and not page.nano % _NANO and not quantity.value() % page.value()


def _as_string(name: str, text: str) -> str:
    try:
        amount = parse(text)
    except QuantityError:
        return "write an amount"
    if is_extended(name):
        return f"write `{amount.value()}`"
    return f"write `{amount.canonical()}`" if name == "cpu" else "write the unit, for example `64Gi`"


def _no_count(shown: str, written: str, quantity: Quantity, value: str | int | None) -> tuple[str, str, str | None] | None:
    """An extended resource: a whole number, and read easily only without a suffix."""
    if quantity.nano % _NANO:
        return f"{shown} is `{written}`, and must be a whole number", f"write `{quantity.value()}`", None
    if isinstance(value, str) and value[-1].isalpha() and quantity.nano and written != f"{quantity.milli()}m":
        return f"{shown} is `{written}`, which is {quantity.value()}", f"write `{quantity.value()}`", WARNING
    return None


def _pairs(limits: dict[str, tuple[Scalar, Scalar]], requests: dict[str, tuple[Scalar, Scalar]]) -> Iterator[Finding]:
    """Each request beside its limit."""
    for name, (_, value) in requests.items():
        limit = limits[name][1] if name in limits else None
        if limit is not None and value.value == limit.value:
            continue
        strict = is_extended(name) or name.startswith(_HUGE)
        shown, asked, span = f"`{shorten(name)}`", f"`{shorten(value.text)}`", value.origin.span
        if limit is None:
            if strict:
                yield Finding(f"{shown} has a request and no limit", span, f"add the same amount, {asked}, to `limits`")
            continue
        request, most = quantity_of(value), quantity_of(limit)
        if request is None or most is None or request == most:
            continue
        bound, related = f"`{shorten(limit.text)}`", (Label(limit.origin.span, "the limit"),)
        if strict:
            yield Finding(f"the request {asked} of {shown} is not equal to its limit {bound}", span, f"write {bound} in both", related)
        elif request > most:
            yield Finding(f"the request {asked} of {shown} is above its limit {bound}", span, f"write at most {bound}, or raise the limit",
                          related)


def _huge_pages(amounts: dict[str, tuple[Scalar, Scalar]]) -> Iterator[Finding]:
    if "cpu" not in amounts and "memory" not in amounts:
        for name, (key, _) in amounts.items():
            if name.startswith(_HUGE):
                yield Finding(f"`{shorten(name)}` stands without cpu and memory", key.origin.span, "add `cpu` or `memory` beside it")


def _of_pod(task: TaskView, pod: Mapping) -> Iterator[Finding]:
    """The resources of a whole pod beside those of its containers, and what it costs to run it."""
    overhead, (limits, requests) = _amounts(pod.get("overhead")), _parts(pod)
    for name, (key, _) in overhead.items():
        yield from _name(name, key)
    yield from _each(overhead, "overhead")
    for part, amounts in (("limits", limits), ("requests", requests)):
        alien = [name for name in amounts if name not in ("cpu", "memory") and not name.startswith(_HUGE)]
        for name in alien:
            yield Finding(f"`{shorten(name)}` is no resource of a whole pod", amounts[name][0].origin.span, "give it to a container")
        yield from _each({name: each for name, each in amounts.items() if name not in alien}, part)
    yield from _pairs(limits, requests)
    yield from _huge_pages({**requests, **limits})
    for name in {**requests, **limits}:
        total, place = _total(task, name), requests.get(name, limits.get(name))
        most = quantity_of(place[1]) if place is not None else None
        if place is not None and most is not None and total > most:
            yield Finding(f"the containers request `{total.canonical()}` of `{shorten(name)}` in all, and their pod has "
                          f"`{shorten(place[1].text)}`", place[1].origin.span, f"write at least `{total.canonical()}`")
    for container in task.containers():
        yield from _within(_parts(container.node)[0], limits)


def _within(limits: dict[str, tuple[Scalar, Scalar]], of_pod: dict[str, tuple[Scalar, Scalar]]) -> Iterator[Finding]:
    """The limits of a container beside those of its pod."""
    for name, (_, value) in limits.items():
        own, most = quantity_of(value), quantity_of(of_pod[name][1]) if name in of_pod else None
        if own is not None and most is not None and own > most:
            bound = of_pod[name][1]
            yield Finding(f"the limit `{shorten(value.text)}` of `{shorten(name)}` is above the pod's, `{shorten(bound.text)}`",
                          value.origin.span, f"write at most `{shorten(bound.text)}`", (Label(bound.origin.span, "the pod's limit"),))


def _total(task: TaskView, name: str) -> Quantity:
    """What the containers that run side by side request of a resource, or one init container if that is more."""
    together, alone = Quantity(0), Quantity(0)
    for container in task.containers():
        limits, requests = _parts(container.node)
        place = requests.get(name, limits.get(name))  # a request that is not there is the limit
        amount = quantity_of(place[1]) if place is not None else None
        if amount is None:
            continue
        if container.list == "containers" or text(container.node.get("restartPolicy")) == "Always":
            together = Quantity(together.nano + amount.nano, amount.format)
        else:
            alone = max(alone, amount)
    return max(together, alone)


RULE = ManifestRule(Code("HET203", "resource-amounts", ERROR, "a resource name or amount that Kubernetes refuses"), check)
