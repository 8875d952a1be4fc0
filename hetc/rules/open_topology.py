"""Topologies that limit nothing: a hard one without a tier, and groups of pods that may start in part.

`hard` is what `mode` means where it is left out. `minPartitions` is 0 where it is left out, so groups only lie close together; that
matters where not all pods have to start.
Source: Volcano's scheduler, plugins network-topology-aware and gang.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding, Label
from hetc.manifest import number, present, tasks, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.topology import NAME, NUMBER, is_hard, topologies
from hetc.tree import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for topology in topologies(manifest):
        yield from _topology(topology)
    for task in tasks(manifest):
        policy = task.node.get("partitionPolicy")
        if isinstance(policy, Mapping):
            yield from _groups(task, policy)


def _topology(topology: Mapping) -> Iterator[Finding]:
    if not present(topology, NUMBER, NAME):
        mode = topology.get("mode")
        if is_hard(topology) and (mode is None or text(mode) is not None):
            yield Finding("`networkTopology` is hard and has no tier, so it limits nothing", (mode or topology).origin.span,
                          "add `highestTierAllowed: 1`, for example, or write `mode: soft`")


def _groups(task: TaskView, policy: Mapping) -> Iterator[Finding]:
    minimum = task.node.get("minAvailable")
    least = number(minimum)
    total, size = number(policy.get("totalPartitions")), number(policy.get("partitionSize"))
    if present(policy, "minPartitions") or total is None or size is None or size < 2 or least is None or minimum is None:
        return
    if 0 < least < task.replicas:
        yield Finding(f"{least} of {task.replicas} pods of task `{shorten(task.name)}` may start, and without `minPartitions` groups of "
                      f"{size} may start in part", policy.origin.span,
                      f"write `minPartitions: {least // size or 1}`, with `minAvailable: {(least // size or 1) * size}`",
                      (Label(minimum.origin.span, "the minimum"),))


RULE = ManifestRule(Code("HET625", "open-topology", WARNING, "a topology that limits nothing"), check)
