"""Located Kubernetes data, and typed views of the parts that rules look at. No rules here.

Views take any tree: what has the wrong type reads as absent, and is for other rules to report.
"""
from __future__ import annotations

from hetc.api import KUBERNETES, VOLCANO, api
from hetc.names import cron_run, flow_job, normal
from hetc.origin import WRITTEN
from hetc.quantity import QuantityError, parse
from hetc.record import Record, kept
from hetc.tree import Mapping, Scalar, Sequence, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from hetc.quantity import Quantity
    from hetc.source import Source, Span
    from hetc.tree import Node

    #: An entry of a container's `env`, behind those whose it is.
    Variable: TypeAlias = "tuple[TaskView, Container, Mapping]"


#: The kinds of objects that documents in other files may lean on, with their API groups.
GIVEN = frozenset((("scheduling.volcano.sh", "Queue"), ("topology.volcano.sh", "HyperNode"), ("", "Node")))


class Given(Record):
    """Objects of the kinds in GIVEN that are known beside a manifest: those in other files of the run, and the cluster's.

    `listed`: the kinds of which the cluster has no others.
    """

    documents: tuple[Mapping, ...] = ()
    listed: frozenset[str] = frozenset()

    def without(self, name: str) -> Given:
        """The same without the objects of one file."""
        others = tuple(each for each in self.documents if each.origin.span.source.name != name)
        return self if len(others) == len(self.documents) else Given(others, self.listed)


class Manifest(Record):
    """Documents of Kubernetes data. `emitted`: hetc made them, so what it would emit wrongly is an error.

    `given`: objects that jobs and queues here may lean on. `parts`: they are parts of objects, as patches are.
    """

    documents: tuple[Mapping, ...]
    emitted: bool = False
    given: Given = Given()
    parts: bool = False

    def objects(self, kind: str) -> dict[str, Mapping]:
        """Name -> object of a kind in GIVEN; one that stands in the manifest goes before one that is given."""
        return self._objects.get(kind, {})

    @kept
    def _objects(self) -> dict[str, dict[str, Mapping]]:
        found: dict[str, dict[str, Mapping]] = {}
        for document in (*self.given.documents, *self.documents):
            what, name = api(document), text(find(document, "metadata", "name"))
            if what in GIVEN and name:
                found.setdefault(what[1], {})[name] = document
        return found

    @kept
    def jobs(self) -> tuple[JobView, ...]:
        return tuple(_jobs(self))

    @kept
    def tasks(self) -> tuple[TaskView, ...]:
        return tuple(task for job in self.jobs for task in job.tasks)

    @kept
    def containers(self) -> tuple[Container, ...]:
        return tuple(container for task in self.tasks for container in task.containers())

    @kept
    def sources(self) -> frozenset[Source]:
        """The texts in which the documents begin."""
        return frozenset(document.origin.span.source for document in self.documents)

    @kept
    def refers(self) -> bool:
        """Whether a text may refer to a variable, by `$(NAME)`: of documents by hand their text tells, unless escapes hide it.

        All of the text: through an alias an object in a `List` may have what stands outside of it.
        """
        return self.emitted or any(sign in source.text for source in self.sources for sign in ("$(", "\\"))

    @kept
    def pods(self) -> tuple[PodView, ...]:
        return tuple(_pods(self))


#: Plugins that Volcano's mutating webhook adds for others.
IMPLIED: dict[str, tuple[str, ...]] = {"mpi": ("ssh", "svc"), "pytorch": ("svc",), "ray": ("svc",), "tensorflow": ("svc",)}

#: Where the kinds of Kubernetes that make pods have the pod's template: the way to a mapping of `metadata` and `spec`.
TEMPLATES: dict[str, tuple[str, ...]] = {
    "Pod": (),
    "PodTemplate": ("template",),
    **dict.fromkeys(("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job"), ("spec", "template")),
    "CronJob": ("spec", "jobTemplate", "spec", "template"),
}


class Container(Record):
    """A container of a pod; `list` is `containers`, `initContainers` or `ephemeralContainers`."""

    node: Mapping
    list: str

    @kept
    def name(self) -> str:
        return text(self.node.get("name")) or ""

    @kept
    def mounts(self) -> tuple[Mapping, ...]:
        return tuple(mappings(self.node.get("volumeMounts")))

    @kept
    def env(self) -> tuple[Mapping, ...]:
        return tuple(mappings(self.node.get("env")))


class TaskView(Record):
    """One entry of `spec.tasks`; `index` is its place in the list."""

    node: Mapping
    index: int

    @kept
    def name(self) -> str:
        return text(self.node.get("name")) or f"default{self.index}"

    @property
    def name_span(self) -> Span:
        """Where the task's name is written, else where the task is."""
        return (self.node.get("name") or self.node).origin.span

    @kept
    def replicas(self) -> int:
        return number(self.node.get("replicas")) or 0

    @property
    def template(self) -> Node | None:
        return self.node.get("template")

    @kept
    def pod(self) -> Mapping | None:
        """The pod's spec."""
        spec = find(self.node, "template", "spec")
        return spec if isinstance(spec, Mapping) else None

    @kept
    def volumes(self) -> list[Mapping]:
        return mappings(self.pod and self.pod.get("volumes"))

    def containers(self) -> list[Container]:
        """All containers: init containers first, as they start."""
        return self._containers

    @kept
    def _containers(self) -> list[Container]:
        return [
            Container(item, key)
            for key in ("initContainers", "containers")
            for item in mappings(self.pod and self.pod.get(key))
        ]


#: What the API server appends to a `generateName`, after it has cut it to GENERATED_BASE characters.
GENERATED_SUFFIX = "xxxxx"
GENERATED_BASE = 58


class JobView(Record):
    """A Volcano Job, or what a CronJob, a JobTemplate or a JobFlow's patch says of the Jobs to be.

    `node` has the `metadata` that names it and the Job's `spec`, wherever they stand in `document`; of a Job it is the
    document. `kind` is the document's. `flow` is the name of a JobFlow that makes Jobs of a JobTemplate.
    """

    node: Mapping
    kind: str = "Job"
    document: Mapping | None = None
    flow: str | None = None

    @property
    def name(self) -> str:
        """The Job's name; empty where Volcano or the API server makes one up."""
        return self.written_name if self.kind == "Job" else ""

    @kept
    def written_name(self) -> str:
        """The `metadata.name` of the document, whatever its kind."""
        return text(find(self.node, "metadata", "name")) or ""

    @kept
    def full_name(self) -> str:
        """The name, or where it is made up one of the right length, as short as it can be."""
        prefix = text(find(self.node, "metadata", "generateName")) or ""
        name = self.written_name or (prefix and prefix[:GENERATED_BASE] + GENERATED_SUFFIX)
        if self.kind == "CronJob":
            return name and cron_run(name)
        if self.kind == "JobTemplate":
            return name and flow_job(self.flow or "f", name)
        return name

    @property
    def name_span(self) -> Span:
        """Where the job's name or `generateName` is written, else where the job is."""
        metadata = find(self.node, "metadata")
        node = find(metadata, "name") or find(metadata, "generateName") or self.node
        return node.origin.span

    @property
    def namespace(self) -> str | None:
        return text(find(self.node, "metadata", "namespace"))

    @kept
    def spec(self) -> Mapping:
        spec = self.node.get("spec")
        return spec if isinstance(spec, Mapping) else Mapping({}, self.node.origin)

    @kept
    def volumes(self) -> list[Mapping]:
        """The entries of `spec.volumes`, which every container gets."""
        return mappings(self.spec.get("volumes"))

    @kept
    def tasks(self) -> list[TaskView]:
        tasks = self.spec.get("tasks")
        items = tasks.items if isinstance(tasks, Sequence) else []
        return [TaskView(item, index) for index, item in enumerate(items) if isinstance(item, Mapping)]

    @kept
    def variables(self) -> dict[str, list[Variable]]:
        """Name -> the variables of that name in all containers."""
        found: dict[str, list[Variable]] = {}
        for task in self.tasks:
            for container in task.containers():
                for node in container.env:
                    name = text(node.get("name"))
                    if name is not None:
                        found.setdefault(name, []).append((task, container, node))
        return found

    @kept
    def replicas(self) -> int:
        """The pods of all tasks together."""
        return sum(task.replicas for task in self.tasks)

    @kept
    def plugins(self) -> frozenset[str]:
        """The plugins that run: those with arguments (null counts as absent), and those that Volcano adds for them."""
        asked = {name for name in _names(self.spec.get("plugins")) if not is_null(self.plugin(name))}
        return frozenset(asked.union(*(IMPLIED.get(name, ()) for name in asked)))

    def plugin_span(self, name: str) -> Span | None:
        """Where somebody wrote that a plugin is on; None where only Volcano or hetc put it there."""
        plugins = self.spec.get("plugins")
        for each in (name, *(asker for asker, implied in IMPLIED.items() if name in implied)):
            entry = plugins.entries.get(each) if isinstance(plugins, Mapping) else None
            if entry is not None and entry.key.origin.how == WRITTEN and not is_null(entry.value):
                return entry.key.origin.span
        return None

    def plugin(self, name: str) -> Node | None:
        """The arguments of a plugin, None where it is off."""
        return find(self.spec, "plugins", name)

    def argument(self, plugin: str, name: str) -> str | None:
        """The text that a plugin takes for a flag: `--NAME=TEXT`, `-NAME=TEXT`, or two items; the last one counts."""
        items = [text(item) or "" for item in sequence(self.plugin(plugin))]
        value = None
        for index, item in enumerate(items):
            flag, equals, given = item.removeprefix("-").removeprefix("-").partition("=")
            if item.startswith("-") and flag == name:
                value = given if equals else items[index + 1] if index + 1 < len(items) else None
        return value

    def flag(self, plugin: str, name: str) -> Scalar | None:
        """The argument `--NAME=…` of a plugin as hetc writes it."""
        for item in sequence(self.plugin(plugin)):
            if isinstance(item, Scalar) and str(item.value).startswith(f"--{name}="):
                return item
        return None


def _names(node: Node | None) -> Iterable[str]:
    return node.entries if isinstance(node, Mapping) else ()


class PodView(Record):
    """A pod, or the template of pods, of any kind of document.

    `node` is the mapping of `metadata` and `spec`. `owner` is what a message calls whose pod it is: task `worker`.
    """

    node: Mapping
    owner: str
    document: Mapping

    @property
    def metadata(self) -> Mapping | None:
        metadata = self.node.get("metadata")
        return metadata if isinstance(metadata, Mapping) else None

    @property
    def spec(self) -> Mapping | None:
        spec = self.node.get("spec")
        return spec if isinstance(spec, Mapping) else None

    @property
    def volumes(self) -> list[Mapping]:
        return mappings(find(self.spec, "volumes"))

    def containers(self) -> list[Container]:
        """All containers: init containers first, as they start, those for debugging last."""
        return self._containers

    @kept
    def _containers(self) -> list[Container]:
        return [
            Container(item, key)
            for key in ("initContainers", "containers", "ephemeralContainers")
            for item in mappings(find(self.spec, key))
        ]


def jobs(manifest: Manifest) -> tuple[JobView, ...]:
    """The Volcano Jobs among the documents, and those that CronJobs and JobTemplates are for."""
    return manifest.jobs


def _jobs(manifest: Manifest) -> Iterator[JobView]:
    flows: dict[str, str] | None = None
    for document in manifest.documents:
        what = api(document)
        if what == ("batch.volcano.sh", "Job"):
            yield JobView(document, "Job", document)
        elif what == ("batch.volcano.sh", "CronJob"):
            yield JobView(_job(document, find(document, "spec", "jobTemplate")), "CronJob", document)
        elif what == ("flow.volcano.sh", "JobTemplate"):
            flows = _flows(manifest) if flows is None else flows
            yield JobView(document, "JobTemplate", document, flows.get(text(find(document, "metadata", "name")) or ""))


def _job(document: Mapping, holder: Node | None) -> Mapping:
    """The job that a document makes: named by the document's metadata, with the `spec` of `holder`."""
    entries = {key: document.entries[key] for key in ("metadata",) if key in document.entries}
    if isinstance(holder, Mapping) and "spec" in holder.entries:
        entries["spec"] = holder.entries["spec"]
    return Mapping(entries, document.origin)


def _flows(manifest: Manifest) -> dict[str, str]:
    """The names of JobTemplates that JobFlows among the documents make jobs of -> the longest name of such a JobFlow."""
    found: dict[str, str] = {}
    for flow in documents_of((*manifest.documents, *manifest.given.documents), "JobFlow"):
        name = text(find(flow, "metadata", "name")) or ""
        for each in mappings(find(flow, "spec", "flows")):
            template = text(each.get("name"))
            if template:
                found[template] = max(found.get(template, name), name, key=len)
    return found


def pods(manifest: Manifest) -> tuple[PodView, ...]:
    """All pods and templates of pods, in Volcano's kinds and in those of Kubernetes."""
    return manifest.pods


def _pods(manifest: Manifest) -> Iterator[PodView]:
    for document in manifest.documents:
        group, kind = api(document)
        if group in VOLCANO:
            yield from _volcano_pods(document, kind)
        elif group in KUBERNETES and kind in TEMPLATES:
            node = find(document, *TEMPLATES[kind])
            if isinstance(node, Mapping):
                yield PodView(node, f"{kind} `{text(find(document, 'metadata', 'name')) or ''}`", document)


def _volcano_pods(document: Mapping, kind: str) -> Iterator[PodView]:
    spec = document.get("spec")
    flows = mappings(find(spec, "flows")) if kind == "JobFlow" else []
    for job in (spec, find(spec, "jobTemplate", "spec"), *(find(flow, "patch", "jobSpec") for flow in flows)):
        for index, task in enumerate(sequence(find(job, "tasks"))):
            template = find(task, "template")
            if isinstance(task, Mapping) and isinstance(template, Mapping):
                yield PodView(template, f"task `{TaskView(task, index).name}`", document)


def words(manifest: Manifest) -> frozenset[str]:
    """What there is for rules to look at: the kinds of all documents, and their keys in the spelling of `names.normal`.

    What was read as it stands in one text has at most the keys of that text.
    """
    keys = _keys(manifest.documents) if manifest.emitted or len(manifest.sources) != 1 else next(iter(manifest.sources)).keys
    kinds = (api(document)[1] for document in (*manifest.documents, *manifest.given.documents))
    return frozenset((*map(normal, keys), *kinds, *manifest.given.listed))


def _keys(documents: tuple[Mapping, ...]) -> set[str]:
    keys: set[str] = set()
    seen: set[int] = set()
    todo: list[Node] = list(documents)
    while todo:
        node = todo.pop()
        if isinstance(node, Mapping) and id(node) not in seen:
            seen.add(id(node))  # aliases may lead to it again and again
            keys.update(node.entries)
            todo.extend(entry.value for entry in node.entries.values() if not isinstance(entry.value, Scalar))
            todo.extend(entry.value for entry in node.shadowed or ())
        elif isinstance(node, Sequence) and id(node) not in seen:
            seen.add(id(node))
            todo.extend(item for item in node.items if not isinstance(item, Scalar))
    return keys


def documents_of(documents: Iterable[Mapping], kind: str) -> Iterator[Mapping]:
    """The documents of a kind of Volcano's."""
    return (document for document in documents if api(document)[0] in VOLCANO and api(document)[1] == kind)


def tasks(manifest: Manifest) -> tuple[TaskView, ...]:
    """The tasks of all jobs."""
    return manifest.tasks


def claims(job: JobView) -> Iterator[tuple[Mapping, str]]:
    """The specs of claims that a job makes for itself and for each pod, each as the field `key` of a mapping: mapping and key."""
    for volume in job.volumes:
        yield volume, "volumeClaim"
    for task in job.tasks:
        for volume in task.volumes:
            template = find(volume, "ephemeral", "volumeClaimTemplate")
            if isinstance(template, Mapping):
                yield template, "spec"


def containers(manifest: Manifest) -> tuple[Container, ...]:
    """The containers of all tasks of all jobs."""
    return manifest.containers


def present(node: Mapping, *keys: str) -> list[str]:
    """Those of the keys that have a value: the API server drops what is null."""
    return [key for key in keys if key in node.entries and not is_null(node.get(key))]


def text(node: Node | None) -> str | None:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def number(node: Node | None) -> int | None:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool) else None


def amount(node: Node | None) -> Quantity | None:
    """A quantity as Kubernetes reads it; None for what is none, and for a fraction or boolean, which its schemas refuse."""
    value = node.value if isinstance(node, Scalar) else None
    if value is None or isinstance(value, (bool, float)):
        return None
    try:
        return parse(str(value))
    except QuantityError:
        return None


def sequence(node: Node | None) -> list[Node]:
    return node.items if isinstance(node, Sequence) else []


def mappings(node: Node | None) -> list[Mapping]:
    return [item for item in node.items if isinstance(item, Mapping)] if isinstance(node, Sequence) else []


def texts(node: Node | None) -> Iterator[tuple[Scalar, Scalar]]:
    """Key and value of a mapping's string entries."""
    if isinstance(node, Mapping):
        for entry in node.entries.values():
            if isinstance(entry.value, Scalar) and isinstance(entry.value.value, str):
                yield entry.key, entry.value
