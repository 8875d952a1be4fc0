"""The typed check: whether a hand-written document has the fields and types that Volcano's API has.

Walks a located tree along the JSON Schemas in `schemas/`, with kubectl's reading of each scalar. Wrong types, unknown
fields and scalars that are not what they look like are reported here. What else a schema refuses is handed back, and
reported by `report_rest` where no rule has said anything better about the same entry.

Source: kubectl and the API server decode strictly: a field they do not know and a value of another type are refused. Null
counts as absent, except in a list.
"""
from __future__ import annotations

import json
import re
from bisect import bisect
from functools import lru_cache

from hetc import codes, data
from hetc.api import intended
from hetc.diagnostic import ERROR, WARNING, Label
from hetc.dump import scalar
from hetc.mend import quote
from hetc.names import either, nearest, shorten
from hetc.record import Record
from hetc.scalars import differs
from hetc.tree import Mapping, Scalar, Sequence, find, is_null, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, TypeAlias

    from hetc.diagnostic import Code, Report
    from hetc.source import Span
    from hetc.tree import Entry, Node

    Schema: TypeAlias = dict[str, Any]

SHARED = "job"

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

    `named` is the node whose `name` tells which one it is: the mapping of an entry, or the item itself. `free`: the key is
    of the user's own choice, as a label's is. `schema` is the mapping's own once it is known. `partial`: nothing has to be there.
    """

    __slots__ = ("above", "entry", "free", "index", "named", "partial", "schema")

    def __init__(self, above: At | None, named: Node | None, entry: Entry | None = None, index: int = 0, free: bool = False) -> None:
        self.above = above
        self.named = named
        self.entry = entry
        self.index = index
        self.free = free
        self.schema: Schema = {}
        self.partial: bool = above is not None and above.partial

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
        return self.entry is not None and self.above is not None and self.entry.key.text in _required(self.above)

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


def report_rest(faults: Iterable[Fault], report: Report) -> None:
    """Report what is left: a wrong type where no error stands at its place, anything else where none stands in its entry."""
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


@lru_cache
def _load(name: str) -> Schema:
    """The schema of a kind, or the one that they share; nobody changes it."""
    with open(data.path(f"schemas/volcano-{name.lower()}.schema.json"), encoding="utf-8") as file:
        schema: Schema = json.load(file)
    return schema


#: Type of a schema -> those that Python has for its values.
_KINDS: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}

#: How many scalars are remembered, and how long they may be.
MOST_SEEN, LONGEST_SEEN = 10_000, 100


class Schemas:
    """The schema of a kind of document and what it refers to. `kinds`: see `of_scalar`; `seen`: scalars that were found right."""

    def __init__(self, name: str) -> None:
        self.top = _load(name)
        self.definitions: dict[str, Schema] = {**_load(SHARED)["definitions"], **self.top.get("definitions", {})}
        self.kinds: dict[int, frozenset[type]] = {}
        self.seen: set[tuple[int, bool, str]] = set()

    def resolved(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            schema = self.definitions[schema["$ref"].rpartition("/")[2]]
        return schema

    def of_scalar(self, schema: Schema) -> frozenset[type]:
        """The types of values that a schema takes whatever they are; none where it asks for more."""
        kinds = self.kinds.get(id(schema))
        if kinds is None:
            target = self.resolved(schema)
            plain = "allOf" not in target and _CONSTRAINTS.isdisjoint(target)
            kinds = frozenset(kind for each in _types(target) or _KINDS for kind in _KINDS.get(each, ())) if plain else frozenset()
            self.kinds[id(schema)] = kinds
        return kinds

    def remember(self, node: Scalar, schema: Schema) -> None:
        if len(self.seen) < MOST_SEEN and len(node.text) < LONGEST_SEEN:
            self.seen.add((id(schema), node.plain, node.text))

    def fits(self, node: Node, schema: Schema) -> bool:
        """Whether a node is a scalar that is right at first sight, as nearly all are, or one that has been looked at."""
        if not isinstance(node, Scalar):
            return False
        if type(node.value) not in self.of_scalar(schema):
            return (id(schema), node.plain, node.text) in self.seen
        # Of plain ones those that begin so may be what readers differ about, or have a leading zero.
        odd = "0123456789+-=<" if isinstance(node.value, str) else "0+-"
        return not node.plain or node.text[0] not in odd or node.text == "0"


schemas = lru_cache(Schemas)


class _Walker:
    """Walks documents of one kind."""

    def __init__(self, name: str, report: Report, rest: list[Fault], patch: bool) -> None:
        self.patch = patch
        self.schemas = schemas(name)
        self.report = report
        self.rest = rest
        #: What aliases lead to a second time has been looked at.
        self.seen: set[tuple[int, int]] = set()

    def document(self, document: Mapping) -> None:
        self.seen.clear()
        top = At(None, None)
        top.partial = self.patch
        self.value(document, self.schemas.top, top)

    def look(self, node: Node, schema: Schema, at: At) -> None:
        """The same as `value`, and a scalar that is right is remembered."""
        before = len(self.rest), len(self.report.diagnostics)
        self.value(node, schema, at)
        if isinstance(node, Scalar) and node.value is not None and before == (len(self.rest), len(self.report.diagnostics)):
            self.schemas.remember(node, schema)

    def value(self, node: Node, schema: Schema, at: At) -> None:
        at.partial = at.partial or schema.get("x-partial", False)
        schema = self.schemas.resolved(schema)
        for part in schema.get("allOf", ()):
            self.value(node, part, at)
        if is_null(node):
            self.null(node, schema, at)
        elif isinstance(node, Scalar):
            self.scalar(node, schema, at)
        elif (id(node), id(schema)) not in self.seen:
            self.seen.add((id(node), id(schema)))
            self.collection(node, schema, at)

    def null(self, node: Node, schema: Schema, at: At) -> None:
        if at.entry is None and at.above is not None:
            self.report.add(codes.NULL, node.origin.span, f"{at.subject} is null", _instead(schema, "remove the item"))
        elif not self.patch and (at.entry is None or (at.entry.key.text != "creationTimestamp" and not at.needed)):
            message = f"{at.subject} is null, and counts as absent"
            self.rest.append(Fault(codes.NULL, node.origin.span, message, _instead(schema, "leave it out"), level=WARNING))

    def collection(self, node: Mapping | Sequence, schema: Schema, at: At) -> None:
        types = _types(schema)
        if types and ("object" if isinstance(node, Mapping) else "array") not in types:
            self.wrong_type(node, types, at)
        elif isinstance(node, Mapping):
            self.mapping(node, schema, at)
        else:
            self.sequence(node, schema, at)

    def mapping(self, node: Mapping, schema: Schema, at: At) -> None:
        at.schema = schema
        fields, other = schema.get("properties", {}), schema.get("additionalProperties", True)
        for name, entry in node.entries.items():
            if name in fields:
                if not self.schemas.fits(entry.value, fields[name]):
                    self.look(entry.value, fields[name], At(at, node, entry))
            elif other is False:
                self.unknown(entry, at)
            else:
                self.key(entry, schema, at)
                if isinstance(other, dict) and not self.schemas.fits(entry.value, other):
                    self.look(entry.value, other, At(at, node, entry, free=True))
        for pattern, part in schema.get("patternProperties", {}).items():
            for name, entry in node.entries.items():
                if re.search(pattern, name):
                    self.value(entry.value, part, At(at, node, entry))
        self.missing(node, schema, at)

    def sequence(self, node: Sequence, schema: Schema, at: At) -> None:
        self.constraints(node, schema, at)
        if "items" in schema:
            for index, item in enumerate(node.items):
                if not self.schemas.fits(item, schema["items"]):
                    self.look(item, schema["items"], At(at, item, index=index))
        if "x-unique-by" in schema:
            self.duplicates(node, schema["x-unique-by"], at)

    def scalar(self, node: Scalar, schema: Schema, at: At) -> None:
        types, mine = _types(schema), _type(node)
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
        self.constraints(node, schema, at)

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

    def key(self, entry: Entry, schema: Schema, at: At) -> None:
        """A key of the user's own choice is a string like any other."""
        key = entry.key
        if key.plain and isinstance(key.value, (bool, int, float)):
            message = f"key {_shown(key)} in {at.short} is {_kind(key)}, not a string"
            self.report.add(codes.NOT_TEXT, key.origin.span, message, _quoted(key), fix=quote(key))
        elif key.plain and key.value is not None and differs(key.text):
            self.ambiguous(key, f"a key in {at.short}")
        names = schema.get("propertyNames")
        if names is not None and not re.fullmatch(names["pattern"], key.text):
            message = f"key `{shorten(key.text)}` in {at.short} {names['patternErrorMessage']}"
            self.rest.append(Fault(codes.SCHEMA, key.origin.span, message))

    def unknown(self, entry: Entry, at: At) -> None:
        name, key = entry.key.text, entry.key
        homes = self.homes(name, at)
        close = nearest(name, at.schema["properties"])
        where = f" in {at.subject}" if at.above is not None else ""
        if len(homes) == 1 and (close is None or close.lower() != name.lower()):
            help: str | None = f"it is a field of {homes[0]}"
        else:
            help = f"did you mean `{close}`?" if close is not None else "remove it: the API has no such field here"
        self.report.add(codes.UNKNOWN_KEY, key.origin.span, f"unknown field `{shorten(name)}`{where}", help)

    def homes(self, name: str, at: At) -> list[str]:
        """The fields around a mapping, above and just below it, that have a field of this name."""
        below: dict[int, str] = {}  # init containers have the fields of containers: one home is named
        for field, schema in at.schema["properties"].items():
            schema = self.schemas.resolved(schema)
            items = self.schemas.resolved(schema["items"]) if "items" in schema else schema
            if name in items.get("properties", {}):
                below.setdefault(id(items), f"`{field}`")
        found = list(below.values())
        above = at.above
        while above is not None:
            if name in above.schema.get("properties", {}):
                found.append(above.subject)
            above = above.above
        return found

    def missing(self, node: Mapping, schema: Schema, at: At) -> None:
        if "required" not in schema and "anyOf" not in schema:
            return
        for names in (*([name] for name in _required(at)), *([] if at.partial else _alternatives(schema))):
            if all(name not in node.entries or is_null(node.get(name)) for name in names):
                subject = f" in {at.subject}" if at.above is not None else ""
                self.rest.append(Fault(codes.SCHEMA, at.span(node), f"{either([f'`{name}`' for name in names])} is missing{subject}"))

    def constraints(self, node: Scalar | Sequence, schema: Schema, at: At) -> None:
        if _CONSTRAINTS.isdisjoint(schema):
            return
        value = node.value if isinstance(node, Scalar) else node.items
        shown = _shown(node) if isinstance(node, Scalar) else "a list"
        for message in refusals(schema, value, shown):
            self.rest.append(Fault(codes.SCHEMA, at.span(node), f"{at.subject} {message}"))

    def duplicates(self, node: Sequence, keys: dict[str, object], at: At) -> None:
        """Items that repeat an earlier one in all keys; a key's value in `keys` is what an absent one counts as, None: no match."""
        seen: dict[tuple[object, ...], Scalar | Mapping] = {}
        for item in node.items:
            if not isinstance(item, Mapping):
                continue
            found = [item.get(key) for key in keys]
            values = tuple(_counted(each, default) for each, default in zip(found, keys.values()))
            if any(value is None for value in values):
                continue
            place = next((each for each in found if isinstance(each, Scalar) and each.value is not None), item)
            first = seen.setdefault(values, place)
            if first is not place:
                shown = " and ".join(f"`{shorten(str(value))}`" for value in values)
                message = f"duplicate {shown} in {at.subject}: each {' and '.join(f'`{key}`' for key in keys)} may stand there once"
                self.rest.append(Fault(codes.SCHEMA, place.origin.span, message, None, (Label(first.origin.span, "first given here"),)))


def _counted(node: Node | None, default: object) -> object:
    """What a field counts as in a comparison; None for what is no scalar."""
    if node is None or is_null(node):
        return default
    return node.value if isinstance(node, Scalar) else None


#: What `refusals` looks at.
_CONSTRAINTS = frozenset(("enum", "pattern", "maxLength", "maxItems", "minLength", "minItems", "minimum", "maximum", "not"))


def refusals(schema: Schema, value: Any, shown: str) -> Iterator[str]:
    """What a schema wants of a value of the right type and does not find; `shown` is how a message calls the value."""
    choices, pattern = schema.get("enum"), schema.get("pattern")
    if choices is not None and value not in choices:
        yield f"must be {either([f'`{one}`' for one in choices if one])}, not {shown}"
    elif pattern is not None and isinstance(value, str) and not re.fullmatch(pattern, value):
        yield f"{schema.get('patternErrorMessage', f'must match `{pattern}`')}, not {shown}"
    if isinstance(value, (str, list)):
        most, least = schema.get("maxLength", schema.get("maxItems")), schema.get("minLength", schema.get("minItems"))
        if most is not None and len(value) > most:
            yield f"may have at most {most} {'characters' if isinstance(value, str) else 'items'}, not {len(value)}"
        if least is not None and len(value) < least:
            yield "must not be empty"
    elif isinstance(value, (int, float)):
        for keyword, least in (("minimum", True), ("maximum", False)):
            bound = schema.get(keyword)
            if bound is not None and (value < bound if least else value > bound):
                yield f"must be at {'least' if least else 'most'} {bound}, not {shown}"
    if value == schema.get("not", {}).get("const", _NONE):
        yield f"must not be {shown}"


_NONE = object()


def _types(schema: Schema) -> tuple[str, ...]:
    types = schema.get("type", ())
    return (types,) if isinstance(types, str) else tuple(types)


def _type(node: Scalar) -> str:
    for python, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string")):
        if isinstance(node.value, python):
            return name
    return "null"


def _required(at: At) -> tuple[str, ...]:
    return () if at.partial else tuple(at.schema.get("required", ()))


def _alternatives(schema: Schema) -> list[list[str]]:
    """The fields of which one must be there."""
    return [[name for branch in schema["anyOf"] for name in branch["required"]]] if "anyOf" in schema else []


def _kind(node: Scalar) -> str:
    return {"boolean": "a boolean", "integer": "a number", "number": "a number"}.get(_type(node), "a string")


def _described(node: Node) -> str:
    """The value in a sentence: the number `9000`, the string `"2"`, a mapping."""
    return kind(node) if not isinstance(node, Scalar) else f"the {_kind(node).partition(' ')[2]} {_shown(node)}"


def _shown(node: Scalar) -> str:
    return f"`{shorten(node.text)}`" if node.plain else f'`"{shorten(node.text)}"`'


def _instead(schema: Schema, otherwise: str) -> str:
    """What to write for null."""
    empty = {"string": 'write `""` for an empty text', "array": "write `[]`", "object": "write `{}`"}
    words = next((empty[name] for name in _types(schema) if name in empty), "write a value")
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
