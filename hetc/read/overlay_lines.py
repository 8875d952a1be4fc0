"""Lists of shell lines that were meant as something else: the words of one command, or one line with commas."""
from __future__ import annotations

from itertools import pairwise

from hetc.source import Span
from hetc.tree import Scalar, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.tree import Sequence

    #: Place, message, help.
    Complaint = tuple[Span, str, str]


def complaint(node: Sequence, what: str) -> Complaint | None:
    """What to say about a list of lines; `what` is its name in messages."""
    items = [item for item in node.items if isinstance(item, Scalar) and item.value is not None]
    if len(items) < 2 or len(items) < len(node.items):
        return None
    words = [item.value if isinstance(item.value, str) else item.text for item in items]
    if len(words[0].split()) == 1:
        from shlex import join

        return _vector(node, what, join(words))
    split = _split_by_comma(items, what)
    if split is None and any(word.startswith("-") for word in words[1:]):
        return _vector(node, what, " ".join(words))
    return split


def _vector(node: Sequence, what: str, line: str) -> Complaint:
    """Words of one command: each item is a line of its own."""
    return (node.origin.span, f"{what} looks like the words of one command, but each item is a shell line",
            f"if one command is meant, write it as one line: `{line}`")


def _split_by_comma(items: list[Scalar], what: str) -> Complaint | None:
    """`[python a.py --langs en,de]`: YAML parts unquoted text at each comma, also without a blank behind it."""
    tight = [_is_tight(*pair) for pair in pairwise(items)]
    if True not in tight:
        return None
    first = last = tight.index(True)
    while last < len(tight) and tight[last]:
        last += 1
    span, end = items[first].origin.span, items[last].origin.span.end
    line = quoted(span.source.text[span.start:end])
    return (Span(span.source, span.end, span.end + 1), f"the comma behind `{items[first].text}` ends a line of {what}",
            f"if the comma is part of the line, quote it: `{line}`; else write a blank behind the comma")


def _is_tight(first: Scalar, second: Scalar) -> bool:
    """Whether unquoted text and the next item have a bare comma between them."""
    one, two = first.origin.span, second.origin.span
    return first.plain and one.source is two.source and one.source.text[one.end:two.start] == ","
