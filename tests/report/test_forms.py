"""Every form says the same things in the same order, and nothing in a text breaks it."""
from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft7Validator
from syrupy.assertion import SnapshotAssertion

from hetc.record import replace
from hetc.report import github, gitlab, junit, lines, text
from hetc.report import json as json_form
from hetc.report.sarif import render as sarif
from hetc.report.summary import Summary, sentence
from tests.conftest import ROOT
from tests.report.findings import CLEAN, FILES, report

SUMMARY = Summary(files=4, skipped=7, documents=11, kinds=("Deployment",), fixes=2, fixed_files=1)

FORMS = {
    "text": lambda: text.render(report().diagnostics),
    "color": lambda: text.render(report().diagnostics, color=True),
    "concise": lambda: text.concise(report().diagnostics),
    "json": lambda: json_form.render(report().diagnostics, SUMMARY, 2),
    "json-lines": lambda: lines.render(report().diagnostics),
    "github": lambda: github.render(report().diagnostics),
    "gitlab": lambda: gitlab.render(report().diagnostics),
    "junit": lambda: junit.render(report().diagnostics, FILES),
    "sarif": lambda: sarif(report(), lambda code: f"# {code.code}\n"),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository of its own: some forms name files by their place in it."""
    monkeypatch.chdir(tmp_path)
    os.mkdir(".git")


@pytest.mark.parametrize("form", FORMS)
def test_form(form: str, snapshot: SnapshotAssertion) -> None:
    shown = re.sub(r'"(semanticVersion|version|fullName)": "(hetc )?[0-9.]+"', r'"\1": "V"', FORMS[form]())
    assert shown == snapshot


def test_the_summary_is_one_line() -> None:
    assert "know (a\\x1b[2J)" in sentence(replace(SUMMARY, kinds=("a\x1b[2J",)), 0, 0)
    assert sentence(SUMMARY, 1, 2) == "checked 11 documents, 7 of kinds hetc does not know (Deployment): 1 error, 2 warnings, 2 fixes made in 1 file"


def test_every_form_has_the_same_findings_in_the_same_order() -> None:
    expected = [(each.code.code, each.span.start_position()[0]) for each in report().diagnostics]
    results = json.loads(FORMS["sarif"]())["runs"][0]["results"]
    found: dict[str, list[tuple[str, int]]] = {
        "concise": [(m[2], int(m[1])) for m in re.finditer(r"^.*?:(\d+):\d+: [a-z]+ (HET\d+): ", FORMS["concise"](), re.MULTILINE)],
        "text": [(m[2], int(m[1])) for m in re.finditer(r"^\S.*?:(\d+):\d+: [a-z]+ (HET\d+): ", FORMS["text"](), re.MULTILINE)],
        "json": [(each["code"], each["line"]) for each in json.loads(FORMS["json"]())["diagnostics"]],
        "json-lines": [(each["code"], each["line"]) for each in map(json.loads, FORMS["json-lines"]().splitlines())],
        "github": [(m[1], int(m[2])) for m in re.finditer(r"^::\w+ title=(HET\d+) .*?,line=(\d+),", FORMS["github"](), re.MULTILINE)],
        "gitlab": [(each["check_name"], each["location"]["positions"]["begin"]["line"]) for each in json.loads(FORMS["gitlab"]())],
        "junit": [(case.attrib["name"].split()[0], int(case.attrib["line"])) for case in cases() if "line" in case.attrib],
        "sarif": [(each["ruleId"], each["locations"][0]["physicalLocation"]["region"]["startLine"])
                  for each in results if "suppressions" not in each],
    }
    assert found == dict.fromkeys(found, expected)


def test_json_keeps_to_its_schema() -> None:
    with open(ROOT / "schemas" / "diagnostics.schema.json", encoding="utf-8") as file:
        schema = json.load(file)
    Draft7Validator.check_schema(schema)
    Draft7Validator(schema).validate(json.loads(FORMS["json"]()))
    one = {"$ref": "#/definitions/diagnostic", "definitions": schema["definitions"]}
    for line in FORMS["json-lines"]().splitlines():
        found = json.loads(line)
        assert found.pop("schema_version") == 1
        Draft7Validator(one).validate(found)


def test_json_counts() -> None:
    assert json.loads(FORMS["json"]())["summary"] == {"files": 4, "errors": 4, "warnings": 3, "skipped": 7, "suppressed": 2, "fixes": 2}


def unescaped(text: str) -> str:
    for escape, character in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def commands() -> list[tuple[str, dict[str, str], str]]:
    """Command, properties and message of each line, as GitHub's runner reads them."""
    found = []
    for line in FORMS["github"]().splitlines():
        match = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
        assert match is not None, line
        properties = dict(part.split("=", 1) for part in match[2].split(","))
        found.append((match[1], {key: unescaped(value) for key, value in properties.items()}, unescaped(match[3])))
    return found


def test_github_reads_back_what_was_meant() -> None:
    by_title = {properties["title"].split()[0]: (command, properties, message) for command, properties, message in commands()}
    command, properties, message = by_title["HET015"]
    assert (command, properties["file"], properties["line"], properties["col"], properties["endColumn"]) == ("error", FILES[0], "2", "9", "11")
    assert message == '`name` is `no`: 50% of readers\\nread\\ta boolean\nhelp: quote it: `"no"`'
    assert by_title["HET032"][2] == "::error::no memory %0A"
    assert "endColumn" not in by_title["HET107"][1]
    assert [by_title[code][0] for code in ("HET702", "HET030")] == ["warning", "notice"]


def test_gitlab_fingerprints_are_unique() -> None:
    issues: list[dict[str, Any]] = json.loads(FORMS["gitlab"]())
    assert len({each["fingerprint"] for each in issues}) == len(issues) == len(report().diagnostics)
    assert {each["severity"] for each in issues} == {"major", "minor", "info"}


def cases() -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(FORMS["junit"]().encode()).iter("testcase"))


def test_junit_has_a_case_for_each_finding_and_each_clean_file() -> None:
    root = ElementTree.fromstring(FORMS["junit"]().encode())
    assert (root.attrib["tests"], root.attrib["failures"]) == (str(len(report().diagnostics) + 1), "4")
    suites = {suite.attrib["name"]: suite for suite in root}
    assert set(suites) == set(FILES)
    (clean,) = suites[CLEAN]
    assert list(clean) == [] and suites[CLEAN].attrib["failures"] == "0"
    for suite in suites.values():
        assert int(suite.attrib["tests"]) == len(suite)
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))


@pytest.mark.parametrize(("form", "empty"), [
    ("text", ""), ("concise", ""), ("json-lines", ""), ("github", ""), ("gitlab", "[]\n"),
])
def test_without_findings(form: str, empty: str) -> None:
    renders = {"text": text.render, "concise": text.concise, "json-lines": lines.render, "github": github.render, "gitlab": gitlab.render}
    assert renders[form]([]) == empty
