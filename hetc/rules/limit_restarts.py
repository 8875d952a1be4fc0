"""A time limit in a job that starts again when a pod fails: the limit ends a pod as failed, and so starts the job again.

Source: Kubernetes' `activeDeadlineSeconds`, whose pods fail with the reason DeadlineExceeded; Volcano's policies on PodFailed.
"""
from __future__ import annotations

from hetc import ir, lifecycle
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.origin import Located
from hetc.rule import JobRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job, Task
    from hetc.site import Site

_ON = frozenset(("*", "PodFailed"))


def check(job: Job, site: Site) -> Iterator[Finding]:
    seen = set()
    for task in job.tasks:
        limit = task.time_limit
        restarts = _restarts(job, task)
        if limit is not None and restarts is not None and limit.span not in seen:
            seen.add(limit.span)
            yield Finding(f"`time_limit` ends a pod as failed, and `{restarts.value}` starts it again: the limit never ends the job",
                          limit.span, "leave one of the two out", (Label(restarts.span, "starts again"),))


def _restarts(job: Job, task: Task) -> Located[str] | None:
    """What starts the job or the pod again when a pod of a task fails: the task's policies are asked first."""
    for owner in (task, job):
        for policy in lifecycle.policies(owner):
            if _ON.intersection(event.value for event in policy.events) and policy.action is not None:
                return policy.action if policy.action.value.startswith("Restart") else None
    fail = job.gang.fail
    return Located(f"gang[fail={ir.RESTART}]", fail.origin) if fail is not None and fail.value == ir.RESTART else None


RULE = JobRule(Code("HET630", "limit-restarts", ERROR, "a time limit in a job that starts again"), check)
