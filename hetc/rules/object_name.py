"""The names of the objects that a job refers to follow the rules of those objects: no other object can exist.

Some the CRD refuses (queue, priorityClassName), some the API server; of others, such as a Secret's in `env`, nobody looks
at the syntax, and the pod waits for ever. A queue is also a pod's label, so it has at most 63 characters. Keys of Secrets
and ConfigMaps are file names: letters, digits, `-`, `_` and `.`. The same goes for the names of Volcano's other kinds,
for a pod's hostname and subdomain, and for the length of the scheduler's name.
"""
from __future__ import annotations

from hetc import names
from hetc.api import VOLCANO, api
from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import jobs, mappings, text
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from hetc.manifest import Container, JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node

    #: What a name is of, and where it stands if it is there.
    Names: TypeAlias = "Iterator[tuple[str, Node | None]]"

NAMESPACE = "namespace"
QUEUE = "queue"
KEY = "key"
LABELS = (NAMESPACE, "hostname", "subdomain")
#: Names with a length and no syntax.
FREE = {"scheduler name": names.LABEL_LENGTH, "tier name": names.SUBDOMAIN_LENGTH}
#: Fields, and what they name.
OF_JOB = {"priorityClassName": "priority class", "schedulerName": "scheduler name"}
OF_POD = {"priorityClassName": "pod priority class", "runtimeClassName": "runtime class", "nodeName": "node name",
          "hostname": "hostname", "subdomain": "subdomain"}
#: The sources of volumes that name something beside a claim.
_SOURCES = frozenset(("configMap", "ephemeral", "projected", "secret"))
#: Kinds beside jobs, and the fields of their `spec`.
OTHERS = {"PodGroup": {"queue": QUEUE, "priorityClassName": "priority class"}, "Queue": {"parent": "parent queue"},
          "HyperNode": {}, "JobFlow": {}}
#: An empty text in these places is as good as none.
OPTIONAL = (*LABELS, *FREE, QUEUE, "node name", "parent queue", "pod priority class", "service account",
            "storage class")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for names_of in (*map(_all, jobs(manifest)), _others(manifest)):
        for what, node in names_of:
            if node is None or (name := text(node)) is None or (not name and what in OPTIONAL and not manifest.emitted):
                continue
            wrong = _wrong(what, name)
            if wrong is not None:
                yield Finding(f"no legal {what}: {wrong}", node.origin.span, _help(what, name))


def _wrong(what: str, name: str) -> str | None:
    if what in LABELS:
        return names.dns1123_label(name)
    if what in FREE:
        return names.too_long(name, FREE[what])
    if what == QUEUE:
        return names.dns1123_subdomain(name) or names.too_long(name)
    return names.config_key(name) if what == KEY else names.dns1123_subdomain(name)


def _help(what: str, name: str) -> str | None:
    better = names.suggest(name) if what != KEY and what not in FREE and len(name) <= names.LABEL_LENGTH else None
    return f"did you mean `{better}`?" if better else None


def _all(job: JobView) -> Names:
    yield NAMESPACE, find(job.node, "metadata", "namespace")
    queue = job.spec.get("queue")  # nobody fills in an empty one of jobs to be
    yield QUEUE if job.kind == "Job" or text(queue) else "queue of later jobs", queue
    yield from _given(job.spec, OF_JOB)
    yield "tier name", find(job.spec, "networkTopology", "highestTierName")
    for volume in job.volumes:
        yield "claim", volume.get("volumeClaimName")
        yield "storage class", find(volume, "volumeClaim", "storageClassName")
    for task in job.tasks:
        if "partitionPolicy" in task.node.entries:
            yield "tier name", find(task.node, "partitionPolicy", "networkTopology", "highestTierName")
        if task.pod is not None:
            yield from _pod(task, task.pod)


def _others(manifest: Manifest) -> Names:
    """Names in Volcano's kinds beside jobs, and theirs."""
    for document in manifest.documents:
        group, kind = api(document)
        if group in VOLCANO and kind in OTHERS:
            yield f"name of a {kind}", find(document, "metadata", "name")
            yield NAMESPACE, find(document, "metadata", "namespace")
            yield "tier name", find(document, "spec", "tierName")
            yield from _given(document.get("spec"), OTHERS[kind])


def _given(node: Node | None, fields: dict[str, str]) -> Names:
    """Those of the fields of a mapping that are there."""
    if isinstance(node, Mapping):
        for key, what in fields.items():
            if key in node.entries:
                yield what, node.get(key)


def _pod(task: TaskView, pod: Mapping) -> Names:
    yield "service account", pod.get("serviceAccountName") or pod.get("serviceAccount")
    if not OF_POD.keys().isdisjoint(pod.entries):
        yield from _given(pod, OF_POD)
    for secret in mappings(pod.get("imagePullSecrets")):
        yield "Secret", secret.get("name")
    for volume in task.volumes:
        yield "claim", find(volume, "persistentVolumeClaim", "claimName")
        if not _SOURCES.isdisjoint(volume.entries):
            yield from _volume(volume)
    for container in task.containers():
        yield from _environment(container)


def _volume(volume: Mapping) -> Names:
    yield "storage class", find(volume, "ephemeral", "volumeClaimTemplate", "spec", "storageClassName")
    yield "Secret", find(volume, "secret", "secretName")
    for source in (volume, *mappings(find(volume, "projected", "sources"))):
        yield from _files(source)


def _files(holder: Mapping) -> Names:
    for kind, what in (("configMap", "ConfigMap"), ("secret", "Secret")):
        if kind in holder.entries:
            yield what, find(holder, kind, "name")
            for item in mappings(find(holder, kind, "items")):
                yield KEY, item.get("key")


def _environment(container: Container) -> Names:
    for variable in container.env:
        if "valueFrom" in variable.entries:
            for kind, reference in (("ConfigMap", "configMapKeyRef"), ("Secret", "secretKeyRef")):
                yield kind, find(variable, "valueFrom", reference, "name")
                yield KEY, find(variable, "valueFrom", reference, "key")
    for source in mappings(container.node.get("envFrom")):
        yield "ConfigMap", find(source, "configMapRef", "name")
        yield "Secret", find(source, "secretRef", "name")


RULE = ManifestRule(Code("HET104", "object-name", ERROR, "the name of an object or key that cannot exist"), check)
