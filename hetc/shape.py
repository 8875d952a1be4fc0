"""The typed check: whether a hand-written document has the fields and types that Volcano's API has.

Walks a located tree along the JSON Schemas in `schemas/`, with kubectl's reading of each scalar. Wrong types, unknown
fields and scalars that are not what they look like are reported here. What else a schema refuses is handed back, and
reported by `report_rest` where no rule has said anything better about the same entry.

Source: kubectl and the API server decode strictly: a field they do not know and a value of another type are refused. Null
counts as absent, except in a list.
"""
from __future__ import annotations

import re
from bisect import bisect

from hetc import codes
from hetc.api import intended
from hetc.diagnostic import ERROR, WARNING, Label
from hetc.dump import scalar
from hetc.mend import quote
from hetc.names import either, nearest, shorten
from hetc.record import Record
from hetc.scalars import differs
from hetc.schema import refusals, schemas
from hetc.tree import Mapping, Scalar, Sequence, find, is_null, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Code, Report
    from hetc.schema import Fields, Form
    from hetc.source import Span
    from hetc.tree import Entry, Node

TYPES = {
    "string": "a string", "integer": "an integer", "number": "a number", "boolean": "a boolean", "array": "a list", "object": "a mapping",
}

#: The largest value of a field that holds the mode bits of a file: these alone are written in octal.
MODE = 0o777
_LEADING_ZERO = re.compile(r"[-+]?0[0-9_]+\Z", re.ASCII)
_QUOTED_OR_BREAK = re.compile(r'"(?:[^"\\]++|\\.)*"|\'[^\']*\'|[][{},]')
# What a shell reads otherwise than as a part of a word.
_OF_SHELL = re.compile(r"""["'`\\$|&;<>(){}*?~#\n]""")
_FLAG = re.compile(r"--?[a-zA-Z][\w./=-]*\Z", re.ASCII)
_OCTAL = re.compile(r"0[oO]?[0-7]{3,4}\Z", re.ASCII)


class Fault(Record):
    """Something that a schema alone refuses; to be said where no rule says more."""

    code: Code
    span: Span
    message: str
    help: str | None = None
    related: tuple[Label, ...] = ()
    level: str = ERROR


class At:
    """Where the walk is: an entry of a mapping, an item of a list, or the document itself.

    `form`: what is wanted of the value. `named` is the node whose `name` tells which one it is: the mapping of an entry, or
    the item itself. `free`: the key is of the user's own choice, as a label's is.
    """

    __slots__ = ("above", "entry", "form", "free", "index", "named")

    def __init__(
        self, above: At | None, form: Form, named: Node | None, entry: Entry | None = None, index: int = 0, free: bool = False,
    ) -> None:
        self.above = above
        self.form = form
        self.named = named
        self.entry = entry
        self.index = index
        self.free = free

    @property
    def subject(self) -> str:
        """What a message calls the value: `value` of `OPT`, `disk` in `nodeSelector`, `main` in `containers`, item 2 of `args`."""
        if self.above is None:
            return "the document"
        owner = find(self.named, "name")
        name = f"`{shorten(owner.text)}`" if isinstance(owner, Scalar) and owner.text else None
        if self.entry is None:
            return f"{name} in {self.above.subject}" if name else f"item {self.index + 1} of {self.above.subject}"
        key = f"`{shorten(self.entry.key.text)}`"
        if self.free:
            return f"{key} in {self.above.short}"
        return f"{key} of {name}" if name and self.entry.key.text != "name" else key

    @property
    def needed(self) -> bool:
        """Whether the entry has to be there: null is reported as missing then."""
        return self.entry is not None and self.above is not None and [self.entry.key.text] in self.above.form.fields.needed

    @property
    def short(self) -> str:
        """The subject without its owner, who says nothing new about the user's own keys."""
        return f"`{self.entry.key.text}`" if self.entry is not None else self.subject

    def span(self, node: Node) -> Span:
        """A scalar's own place; the key of a mapping or list."""
        if isinstance(node, Scalar) or self.entry is None:
            return node.origin.span if isinstance(node, Scalar) else _start(node)
        return self.entry.key.origin.span


def check(documents: Iterable[Mapping], report: Report, patch: bool = False) -> list[Fault]:
    """Report wrong types, unknown fields and misread scalars in documents of Volcano's kinds; the rest is handed back.

    `patch`: of each there is only a part, and null removes what another file has.
    """
    walkers: dict[str, _Walker] = {}
    rest: list[Fault] = []
    for document in documents:
        _, name = intended(document) or ("", "")
        if name:
            if name not in walkers:
                walkers[name] = _Walker(name, report, rest, patch)
            walkers[name].document(document)
    return rest


def report_rest(faults: list[Fault], report: Report) -> None:
    """Report what is left: a wrong type where no error stands at its place, anything else where none stands in its entry."""
    if not faults:
        return
    errors = {each.span for each in report.diagnostics if each.level == ERROR}
    entries = _Entries()
    taken = {entries.of(span) for span in errors}
    for fault in faults:
        if fault.span not in errors if fault.code is codes.WRONG_TYPE else entries.of(fault.span) not in taken:
            report.add(fault.code, fault.span, fault.message, fault.help, fault.related, fault.level)


class _Entries:
    """Which entry a place is in: its line, and of those between brackets and commas, as in JSON on one line, which one."""

    def __init__(self) -> None:
        self.breaks: dict[tuple[str, int], list[int]] = {}

    def of(self, span: Span) -> tuple[str, int, int]:
        source, (line, column) = span.source, span.start_position()
        at = source.name, line
        if at not in self.breaks:
            self.breaks[at] = [match.end() for match in _QUOTED_OR_BREAK.finditer(source.line(line)) if match[0] in ",[]{}"]
        return *at, bisect(self.breaks[at], column - 1)


def _start(node: Node) -> Span:
    """The first line of a mapping or a list."""
    span = node.origin.span
    end = span.source.text.find("\n", span.start, span.end)
    return type(span)(span.source, span.start, span.end if end < 0 else end)


class _Walker:
    """Walks documents of one kind."""

    def __init__(self, name: str, report: Report, rest: list[Fault], patch: bool) -> None:
        self.patch = patch
        self.schemas = schemas(name)
        self.form = self.schemas.form(self.schemas.top, patch)
        self.report = report
        self.rest = rest
        #: Whether aliases lead to some nodes a second time, and which nodes have been walked.
        self.shared = False
        self.seen: set[tuple[int, int]] = set()

    def document(self, document: Mapping) -> None:
        self.seen.clear()
        self.shared = bool(document.origin.span.source.shared)
        self.value(document, At(None, self.form, None))

    def value(self, node: Node, at: At) -> None:
        form = at.form
        if form.parts:
            for part in form.parts:
                at.form = part
                self.value(node, at)
        elif isinstance(node, Scalar):
            self.leaf(node, at)
        elif not self.shared or self.is_new(node, form):
            if type(node) not in form.collections:
                self.wrong_type(node, form.types, at)
            elif isinstance(node, Mapping):
                self.mapping(node, at)
            else:
                self.sequence(node, at)

    def is_new(self, node: Node, form: Form) -> bool:
        """Whether no alias has led to a node with this form before."""
        key = id(node), id(form)
        is_new = key not in self.seen
        self.seen.add(key)
        return is_new

    def leaf(self, node: Scalar, at: At) -> None:
        if node.value is None:
            self.null(node, at)
            return
        before = self.said()
        self.scalar(node, at)
        if before == self.said():
            at.form.remember(node)

    def said(self) -> int:
        """How much has been found so far."""
        return len(self.rest) + len(self.report.diagnostics)

    def null(self, node: Node, at: At) -> None:
        if at.entry is None and at.above is not None:
            self.report.add(codes.NULL, node.origin.span, f"{at.subject} is null", _instead(at.form.types, "remove the item"))
        elif not self.patch and (at.entry is None or (at.entry.key.text != "creationTimestamp" and not at.needed)):
            message = f"{at.subject} is null, and counts as absent"
            self.rest.append(Fault(codes.NULL, node.origin.span, message, _instead(at.form.types, "leave it out"), level=WARNING))

    def mapping(self, node: Mapping, at: At) -> None:
        fields = at.form.fields
        known = fields.known
        for name, entry in node.entries.items():
            form = known.get(name)
            if form is None and name in fields.named:
                form = fields.ready(name)
            if form is not None:
                if not form.fits(entry.value):
                    self.value(entry.value, At(at, form, node, entry))
            elif fields.closed:
                self.unknown(entry, at)
            else:
                self.free(entry, fields, node, at)
        for pattern, form in fields.patterns:
            for name, entry in node.entries.items():
                if pattern.search(name) and not form.fits(entry.value):
                    self.value(entry.value, At(at, form, node, entry))
        if fields.needed:
            self.missing(node, fields, at)

    def free(self, entry: Entry, fields: Fields, node: Mapping, at: At) -> None:
        """A field with a key of the user's own choice."""
        if not fields.keys.fits(entry.key):
            before = self.said()
            self.key(entry.key, at)
            if before == self.said():
                fields.keys.remember(entry.key)
        if fields.other is not None and not fields.other.fits(entry.value):
            self.value(entry.value, At(at, fields.other, node, entry, free=True))

    def sequence(self, node: Sequence, at: At) -> None:
        form, items = at.form, at.form.items
        if form.bounded:
            self.constraints(node, at)
        if items is not None:
            for index, item in enumerate(node.items):
                if not items.fits(item):
                    self.value(item, At(at, items, item, index=index))
        if "x-unique-by" in form.schema and len(node.items) > 1:
            self.duplicates(node, form.schema["x-unique-by"], at)

    def scalar(self, node: Scalar, at: At) -> None:
        types, mine, schema = at.form.types, _type(node), at.form.schema
        if types and mine not in types and not (mine == "integer" and "number" in types):
            if mine == "number" and "integer" in types and "string" in types:
                self.fraction(node, at)
            elif "string" in types and "integer" not in types:
                self.not_text(node, at)
            else:
                self.wrong_type(node, types, at, schema.get("maximum") == MODE)
            return
        if mine == "integer" and _LEADING_ZERO.match(node.text) and node.plain and schema.get("maximum") != MODE:
            help = f"write `{node.value}`, or quote it if it is text" if "string" in types else f"write `{node.value}`"
            message = f"{at.subject} is `{node.text}`, which kubectl reads as {node.value}"
            self.report.add(codes.LEADING_ZERO, node.origin.span, message, help)
        elif mine == "string" and node.plain and differs(node.text):
            self.ambiguous(node, at.subject)
        self.constraints(node, at)

    def not_text(self, node: Scalar, at: At) -> None:
        self.report.add(codes.NOT_TEXT, node.origin.span, f"{at.subject} is {_described(node)}, not a string", _quoted(node),
                        fix=quote(node))

    def ambiguous(self, node: Scalar, subject: str) -> None:
        message = f"{subject} is `{shorten(node.text)}`: a string to kubectl, and something else to other YAML readers"
        self.report.add(codes.NOT_TEXT, node.origin.span, message, _quoted(node), level=WARNING, fix=quote(node))

    def fraction(self, node: Scalar, at: At) -> None:
        message = f"{at.subject} is the fraction `{node.text}`: an amount is an integer or a string"
        milli = node.value * 1000 if isinstance(node.value, float) else 0.0
        is_cpu = at.entry is not None and at.entry.key.text == "cpu" and abs(milli) < 1e9 and milli == round(milli)
        help = f"write `{milli:.0f}m`" if is_cpu else _quoted(node)
        self.rest.append(Fault(codes.WRONG_TYPE, node.origin.span, message, help))

    def wrong_type(self, node: Node, types: tuple[str, ...], at: At, mode: bool = False) -> None:
        wanted = either([TYPES[name] for name in types if name != "null"])
        message = f"{at.subject} is {_described(node)}, not {wanted}"
        self.rest.append(Fault(codes.WRONG_TYPE, at.span(node), message, _conversion(node, types, mode)))

    def key(self, key: Scalar, at: At) -> None:
        """A key of the user's own choice is a string like any other."""
        if key.plain and isinstance(key.value, (bool, int, float)):
            message = f"key {_shown(key)} in {at.short} is {_kind(key)}, not a string"
            self.report.add(codes.NOT_TEXT, key.origin.span, message, _quoted(key), fix=quote(key))
        elif key.plain and key.value is not None and differs(key.text):
            self.ambiguous(key, f"a key in {at.short}")
        names = at.form.schema.get("propertyNames")
        if names is not None and not re.fullmatch(names["pattern"], key.text):
            message = f"key `{shorten(key.text)}` in {at.short} {names['patternErrorMessage']}"
            self.rest.append(Fault(codes.SCHEMA, key.origin.span, message))

    def unknown(self, entry: Entry, at: At) -> None:
        name, key = entry.key.text, entry.key
        homes = self.homes(name, at)
        close = nearest(name, at.form.fields.named)
        where = f" in {at.subject}" if at.above is not None else ""
        if len(homes) == 1 and (close is None or close.lower() != name.lower()):
            help: str | None = f"it is a field of {homes[0]}"
        else:
            help = f"did you mean `{close}`?" if close is not None else "remove it: the API has no such field here"
        self.report.add(codes.UNKNOWN_KEY, key.origin.span, f"unknown field `{shorten(name)}`{where}", help)

    def homes(self, name: str, at: At) -> list[str]:
        """The fields around a mapping, above and just below it, that have a field of this name."""
        below: dict[int, str] = {}  # init containers have the fields of containers: one home is named
        for field, schema in at.form.fields.named.items():
            schema = self.schemas.resolved(schema)
            items = self.schemas.resolved(schema["items"]) if "items" in schema else schema
            if name in items.get("properties", {}):
                below.setdefault(id(items), f"`{field}`")
        found = list(below.values())
        above = at.above
        while above is not None:
            if name in above.form.schema.get("properties", {}):
                found.append(above.subject)
            above = above.above
        return found

    def missing(self, node: Mapping, fields: Fields, at: At) -> None:
        for names in fields.needed:
            for name in names:
                entry = node.entries.get(name)
                if entry is not None and not is_null(entry.value):
                    break
            else:
                subject = f" in {at.subject}" if at.above is not None else ""
                self.rest.append(Fault(codes.SCHEMA, at.span(node), f"{either([f'`{name}`' for name in names])} is missing{subject}"))

    def constraints(self, node: Scalar | Sequence, at: At) -> None:
        value = node.value if isinstance(node, Scalar) else node.items
        shown = _shown(node) if isinstance(node, Scalar) else "a list"
        for message in refusals(at.form.schema, value, shown):
            self.rest.append(Fault(codes.SCHEMA, at.span(node), f"{at.subject} {message}"))

    def duplicates(self, node: Sequence, keys: dict[str, object], at: At) -> None:
        """Items that repeat an earlier one in all keys; a key's value in `keys` is what an absent one counts as, None: no match."""
        seen: dict[tuple[object, ...], Mapping] = {}
        for item in node.items:
            if isinstance(item, Mapping):
                values = tuple([_counted(item.get(key), default) for key, default in keys.items()])
                first = seen.get(values)
                if first is None:
                    seen[values] = item
                elif None not in values:
                    self.repeated(_place(item, keys), _place(first, keys), values, list(keys), at)

    def repeated(self, place: Node, first: Node, values: tuple[object, ...], keys: list[str], at: At) -> None:
        shown = " and ".join(f"`{shorten(str(value))}`" for value in values)
        message = f"duplicate {shown} in {at.subject}: each {' and '.join(f'`{key}`' for key in keys)} may stand there once"
        related = () if first is place else (Label(first.origin.span, "first given here"),)  # an alias may have brought it again
        self.rest.append(Fault(codes.SCHEMA, place.origin.span, message, None, related))


def _counted(node: Node | None, default: object) -> object:
    """What a field counts as in a comparison; None for what is no scalar."""
    if isinstance(node, Scalar):
        return default if node.value is None else node.value
    return default if node is None else None


def _place(item: Mapping, keys: Iterable[str]) -> Node:
    """What shows which item is meant: the first of its keys that has a value, else the item."""
    return next((each for each in map(item.get, keys) if isinstance(each, Scalar) and each.value is not None), item)


def _type(node: Scalar) -> str:
    for python, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string")):
        if isinstance(node.value, python):
            return name
    return "null"


def _kind(node: Scalar) -> str:
    return {"boolean": "a boolean", "integer": "a number", "number": "a number"}.get(_type(node), "a string")


def _described(node: Node) -> str:
    """The value in a sentence: the number `9000`, the string `"2"`, a mapping."""
    return kind(node) if not isinstance(node, Scalar) else f"the {_kind(node).partition(' ')[2]} {_shown(node)}"


def _shown(node: Scalar) -> str:
    return f"`{shorten(node.text)}`" if node.plain else f'`"{shorten(node.text)}"`'


def _instead(types: tuple[str, ...], otherwise: str) -> str:
    """What to write for null."""
    empty = {"string": 'write `""` for an empty text', "array": "write `[]`", "object": "write `{}`"}
    words = next((empty[name] for name in types if name in empty), "write a value")
    return f"{words}, or {otherwise}"


def _quoted(node: Scalar) -> str:
    return f"quote it: `{scalar(node.text)}`"


def _as_list(text: str) -> str:
    """How to write a text as a list: by its words, as a program gets them. What only a shell can part goes to a shell."""
    if _OF_SHELL.search(text):
        return 'write a list, such as `["/bin/sh", "-c", "…"]`'
    words = ", ".join(word if _FLAG.match(word) else scalar(word) for word in text.split())
    return f"write `[{words}]`" if len(words) <= 60 else "write a list"


def _conversion(node: Node, types: tuple[str, ...], mode: bool) -> str | None:
    """How to write a value as one of the types, where that is plain; `mode`: as mode bits."""
    if isinstance(node, Scalar):
        if "array" in types:
            return _as_list(node.text)
        if isinstance(node.value, str) and "integer" in types:
            if mode and _OCTAL.match(node.text):
                return f"write `{node.text}` without quotes, or `{int(node.text.lower().replace('o', ''), 8)}`"
            return f"write `{node.text}` without quotes" if re.fullmatch(r"-?[0-9]{1,18}", node.text, re.ASCII) else None
        if isinstance(node.value, str) and "boolean" in types and node.text.lower() in ("true", "false"):
            return f"write `{node.text.lower()}` without quotes"
        if isinstance(node.value, int) and types[0] == "boolean" and node.value in (0, 1):
            return f"write `{'true' if node.value else 'false'}`"
    if isinstance(node, Mapping) and "array" in types:
        return "begin each item with `- `"
    return None
