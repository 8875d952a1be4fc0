"""Where text comes from, and places in it.

Offsets count code points from 0; a span is half open. Lines and columns count from 1 and are
computed when a place is printed.
"""
from __future__ import annotations

from bisect import bisect_right

#: The largest input that is read, in bytes.
MAX_BYTES = 16 * 1024 * 1024


#: What a comment says that speaks to hetc.
MARK = "hetc:"


class UsageError(Exception):
    """The command line, the configuration or the file system is at fault; exit status 2.

    A mistake inside a source is a diagnostic, never an exception.
    """


def reason(error: Exception) -> str:
    """Why a file could not be read or written, as a clause of a message."""
    text = getattr(error, "strerror", None) or str(error)
    return text[:1].lower() + text[1:]


class Source:
    """A text with the name that messages give it: a path as the user wrote it, or `<stdin>`."""

    __slots__ = ("_starts", "keys", "name", "shared", "strings", "text")

    #: Whether its lines are what people have before them, so that messages show them.
    is_shown = True

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        #: Start and end of the strings of the text in which what looks like a comment of hetc's is none.
        self.strings: list[tuple[int, int]] = []
        #: Start and end of what YAML aliases repeat, sorted; none inside another.
        self.shared: list[tuple[int, int]] = []
        #: The keys of all mappings, once the text has been read as YAML.
        self.keys: set[str] = set()
        self._starts: list[int] | None = None

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    def starts(self) -> list[int]:
        """The offset at which each line starts."""
        if self._starts is None:
            starts = [0]
            at = self.text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = self.text.find("\n", at + 1)
            self._starts = starts
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a code point offset."""
        starts = self.starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def place(self, start: int, end: int) -> str:
        """What messages call the range `[start, end)`: `name:line:column`."""
        line, column = self.position(start)
        return f"{self.name}:{line}:{column}"

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line break."""
        starts = self.starts()
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1]:end].rstrip("\r\n")


class Span:
    """The half-open range `[start, end)` of a source, in code points."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        line, column = self.start_position()
        return f"Span({self.source.name}:{line}:{column})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        return (self.source is other.source or self.source.name == other.source.name) and (
            self.start, self.end) == (other.start, other.end)

    def __hash__(self) -> int:
        return hash((self.source.name, self.start, self.end))

    def text(self) -> str:
        """The text that the span covers."""
        return self.source.text[self.start:self.end]

    def start_position(self) -> tuple[int, int]:
        """Line and column of the first code point."""
        return self.source.position(self.start)

    def end_position(self) -> tuple[int, int]:
        """Line and column just behind the last code point."""
        return self.source.position(self.end)


def inside(at: int, places: list[tuple[int, int]]) -> bool:
    """Whether an offset lies in one of the half-open places, which are sorted and do not overlap."""
    number = bisect_right(places, at, key=lambda place: place[0]) - 1
    return number >= 0 and at < places[number][1]


class NotUtf8(Exception):
    """The bytes are no UTF-8: `line` and `column` (from 1) of the first bad byte, and what is wrong."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.column = column
        self.reason = reason


def decode(data: bytes) -> str:
    """UTF-8 bytes as text, byte order marks at the start of the file or of a line left out.

    Raises NotUtf8.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise NotUtf8(1, 1, "the text is UTF-16, not UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[:error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1:].decode("utf-8", "replace")) + 1
        raise NotUtf8(line, column, f"byte 0x{data[error.start]:02X} is not UTF-8") from None
    if "\ufeff" in text:
        text = text.removeprefix("\ufeff").replace("\n\ufeff---", "\n---")
    return text
