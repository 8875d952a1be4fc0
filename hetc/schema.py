"""What Volcano's API wants of a document: the JSON Schemas in `schemas/`, made ready to walk along.

A document comes to few of a schema's many nodes, and thousands of documents to the same ones. So each node is made ready when a
document first comes to it, and kept; so are, up to a bound, the scalars that were found right, since most stand in many files.
"""
from __future__ import annotations

import json
import re
from functools import lru_cache

from hetc import data
from hetc.names import either
from hetc.tree import Mapping, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from hetc.tree import Node

    Schema: TypeAlias = dict[str, Any]

SHARED = "job"

#: Type of a schema -> those that Python has for its scalars, and the class of its collections.
_SCALARS: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}
_COLLECTIONS: dict[str, type] = {"object": Mapping, "array": Sequence}

#: What plain scalars begin with that have a leading zero, or that readers differ about.
_ODD = frozenset("0123456789+-.=<")

#: How many scalars are remembered, and how long they may be.
MOST_SEEN, LONGEST_SEEN = 10_000, 100

#: What `refusals` looks at.
_CONSTRAINTS = frozenset(("enum", "pattern", "maxLength", "maxItems", "minLength", "minItems", "minimum", "maximum", "not"))

#: What a key of a mapping is where its schema says no more.
_KEY: Schema = {"type": "string"}


class Schemas:
    """The schema of a kind of document and what it refers to; nobody changes them.

    `forms`: those made ready, by schema and `partial`. `room`: how many more scalars may be remembered.
    """

    def __init__(self, name: str) -> None:
        self.top = _load(name.lower())
        self.definitions: dict[str, Schema] = {**_load(SHARED)["definitions"], **self.top.get("definitions", {})}
        self.forms: dict[tuple[int, bool], Form] = {}
        self.room = MOST_SEEN

    def resolved(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            schema = self.definitions[schema["$ref"].rpartition("/")[2]]
        return schema

    def form(self, schema: Schema, partial: bool) -> Form:
        """What a schema wants of a value; `partial`: nothing has to be there."""
        partial = partial or "x-partial" in schema
        schema = self.resolved(schema)
        key = id(schema), partial
        return self.forms.get(key) or self.forms.setdefault(key, Form(self, schema, partial))


schemas = lru_cache(Schemas)


@lru_cache
def _load(name: str) -> Schema:
    with open(data.path(f"schemas/volcano-{name}.schema.json"), encoding="utf-8") as file:
        schema: Schema = json.load(file)
    return schema


class Form:
    """What a schema wants of a value.

    `scalars`: the types of scalars that are right whatever they are; `right`: others that were found right: type, whether plain, and
    text; `bounded`: something is wanted beside the type. `collections`: the classes that a collection may have; `fields`: what is
    wanted in a mapping, if it may be one; `items`: in a list. `parts`: of a schema with `allOf`, which wants nothing else.
    """

    __slots__ = ("bounded", "collections", "fields", "items", "parts", "right", "scalars", "schema", "schemas", "types")

    def __init__(self, schemas: Schemas, schema: Schema, partial: bool) -> None:
        types = schema.get("type", ())
        self.schema = schema
        self.schemas = schemas
        self.right: set[tuple[type, bool, str]] = set()
        self.types: tuple[str, ...] = (types,) if isinstance(types, str) else tuple(types)
        self.bounded = not _CONSTRAINTS.isdisjoint(schema)
        self.parts = [schemas.form(part, partial) for part in schema.get("allOf", ())]
        plain = () if self.bounded or self.parts else self.types or _SCALARS
        self.scalars = {kind for each in plain for kind in _SCALARS.get(each, ())}
        self.collections = [_COLLECTIONS[each] for each in self.types or _COLLECTIONS if each in _COLLECTIONS]
        self.items = schemas.form(schema["items"], partial) if "items" in schema else None
        if Mapping in self.collections:
            self.fields = Fields(schemas, schema, partial)

    def fits(self, node: Node) -> bool:
        """Whether a node is a scalar that is right at first sight, as nearly all are, or one that was found right before."""
        if type(node) is not Scalar:
            return False
        kind = type(node.value)
        if kind in self.scalars and (not node.plain or node.text[0] not in _ODD):
            return True
        return (kind, node.plain, node.text) in self.right

    def remember(self, node: Scalar) -> None:
        """Take a scalar that is not null as right from now on."""
        if self.schemas.room > 0 and len(node.text) < LONGEST_SEEN:
            self.schemas.room -= 1
            self.right.add((type(node.value), node.plain, node.text))


class Fields:
    """What a schema wants in a mapping.

    `named`: the schemas of fields by name; `known`: the forms of those that were met. `other`: what is wanted of other fields,
    `keys`: of their keys, where it is not `closed` to them. `patterns`: what else is wanted of fields with such names.
    `needed`: names of which one has to be there.
    """

    __slots__ = ("closed", "keys", "known", "named", "needed", "other", "partial", "patterns", "schemas")

    def __init__(self, schemas: Schemas, schema: Schema, partial: bool) -> None:
        other = schema.get("additionalProperties", True)
        self.schemas = schemas
        self.partial = partial
        self.named: dict[str, Schema] = schema.get("properties", {})
        self.known: dict[str, Form] = {}
        self.closed = other is False
        self.other = schemas.form(other, partial) if isinstance(other, dict) else None
        self.keys = schemas.form(schema.get("propertyNames", _KEY), partial)
        self.patterns = [(re.compile(pattern), schemas.form(part, partial))
                         for pattern, part in schema.get("patternProperties", {}).items()]
        self.needed: list[list[str]] = []
        if not partial:
            self.needed += [[name] for name in schema.get("required", ())]
            self.needed += [[name for branch in schema["anyOf"] for name in branch["required"]]] if "anyOf" in schema else []

    def ready(self, name: str) -> Form:
        """The form of a named field that is met for the first time."""
        form = self.known[name] = self.schemas.form(self.named[name], self.partial)
        return form


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
