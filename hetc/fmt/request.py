"""The request of a `.het` file in one layout.

A request is a row of units: the head of a group or section up to its bracket, each item, the closing bracket. Comments
belong to units: those above one, and the one behind it on its line. A group or section with comments inside, or too long
for a line, is open: each item has a line of its own.
"""
from __future__ import annotations

import re

from hetc.read.lalr import lex
from hetc.record import Record
from hetc.source import Source
from hetc.suppress import ignores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.read.lalr import Token

#: The longest line that a group or a section is laid out in, in characters.
WIDTH = 100

_INDENT = "    "
_OPENERS, _CLOSERS = ("LESSTHAN", "LSQB"), ("MORETHAN", "RSQB")
_SIGNS = ("PLUS", "COMMA")
_NOTE_OR_BREAK = re.compile(r"#[^\n]*|\n")
_KEY = re.compile(r"[^=:[]*")


class _Note(Record):
    """A comment. `own`: it has a line of its own; `spaced`: an empty line stands above it."""

    text: str
    own: bool
    spaced: bool


class _Unit:
    """A head with its bracket, an item, or a closing bracket, without the sign that parts it from the one before."""

    __slots__ = ("behind", "notes", "spaced", "text")

    def __init__(self, text: str, notes: list[_Note], spaced: bool) -> None:
        self.text = text
        #: The comments above it, and whether an empty line stands between them and it.
        self.notes = notes
        self.spaced = spaced
        #: The comment on its line.
        self.behind: str | None = None

    def above(self, indent: str = "") -> Iterator[str]:
        """The lines of the comments above it."""
        for note in self.notes:
            yield from [""] * note.spaced
            yield indent + note.text

    def lines(self, text: str, behind: str | None, indent: str = "") -> Iterator[str]:
        """The comments above it, and `text` with the comment behind it."""
        yield from self.above(indent)
        yield from [""] * self.spaced
        yield indent + text + (f"  {behind}" if behind is not None else "")


class _Element:
    """A group or a section; `start` and `end` are its place in the text."""

    __slots__ = ("close", "end", "head", "is_group", "items", "open", "start")

    def __init__(self, units: list[_Unit], start: int, end: int) -> None:
        self.head, *self.items, self.close = units
        self.start = start
        self.end = end
        self.is_group = self.close.text == ">"
        self.open = any(unit.behind is not None for unit in units[:-1]) or any(unit.notes for unit in units[1:])

    def body(self, widths: tuple[int, ...] = ()) -> str:
        """The items on one line; `widths`: of the first columns of those that others follow."""
        texts = [f"{item.text}, " for item in self.items[:-1]]
        texts[:len(widths)] = [text.ljust(width) for text, width in zip(texts, widths)]
        return "".join([*texts, *(item.text for item in self.items[-1:])])

    def line(self) -> str:
        return f"{self.head.text}{self.body()}{self.close.text}"

    def lines(self, head: str, body: str) -> Iterator[str]:
        """All of it, on one line made of `head` and `body`, or open."""
        if not self.open:
            yield from self.head.lines(f"{head}{body}{self.close.text}", self.close.behind)
            return
        yield from self.head.lines(head, self.head.behind)
        for item in self.items:
            yield from item.lines(f"{item.text},", item.behind, _INDENT)
        yield from self.close.above(_INDENT)
        yield from _Unit("", [], False).lines(self.close.text, self.close.behind)


def request(source: Source, end: int) -> str:
    """`source.text[:end]`, which follows the grammar, in the layout.

    It stays as it is where the layout would change a word, or of which words a comment silences findings: a comment
    `hetc: ignore` speaks for a line.
    """
    old = source.text[:end]
    new = _laid_out(old)
    return new if _essence(new) == _essence(old) else old


def _laid_out(text: str) -> str:
    tokens, _ = lex(text, len(text))
    elements = list(_elements(text, tokens))
    rest, _ = _gap(text, tokens[-1][2], len(text))
    if rest and not rest[0].own:
        elements[-1].close.behind = rest.pop(0).text
    groups = [element for element in elements if element.is_group]
    lines: list[str] = []
    for element in elements:
        if not element.is_group:
            element.open = element.open or len(element.line()) > WIDTH
            lines.extend(element.lines(element.head.text, element.body()))
        elif element is groups[0]:
            lines.extend(_sum(text, groups))
    lines.extend(_Unit("", rest, False).above())
    return "\n".join(lines).strip("\n") + "\n"


def _sum(text: str, groups: list[_Element]) -> Iterator[str]:
    """All groups: on one line where they were written so and fit, else one below the other and aligned."""
    line = " + ".join(group.line() for group in groups)
    if "\n" not in text[groups[0].start:groups[-1].end] and len(line) <= WIDTH:
        yield from groups[0].head.lines(line, groups[-1].close.behind)
        return
    heads = [group.head.text[:-1] for group in groups]
    if len(groups) > 1:
        heads = [heads[0], *(f"+ {head}" for head in heads[1:])]
        width = max(len(head) for head in heads) + 1
        heads = [head.ljust(width) for head in heads]
    for head, group in zip(heads, groups):
        group.open = group.open or len(f"{head}<{group.body()}>") > WIDTH
    widths = _widths([group.items for group in groups if not group.open])
    for head, group in zip(heads, groups):
        yield from group.lines(f"{head}<", group.body(widths))


def _widths(rows: list[list[_Unit]]) -> tuple[int, ...]:
    """The widths of the first columns of items: as many as have one key in all rows that are so long."""
    widths: list[int] = []
    for column in range(max(map(len, rows), default=0)):
        if len({_KEY.match(row[column].text)[0] for row in rows if len(row) > column}) > 1:  # type: ignore[index]
            break
        # What ends its row needs no room behind it.
        widths.append(max((len(row[column].text) + 2 for row in rows if len(row) > column + 1), default=0))
    return tuple(widths)


def _elements(text: str, tokens: list[Token]) -> Iterator[_Element]:
    """The groups and sections with their comments."""
    units: list[_Unit] = []
    start, previous = 0, None
    for first, last, closes in _ranges(tokens):
        notes, spaced = _gap(text, tokens[first - 1][2] if first else 0, tokens[first][1], bool(first))
        if tokens[first][0] in _SIGNS:
            first += 1
            more, between = _gap(text, tokens[first - 1][2], tokens[first][1])
            notes, spaced = notes + more, between or (spaced and not more)
        if previous is not None and notes and not notes[0].own:
            previous.behind = notes.pop(0).text
        for index in range(first, last):
            notes += _gap(text, tokens[index][2], tokens[index + 1][1])[0]
        previous = _Unit(_written(text, tokens[first:last + 1]), notes, spaced)
        if not units:
            start = tokens[first][1]
        units.append(previous)
        if closes:
            yield _Element(units, start, tokens[last][2])
            units = []


def _ranges(tokens: list[Token]) -> Iterator[tuple[int, int, bool]]:
    """The first and the last token of each unit, and whether it closes a group or a section; a sign is a unit's first."""
    depth = start = 0
    for index, (kind, _, _) in enumerate(tokens):
        if kind in _OPENERS:
            depth += 1
            if depth == 1:
                yield start, index, False
                start = index + 1
        elif kind in _CLOSERS:
            depth -= 1
            if depth == 0:
                if any(kind != "COMMA" for kind, _, _ in tokens[start:index]):
                    yield start, index - 1, False
                    start = index
                yield start, index, True
                start = index + 1
        elif kind == "COMMA" and depth == 1:
            yield start, index - 1, False
            start = index


def _written(text: str, tokens: list[Token]) -> str:
    """The words and signs of a unit."""
    parts = []
    for at, (kind, start, end) in enumerate(tokens):
        if kind == "COMMA":
            parts.append(", " if tokens[at + 1][0] != "RSQB" else "")
        else:
            parts.append("=" if kind == "EQUALS" else text[start:end])
    return "".join(parts)


def _gap(text: str, start: int, end: int, behind: bool = True) -> tuple[list[_Note], bool]:
    """The comments between two words, and whether an empty line stands behind them; `behind`: a word stands before them."""
    notes: list[_Note] = []
    breaks = 0 if behind else 1
    for found in _NOTE_OR_BREAK.finditer(text, start, end):
        if found[0] == "\n":
            breaks += 1
        else:
            notes.append(_Note(found[0].rstrip(), breaks > 0, breaks > 1))
            breaks = 0
    return notes, breaks > 1


def _essence(text: str) -> tuple[object, ...]:
    """What a layout keeps: the words, the comments in order, and the words that each `hetc: ignore` speaks for."""
    source = Source("", text)
    tokens, _ = lex(text, len(text))
    needed = [token for token, after in zip(tokens, [*tokens[1:], ("", 0, 0)])
              if token[0] != "COMMA" or after[0] not in _CLOSERS]
    words = [kind if kind == "EQUALS" else text[start:end] for kind, start, end in needed]
    ends = [0, *(end for _, _, end in tokens)]
    starts = [*(start for _, start, _ in tokens), len(text)]
    notes = [note.text for start, end in zip(ends, starts) for note in _gap(text, start, end)[0]]
    lines: dict[int | None, list[int]] = {}
    for number, (kind, start, _) in enumerate(needed):
        if kind != "COMMA":
            lines.setdefault(source.position(start)[0], []).append(number)
    silenced = [lines.get(ignore.line) for ignore in ignores(source)]
    return words, notes, silenced
