"""What stands at a cursor: in a request by its tokens, which need not follow the grammar yet; in YAML by its path."""
from __future__ import annotations

import re

from hetc.diagnostic import Report
from hetc.read.lalr import TooMany, lex
from hetc.read.yaml import read
from hetc.record import Record
from hetc.source import Source
from hetc.tree import Entry, Mapping, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from hetc.read.lalr import Token
    from hetc.tree import Node

    #: Keys of mappings and indices of lists, from the document's root.
    Path: TypeAlias = tuple[str | int, ...]

GROUP = "group"

#: The tokens that are words.
WORDS = ("WORD", "STRING")

#: Stands in a text for the word that is being written; no key or value of anybody's.
_MARK = "hetc0cursor0here"
_WORD = re.compile(r"[\w./-]*")


class Brackets:
    """What stands between brackets: `inside` is GROUP, a section's name, or "" outside of all; `keys` those given there."""

    __slots__ = ("inside", "key", "keys", "parts")

    def __init__(self, inside: str) -> None:
        self.inside = inside
        self.keys: list[str] = []
        #: The item that is being read: its key, and how many signs have parted it.
        self.key: str | None = None
        self.parts = 0


class Spot(Record):
    """A cursor in a request.

    `word` is the half-open range of the word at the cursor, `key` that of the item whose value stands there, None where a
    key stands itself; `parts`: 1 behind `=`, more behind each `:`. `before`: the token before, None at the start.
    """

    brackets: Brackets
    word: tuple[int, int]
    key: str | None
    parts: int
    before: str | None


def spot(text: str, end: int, offset: int) -> Spot | None:
    """The cursor at `offset` of the request `text[:end]`; None in a comment."""
    found = tokens(text, end)
    # The word at the cursor, else the first token behind it.
    at = next((index for index, (kind, _, after) in enumerate(found) if after > offset or (after == offset and kind in WORDS)), len(found))
    word = found[at][1:] if at < len(found) and found[at][0] in WORDS and found[at][1] <= offset else (offset, offset)
    kind_before, _, before = found[at - 1] if at else (None, 0, 0)
    if word == (offset, offset) and "#" in text[before:offset]:
        return None
    stack = [Brackets("")]
    _walk(stack, text, found[:at])
    brackets, key, parts = stack[-1], stack[-1].key, stack[-1].parts
    _walk(stack, text, found[at + (word[0] < word[1]):])  # what is given behind the cursor counts too
    return Spot(brackets, word, key if parts else None, parts, kind_before)


def _walk(stack: list[Brackets], text: str, found: list[Token]) -> None:
    """Open and close brackets along the tokens, and note the keys that stand in them."""
    before = ""
    for kind, start, after in found:
        _step(stack, kind, text[start:after], before)
        before = text[start:after]


def _step(stack: list[Brackets], kind: str, text: str, before: str) -> None:
    top = stack[-1]
    if kind == "LESSTHAN":
        stack.append(Brackets(GROUP))
    elif kind == "LSQB":
        stack.append(Brackets(before))
    elif kind in ("MORETHAN", "RSQB"):
        del stack[max(len(stack) - 1, 1):]
    elif kind == "COMMA":
        top.key, top.parts = None, 0
    elif kind in ("EQUALS", "COLON"):
        top.parts += 1
    elif kind == "WORD" and not top.parts:
        top.key = text
        top.keys.append(text)


def tokens(text: str, end: int) -> list[Token]:
    """The tokens of a request; what fits none is passed by. None at all of a text that is too long for hetc."""
    found: list[Token] = []
    at = 0
    while at < end:
        try:
            some, at = lex(text, end, at)
        except TooMany:
            return []
        found.extend(some)
        at += 1
    return found


def item(text: str, end: int, offset: int) -> tuple[int, int]:
    """The half-open range of the item at an offset of a request: between brackets and commas."""
    first = last = offset
    for kind, start, after in tokens(text, end):
        if kind in ("COMMA", "LESSTHAN", "LSQB", "MORETHAN", "RSQB", "PLUS"):
            if start >= offset:
                break
            first = after
        last = after
    return min(first, offset), max(last, offset)


class Found(Record):
    """A key or value of YAML: its path, its text's node, the entry that it belongs to, and whether it is the key there."""

    path: Path
    node: Scalar
    entry: Entry | None
    is_key: bool


def standing(source: Source, start: int, offset: int) -> list[Found]:
    """What stands at an offset of the YAML from `start` on, outermost first; nothing in what is no YAML."""
    for document in read(Source(source.name, source.text), Report(), start) or []:
        found = _search(document, lambda node: node.origin.span.start <= offset <= node.origin.span.end, (), None)
        if found:
            return found
    return []


def _search(node: Node, hit: Callable[[Scalar], bool], path: Path, entry: Entry | None) -> list[Found]:
    if isinstance(node, Mapping):
        for key, below in node.entries.items():
            own = Found((*path, key), below.key, below, True)
            if hit(below.key):
                return [own]
            found = _search(below.value, hit, own.path, below)
            if found:
                return [own, *found]
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            found = _search(item, hit, (*path, index), entry)
            if found:
                return found
    elif hit(node):
        return [Found(path, node, entry, False)]
    return []


class Slot(Record):
    """Where a word is being written in YAML: the path of the mapping and the keys beside it, or of the value.

    `word` is the half-open range of the word, `colon` whether one stands behind it already. `document` is that in which it stands.
    """

    path: Path
    beside: tuple[str, ...]
    is_key: bool
    word: tuple[int, int]
    colon: bool
    document: Node


def slots(source: Source, start: int, offset: int) -> list[Slot]:
    """What a word at an offset may be: a key, a value, or, while nothing is there yet, either.

    The text is read with a mark in the word's place; where it is no YAML below the cursor, what stands there is left out.
    """
    text = source.text
    first = offset - len(_WORD.match(text[start:offset][::-1])[0])  # type: ignore[index]
    last = offset + len(_WORD.match(text, offset)[0])  # type: ignore[index]
    colon = re.match(r"[ \t]*:(?:\s|\Z)", text[last:last + 80]) is not None
    found = []
    for mark in (_MARK,) if colon else (f"{_MARK}: null", _MARK):
        for rest in (text[last:], text[last:].partition("\n")[0], ""):
            documents = read(Source(source.name, text[:first] + mark + rest), Report(), start)
            if documents is not None:
                found.extend(_slots(documents, (first, last), colon))
                break
    return found


def _slots(documents: list[Node], word: tuple[int, int], colon: bool) -> list[Slot]:
    for document in documents:
        chain = _search(document, lambda node: _MARK in node.text, (), None)
        if not chain:
            continue
        here = chain[-1]
        if not here.is_key:
            return [Slot(here.path, (), False, word, colon, document)]
        around = _value(document, here.path[:-1])
        beside = tuple(key for key in around.entries if _MARK not in key) if isinstance(around, Mapping) else ()
        return [Slot(here.path[:-1], beside, True, word, colon, document)]
    return []


def _value(node: Node | None, path: Path) -> Node | None:
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, str):
            node = node.get(step)
        elif isinstance(node, Sequence) and isinstance(step, int):
            node = node.items[step]
    return node
