"""What is run on a fuzzer's bytes: `hetc lint` of a file of each kind, and what must hold of it whatever the bytes are.

Nothing here needs a fuzzer, so that the test suite runs the same on what Hypothesis makes up.
"""
from __future__ import annotations

import io
import json
import sys
from typing import Any

from hetc import commands
from hetc.options import LINT, parse
from hetc.source import NotUtf8, UsageError, decode

#: Target -> the name that makes hetc take standard input for a file of its kind.
TARGETS = {"request": "job.het", "overlay": "job.het.yaml", "manifest": "job.yaml"}


def lint(name: str, data: bytes, form: str = "json") -> tuple[int, str]:
    """Exit status and output of `hetc lint` of a file; what hetc raises comes through. A usage error gives 2 and its text."""
    stdin, stdout = sys.stdin, sys.stdout
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    sys.stdout = io.TextIOWrapper(io.BytesIO())
    try:
        status = commands.run(LINT, parse(LINT, ["--isolated", "--color", "never", "--output-format", form, "--stdin-filename", name, "-"]))
        return status, sys.stdout.buffer.getvalue().decode()  # type: ignore[attr-defined]
    except UsageError as error:
        return 2, str(error)
    finally:
        sys.stdin, sys.stdout = stdin, stdout


def examine(name: str, data: bytes) -> list[dict[str, Any]]:
    """The findings of a file, each with a message and inside the file. Raises AssertionError, and whatever hetc stumbles over."""
    status, output = lint(name, data)
    assert status in (0, 1), output
    lines = lengths(data)
    found: list[dict[str, Any]] = json.loads(output)["diagnostics"]
    assert status == any(each["level"] == "error" for each in found)
    for each in found:
        assert each["message"], each
        for place in (each, *each["related"]):
            inside(place["line"], place["column"], lines, each)
        inside(each["end_line"], each["end_column"], lines, each)
        assert (each["line"], each["column"]) <= (each["end_line"], each["end_column"]), each
    return found


def inside(line: int, column: int, lines: list[int] | None, finding: dict[str, Any]) -> None:
    """Assert that a place is in a text of lines of these lengths, or right behind one."""
    assert line >= 1 and column >= 1, finding
    if lines is not None:
        assert line <= len(lines) and column <= lines[line - 1] + 1, finding


def lengths(data: bytes) -> list[int] | None:
    """How many characters each line has, its end left out; None for what is no text."""
    try:
        return [len(line) for line in decode(data).split("\n")]
    except NotUtf8:
        return None
