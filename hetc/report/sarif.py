"""Diagnostics as SARIF 2.1.0, for code scanning."""
from __future__ import annotations

import json
import os
from urllib.parse import quote

from hetc import __version__
from hetc.diagnostic import ERROR, WARNING, order
from hetc.report.fingerprint import fingerprints, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hetc.diagnostic import Code, Diagnostic, Report
    from hetc.source import Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {ERROR: "error", WARNING: "warning"}
_AZURE = "azuredevops/pipeline/build/"
#: Code scanning sorts security findings by a score of 0 to 10.
_SECURITY_SCORE = "8.0"


def render(report: Report, page: Callable[[Code], str]) -> str:
    """One run. What comments and a baseline kept out goes in with the reason. `page` gives the Markdown page of a code."""
    reasons: dict[int, dict[str, str]] = {id(each): {"kind": "inSource", "justification": why} for each, why in report.suppressed}
    reasons.update((id(each), {"kind": "external", "justification": "The baseline knows it."}) for each in report.known)
    every = sorted([*report.diagnostics, *(each for each, _ in report.suppressed), *report.known], key=order)
    codes = sorted({each.code.code: each.code for each in every}.values(), key=lambda code: code.code)
    numbers = {code.code: number for number, code in enumerate(codes)}
    run = {
        "tool": {"driver": {
            "name": "hetc",
            "fullName": f"hetc {__version__}",
            "semanticVersion": __version__,
            "version": __version__,
            "rules": [_rule(code, page(code)) for code in codes],
        }},
        "automationDetails": _automation(),
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(each, numbers[each.code.code], fingerprint, reasons.get(id(each))) for each, fingerprint in fingerprints(every)
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=True, indent=2) + "\n"


def _automation() -> dict[str, object]:
    """What tells this analysis from others of a repository; Azure DevOps wants its own names, from its pipelines' variables."""
    if os.environ.get("TF_BUILD") != "True":
        return {"id": "hetc/"}
    variables = {"buildDefinitionId": "SYSTEM_DEFINITIONID", "buildDefinitionName": "BUILD_DEFINITIONNAME",
                 "phaseId": "SYSTEM_PHASEID", "phaseName": "SYSTEM_PHASENAME"}
    return {"id": f"{_AZURE}hetc/", "properties": {f"{_AZURE}{key}": os.environ.get(name, "") for key, name in variables.items()}}


def _rule(code: Code, page: str) -> dict[str, object]:
    security = code.code.startswith("HET4")
    properties: dict[str, object] = {"tags": ["security"] if security else ["correctness"], "precision": "high",
                                     "problem.severity": _LEVELS.get(code.level, "recommendation")}
    if security:
        properties["security-severity"] = _SECURITY_SCORE
    return {
        "id": code.code,
        "name": "".join(word.capitalize() for word in code.name.split("-")),
        "shortDescription": {"text": f"{code.title[:1].upper()}{code.title[1:]}."},
        "fullDescription": {"text": f"{code.title[:1].upper()}{code.title[1:]}."},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": _LEVELS.get(code.level, "note")},
        "properties": properties,
    }


def _result(diagnostic: Diagnostic, number: int, fingerprint: str, suppression: dict[str, str] | None) -> dict[str, object]:
    text = f"{diagnostic.message[:1].upper()}{diagnostic.message[1:]}." + (f" Help: {diagnostic.help}." if diagnostic.help else "")
    result: dict[str, object] = {
        "ruleId": diagnostic.code.code,
        "ruleIndex": number,
        "level": _LEVELS.get(diagnostic.level, "note"),
        "message": {"text": text},
        "locations": [{"physicalLocation": _location(diagnostic.span)}],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint},
    }
    if suppression is not None:
        result["suppressions"] = [suppression]
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(label.span), "message": {"text": label.message}}
            for number, label in enumerate(diagnostic.related)
        ]
    return result


def _location(span: Span) -> dict[str, object]:
    line, column = span.start_position()
    end_line, end_column = span.end_position()
    return {
        "artifactLocation": {"uri": uri(span.source.name)},
        "region": {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": max(end_column, column + 1)
                   if line == end_line else end_column},
    }


def uri(name: str) -> str:
    """A file as a URI: relative to the root of its repository where it is in one."""
    if name.startswith("<"):
        return quote(name.strip("<>").replace(" ", "-"))
    place = home(name)
    drive = place[:2] if place[1:2] == ":" and os.path.isabs(place) else ""
    if drive:
        return f"file:///{drive}{quote(place[2:])}"
    return ("file:" if place.startswith("//") else "file://" if place.startswith("/") else "") + quote(place)
