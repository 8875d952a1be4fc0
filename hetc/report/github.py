"""Diagnostics as workflow commands of GitHub Actions, which shows them beside the lines of a change."""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING
from hetc.report.text import printable
from hetc.system import slashed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic

_COMMANDS = {ERROR: "error", WARNING: "warning"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One command a line. GitHub shows a column only on one line, so that `endColumn` is left out over several."""
    return "".join(_one(each) for each in diagnostics)


def _one(diagnostic: Diagnostic) -> str:
    line, column = diagnostic.span.start_position()
    end_line, end_column = diagnostic.span.end_position()
    values: dict[str, object] = {
        "title": f"{diagnostic.code.code} {diagnostic.code.name}", "file": slashed(diagnostic.span.source.name), "line": line,
        "endLine": end_line, "col": column,
    }
    if line == end_line:
        values["endColumn"] = end_column
    message = printable(diagnostic.message) + (f"\nhelp: {printable(diagnostic.help)}" if diagnostic.help else "")
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in values.items())
    return f"::{_COMMANDS.get(diagnostic.level, 'notice')} {properties}::{_data(message)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
