"""Makes the edits that findings carry; comments, line ends and everything else stay as they are."""
from __future__ import annotations

import re
from bisect import bisect_right, insort

from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic, Edit
    from hetc.source import Source

#: Where a document begins: reading leaves a byte order mark out there.
_MARK = re.compile("\n(\ufeff?)---")


class Fixed(Record):
    """A text after `count` fixes."""

    text: str
    count: int


def fixed(source: Source, found: Iterable[Diagnostic]) -> Fixed:
    """The text of `source` with the fixes of `found` made; one that several findings ask for counts once.

    A fix is made whole or not at all: one that meets an earlier fix, or that reaches into another file, is left for the
    next round.
    """
    edits: dict[tuple[int, int, str], Edit] = {}
    taken: list[tuple[int, int]] = []
    count = 0
    for each in found:
        if each.fix is None or any(edit.span.source.name != source.name for edit in each.fix.edits):
            continue
        new = {(edit.span.start, edit.span.end, edit.text): edit for edit in each.fix.edits}
        fresh = [place for place in new if place not in edits]
        if not fresh or any(_meets(start, end, taken) for start, end, _ in fresh):
            continue
        for start, end, text in fresh:
            edits[start, end, text] = new[start, end, text]
            insort(taken, (start, end))
        count += 1
    return Fixed(_edited(source.text, edits.values()), count)


def _meets(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    """Whether a place overlaps one of the places taken, which are sorted and do not overlap."""
    at = bisect_right(taken, (start, end))
    before, behind = taken[at - 1] if at else None, taken[at] if at < len(taken) else None
    return (before is not None and (start < before[1] or before == (start, end))) or (behind is not None and behind[0] < end)


def _edited(text: str, edits: Iterable[Edit]) -> str:
    parts, at = [], 0
    for edit in sorted(edits, key=lambda edit: edit.span.start):
        parts += [text[at:edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*parts, text[at:]])


def restored(data: bytes, text: str) -> str:
    """An edited text with the byte order marks of the file's bytes, which reading leaves out. No edit adds or takes a `---`."""
    raw = data.decode("utf-8")
    marks = iter(_MARK.findall(raw))
    lead = "\ufeff" if raw.startswith("\ufeff") else ""
    return lead + re.sub("\n---", lambda _: f"\n{next(marks)}---", text)
