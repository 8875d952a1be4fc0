"""What one line of plain YAML holds, whatever stands around it.

Lines repeat, in the tasks of a job and from file to file, so that most of them need not be taken apart again.
"""
from __future__ import annotations

import re

from hetc.lazy import regex, remembered
from hetc.scalars import reading

#: The longest key of a mapping in brackets; YAML's own limit is 1,024.
MAX_KEY = 200

#: Its blanks, its `- `s, its key with what stands behind it up to the value, and the rest.
_LINE = re.compile(
    r"""( *)((?:- +)*)(?:([A-Za-z0-9_./][A-Za-z0-9_./-]{0,200}|"[^"\\]{0,200}"|'[^']{0,200}'):(?: +|\Z))?(.*)""", re.DOTALL)
_DOCUMENT = regex(r"--- *(?: #.*)?\Z")
_LITERAL = regex(r"\|-? *\Z")
QUOTED = r""""(?:[^"\\\n]++|\\["\\nt])*"|'(?:[^'\n]++|'')*'"""
_QUOTED_VALUE = regex("(" + QUOTED + r") *(?: #.*)?\Z")
# What no plain scalar begins with, but for a `-` before a word.
_SIGNS = frozenset("-?:,[]{}#&*!|>'\"%@`")
_DASHED = regex(r"--?[A-Za-z0-9.]")
_ESCAPE = regex(r"\\(.)")
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}

#: The value of a line: none, a scalar, `[]` or `{}`, what begins with a bracket, a literal block without its last line break, or with it.
NONE, WORD, EMPTY, FLOW, STRIPPED, LITERAL = range(6)


class NotPlain(Exception):
    """The text holds something else, or more than a tree may have."""


class Word:
    """A scalar: what it is, and the columns from which and up to which it stands, from 0. `text` and `plain` are a Scalar's."""

    __slots__ = ("end", "plain", "start", "text", "value")

    def __init__(self, start: int, end: int, text: str, plain: bool) -> None:
        self.start = start
        self.end = end
        self.text = text
        self.plain = plain
        self.value = reading(text) if plain else text


class Line:
    """A line that holds anything. `column`: of its first sign; `dashes`: of each `- `; `value`: of its value.

    `kind` is the value's, and `word` what it is if that is a scalar. A line of `---` has None for its `dashes`.
    """

    __slots__ = ("column", "dashes", "key", "kind", "value", "word")

    def __init__(self, column: int, dashes: tuple[int, ...] | None, key: Word | None, value: int, kind: int, word: Word | None) -> None:
        self.column = column
        self.dashes = dashes
        self.key = key
        self.value = value
        self.kind = kind
        self.word = word


@remembered
def line(text: str) -> Line | None:
    """What a line holds; None for nothing but a comment. Raises NotPlain."""
    match = _LINE.match(text)
    assert match is not None  # it takes anything
    blanks, dashes, key, rest = match.groups()
    if "\t" in text:
        raise NotPlain
    if key is None and not dashes:
        if not rest or rest[0] == "#":
            return None
        if not blanks and rest[:3] in ("---", "..."):
            if not _DOCUMENT.match(rest):
                raise NotPlain
            return Line(0, None, None, 0, NONE, None)
        if rest == "-":
            dashes, rest = rest, ""
    elif rest == "-" and key is None:
        dashes, rest = dashes + rest, ""
    column, value = len(blanks), len(text) - len(rest)
    lists = tuple(column + place for place, sign in enumerate(dashes) if sign == "-")
    kind, word = _value(rest, value) if rest and rest[0] != "#" else (NONE, None)
    return Line(column, lists, None if key is None else _key(key, column + len(dashes)), value, kind, word)


def _key(text: str, at: int) -> Word:
    """A key that is neither null nor a merge key, and not so long that YAML takes it for none."""
    word = quoted(text, at) if text[0] in "\"'" else Word(at, at + len(text), text, True)
    if word.value is None or word.text == "<<" or len(text) > MAX_KEY:
        raise NotPlain
    return word


def _value(rest: str, at: int) -> tuple[int, Word | None]:
    """The kind of what stands behind a key or a `- ` in its line from a column on, and what it is if it is a scalar."""
    first = rest[0]
    if rest == "[]" or rest == "{}":
        return EMPTY, None
    if first in "[{":
        return FLOW, None
    if first in "\"'":
        whole = _QUOTED_VALUE.match(rest)
        if whole is None:
            raise NotPlain
        return WORD, quoted(whole[1], at)
    if first == "|":
        if not _LITERAL.match(rest):
            raise NotPlain
        return STRIPPED if rest[1:2] == "-" else LITERAL, None
    text = rest.partition(" #")[0].rstrip(" ")
    if ": " in text or text[-1] == ":" or (first in _SIGNS and not _DASHED.match(text)):
        raise NotPlain
    return WORD, Word(at, at + len(text), text, True)


def quoted(text: str, at: int) -> Word:
    """A scalar that stands in quotes."""
    inner = text[1:-1]
    if text[0] == "'":
        inner = inner.replace("''", "'")
    elif "\\" in inner:
        inner = _ESCAPE.sub(lambda escape: _ESCAPES[escape[1]], inner)
    return Word(at, at + len(text), inner, False)
