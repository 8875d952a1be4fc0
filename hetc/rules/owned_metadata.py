"""Labels and annotations that hetc or Volcano write themselves: a user's value is overwritten, or misleads the controller or scheduler.

Source: what Volcano's controllers set on pods and jobs, and what its scheduler and device plugins keep in annotations.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.rule import JobRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job
    from hetc.site import Site

MANAGED_BY = "app.kubernetes.io/managed-by"
#: Behind `volcano.sh/`.
_VOLCANO = (
    "job-name", "job-namespace", "job-version", "job-retry-count", "job-forwarding", "task-spec", "task-index", "template-uid",
    "queue-name", "partition-id", "controller-out-of-sync", "job-allocated-hypernode", "topology-decision", "vgpu-ids-new", "vgpu-time",
    "vgpu-node", "devices-to-allocate", "bind-time", "bind-phase", "gpu-index", "predicate-time", "cronjob-scheduled-timestamp",
    "createdByJobFlow", "createdByJobTemplate",
)
OWNERS = {MANAGED_BY: "hetc", "scheduling.k8s.io/group-name": "Volcano", **{f"volcano.sh/{name}": "Volcano" for name in _VOLCANO}}


def check(job: Job, site: Site) -> Iterator[Finding]:
    labels = [job.labels, *(task.labels for task in job.tasks)]
    annotations = [job.annotations, *(task.annotations for task in job.tasks)]
    for what, holders in (("label", labels), ("annotation", annotations)):
        for key in (key for pairs in holders for key, _ in pairs):
            owner = OWNERS.get(key.value)
            if owner is not None:
                yield Finding(f"{what} `{key.value}` is {owner}'s own", key.span, "leave it out, or choose another key")


RULE = JobRule(Code("HET610", "owned-metadata", ERROR, "a label or annotation that hetc or Volcano writes itself"), check)
