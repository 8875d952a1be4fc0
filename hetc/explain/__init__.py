"""Where the values of a manifest came from: which layer set each, whom it beat, what hetc worked out.

The origins are those that every leaf of a manifest carries. Text and JSON (`schemas/explain.schema.json`) say the same.
"""
from __future__ import annotations

from hetc import discover
from hetc.api import api
from hetc.diagnostic import Report
from hetc.explain.path import Place, children, leaves, near, parse, places, shown
from hetc.flow import unit as compiled
from hetc.inputs import load
from hetc.origin import DERIVED, FILE_NAME, INHERITED
from hetc.pipeline import COMMAND_LINE, Compiler
from hetc.plan.text import table
from hetc.plan.values import came
from hetc.read.het import split
from hetc.record import Record
from hetc.report.text import place, printable, snippet
from hetc.source import NotUtf8, UsageError
from hetc.system import relative
from hetc.tree import Mapping, Scalar, find, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hetc.origin import Origin
    from hetc.source import Source, Span
    from hetc.tree import Node

#: The longest value that a table repeats whole, in characters.
LONGEST = 60

#: Of what no layer sets.
OWN = "hetc works it out from the job as a whole; no layer sets it"

_HOW = {
    DERIVED: "hetc works it out from this",
    INHERITED: "set for the job, from which the task takes it",
    FILE_NAME: "the file's name, for no layer gives one",
}


class Layers(Record):
    """What each text is called; `main` is the input, and `start` where the overlays begin in it, None where it has no request.

    `whole`: where values stand that hetc works out from the request as a whole.
    """

    main: str
    start: int | None
    names: dict[str, str]
    whole: Span | None = None

    def of(self, span: Span) -> str:
        name = span.source.name
        if name == self.main and self.start is not None:
            return "the request" if span.start < self.start else "the overlay behind the request"
        return self.names.get(name, "a file that the input names")

    def how(self, origin: Origin) -> str:
        """How a value came from its place."""
        if origin.how == DERIVED and self.whole is not None and origin.span == self.whole:
            return OWN
        return f"{_HOW.get(origin.how, 'set here')}, in {self.of(origin.span)}"


class Explained(Record):
    """The documents that a text is, or is compiled to, and its layers."""

    documents: tuple[Mapping, ...]
    layers: Layers


def manifest(source: Source, compiler: Compiler, report: Report) -> Explained | None:
    """What there is to explain of a text; None after an error that is reported and leaves nothing.

    Raises UsageError for a text that makes no manifest.
    """
    what = discover.kind(source)
    if what == discover.OVERLAY:
        raise UsageError(f"`{source.name}` is an overlay, which makes no manifest by itself; name its .het file, and `-f {source.name}`")
    if what == discover.MANIFEST:
        from hetc.read.manifest import read

        documents = read(source, report).documents
        if not documents and not report.failed:
            raise UsageError(f"`{source.name}` has no document of a kind that hetc knows")
        return Explained(documents, Layers(source.name, None, {source.name: "the manifest"})) if documents else None
    unit = compiled(compiler, source, ask_command=False)
    report.diagnostics.extend(unit.report.diagnostics)
    if unit.document is None:
        if not unit.report.failed:
            raise UsageError(f"`{source.name}` makes no manifest by itself")
        return None
    names = {source.name: "the flow" if what == discover.FLOW else "the template", COMMAND_LINE: "the command line"}
    for path in {path for paths in compiler.sites for path in paths if path is not None}:
        names[path] = names[relative(path)] = "the site file"
    names.update((overlay.name, f"the overlay of `-f {overlay.name}`") for overlay in compiler.options.overlays)
    start = split(source)[1] if what == discover.REQUEST else None
    return Explained(tuple(unit.documents), Layers(source.name, start, names, None if unit.job is None else unit.job.origin.span))


def render(explained: Explained, path: str | None, form: str, color: bool) -> str:
    """What is at a path, the paths at the top where there is none; as `text` or `json`. Raises UsageError."""
    documents, layers = explained.documents, explained.layers
    found = find_places(documents, path) if path is not None else [(document, each) for document in documents for each in _top(document)]
    if form == "json":
        import json

        return json.dumps(_data(found, layers), ensure_ascii=True, indent=2) + "\n"
    if path is not None:
        parts = [(*_title(document, documents), *_explained(each, layers, color)) for document, each in found]
    else:
        parts = [(*_title(document, documents), *table([_row(each, layers) for each in _top(document)])) for document in documents]
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in parts)


def candidates(file: str, start: str) -> list[str]:
    """The paths that go on from a path that ends in the middle of a word, with dots alone, which need no quotes in a shell."""
    head, dot, word = start.rpartition(".")
    try:
        explained = manifest(load(file), Compiler(), Report())
        found = [place for document in explained.documents for place in places(document, parse(head))] if explained is not None else []
    except (UsageError, NotUtf8):
        return []
    names = [name.strip(".[]") for place in found for name, _ in children(place.node) if "'" not in name]
    return list(dict.fromkeys(f"{head}{dot}{name}" for name in names if name.startswith(word)))


def find_places(documents: tuple[Mapping, ...], text: str) -> list[tuple[Mapping, Place]]:
    """Where a path leads in all the documents, each with its document. Raises UsageError for one that leads nowhere."""
    steps = parse(text)
    found = [(document, place) for document in documents for place in places(document, steps)]
    if not found:
        raise UsageError(near(documents[0], text, steps))
    return found


def _top(document: Mapping) -> Iterator[Place]:
    """The paths of two levels, and of each task by its name."""
    for name, node in children(document):
        yield from [] if any(children(node)) else [Place(name, node)]
        for key, child in children(node):
            items = [Place(name + key + item, task) for item, task in children(child) if key == ".tasks"]
            yield from items or [Place(name + key, child)]


def _title(document: Mapping, documents: tuple[Mapping, ...]) -> Iterator[str]:
    """What tells a document from the others of its file."""
    if len(documents) > 1:
        yield f"{title(document)}:"


def title(document: Mapping) -> str:
    """What people call a document: `Job/train`."""
    name = find(document, "metadata", "name")
    return f"{api(document)[1] or 'document'}{f'/{printable(str(name.value))}' if isinstance(name, Scalar) else ''}"


def _explained(found: Place, layers: Layers, color: bool) -> Iterator[str]:
    node, path = found.node, printable(shown(found.path)) or "the whole document"
    if not isinstance(node, Scalar) and any(children(node)):
        yield f"{path} has {'keys' if isinstance(node, Mapping) else 'items'}:"
        yield ""
        yield from table([_row(leaf, layers) for leaf in leaves(node, found.path)])
        return
    lines = _value(node).split("\n")
    yield f"{path}: {printable(lines[0])}" if len(lines) == 1 else f"{path}: |"
    yield from (f"  {printable(line)}" for line in lines if len(lines) > 1)
    origin = node.origin
    yield ""
    if layers.how(origin) == OWN:
        yield OWN
        return
    yield from _place(origin.span, layers.how(origin), color)
    for span in origin.beat:
        yield from _place(span, f"overridden, in {layers.of(span)}", color)


def _place(span: Span, what: str, color: bool) -> Iterator[str]:
    yield f"{place(span)}: {what}"
    yield from snippet(span, color)


def _row(at: Place, layers: Layers) -> dict[str, str]:
    node = at.node
    count = len(list(leaves(node, "")))
    value = _short(_value(node)) if isinstance(node, Scalar) or not any(children(node)) else f"{count} value{'s' if count != 1 else ''}"
    own = layers.how(node.origin) == OWN
    return {"path": printable(shown(at.path)), "value": value, "from": "hetc" if own else came(node.origin)}


def _value(node: Node) -> str:
    if isinstance(node, Scalar):
        return str(node.value).lower() if isinstance(node.value, bool) else "null" if node.value is None else str(node.value)
    return "{}" if isinstance(node, Mapping) else "[]"


def _short(value: str) -> str:
    value = printable(value)
    return value if len(value) <= LONGEST else f"{value[:LONGEST - 1]}…"


def _data(found: list[tuple[Mapping, Place]], layers: Layers) -> dict[str, Any]:
    """The same for programs."""
    return {"version": 1, "matches": [
        {"document": title(document), "path": shown(each.path), "value": plain(each.node),
         "values": [_leaf(leaf, layers) for leaf in leaves(each.node, each.path)]}
        for document, each in found
    ]}


def _leaf(leaf: Place, layers: Layers) -> dict[str, Any]:
    origin = leaf.node.origin
    return {"path": shown(leaf.path), "value": plain(leaf.node), "how": origin.how, "layer": layers.of(origin.span), **where(origin.span),
            "overridden": [{"layer": layers.of(span), **where(span)} for span in origin.beat]}


def where(span: Span) -> dict[str, Any]:
    """The keys of a place in a form for programs."""
    (line, column), (end_line, end_column) = span.start_position(), span.end_position()
    return {"file": span.source.name, "line": line, "column": column, "end_line": end_line, "end_column": end_column}
