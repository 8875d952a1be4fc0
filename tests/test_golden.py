"""Whole outputs beside their inputs: `golden/CASE/{job.het|template.yaml|flow.yaml, …, args}` -> expected.yaml and diagnostics.txt."""
from __future__ import annotations

import os
import pathlib
from typing import Any

import pytest
import yaml
from ruamel.yaml import YAML
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from hetc import commands, options
from hetc.diagnostic import Report
from hetc.dump import dump
from hetc.flow import unit as unit_of
from hetc.inputs import load
from hetc.pipeline import Compiler, Options
from hetc.report.text import render
from hetc.source import Source
from hetc.tree import plain
from hetc.verify import verify
from tests.conftest import ROOT
from tests.goldens import arguments
from tests.judges import kubectl_reads, needs_kubectl

FOLDER = os.path.join(ROOT, "golden")
CASES = sorted(os.listdir(FOLDER))


class InCase(SingleFileSnapshotExtension):
    """Keeps a snapshot as a file of the case's folder."""

    _write_mode = WriteMode.TEXT
    stem = ""

    @classmethod
    def dirname(cls, *, test_location: Any) -> str:
        return os.path.join(FOLDER, test_location.nodename.partition("[")[2].rstrip("]"))

    @classmethod
    def get_file_basename(cls, *, test_location: Any, index: Any) -> str:
        return cls.stem

    @classmethod
    def matches_test_location(cls, *, test_location: Any, snapshot_location: str) -> bool:
        return os.path.dirname(snapshot_location) == cls.dirname(test_location=test_location)

    def is_snapshot_location(self, *, location: str) -> bool:
        """Inputs stand in the same folder; they are not for `--snapshot-update` to remove."""
        return os.path.basename(location) == f"{self.stem}.{self.file_extension}"


class Expected(InCase):
    stem = "expected"
    file_extension = "yaml"


class Diagnostics(InCase):
    stem = "diagnostics"
    file_extension = "txt"


def built(case: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, Report]:
    """The manifest text (empty where refused), the diagnostics as people see them, and what the schemas say."""
    folder = os.path.join(FOLDER, case)
    monkeypatch.chdir(folder)
    args = arguments(pathlib.Path())
    parsed = options.parse(options.BUILD, args)
    unit = unit_of(Compiler(commands._options(parsed)), load(args[0]), ask_command=True)
    schemas = Report()
    text = ""
    if unit.document is not None and not unit.report.failed:
        text = dump(list(unit.documents))
        verify(list(unit.documents), schemas)
    return text, render(unit.report.sorted()), schemas


@pytest.mark.parametrize("case", CASES)
def test_golden(case: str, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch) -> None:
    text, diagnostics, schemas = built(case, monkeypatch)
    assert render(schemas.sorted()) == ""
    assert diagnostics == snapshot(extension_class=Diagnostics)
    assert text == snapshot(extension_class=Expected)
    assert bool(text) == (not case.startswith("refused") and case != "site-policy-broken")


@pytest.mark.parametrize("case", [case for case in CASES if os.path.exists(os.path.join(FOLDER, case, "expected.yaml"))])
def test_an_output_is_sound_by_hand_too(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `build` lets out, `lint` lets pass, and its typed check sees nothing there."""
    text, _, _ = built(case, monkeypatch)
    config = "hetc.toml" if os.path.exists("hetc.toml") else None
    report = Compiler(Options(config=config, isolated=config is None)).manifest(Source("job.yaml", text)).report
    assert [each for each in report.sorted() if each.level == "error"] == []
    assert not [each for each in report.sorted() if each.code.code.startswith("HET0") or each.code.code == "HET590"]


@needs_kubectl
def test_every_reader_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for case in CASES if (text := built(case, monkeypatch)[0])]
    stream = "---\n".join(texts)
    by_kubectl = kubectl_reads(stream)
    by_pyyaml = list(yaml.safe_load_all(stream))
    by_ruamel = list(YAML(typ="safe", pure=True).load_all(stream))
    assert len(by_kubectl) == sum(text.count("\n---\n") + 1 for text in texts)
    assert by_pyyaml == by_kubectl
    assert by_ruamel == by_kubectl


def test_the_template_and_the_request_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    from_template = built("design-template", monkeypatch)[0]
    monkeypatch.chdir(os.path.join(ROOT, "examples"))
    unit = Compiler().job(load("train.het"), ask_command=True)
    assert unit.document is not None
    assert dump([unit.document]) == from_template
    assert plain(unit.document)["spec"]["minAvailable"] == 7  # type: ignore[index,call-overload]
