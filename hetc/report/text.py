"""Diagnostics for people: the line, a caret, the help."""
from __future__ import annotations

import sys

from hetc.diagnostic import ERROR, WARNING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic
    from hetc.source import Span

#: Longer source lines are shown around the caret only.
WIDTH = 160
_COLORS = {ERROR: "\x1b[1;31m", WARNING: "\x1b[1;33m"}
_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[36m", "\x1b[0m"


def render(diagnostics: Iterable[Diagnostic], color: bool = False) -> str:
    """All diagnostics, each with its source line, related places and help."""
    return "".join(_one(diagnostic, color) for diagnostic in diagnostics)


def concise(diagnostics: Iterable[Diagnostic], color: bool = False) -> str:
    """One line for each diagnostic."""
    return "".join(_head(diagnostic, color) + "\n" for diagnostic in diagnostics)


def headline(diagnostic: Diagnostic) -> str:
    """`path:line:column: level CODE: message [name]`, on one line."""
    code = diagnostic.code
    return f"{place(diagnostic.span)}: {diagnostic.level} {code.code}: {printable(diagnostic.message)} [{code.name}]"


def place(span: Span) -> str:
    return printable(span.source.place(span.start, span.end))


def printable(text: str) -> str:
    """Text without control characters and surrogates, which could disturb a terminal or an encoder."""
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def complain(message: str) -> None:
    """Say on standard error what is wrong with the call, a file or the configuration."""
    if sys.stderr is not None:
        sys.stderr.write(f"hetc: {printable(message)}\n")


def _escape(character: str) -> str:
    number = ord(character)
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(character) or (f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}")


def _head(diagnostic: Diagnostic, color: bool) -> str:
    head = headline(diagnostic)
    if not color:
        return head
    where = place(diagnostic.span)
    level = _COLORS.get(diagnostic.level, _DIM) + diagnostic.level + _RESET
    return f"{_BOLD}{where}{_RESET}: {level}{head[len(where) + 2 + len(diagnostic.level):]}"


def _one(diagnostic: Diagnostic, color: bool) -> str:
    lines = [_head(diagnostic, color), *snippet(diagnostic.span, color)]
    for label in diagnostic.related:
        lines.append(f"  {place(label.span)}: {printable(label.message)}")
        lines.extend(snippet(label.span, color))
    if diagnostic.help:
        lines.append(f"  help: {printable(diagnostic.help)}")
    return "\n".join(lines) + "\n"


def snippet(span: Span, color: bool) -> list[str]:
    """The source line with a caret line under the span's part of it; nothing where the line is empty or nobody's to see."""
    number, column = span.start_position()
    raw = span.source.line(number)
    if not raw.strip() or not span.source.is_shown:
        return []
    length = max(1, min(span.end, span.start + len(raw) - column + 1) - span.start)
    cut = max(0, column - WIDTH // 2) if len(raw) > WIDTH else 0
    shown = raw[cut:cut + WIDTH]
    before = printable(raw[cut:column - 1])
    under = printable(raw[column - 1:min(column - 1 + length, cut + WIDTH)])
    margin = f"{number:>5} | "
    blank = " " * (len(margin) - 2) + "| "
    carets = "^" * max(1, _width(under))
    if color:
        carets = f"{_COLORS[ERROR]}{carets}{_RESET}"
    return [margin + printable(shown), blank + " " * _width(before) + carets]


def _width(text: str) -> int:
    """Columns on a terminal: wide characters of East Asian scripts and emoji take two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1 for character in text)
