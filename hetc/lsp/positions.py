"""Offsets of a text as an editor's positions: lines from 0, and characters in the units that editor and server agreed on."""
from __future__ import annotations

import re
from bisect import bisect_right

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"

#: Where the protocol has a line end, which is not where all of Python's text methods have one.
_BREAK = re.compile(r"\r\n|\n|\r")


class Lines:
    """The lines of a text, counted in one of the protocol's encodings."""

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self.encoding = encoding
        breaks = list(_BREAK.finditer(text))
        #: Where each line starts, and where its text ends.
        self.starts = [0, *(each.end() for each in breaks)]
        self.ends = [*(each.start() for each in breaks), len(text)]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and character of an offset; one inside a line break is at its line's end."""
        line = bisect_right(self.starts, offset) - 1
        return line, self.units(self.text[self.starts[line]:min(offset, self.ends[line])])

    def offset(self, line: int, character: int) -> int:
        """The offset of a position; one behind a line or the text is at its end, one inside a character before that."""
        if line >= len(self.starts):
            return len(self.text)
        at, end, left = self.starts[line], self.ends[line], character
        while at < end:
            left -= self.units(self.text[at])
            if left < 0:
                break
            at += 1
        return at

    def units(self, text: str) -> int:
        """How long a text is for the editor."""
        if text.isascii() or self.encoding == UTF32:
            return len(text)
        if self.encoding == UTF8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(character > "\uffff" for character in text)
