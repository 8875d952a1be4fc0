"""Pods that choose nodes by their GPU product and ask for no GPU hold a GPU node and cannot use its GPUs."""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import mappings, tasks, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site

LABELS = ("nvidia.com/gpu.product", "amd.com/gpu.product-name", "nvidia.com/gpu.family", "nvidia.com/gpu.machine", "amd.com/gpu.device-id")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    labels = (*LABELS, site.gpu.label)
    for task in tasks(manifest):
        for key in _selected(task):
            if key.text in labels and not _has_gpus(task, site):
                label = shorten(key.text)
                yield Finding(f"task `{shorten(task.name)}` selects nodes by `{label}` and asks for no GPU", key.origin.span,
                              f"ask for GPUs, or leave `{label}` out")


def _has_gpus(task: TaskView, site: Site) -> bool:
    """Whether a container asks for anything that a GPU node offers: whole GPUs, slices, shares."""
    for container in task.containers():
        for part in ("limits", "requests"):
            amounts = find(container.node, "resources", part)
            for name in amounts.entries if isinstance(amounts, Mapping) else ():
                if name == site.gpu.resource or "gpu" in name or "/mig-" in name:
                    return True
    return bool(task.pod and task.pod.get("resourceClaims"))


def _selected(task: TaskView) -> Iterator[Scalar]:
    """The node labels that a task must have, at their keys."""
    selector = task.pod and task.pod.get("nodeSelector")
    if isinstance(selector, Mapping):
        yield from (entry.key for entry in selector.entries.values())
    required = find(task.pod, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    for term in mappings(find(required, "nodeSelectorTerms")):
        for expression in mappings(term.get("matchExpressions")):
            key = expression.get("key")
            negated = text(expression.get("operator")) in ("NotIn", "DoesNotExist")
            if isinstance(key, Scalar) and not negated:
                yield key


RULE = ManifestRule(Code("HET704", "gpu-selector-without-gpus", WARNING, "a selector of a GPU product in a task without GPUs"), check)
