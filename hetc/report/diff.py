"""What makes one text of another, as `diff -u` and `git diff` show it, and as `patch` takes it."""
from __future__ import annotations

import re
from difflib import unified_diff

from hetc.report.text import printable
from hetc.system import slashed

#: What disturbs a terminal: controls, signs that turn the direction of a text, and bytes that are no text.
_DISTURBING = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_NO_BREAK = "\n\\ No newline at end of file\n"


def unified(old: str, new: str, old_name: str, new_name: str) -> str:
    """The difference of two texts, line ends and all; empty where there is none. What disturbs a terminal is escaped."""
    lines = unified_diff(_lines(old), _lines(new), printable(slashed(old_name)), printable(slashed(new_name)))
    text = "".join(line if line.endswith("\n") else line + _NO_BREAK for line in lines)
    return _DISTURBING.sub(lambda found: printable(found[0]), text)


def _lines(text: str) -> list[str]:
    """Lines with their breaks: nothing but `\\n` breaks a line here."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
