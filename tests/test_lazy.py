"""A regular expression that is compiled at its first use is one like any other, and what is remembered is what is said anew."""
from __future__ import annotations

import re

import pytest

from hetc.lazy import SHORT, regex, remembered


def test_it_is_compiled_once_it_is_used() -> None:
    broken = regex("(")
    with pytest.raises(re.error):
        broken.match("")


def test_it_does_what_a_compiled_one_does() -> None:
    pattern = regex(r"A(\w)", re.IGNORECASE)
    match = pattern.match("ab")
    assert match is not None and match[1] == "b"
    assert pattern.search("xxAC") is not None
    assert (pattern.sub("-", "ab ac"), pattern.pattern, pattern.groups) == ("- -", r"A(\w)", 1)
    with pytest.raises(AttributeError):
        assert pattern.nothing  # type: ignore[attr-defined]


def test_only_judgements_on_short_texts_are_remembered() -> None:
    asked = []

    @remembered
    def first(text: str) -> str:
        """The first character."""
        asked.append(len(text))
        return text[:1]

    assert [first("x" * length) for length in (SHORT, SHORT, SHORT + 1, SHORT + 1)] == ["x"] * 4
    assert asked == [SHORT, SHORT + 1, SHORT + 1]
    assert first.__doc__ == "The first character."
