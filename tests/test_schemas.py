"""The schemas for editors say what the readers check, and the forms for programs are as their schemas say."""
from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from hetc import fields, site_fields
from hetc.api import VOLCANO
from hetc.diagnostic import Report
from hetc.emit import volcano
from hetc.fields import EnvValue, ListOf, MapOf, Shape, Tasks, task_fields
from hetc.read import template_fields
from hetc.read.overlay import check_overlay
from hetc.read.template_check import TemplateChecker
from hetc.read.template_check import check as check_template
from hetc.read.yaml import read
from hetc.report.json import render
from hetc.report.summary import Summary
from hetc.source import Source
from hetc.tree import plain
from scripts import schemas

ROOT = Path(__file__).parent.parent
OVERLAY = (*fields.FIELDS, *volcano.FIELDS)
FILES = sorted(path.name for path in (ROOT / "schemas").glob("*.json"))


def validator(name):
    return Draft7Validator(json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")))


def tree(text, name="layer.yaml"):
    report = Report()
    (document,) = read(Source(name, text), report)
    assert not report.failed
    return document


@pytest.mark.parametrize("name", schemas.FILES)
def test_files_are_what_the_tables_give(name):
    assert (ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8") == schemas.text(name), "run `make schemas`"


def objects(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


@pytest.mark.parametrize("file", FILES)
def test_schemas_are_sound_closed_and_described(file):
    schema = json.loads((ROOT / "schemas" / file).read_text(encoding="utf-8"))
    Draft7Validator.check_schema(schema)
    assert schema["$schema"] == schemas.DRAFT
    assert schema["description"]
    for part in objects(schema):
        assert part["additionalProperties"] is False
        for name, below in part["properties"].items():
            assert "$ref" in below or below.get("description"), f"{file}: {name}"


def integers(schema):
    if isinstance(schema, dict):
        if "integer" in schema.get("type", ()) and "string" not in schema["type"] and "enum" not in schema:
            yield schema
        for value in schema.values():
            yield from integers(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from integers(value)


@pytest.mark.parametrize("file", [file for file in FILES if file.startswith("volcano-")])
def test_every_integer_of_the_api_has_bounds(file):
    """Go's integers have 32 or 64 bits, and what is larger is not decoded."""
    for part in integers(json.loads((ROOT / "schemas" / file).read_text(encoding="utf-8"))):
        assert {"minimum", "maximum"} <= part.keys(), part


@pytest.mark.parametrize("name", schemas.FILES)
def test_every_key_has_an_example_that_it_takes(name):
    schema = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    checked = 0
    for part in objects(schema):
        for key, below in part["properties"].items():
            if "$ref" not in below:
                (example,) = below["examples"]
                Draft7Validator({**below, "definitions": schema.get("definitions", {})}).validate(example)
                assert "default" not in below or below["default"] is not None, key
                checked += 1
    assert checked > (6 if name == "flow" else 30)


def references(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


@pytest.mark.parametrize("file", FILES)
def test_references_lead_to_definitions(file):
    for reference in references(json.loads((ROOT / "schemas" / file).read_text(encoding="utf-8"))):
        name, _, path = reference.partition("#/definitions/")
        assert path in json.loads((ROOT / "schemas" / (name or file)).read_text(encoding="utf-8"))["definitions"], reference


def test_each_kind_of_volcano_has_a_schema():
    for group, (version, kinds) in VOLCANO.items():
        for kind in kinds:
            properties = json.loads((ROOT / "schemas" / f"volcano-{kind.lower()}.schema.json").read_text(encoding="utf-8"))["properties"]
            assert (properties["apiVersion"]["const"], properties["kind"]["const"]) == (f"{group}/{version}", kind)


def rows(table):
    """Each row, with those inside its type."""
    for row in table:
        yield row
        yield from inside(row.type)


def inside(type):
    if isinstance(type, Shape):
        yield from rows(type.fields)
    elif isinstance(type, MapOf):
        yield from inside(type.value)
    elif isinstance(type, ListOf):
        yield from inside(type.item)
    elif isinstance(type, EnvValue):
        for shape in type.sources:
            yield from inside(shape)


@pytest.mark.parametrize("table", [OVERLAY, template_fields.FIELDS, site_fields.FIELDS], ids=["overlay", "template", "site"])
def test_examples_are_valid(table):
    task = task_fields(OVERLAY)
    layer = schemas.Layer(True, task)
    definitions = {"definitions": {row.name: layer.field(row) for row in task}}
    checked = 0
    for row in rows(table):
        judge = Draft7Validator({**layer.field(row), **definitions})
        for value in (row.example, row.default):
            if value is None:
                continue
            report = Report()
            TemplateChecker(report, True).value(tree(json.dumps(value)), row.type, row.name)
            assert not report.diagnostics, (row.name, report.diagnostics)
            judge.validate(value)
            checked += 1
    assert checked > 5


VALUES = [
    "a", "64Gi", "0400", "", "64GB", 1, 0, -1, 2.5, 70000, True, None, [], {}, ["x"], [1], [None], [["x"]], {"x": "y"}, {"x": 1},
    {"x": None}, {"secret": "a", "key": "b"}, {"secret": "a"}, {"secret": "a", "key": None}, {"config_map": "a", "key": "b"},
    {"config_map": 1}, {"field": "x"}, {"field": None}, {"path": "/x", "claim": "c"}, {"shm_size": "64Gi"},
    {"image": "a", "env": {"A": "b"}}, {"cpu": 1},
]


def places(type, task):
    """Ways to put a value into one of a type, each at another depth."""
    yield lambda value: value
    if isinstance(type, ListOf):
        below = [(lambda value: [value], type.item)]
    elif isinstance(type, MapOf):
        below = [(lambda value: {"x": value}, type.value)]
    elif isinstance(type, Shape):
        below = [(lambda value, name=row.name: {name: value}, row.type) for row in type.fields]
    elif isinstance(type, Tasks):
        below = [(lambda value: {"w": value}, Shape(task))]
    else:
        below = []
    for outer, inside in below:
        for inner in places(inside, task):
            yield lambda value, outer=outer, inner=inner: outer(inner(value))


@pytest.mark.parametrize("row", OVERLAY, ids=lambda row: row.name)
def test_overlay_schema_refuses_what_the_reader_refuses(row):
    judge = validator("overlay")
    for place in places(row.type, task_fields(OVERLAY)):
        for value in VALUES:
            layer = {row.name: place(value)}
            report = Report()
            check_overlay(tree(json.dumps(layer)), OVERLAY, report)
            if '"mode": ' in json.dumps(layer) and isinstance(value, int):
                continue  # what an editor reads as 400 may be written 0400
            words = ("image_pull_policy", "operator", "effect")
            if isinstance(value, str) and value and any(f'"{word}": "{value}"' in json.dumps(layer) for word in words) and not report.failed:
                continue  # whether there is such a policy, operator or effect is for a rule to say, with what may have been meant
            assert judge.is_valid(layer) == (not report.failed), (layer, report.diagnostics)


def test_overlay_schema_refuses_unknown_keys():
    for layer in (
        {"x": 1}, {"tasks": {"w": {"cpu": 1}}}, {"tasks": {"w": {"queue": "q"}}}, {"plugins": {"mpi": {"slots": 2}}},
        {"mounts": {"d": {"host_path": "/"}}},
    ):
        assert not validator("overlay").is_valid(layer), layer


def documents(pattern):
    """The documents of the examples' and goldens' files of a kind, as data."""
    for path in sorted((*ROOT.glob(f"examples/**/{pattern}"), *ROOT.glob(f"golden/*/{pattern}"))):
        report = Report()
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".het":
            text = text.partition("\n---")[2].partition("\n")[2]
        for document in read(Source(str(path), text), report) or []:
            yield path, document, plain(document)


def test_layers_of_the_examples_are_valid():
    checked = 0
    for path, document, layer in documents("*.het"):
        report = Report()
        check_overlay(document, OVERLAY, report)
        if not report.failed and layer is not None:
            assert validator("overlay").is_valid(layer), path
            checked += 1
    assert checked >= 4


def test_templates_of_the_examples_are_valid():
    checked = 0
    for path, document, template in documents("*.yaml"):
        if not isinstance(template, dict) or "config" not in template or "apiVersion" in template:
            continue
        report = Report()
        check_template(document, report)
        if not report.failed:
            assert validator("template").is_valid(template), path
            checked += 1
    assert checked >= 2


def test_site_schema_takes_both_forms_of_a_gpu_family():
    both = {"gpu": {"models": {"A1": ["X-1", "X-2"], "A2": {"products": ["Y"], "resource": "y.example/gpu"}}}, "defaults": {"queue": "q"}}
    assert validator("site").is_valid(both)
    assert not validator("site").is_valid({"gpu": {"models": {"A1": "X-1"}}})
    assert not validator("site").is_valid({"defaults": {"tasks": {}}})


def test_diagnostics_are_as_their_schema_says():
    report = Report()
    source = Source("é.yaml", "image: 9000\nenv: {A: yes}\nhostPath: /\ncommand: [a\n")
    read(source, report)
    check_overlay(tree("image: 9000\nenv: {A: yes}\nhostPath: /\nreplicas: 2\ncommand: 3"), OVERLAY, report)
    data = json.loads(render(report.sorted(), Summary(1, 2)))
    validator("diagnostics").validate(data)
    assert len(data["diagnostics"]) >= 6
    validator("diagnostics").validate(json.loads(render([], Summary(0))))
