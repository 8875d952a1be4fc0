"""Findings that a file's own comments keep quiet: `# hetc: ignore[HET701] reason`.

On a line of its own the comment speaks for the next line that holds something, else for its own; `ignore-file` for all of
the file. A comment that silences nothing, that gives no reason, or that names a security rule is a finding itself, and a
security rule is never silenced.
"""
from __future__ import annotations

import re
from bisect import bisect_left

from hetc import codes
from hetc.diagnostic import Report
from hetc.levels import is_code, owners
from hetc.record import Record
from hetc.source import MARK, Span, inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic
    from hetc.source import Source

_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#[ \t]*hetc:[ \t]*(ignore(?:-file)?)\b[ \t]*(?:\[([^\]\n]*)\])?[ \t]*([^\n\r]*)", re.MULTILINE)

class Ignore(Record):
    """One comment: the codes it names with their places, the line it speaks for (None: the file), and its reason."""

    span: Span
    codes: tuple[tuple[str, Span], ...]
    line: int | None
    reason: str


class Quiet(Record):
    """What is left to show, and what was silenced, each with the comment's reason."""

    shown: list[Diagnostic]
    suppressed: list[tuple[Diagnostic, str]]


def ignores(source: Source) -> list[Ignore]:
    """The comments of a text that has been read; what stands inside a string is none."""
    if MARK not in source.text:
        return []
    strings = sorted(source.strings)
    filled = [number for number in range(1, len(source.starts()) + 1) if _is_filled(source.line(number))]
    return [_ignore(source, match, filled) for match in _COMMENT.finditer(source.text)
            if not inside(match.start(), strings)]


def _is_filled(line: str) -> bool:
    """Whether a line holds more than a comment."""
    text = line.strip()
    return bool(text) and not text.startswith("#")


def _ignore(source: Source, match: re.Match[str], filled: list[int]) -> Ignore:
    start = source.text.index("#", match.start())
    named = []
    if match[2] is not None:
        for part in re.finditer(r"[^,\s]+", match[2]):
            at = match.start(2) + part.start()
            named.append((part[0], Span(source, at, at + len(part[0]))))
    line, _ = source.position(start)
    at = bisect_left(filled, line)  # the line itself, or where it stands alone the next that holds something
    target = None if match[1] == "ignore-file" else filled[at] if at < len(filled) else line
    return Ignore(Span(source, start, match.end(2) + 1 if match[2] is not None else match.end(1)), tuple(named), target, match[3].strip())


def quiet(found: Iterable[Diagnostic], comments: list[Ignore], known: frozenset[str], fixed: frozenset[str], whole: bool) -> Quiet:
    """Part what the comments silence from what is shown.

    `known` are the codes there are, `fixed` those that nothing silences: without them there would be no result. `whole`: all
    rules have run, so that a comment without use is known.
    """
    own = Report()
    silencers = _silencers(comments)
    used: list[set[str]] = [set() for _ in comments]
    shown: list[Diagnostic] = []
    suppressed: list[tuple[Diagnostic, str]] = []
    for each in found:
        code, file = each.code.code, each.span.source.name
        numbers = [number for line in (None, each.span.start_position()[0]) if (number := silencers.get((file, line, code))) is not None]
        if not numbers or owners(code) is not None or code in fixed:
            shown.append(each)
        else:
            used[min(numbers)].add(code)
            suppressed.append((each, comments[min(numbers)].reason))
    for comment, useful in zip(comments, used):
        _judge(comment, useful, known if whole else frozenset(), own)
    return Quiet(shown + own.diagnostics, suppressed)


def _silencers(comments: list[Ignore]) -> dict[tuple[str, int | None, str], int]:
    """File, line (None: all of it) and code -> the first comment that speaks for them."""
    found: dict[tuple[str, int | None, str], int] = {}
    for number, comment in enumerate(comments):
        for code, _ in comment.codes:
            found.setdefault((comment.span.source.name, comment.line, code), number)
    return found


def _judge(comment: Ignore, used: set[str], known: frozenset[str], report: Report) -> None:
    """What is wrong with a comment itself; with no codes `known`, its use is not judged."""
    if not comment.codes:
        report.add(codes.BARE_IGNORE, comment.span, "an `ignore` that names no rule", "name the rules: `# hetc: ignore[HET702] reason`")
        return
    for code, span in comment.codes:
        what = owners(code)
        if what is not None:
            report.add(codes.SECURITY_IGNORED, span, f"`{code}` is {what}, which no comment silences",
                       "leave it out; the site file in the repository's root may set its level")
        elif not known:
            continue
        elif code not in known:
            help = "`hetc rule` lists them" if is_code(code) else "write a code such as `HET702`"
            report.add(codes.UNUSED_IGNORE, span, f"there is no rule `{code}`", help)
        elif code not in used:
            report.add(codes.UNUSED_IGNORE, span, f"`{code}` is not found here, so that nothing is ignored", "leave it out")
    if not comment.reason and used:
        report.add(codes.BARE_IGNORE, comment.span, "an `ignore` without a reason", "write the reason behind the `]`")
