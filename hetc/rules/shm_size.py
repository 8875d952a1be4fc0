"""A volume in memory counts against the memory of the pod, so its limit must leave some.

Pages in such a volume are charged to the container that writes them. With a limit equal to the pod's memory a full volume
leaves nothing for the process, and a larger one cannot be filled: the container is killed first. Without a limit it may
grow to all of the pod's memory, or half of the node's.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import jobs, number, text
from hetc.quantity import Quantity, QuantityError, parse
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for task in job.tasks:
            for volume in task.volumes:
                directory = volume.get("emptyDir")
                if isinstance(directory, Mapping) and text(directory.get("medium")) == "Memory":
                    yield from _volume(task, directory, manifest.emitted)


def _volume(task: TaskView, directory: Mapping, emitted: bool) -> Iterator[Finding]:
    limit = directory.get("sizeLimit")
    if limit is None:
        yield Finding("a volume in memory has no sizeLimit", directory.entries["medium"].value.origin.span,
                      "add `sizeLimit`, below the memory of the pod", level=WARNING)
        return
    size, (memory, place) = _amount(limit), _memory(task)
    if size is None or memory is None or place is None or size < memory:
        return
    word = "shm_size" if emitted else "sizeLimit"
    how = "is all of" if size == memory else "is more than"
    yield Finding(
        f"{word} `{size.canonical()}` {how} the memory of a pod of task `{task.name}`, `{memory.canonical()}`", limit.origin.span,
        f"leave memory for the process: a smaller {word}, or more memory", (Label(place.origin.span, "the memory"),),
        ERROR if emitted and size > memory else WARNING,
    )


def _memory(task: TaskView) -> tuple[Quantity | None, Node | None]:
    """The memory that a pod may use, and where it is said; None where any container may use more."""
    node = find(task.pod, "resources", "limits", "memory")
    if node is not None:
        return _amount(node), node
    containers = [each for each in task.containers() if each.list == "containers"]
    limits = [find(each.node, "resources", "limits", "memory") for each in containers]
    amounts = [_amount(limit) for limit in limits]
    if not amounts or None in amounts:
        return None, None
    return Quantity(sum(amount.nano for amount in amounts if amount is not None), amounts[0].format if amounts[0] else ""), limits[0]


def _amount(node: Node | None) -> Quantity | None:
    whole, written = number(node), text(node)
    try:
        return parse(str(whole) if whole is not None else written or "")
    except QuantityError:
        return None


RULE = ManifestRule(Code("HET305", "shm-size", WARNING, "a volume in memory that leaves the process none"), check)
