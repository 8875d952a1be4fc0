"""The names of time zones are such as Volcano's webhook takes: parts of at most 14 of certain characters."""
from __future__ import annotations

import re

import pytest

from hetc.zones import NAMES

PART = re.compile(r"[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}")


def test_syntax() -> None:
    assert not [name for name in NAMES if not all(PART.fullmatch(part) for part in name.split("/"))]


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "GB-Eire", "Asia/Kolkata", "Asia/Calcutta"])
def test_some(name: str) -> None:
    assert name in NAMES


def test_no_others() -> None:
    assert len(NAMES) == 598
    assert not NAMES & {"", "Local", "localtime", "posixrules"}
