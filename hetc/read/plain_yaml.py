"""The plain part of YAML, read line by line: what nearly all manifests and overlays are written in.

Importing a library for YAML costs as much as half of a build, and going through its events ten times what this does. So the
common forms are read here, and whatever is not surely one of them, every text with a mistake among it, is left to
`hetc.read.whole_yaml`, which reads all of YAML and alone says what is wrong. Both make one and the same tree, with the same places.

The plain part: block mappings and lists; flow ones, over several lines too; scalars of one line, plain or quoted; literal
blocks; comments; documents parted by `---`. Not in it: tabs outside literal blocks, carriage returns and odd characters,
anchors, tags, merge keys, `? ` keys, folded blocks, most escapes, scalars over several lines, keys that are null or given twice.
"""
from __future__ import annotations

import re

from hetc.origin import Origin
from hetc.scalars import reading
from hetc.source import MARK, Span
from hetc.tree import MAX_DEPTH, MAX_NODES, Entry, Mapping, Scalar, Sequence, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.source import Source
    from hetc.tree import Node

#: The longest key of a mapping in brackets; YAML's own limit is 1,024.
MAX_KEY = 200

_ODD = re.compile(r"[^\n\t -~]")
#: Beyond ASCII: what is no control character, blank or byte order mark.
_ODD_BEYOND = ("[^\n\t -~\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\ufffd"
               "\U00010000-\U0010ffff]")

#: A line: its blanks, its `- `s, its key with what stands behind it up to the value, and the rest.
_LINE = re.compile(
    r"""( *)((?:- +)*)(?:([A-Za-z0-9_./][A-Za-z0-9_./-]{0,200}|"[^"\\\n]{0,200}"|'[^'\n]{0,200}'):(?: +|(?=\n|\Z)))?([^\n]*)""")
_DOCUMENT = re.compile(r"--- *(?: #.*)?\Z")
_LITERAL = re.compile(r"\|-? *\Z")
_QUOTED = r""""(?:[^"\\\n]++|\\["\\nt])*"|'(?:[^'\n]++|'')*'"""
_QUOTED_VALUE = re.compile(_QUOTED)
#: Nothing more in a line but a comment.
_LINE_END = re.compile(r" *(?: #[^\n]*)?(?:\n|\Z)")
#: What no plain scalar begins with, but for a `-` before a word.
_SIGNS = frozenset("-?:,[]{}#&*!|>'\"%@`")
_DASHED = re.compile(r"--?[A-Za-z0-9.]")
#: Inside brackets: a sign, or a scalar and the `:` behind a key.
_TOKEN = re.compile(
    r"[ \n]*(?:([\[\]{},])|(?:(" + _QUOTED + r")|((?!\.\.\.)(?:[^\s\-?:,\[\]{}#&*!|>'\"%@`]|--?[A-Za-z0-9.])"
    r"""(?:[^\s,\[\]{}:#'"]++| +(?![\s:#,\[\]{}'"])|:(?![\s,\[\]{}:#'"]))*))( ?:(?=[ \n])|(?<=["']):)?)""")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}


class _NotPlain(Exception):
    """The text holds something else, or more than a tree may have."""


def read_plain(source: Source, start: int) -> list[Node] | None:
    """The documents of `source` from the offset `start` on; None where they are not all plain."""
    text = source.text
    odd = _ODD if text.isascii() else re.compile(_ODD_BEYOND)
    if odd.search(text, start) or text.find(MARK, start) >= 0:
        return None
    try:
        documents = _Reader(source, start).documents()
    except _NotPlain:
        return None
    return None if len(text) > MAX_NODES and _size(documents) > MAX_NODES else documents


def _size(documents: list[Node]) -> int:
    """How many nodes there are, keys among them; never more than characters."""
    return sum(1 + len(node.entries) if isinstance(node, Mapping) else 1 for document in documents for node in walk(document))


class _Level:
    """A block collection that is open. `waiting`: where the `:` or `-` stands whose value has not come, else -1."""

    __slots__ = ("column", "key", "node", "waiting")

    def __init__(self, column: int, node: Mapping | Sequence) -> None:
        self.column = column
        self.node = node
        self.key: Scalar | None = None
        self.waiting = -1

    def put(self, node: Node) -> None:
        """Add the value that is waited for."""
        if self.waiting < 0:
            raise _NotPlain
        self.waiting = -1
        if isinstance(self.node, Sequence):
            self.node.items.append(node)
        elif self.key is not None:
            self.node.entries[self.key.text] = Entry(self.key, node)


class _Reader:
    """Reads one text. `at` is where the next line begins."""

    def __init__(self, source: Source, at: int) -> None:
        self.source = source
        self.text = source.text
        self.has_tabs = "\t" in source.text
        self.at = at
        self.levels: list[_Level] = []
        self.found: list[Node] = []
        #: Whether the document has no root yet, and whether it began with `---`.
        self.empty, self.marked = True, False

    def documents(self) -> list[Node]:
        text, match = self.text, _LINE.match
        while self.at < len(text):
            line = match(text, self.at)
            assert line is not None  # it takes anything
            if self.has_tabs and "\t" in line[0]:
                raise _NotPlain
            start, self.at = self.at, line.end() + 1
            blanks, dashes, key, rest = line.groups()
            if key is None and not dashes:
                if not rest or rest[0] == "#":
                    continue
                if not blanks and rest[:3] in ("---", "..."):
                    self.document(start, rest)
                    continue
            self.line(start + len(blanks), len(blanks), dashes, key, rest)
        self.document(len(text), "---")
        return self.found

    def document(self, at: int, line: str) -> None:
        """The end of a document at the mark of the next, or at the end of the text."""
        if not _DOCUMENT.match(line) or (self.marked and self.empty):
            raise _NotPlain
        self.close(-1, False, at)
        self.empty, self.marked = True, True

    def line(self, at: int, column: int, dashes: str, key: str | None, rest: str) -> None:
        """A line of some `- `, then perhaps a key, then perhaps a value; it begins at `at`."""
        if rest == "-" and key is None:
            dashes, rest = dashes + "-", ""
        if not self.levels or self.levels[-1].column != column or type(self.levels[-1].node) is Sequence:
            self.close(column, dashes != "", at)
        value = self.at - 1 - len(rest)
        for place, sign in enumerate(dashes):
            if sign == "-":
                level = self.level(column + place, at + place, Sequence)
                level.waiting = at + place
        if key is not None:
            at += len(dashes)
            level = self.level(column + len(dashes), at, Mapping)
            text = self.quoted(at, key) if key[0] in "\"'" else self.scalar(at, at + len(key), key, True)
            level.key = _checked(text, level.node)
            level.waiting = at + len(key)
        if rest and rest[0] != "#":
            if not dashes and key is None and self.levels and column <= self.levels[-1].column:
                raise _NotPlain
            self.value(rest, value)

    def close(self, column: int, dashed: bool, at: int) -> None:
        """End the collections to which a line in this column no longer belongs; its first sign is at `at`."""
        levels = self.levels
        while levels:
            level = levels[-1]
            if level.column < column or (level.column == column and (dashed or isinstance(level.node, Mapping))):
                return
            self.settle(level, at)
            level.node.origin.span.end = at
            levels.pop()

    def settle(self, level: _Level, at: int) -> None:
        """A value that has not come until the next sign at `at` is null, and stands at its `:` or `-`."""
        if level.waiting >= 0:
            if self.text[level.waiting + 1:at].strip(" \n"):
                raise _NotPlain  # a comment
            level.put(self.scalar(level.waiting, level.waiting + 1, "", True))

    def level(self, column: int, at: int, kind: type[Mapping] | type[Sequence]) -> _Level:
        """The collection of an entry or item in this column, a new one if need be."""
        levels = self.levels
        if levels:
            level = levels[-1]
            if level.column == column and isinstance(level.node, kind):
                self.settle(level, at)
                return level
        node = self.collection(kind, at)
        self.add(node)
        level = _Level(column, node)
        levels.append(level)
        if len(levels) > MAX_DEPTH:
            raise _NotPlain
        return level

    def add(self, node: Node) -> None:
        """A node where a value is waited for, or the root of a document."""
        if self.levels:
            self.levels[-1].put(node)
        elif self.empty:
            self.empty = False
            self.found.append(node)
        else:
            raise _NotPlain

    def value(self, rest: str, at: int) -> None:
        """What stands behind a key or a `- ` in its line, and the lines that belong to it."""
        first = rest[0]
        if rest == "[]" or rest == "{}":
            if len(self.levels) >= MAX_DEPTH:
                raise _NotPlain
            node = self.collection(Sequence if first == "[" else Mapping, at)
            node.origin.span.end = at + 2
            self.add(node)
        elif first in "[{":
            self.add(self.flow(at))
        elif first in "\"'":
            quoted = _QUOTED_VALUE.match(rest)
            if quoted is None:
                raise _NotPlain
            self.ended(at + quoted.end())
            self.add(self.quoted(at, quoted[0]))
        elif first == "|":
            self.add(self.literal(rest, at))
        else:
            text = rest.partition(" #")[0].rstrip(" ")
            if ": " in text or text[-1] == ":" or (first in _SIGNS and not _DASHED.match(text)):
                raise _NotPlain
            self.add(self.scalar(at, at + len(text), text, True))

    def ended(self, at: int) -> None:
        """Make sure that a line has nothing more from here on; the next one is read next."""
        end = _LINE_END.match(self.text, at)
        if end is None:
            raise _NotPlain
        self.at = end.end()

    def literal(self, header: str, at: int) -> Scalar:
        """A literal block, whose first line with something in it tells how far it is indented."""
        if not _LITERAL.match(header) or not self.levels:
            raise _NotPlain
        text, begin, indent, lines = self.text, self.at, 0, []
        while self.at < len(text):
            stop = text.find("\n", self.at)
            line = text[self.at:stop] if stop >= 0 else text[self.at:]
            words = line.lstrip(" ")
            if words and len(line) - len(words) < indent:
                break
            if not indent and line:
                indent = len(line) - len(words)
                if not words or indent <= self.levels[-1].column:
                    raise _NotPlain
            begin = self.at
            lines.append(line[indent:])
            self.at += len(line) + 1
        if not indent:
            raise _NotPlain
        whole = "\n".join(lines) + "\n" * (self.at <= len(text))
        body = whole.rstrip("\n")
        end = begin if self.at > len(text) and not lines[-1] else min(self.at, len(text))
        return self.scalar(at, end, body if header[1:2] == "-" else whole[:len(body) + 1], False)

    def flow(self, at: int) -> Node:
        """A collection in brackets, which begins at `at`, and the rest of the line where it ends."""
        text, match, flow = self.text, _TOKEN.match, _Flow(self)
        while True:
            token = match(text, at)
            if token is None:
                raise _NotPlain
            at = token.end()
            root = flow.take(token)
            if root is not None:
                self.ended(at)
                return root

    def collection(self, kind: type[Mapping] | type[Sequence], at: int) -> Mapping | Sequence:
        """An empty one that begins at `at`; whoever ends it says where."""
        origin = Origin(Span(self.source, at, at))
        return Mapping({}, origin) if kind is Mapping else Sequence([], origin)

    def scalar(self, start: int, end: int, text: str, plain: bool) -> Scalar:
        return Scalar(reading(text) if plain else text, Origin(Span(self.source, start, end)), text, plain)

    def quoted(self, start: int, text: str) -> Scalar:
        """A scalar that stands in quotes at `start`."""
        inner = text[1:-1]
        if text[0] == "'":
            inner = inner.replace("''", "'")
        elif "\\" in inner:
            inner = _ESCAPE.sub(lambda escape: _ESCAPES[escape[1]], inner)
        return self.scalar(start, start + len(text), inner, False)


class _Flow:
    """A collection in brackets under construction."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = reader
        self.levels: list[_Level] = []
        #: Whether a key or a value may come, rather than a comma.
        self.ready = True

    def take(self, token: re.Match[str]) -> Node | None:
        """One token; the whole collection where it is the last one."""
        sign, quoted, plain, colon = token.groups()
        if sign == "]" or sign == "}":
            return self.close(sign, token.end())
        if self.ready == (sign == ","):
            raise _NotPlain
        if sign == ",":
            self.ready = True
        elif sign:
            self.open(Mapping if sign == "{" else Sequence, token.end() - 1)
        elif quoted:
            self.scalar(self.reader.quoted(token.start(2), quoted), colon)
        else:
            self.scalar(self.reader.scalar(token.start(3), token.end(3), plain, True), colon)
        return None

    def open(self, kind: type[Mapping] | type[Sequence], at: int) -> None:
        node = self.reader.collection(kind, at)
        if self.levels:
            self.put(node)
        self.levels.append(_Level(0, node))
        self.ready = True
        if len(self.levels) + len(self.reader.levels) > MAX_DEPTH:
            raise _NotPlain

    def close(self, sign: str, end: int) -> Node | None:
        level = self.levels.pop()
        if level.key is not None or isinstance(level.node, Mapping) != (sign == "}"):
            raise _NotPlain
        level.node.origin.span.end = end
        self.ready = False
        return None if self.levels else level.node

    def scalar(self, node: Scalar, colon: str | None) -> None:
        level = self.levels[-1]
        if isinstance(level.node, Mapping) and level.key is None:
            if not colon:
                raise _NotPlain
            level.key = _checked(node, level.node)
        elif colon:
            raise _NotPlain
        else:
            self.put(node)

    def put(self, node: Node) -> None:
        level = self.levels[-1]
        if isinstance(level.node, Sequence):
            level.node.items.append(node)
        elif level.key is not None:
            level.node.entries[level.key.text] = Entry(level.key, node)
            level.key = None
        else:
            raise _NotPlain
        self.ready = False


def _checked(key: Scalar, mapping: Mapping | Sequence) -> Scalar:
    """A key that is neither null nor there already, no merge key, and not so long that YAML takes it for none."""
    length = key.origin.span.end - key.origin.span.start
    assert isinstance(mapping, Mapping)
    if key.value is None or key.text in mapping.entries or key.text == "<<" or length > MAX_KEY:
        raise _NotPlain
    return key
