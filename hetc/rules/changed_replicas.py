"""Replicas that were changed behind hetc: the job's pods are told of other numbers, and have ranks for these.

hetc writes the number of a task's pods and of the job's into variables of every pod, and a task's first rank into its command.
A patch, of kustomize or by hand, reaches `replicas` alone.
"""
from __future__ import annotations

import re

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import jobs, text
from hetc.names import shorten
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node

HELP = "change the request, and compile it: ranks and counts of all pods hang on this number"
_NUMBER = re.compile(r"[0-9]{1,9}")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest) if not manifest.emitted else ():
        yield from list(_tasks(job, f"{site.prefix}TASK_REPLICAS")) or _job(job, f"{site.prefix}NODES")


def _tasks(job: JobView, variable: str) -> Iterator[Finding]:
    for task, number, node in _told(job, variable):
        replicas = task.node.get("replicas")
        if replicas is not None and number != task.replicas:
            yield Finding(f"`replicas` of task `{shorten(task.name)}` is {task.replicas}, and its pods are told of {number}",
                          replicas.origin.span, HELP, (Label(node.origin.span, f"`{variable}`"),))


def _job(job: JobView, variable: str) -> Iterator[Finding]:
    """A task more or fewer."""
    for task, number, node in _told(job, variable):
        if number != job.replicas:
            yield Finding(f"the job has {job.replicas} pods, and those of task `{shorten(task.name)}` are told of {number}",
                          node.origin.span, HELP)


def _told(job: JobView, variable: str) -> Iterator[tuple[TaskView, int, Node]]:
    """The numbers that a job's containers have in a variable."""
    for task, _, each in job.variables.get(variable, ()):
        node = each.get("value")
        if node is not None and _NUMBER.fullmatch(text(node) or ""):
            yield task, int(text(node) or ""), node


RULE = ManifestRule(Code("HET631", "changed-replicas", ERROR, "replicas other than those that the job's ranks were made for"), check)
