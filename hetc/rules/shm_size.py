"""Volumes in memory count against the memory of the pod, so their limits must leave some.

Pages in such a volume are charged to the container that writes them. With a limit equal to the pod's memory a full volume
leaves nothing for the process, and a larger one cannot be filled: the container is killed first. Without a limit it may
grow to all of the pod's memory, or half of the node's.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import amount, jobs, text
from hetc.quantity import Quantity
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
            found = (volume.get("emptyDir") for volume in task.volumes)
            directories = [each for each in found if isinstance(each, Mapping) and text(each.get("medium")) == "Memory"]
            for directory in directories:
                if directory.get("sizeLimit") is None:
                    yield Finding("a volume in memory has no sizeLimit", directory.entries["medium"].value.origin.span,
                                  "add `sizeLimit`, below the memory of the pod")
            yield from _sizes(task, [each.get("sizeLimit") for each in directories], manifest.emitted)


def _sizes(task: TaskView, limits: list[Node | None], emitted: bool) -> Iterator[Finding]:
    """Each volume's limit beside the memory, and where all of them are below it, their sum."""
    memory, place = _memory(task)
    sizes = [(size, limit) for limit in limits if limit is not None and (size := amount(limit)) is not None]
    if memory is None or place is None or not sizes:
        return
    word, related = "shm_size" if emitted else "sizeLimit", [Label(place.origin.span, "the memory")]
    large = [(f"{word} `{size.canonical()}`", size, limit) for size, limit in sizes if size >= memory]
    total = Quantity(sum(size.nano for size, _ in sizes), sizes[0][0].format)
    if not large and total >= memory:
        large = [(f"`{total.canonical()}`, what the volumes in memory may hold together,", total, sizes[-1][1])]
        word, related = "sizeLimit", related + [Label(limit.origin.span, "another volume in memory") for _, limit in sizes[:-1]]
    for what, size, limit in large:
        how = "is all of" if size == memory else "is more than"
        yield Finding(f"{what} {how} the memory of a pod of task `{task.name}`, `{memory.canonical()}`", limit.origin.span,
                      f"leave memory for the process: a smaller {word}, or more memory", tuple(related),
                      ERROR if emitted and size > memory else WARNING)


def _memory(task: TaskView) -> tuple[Quantity | None, Node | None]:
    """The memory that a pod may use, and where it is said; None where any container may use more."""
    node = find(task.pod, "resources", "limits", "memory")
    if node is not None:
        return amount(node), node
    containers = [each for each in task.containers() if each.list == "containers"]
    limits = [find(each.node, "resources", "limits", "memory") for each in containers]
    amounts = [amount(limit) for limit in limits]
    if not amounts or None in amounts:
        return None, None
    return Quantity(sum(each.nano for each in amounts if each is not None), amounts[0].format if amounts[0] else ""), limits[0]


RULE = ManifestRule(Code("HET305", "shm-size", WARNING, "a volume in memory that leaves the process none"), check)
