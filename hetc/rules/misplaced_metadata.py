"""A label or annotation that is read from pods and stands on the job, or the reverse.

Of a job's labels and annotations Volcano copies only a few to the pods: preemptable, cooldown-time, revocable-zone and the disruption
budget. The rest belongs to the task's template. A few keys are for pods
of Deployments and the like: a Job has fields of its own in their place.
Source: Volcano's job controller, createJobPod; where its scheduler's plugins look.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import jobs
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.rules.bad_annotation import JOB, KEYS, POD, pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest
    from hetc.rules.bad_annotation import Pair
    from hetc.site import Site

#: Keys of others that are read from pods.
OTHERS = frozenset((
    "cluster-autoscaler.kubernetes.io/safe-to-evict", "k8s.v1.cni.cncf.io/networks", "karpenter.sh/do-not-disrupt", "linkerd.io/inject",
    "prometheus.io/path", "prometheus.io/port", "prometheus.io/scrape", "sidecar.istio.io/inject",
))
#: Keys of pods that belong to no Job of Volcano's, and the field of a Job that says the same.
FIELDS = {
    "scheduling.volcano.sh/queue-name": "queue", "scheduling.volcano.sh/group-min-member": "minAvailable",
    "scheduling.volcano.sh/group-min-resources": "minAvailable", "volcano.sh/network-topology-mode": "networkTopology",
    "volcano.sh/network-topology-highest-tier": "networkTopology",
}
APPARMOR = "container.apparmor.security.beta.kubernetes.io/"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        if job.tasks:
            yield from _job(job)


def _job(job: JobView) -> Iterator[Finding]:
    every = pairs(job)
    of_job = {(pair.what, pair.name) for pair in every if pair.task is None}
    of_pods: dict[tuple[str, str], set[int]] = {}
    for pair in every:
        if pair.task is not None:
            of_pods.setdefault((pair.what, pair.name), set()).add(pair.task.index)
    for pair in every:
        key = (pair.what, pair.name)
        if pair.name in FIELDS:
            yield Finding(f"{pair.what} `{pair.name}` is for pods without a Job of Volcano's, and a Job does not look at it",
                          pair.key.origin.span, f"write `{FIELDS[pair.name]}` in the job's `spec`")
        if pair.task is None and _where(pair) == POD and len(of_pods.get(key, ())) < len(job.tasks):
            yield Finding(f"{pair.what} `{shorten(pair.name)}` is read from pods, and Volcano does not copy the job's to them",
                          pair.key.origin.span, "move it to `template.metadata` of each task")
        elif pair.task is not None and _where(pair) == JOB and key not in of_job:
            yield Finding(f"{pair.what} `{shorten(pair.name)}` is read from the job, and not from its pods", pair.key.origin.span,
                          "move it to the job's `metadata`")


def _where(pair: Pair) -> str | None:
    """Whose labels and annotations are looked at; None where either, or where nobody knows."""
    if pair.name in KEYS:
        return KEYS[pair.name].where
    return POD if pair.name in OTHERS or pair.name.startswith(APPARMOR) else None


RULE = ManifestRule(Code("HET628", "misplaced-metadata", WARNING, "a label or annotation where nobody looks for it"), check)
