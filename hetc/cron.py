"""Schedules as the library robfig/cron reads them with ParseStandard: five fields, or a word behind `@`.

Source: robfig/cron v3, parser.go. It is laxer than cron in places: `?` is `*`, a lone comma is no value at all.
"""
from __future__ import annotations

import re

from hetc import duration
from hetc.names import nearest, shorten
from hetc.record import Record

WORDS = ("@annually", "@daily", "@hourly", "@midnight", "@monthly", "@weekly", "@yearly")
EVERY = "@every "

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_LONGEST_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Field(Record):
    """One of the five fields: what it is called, its bounds, and its names for numbers from the least on."""

    name: str
    least: int
    most: int
    names: tuple[str, ...] = ()


FIELDS = (
    Field("minute", 0, 59), Field("hour", 0, 23), Field("day of the month", 1, 31), Field("month", 1, 12, _MONTHS),
    Field("day of the week", 0, 6, _DAYS),
)


def fault(schedule: str) -> tuple[str, str] | None:
    """What is wrong with a schedule and what to do, or None."""
    if schedule.startswith("@"):
        return _word(schedule)
    parts = schedule.split()
    if len(parts) != len(FIELDS):
        count = f"{len(parts)} field{'' if len(parts) == 1 else 's'}, not {len(FIELDS)}"
        order = "write minute, hour, day of the month, month and day of the week, such as `0 3 * * *`"
        return f"`{shorten(schedule)}` has {count}", order
    for part, field in zip(parts, FIELDS):
        values = _values(part, field)
        if isinstance(values, tuple):
            return values
    return None


def never(schedule: str) -> bool:
    """Whether a sound schedule names days that no month of its has, such as 30 February."""
    parts = schedule.split()
    if schedule.startswith("@") or "*" in parts[2] or "?" in parts[2] or not ("*" in parts[4] or "?" in parts[4]):
        return False
    days, months = _values(parts[2], FIELDS[2]), _values(parts[3], FIELDS[3])
    return isinstance(days, set) and isinstance(months, set) and not any(
        day <= _LONGEST_MONTHS[month - 1] for day in days for month in months)


def _word(schedule: str) -> tuple[str, str] | None:
    if schedule in WORDS:
        return None
    if schedule.startswith(EVERY):
        wrong = duration.fault(schedule.removeprefix(EVERY))
        better = duration.rewrite(schedule.removeprefix(EVERY))
        return None if wrong is None else (wrong, f"write `{EVERY}{better or '1h30m'}`")
    close = nearest(schedule, WORDS)
    known = ", ".join(f"`{word}`" for word in WORDS)
    return f"`{shorten(schedule)}` is no schedule", f"write `{close}`" if close else f"write one of {known} or `{EVERY}1h30m`"


def _values(part: str, field: Field) -> set[int] | tuple[str, str]:
    """The numbers of a field, or what is wrong with it and what to do."""
    values: set[int] = set()
    for expression in part.split(","):
        found = _range(expression, field) if expression else set()
        if isinstance(found, tuple):
            return found
        values |= found
    return values


def _range(expression: str, field: Field) -> set[int] | tuple[str, str]:
    """The numbers of `A`, `A-B`, `A/STEP`, `A-B/STEP` or `*` for a range."""
    shown, form = f"`{shorten(expression)}` for the {field.name}", f"write numbers from {field.least} to {field.most}"
    span, *steps = expression.split("/")
    first, *lasts = span.split("-")
    if len(steps) > 1 or (len(lasts) > 1 and first not in ("*", "?")):
        return f"{shown} is no range", f"{form}, such as `{field.least}-{field.most}/2`"
    step = _number(steps[0]) if steps else 1
    if first in ("*", "?"):
        low, high = field.least, field.most
    else:
        numbers = [_number(text, field.names, field.least) for text in (first, *lasts)]
        if None in numbers:
            return f"{shown} is no number", form
        low, high = numbers[0] or 0, numbers[-1] or 0
        high = field.most if steps and not lasts else high
    if step is None or step == 0:
        return f"{shown} has no step above zero", "write a number behind the `/`"
    if low < field.least or high > field.most:
        sunday = " (`0` is Sunday)" if field.names == _DAYS and high == 7 else ""
        return f"{shown} lies outside {field.least} to {field.most}", form + sunday
    if low > high:
        return f"{shown} begins behind its end", f"write `{high}-{low}`, or two ranges"
    return set(range(low, high + 1, step))


def _number(text: str, names: tuple[str, ...] = (), least: int = 0) -> int | None:
    """A number without a minus, or a name's."""
    if text.lower() in names:
        return names.index(text.lower()) + least
    return int(text) if re.fullmatch(r"\+?[0-9]{1,18}", text) else None
