"""Schedules as robfig/cron reads them. Each was read by its ParseStandard too."""
from __future__ import annotations

import pytest

from hetc.cron import fault, never

ORDER = "write minute, hour, day of the month, month and day of the week, such as `0 3 * * *`"


@pytest.mark.parametrize("schedule", [
    "* * * * *", "0 3 * * *", "*/5 0-23/2 1,15 JAN-Jun mon-FRI", "5/15 ? ? ? ?", "0\t0 1 1 0", "  0 0 1 1 6  ", ", * * * *", "1,,2 * * * *",
    "*-5 * * * *", "+5 * * * *", "@yearly", "@every 1h30m", "@every -1s",
])
def test_sound(schedule: str) -> None:
    assert fault(schedule) is None


@pytest.mark.parametrize(("schedule", "wrong", "help"), [
    ("0 3 * *", "`0 3 * *` has 4 fields, not 5", ORDER),
    ("daily", "`daily` has 1 field, not 5", ORDER),
    ("60 * * * *", "`60` for the minute lies outside 0 to 59", "write numbers from 0 to 59"),
    ("0 24 * * *", "`24` for the hour lies outside 0 to 23", "write numbers from 0 to 23"),
    ("0 0 0 * *", "`0` for the day of the month lies outside 1 to 31", "write numbers from 1 to 31"),
    ("0 0 * 13 *", "`13` for the month lies outside 1 to 12", "write numbers from 1 to 12"),
    ("0 0 * * 7", "`7` for the day of the week lies outside 0 to 6", "write numbers from 0 to 6 (`0` is Sunday)"),
    ("0 0 * * 8", "`8` for the day of the week lies outside 0 to 6", "write numbers from 0 to 6"),
    ("5-1 * * * *", "`5-1` for the minute begins behind its end", "write `1-5`, or two ranges"),
    ("*/0 * * * *", "`*/0` for the minute has no step above zero", "write a number behind the `/`"),
    ("*/x * * * *", "`*/x` for the minute has no step above zero", "write a number behind the `/`"),
    ("1-2-3 * * * *", "`1-2-3` for the minute is no range", "write numbers from 0 to 59, such as `0-59/2`"),
    ("1/2/3 * * * *", "`1/2/3` for the minute is no range", "write numbers from 0 to 59, such as `0-59/2`"),
    ("-1 * * * *", "`-1` for the minute is no number", "write numbers from 0 to 59"),
    ("0 0 L * *", "`L` for the day of the month is no number", "write numbers from 1 to 31"),
    ("0 0 * mon *", "`mon` for the month is no number", "write numbers from 1 to 12"),
    ("@Daily", "`@Daily` is no schedule", "write `@daily`"),
    ("@every", "`@every` is no schedule", "write one of `@annually`, `@daily`, `@hourly`, `@midnight`, `@monthly`, `@weekly`, `@yearly` or `@every 1h30m`"),
    ("@every 5", "`5` has a number without a unit", "write `@every 1h30m`"),
])
def test_wrong(schedule: str, wrong: str, help: str) -> None:
    assert fault(schedule) == (wrong, help)


@pytest.mark.parametrize(("schedule", "is_never"), [
    ("0 0 30 2 *", True), ("0 0 31 4,6,9,11 ?", True), ("0 0 29 2 *", False), ("0 0 31 * *", False), ("0 0 31 4-5 *", False),
    ("0 0 30 2 1", False), ("0 0 * 2 *", False), ("@daily", False), ("0 0 30,1 2 *", False),
])
def test_never(schedule: str, is_never: bool) -> None:
    assert fault(schedule) is None
    assert never(schedule) == is_never
