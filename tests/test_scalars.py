"""What kubectl reads a plain scalar as, held against kubectl itself."""
from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from hetc.scalars import differs, reading
from tests.judges import kubectl_reads, needs_kubectl

TABLE = """y Y n N yes Yes YES no No NO on On ON off Off OFF true True TRUE false False null Null NULL ~ 0 -0 +1 1 007 010 0o17 0O17 0x1F
0X1f 0b101 1_000 1e3 1E3 1e+3 1. 1.5 +.5 .5 -.5 1.e3 12e03 12:30 12:30:45 1:1 190:20:30.15 2024-01-01 2024-1-1 2024-01-01T00:00:00Z
0777 08 09 0_ 1__0 9000 6.0 1.10 3.10 123456789012345678901234567890 0.0 00 -1 0. 9:0 1:2:3 685_230.15 0b1_0 0x_1 0o_1 .1_0 1_ 1._
tRUE nULL . .. ... 0b .e3 1e e3 inf nan NaN 0.1.2 1.2.3 1Gi 16Gi 500m 1e3Ki _1 0x 0xg 0o8 -1a 1- 1a 0.e 1e5a Infinity None O17
1e400 -1e400 0x_ 0b2 0o9 +0x1F -0x1F -0b11 -0o17 +0o17 -017 1e-3 1e19 18446744073709551616 9223372036854775808 -9223372036854775809
0xFFFFFFFFFFFFFFFF 0xFFFFFFFFFFFFFFFFF 1e21 1e20 +1_0 -1_0 +_1 __ 1_e3 1e_3 0e0 00.5 017.5 -08 +08 089 0_8 .5e1 5.e-1 +. -. +.e1 .5_ ._5 .1__0 -.5_ .5e1_0 .5e_1 .5e1_""".split()

NUMBERS = st.text(alphabet="0123456789+-._eExXoObB", min_size=1, max_size=9)


def by_kubectl(scalars: list[str]) -> list[object]:
    lines = "".join(f"- {scalar}\n" for scalar in scalars)
    return list(kubectl_reads(f"apiVersion: x.dev/v1\nkind: Thing\nmetadata: {{name: a}}\ndata:\n{lines}")[0]["data"])


def same(ours: object, theirs: object) -> bool:
    """Numbers beyond int64 are floats to kubectl, and its JSON writes them with fewer digits than an int has."""
    if isinstance(ours, bool) or isinstance(theirs, bool) or not isinstance(ours, (int, float)) or not isinstance(theirs, (int, float)):
        return type(ours) is type(theirs) and ours == theirs
    return ours == theirs or (abs(ours) >= 2**63 and float(ours) == float(theirs))


@needs_kubectl
def test_the_table_reads_as_kubectl_reads_it() -> None:
    wrong = [(text, reading(text), theirs) for text, theirs in zip(TABLE, by_kubectl(TABLE), strict=True) if not same(reading(text), theirs)]
    assert wrong == []


@needs_kubectl
@settings(max_examples=15)
@given(st.lists(NUMBERS.filter(lambda text: text[0] not in "-." or len(text) > 1).filter(lambda text: not text.startswith(("---", "..."))),
                min_size=1, max_size=80))
def test_anything_like_a_number_reads_as_kubectl_reads_it(scalars: list[str]) -> None:
    wrong = [(text, reading(text), theirs) for text, theirs in zip(scalars, by_kubectl(scalars), strict=True) if not same(reading(text), theirs)]
    assert wrong == []


@pytest.mark.parametrize("text", [text for text in TABLE if isinstance(reading(text), str) and text not in ("...", "0x_", "0xFFFFFFFFFFFFFFFFF")])
def test_what_another_reader_takes_for_no_string_is_known_to_differ(text: str) -> None:
    readings = [yaml.safe_load(text), YAML(typ="safe", pure=True).load(text)]
    assert differs(text) or all(isinstance(each, str) for each in readings) or text in ("1e400", "-1e400")


@pytest.mark.parametrize(("text", "expected"), [
    ("12:30", True), ("12:30:00", True), ("2026-08-01", True), ("2026-08-01T10:00:00Z", True), ("=", True), ("<<", True),
    ("12:61", False), ("a:b", False), ("1.2.3", False), ("2026-08", False), ("x", False), ("", False),
])
def test_differs(text: str, expected: bool) -> None:
    assert differs(text) is expected


def test_a_number_of_any_length_is_read() -> None:
    assert reading("9" * 100_000) == "9" * 100_000
