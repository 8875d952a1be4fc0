"""All of YAML, and all that is wrong with it. The one door to ruamel.yaml.

Works on the parser's events: aliases and merge keys are resolved here, with limits, and every key and leaf keeps its
place. A value that comes through an alias or a merge key points at where it is written.
"""
from __future__ import annotations

import re

from hetc import codes
from hetc.diagnostic import ERROR, WARNING, Label, Report
from hetc.origin import Origin
from hetc.scalars import reading
from hetc.source import MARK, Span
from hetc.tree import MAX_DEPTH, MAX_NODES, Entry, Mapping, Scalar, Sequence, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hetc.source import Source
    from hetc.tree import Node

#: How many characters may be read again for the sake of tabs, and how many of these are looked at one by one.
MAX_REREAD, FEW_TABS = 200_000, 3
#: After so many mistakes of the text the rest of it is not read.
MOST_MISTAKES = 1000
#: YAML looks so many characters ahead for the `:` of a key.
MAX_KEY = 1024

_CORE = "tag:yaml.org,2002:"
_TAGS = frozenset(_CORE + name for name in ("str", "int", "float", "bool", "null", "map", "seq"))
#: YAML 1.1, and with it kubectl, ends a line at these.
_BREAKS = frozenset("\u0085\u2028\u2029")
_SKIPPED = _BREAKS | {" ", "\t"}
_ODD_BLANKS = frozenset("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u2060\u3000\ufeff")

#: What ruamel.yaml says -> what hetc says, and the help.
_PROBLEMS = (
    ("mapping values are not allowed", "`:` begins a value where none can stand",
     "quote the text if the `:` belongs to it, else check the indentation"),
    ("could not find expected ':'", "a key without `:`", "write `key: value`, or indent the line as part of the text above it"),
    ("unexpected end of stream", "a quote that is never closed", "close the quote"),
    ("unexpected document separator", "a quote that is never closed", "close the quote"),
    ("expected ',' or ']'", "a `[` that is never closed", "close the list with `]`, its items parted by `,`"),
    ("expected ',' or '}'", "a `{` that is never closed", "close the mapping with `}`, its entries parted by `,`"),
    ("expected <block end>", "a line whose indentation fits nothing above it", "align it with the entries it belongs to"),
    ("unknown escape character", "an unknown escape in a double-quoted string", r"write `\\` for a backslash, or use single quotes"),
    ("expected escape sequence", "an escape without all its hexadecimal digits", r"write `\\` for a backslash, or use single quotes"),
    ("expected alphabetic or numeric", "an anchor or alias without a name", "quote the text if `&` or `*` belongs to it"),
    ("sequence entries are not allowed", "`-` begins a list where none can stand",
     "begin the list on a line of its own, or quote the text"),
    ("chomping or indentation indicators", "something else behind the sign of a block text",
     "begin the text on the next line, or quote it if `|` or `>` belongs to it"),
    ("indentation indicator in the range", "a block text that is indented by 0", "leave the number out"),
    ("tag handle", "a tag that nothing defines", "leave the tag out, and quote the value if it is text"),
    ("URI", "a tag that cannot be read", "leave the tag out, and quote the value if it is text"),
    ("expected '>'", "a tag that cannot be read", "leave the tag out, and quote the value if it is text"),
    ("expected '!'", "a tag that cannot be read", "leave the tag out, and quote the value if it is text"),
    ("YAML directive", "a second `%YAML` line", "leave it out"),
    ("incompatible YAML", "a version of YAML that hetc does not read", "leave the line out"),
    ("expected '<document start>'", "text behind a value that is complete", "quote the whole text, or part the two by `---`"),
    ("expected the node content", "a sign where a value can stand", "write a value, or quote the text"),
)

#: Of these the place to mend is where the thing was opened.
_OPENED = ("unexpected end of stream", "unexpected document separator", "expected ',' or")
#: Of these it is a list or a mapping that was still open.
_UNFINISHED = ("expected the node content, but found '<stream end>'", "expected the node content, but found '<document ")

#: An escape beyond the last character of Unicode.
_BEYOND = re.compile(r"\\U(?!0010|000[0-9a-fA-F])[0-9a-fA-F]{8}")
_WITH_TAB = re.compile(r"[^\n]*\t[^\n]*")
_TAB = re.compile(r"\t")
_QUOTE_OR_COMMENT = re.compile(r"[\"']|(?:^|[ \t])#")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class _Stop(Exception):
    """The text cannot be read on; the reason is in the report."""


def read_whole(source: Source, report: Report, start: int, tabs: bool) -> list[Node] | None:
    """What `hetc.read.yaml.read` gives, for any text.

    Two escapes in double quotes that are the halves of one character become it, as in JSON. kubectl reads so only what
    begins like JSON, and nothing else of what it is to read (`tabs`).
    """
    text = source.text[start:]
    blanks = _Blanks(text)
    while True:
        own = Report()
        builder = _Builder(source, start, own, frozenset(start + at for at in blanks.spared), tabs)
        error = _run(builder, blanks.text())
        if not tabs or not blanks.again(error, {at - start for at in builder.held}):
            break
    if error is not None:
        _report_syntax(error, source, start, own, builder.opened())
    for at in sorted(blanks.spared):
        own.add(codes.TAB, Span(source, start + at, start + at + 1), "a tab between words, which some YAML readers refuse",
                "write a blank", level=WARNING)
    report.diagnostics.extend(own.diagnostics)
    report.failed = report.failed or own.failed
    source.shared = _outermost(builder.shared)
    return None if builder.stopped or error is not None else builder.documents


def _outermost(places: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places, of which any two are apart or one inside the other, without those inside another."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def _run(builder: _Builder, text: str) -> Exception | None:
    """Build from a text; the exception of the YAML reader, if it has one."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            builder.take(event)
    except YAMLError as error:
        return error
    except (OverflowError, ValueError) as error:
        if _BEYOND.search(text) is None:
            raise
        return error
    except _Stop:
        builder.stopped = True
    return None


class _Blanks:
    """The tabs of a text that are read as blanks: where the reader stumbles and kubectl does not.

    Each costs another reading, so that after a few all that look like them are taken at once; of these the ones that turn
    out to be inside quotes or blocks stay what they are.
    """

    def __init__(self, text: str) -> None:
        self.written = text
        self.spared: set[int] = set()
        #: Those that were taken at once.
        self.guessed: set[int] = set()
        self.rounds = 0

    def text(self) -> str:
        """The text to read."""
        if not self.spared:
            return self.written
        characters = list(self.written)
        for at in self.spared:
            characters[at] = " "
        return "".join(characters)

    def again(self, error: Exception | None, held: set[int]) -> bool:
        """Whether the text has to be read again, after an error or none; `held` are the tabs inside strings."""
        self.rounds += 1
        if self.rounds * len(self.written) > MAX_REREAD and self.rounds > FEW_TABS + 3:
            return False
        wrong = held & self.guessed
        if wrong:
            self.guessed -= wrong
            self.spared -= wrong
            return True
        at = _spare_tab(error, self.text()) if error is not None else None
        if at is None:
            return False
        self.spared.add(at)
        if len(self.spared) == FEW_TABS:
            self.guessed = _like(self.written, at)
            self.spared |= self.guessed
        return True


def _like(text: str, at: int) -> set[int]:
    """The tabs behind one that may be like it: between words, and before any quote or comment of their line."""
    found: set[int] = set()
    for line in _WITH_TAB.finditer(text, at + 1):
        plain = _QUOTE_OR_COMMENT.split(line[0], maxsplit=1)[0]
        found.update(line.start() + each.start() for each in _TAB.finditer(plain) if plain[:each.start()].strip(" \t?:-"))
    return found


def _spare_tab(error: Exception, text: str) -> int | None:
    """The tab that a reader stumbled over, if it is one that kubectl takes for a blank: neither in the indentation nor behind `-`."""
    mark = getattr(error, "problem_mark", None)
    at = mark.index if mark is not None else len(text)
    if text[at:at + 1] != "\t":
        return None
    before = text[text.rfind("\n", 0, at) + 1:at]
    return at if before.strip(" \t?:-") else None


class _Frame:
    """A collection under construction."""

    __slots__ = ("anchor", "explicit", "key", "merges", "node", "size")

    def __init__(self, node: Mapping | Sequence, anchor: str | None) -> None:
        self.node = node
        self.anchor = anchor
        self.key: Scalar | None = None
        self.merges: list[Node] = []
        self.size = 1


class _Builder:
    """Makes trees of events.

    `tabs`: where the text has tabs in place of the blanks that were parsed. `kubectl`: what it takes is no error.
    """

    def __init__(self, source: Source, offset: int, report: Report, tabs: frozenset[int] = frozenset(), kubectl: bool = False) -> None:
        self.source = source
        self.offset = offset
        self.report = report
        self.tabs = tabs
        #: Those of them that stand inside quotes or blocks.
        self.held: set[int] = set()
        self.kubectl = kubectl
        #: Whether two halves of a character become it.
        self.joins = not kubectl or source.text[offset:].lstrip().startswith("{")
        #: Whether the text has characters at which YAML 1.1 ends a line.
        self.breaks = any(each in source.text for each in _BREAKS)
        self.stopped = False
        self.documents: list[Node] = []
        self.stack: list[_Frame] = []
        self.anchors: dict[str, tuple[Node, int]] = {}
        self.nodes = 0
        #: What aliases repeat.
        self.shared: set[tuple[int, int]] = set()

    def take(self, event: Any) -> None:
        if self.report.failed and len(self.report.diagnostics) >= MOST_MISTAKES:
            self.report.add(codes.TOO_LARGE, self.span(event), f"more than {MOST_MISTAKES:,} mistakes in the text",
                            "mend those that are shown, and check the file again")
            raise _Stop
        kind = type(event).__name__
        if kind == "ScalarEvent":
            self.add(self.scalar(event), event.anchor, 1, 1)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            self.open(event, kind == "MappingStartEvent")
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self.close(event)
        elif kind == "AliasEvent":
            self.alias(event)
        elif kind == "DocumentStartEvent":
            self.anchors = {}

    def opened(self) -> int | None:
        """Where the innermost `[` or `{` stands that is still open."""
        starts = [frame.node.origin.span.start for frame in self.stack]
        return next((at for at in reversed(starts) if self.source.text[at:at + 1] in ("[", "{")), None)

    def span(self, event: Any) -> Span:
        return Span(self.source, self.offset + event.start_mark.index, self.offset + event.end_mark.index)

    def scalar(self, event: Any) -> Scalar:
        span = self.span(event)
        if span.start == span.end:  # an empty value stands behind the last thing written, not where the next begins
            at = span.start
            while at and self.source.text[at - 1].isspace():
                at -= 1
            span = Span(self.source, max(at - 1, 0), at)
        tag = self.tag(event)
        plain = event.implicit[0] if tag is None else tag not in ("str", "!") and not event.style
        text: str = event.value
        if self.joins and event.style == '"' and not text.isascii():
            text = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
        inside = self.tabs.intersection(range(span.start, span.end)) if self.tabs else None
        if inside and not plain:
            self.held |= inside
        if inside and plain and span.end - span.start == len(text):
            text = span.text()
        if MARK in text:
            self.source.strings.append((span.start, span.end))
        value = reading(text) if plain or tag in ("int", "float", "bool", "null") else text
        if plain and (not _ODD_BLANKS.isdisjoint(text) or self.breaks):
            self.odd_blank(span)
        return Scalar(value, Origin(span), text, bool(plain))

    def odd_blank(self, span: Span) -> None:
        """Report an invisible character, an error where kubectl ends the line or hetc is to write the text."""
        text, start = self.source.text, span.start
        while self.breaks and start and text[start - 1] in _SKIPPED:
            start -= 1
        found = [at for at in range(start, span.end) if text[at] in _BREAKS or text[at] in _ODD_BLANKS]
        if found:
            at = next((each for each in found if text[each] in _BREAKS), found[0])
            character = text[at]
            self.report.add(codes.ODD_BLANK, Span(self.source, at, at + 1), f"invisible character U+{ord(character):04X} in unquoted text",
                            "write an ordinary blank, or quote the text if the character is meant",
                            level=WARNING if self.kubectl and character not in _BREAKS else ERROR)

    def tag(self, event: Any) -> str | None:
        """The short name of a core tag, `!` for the non-specific one, None without a tag."""
        tag = event.tag
        if tag is None or tag == "!":
            return tag  # type: ignore[no-any-return]
        tag = str(tag)
        if tag in _TAGS:
            return tag.removeprefix(_CORE)
        span = self.span(event)
        written = self.source.text[span.start:span.end].split()[0] if span.end > span.start else tag
        self.report.add(codes.TAG, Span(self.source, span.start, span.start + len(written)),
                        f"tag `{written}` is not one of YAML's core tags", "leave the tag out, and quote the value if it is text")
        return None

    def open(self, event: Any, mapping: bool) -> None:
        if len(self.stack) >= MAX_DEPTH:
            self.report.add(codes.TOO_LARGE, self.span(event), f"nesting deeper than {MAX_DEPTH} levels")
            raise _Stop
        self.tag(event)
        origin = Origin(self.span(event))
        self.stack.append(_Frame(Mapping({}, origin) if mapping else Sequence([], origin), event.anchor))

    def close(self, event: Any) -> None:
        frame = self.stack.pop()
        node = frame.node
        begin = node.origin.span.start
        node.place = (self.source, begin, max(begin, self.offset + event.end_mark.index))
        if isinstance(node, Mapping):
            for merged in frame.merges:
                self.merge(node, merged)
        self.add(node, frame.anchor, frame.size, 1)

    def alias(self, event: Any) -> None:
        name = event.anchor
        if name in self.anchors:
            node, size = self.anchors[name]
            self.shared.add((node.origin.span.start, node.origin.span.end))
            self.add(node, None, size, size)
            return
        if any(frame.anchor == name for frame in self.stack):
            self.report.add(codes.ALIAS, self.span(event), f"alias `*{name}` stands inside its own anchor",
                            "write the value out: a document cannot hold itself")
        else:
            self.report.add(codes.ALIAS, self.span(event), f"alias `*{name}` has no anchor `&{name}` before it",
                            f"quote the text if `*` belongs to it, else define `&{name}` first")
        raise _Stop

    def add(self, node: Node, anchor: str | None, size: int, new: int) -> None:
        """A node of `size` nodes, itself among them; `new` of them have not been counted yet."""
        self.nodes += new
        if self.nodes > MAX_NODES:
            self.report.add(codes.TOO_LARGE, node.origin.span, f"more than {MAX_NODES:,} values once aliases are expanded")
            raise _Stop
        if anchor is not None:
            self.anchors[anchor] = (node, size)
        if not self.stack:
            self.documents.append(node)
            return
        frame = self.stack[-1]
        frame.size += size
        if isinstance(frame.node, Sequence):
            frame.node.items.append(node)
        elif frame.key is None:
            frame.key = self.key(node)
        else:
            key, frame.key = frame.key, None
            self.put(frame, key, node)

    def key(self, node: Node) -> Scalar:
        if not isinstance(node, Scalar):
            self.report.add(codes.KEY_TYPE, node.origin.span, "a key that is a list or a mapping", "write a text key")
            return Scalar("", node.origin, "")
        if node.value is None and node.plain:
            from hetc.mend import quote

            self.report.add(codes.KEY_TYPE, node.origin.span, f"key `{node.text}` is null", f'quote it: `"{node.text}"`', fix=quote(node))
        return node

    def put(self, frame: _Frame, key: Scalar, node: Node) -> None:
        mapping = frame.node
        assert isinstance(mapping, Mapping)
        self.source.keys.add(key.text)
        if key.text == "<<" and key.plain:
            frame.merges.append(node)
            return
        first = mapping.entries.get(key.text)
        if first is not None:
            self.report.add(codes.DUPLICATE_KEY, key.origin.span, f"duplicate key `{key.text}`", "keep one of the two",
                            [Label(first.key.origin.span, "first given here")])
            mapping.shadowed = mapping.shadowed or []
            mapping.shadowed.append(Entry(key, node))
            return
        mapping.entries[key.text] = Entry(key, node)

    def merge(self, mapping: Mapping, merged: Node) -> None:
        """Entries of a merge key: the mapping's own win, then those of the earlier item."""
        sources = merged.items if isinstance(merged, Sequence) else [merged]
        for source in sources:
            if not isinstance(source, Mapping):
                self.report.add(codes.ALIAS, source.origin.span, "`<<` takes a mapping or a list of mappings",
                                "give it an alias of a mapping, such as `<<: *name`")
                continue
            for key, entry in source.entries.items():
                mapping.entries.setdefault(key, entry)
            if source.shadowed:
                mapping.shadowed = [*(mapping.shadowed or ()), *source.shadowed]


def _report_syntax(error: Exception, source: Source, start: int, report: Report, opened: int | None) -> None:
    """Turn ruamel.yaml's exception into a diagnostic at the place it names; `opened`: the `[` or `{` that is open there."""
    problem = str(getattr(error, "problem", None) or "")
    mark = getattr(error, "problem_mark", None)
    beyond = _BEYOND.search(source.text, start) if isinstance(error, (OverflowError, ValueError)) else None
    if beyond is not None:
        report.add(codes.YAML, Span(source, *beyond.span()), f"`{beyond[0]}` is beyond the last character of Unicode, `\\U0010FFFF`",
                   r"write `\\` for a backslash, or use single quotes")
        return
    if opened is not None and problem.startswith(_UNFINISHED):
        problem = "expected ',' or ']'" if source.text[opened] == "[" else "expected ',' or '}'"
        report.add(codes.YAML, Span(source, opened, opened + 1), *_wording(problem, ""))
        return
    if any(part in problem for part in _OPENED):
        mark = getattr(error, "context_mark", None) or mark
    index = mark.index if mark is not None else getattr(error, "position", 0)
    at = min(start + index, len(source.text))
    end = min(at + 1, len(source.text))
    character = source.text[at:end]
    line_start = source.text.rfind("\n", 0, at) + 1
    line = source.line(source.position(at)[0])
    indent = line[:len(line) - len(line.lstrip(" \t\u00a0"))]
    if character == "\t" or "\t" in indent:
        if character != "\t":
            at = line_start + indent.index("\t")
        report.add(codes.TAB, Span(source, at, at + 1), "a tab in YAML's blank space", "replace the tab by spaces")
        return
    odd = next((index for index, each in enumerate(indent) if each in _ODD_BLANKS), None)
    if odd is not None:
        place = Span(source, line_start + odd, line_start + odd + 1)
        report.add(codes.ODD_BLANK, place, f"invisible character U+{ord(indent[odd]):04X} in the indentation", "write an ordinary blank")
        return
    if mark is None:
        report.add(codes.YAML, Span(source, at, end), f"character U+{ord(character or chr(0)):04X} is not allowed in YAML",
                   r'write it as an escape in double quotes, such as `"\x07"`')
        return
    inner = _bracket_in_text(problem, source.text, start, error)
    if inner is not None:
        report.add(codes.YAML, Span(source, inner, inner + 1), f"`{source.text[inner]}` in unquoted text inside brackets",
                   _quote_line(source.text, inner))
        return
    key = _long_key(problem, source.text, start, error)
    if key is not None:
        length = len(source.text[key:].split(":", 1)[0].rstrip())
        report.add(codes.YAML, Span(source, key, key + length), f"a key of more than {MAX_KEY:,} characters, which YAML does not read",
                   "write a shorter key")
        return
    message, help = _wording(problem, character)
    report.add(codes.YAML, Span(source, at, end), message, help)


def _bracket_in_text(problem: str, text: str, start: int, error: Any) -> int | None:
    """Where unquoted text of a flow collection holds a bracket, which ends it, if that is what stopped the reader: `[echo ${HOME}]`.

    Where a quote stands behind the bracket, the reader looks for its end before it says so.
    """
    mark, context = error.problem_mark, error.context_mark
    if "expected ',' or" in problem and problem.endswith(("'{'", "'['")):
        at = start + int(mark.index)
        return None if text[start:at].rstrip()[-1:] in ("", "}", "]", '"', "'") else at
    if "unexpected end of stream" not in problem or context is None:
        return None
    at = start + int(context.index)
    held = re.compile(r"""[\[,][ ]*[^\s\[\]{},'"#&*!|>%@`][^\[\]{},\n]*[\[{]""")
    found = held.search(text, text.rfind("\n", 0, at) + 1, at)
    return found.end() - 1 if found else None


def _quote_line(text: str, at: int) -> str:
    """The help for the bracket at `at`: the text that it stands in, quoted, and in a list also as an item of a block."""
    start = max(text.rfind(sign, 0, at) for sign in "[{,\n") + 1
    in_list = text[:start].endswith(("[", ",")) and text.rfind("[", 0, at) > text.rfind("{", 0, at)
    if not in_list:
        start = max(start, text.rfind(": ", start, at) + 1)
    depth, end = 0, at
    while end < len(text) and text[end] != "\n" and (depth or text[end] not in ",]}"):
        depth += (text[end] in "[{") - (text[end] in "]}")
        end += 1
    line = text[start:end].strip()
    if len(line) > 200:
        return "quote the text"
    return f"quote the text: `{quoted(line)}`" + (f", or write it on a line of its own as `- {line}`" if in_list else "")


def _long_key(problem: str, text: str, start: int, error: Any) -> int | None:
    """Where a key begins that is too long to be one, if that is what stopped the reader.

    It goes on behind the key as if that were a value, and stumbles over the `:`; a key that must be one it stops at.
    """
    mark = error.context_mark if "could not find expected ':'" in problem else error.problem_mark
    if mark is None:
        return None
    at = start + mark.index
    if mark is error.context_mark:
        key, colon, _ = text[at:].partition("\n")[0].partition(":")
        return at if colon and len(key) > MAX_KEY else None
    before = text[start:at].rstrip()
    if text[at:at + 1] != ":" or len(before) <= MAX_KEY:
        return None
    quote = before[-1] if before[-1] in "'\"" else ""
    opens = before.rfind(quote, 0, -1) if quote else max(before.rfind(each) for each in "\n{[,") + 1
    opens += 0 if quote else len(before[opens:]) - len(before[opens:].lstrip(" -?"))
    return start + opens if len(before) - opens > MAX_KEY else None


def _wording(problem: str, character: str) -> tuple[str, str]:
    if "cannot start any token" in problem:
        return f"`{character}` cannot start a plain value", "quote the text"
    for part, message, help in _PROBLEMS:
        if part in problem:
            return message.replace("a sign where", f"`{character}` where") if character.strip() else message, help
    return "text that is no YAML", "check the quotes, brackets and indentation here"
