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
