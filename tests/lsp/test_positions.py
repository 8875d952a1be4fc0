"""Offsets and positions lead to each other, in each encoding, whatever ends a line."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hetc.lsp.positions import UTF8, UTF16, UTF32, Lines

TEXTS = st.text(st.sampled_from("ab\n\ré🚀\u2028\x85\ufeff"), max_size=12)


def units(text, encoding):
    """The size of one code unit is 1, 2 or 4 bytes."""
    codec = {UTF8: "utf-8", UTF16: "utf-16-le", UTF32: "utf-32-le"}[encoding]
    return len(text.encode(codec)) // {UTF8: 1, UTF16: 2, UTF32: 4}[encoding]


@pytest.mark.parametrize("encoding", [UTF8, UTF16, UTF32])
@given(TEXTS)
def test_round_trip(encoding, text):
    lines = Lines(text, encoding)
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for offset in range(len(text) + 1):
        line, character = lines.position(offset)
        if text[offset - 1:offset + 1] != "\r\n":
            assert lines.offset(line, character) == offset
        assert 0 <= character <= units(rows[line], encoding)


@pytest.mark.parametrize(("encoding", "character"), [(UTF8, 5), (UTF16, 3), (UTF32, 2)])
def test_what_an_editor_counts(encoding, character):
    lines = Lines("x\r\na🚀b", encoding)
    assert lines.position(5) == (1, character)
    assert lines.offset(1, character) == 5


def test_positions_that_are_not_there():
    lines = Lines("a🚀\nb", UTF16)
    assert lines.offset(0, 99) == 2, "the end of the line"
    assert lines.offset(9, 0) == 4, "the end of the text"
    assert lines.offset(0, 2) == 1, "inside a character"
