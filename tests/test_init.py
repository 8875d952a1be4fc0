"""`hetc init` writes files that compile as they are, and overwrites nothing."""
from __future__ import annotations

import json

import pytest
from jsonschema import Draft7Validator

from hetc import commands, init
from hetc.diagnostic import Report
from hetc.inputs import load
from hetc.judging import judge
from hetc.options import COMMANDS, parse
from hetc.pipeline import Compiler, Options
from hetc.read.yaml import read
from hetc.source import UsageError
from hetc.tree import plain


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*argv):
    return commands.run(COMMANDS["init"], parse(COMMANDS["init"], list(argv)))


def compiled(*overlays):
    unit = Compiler(Options(overlays=tuple(map(load, overlays)), isolated=True)).job(load("train.het"), ask_command=True)
    judge([unit.document], unit.site, unit.report, emitted=True)
    assert unit.report.sorted() == []
    return unit.job


def test_what_is_written_compiles_without_a_word(folder, capsys):
    assert run("train") == 0
    assert capsys.readouterr().err == "wrote train.het\nwrote train.het.yaml\nwrote hetc-overlay.schema.json\n"
    assert [task.name.value for task in compiled().tasks] == ["master", "worker"]
    over = compiled("train.het.yaml")
    assert {variable.value.value for task in over.tasks for variable in task.env} == {"DEBUG"}
    assert not Compiler(Options(isolated=True)).overlay(load("train.het.yaml")).diagnostics


def test_the_editor_finds_the_schema(folder):
    run("train")
    first = (folder / "train.het.yaml").read_text().splitlines()[0]
    name = first.removeprefix("# yaml-language-server: $schema=")
    schema = json.loads((folder / name).read_text())
    (layer,) = map(plain, read(load("train.het.yaml"), Report()))
    Draft7Validator(schema).validate(layer)
    assert not Draft7Validator(schema).is_valid({**layer, "replicas": 3})


def test_job_is_the_name_where_none_is_given(folder):
    run()
    assert sorted(path.name for path in folder.iterdir()) == ["hetc-overlay.schema.json", "job.het", "job.het.yaml"]


def test_the_schema_is_kept_for_a_second_job(folder):
    (folder / "hetc-overlay.schema.json").write_text("{}")
    run("other")
    assert (folder / "hetc-overlay.schema.json").read_text() == "{}"


@pytest.mark.parametrize("there", ["train.het", "train.het.yaml"])
def test_nothing_is_overwritten(folder, there):
    (folder / there).write_text("mine")
    with pytest.raises(UsageError, match=rf"^`{there}` is there already, and `init` overwrites nothing$"):
        run("train")
    assert [path.name for path in folder.iterdir()] == [there]
    assert (folder / there).read_text() == "mine"


def test_a_link_to_nowhere_is_not_written_through(folder):
    (folder / "train.het").symlink_to(folder / "elsewhere")
    with pytest.raises(UsageError, match="is there already"):
        run("train")
    assert not (folder / "elsewhere").exists()


@pytest.mark.parametrize(("name", "better"), [("GPU_Train", "gpu-train"), ("../x", "x"), ("9lives", "lives"), ("", None), ("é", None)])
def test_names_that_no_job_can_have(folder, name, better):
    with pytest.raises(UsageError) as refused:
        init.files(name)
    assert str(refused.value).startswith("no job can have this name: ")
    assert ("try `hetc init" in str(refused.value)) == (better is not None)
    if better is not None:
        assert str(refused.value).endswith(f"; try `hetc init {better}`")
        assert init.files(better)


def lint(*argv):
    return commands.run(COMMANDS["lint"], parse(COMMANDS["lint"], ["--isolated", *argv]))


def test_lint_of_the_folder_passes_the_schema_by(folder, capsys):
    run("train")
    assert lint("--strict-kinds", ".") == 0
    assert capsys.readouterr().out == "checked 2 documents: 0 errors, 0 warnings\n"
    for argv in (["hetc-overlay.schema.json"], [".", "./hetc-overlay.schema.json"]):
        assert lint(*argv) == 0
        assert "1 of kinds hetc does not know (no manifest): 0 errors" in capsys.readouterr().out


SCHEMA = "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize(("name", "text", "documents"), [
    ("a.json", json.dumps({"type": "object", "$schema": SCHEMA}), 0),
    ("a.yaml", f"type: object\n$schema: {SCHEMA}\n", 0),
    ("a.yaml", "$schema: 'http://json-schema.org/draft-07/schema#'\n", 0),
    ("a.json", json.dumps({"items": {"$schema": SCHEMA}}), 1),
    ("a.json", json.dumps({"$schema": "https://json.schemastore.org/renovate", "see": SCHEMA}), 1),
    ("a.json", json.dumps({"$schema": 3, "see": SCHEMA}), 1),
    ("a.yaml", f"$schema: {SCHEMA}\n---\napiVersion: v1\nkind: Pod\n", 2),
    ("a.yaml", f"$schema: {SCHEMA}\nkind: Pod\n", 1),
    ("a.yaml", f"$schema: {SCHEMA}\nitems: [{{apiVersion: v1, kind: Pod}}]\n", 1),
    ("a.json", f'{{"$schema": "{SCHEMA}", ', 1),
    ("a.json", json.dumps({"$schema": SCHEMA, "properties": {"apiVersion": {}}}, indent=0), 0),
    ("a.het.yaml", f"$schema: {SCHEMA}\ntasks: {{}}\n", 1),
    ("a.yaml", f"$schema: {SCHEMA}\nconfig: {{jobs: []}}\n", 1),
    ("a.json", f'["{SCHEMA}"]', 1),
])
def test_what_is_a_schema(folder, capsys, name, text, documents):
    (folder / name).write_text(text)
    lint(".")
    assert f"checked {documents} document" in capsys.readouterr().out
