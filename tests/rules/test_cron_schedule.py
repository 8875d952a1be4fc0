"""HET521: schedules."""
from __future__ import annotations

import pytest

from hetc.rules.cron_schedule import RULE
from tests.rules.checks import Found, check_manifest, cron, job, task


def test_missing() -> None:
    assert check_manifest(RULE, cron("suspend: true")) == [
        Found(6, 3, "error", "the CronJob has no schedule", "write one, such as `0 3 * * *` for three o'clock every night"),
    ]


def test_null() -> None:
    assert check_manifest(RULE, cron("schedule: ", "suspend: true")) == [
        Found(6, 11, "error", "the CronJob has no schedule", "write one, such as `0 3 * * *` for three o'clock every night"),
    ]


def test_empty() -> None:
    assert check_manifest(RULE, cron('schedule: ""')) == [
        Found(6, 13, "error", "the CronJob has no schedule", "write one, such as `0 3 * * *` for three o'clock every night"),
    ]


def test_four_fields() -> None:
    assert check_manifest(RULE, cron('schedule: "0 3 * *"')) == [
        Found(6, 13, "error",
              "the schedule is none: `0 3 * *` has 4 fields, not 5",
              "write minute, hour, day of the month, month and day of the week, such as `0 3 * * *`"),
    ]


def test_seconds() -> None:
    assert check_manifest(RULE, cron('schedule: "0 0 3 * * *"')) == [
        Found(6, 13, "error",
              "the schedule is none: `0 0 3 * * *` has 6 fields, not 5",
              "write minute, hour, day of the month, month and day of the week, such as `0 3 * * *`"),
    ]


def test_zone() -> None:
    assert check_manifest(RULE, cron('schedule: "TZ=Europe/Berlin 0 3 * * *"')) == [
        Found(6, 13, "error",
              "schedule `TZ=Europe/Berlin 0 3 * * *` has a time zone in it",
              "write `schedule: 0 3 * * *` and `timeZone: Europe/Berlin`"),
    ]


def test_zone_alone() -> None:
    assert check_manifest(RULE, cron('schedule: "CRON_TZ=UTC"')) == [
        Found(6, 13, "error", "schedule `CRON_TZ=UTC` has a time zone in it", "write `timeZone` instead"),
    ]


def test_outside() -> None:
    assert check_manifest(RULE, cron('schedule: "60 3 * * *"')) == [
        Found(6, 13, "error", "the schedule is none: `60` for the minute lies outside 0 to 59", "write numbers from 0 to 59"),
    ]


def test_sunday() -> None:
    assert check_manifest(RULE, cron('schedule: "0 3 * * 7"')) == [
        Found(6, 13, "error",
              "the schedule is none: `7` for the day of the week lies outside 0 to 6",
              "write numbers from 0 to 6 (`0` is Sunday)"),
    ]


def test_word() -> None:
    assert check_manifest(RULE, cron('schedule: "@nightly"')) == [
        Found(6, 13, "error",
              "the schedule is none: `@nightly` is no schedule",
              "write one of `@annually`, `@daily`, `@hourly`, `@midnight`, `@monthly`, `@weekly`, `@yearly` or `@every 1h30m`"),
    ]


def test_every() -> None:
    assert check_manifest(RULE, cron('schedule: "@every 1d"')) == [
        Found(6, 13, "error", "the schedule is none: `1d` has the unit `d`, which Go does not know", "write `@every 24h`"),
    ]


def test_never() -> None:
    assert check_manifest(RULE, cron('schedule: "0 0 30 2 *"')) == [
        Found(6, 13, "warning",
              "schedule `0 0 30 2 *` names days that its months do not have, and never comes",
              "choose another day or month"),
    ]


@pytest.mark.parametrize("text", [
    cron('schedule: "*/5 0-23/2 1,15 JAN-Jun mon"'),
    cron('schedule: "@daily"'),
    cron('schedule: "@every 1h30m"'),
    cron('schedule: "0 0 29 2 ?"'),
    cron('schedule: "0 0 30 2 1"'),
    cron("schedule: [x]"),
    cron("schedule: 3"),
    job(task()),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


@pytest.mark.parametrize(("line", "help"), [
    ("schedule:", 'write `schedule: {cron: "0 3 * * *"}` in an overlay for three o\'clock every night'),
    ("schedule: TZ=UTC 0 3 * * *", "write `cron: 0 3 * * *` and `time_zone: UTC`"),
    ("schedule: TZ=UTC", "write `time_zone` instead"),
    ("schedule: TZ=a=b 0 3 * * *", "write `cron: 0 3 * * *` and `time_zone: a=b`"),
])
def test_in_the_words_of_an_overlay(line: str, help: str) -> None:
    assert [each.help for each in check_manifest(RULE, cron(line), emitted=True)] == [help]
