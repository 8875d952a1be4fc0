"""Diagnostics as SARIF 2.1.0, for code scanning."""
from __future__ import annotations

import json
import os
from urllib.parse import quote

from hetc import __version__
from hetc.diagnostic import ERROR, WARNING
from hetc.report.fingerprint import fingerprints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hetc.diagnostic import Code, Diagnostic
    from hetc.source import Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {ERROR: "error", WARNING: "warning"}
#: Code scanning sorts security findings by a score of 0 to 10.
_SECURITY_SCORE = "8.0"


def render(
    diagnostics: Iterable[Diagnostic], suppressed: Iterable[tuple[Diagnostic, str]], page: Callable[[str], str],
) -> str:
    """One run; `suppressed` findings go in with the reasons of their comments. `page` gives the Markdown page of a code."""
    found = list(fingerprints(diagnostics))
    quiet = list(suppressed)
    every = [each for each, _ in found] + [each for each, _ in quiet]
    codes = sorted({each.code.code: each.code for each in every}.values(), key=lambda code: code.code)
    numbers = {code.code: number for number, code in enumerate(codes)}
    run = {
        "tool": {"driver": {
            "name": "hetc",
            "fullName": f"hetc {__version__}",
            "semanticVersion": __version__,
            "version": __version__,
            "rules": [_rule(code, page(code.code)) for code in codes],
        }},
        "automationDetails": {"id": "hetc/"},
        "columnKind": "unicodeCodePoints",
        "results": [
            *(_result(each, numbers[each.code.code], fingerprint) for each, fingerprint in found),
            *({**_result(each, numbers[each.code.code], fingerprint), "suppressions": [{"kind": "inSource", "justification": reason}]}
              for (each, fingerprint), (_, reason) in zip(fingerprints(each for each, _ in quiet), quiet)),
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=True, indent=2) + "\n"


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


def _result(diagnostic: Diagnostic, number: int, fingerprint: str) -> dict[str, object]:
    text = f"{diagnostic.message[:1].upper()}{diagnostic.message[1:]}." + (f" Help: {diagnostic.help}." if diagnostic.help else "")
    result: dict[str, object] = {
        "ruleId": diagnostic.code.code,
        "ruleIndex": number,
        "level": _LEVELS.get(diagnostic.level, "note"),
        "message": {"text": text},
        "locations": [{"physicalLocation": _location(diagnostic.span)}],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint},
    }
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
    """A file's path relative to the root of its repository (else to the working directory), as a URI with forward slashes."""
    if name.startswith("<"):
        return quote(name.strip("<>").replace(" ", "-"))
    real = os.path.realpath(name)
    top = folder = os.path.dirname(real)
    while not os.path.exists(os.path.join(top, ".git")):
        parent = os.path.dirname(top)
        if parent == top:
            top = os.path.realpath(".")
            break
        top = parent
    if os.path.commonpath([top, folder]) != top:
        return "file://" + quote(real.replace(os.sep, "/"))
    return quote(os.path.relpath(real, top).replace(os.sep, "/"))
