"""Whether Go's package regexp compiles a pattern, and what simple ones match. It has no backreferences and no looking ahead or behind.

Source: Go, regexp/syntax/parse.go, with the flags of Perl. Limits on size are left out.
"""
from __future__ import annotations

import re

from hetc.names import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

#: The most that a repetition may count.
MOST = 1000

_REPEAT = re.compile(r"\{([0-9]{1,9})(?:(,)([0-9]{1,9})?)?\}")
_GROUP = re.compile(r"\(\?(?:P?<[A-Za-z0-9_]+>|[imsU]*(?:-[imsU]+)?[:)])")
_CLASSES = frozenset("alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit".split())
#: What may stand behind a backslash beside digits, marks and the longer forms; the second ones not in brackets.
_LETTERS, _OUTSIDE = frozenset("dDsSwWafnrtv"), frozenset("AbBz")
_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_LONG = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]{1,6}\}|[pP](?:\{\^?[A-Za-z_]+\}|[A-Z])|0[0-7]{0,2}|[1-7][0-7]{1,2})")


#: Patterns that Python reads as Go does, and goes through quickly: atoms, some of them repeated, and groups of plain choices.
_SIMPLE = re.compile(r"\^?(?:(?:[A-Za-z0-9.-]|\\[.d-]|\[\^?[A-Za-z0-9.-]+\])(?:[*+?]|\{[0-9]{1,2}\})?|\((?:\?:)?[A-Za-z0-9.|-]+\))*\$?")
#: How many choices such a pattern may leave open, and how long it may be.
_CHOICES, _LONGEST = 3, 100


class _Fault(ValueError):
    """What is wrong with a pattern."""


def fault(pattern: str) -> str | None:
    """What is wrong with a pattern, or None."""
    try:
        _Scanner(pattern).run()
    except _Fault as error:
        return str(error)
    return None


def matcher(pattern: str) -> Callable[[str], object] | None:
    """What tells whether a pattern is found in a text; None for one that is too much for Python, which takes ages over some."""
    if len(pattern) > _LONGEST or not _SIMPLE.fullmatch(pattern) or sum(map(pattern.count, "*+?(")) > _CHOICES:
        return None
    try:
        return re.compile(pattern).search
    except re.error:  # a range that is none
        return None


class _Scanner:
    """Goes through a pattern once. `ready`: what stands before may be repeated; `repeated`: it was."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0
        self.ready = False
        self.repeated = False

    def run(self) -> None:
        while self.at < len(self.pattern):
            step = {"(": self.open, ")": self.close, "[": self.brackets, "\\": self.backslash, "|": self.bar,
                    "*": self.repetition, "+": self.repetition, "?": self.repetition, "{": self.braces}
            step.get(self.pattern[self.at], self.character)()
        if self.depth:
            raise _Fault("has a `(` without its `)`")

    def character(self, length: int = 1) -> None:
        self.at += length
        self.ready, self.repeated = True, False

    def bar(self) -> None:
        self.at += 1
        self.ready = self.repeated = False

    def open(self) -> None:
        if self.pattern.startswith("(?", self.at):
            group = _GROUP.match(self.pattern, self.at)
            if group is None:
                raise _Fault(f"has `{shorten(self.pattern[self.at:self.at + 4])}`, which Go does not know")
            self.at = group.end()
            if group[0].endswith(")"):  # flags alone: what stands before them is still there to repeat
                self.repeated = False
                return
            self.depth += 1
        else:
            self.at += 1
            self.depth += 1
        self.ready = self.repeated = False

    def close(self) -> None:
        if not self.depth:
            raise _Fault("has a `)` without its `(`")
        self.depth -= 1
        self.character()

    def repetition(self) -> None:
        self.repeat(1, self.pattern[self.at])

    def braces(self) -> None:
        counts = _REPEAT.match(self.pattern, self.at)
        if counts is None:
            self.character()
            return
        low, high = int(counts[1]), int(counts[3] or counts[1])
        if max(low, high) > MOST or low > high:
            raise _Fault(f"has the repetition `{counts[0]}`, which Go does not take")
        self.repeat(len(counts[0]), counts[0])

    def repeat(self, length: int, shown: str) -> None:
        if not self.ready:
            raise _Fault(f"has `{shown}` with nothing before it to repeat")
        if self.repeated:
            raise _Fault(f"repeats a repetition with `{shown}`")
        self.at += length
        self.at += self.pattern.startswith("?", self.at)
        self.repeated = True

    def backslash(self) -> None:
        if self.pattern.startswith("\\Q", self.at):
            literal, _, _ = self.pattern[self.at + 2:].partition("\\E")
            self.at = min(self.at + len(literal) + 4, len(self.pattern))
            self.ready, self.repeated = self.ready or bool(literal), False
        else:
            self.character(self.escape(_LETTERS | _OUTSIDE))

    def escape(self, letters: frozenset[str]) -> int:
        """The length of what a backslash starts."""
        long = _LONG.match(self.pattern, self.at)
        if long is not None:
            return len(long[0])
        letter = self.pattern[self.at + 1:self.at + 2]
        if not letter:
            raise _Fault("ends with a backslash")
        if letter not in letters and (letter.isalnum() or not letter.isascii()):
            raise _Fault(f"has `\\{shorten(letter)}`, which Go does not know")
        return 2

    def brackets(self) -> None:
        start = self.at
        self.at += 2 if self.pattern.startswith("[^", self.at) else 1
        first = True
        while first or not self.pattern.startswith("]", self.at):
            first = False
            low = self.member(start)
            if low is not None and self.pattern.startswith("-", self.at) and self.pattern[self.at + 1:self.at + 2] not in ("", "]"):
                self.at += 1
                high = self.member(start)
                if high is None or high < low:
                    raise _Fault(f"has the range `{shorten(low)}-{shorten(high or '')}` in brackets, which is none")
        self.character()

    def member(self, start: int) -> str | None:
        """One member of the brackets that began at `start`; None for a whole class of characters."""
        if self.at >= len(self.pattern):
            raise _Fault("has a `[` without its `]`")
        named = re.compile(r"\[:(\^?)(\w*):\]").match(self.pattern, self.at)
        if named is not None:
            if named[2] not in _CLASSES:
                raise _Fault(f"has `{shorten(named[0])}`, which Go does not know")
            self.at = named.end()
            return None
        if self.pattern[self.at] != "\\":
            self.at += 1
            return self.pattern[self.at - 1]
        written = self.pattern[self.at:self.at + self.escape(_LETTERS)]
        self.at += len(written)
        return None if written[1] in "dDsSwWpP" else _meant(written)


def _meant(escape: str) -> str:
    """The character of an escape."""
    letter, digits = escape[1], escape[2:].strip("{}")
    if letter == "x":
        return chr(min(int(digits, 16), 0x10FFFF))
    return chr(int(escape[1:], 8)) if letter.isdigit() else _CONTROLS.get(letter, letter)
