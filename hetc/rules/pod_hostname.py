"""A hostname or subdomain of the template's own, which all replicas share and the plugin svc keeps.

svc names its headless Service after the job and gives each pod the subdomain of that name and a hostname of its own. Where the
template says otherwise, host lists have one entry for all replicas, or addresses that nothing resolves.
Source: Volcano's plugin svc, OnPodCreate and GenerateHosts.
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
    from hetc.tree import Node


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        seen: dict[tuple[str, str], Node] = {}
        for task in job.tasks:
            yield from _hostname(job, task, seen)
            if "svc" in job.plugins:
                yield from _subdomain(job, task)


def _hostname(job: JobView, task: TaskView, seen: dict[tuple[str, str], Node]) -> Iterator[Finding]:
    node, count = find(task.pod, "hostname"), task.node.get("replicas")
    name, svc = text(node), "svc" in job.plugins
    if node is None or not name:
        return
    if task.replicas > 1 and count is not None:
        effect = ", and the host lists of `svc` have one entry for them" if svc else ""
        yield Finding(f"all {task.replicas} replicas of task `{shorten(task.name)}` have the hostname `{shorten(name)}`{effect}",
                      node.origin.span, "leave it out: Volcano gives each pod its own" if svc else "leave it out",
                      (Label(count.origin.span, "the replicas"),), ERROR if svc else WARNING)
    first = seen.setdefault((name, text(find(task.pod, "subdomain")) or ""), node)
    if svc and first is not node:
        yield Finding(f"two tasks have the hostname `{shorten(name)}`, and so one address", node.origin.span, "leave it out",
                      (Label(first.origin.span, "the other one"),))


def _subdomain(job: JobView, task: TaskView) -> Iterator[Finding]:
    node = find(task.pod, "subdomain")
    name = text(node)
    if node is None or not name:
        return
    if job.kind == "JobTemplate":
        right = not job.written_name or name.endswith(f"-{job.written_name}")
        service = f"<flow>-{job.written_name}"
    else:
        right = name == job.name
        service = job.name or "which is made up for each run"
    if not right:
        shown = f"`{shorten(service)}`" if job.name or job.kind == "JobTemplate" else service
        yield Finding(f"`subdomain` of task `{shorten(task.name)}` is `{shorten(name)}`, and the Service of `svc` has the job's name, "
                      f"{shown}", node.origin.span, "leave it out: Volcano writes it", (Label(job.name_span, "the job's name"),))


RULE = ManifestRule(Code("HET620", "pod-hostname", ERROR, "a hostname or subdomain that breaks the job's addresses"), check)
