"""Diagnostics as a JUnit report: a suite for each file, a case for each finding, one that passes for a clean file."""
from __future__ import annotations

from hetc.diagnostic import ERROR
from hetc.report.text import place, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hetc.diagnostic import Diagnostic


def render(diagnostics: Iterable[Diagnostic], files: Sequence[str]) -> str:
    """An error is a failure; a warning is a case that passes and says something. `files`: all that were checked."""
    by_file: dict[str, list[Diagnostic]] = {name: [] for name in files}
    for each in diagnostics:
        by_file.setdefault(each.span.source.name, []).append(each)
    cases = sum(max(len(found), 1) for found in by_file.values())
    failures = sum(each.level == ERROR for found in by_file.values() for each in found)
    suites = "".join(_suite(name, by_file[name]) for name in sorted(by_file))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f'{head}<testsuites name="hetc" tests="{cases}" failures="{failures}" errors="0">\n{suites}</testsuites>\n'


def _suite(name: str, found: list[Diagnostic]) -> str:
    shown = _quoted(name)
    cases = "".join(_case(each, shown) for each in found) or f'    <testcase name="hetc" classname={shown}/>\n'
    failures = sum(each.level == ERROR for each in found)
    head = f'  <testsuite name={shown} tests="{max(len(found), 1)}" failures="{failures}" errors="0" package="hetc">\n'
    return f"{head}{cases}  </testsuite>\n"


def _case(diagnostic: Diagnostic, name: str) -> str:
    line, column = diagnostic.span.start_position()
    head = f'    <testcase name="{diagnostic.code.code} {diagnostic.code.name}" classname={name} line="{line}" column="{column}">\n'
    text = f"{place(diagnostic.span)}: {printable(diagnostic.message)}"
    if diagnostic.help:
        text += f"\nhelp: {printable(diagnostic.help)}"
    if diagnostic.level == ERROR:
        body = f"      <failure message={_quoted(diagnostic.message)}>{_escaped(text)}</failure>\n"
    else:
        body = f"      <system-out>{_escaped(f'{diagnostic.level}: {text}')}</system-out>\n"
    return f"{head}{body}    </testcase>\n"


def _escaped(text: str) -> str:
    """XML 1.0 text; `printable` has taken the characters that it cannot hold, and a newline may stay."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    return f'"{_escaped(printable(text)).replace(chr(34), "&quot;")}"'
