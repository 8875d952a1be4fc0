"""Makes the edits that findings carry; comments and everything else stay as they are."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic, Edit
    from hetc.source import Source


def fixed(source: Source, found: Iterable[Diagnostic]) -> tuple[str, int]:
    """The text of `source` with the fixes of `found` made, and how many there were.

    A fix is made whole or not at all: one that meets an earlier fix, or that reaches into another file, is left for the
    next round.
    """
    edits: list[Edit] = []
    count = 0
    for each in found:
        fix = each.fix
        if fix is None or any(edit.span.source.name != source.name for edit in fix.edits):
            continue
        new = [edit for edit in fix.edits if not any(_same(edit, old) for old in edits)]
        if any(_meet(edit, old) for edit in new for old in edits):
            continue
        edits.extend(new)
        count += 1
    text = source.text
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[:edit.span.start] + edit.text + text[edit.span.end:]
    return text, count


def _same(one: Edit, other: Edit) -> bool:
    return (one.span.start, one.span.end, one.text) == (other.span.start, other.span.end, other.text)


def _meet(one: Edit, other: Edit) -> bool:
    return one.span.start < other.span.end and other.span.start < one.span.end
