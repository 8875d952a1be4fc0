"""Diagnostics as a Code Quality report of GitLab."""
from __future__ import annotations

import json

from hetc.diagnostic import ERROR, WARNING
from hetc.report.fingerprint import fingerprints
from hetc.system import slashed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic

_SEVERITIES = {ERROR: "major", WARNING: "minor"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON list, empty where there is no finding."""
    return json.dumps([_one(each, fingerprint) for each, fingerprint in fingerprints(diagnostics)], ensure_ascii=True, indent=2) + "\n"


def _one(diagnostic: Diagnostic, fingerprint: str) -> dict[str, object]:
    begin, end = diagnostic.span.start_position(), diagnostic.span.end_position()
    return {
        "check_name": diagnostic.code.code,
        "description": f"{diagnostic.message} [{diagnostic.code.name}]",
        "severity": _SEVERITIES.get(diagnostic.level, "info"),
        "fingerprint": fingerprint,
        "location": {
            "path": slashed(diagnostic.span.source.name),
            "positions": {"begin": {"line": begin[0], "column": begin[1]}, "end": {"line": end[0], "column": end[1]}},
        },
    }
