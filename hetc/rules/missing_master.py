"""Exactly one task is called `master`, with one replica: its pod's name is in MASTER_ADDR, and its rank is 0."""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.ir import MASTER
from hetc.rule import JobRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job
    from hetc.site import Site


def check(job: Job, site: Site) -> Iterator[Finding]:
    masters = [task for task in job.tasks if task.name.value == MASTER]
    for task in masters:
        if task.replicas.value != 1:
            yield Finding(f"`master` must have 1 replica, not {task.replicas.value}", task.replicas.span,
                          "scale another task: the address of `master` names one pod")
    if not masters:
        singles = [task for task in job.tasks if task.replicas.value == 1]
        if len(singles) == 1:
            yield Finding("no task is named `master`", singles[0].name.span, f"rename `{singles[0].name.value}` to `master`",
                          (Label(job.origin.span, "among these tasks"),))
        else:
            yield Finding("no task is named `master`", job.origin.span, "name the coordinating group `master`, with one replica")


RULE = JobRule(Code("HET601", "missing-master", ERROR, "a job without exactly one master of one replica"), check)
