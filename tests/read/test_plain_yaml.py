"""The reader of plain YAML against the one of all YAML: where it reads a text, both make one and the same tree, without a finding."""
from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from hetc.diagnostic import Report
from hetc.read.plain_yaml import read_plain
from hetc.read.whole_yaml import read_whole
from hetc.source import Source
from hetc.tree import Mapping, Scalar, Sequence
from tests.conftest import ROOT

if TYPE_CHECKING:
    from hetc.tree import Node


def shape(node: Node) -> Any:
    """All that there is to know of a node."""
    place = (node.origin.span.start, node.origin.span.end, node.origin.how)
    if isinstance(node, Scalar):
        return place, type(node.value), node.value, node.text, node.plain
    if isinstance(node, Sequence):
        return place, [shape(item) for item in node.items]
    return place, [(name, shape(entry.key), shape(entry.value)) for name, entry in node.entries.items()], node.shadowed, node.cleared


def agree(text: str, start: int = 0) -> bool:
    """Whether the plain reader takes a text; the whole one then has to say the same of it."""
    lines = Source("x.yaml", text)
    found = read_plain(lines, start)
    if found is None:
        return False
    report, source = Report(), Source("x.yaml", text)
    whole = read_whole(source, report, start, True)
    assert (report.diagnostics, source.shared) == ([], [])
    assert lines.strings == source.strings
    assert whole is not None
    assert lines.keys == source.keys
    assert [shape(node) for node in found] == [shape(node) for node in whole]
    return True


FILES = sorted(glob.glob(os.path.join(ROOT, "golden", "*", "*.yaml")) + glob.glob(os.path.join(ROOT, "examples", "**", "*.yaml"), recursive=True))


def test_nearly_all_files_are_plain() -> None:
    """Else there is no use in it."""
    taken = []
    for path in FILES:
        with open(path, encoding="utf-8", newline="") as file:
            taken.append(agree(file.read()))
    assert len(taken) > 30
    assert sum(taken) > 0.9 * len(taken)


PLAIN = [
    "", "\n# a\n", "a: b", "a: b\n", "---\na: 1\n---\nb: 2\n", "a:\n- b\n- c: d\n  e:\n    - f\ng:\n", "- - a\n  - b\n-\n  - c\n", "-   a: b\n    c: d\n",
    "a: b # c\nd: # e\n  f: g#h\n", "a: 'it''s'\nb: \"\\\"x\\\\\\n\\t\"\n'c': \"d\" # e\n", "a: |\n  b\n   c\n\n  d\n\n\ne: |-\n  f\n", "a:\n- |\n  b\n- c\n",
    "a: [b, {c: d, \"e\":1}, -f, a:b]\n", "{\n  \"a\": [\n    1,\n    2.5\n  ],\n  \"b\": {}\n}\n", "a: [b c,\n  d,]\n", "a: http://b:1/c?d=e&f\nb: -1\nc: --d\n",
    "a: 0x1f\nb: 1e3\nc: ~\nd: yes\n1: e\n", "a: ü\n'ö': [ß]\n", "a:\n  b\nc:\n  'd'\n", "a: |\n  b\n      ", "a: |\n  b\tc\n  \td\n\n  \t\ne: f\n", "- a\n# b\n- c\n   # d\n",
    "a: b\r\n", "a:\r\n- b\r\n-\r\n\r\n- c # d\r\n# e\r\n---\r\nf: |\r\n  g\r\n\r\n   h\r\n\r\ni: [j,\r\n  k]\r\n", "a: |\r\n  b", "a: 'b' # c\r\nd: {} \r\n",
    "a: b # hetc: ignore[HET702] c\nd: 'e # hetc: f'\n'# hetc: g': [\"hetc: h\", {hetc:i: j}]\nk: |\n  # hetc: l\n  m\n",
]


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_plain(text: str) -> None:
    assert agree(text)


OTHER = [
    "a:\tb", "a: b\rc", "a: b\r", "a: b\r\r\n", "a: &x b", "a: *x", "a: !!str 1", "<<: {a: b}", "? a\n: b", "a: >\n  b", "a: |+\n  b", "a: |2\n  b", "a: b\n  c", "a: 'b\n  c'",
    "a: b: c", "a: b:", "a: \"\\x41\"", "~: a", "null: a", "a: b\na: c", "{a: 1, a: 2}", "{~: a}", "a: [b: c]", "a: {b}", "a: {b: }", "a: [b,, c]", "a: [b", "a: [b]]",
    "a: [b}", "a: {b: c]", "a: [b] c", "a: 'b' c", "a: @b", "a: b\u00a0c", "a: \ufeffb", "%YAML 1.1\n---\na: b", "a: b\n...\n", "--- a\n", "---\n---\na: b", "---\n",
    "a: # b\nc: d", "a: b\n c: d", "a:\n  b: c\n d: e", "- a\nb: c", "a: b\n- c", "a:\nb", "a: # hetc: ignore[HET702] x", "a\nb", "a: |\n b\n  c\n d\ne", "[a]: b",
    "a: - b", "a: ? b", "a: |\nb: c", "a: |\n    \n  b\n", "a: [b # c\n]", "- ---\n", "a: [x:\"y\"]", "a: b # c\td", "a: |\n  b\n \tc\n", "a: |\n  \n  b\n", "a: 'b\tc'", "a: [b,\n... c]", "{" + "k" * 300 + ": a}",
]


@pytest.mark.parametrize("text", OTHER)
def test_what_is_left_to_the_whole_reader(text: str) -> None:
    assert read_plain(Source("x.yaml", text), 0) is None


def test_a_part_of_a_text() -> None:
    assert agree("1*master<cpu=1>\t\n---\na: b\n", 20)
    assert not agree("1*master<cpu=1>\n---\na:\tb\n", 20)


def test_depth() -> None:
    assert agree("a: " + "[" * 99 + "]" * 99)
    assert not agree("a: " + "[" * 100 + "]" * 100)
    assert agree("- " * 100 + "a")
    assert not agree("- " * 101 + "a")


WORDS = st.sampled_from("""a b c 1 -1 1.5 0x1f 010 ~ null y -x --x x:y /a/b:1 $(A) a#b é ( + . = ; a? %a k8s.io/x a.b '' "" 'q' "q" "\\n" "\\"" '''' [] {}""".split())
SPACED = st.sampled_from(["x y", "a  b", "a ", "'x y'", '"x: y"', "# c", "a # c", "# hetc: ignore", "'# hetc: x'", "hetc:x", "'q' # c", "-", ": a", "a: b", "a:", " a", "|", "|-", ">", "&a b", "*a", "!t a", "<<", "?", "[a", "a]", "'", '"'])
FLOWS = st.recursive(WORDS, lambda inner: st.one_of(
    st.lists(inner, max_size=3).flatmap(lambda items: st.sampled_from(["[{}]", "[ {} ]", "[{},]", "[\n{}\n  ]"]).map(lambda form: form.format(", ".join(items)))),
    st.lists(st.tuples(WORDS, st.sampled_from([": ", ":", " : ", ":\n"]), inner), max_size=3).map(lambda items: "{" + ",".join(map("".join, items)) + "}"),
), max_leaves=6)
LITERAL = st.lists(st.sampled_from(["a", " b", "- c", "d: e", "# f", "", " ", "      ", "a\tb", "\tc", "\t"]), min_size=1, max_size=4)


@st.composite
def blocks(draw: st.DrawFn, margin: int = 0, depth: int = 0) -> str:
    """Block YAML, right for the most part."""
    lines = []
    listed = draw(st.booleans())
    for number in range(draw(st.integers(1, 3))):
        head = "- " if listed else draw(st.sampled_from([f"k{number}: ", f"'k{number}': ", f'"k{number}":  ', f"k.x/{number}:"]))
        lines.append(" " * margin + head + draw(values(margin, depth, listed)))
        lines.extend(draw(st.lists(st.sampled_from(["", "# c", "      # c", "  "]), max_size=1)))
    return "\n".join(lines)


@st.composite
def values(draw: st.DrawFn, margin: int, depth: int, listed: bool) -> str:
    kind = draw(st.sampled_from(["word", "word", "word", "word", "word", "flow", "flow", "literal", "nested", "nested", "nested", "same line", "odd"]))
    if kind == "word":
        return draw(WORDS)
    if kind == "flow":
        return draw(FLOWS)
    if kind == "literal":
        inner = " " * (margin + draw(st.sampled_from([2, 2, 2, 2, 1, 4, 0])))
        return draw(st.sampled_from(["|", "|-", "|", "|-", "|  ", "|-", "|", "|", "| # c"])) + "\n" + "\n".join(inner + line for line in draw(LITERAL))
    if kind == "nested" and depth < 3:
        deeper = draw(st.sampled_from([2, 2, 2, 2, 2, 4, 1, 0]))
        return draw(st.sampled_from(["", "", "", "# c", " "])) + "\n" + draw(blocks(margin + deeper, depth + 1))
    if kind == "same line" and depth < 3 and listed:
        return draw(blocks(margin + 2, depth + 1)).lstrip()
    return draw(SPACED)


@st.composite
def texts(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(["", "", "---\n", "# c\n", "\n"])) + draw(blocks()) + draw(st.sampled_from(["\n", "", "\n\n", "\n  ", " "]))
    if draw(st.booleans()):
        text = text.rstrip() + "\n---\n" + draw(blocks())
    if draw(st.integers(0, 5)) == 0:
        text = text.replace("\n", "\r\n")
    if draw(st.integers(0, 7)) == 0:  # one thing somewhere is something else
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(SPACED | WORDS | st.sampled_from(["\n", " ", "  ", ":", ",", "-", "\t", "\r\n", "\x85", "\ufeff", "\u2028", "---\n", "%"])) + text[at + draw(st.integers(0, 2)):]
    return text


@settings(max_examples=600)
@given(texts())
@example("'a': # b\nc: d\n")
@example("a:\n  - # c\n  - d\n")
def test_both_readers_read_alike(text: str) -> None:
    event("plain" if agree(text) else "other")


def test_most_of_these_texts_are_plain() -> None:
    """Else the test above would not look at much."""
    taken: list[bool] = []

    @settings(max_examples=200, database=None, derandomize=True)
    @given(texts())
    def count(text: str) -> None:
        taken.append(agree(text))

    count()
    assert sum(taken) > 0.2 * len(taken)


def test_places_far_behind_characters_of_two_units() -> None:
    assert agree("a: '\U0001f600'\nb: [\U0001f600x, c]\n\U0001f600")  is False
    assert agree("a: '\U0001f600'\nb: ['\U0001f600x', c]\n")


def test_kinds_of_nodes() -> None:
    (root,) = read_plain(Source("x.yaml", "a: [1]\n"), 0) or []
    assert isinstance(root, Mapping)
    assert isinstance(root.get("a"), Sequence)
