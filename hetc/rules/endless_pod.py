"""With `restartPolicy: Always`, which is Kubernetes' own default, a container that ends is started again: the job never completes.

Fine where other tasks end the job: by a policy on TaskCompleted, or by `minSuccess`.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import jobs, mappings, number, sequence, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node

ALWAYS = "Always"
#: Actions that end a job.
ENDS = ("AbortJob", "CompleteJob", "TerminateJob")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        endless = [task for task in job.tasks if task.replicas > 0 and restart_policy(task) == ALWAYS]
        if endless and not _ends(job, [task for task in job.tasks if task.replicas > 0 and restart_policy(task) != ALWAYS]):
            yield from (_finding(task, task.pod) for task in endless if task.pod is not None)


def restart_policy(task: TaskView) -> str | None:
    """The restart policy of a task's pods; None where it is of the wrong type."""
    node = find(task.pod, "restartPolicy")
    return ALWAYS if node is None or is_null(node) or text(node) == "" else text(node)


def events(policy: Node) -> list[str]:
    """The events that a policy answers."""
    nodes = (find(policy, "event"), *sequence(find(policy, "events")))
    return [event for node in nodes if (event := text(node))]


def ends_job(owner: Mapping) -> bool:
    """Whether a policy of a job or task ends the job when a task has completed."""
    return any(text(policy.get("action")) in ENDS and {"*", "TaskCompleted"} & set(events(policy))
               for policy in mappings(owner.get("policies")))


def _ends(job: JobView, finite: list[TaskView]) -> bool:
    """Whether the job ends although some of its pods do not."""
    least = number(job.spec.get("minSuccess"))
    if least is not None and sum(task.replicas for task in finite) >= least:
        return True
    return any(ends_job(owner) for owner in (job.spec, *(task.node for task in finite))) if finite else False


def _finding(task: TaskView, pod: Mapping) -> Finding:
    node, shown = pod.get("restartPolicy"), f"task `{shorten(task.name)}`"
    if node is None or text(node) != ALWAYS:
        what, place = f"{shown} has no `restartPolicy`, which is `{ALWAYS}` then", task.name_span
    else:
        what, place = f"`restartPolicy` of {shown} is `{ALWAYS}`", node.origin.span
    return Finding(f"{what}: its pods never finish, and the job never completes", place, "write `restartPolicy: Never` or `OnFailure`")


RULE = ManifestRule(Code("HET622", "endless-pod", WARNING, "pods that are started again for ever"), check)
