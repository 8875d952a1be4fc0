"""A pod's name is the job's, the task's and an index, and must stay within 63 characters in two places.

Volcano's webhook checks `<job>-<task>-<place of the task in the list>`. With svc the pod's name is its hostname, so the
last replica counts, which the webhook does not look at: the job is admitted, and the pods with the longest names never
come.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import jobs, text
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site


#: So long are the two names together without a pod beyond the limit, whatever its index: that has 32 bits.
_SHORT = names.LABEL_LENGTH - len(names.pod("", "", 2**31))


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for task in job.tasks:
            if len(job.full_name) + len(task.name) <= _SHORT and task.replicas <= 2**31:
                continue
            if max(len(job.full_name), len(task.name)) <= names.LABEL_LENGTH:  # longer ones are reported for themselves
                yield from _task(job, task)


def _task(job: JobView, task: TaskView) -> Iterator[Finding]:
    pod, what = names.admitted(job.full_name, task.name, task.index), "which the webhook builds from the task's place in the list"
    if "svc" in job.plugins and not text(task.pod and task.pod.get("hostname")):
        last = names.last_pod(job.full_name, task.name, task.replicas)
        if len(last) >= len(pod):
            pod, what = last, "the hostname of the last replica"
    excess = len(pod) - names.LABEL_LENGTH
    if excess > 0:
        yield Finding(
            f"pod name `{pod}`, {what}, has {len(pod)} characters, {excess} more than the {names.LABEL_LENGTH} allowed",
            task.name_span, f"cut {excess} from the name of the task or of the job", (Label(job.name_span, "the job's name"),),
        )


RULE = ManifestRule(Code("HET103", "pod-name", ERROR, "a pod name beyond 63 characters"), check)
