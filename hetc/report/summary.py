"""What a run looked at."""
from __future__ import annotations

from hetc.record import Record


class Summary(Record):
    """`files` were checked; `skipped` documents are of kinds that hetc does not know."""

    files: int = 0
    skipped: int = 0


def sentence(summary: Summary, errors: int, warnings: int) -> str:
    """One line for people."""
    found = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}"
    skipped = f"; {_count(summary.skipped, 'document')} of kinds hetc does not know" if summary.skipped else ""
    return f"checked {_count(summary.files, 'file')}: {found}{skipped}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
