"""Labels and annotations that hetc, Volcano or kubectl write themselves.

Volcano's controller overwrites most of them on pods; others the scheduler and the device plugins believe. The managed-by label
is hetc's. `kubectl apply` keeps its own copy of the object in an annotation, and takes what stands there for what was applied
last. Most of these keys mean something only as a label, or only as an annotation: as the other kind nobody reads them.
Source: pkg/controllers/job/job_controller_util.go (createJobPod), pkg/controllers/jobflow, pkg/scheduler/api.
"""
from __future__ import annotations

from hetc import scheduling
from hetc.api import MANAGED_BY
from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.names import shorten
from hetc.rule import JobRule
from hetc.tree import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job
    from hetc.origin import Located
    from hetc.site import Site
    from hetc.tree import Entry

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_BOTH = ("job-name", "task-spec", "task-index", "queue-name", "job-forwarding", "createdByJobFlow", "createdByJobTemplate")
_LABELS = ("job-namespace", "partition-id")
_ANNOTATIONS = (
    "job-version", "job-retry-count", "template-uid", "controller-out-of-sync", "job-allocated-hypernode", "topology-decision",
    "vgpu-ids-new", "vgpu-time", "vgpu-node", "devices-to-allocate", "bind-time", "bind-phase", "gpu-index", "predicate-time",
    "cronjob-scheduled-timestamp",
)


def _volcano(*names: str) -> dict[str, str]:
    return {f"volcano.sh/{name}": "Volcano" for name in names}


#: The keys of each kind, and whose they are.
OWNED: dict[str, dict[str, str]] = {
    "label": {MANAGED_BY: "hetc", **_volcano(*_BOTH, *_LABELS)},
    "annotation": {LAST_APPLIED: "kubectl", "scheduling.k8s.io/group-name": "Volcano", **_volcano(*_BOTH, *_ANNOTATIONS)},
}
#: Those of hetc and Volcano, of either kind.
OWNERS = {key: owner for keys in OWNED.values() for key, owner in keys.items() if key != LAST_APPLIED}
OTHER = {"label": "annotation", "annotation": "label"}


def check(job: Job, site: Site) -> Iterator[Finding]:
    labels = [job.labels, *(task.labels for task in job.tasks)]
    annotations = [job.annotations, *(task.annotations for task in job.tasks)]
    for kind, holders in (("label", labels), ("annotation", annotations)):
        for key in (key for pairs in holders for key, _ in pairs):
            yield from _key(kind, key)
    yield from _scheduling(job.annotations, scheduling.of_job(job))
    for task in job.tasks:
        yield from _scheduling(task.annotations, scheduling.of_pod(task))


def _scheduling(annotations: tuple[tuple[Located[str], Located[str]], ...], written: dict[str, Entry]) -> Iterator[Finding]:
    """Annotations that hetc writes for keys of `scheduling`, or for `vgpu`."""
    for key, value in annotations:
        entry = written.get(key.value)
        if entry is not None and plain(entry.value) != value.value:
            yield Finding(f"annotation `{key.value}` is `{shorten(value.value)}`, and hetc writes `{shorten(str(plain(entry.value)))}`",
                          key.span, "leave it out", (Label(entry.value.origin.span, "what hetc writes it for"),))


def _key(kind: str, key: Located[str]) -> Iterator[Finding]:
    owner = OWNED[kind].get(key.value)
    if owner is not None:
        yield Finding(f"{kind} `{key.value}` is {owner}'s own", key.span, "leave it out, or choose another key")
    elif key.value in OWNED[OTHER[kind]]:
        owner = OWNED[OTHER[kind]][key.value]
        yield Finding(f"`{key.value}` is {owner}'s own {OTHER[kind]}, and as {'a' if kind == 'label' else 'an'} {kind} nobody reads it",
                      key.span, "leave it out, or choose another key", level=WARNING)


RULE = JobRule(Code("HET610", "owned-metadata", ERROR, "a label or annotation that hetc, Volcano or kubectl writes itself"), check)
