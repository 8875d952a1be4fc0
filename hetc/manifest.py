"""Located Kubernetes data, and typed views of the parts that rules look at. No rules here.

Views take any tree: what has the wrong type reads as absent, and is for other rules to report.
"""
from __future__ import annotations

from hetc.record import Record
from hetc.tree import Mapping, Scalar, Sequence, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.source import Span
    from hetc.tree import Node


class Manifest(Record):
    """Documents of Kubernetes data. `emitted`: hetc made them, so what it would emit wrongly is an error."""

    documents: tuple[Mapping, ...]
    emitted: bool = False


class Container(Record):
    """A container of a pod; `list` is `containers` or `initContainers`."""

    node: Mapping
    list: str

    @property
    def name(self) -> str:
        return text(self.node.get("name")) or ""


class TaskView(Record):
    """One entry of `spec.tasks`; `index` is its place in the list."""

    node: Mapping
    index: int

    @property
    def name(self) -> str:
        return text(self.node.get("name")) or f"default{self.index}"

    @property
    def replicas(self) -> int:
        return number(self.node.get("replicas")) or 0

    @property
    def template(self) -> Node | None:
        return self.node.get("template")

    @property
    def pod(self) -> Mapping | None:
        """The pod's spec."""
        spec = find(self.node, "template", "spec")
        return spec if isinstance(spec, Mapping) else None

    def containers(self) -> list[Container]:
        """All containers: init containers first, as they start."""
        return [
            Container(item, key)
            for key in ("initContainers", "containers")
            for item in mappings(self.pod and self.pod.get(key))
        ]


class JobView(Record):
    """A Volcano Job."""

    node: Mapping

    @property
    def name(self) -> str:
        return text(find(self.node, "metadata", "name")) or ""

    @property
    def name_span(self) -> Span:
        """Where the job's name is written, else where the job is."""
        node = find(self.node, "metadata", "name")
        return node.origin.span if node is not None else self.node.origin.span

    @property
    def spec(self) -> Mapping:
        spec = self.node.get("spec")
        return spec if isinstance(spec, Mapping) else Mapping({}, self.node.origin)

    @property
    def tasks(self) -> list[TaskView]:
        tasks = self.spec.get("tasks")
        items = tasks.items if isinstance(tasks, Sequence) else []
        return [TaskView(item, index) for index, item in enumerate(items) if isinstance(item, Mapping)]

    def plugin(self, name: str) -> Node | None:
        """The arguments of a plugin, None where it is off."""
        return find(self.spec, "plugins", name)

    def flag(self, plugin: str, name: str) -> Scalar | None:
        """The argument `--NAME=…` of a plugin as hetc writes it."""
        for item in sequence(self.plugin(plugin)):
            if isinstance(item, Scalar) and str(item.value).startswith(f"--{name}="):
                return item
        return None


def jobs(manifest: Manifest) -> Iterator[JobView]:
    """The Volcano Jobs among the documents."""
    for document in manifest.documents:
        if text(document.get("kind")) == "Job" and (text(document.get("apiVersion")) or "").startswith("batch.volcano.sh/"):
            yield JobView(document)


def text(node: Node | None) -> str | None:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def number(node: Node | None) -> int | None:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool) else None


def sequence(node: Node | None) -> list[Node]:
    return node.items if isinstance(node, Sequence) else []


def mappings(node: Node | None) -> list[Mapping]:
    return [item for item in sequence(node) if isinstance(item, Mapping)]


def texts(node: Node | None) -> Iterator[tuple[Scalar, Scalar]]:
    """Key and value of a mapping's string entries."""
    if isinstance(node, Mapping):
        for entry in node.entries.values():
            if isinstance(entry.value, Scalar) and isinstance(entry.value.value, str):
                yield entry.key, entry.value
