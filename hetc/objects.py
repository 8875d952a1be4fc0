"""Objects of which a program hands hetc a text that it wrote anew: nobody has those lines before them.

So a place in them is named as people name it: by kind and name of the object, and the path in it.
"""
from __future__ import annotations

from hetc.diagnostic import Report
from hetc.source import Source
from hetc.tree import Mapping, Scalar, Sequence, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.source import Span
    from hetc.tree import Node


class Objects(Source):
    """YAML documents, or a `ResourceList` with items and its function's config."""

    __slots__ = ("_documents",)

    is_shown = False

    def __init__(self, name: str, text: str) -> None:
        super().__init__(name, text)
        self._documents: list[Node] | None = None

    def documents(self) -> list[Node]:
        """The documents; none where the text is no YAML."""
        if self._documents is None:
            from hetc.read.yaml import read

            self._documents = read(self, Report(), tabs=True) or []
        return self._documents

    def place(self, start: int, end: int) -> str:
        """`Job/train: spec.tasks[worker].replicas`; where no object is, the line."""
        from hetc.explain.path import shown

        for each in self._objects():
            if _holds(each.origin.span, start, end):
                return f"{title(each)}: {shown(_path(each, start, end))}".removesuffix(": ")
        return super().place(start, end)

    def _objects(self) -> Iterator[Node]:
        for document in self.documents():
            items = find(document, "items")
            config = find(document, "functionConfig")
            yield from items.items if isinstance(items, Sequence) else ()
            yield from () if config is None else (config,)
            yield document


def title(node: Node) -> str:
    """What people call an object: `Job/train`."""
    kind, name = find(node, "kind"), find(node, "metadata", "name") or find(node, "metadata", "generateName")
    return "/".join(each.text for each in (kind, name) if isinstance(each, Scalar)) or "an object without kind"


def _holds(span: Span, start: int, end: int) -> bool:
    return span.start <= start and end <= span.end


def _path(node: Node, start: int, end: int) -> str:
    """The way from a node down to the smallest one that holds a range."""
    from hetc.explain.path import children

    if (node.origin.span.start, node.origin.span.end) == (start, end):
        return ""
    keys = [entry.key.origin.span for entry in node.entries.values()] if isinstance(node, Mapping) else None
    for number, (step, child) in enumerate(children(node)):
        if keys is not None and _holds(keys[number], start, end):
            return step
        if _holds(child.origin.span, start, end):
            return step + _path(child, start, end)
    return ""
