"""Minima and totals of a gang that Volcano refuses, that can never be met, or that its scheduler ignores.

Source: Volcano's webhook `/jobs/validate`, and the gang plugin of its scheduler, which looks at the tasks' minima only where their sum
does not exceed the job's.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import jobs, number
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        yield from _job(job, manifest.emitted)
        for task in job.tasks:
            yield from _task(task)


def _job(job: JobView, emitted: bool) -> Iterator[Finding]:
    tasks = job.tasks
    total = sum(task.replicas for task in tasks)
    minima = sum(minimum(task) for task in tasks)
    node, success = job.spec.get("minAvailable"), job.spec.get("minSuccess")
    needed = number(node) or 0
    # A gang of hetc's that leaves out the pods which wait for others has a minimum below those of its tasks.
    meant = emitted and any("dependsOn" in task.node.entries for task in tasks)
    if node is not None and needed > total:
        yield Finding(f"`minAvailable` is {needed}, and the tasks have {total} replicas in all", node.origin.span,
                      f"write at most `{total}`")
    elif node is not None and 0 < needed < minima and any("minAvailable" in task.node.entries for task in tasks) and not meant:
        yield Finding(f"the gang's minimum {needed} is below {minima}, the sum of the tasks' minima, so Volcano ignores these",
                      node.origin.span, "lower the tasks' minima, or raise this one", level=WARNING)
    if success is not None and (number(success) or 0) > total:
        yield Finding(f"`minSuccess` is {number(success)}, and the tasks have {total} replicas in all: the job can only fail",
                      success.origin.span, f"write at most `{total}`")


def minimum(task: TaskView) -> int:
    """The least replicas of a task, with what Volcano fills in."""
    written = number(task.node.get("minAvailable"))
    if written is not None:
        return written
    policy = task.node.get("partitionPolicy")
    least, size = (number(policy.get(key)) or 0 for key in ("minPartitions", "partitionSize")) if isinstance(policy, Mapping) else (0, 0)
    return least * size if least > 0 else task.replicas


def _task(task: TaskView) -> Iterator[Finding]:
    node = task.node.get("minAvailable")
    minimum = number(node)
    if node is not None and minimum is not None and minimum > task.replicas:
        yield Finding(f"`minAvailable` of task `{shorten(task.name)}` is {minimum}, and it has {task.replicas} replicas", node.origin.span,
                      f"write at most `{task.replicas}`", _labels(task.node.get("replicas"), "the replicas"))
    policy = task.node.get("partitionPolicy")
    if isinstance(policy, Mapping):
        yield from _partitions(task, policy, minimum)


def _partitions(task: TaskView, policy: Mapping, minimum: int | None) -> Iterator[Finding]:
    total, size, least = (number(policy.get(key)) for key in ("totalPartitions", "partitionSize", "minPartitions"))
    shown, replicas = f"task `{shorten(task.name)}`", _labels(task.node.get("replicas"), "the replicas")
    for key, value in (("totalPartitions", total), ("partitionSize", size)):
        if value is not None and value <= 0:
            yield Finding(f"`{key}` of {shown} is {value}", policy.entries[key].value.origin.span, "write 1 or more")
    if total is None or size is None or total <= 0 or size <= 0:
        return
    if total * size != task.replicas:
        yield Finding(f"{total} partitions of {size} are {total * size} pods, and {shown} has {task.replicas} replicas",
                      policy.entries["totalPartitions"].value.origin.span, "make `replicas` their product", replicas)
    if least is not None and least > total and minimum is None:
        yield Finding(f"`minPartitions` is {least}, and {shown} has {total} partitions", policy.entries["minPartitions"].value.origin.span,
                      f"write at most `{total}`", _labels(policy.get("totalPartitions"), "the partitions"))
    if least is not None and least > 0 and minimum is not None and minimum != least * size:
        yield Finding(f"`minPartitions` {least} of size {size} are {least * size} pods, and `minAvailable` of {shown} is {minimum}",
                      policy.entries["minPartitions"].value.origin.span, f"write `minAvailable: {least * size}`, or `minPartitions: 0`",
                      _labels(task.node.get("minAvailable"), "the minimum"))


def _labels(node: Node | None, message: str) -> tuple[Label, ...]:
    return () if node is None else (Label(node.origin.span, message),)


RULE = ManifestRule(Code("HET606", "gang-minimum", ERROR, "minima of a gang that cannot hold"), check)
