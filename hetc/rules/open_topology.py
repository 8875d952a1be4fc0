"""Topologies that limit nothing: a hard one without a tier, and groups of pods that may start in part.

`hard` is what `mode` means where it is left out. `minPartitions` is 0 where it is left out, so groups only lie close together; that
matters where not all pods have to start.
Source: Volcano's scheduler, plugins network-topology-aware and gang.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding, Label
from hetc.manifest import documents_of, jobs, mappings, number, present, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site

KEY = "networkTopology"
HARD = ("", "hard")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        yield from _topology(job.spec)
        for task in job.tasks:
            policy = task.node.get("partitionPolicy")
            if isinstance(policy, Mapping):
                yield from _topology(policy)
                yield from _groups(task, policy)
    for group in documents_of(manifest.documents, "PodGroup"):
        spec = group.get("spec")
        for owner in (spec, *mappings(find(spec, "subGroupPolicy"))):
            if isinstance(owner, Mapping):
                yield from _topology(owner)


def _topology(owner: Mapping) -> Iterator[Finding]:
    node = owner.get(KEY)
    if isinstance(node, Mapping) and not present(node, "highestTierAllowed", "highestTierName"):
        mode = node.get("mode")
        if (text(mode) or "") in HARD and (mode is None or text(mode) is not None):
            yield Finding(f"`{KEY}` is hard and has no tier, so it limits nothing", (mode or node).origin.span,
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
