"""An object as a cluster keeps it, without what only the cluster writes: so a file and what became of it can be compared.

Source: the defaults of Volcano's CustomResourceDefinitions, and what its mutating webhooks fill in when a Job or Queue is made.
"""
from __future__ import annotations

from hetc.api import MANAGED_BY, VOLCANO, api
from hetc.diff.effect import SERVER
from hetc.manifest import IMPLIED, number, text
from hetc.rules.owned_metadata import LAST_APPLIED, OWNERS
from hetc.schema import schemas
from hetc.tree import Entry, Mapping, Scalar, Sequence, find, is_null, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.schema import Schema, Schemas
    from hetc.tree import Node

_MAX_RETRY = 3

#: What Go's types of a pod leave out when they are written anew, as the webhook does with tasks: keys with such a value.
_LEFT_OUT: dict[str, object] = {
    **{key: {} for key in ("metadata", "resources", "limits", "requests", "labels", "annotations")},
    **dict.fromkeys(("hostNetwork", "hostPID", "hostIPC", "stdin", "stdinOnce", "tty", "readOnly"), False),
    **dict.fromkeys(("value", "subPath", "workingDir"), ""),
}


def stored(document: Mapping) -> Mapping:
    """The object that a document makes, and the same for one that comes from a cluster."""
    group, kind = api(document)
    node = _without_server(document)
    if group in VOLCANO and kind in VOLCANO[group][1]:
        known = schemas(kind)
        node = _filled(node, known.top, known)
    spec = node.get("spec")
    if not isinstance(spec, Mapping):
        return node
    if (group, kind) == ("batch.volcano.sh", "Job"):
        return _changed(node, spec=_job(spec))
    return _changed(node, spec=_absent(spec, reclaimable=True)) if (group, kind) == ("scheduling.volcano.sh", "Queue") else node


def _without_server(document: Mapping) -> Mapping:
    metadata = document.get("metadata")
    if isinstance(metadata, Mapping):
        metadata = Mapping({key: entry for key, entry in metadata.entries.items() if key not in SERVER}, metadata.origin)
        for key in ("labels", "annotations"):
            pairs = metadata.get(key)
            if isinstance(pairs, Mapping):
                own = {name: entry for name, entry in pairs.entries.items() if name == MANAGED_BY or name not in (*OWNERS, LAST_APPLIED)}
                metadata = _changed(metadata, **{key: Mapping(own, pairs.origin) if own else None})
    return _changed(document, status=None, metadata=metadata)


def _filled(node: Mapping, schema: Schema, known: Schemas) -> Mapping:
    """A mapping with the defaults of its schema, without what Kubernetes drops."""
    properties = known.resolved(schema).get("properties", {})
    entries: dict[str, Entry] = {}
    for key, entry in node.entries.items():
        value = _below(entry.value, properties.get(key, {}), known)
        if not is_null(value) and not (key in _LEFT_OUT and _LEFT_OUT[key] == plain(value)):
            entries[key] = Entry(entry.key, value)
    for key, each in properties.items():
        default = known.resolved(each).get("default")
        if key not in entries and default is not None:
            entries[key] = _entry(key, Scalar(default, node.origin))
    return Mapping(entries, node.origin)


def _below(node: Node, schema: Schema, known: Schemas) -> Node:
    if isinstance(node, Sequence):
        items = known.resolved(schema).get("items", {})
        return Sequence([_below(item, items, known) for item in node.items], node.origin)
    return _filled(node, schema, known) if isinstance(node, Mapping) else node


def _job(spec: Mapping) -> Mapping:
    """The spec of a Job as the webhook completes it, without the names of claims that the controller makes."""
    tasks = spec.get("tasks")
    found = [_task(item, at) for at, item in enumerate(tasks.items)] if isinstance(tasks, Sequence) else []
    total = sum(number(find(task, "minAvailable")) or 0 for task in found)
    spec = _absent(spec, queue="default", schedulerName="volcano", maxRetry=_MAX_RETRY, minAvailable=total)
    if isinstance(tasks, Sequence):
        spec = _changed(spec, tasks=Sequence(found, tasks.origin))
    volumes = spec.get("volumes")
    if isinstance(volumes, Sequence):
        spec = _changed(spec, volumes=Sequence([_claim(item) for item in volumes.items], volumes.origin))
    plugins = spec.get("plugins")
    return _changed(spec, plugins=_plugins(plugins)) if isinstance(plugins, Mapping) else spec


def _task(task: Node, at: int) -> Node:
    if not isinstance(task, Mapping):
        return task
    groups, size = (number(find(task, "partitionPolicy", key)) or 0 for key in ("minPartitions", "partitionSize"))
    minimum = groups * size or number(task.get("replicas")) or 0
    if task.get("minAvailable") is None:
        task = _changed(task, minAvailable=Scalar(minimum, task.origin))
    task = _absent(task, name=f"default{at}", maxRetry=_MAX_RETRY, replicas=0)
    pod = find(task, "template", "spec")
    template, host = task.get("template"), find(pod, "hostNetwork")
    if isinstance(template, Mapping) and isinstance(pod, Mapping) and isinstance(host, Scalar) and host.value is True:
        return _changed(task, template=_changed(template, spec=_absent(pod, dnsPolicy="ClusterFirstWithHostNet")))
    return task


def _claim(volume: Node) -> Node:
    return _changed(volume, volumeClaimName=None) if isinstance(volume, Mapping) and volume.get("volumeClaim") is not None else volume


def _plugins(plugins: Mapping) -> Mapping:
    implied = dict.fromkeys(other for name in plugins.entries for other in IMPLIED.get(name, ()) if other not in plugins.entries)
    return _changed(plugins, **{name: Sequence([], plugins.origin) for name in implied})


def _absent(node: Mapping, **values: str | int) -> Mapping:
    """A mapping with values where it has none, or an empty one."""
    added = {key: Scalar(value, node.origin) for key, value in values.items() if not _given(node.get(key))}
    return _changed(node, **added)


def _given(node: Node | None) -> bool:
    return isinstance(node, Scalar) and (text(node) != "" if isinstance(node.value, str) else node.value is False or bool(node.value))


def _changed(node: Mapping, **values: Node | None) -> Mapping:
    """A mapping with other values; None leaves a key out."""
    entries = {key: entry for key, entry in node.entries.items() if values.get(key, entry) is not None}
    entries.update((key, _entry(key, value)) for key, value in values.items() if value is not None)
    return Mapping(entries, node.origin)


def _entry(key: str, value: Node) -> Entry:
    return Entry(Scalar(key, value.origin), value)
