"""Diagnostics for programs; the form is `schemas/diagnostics.schema.json`."""
from __future__ import annotations

import json

from hetc.diagnostic import ERROR, WARNING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic, Fix, Label
    from hetc.report.summary import Summary
    from hetc.source import Span


def render(diagnostics: Iterable[Diagnostic], summary: Summary, suppressed: int = 0) -> str:
    """One JSON object: version, diagnostics, problems, summary."""
    found = list(diagnostics)
    document = {
        "version": 1,
        "diagnostics": [finding(diagnostic) for diagnostic in found],
        "problems": list(summary.problems),
        "summary": {
            "files": summary.files,
            "errors": sum(each.level == ERROR for each in found),
            "warnings": sum(each.level == WARNING for each in found),
            "skipped": summary.skipped,
            "suppressed": suppressed,
            "fixes": summary.fixes,
        },
    }
    return json.dumps(document, ensure_ascii=True, indent=2) + "\n"


def finding(diagnostic: Diagnostic) -> dict[str, object]:
    """The object of one diagnostic."""
    return {
        "code": diagnostic.code.code,
        "name": diagnostic.code.name,
        "level": diagnostic.level,
        "message": diagnostic.message,
        "help": diagnostic.help,
        **_place(diagnostic.span),
        "related": [_related(label) for label in diagnostic.related],
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix),
    }


def _fix(fix: Fix) -> dict[str, object]:
    return {"message": fix.message, "edits": [{**_place(edit.span), "text": edit.text} for edit in fix.edits]}


def _place(span: Span) -> dict[str, object]:
    line, column = span.start_position()
    end_line, end_column = span.end_position()
    return {"file": span.source.name, "line": line, "column": column, "end_line": end_line, "end_column": end_column}


def _related(label: Label) -> dict[str, object]:
    line, column = label.span.start_position()
    return {"message": label.message, "file": label.span.source.name, "line": line, "column": column}
