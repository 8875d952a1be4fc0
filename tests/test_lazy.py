"""A regular expression that is compiled at its first use is one like any other."""
from __future__ import annotations

import re

import pytest

from hetc.lazy import regex


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
