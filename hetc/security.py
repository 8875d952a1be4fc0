"""Pods as whoever reads their manifest sees them: what the security rules look at.

A rule that bans a value must not miss it because of how it is written. So a key counts in any spelling (`HostPath`,
`host_path`), and of a key given twice both values count, since YAML readers differ in which one they keep. Pods are found
in every kind that makes some, whether or not the cluster would make them of this document.
"""
from __future__ import annotations

from functools import lru_cache

from hetc.api import KUBERNETES, api
from hetc.diagnostic import Label
from hetc.manifest import TEMPLATES, text
from hetc.names import normal, shorten
from hetc.record import Record, kept, once
from hetc.tree import Entry, Mapping, Scalar, Sequence, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hetc.manifest import Manifest
    from hetc.source import Span
    from hetc.tree import Node

#: The lists of a pod's containers, and what a message calls one of each.
CONTAINERS = {"initContainers": "init container", "containers": "container", "ephemeralContainers": "ephemeral container"}

CONTEXT = "securityContext"

#: The kinds of volumes beside configMap, secret, emptyDir, persistentVolumeClaim, projected, downwardAPI and ephemeral, which every
#: pod may have, and hostPath, which none may. A site may allow some. Source: core/v1, VolumeSource.
OTHER_VOLUMES = (
    "awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "csi", "fc", "flexVolume", "flocker", "gcePersistentDisk",
    "gitRepo", "glusterfs", "image", "iscsi", "nfs", "photonPersistentDisk", "portworxVolume", "quobyte", "rbd", "scaleIO", "storageos",
    "vsphereVolume",
)

#: Where the `spec` of Volcano's kinds has that of a job. `patch.spec` is what older documentation calls `patch.jobSpec`.
_JOBS = ((), ("jobTemplate", "spec"), ("flows", "patch", "jobSpec"), ("flows", "patch", "spec"), ("replicatedJobs", "templateSpec"))
#: Texts that stand for false where a boolean is meant; every other text may be taken for true.
_FALSE = frozenset(("", "false", "no", "off", "n", "f", "0", "null", "none"))


class Place(Record):
    """A part of a pod. `who` is what messages call it: task `worker`, container `main`."""

    who: str
    node: Mapping

    @kept
    def contexts(self) -> list[tuple[Scalar, Node]]:
        """Its security contexts, each behind its key."""
        return [(entry.key, node) for _, entry in entries(self.node, CONTEXT) for node in flat(entry.value)]


class Pod(Place):
    """The spec of a pod; `template` is what it stands in."""

    template: Node

    @kept
    def annotations(self) -> tuple[Mapping, ...]:
        """The annotations of the pod itself."""
        return tuple(each for each in reach(self.template, "metadata", "annotations") if isinstance(each, Mapping))


class Setting(Record):
    """A key and its value in a part of a pod.

    `name` is the key in the API's own spelling, `path` what stands before it in a message: `seLinuxOptions.`. `above` is the
    key of the security context that it is in.
    """

    name: str
    entry: Entry
    place: Place
    path: str = ""
    above: Scalar | None = None

    @property
    def who(self) -> str:
        return self.place.who

    @property
    def value(self) -> Node:
        return self.entry.value

    @property
    def span(self) -> Span:
        return self.entry.key.origin.span

    @property
    def shown(self) -> str:
        """The setting in a message: `` `privileged: true` ``; a key in an odd spelling with the usual one."""
        key, value = self.entry.key.text, f": {_written(self.value)}" if isinstance(self.value, Scalar) else ""
        return f"`{self.path}{shorten(key)}{value}`" + ("" if key == self.name else f" (read as `{self.path}{self.name}`)")

    @property
    def related(self) -> tuple[Label, ...]:
        """Where the setting comes into the pod from elsewhere, and its security context where that is misspelt."""
        labels = elsewhere(self.span, self.place)
        if self.above is not None and self.above.text != CONTEXT:
            labels += (Label(self.above.origin.span, f"`{shorten(self.above.text)}` is read as `{CONTEXT}`"),)
        return labels


def elsewhere(span: Span, place: Place) -> tuple[Label, ...]:
    """The part of a pod that something comes into through an alias or a merge key; nothing where it is written there."""
    around = place.node.origin.span
    inside = span.source is around.source and around.start <= span.start < max(around.end, around.start + 1)
    return () if inside else (Label((place.node.get("name") or place.node).origin.span, f"it comes to {place.who} here"),)


def _written(value: Scalar) -> str:
    return shorten(value.text) if value.plain or not isinstance(value.value, str) else f'"{shorten(value.text)}"'


def entries(node: Node, *names: str) -> list[tuple[str, Entry]]:
    """The entries of a mapping that a reader may take for those of `names`, each with the name; null is absent."""
    if not isinstance(node, Mapping):
        return []
    wanted = _wanted(names)
    found = [(wanted[key], entry) for each, entry in _all(node) if (key := normal(each)) in wanted]
    return [each for each in found if not is_null(each[1].value)] if found else found


def _all(mapping: Mapping) -> Iterable[tuple[str, Entry]]:
    """Keys and entries, those of keys given twice too."""
    items = mapping.entries.items()
    return items if not mapping.shadowed else [*items, *((entry.key.text, entry) for entry in mapping.shadowed)]


@lru_cache(256)
def _wanted(names: tuple[str, ...]) -> dict[str, str]:
    return {normal(name): name for name in names}


def flat(node: Node) -> list[Node]:
    """The items of a list, however deep, or the node itself."""
    return [below for item in node.items for below in flat(item)] if isinstance(node, Sequence) else [node]


def reach(node: Node, *path: str) -> list[Node]:
    """All that a path leads to, through every item of the lists on its way; null is absent."""
    found = flat(node)
    for key in map(normal, path):
        above, found = found, []
        for each, entry in (pair for node in above if isinstance(node, Mapping) for pair in _all(node)):
            if normal(each) == key and not is_null(entry.value):
                found += flat(entry.value)
    return found


def on(node: Node) -> bool:
    """Whether a reader may take a value for true: the boolean, or text that is no word for false (`"true"`)."""
    if not isinstance(node, Scalar) or node.value is None:
        return False
    return node.text.lower() not in _FALSE if isinstance(node.value, str) else bool(node.value)


def not_boolean(node: Node) -> str:
    """What a message adds where a boolean is written as something else."""
    return "" if isinstance(node, Scalar) and isinstance(node.value, bool) else "; a boolean is meant"


@once
def pods(manifest: Manifest) -> tuple[Pod, ...]:
    """The pods of all documents that make some."""
    return tuple(pod for document in manifest.documents for template, who in _templates(document) for pod in _pods(template, who))


@once
def places(manifest: Manifest) -> tuple[Place, ...]:
    """All pods, each before its containers."""
    return tuple(place for pod in pods(manifest) for place in (pod, *containers(pod)))


def _templates(document: Mapping) -> Iterator[tuple[Node, str]]:
    """The templates of a document's pods, and what a message calls whose they are."""
    for task in (task for job in jobs(document) for task in reach(job, "tasks")):
        for template in reach(task, "template"):
            yield template, f"task `{name(task)}`"
    group, kind = api(document)
    if group in KUBERNETES and kind in TEMPLATES:
        for template in reach(document, *TEMPLATES[kind]):
            yield template, f"{kind} `{document_name(document)}`"


def jobs(document: Mapping) -> Iterator[Node]:
    """The specs of a document's Volcano jobs; other kinds have the same keys and nothing of a job below them."""
    specs = reach(document, "spec")
    return (job for path in _JOBS for spec in specs for job in reach(spec, *path))


def _pods(template: Node, who: str) -> Iterator[Pod]:
    return (Pod(who, spec, template) for spec in reach(template, "spec") if isinstance(spec, Mapping))


def containers(pod: Pod) -> Iterator[Place]:
    """The containers of a pod, of every list."""
    for key, entry in entries(pod.node, *CONTAINERS):
        for node in flat(entry.value):
            if isinstance(node, Mapping):
                yield Place(f"{CONTAINERS[key]} `{name(node)}`", node)


def settings(manifest: Manifest, *names: str) -> Iterator[Setting]:
    """Settings by name in the security contexts of pods and containers, at whichever of the two the API knows them.

    Those that stand beside a security context, where they belong into it, are among them.
    """
    for place in places(manifest):
        for name, entry in entries(place.node, *names):
            yield Setting(name, entry, place)
        for key, context in place.contexts:
            for name, entry in entries(context, *names):
                yield Setting(name, entry, place, "", key)


def below(settings: Iterable[Setting], *names: str) -> Iterator[Setting]:
    """Settings one level further down, such as `type` of each `seLinuxOptions`."""
    for setting in settings:
        for node in flat(setting.value):
            for name, entry in entries(node, *names):
                yield Setting(name, entry, setting.place, f"{setting.path}{setting.name}.", setting.above)


def claims(manifest: Manifest) -> Iterator[tuple[Place, Node]]:
    """The specs of claims: those that stand alone, and those that a job or a pod makes for itself."""
    for document in manifest.documents:
        kind = api(document)[1]
        who = f"{kind} `{document_name(document)}`"
        for path in ((), ("volumeClaimTemplates", "spec")):
            for claim in reach(document, "spec", *path) if path or kind == "PersistentVolumeClaim" else ():
                yield Place(who, document), claim
        for volume in (volume for job in jobs(document) for volume in reach(job, "volumes")):
            mount = next((each.text for each in reach(volume, "mountPath") if isinstance(each, Scalar)), "")
            for claim in reach(volume, "volumeClaim"):
                yield Place(f"the job's volume at `{shorten(mount)}`", document), claim
    for pod in pods(manifest):
        for volume in reach(pod.node, "volumes"):
            for claim in reach(volume, "ephemeral", "volumeClaimTemplate", "spec"):
                yield Place(volume_of(volume, pod).who, pod.node), claim


def volume_of(volume: Node, pod: Pod) -> Place:
    return Place(f"volume `{name(volume)}` of {pod.who}", pod.node)


def name(node: Node) -> str:
    """The `name` of a mapping, for messages; empty without one."""
    return shorten(text(node.get("name")) or "") if isinstance(node, Mapping) else ""


def document_name(document: Mapping) -> str:
    """The name of a document, for messages."""
    return next((name(each) for each in reach(document, "metadata")), "")
