"""Jobs of one namespace that are applied together do not make the same objects.

`<job>-<task>-<i>` does not say where the job's name ends: job `a-b` with task `c` and job `a` with task `b-c` have the same
pods. Whichever comes second waits for ever, since a pod of its name is there and belongs to another. Services, ConfigMaps
and Secrets that plugins name after the job meet in the same way: Volcano takes the one that it finds, or overwrites it.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import JobView, jobs, text
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.source import Span

    #: Namespace, kind and name -> where that stands, and the job that makes it; None: the object itself is given.
    Seen: TypeAlias = "dict[tuple[str | None, str, str], tuple[Span, str | None]]"

#: Kinds of which plugins make objects, and whether Volcano overwrites one that is there; else it takes it as it is.
MADE = {"ConfigMap": True, "NetworkPolicy": False, "Secret": True, "Service": False}


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    if len(manifest.documents) < 2:
        return
    seen: Seen = {}
    for document in manifest.documents:
        kind, node = text(document.get("kind")) or "", find(document, "metadata", "name")
        name = text(node)
        if kind in MADE and node is not None and name:
            seen.setdefault((text(find(document, "metadata", "namespace")), kind, name), (node.origin.span, None))
    for job in jobs(manifest):
        if job.name:  # a generated name is new every time
            yield from _job(job, seen)


def _job(job: JobView, seen: Seen) -> Iterator[Finding]:
    """What of this job is there already; the job's objects join `seen`."""
    first, _ = seen.setdefault((job.namespace, "Job", job.name), (job.name_span, job.name))
    if first is not job.name_span:
        where = f" in namespace `{job.namespace}`" if job.namespace else ""
        yield Finding(f"two jobs are called `{names.shorten(job.name)}`{where}", job.name_span, "give each job a name of its own",
                      (Label(first, "the other one"),))
        return
    for kind, name, span in _objects(job):
        place, owner = seen.setdefault((job.namespace, kind, name), (span, job.name))
        if place is not span:
            shown = f"pods `{names.shorten(name)}-…`" if kind == "Pod" else f"{kind} `{names.shorten(name)}`"
            other = "is given here too" if owner is None else f"job `{names.shorten(owner)}` makes too"
            yield Finding(f"job `{names.shorten(job.name)}` makes {shown}, which {other}", span, "rename one of the two",
                          (Label(place, "the other one"),), WARNING if owner is None and not MADE[kind] else None)


def _objects(job: JobView) -> Iterator[tuple[str, str, Span]]:
    """Kind, name and place of what Volcano makes of a job; a task's pods stand for themselves as `<job>-<task>`."""
    plugins = job.plugins
    if "svc" in plugins:
        yield "Service", job.name, job.name_span
        if job.argument("svc", "disable-network-policy") != "true":
            yield "NetworkPolicy", job.name, job.name_span
        yield "ConfigMap", names.svc_volume(job.name), job.name_span
    if "ssh" in plugins:
        yield "Secret", names.ssh_volume(job.name), job.name_span
    if "ray" in plugins:
        yield "Service", names.ray_service(job.name), job.name_span
    own = set()
    for task in job.tasks:
        pods = f"{job.name}-{task.name}"
        if task.replicas > 0 and pods not in own:  # two tasks of one name are another rule's
            own.add(pods)
            yield "Pod", pods, task.name_span


RULE = ManifestRule(Code("HET108", "pod-collision", ERROR, "two jobs that make the same pods or objects"), check, across=True)
