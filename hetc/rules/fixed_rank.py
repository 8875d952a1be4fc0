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

    from hetc.manifest import JobView, Manifest
    from hetc.site import Site

VARIABLES = ("RANK", "NODE_RANK")
_NUMBER = re.compile(r"[0-9]{1,9}")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest) if not manifest.emitted else ():
        for name in VARIABLES:
            if name in job.variables:
                yield from _variables(job, name)


def _variables(job: JobView, name: str) -> Iterator[Finding]:
    ranked = name == "RANK" and sets_ranks(job)
    for task, container, variable in job.variables[name]:
        node, count = variable.get("value"), task.node.get("replicas")
        plugin = ranked and container.list == "containers"
        if node is not None and task.replicas > 1 and not plugin and _NUMBER.fullmatch(text(node) or ""):
            yield Finding(f"`{name}` is `{text(node)}` in each of the {task.replicas} pods of task `{shorten(task.name)}`",
                          node.origin.span, "take it from `metadata.labels['volcano.sh/task-index']`, by `valueFrom` and `fieldRef`",
                          () if count is None else (Label(count.origin.span, "the replicas"),))


RULE = ManifestRule(Code("HET618", "fixed-rank", WARNING, "one rank for several pods"), check)
