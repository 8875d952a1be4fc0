"""Keys of labels, annotations and node selectors are qualified names, and the values of labels have at most 63 characters.

The API server refuses anything else, and so does the webhook in a pod template. A node selector that is no legal label
cannot match a node. An object's annotations may hold 256 KiB in all, and on its pods Volcano sets some of its own: those count too,
though nobody counts them before the pods are made.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import claims, jobs, mappings, sequence, text, texts
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node

#: Keys and values of one object's annotations, in bytes.
MOST_ANNOTATIONS = 256 * 1024
#: Annotations that the controller copies from a job to its pods.
COPIED = ("volcano.sh/preemptable", "volcano.sh/cooldown-time", "volcano.sh/revocable-zone", "volcano.sh/jdb-min-available")

#: Fields of a pod that few have.
_RARE = frozenset(("schedulingGates", "readinessGates", "affinity", "topologySpreadConstraints"))

OF_OBJECTS = "longer or freer text goes into an annotation or a variable"
TO_FIND = "write the label's value as `kubectl get --show-labels` shows it"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        yield from _metadata(job.node.get("metadata"))
        yield from _names(find(job.node, "metadata", "finalizers"), None, "finalizer")
        for holder, key in claims(job):
            yield from _terms(find(holder, key, "selector"))
            yield from _metadata(find(holder, "metadata"))
        for task in job.tasks:
            yield from _metadata(find(task.template, "metadata"), (job, task))
            if task.pod is not None:
                yield from _pod(task.pod)


def _pod(pod: Mapping) -> Iterator[Finding]:
    yield from _labels(pod.get("nodeSelector"), TO_FIND)
    if not _RARE.isdisjoint(pod.entries):
        yield from _names(pod.get("schedulingGates"), "name", "scheduling gate")
        yield from _names(pod.get("readinessGates"), "conditionType", "type of a condition")
        for part in (pod.get("affinity"), pod.get("topologySpreadConstraints")):
            for node in walk(part) if part is not None else ():
                yield from _terms(node)


def _added(job: JobView, task: TaskView) -> dict[str, str]:
    """The annotations that Volcano sets on the last pod of a task. Source: createJobPod of its job controller."""
    own = {
        "volcano.sh/task-index": str(max(task.replicas - 1, 0)),
        "volcano.sh/task-spec": task.name,
        "volcano.sh/job-name": job.full_name,
        "volcano.sh/queue-name": text(job.spec.get("queue")) or "default",
        "volcano.sh/job-version": "0",
        "volcano.sh/job-retry-count": "0",
        "volcano.sh/template-uid": f"{job.full_name}-{task.name}",
        "scheduling.k8s.io/group-name": names.pod_group(job.full_name),
        "volcano.sh/numa-topology-policy": text(task.node.get("topologyPolicy")),
    }
    given = {key.text: str(value.value) for key, value in texts(find(job.node, "metadata", "annotations"))}
    return {key: value for key, value in {**own, **{key: given.get(key) for key in COPIED}}.items() if value}


def _metadata(metadata: Node | None, pods: tuple[JobView, TaskView] | None = None) -> Iterator[Finding]:
    """Labels and annotations; `pods`: whose pods they are of, on which Volcano sets some of its own."""
    yield from _labels(find(metadata, "labels"), OF_OBJECTS)
    annotations = find(metadata, "annotations")
    if isinstance(annotations, Mapping):
        yield from _annotations(annotations, _added(*pods) if pods is not None else {})


def _names(items: Node | None, field: str | None, what: str) -> Iterator[Finding]:
    """Qualified names in a list, or in a field of its items."""
    for item in sequence(items):
        node = item if field is None else find(item, field)
        wrong = names.qualified_name(text(node) or "")
        if node is not None and text(node) is not None and wrong is not None:
            yield Finding(f"no legal {what}: {wrong}", node.origin.span)


def _labels(labels: Node | None, help: str) -> Iterator[Finding]:
    if not isinstance(labels, Mapping):
        return
    for entry in labels.entries.values():
        wrong = names.label_key(entry.key.text)
        if wrong is not None:
            yield Finding(f"no legal label key: {wrong}", entry.key.origin.span)
        wrong = names.label_value(text(entry.value) or "")
        if wrong is not None:
            yield _value(entry.value, wrong, help)


def _value(node: Node, wrong: str, help: str) -> Finding:
    return Finding(f"no legal label value: {wrong}", node.origin.span, help)


def _annotations(annotations: Mapping, added: dict[str, str]) -> Iterator[Finding]:
    for entry in annotations.entries.values():
        wrong = names.annotation_key(entry.key.text)
        if wrong is not None:
            yield Finding(f"no legal annotation key: {wrong}", entry.key.origin.span)
    sizes = [(_bytes(key.text) + _bytes(str(value.value)), key) for key, value in texts(annotations)]
    total = sum(size for size, _ in sizes)
    others = sum(_bytes(key) + _bytes(value) for key, value in added.items())
    more = sum(size for size, key in sizes if key.text not in added) + others
    if sizes and max(total, more) > MOST_ANNOTATIONS:
        _, largest = max(sizes, key=lambda pair: pair[0])
        size = f"{total:,} bytes in all" if total > MOST_ANNOTATIONS else f"{more:,} bytes in all with the {others:,} that Volcano adds"
        yield Finding(f"the annotations have {size}, more than the {MOST_ANNOTATIONS:,} that an object may have",
                      largest.origin.span, "put large data into a ConfigMap")


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _terms(node: Node | None) -> Iterator[Finding]:
    """The labels that one part of an affinity, or a claim, looks for."""
    yield from _labels(find(node, "matchLabels"), TO_FIND)
    for expression in mappings(find(node, "matchExpressions")):
        key = expression.get("key")
        written = text(key)
        wrong = names.label_key(written) if written is not None else None
        if key is not None and wrong is not None:
            yield Finding(f"no legal label key: {wrong}", key.origin.span)
        if text(expression.get("operator")) not in ("Gt", "Lt"):  # those compare with a number
            for value in sequence(expression.get("values")):
                wrong = names.label_value(text(value) or "")
                if wrong is not None:
                    yield _value(value, wrong, TO_FIND)


RULE = ManifestRule(Code("HET105", "label-syntax", ERROR, "a label, annotation or node selector that Kubernetes refuses"), check)
