"""Durations as Go reads them: numbers with units, `1h30m` or `1.5s`, no days and no blanks.

Source: Go, time.ParseDuration, which apimachinery calls for a Duration.
"""
from __future__ import annotations

import re

from hetc.lazy import regex
from hetc.names import shorten

#: Go's units, in nanoseconds.
UNITS = {"ns": 1, "us": 10**3, "\u00b5s": 10**3, "\u03bcs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
MAX = 2**63 - 1

_PART = regex(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]*)")
#: What people write for Go's units and for longer ones.
_WORDS = (
    (r"w(eeks?)?", 168, "h"), (r"d(ays?)?", 24, "h"), (r"h((ou)?rs?)?", 1, "h"), (r"m(in(ute)?s?)?", 1, "m"),
    (r"s(ec(ond)?s?)?", 1, "s"),
)


def fault(text: str) -> str | None:
    """What is wrong with a duration, or None."""
    shown = f"`{shorten(text)}`"
    body = text[1:] if text[:1] in ("-", "+") else text
    if body == "0":
        return None
    if not body:
        return f"{shown} is no duration"
    total = at = 0
    while at < len(body):
        match = _PART.match(body, at)
        assert match is not None  # each part of the pattern may be empty
        whole, fraction, unit = match[1], (match[2] or "")[:18], match[3]
        if not match[1] + fraction:
            return f"{shown} is no duration"
        if not unit:
            return f"{shown} has a number without a unit"
        if unit not in UNITS:
            return f"{shown} has the unit `{shorten(unit)}`, which Go does not know"
        total += int(whole[:40] or "0") * UNITS[unit] + int(fraction or "0") * UNITS[unit] // 10 ** len(fraction)
        at = match.end()
    return f"{shown} is longer than Go can count" if total > MAX else None


def complaint(text: str) -> tuple[str, str] | None:
    """What is wrong with a length of time in whole seconds, at least one, and what to write; None when it is fine."""
    wrong = fault(text)
    if wrong is not None:
        better = rewrite(text) or "90m"
        return wrong, f"write hours, minutes and seconds, such as `{better}`"
    if text[:1] in ("-", "+"):
        return f"`{shorten(text)}` has a sign", f"write `{shorten(text[1:])}`"
    nanoseconds = count(text)
    if nanoseconds % UNITS["s"] or not nanoseconds:
        what = "no whole number of seconds" if nanoseconds else "zero"
        return f"`{shorten(text)}` is {what}", "write at least `1s`, in whole seconds"
    if nanoseconds // UNITS["s"] >= 2**31:
        return f"`{shorten(text)}` is more than Kubernetes can count", f"write at most `{2**31 - 1}s`"
    return None


def count(text: str) -> int:
    """The nanoseconds of a duration without a fault, its sign left out."""
    body, total = text.lstrip("+-"), 0
    for whole, fraction, unit in re.findall(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]+)", body):
        digits = fraction[:18]
        total += int(whole or "0") * UNITS[unit] + int(digits or "0") * UNITS[unit] // 10 ** len(digits)
    return total


def seconds(text: str) -> int:
    """The seconds of a length of time without a complaint."""
    return count(text) // UNITS["s"]


def written(seconds: int) -> str:
    """Seconds as Go writes a Duration: `1h30m0s`."""
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}h{minutes}m{left}s" if hours else f"{minutes}m{left}s" if minutes else f"{left}s"


def rewrite(text: str) -> str | None:
    """The duration that a wrong text most likely means: `1 day` is `24h`. None where nothing is likely."""
    match = re.fullmatch(r"\s*([0-9]{1,6})\s*([A-Za-z]+)\s*", text)
    for pattern, factor, unit in _WORDS if match is not None else ():
        if match is not None and re.fullmatch(pattern, match[2].lower()):
            return f"{int(match[1]) * factor}{unit}"
    return None
