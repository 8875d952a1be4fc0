"""A rank by hand in the template of several pods: all of them have it."""
from __future__ import annotations

import re

from hetc.diagnostic import WARNING, Code, Finding, Label
from hetc.manifest import jobs, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.rules.task_roles import sets_ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site

VARIABLES = ("RANK", "NODE_RANK")
_NUMBER = re.compile(r"[0-9]{1,9}")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest) if not manifest.emitted else ():
        ranked = sets_ranks(job)
        for task in job.tasks:
            if task.replicas > 1:
                yield from _task(task, ranked)


def _task(task: TaskView, ranked: bool) -> Iterator[Finding]:
    count = task.node.get("replicas")
    for container in task.containers():
        for variable in container.env:
            name, node = text(variable.get("name")) or "", variable.get("value")
            plugin = ranked and name == "RANK" and container.list == "containers"
            if node is not None and name in VARIABLES and not plugin and _NUMBER.fullmatch(text(node) or ""):
                yield Finding(f"`{name}` is `{text(node)}` in each of the {task.replicas} pods of task `{shorten(task.name)}`",
                              node.origin.span, "take it from `metadata.labels['volcano.sh/task-index']`, by `valueFrom` and `fieldRef`",
                              () if count is None else (Label(count.origin.span, "the replicas"),))


RULE = ManifestRule(Code("HET618", "fixed-rank", WARNING, "one rank for several pods"), check)
