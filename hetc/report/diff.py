"""What makes one text of another, as `diff -u` and `git diff` show it, and as `patch` takes it."""
from __future__ import annotations

import re
from difflib import unified_diff

from hetc.report.text import printable

_NO_BREAK = "\n\\ No newline at end of file\n"


def unified(old: str, new: str, old_name: str, new_name: str) -> str:
    """The difference of two texts, line ends and all; empty where there is none."""
    lines = unified_diff(_lines(old), _lines(new), printable(old_name), printable(new_name))
    return "".join(line if line.endswith("\n") else line + _NO_BREAK for line in lines)


def _lines(text: str) -> list[str]:
    """Lines with their breaks: nothing but `\\n` breaks a line here."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
