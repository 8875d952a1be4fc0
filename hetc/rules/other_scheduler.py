"""Pods that Volcano's scheduler does not place: a node given by name, or another scheduler.

Such a pod takes its place without its gang and its queue. With `nodeName` nobody asks whether the node has room: where it has none,
the kubelet fails the pod. A job without a `schedulerName` gets the first that Volcano's webhook knows.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import jobs, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site

KUBERNETES = "default-scheduler"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        node = job.spec.get("schedulerName")
        if node is not None and text(node) == KUBERNETES:
            yield Finding(f"`{KUBERNETES}` is Kubernetes' own scheduler, which knows no gangs and no queues", node.origin.span,
                          f"write `{site.scheduler}`", level=WARNING)
        for task in job.tasks:
            yield from _task(job, task, site.scheduler)


def _task(job: JobView, task: TaskView, default: str) -> Iterator[Finding]:
    node, shown = find(task.pod, "nodeName"), f"task `{shorten(task.name)}`"
    if node is not None and text(node):
        yield Finding(f"`nodeName` puts the pods of {shown} on `{shorten(text(node) or '')}` without a scheduler, apart from their gang",
                      node.origin.span, "write `nodeSelector: {kubernetes.io/hostname: NAME}`")
    node, given = find(task.pod, "schedulerName"), job.spec.get("schedulerName")
    own, wanted = text(node), text(given) or default
    if node is not None and own and own != wanted:
        yield Finding(f"`schedulerName` of {shown} is `{shorten(own)}`, and the job's is `{shorten(wanted)}`: its pods leave the gang",
                      node.origin.span, "leave it out", () if given is None else (Label(given.origin.span, "the job's"),), WARNING)


RULE = ManifestRule(Code("HET619", "other-scheduler", ERROR, "pods that Volcano's scheduler does not place"), check)
