"""HET522: time zones."""
from __future__ import annotations

import pytest

from hetc.rules.time_zone import RULE
from tests.rules.checks import Found, check_manifest, cron


def test_misspelt() -> None:
    assert check_manifest(RULE, cron("timeZone: Europe/Berln")) == [
        Found(6, 13, "error", "`Europe/Berln` is no time zone of the IANA database", "write `Europe/Berlin`"),
    ]


def test_case() -> None:
    assert check_manifest(RULE, cron("timeZone: utc")) == [
        Found(6, 13, "error", "`utc` is no time zone of the IANA database", "write `UTC`"),
    ]


def test_local() -> None:
    assert check_manifest(RULE, cron("timeZone: Local")) == [
        Found(6, 13, "error", "`Local` is no time zone of the IANA database", "write `UTC`"),
    ]


def test_empty() -> None:
    assert check_manifest(RULE, cron('timeZone: ""')) == [
        Found(6, 13, "error",
              "the time zone is empty",
              "write a name such as `Europe/Berlin`, or leave the field out for the controller's own"),
    ]


def test_blank() -> None:
    assert check_manifest(RULE, cron("timeZone: America/New York")) == [
        Found(6, 13, "error", "`America/New York` is no time zone of the IANA database", "write `America/New_York`"),
    ]


def test_several_blanks() -> None:
    [found] = check_manifest(RULE, cron("timeZone: America/North Dakota/New Salem"))
    assert found.help == "write `America/North_Dakota/New_Salem`"


def test_each_document() -> None:
    assert [each.line for each in check_manifest(RULE, cron() + "---\n" + cron("timeZone: utc"))] == [12]


def test_offset() -> None:
    assert check_manifest(RULE, cron("timeZone: '+02:00'")) == [
        Found(6, 13, "error",
              "`+02:00` is no time zone of the IANA database",
              "write a name such as `Europe/Berlin`, or leave the field out for the controller's own"),
    ]


def test_outside() -> None:
    assert check_manifest(RULE, cron("timeZone: ../Berlin")) == [
        Found(6, 13, "error",
              "`../Berlin` is no time zone of the IANA database",
              "write a name such as `Europe/Berlin`, or leave the field out for the controller's own"),
    ]


@pytest.mark.parametrize("text", [
    cron("timeZone: Europe/Berlin"),
    cron("timeZone: UTC"),
    cron("timeZone: Etc/GMT+1"),
    cron("timeZone: America/Argentina/ComodRivadavia"),
    cron("timeZone: EST5EDT"),
    cron("timeZone: "),
    cron("timeZone: [x]"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []
