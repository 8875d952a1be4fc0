"""HET518: durations."""
from __future__ import annotations

import pytest

from hetc.rules.bad_duration import RULE
from tests.rules.checks import Found, check_manifest, job, task


def test_estimate() -> None:
    assert check_manifest(RULE, job(task(), spec="runningEstimate: 1 day")) == [
        Found(6, 20, "error",
              "`runningEstimate` is no duration of Go's: `1 day` has the unit ` day`, which Go does not know",
              "write `24h`"),
    ]


def test_a_number() -> None:
    assert check_manifest(RULE, job(task(), spec="runningEstimate: 30")) == [
        Found(6, 20, "error",
              "`runningEstimate` is no duration of Go's: `30` is no string",
              "write a number and `h`, `m` or `s`, such as `10m`"),
    ]


def test_timeout() -> None:
    assert check_manifest(RULE, job(task() + "  policies: [{event: PodPending, timeout: 1d, action: AbortJob}]\n", spec="policies: [{event: PodPending, timeout: '5', action: AbortJob}]")) == [
        Found(6, 43, "error",
              "`timeout` is no duration of Go's: `5` has a number without a unit",
              "write a number and `h`, `m` or `s`, such as `10m`"),
        Found(15, 45, "error", "`timeout` is no duration of Go's: `1d` has the unit `d`, which Go does not know", "write `24h`"),
    ]


def test_empty() -> None:
    assert check_manifest(RULE, job(task(), spec="runningEstimate: ''")) == [
        Found(6, 20, "error",
              "`runningEstimate` is no duration of Go's: `` is no duration",
              "write a number and `h`, `m` or `s`, such as `10m`"),
    ]


@pytest.mark.parametrize("text", [
    job(task(), spec="runningEstimate: 1h30m"),
    job(task(), spec="runningEstimate: "),
    job(task(), spec="runningEstimate: '0'\npolicies: [{event: PodPending, timeout: 10m, action: AbortJob}]"),
    job(task(), spec="runningEstimate: [x]"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []
