from __future__ import annotations

import pytest

from hetc.rules.unmasked_proc import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job


def mounted(value: str) -> list[Found]:
    return check_manifest(RULE, job(container=f"securityContext: {{procMount: {value}}}\n"))


@pytest.mark.parametrize("value", ["Unmasked", "unmasked", "None"])
def test_unmasked(value: str) -> None:
    message = f"container `main` sets `procMount: {value}`, which shows what `/proc` hides of the node"
    assert mounted(value) == [(13, 29, "error", message, "leave it out")]


@pytest.mark.parametrize("value", ["Default", "default", "''", "null", "[]"])
def test_masked(value: str) -> None:
    assert mounted(value) == []
