"""A task without replicas has no pods. Where `replicas` is left out it is 0, not 1."""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import jobs, number, present
from hetc.names import shorten
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for task in job.tasks:
            node, shown = task.node.get("replicas"), f"task `{shorten(task.name)}`"
            if node is None or not present(task.node, "replicas"):
                yield Finding(f"{shown} has no `replicas`, which is 0 and not 1: it has no pods", task.name_span,
                              "add `replicas: 1`, or more")
            elif number(node) == 0:
                yield Finding(f"{shown} has 0 replicas, and so no pods", node.origin.span, "write 1 or more, or leave the task out")


RULE = ManifestRule(Code("HET621", "empty-task", WARNING, "a task without pods"), check)
