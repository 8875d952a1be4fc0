"""The words and items of a request, between its tokens and what they mean."""
from __future__ import annotations

from hetc.origin import Located, Origin
from hetc.source import Span


class Word:
    """A token with its meaning: `text` is what a string decodes to."""

    __slots__ = ("span", "text")

    def __init__(self, text: str, span: Span) -> None:
        self.text = text
        self.span = span

    def located(self) -> Located[str]:
        return Located(self.text, Origin(self.span))


class Item:
    """`key`, or `key=value`: the value's parts, between colons."""

    __slots__ = ("key", "parts", "span")

    def __init__(self, key: Word, parts: list[Word], span: Span) -> None:
        self.key = key
        self.parts = parts
        self.span = span

    def value_span(self) -> Span:
        return Span(self.span.source, self.parts[0].span.start, self.parts[-1].span.end) if self.parts else self.key.span
