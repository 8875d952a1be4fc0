"""SARIF: what code scanning needs, held against the standard's own judge."""
from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from hetc.diagnostic import Report
from hetc.pages import read
from hetc.report.sarif import render, uri
from tests.judges import multitool_says, needs_multitool
from tests.report.findings import NAME, report

#: What the judge notes that is no mistake.
STYLE = {
    "SARIF2002": "a message by its id and arguments needs a text in the rule for each; hetc's messages are whole sentences",
    "SARIF2003": "which commit was checked is git's to say, and hetc runs no other program",
    "SARIF2005": "the project has no page of its own yet, so that no `informationUri` leads anywhere",
    "SARIF2006": "the judge looks for the schema on the network, where a test has none",
    "SARIF2010": "a snippet would carry what a manifest holds into a log that others read; who may see the file sees the line",
    "SARIF2011": "as of the snippet",
    "SARIF2012": "no page on the network; the rule's whole page is its `help`",
}
#: Azure DevOps' own names, which only its pipelines know.
PIPELINE = {
    "TF_BUILD": "True", "SYSTEM_DEFINITIONID": "7", "BUILD_DEFINITIONNAME": "lint", "SYSTEM_PHASENAME": "Job",
    "SYSTEM_PHASEID": "96ac2280-8cb4-5df5-99de-dd2da759617d",
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    os.mkdir(".git")
    for name in PIPELINE:
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def log(found: Report) -> str:
    return render(found, read)


def run(found: Report) -> dict[str, Any]:
    document = json.loads(log(found))
    assert document["version"] == "2.1.0"
    (only,) = document["runs"]
    return only  # type: ignore[no-any-return]


def test_results_point_at_their_rules() -> None:
    found = run(report())
    rules = found["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({rule["id"] for rule in rules})
    for result in found["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert re.fullmatch(r"[0-9a-f]{16}:[0-9]+", result["partialFingerprints"]["primaryLocationLineHash"])
    fingerprints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in found["results"]]
    assert len(set(fingerprints)) == len(fingerprints)


def test_rules_say_all_that_code_scanning_shows() -> None:
    for rule in run(report())["tool"]["driver"]["rules"]:
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} ")
        assert rule["shortDescription"]["text"][-1] == rule["fullDescription"]["text"][-1] == "."
        security = rule["id"].startswith("HET4")
        assert ("security-severity" in rule["properties"], rule["properties"]["tags"]) == (
            security, ["security"] if security else ["correctness"])


def test_levels() -> None:
    levels = {(each["ruleId"], each["level"]) for each in run(report())["results"] if "suppressions" not in each}
    assert levels == {("HET015", "error"), ("HET107", "error"), ("HET403", "error"), ("HET101", "error"), ("HET032", "warning"),
                      ("HET702", "warning"), ("HET030", "note")}


def test_columns_are_code_points_and_regions_are_not_empty() -> None:
    found = run(report())
    assert found["columnKind"] == "unicodeCodePoints"
    regions = {each["ruleId"]: each["locations"][0]["physicalLocation"]["region"] for each in found["results"]}
    assert regions["HET015"] == {"startLine": 2, "startColumn": 9, "endLine": 2, "endColumn": 11}
    assert regions["HET107"] == {"startLine": 4, "startColumn": 1, "endLine": 5, "endColumn": 14}
    assert regions["HET101"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 2}


def test_related_places() -> None:
    (result,) = [each for each in run(report())["results"] if each["ruleId"] == "HET107"]
    assert [(each["message"]["text"], each["physicalLocation"]["artifactLocation"]["uri"]) for each in result["relatedLocations"]] == [
        ("an item of these", uri(NAME)), ("and, far away: this", "base.yaml")]


def test_what_was_kept_out_says_why() -> None:
    suppressed = [each["suppressions"] for each in run(report())["results"] if "suppressions" in each]
    assert suppressed == [
        [{"kind": "external", "justification": "The baseline knows it."}], [{"kind": "inSource", "justification": "nightly, 100% meant"}]]


def test_an_empty_report_is_a_log_without_results() -> None:
    found = run(Report())
    assert (found["results"], found["tool"]["driver"]["rules"]) == ([], [])


def test_uris(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "team").mkdir()
    monkeypatch.chdir(tmp_path / "team")
    assert uri("a.yaml") == uri("./x/../a.yaml") == uri(str(tmp_path / "team" / "a.yaml")) == "team/a.yaml"
    assert uri("../b c%.yaml") == "b%20c%25.yaml"
    assert uri("<stdin>") == "stdin"
    assert uri("<command line>") == "command-line"
    assert uri("/elsewhere/a.yaml") == "file:///elsewhere/a.yaml"


def test_a_link_is_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text("")
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    assert uri("link.yaml") == "real.yaml"


@pytest.mark.slow
@needs_multitool
def test_the_judge_has_nothing_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in PIPELINE.items():
        monkeypatch.setenv(name, value)
    for found in (report(), Report()):
        assert [each for each in multitool_says(log(found)) if each[0] not in STYLE] == []


@pytest.mark.slow
@needs_multitool
def test_the_judge_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = log(report()).replace('"ruleIndex": 0', '"ruleIndex": 99')
    assert "error" in {level for _, level, _ in multitool_says(broken)}


@pytest.mark.slow
@needs_multitool
def test_outside_azure_only_its_own_names_are_missing() -> None:
    others = {rule for rule, _, _ in multitool_says(log(report()))} - set(STYLE)
    assert others == {"GHAzDO1019", "GHAzDO1020"}
