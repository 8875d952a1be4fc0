"""Durations as Go reads them. The table was read by Go's time.ParseDuration too."""
from __future__ import annotations

import pytest

from hetc.duration import complaint, fault, rewrite, seconds, written


@pytest.mark.parametrize("text", ["0", "+0", "-0", "1s", "-1.5h", "1h30m", ".5s", "5.s", "1us", "1\u00b5s", "1\u03bcs", "1ns2ms", "2562047h",
                                  "0.100000000000000000000h", "1m1m"])
def test_sound(text: str) -> None:
    assert fault(text) is None


@pytest.mark.parametrize(("text", "wrong"), [
    ("", "`` is no duration"), ("-", "`-` is no duration"), (".s", "`.s` is no duration"), ("soon", "`soon` is no duration"),
    ("s", "`s` is no duration"), ("5", "`5` has a number without a unit"), ("00", "`00` has a number without a unit"),
    ("1h5", "`1h5` has a number without a unit"), ("1d", "`1d` has the unit `d`, which Go does not know"),
    ("1 h", "`1 h` has the unit ` h`, which Go does not know"), ("1H", "`1H` has the unit `H`, which Go does not know"),
    (" 1h", "` 1h` is no duration"), ("1h ", "`1h ` has the unit `h `, which Go does not know"),
    ("2562048h", "`2562048h` is longer than Go can count"), ("9" * 50 + "ns", f"`{'9' * 50}ns` is longer than Go can count"),
])
def test_wrong(text: str, wrong: str) -> None:
    assert fault(text) == wrong


@pytest.mark.parametrize(("text", "meant"), [
    ("1 day", "24h"), ("2d", "48h"), ("1w", "168h"), ("3 weeks", "504h"), ("10 min", "10m"), ("5minutes", "5m"), ("30sec", "30s"),
    ("1 H", "1h"), ("2 hours", "2h"), ("5", None), ("1 month", None), ("1h30", None), ("soon", None), ("1 ms", None), ("1234567d", None),
])
def test_what_is_meant(text: str, meant: str | None) -> None:
    assert rewrite(text) == meant
    assert meant is None or fault(meant) is None


@pytest.mark.parametrize(("text", "length", "go"), [
    ("1s", 1, "1s"), ("59s", 59, "59s"), ("60s", 60, "1m0s"), ("90m", 5400, "1h30m0s"), ("1h30m", 5400, "1h30m0s"), ("1.5h", 5400, "1h30m0s"),
    ("36h", 129600, "36h0m0s"), ("1000ms", 1, "1s"), ("0.5m30s", 60, "1m0s"), ("2147483647s", 2147483647, "596523h14m7s"),
])
def test_whole_seconds(text: str, length: int, go: str) -> None:
    assert complaint(text) is None
    assert seconds(text) == length
    assert written(length) == go
    assert seconds(go) == length


@pytest.mark.parametrize(("text", "wrong", "help"), [
    ("36", "`36` has a number without a unit", "write hours, minutes and seconds, such as `90m`"),
    ("2 days", "`2 days` has the unit ` days`, which Go does not know", "write hours, minutes and seconds, such as `48h`"),
    ("0s", "`0s` is zero", "write at least `1s`, in whole seconds"), ("0", "`0` is zero", "write at least `1s`, in whole seconds"),
    ("1.5s", "`1.5s` is no whole number of seconds", "write at least `1s`, in whole seconds"),
    ("-1h", "`-1h` has a sign", "write `1h`"), ("+1h", "`+1h` has a sign", "write `1h`"),
    ("2147483648s", "`2147483648s` is more than Kubernetes can count", "write at most `2147483647s`"),
])
def test_no_length_in_whole_seconds(text: str, wrong: str, help: str) -> None:
    assert complaint(text) == (wrong, help)
