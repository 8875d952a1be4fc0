"""A positioned tree of plain data: what YAML reads to, what layers merge to, what a manifest is made of.

A tree knows no schema. Keys are text and keep their own place.
"""
from __future__ import annotations

from hetc.origin import Origin
from hetc.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from hetc.origin import Located
    from hetc.source import Source

    Plain: TypeAlias = "str | int | float | bool | None | list[Plain] | dict[str, Plain]"
    Node: TypeAlias = "Scalar | Mapping | Sequence"
    Place: TypeAlias = "Origin | tuple[Source, int, int]"


#: How deep a tree of a file may be, and how many nodes it may have once its aliases are expanded.
MAX_DEPTH, MAX_NODES = 100, 1_000_000


class _Placed:
    """A node with an origin, which may be given as source, start and end of what is written: hardly any is ever asked for."""

    __slots__ = ("place",)

    if TYPE_CHECKING:
        place: Place

    @property
    def origin(self) -> Origin:
        place = self.place
        if isinstance(place, tuple):
            self.place = place = Origin(Span(*place))
        return place


class Scalar(_Placed):
    """A leaf. `value` is what kubectl reads; `text` is the source's own spelling; `plain` means unquoted there."""

    __slots__ = ("plain", "text", "value")

    def __init__(self, value: str | int | float | bool | None, place: Place, text: str | None = None, plain: bool = False) -> None:
        self.value = value
        self.place = place
        self.text = str(value) if text is None else text
        self.plain = plain

    def __repr__(self) -> str:
        return f"Scalar({self.value!r})"


class Entry:
    """A key, always text, and its value."""

    __slots__ = ("key", "value")

    def __init__(self, key: Scalar, value: Node) -> None:
        self.key = key
        self.value = value

    def __repr__(self) -> str:
        return f"Entry({self.key.value!r}, {self.value!r})"


class Mapping(_Placed):
    """Entries by key, in the order written.

    `cleared`: lower layers' entries were removed (a `null` stood between), so nothing of theirs shows through.
    `shadowed`: further entries of keys given twice, an error that is reported; readers other than hetc may take these.
    """

    __slots__ = ("cleared", "entries", "shadowed")

    def __init__(self, entries: dict[str, Entry], place: Place, cleared: bool = False) -> None:
        self.entries = entries
        self.place = place
        self.cleared = cleared
        self.shadowed: list[Entry] | None = None

    def __repr__(self) -> str:
        return f"Mapping({list(self.entries.values())!r})"

    def get(self, key: str) -> Node | None:
        entry = self.entries.get(key)
        return None if entry is None else entry.value

    def key_span(self, key: str) -> Span:
        """The place of a key that is there."""
        return self.entries[key].key.origin.span


class Sequence(_Placed):
    """Items in order."""

    __slots__ = ("items",)

    def __init__(self, items: list[Node], place: Place) -> None:
        self.items = items
        self.place = place

    def __repr__(self) -> str:
        return f"Sequence({self.items!r})"


def plain(node: Node) -> Plain:
    """The data alone."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key: plain(entry.value) for key, entry in node.entries.items()}


def is_null(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is None


def kind(node: Node) -> str:
    """What a message calls the node: `a mapping`, `a list`, `null`, or its text in backticks, quoted where the source quotes it."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    if node.value is None:
        return "null"
    return f"`{node.text}`" if node.plain else f'`"{node.text}"`'


def quoted(text: str) -> str:
    """The double-quoted YAML form of a text without control characters."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, in order."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, Mapping):
            todo.extend([entry.value for entry in reversed(node.entries.values())])
        elif isinstance(node, Sequence):
            todo.extend(reversed(node.items))


def leaves(path: str, node: Node) -> Iterator[tuple[str, Located[str]]]:
    """Each scalar at or below a node as text, with its path, keys in order; an empty mapping or list is one too."""
    from hetc.origin import Located

    if isinstance(node, Mapping) and node.entries:
        for key in sorted(node.entries):
            yield from leaves(f"{path}.{key}", node.entries[key].value)
    elif isinstance(node, Sequence) and node.items:
        for number, item in enumerate(node.items):
            yield from leaves(f"{path}[{number}]", item)
    else:
        value = plain(node)
        yield path, Located(str(value).lower() if isinstance(value, bool) else str(value), node.origin)


def find(node: Node | None, *path: str) -> Node | None:
    """The node at a path of mapping keys, or None where it does not lead anywhere."""
    for key in path:
        if not isinstance(node, Mapping):
            return None
        node = node.get(key)
    return node
