"""Patterns of Go's package regexp. Each was compiled by Go too."""
from __future__ import annotations

import pytest

from hetc.pattern import fault


@pytest.mark.parametrize("pattern", [
    "", "^node-[0-9]+$", "a|b|", "a*?b+?c??", "a{2}{", "a{,3}", "x{1,1000}", "(a)(?:b)(?i)(?i-s:c)", "(?P<n>a)(?<m>b)(?<n>c)", "a(?i)*",
    r"\d\D\s\S\w\W\bx\B\A\z", r"\.\-\_\/", r"\x41\x{1F600}\012\12\07", r"\pL\p{Greek}\P{^Lu}", r"\Qa(b\E+", r"\Qa", "[]a]", "[^]a-]",
    r"[\d\w.-]", "[[:alpha:][:^digit:]]", r"[a-\x7a]", "[a-z&&b]", "()", "^*", r"\a\f\t\n\r\v", "[--a]", "\u00e9+",
])
def test_sound(pattern: str) -> None:
    assert fault(pattern) is None


@pytest.mark.parametrize(("pattern", "wrong"), [
    ("(a", "has a `(` without its `)`"), ("a)", "has a `)` without its `(`"), ("[a", "has a `[` without its `]`"),
    ("[]", "has a `[` without its `]`"), ("a\\", "ends with a backslash"), ("*a", "has `*` with nothing before it to repeat"),
    ("(+)", "has `+` with nothing before it to repeat"), ("a|?", "has `?` with nothing before it to repeat"),
    ("{2}", "has `{2}` with nothing before it to repeat"), ("a**", "repeats a repetition with `*`"), ("a{2}{3}", "repeats a repetition with `{3}`"),
    ("a{3,2}", "has the repetition `{3,2}`, which Go does not take"), ("a{1001}", "has the repetition `{1001}`, which Go does not take"),
    ("(?=a)", "has `(?=a`, which Go does not know"), ("(?<!a)", "has `(?<!`, which Go does not know"),
    ("(?P=n)", "has `(?P=`, which Go does not know"),
    (r"(a)\1", r"has `\1`, which Go does not know"), (r"\Z", r"has `\Z`, which Go does not know"), (r"\E", r"has `\E`, which Go does not know"),
    ("\\\u00e9", "has `\\\u00e9`, which Go does not know"), ("[[:foo:]]", "has `[:foo:]`, which Go does not know"),
    ("[z-a]", "has the range `z-a` in brackets, which is none"), (r"[a-\d]", "has the range `a-` in brackets, which is none"),
    (r"[\b]", r"has `\b`, which Go does not know"), (r"\Q\E*", "has `*` with nothing before it to repeat"),
])
def test_wrong(pattern: str, wrong: str) -> None:
    assert fault(pattern) == wrong
