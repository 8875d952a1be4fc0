"""What a run looked at."""
from __future__ import annotations

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


def sentence(summary: Summary, errors: int, warnings: int) -> str:
    """One line for people."""
    skipped = ""
    if summary.skipped:
        names = [*summary.kinds[:MOST], *(["…"] if len(summary.kinds) > MOST else [])]
        skipped = f", {summary.skipped} of kinds hetc does not know ({', '.join(names)})"
    return f"checked {_count(summary.documents, 'document')}{skipped}: {_count(errors, 'error')}, {_count(warnings, 'warning')}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
