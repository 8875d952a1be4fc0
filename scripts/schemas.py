"""Write `schemas/{overlay,template,flow,site}.schema.json`, which editors read, from the field tables.

Run after every change of a field table: `make schemas`. The schemas are draft-07, which every editor knows.
They say what each key takes; what only the whole job shows is for `hetc lint`.
"""
from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hetc import fields, site_fields
from hetc.emit import volcano
from hetc.fields import Field, Shape, task_fields
from hetc.read import flow, template_fields

if TYPE_CHECKING:
    from hetc.fields import Type

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "schemas"
DRAFT = "http://json-schema.org/draft-07/schema#"

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NULL: Schema = {"type": "null"}
AMOUNT: Schema = {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?([kMGTPE]|[KMGTPE]i)$"}
LINES: Schema = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}

#: The types without parts.
SIMPLE: dict[type, Schema] = {
    fields.Text: TEXT,
    fields.Flag: {"type": "boolean"},
    fields.Length: {"type": "string", "pattern": r"^([0-9]+(\.[0-9]*)?(h|m|s|ms|us|ns))+$"},
    fields.Lines: LINES,
    fields.Paths: LINES,
    # An editor may read `0400` as the number 400, so a number's digits cannot be judged here.
    fields.Mode: {"anyOf": [{"type": "string", "pattern": "^0o?[0-7]{1,4}$"}, {"type": "integer", "minimum": 0}]},
    fields.Amount: AMOUNT,
    fields.Cores: {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?m?$"}]},
    fields.Devices: {"anyOf": [{"type": "boolean"}, {"type": "integer", "minimum": 0}]},
    fields.Anything: {},
}


class Layer:
    """The schemas of one kind of file. `null`: there a key may be null, which removes what lower layers set."""

    def __init__(self, null: bool, task: tuple[Field, ...] = ()) -> None:
        self.null = null
        self.task = task

    def type(self, type: Type) -> Schema:
        if isinstance(type, fields.Text) and type.choices:
            return {"enum": list(type.choices)}
        if isinstance(type, fields.Whole):
            return {"type": "integer", "minimum": type.least, "maximum": type.most}
        if isinstance(type, fields.Choice):
            return {"enum": list(type.words)}
        if isinstance(type, fields.ListOf):
            return {"type": "array", "items": self.item(type.item)}
        if isinstance(type, fields.MapOf):
            return {"type": "object", "additionalProperties": self.nullable(self.type(type.value))}
        if isinstance(type, fields.EnvValue):
            return {"anyOf": [*([TEXT] if type.text else []), *(self.reference(shape) for shape in type.sources)]}
        if isinstance(type, Shape):
            return self.shape(type.fields)
        if isinstance(type, fields.Tasks):
            rows = self.task if type.what == "task" else fields.profile_fields(self.task)
            return {"type": "object", "additionalProperties": self.nullable(self.shape(rows, "#/definitions/"))}
        return SIMPLE[type.__class__]

    def shape(self, rows: tuple[Field, ...], definitions: str = "") -> Schema:
        """A closed mapping; `definitions`: where the schema of each row stands already."""
        properties = {row.name: {"$ref": definitions + row.name} if definitions else self.field(row) for row in rows}
        return {"type": "object", "additionalProperties": False, "properties": properties}

    def item(self, type: Type) -> Schema:
        """An item of a list. A mapping there is whole: with all that it needs, and without null."""
        if not isinstance(type, Shape):
            return self.type(type)
        needs = [keys[0] for keys in type.needs if len(keys) == 1]
        return {**Layer(False).shape(type.fields), **({"required": needs} if needs else {})}

    def reference(self, shape: Shape) -> Schema:
        """What Kubernetes finds a value by: every key is needed, and none is null."""
        return {**Layer(False).shape(shape.fields), "required": [row.name for row in shape.fields]}

    def field(self, row: Field) -> Schema:
        schema: Schema = {"description": row.doc, **self.type(row.type)}
        if not row.stays:
            schema = self.nullable(schema)
        if row.default is not None:
            schema["default"] = row.default
        schema["examples"] = [example(row)]
        return schema

    def nullable(self, schema: Schema) -> Schema:
        if not self.null:
            return schema
        if "anyOf" in schema:
            return {**schema, "anyOf": [*schema["anyOf"], NULL]}
        if "enum" in schema:
            return {**schema, "enum": [*schema["enum"], None]}
        return {**schema, "type": [schema["type"], "null"]} if "type" in schema else schema


def example(row: Field) -> object:
    """A value of a key; that of a mapping without one of its own is its first key's."""
    if row.example is None and isinstance(row.type, Shape):
        first = row.type.fields[0]
        return {first.name: example(first)}
    assert row.example is not None, f"the row `{row.name}` has no example"
    return row.example


def overlay() -> Schema:
    rows = (*fields.FIELDS, *volcano.FIELDS)
    task = task_fields(rows)
    layer = Layer(True, task)
    root = layer.shape(fields.job_fields(rows))
    root["properties"].update({row.name: {"$ref": f"#/definitions/{row.name}"} for row in task if not row.only_task})
    return {
        **_head("hetc overlay", "A layer over a request: what tasks run. Counts, cpu, memory and GPUs stand in the request."),
        **root,
        "definitions": {row.name: layer.field(row) for row in task},
    }


def template() -> Schema:
    return {
        **_head("hetc training template", "A training template for Volcano; `_extra.volcano.tasks` makes it heterogeneous."),
        **Layer(True).shape(template_fields.FIELDS),
    }


def site_file() -> Schema:
    layer = Layer(False)
    root = layer.shape(site_fields.FIELDS)
    defaults = tuple(row for row in fields.job_fields((*fields.FIELDS, *volcano.FIELDS)) if row.name not in ("name", "tasks", "profiles"))
    profile = layer.shape(fields.job_fields(task_fields((*fields.FIELDS, *volcano.FIELDS))))
    root["properties"] = {
        "defaults": {"description": "The lowest layer of every job, in overlay keys.", **layer.shape(defaults),
                     "examples": [{"namespace": "training"}]},
        "profiles": {"description": "Profile name -> what tasks that name it have, in overlay keys.", "type": "object",
                     "additionalProperties": profile, "examples": [{"gpu-node": {"node_selector": {"pool": "gpu"}}}]},
        **root["properties"],
    }
    models = root["properties"]["gpu"]["properties"]["models"]
    family = models["additionalProperties"]
    models["additionalProperties"] = {"anyOf": [family["properties"]["products"], family]}  # as `hetc.site.spelt_out` has it
    return {**_head("hetc site file", "hetc.toml, or [tool.hetc] in pyproject.toml: a platform owner's settings."), **root}


def flow_file() -> Schema:
    root = Layer(False).shape(flow.FIELDS)
    jobs = root["properties"]["jobs"]
    jobs["additionalProperties"] = {"anyOf": [TEXT, {**jobs["additionalProperties"], "required": ["source"]}]}
    root["required"] = ["flow", "jobs"]
    return {**_head("hetc flow", "Jobs that Volcano makes one after another: a JobFlow and its JobTemplates."), **root}


FILES = {"overlay": overlay, "template": template, "flow": flow_file, "site": site_file}


def text(name: str) -> str:
    """The text of a schema file."""
    return json.dumps(FILES[name](), indent=2, ensure_ascii=False) + "\n"


def _head(title: str, description: str) -> Schema:
    return {"$schema": DRAFT, "title": title, "description": description}


def main() -> None:
    for name in FILES:
        (SCHEMAS / f"{name}.schema.json").write_text(text(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
