"""What a run looked at."""
from __future__ import annotations

from hetc.names import counted, shorten
from hetc.record import Record

#: How many kinds the sentence names.
MOST = 5


class Summary(Record):
    """`files` were checked, of `documents` in all; the documents that are `skipped` are of kinds that hetc does not know."""

    files: int = 0
    skipped: int = 0
    documents: int = 0
    #: What is skipped, each kind once.
    kinds: tuple[str, ...] = ()
    #: Fixes that were made, and in how many files.
    fixes: int = 0
    fixed_files: int = 0
    #: Files that could not be checked, and why, each reason once.
    unread: int = 0
    problems: tuple[str, ...] = ()


def sentence(summary: Summary, errors: int, warnings: int) -> str:
    """One line for people."""
    skipped = ""
    if summary.skipped:
        names = [*(shorten(kind) for kind in summary.kinds[:MOST]), *(["…"] if len(summary.kinds) > MOST else [])]
        skipped = f", {summary.skipped} of kinds hetc does not know ({', '.join(names)})"
    fixed = ""
    if summary.fixes:
        fixed = f", {counted(summary.fixes, 'fix', 'fixes')} made in {counted(summary.fixed_files, 'file')}"
    found = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
    unread = f", {counted(summary.unread, 'file')} not checked" if summary.unread else ""
    return f"checked {counted(summary.documents, 'document')}{skipped}{unread}: {found}{fixed}"
