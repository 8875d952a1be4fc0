"""The plain part of YAML, read line by line: what nearly all manifests and overlays are written in.

Importing a library for YAML costs as much as half of a build, and going through its events ten times what this does. So the
common forms are read here, and whatever is not surely one of them, every text with a mistake among it, is left to
`hetc.read.whole_yaml`, which reads all of YAML and alone says what is wrong. Both make one and the same tree, with the same places.

The plain part: block mappings and lists; flow ones, over several lines too; scalars of one line, plain or quoted; literal
blocks; comments; documents parted by `---`. Not in it: tabs outside literal blocks and odd characters, anchors, tags, merge
keys, `? ` keys, folded blocks, most escapes, scalars over several lines, keys that are null or given twice.
"""
from __future__ import annotations

import re

from hetc.lazy import regex
from hetc.read.plain_line import EMPTY, FLOW, MAX_KEY, NONE, QUOTED, STRIPPED, NotPlain, Word, line, quoted
from hetc.source import MARK
from hetc.tree import MAX_DEPTH, MAX_NODES, Entry, Mapping, Scalar, Sequence, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.read.plain_line import Line
    from hetc.source import Source
    from hetc.tree import Node

#: What plain text is made of: within ASCII these bytes, beyond it no control character, blank or byte order mark.
_ORDINARY = bytes((*b"\t\n\r", *range(0x20, 0x7f)))
_ODD_BEYOND = ("[^\n\t -~\r\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\ufffd"
               "\U00010000-\U0010ffff]")

#: Nothing more in a line but a comment.
_LINE_END = regex(r" *(?: #[^\n]*)?(?:\r?\n|\Z)")
#: Inside brackets: a sign, or a scalar and the `:` behind a key.
_TOKEN = regex(
    r"[ \r\n]*(?:([\[\]{},])|(?:(" + QUOTED + r")|((?!\.\.\.)(?:[^\s\-?:,\[\]{}#&*!|>'\"%@`]|--?[A-Za-z0-9.])"
    r"""(?:[^\s,\[\]{}:#'"]++| +(?![\s:#,\[\]{}'"])|:(?![\s,\[\]{}:#'"]))*))( ?:(?=[ \r\n])|(?<=["']):)?)""")


def read_plain(source: Source, start: int) -> list[Node] | None:
    """The documents of `source` from the offset `start` on; None where they are not all plain."""
    text = source.text if not start else source.text[start:]
    odd = text.encode().translate(None, _ORDINARY) if text.isascii() else re.search(_ODD_BEYOND, text)
    if odd or text.count("\r") != text.count("\r\n"):
        return None
    try:
        documents = _Reader(source, start).documents()
    except NotPlain:
        return None
    if len(text) > MAX_NODES and _size(documents) > MAX_NODES:
        return None
    if MARK in text:
        source.strings += sorted(_marked(documents))
    return documents


def _size(documents: list[Node]) -> int:
    """How many nodes there are, keys among them; never more than characters."""
    return sum(1 + len(node.entries) if isinstance(node, Mapping) else 1 for document in documents for node in walk(document))


def _marked(documents: list[Node]) -> Iterator[tuple[int, int]]:
    """Where the scalars stand that hold what looks like a comment of hetc's."""
    for node in (node for document in documents for node in walk(document)):
        keys = [entry.key for entry in node.entries.values()] if isinstance(node, Mapping) else []
        for scalar in (*keys, node):
            if isinstance(scalar, Scalar) and MARK in scalar.text:
                yield scalar.origin.span.start, scalar.origin.span.end


class _Level:
    """A collection that is open, from `start` on. `waiting`: where the `:` or `-` stands whose value has not come, else -1."""

    __slots__ = ("column", "key", "node", "start", "waiting")

    def __init__(self, column: int, node: Mapping | Sequence, start: int) -> None:
        self.column = column
        self.node = node
        self.start = start
        self.key: Scalar | None = None
        self.waiting = -1

    def put(self, node: Node) -> None:
        """Add the value that is waited for."""
        if self.waiting < 0:
            raise NotPlain
        self.waiting = -1
        if isinstance(self.node, Sequence):
            self.node.items.append(node)
        elif self.key is not None:
            self.node.entries[self.key.text] = Entry(self.key, node)

    def close(self, source: Source, end: int) -> None:
        """The collection ends here."""
        self.node.place = (source, self.start, end)
        if isinstance(self.node, Mapping):
            source.keys.update(self.node.entries)


class _Reader:
    """Reads one text. `at` is where the next line begins, `number` which one it is."""

    def __init__(self, source: Source, at: int) -> None:
        self.source = source
        self.text = source.text
        self.at = at
        self.lines = source.text[at:].split("\n")
        self.number = 0
        self.returns = "\r" in source.text
        self.levels: list[_Level] = []
        self.found: list[Node] = []
        #: Whether the document has no root yet, and whether it began with `---`.
        self.empty, self.marked = True, False

    def documents(self) -> list[Node]:
        while self.at < len(self.text):
            at = self.at
            each = line(self.next())
            if each is None:
                continue
            if each.dashes is None:
                self.document(at)
            else:
                self.line(each, each.dashes, at)
        self.document(len(self.text))
        return self.found

    def next(self) -> str:
        """The next line, behind which is read on."""
        text = self.lines[self.number]
        self.number += 1
        self.at += len(text) + 1
        return text.removesuffix("\r") if self.returns else text

    def document(self, at: int) -> None:
        """The end of a document at the mark of the next, or at the end of the text."""
        if self.marked and self.empty:
            raise NotPlain
        self.close(-1, False, at)
        self.empty, self.marked = True, True

    def line(self, line: Line, dashes: tuple[int, ...], at: int) -> None:
        """A line of some `- `, then perhaps a key, then perhaps a value; it begins at `at`."""
        levels, column, key, word = self.levels, line.column, line.key, line.word
        if not levels or levels[-1].column != column or type(levels[-1].node) is Sequence:
            self.close(column, dashes != (), at + column)
        for dash in dashes:
            level = self.level(dash, at + dash, Sequence)
            level.waiting = at + dash
        value = None if word is None else Scalar(word.value, (self.source, at + word.start, at + word.end), word.text, word.plain)
        if key is not None:
            level = self.level(key.start, at + key.start, Mapping)
            entries = level.node.entries  # type: ignore[union-attr]
            if key.text in entries:
                raise NotPlain
            level.key = Scalar(key.value, (self.source, at + key.start, at + key.end), key.text, key.plain)
            if value is not None:
                entries[key.text] = Entry(level.key, value)
                return
            level.waiting = at + key.end
        elif not dashes and levels and column <= levels[-1].column:
            raise NotPlain
        if value is not None:
            self.add(value)
        elif line.kind != NONE:
            self.value(line.kind, at + line.value)

    def close(self, column: int, dashed: bool, at: int) -> None:
        """End the collections to which a line in this column no longer belongs; its first sign is at `at`."""
        levels = self.levels
        while levels:
            level = levels[-1]
            if level.column < column or (level.column == column and (dashed or type(level.node) is Mapping)):
                return
            self.settle(level, at)
            level.close(self.source, at)
            levels.pop()

    def settle(self, level: _Level, at: int) -> None:
        """A value that has not come until the next sign at `at` is null, and stands at its `:` or `-`."""
        if level.waiting >= 0:
            if self.text[level.waiting + 1:at].strip(" \r\n"):
                raise NotPlain  # a comment
            level.put(Scalar(None, (self.source, level.waiting, level.waiting + 1), "", True))

    def level(self, column: int, at: int, kind: type[Mapping] | type[Sequence]) -> _Level:
        """The collection of an entry or item in this column, a new one if need be."""
        levels = self.levels
        if levels:
            level = levels[-1]
            if level.column == column and type(level.node) is kind:
                if level.waiting >= 0:
                    self.settle(level, at)
                return level
        node = self.collection(kind)
        self.add(node)
        level = _Level(column, node, at)
        levels.append(level)
        if len(levels) > MAX_DEPTH:
            raise NotPlain
        return level

    def add(self, node: Node) -> None:
        """A node where a value is waited for, or the root of a document."""
        if self.levels:
            self.levels[-1].put(node)
        elif self.empty:
            self.empty = False
            self.found.append(node)
        else:
            raise NotPlain

    def value(self, kind: int, at: int) -> None:
        """A value that is no scalar of one line, and the lines that belong to it."""
        if kind == EMPTY:
            if len(self.levels) >= MAX_DEPTH:
                raise NotPlain
            place = (self.source, at, at + 2)
            self.add(Sequence([], place) if self.text[at] == "[" else Mapping({}, place))
        elif kind == FLOW:
            self.add(self.flow(at))
        else:
            self.add(self.literal(at, kind == STRIPPED))

    def literal(self, at: int, stripped: bool) -> Scalar:
        """A literal block, whose first line with something in it tells how far it is indented."""
        if not self.levels:
            raise NotPlain
        begin, indent, lines = self.at, 0, []
        while self.at < len(self.text):
            start, line = self.at, self.next()
            words = line.lstrip(" ")
            if words and len(line) - len(words) < indent:
                self.at, self.number = start, self.number - 1
                break
            if not indent and line:
                indent = len(line) - len(words)
                if not words or indent <= self.levels[-1].column:
                    raise NotPlain
            begin = start
            lines.append(line[indent:])
        if not indent:
            raise NotPlain
        whole = "\n".join(lines) + "\n" * (self.at <= len(self.text))
        body = whole.rstrip("\n")
        end = begin if self.at > len(self.text) and not lines[-1] else min(self.at, len(self.text))
        text = body if stripped else whole[:len(body) + 1]
        return Scalar(text, (self.source, at, end), text)

    def flow(self, at: int) -> Node:
        """A collection in brackets, which begins at `at`, and the rest of the line where it ends."""
        text, match, flow = self.text, _TOKEN.match, _Flow(self)
        root: Node | None = None
        while root is None:
            token = match(text, at)
            if token is None:
                raise NotPlain
            at = token.end()
            root = flow.take(token)
        end = _LINE_END.match(text, at)
        if end is None:
            raise NotPlain
        self.number += text.count("\n", self.at, end.end())
        self.at = end.end()
        return root

    def collection(self, kind: type[Mapping] | type[Sequence]) -> Mapping | Sequence:
        """An empty one; whoever ends it says where it stands."""
        place = (self.source, 0, 0)
        return Mapping({}, place) if kind is Mapping else Sequence([], place)


class _Flow:
    """A collection in brackets under construction."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = reader
        self.levels: list[_Level] = []
        #: Whether a key or a value may come, rather than a comma.
        self.ready = True

    def take(self, token: re.Match[str]) -> Node | None:
        """One token; the whole collection where it is the last one."""
        sign, in_quotes, plain, colon = token.groups()
        if sign == "]" or sign == "}":
            return self.close(sign, token.end())
        if self.ready == (sign == ","):
            raise NotPlain
        if sign == ",":
            self.ready = True
        elif sign:
            self.open(Mapping if sign == "{" else Sequence, token.end() - 1)
        else:
            word = quoted(in_quotes, token.start(2)) if in_quotes else Word(token.start(3), token.end(3), plain, True)
            node = Scalar(word.value, (self.reader.source, word.start, word.end), word.text, word.plain)
            self.scalar(node, colon, word.end - word.start)
        return None

    def open(self, kind: type[Mapping] | type[Sequence], at: int) -> None:
        node = self.reader.collection(kind)
        if self.levels:
            self.put(node)
        self.levels.append(_Level(0, node, at))
        self.ready = True
        if len(self.levels) + len(self.reader.levels) > MAX_DEPTH:
            raise NotPlain

    def close(self, sign: str, end: int) -> Node | None:
        level = self.levels.pop()
        if level.key is not None or isinstance(level.node, Mapping) != (sign == "}"):
            raise NotPlain
        level.close(self.reader.source, end)
        self.ready = False
        return None if self.levels else level.node

    def scalar(self, node: Scalar, colon: str | None, length: int) -> None:
        level = self.levels[-1]
        if isinstance(level.node, Mapping) and level.key is None:
            if not colon or node.value is None or node.text in level.node.entries or node.text == "<<" or length > MAX_KEY:
                raise NotPlain
            level.key = node
        elif colon:
            raise NotPlain
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
            raise NotPlain
        self.ready = False
