"""Shares of GPUs: amounts that no card has, a share without a number of cards, and whole cards beside shares.

A share is `volcano.sh/vgpu-number` cards per container, `vgpu-memory` MiB and `vgpu-cores` percent of each; Volcano reads them from the
limits of containers, not of init containers. Whole cards are counted by another device plugin, which knows nothing of the shares: the
two may give the same card.
Source: Volcano's scheduler, plugin deviceshare.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import containers, tasks
from hetc.names import shorten
from hetc.quantity import QuantityError, parse
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Entry

NUMBER, MEMORY, CORES, PERCENT = (f"volcano.sh/vgpu-{name}" for name in ("number", "memory", "cores", "memory-percentage"))
OLD = ("volcano.sh/gpu-memory", "volcano.sh/gpu-number")
SHARES = (NUMBER, MEMORY, CORES, PERCENT, *OLD)
WHOLE = ("nvidia.com/gpu", "amd.com/gpu")
MIG = "nvidia.com/mig-"
#: More MiB than any card has: most likely bytes.
MOST = 1024 * 1024


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        yield from _mixed(task, ERROR if manifest.emitted else WARNING)
    for container in containers(manifest):
        entries = limits(container)
        yield from _alone(entries)
        for name, entry in entries.items():
            yield from _amount(name, entry)
            if container.list == "initContainers" and name in SHARES:
                yield Finding(f"`{name}` of init container `{shorten(container.name)}` is not counted: Volcano gives shares to containers",
                              entry.key.origin.span, "leave it out")


def limits(container: Container) -> dict[str, Entry]:
    """Resource -> its entry in the container's limits, of those above zero or without a readable amount."""
    node = find(container.node, "resources", "limits")
    return {name: entry for name, entry in node.entries.items() if _value(entry) != 0} if isinstance(node, Mapping) else {}


def _value(entry: Entry) -> int | None:
    node = entry.value
    if not isinstance(node, Scalar) or isinstance(node.value, (bool, float)):
        return None
    try:
        return parse(str(node.value)).value()
    except QuantityError:
        return None


def _alone(entries: dict[str, Entry]) -> Iterator[Finding]:
    if NUMBER not in entries:
        for name in (MEMORY, CORES, PERCENT):
            if name in entries:
                yield Finding(f"`{name}` stands without `{NUMBER}`, so it is a share of one card", entries[name].key.origin.span,
                              f"add `{NUMBER}: 1`")
                return


def _amount(name: str, entry: Entry) -> Iterator[Finding]:
    value = _value(entry)
    if value is None:
        return
    if name in (CORES, PERCENT) and value > 100:
        yield Finding(f"`{name}` is {value}, and counts percent of a card", entry.value.origin.span, "write at most `100`")
    elif name in (MEMORY, OLD[0]) and value > MOST:
        help = f"write `{value // MOST}`" if value % MOST == 0 else "write the MiB of one card"
        yield Finding(f"`{name}` is {value:,} MiB, more than any card has", entry.value.origin.span, help)


def _mixed(task: TaskView, level: str) -> Iterator[Finding]:
    """Whole cards and shares in one pod."""
    entries = [each for container in task.containers() for each in limits(container).items()]
    share = next(((name, entry) for name, entry in entries if name in SHARES), None)
    whole = next(((name, entry) for name, entry in entries if name in WHOLE or name.startswith(MIG)), None)
    if share is not None and whole is not None:
        yield Finding(f"the pod asks for whole GPUs, `{shorten(whole[0])}`, and for shares of some, `{share[0]}`", share[1].key.origin.span,
                      "keep one of the two", (Label(whole[1].key.origin.span, "the whole ones"),), level)


RULE = ManifestRule(Code("HET206", "virtual-gpu", WARNING, "shares of GPUs that do not fit together"), check)
