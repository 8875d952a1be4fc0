"""Exactly one task is called `master`, with one replica: its pod's name is in MASTER_ADDR, and its rank is 0."""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.ir import MASTER
from hetc.origin import DERIVED
from hetc.rule import JobRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job, Task
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
            yield Finding("no task is named `master`", singles[0].name.span, _rename(singles[0]),
                          (Label(job.origin.span, "among these tasks"),))
        else:
            yield Finding("no task is named `master`", job.origin.span, _help(job, singles))


def _help(job: Job, singles: list[Task]) -> str:
    """How a master comes about where no task, or more than one, could simply be called so."""
    if any(map(_unnamed, singles)):
        return "give the one that coordinates the name `master`: `1*master<…>`"
    if singles:
        return f"rename the one that coordinates to `master`: {' or '.join(f'`{task.name.value}`' for task in singles)}"
    task = job.tasks[0]
    name, count = task.name.value, task.replicas.value
    if _unnamed(task):
        return f"add a group `1*master<…>`, or make one replica of the first group it: `1*master<…> + {count - 1}*<…>`"
    if not _in_request(task):
        return f"add a task `master` with `replicas: 1`, or make one replica of `{name}` that task"
    split = f"`1*master<…> + {count - 1}*{name}<…>`"
    if len(job.tasks) == 1:
        return f"write `{count}*<…>`, whose first replica becomes `master`, or {split}"
    return f"add a group `1*master<…>`, or make one replica of `{name}` it: {split}"


def _rename(task: Task) -> str:
    """How a task of one replica becomes the master."""
    return "give the group the name `master`: `1*master<…>`" if _unnamed(task) else f"rename `{task.name.value}` to `master`"


def _unnamed(task: Task) -> bool:
    """Whether the task's name stands nowhere, so that nobody can rename it."""
    return task.name.origin.how == DERIVED


def _in_request(task: Task) -> bool:
    """Whether a task was written as a group, COUNT `*` NAME, and not as a key of a template."""
    span = task.name.span
    return span.source.text[:span.start].rstrip().endswith("*")


RULE = JobRule(Code("HET601", "missing-master", ERROR, "a job without exactly one master of one replica"), check)
