"""The YAML reader: one tree, every place right, every mistake a diagnostic."""
from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hetc.diagnostic import Report
from hetc.read.yaml import read
from hetc.source import NotUtf8, Source, decode
from hetc.tree import MAX_DEPTH, Mapping, Scalar, Sequence, plain
from tests.judges import kubectl_reads, needs_kubectl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.tree import Node


def documents(text: str) -> tuple[list[Node] | None, list[tuple[str, str, str, str | None]]]:
    report = Report()
    found = read(Source("x.yaml", text), report)
    return found, [(each.code.code, ":".join(map(str, each.span.start_position())), each.message, each.help) for each in report.sorted()]


def data(text: str) -> object:
    found, problems = documents(text)
    assert problems == []
    assert found is not None
    return [plain(each) for each in found]


REFUSED = [
    ("a: 1\na: 2\n", "HET008", "2:1", "duplicate key `a`", "keep one of the two"),
    ("a: {b: 1, b: 2}\n", "HET008", "1:11", "duplicate key `b`", "keep one of the two"),
    ("a: &x {b: *x}\n", "HET009", "1:11", "alias `*x` stands inside its own anchor", "write the value out: a document cannot hold itself"),
    ("a: *x\n", "HET009", "1:4", "alias `*x` has no anchor `&x` before it", "quote the text if `*` belongs to it, else define `&x` first"),
    ("a: &x 1\n---\nb: *x\n", "HET009", "3:4", "alias `*x` has no anchor `&x` before it", "quote the text if `*` belongs to it, else define `&x` first"),
    ("a:\n  <<: 3\n", "HET009", "2:7", "`<<` takes a mapping or a list of mappings", "give it an alias of a mapping, such as `<<: *name`"),
    ("a: !foo 1\n", "HET010", "1:4", "tag `!foo` is not one of YAML's core tags", "leave the tag out, and quote the value if it is text"),
    ("a: !!python/object:os.system x\n", "HET010", "1:4", "tag `!!python/object:os.system` is not one of YAML's core tags",
     "leave the tag out, and quote the value if it is text"),
    ("a: !!binary aGk=\n", "HET010", "1:4", "tag `!!binary` is not one of YAML's core tags", "leave the tag out, and quote the value if it is text"),
    ("a: !!timestamp 2024-01-01\n", "HET010", "1:4", "tag `!!timestamp` is not one of YAML's core tags",
     "leave the tag out, and quote the value if it is text"),
    ("a: 1\n\tb: 2\n", "HET006", "2:1", "a tab in YAML's blank space", "replace the tab by spaces"),
    ("a:\n  b: 1\n\tc: 2\n", "HET006", "3:1", "a tab in YAML's blank space", "replace the tab by spaces"),
    ("a:\tb\n", "HET006", "1:3", "a tab in YAML's blank space", "replace the tab by spaces"),
    ("a:\u00a0b\n", "HET007", "1:3", "invisible character U+00A0 in unquoted text", "write an ordinary blank, or quote the text if the character is meant"),
    ("a: b\u200b\n", "HET007", "1:5", "invisible character U+200B in unquoted text", "write an ordinary blank, or quote the text if the character is meant"),
    ("? [a]\n: 1\n", "HET011", "1:3", "a key that is a list or a mapping", "write a text key"),
    ("{a: 1}: 1\n", "HET011", "1:1", "a key that is a list or a mapping", "write a text key"),
    ("~: 1\n", "HET011", "1:1", "key `~` is null", 'quote it: `"~"`'),
    ("a: 'x\n", "HET005", "1:4", "a quote that is never closed", "close the quote"),
    ("a: [1, 2\n", "HET005", "1:4", "a `[` that is never closed", "close the list with `]`, its items parted by `,`"),
    *((text, "HET005", place, "a `[` that is never closed", "close the list with `]`, its items parted by `,`") for text, place in (
        ("a: [", "1:4"), ("a: [\n", "1:4"), ("a: [b,\n", "1:4"), ("a: [b, \n---\nc: d\n", "1:4"), ("{a: [b, [c], ", "1:5"))),
    *((text, "HET005", place, "a `{` that is never closed", "close the mapping with `}`, its entries parted by `,`") for text, place in (
        ("{", "1:1"), ("a: {b: c,\n", "1:4"), ("a: {b: [c], d: ", "1:4"))),
    ("'a\n---\nb'\n", "HET005", "1:1", "a quote that is never closed", "close the quote"),
    ("a: [}\n", "HET005", "1:5", "`}` where a value can stand", "write a value, or quote the text"),
    ("a: &\n", "HET005", "1:5", "an anchor or alias without a name", "quote the text if `&` or `*` belongs to it"),
    ("a: - b\n", "HET005", "1:4", "`-` begins a list where none can stand", "begin the list on a line of its own, or quote the text"),
    ("\"a\" b\n", "HET005", "1:5", "text behind a value that is complete", "quote the whole text, or part the two by `---`"),
    ("a: \"\\UFFFFFFFF\"\n", "HET005", "1:5", "`\\UFFFFFFFF` is beyond the last character of Unicode, `\\U0010FFFF`",
     "write `\\\\` for a backslash, or use single quotes"),
    *((text, "HET005", place, "a key of more than 1,024 characters, which YAML does not read", "write a shorter key") for text, place in (
        ("K: b\n", "1:1"), ("'K': b\n", "1:1"), ("a:\n  K: b\n", "2:3"), ("a: b\nK: b\n", "2:1"), ("a: b\n\"K\" : b\nc: d\n", "2:1"),
        ("a: {K: b}\n", "1:5"), ("a: {b: c, K: d}\n", "1:11"), ("{\"a\": [{\"K\": 1}]}\n", "1:9"), ("- K: b\n", "1:3"),
    ) for text in (text.replace("K", "k" * 1025),)),
    ("a: b\n" + "k" * 1025 + "\nc: d\n", "HET005", "3:1", "a key without `:`",
     "write `key: value`, or indent the line as part of the text above it"),
    ("a: {b: 1\n", "HET005", "1:4", "a `{` that is never closed", "close the mapping with `}`, its entries parted by `,`"),
    ("a: [echo ${B}]\n", "HET005", "1:11", "`{` in unquoted text inside brackets",
     'quote the text: `"echo ${B}"`, or write it on a line of its own as `- echo ${B}`'),
    ("a: [x, echo ${B} y, z]\n", "HET005", "1:14", "`{` in unquoted text inside brackets",
     'quote the text: `"echo ${B} y"`, or write it on a line of its own as `- echo ${B} y`'),
    ("a: [test [ -f x ]]\n", "HET005", "1:10", "`[` in unquoted text inside brackets",
     'quote the text: `"test [ -f x ]"`, or write it on a line of its own as `- test [ -f x ]`'),
    ("a: [awk '{print}' f]\n", "HET005", "1:10", "`{` in unquoted text inside brackets",
     """quote the text: `"awk '{print}' f"`, or write it on a line of its own as `- awk '{print}' f`"""),
    ("a: {b: ${C}}\n", "HET005", "1:9", "`{` in unquoted text inside brackets", 'quote the text: `"${C}"`'),
    ("a: [{b: c} {d: e}]\n", "HET005", "1:4", "a `[` that is never closed", "close the list with `]`, its items parted by `,`"),
    ("a: [b, 'c d]\n", "HET005", "1:8", "a quote that is never closed", "close the quote"),
    ("a: b: c\n", "HET005", "1:5", "`:` begins a value where none can stand", "quote the text if the `:` belongs to it, else check the indentation"),
    ("a: %x\n", "HET005", "1:4", "`%` cannot start a plain value", "quote the text"),
    ("a: @x\n", "HET005", "1:4", "`@` cannot start a plain value", "quote the text"),
    ("a: \x07\n", "HET005", "1:4", "character U+0007 is not allowed in YAML", r'write it as an escape in double quotes, such as `"\x07"`'),
    ("a: \x00\n", "HET005", "1:4", "character U+0000 is not allowed in YAML", r'write it as an escape in double quotes, such as `"\x07"`'),
    ('a: "\\q"\n', "HET005", "1:6", "an unknown escape in a double-quoted string", r"write `\\` for a backslash, or use single quotes"),
]


@pytest.mark.parametrize(("text", "code", "place", "message", "help"), REFUSED)
def test_refused(text: str, code: str, place: str, message: str, help: str) -> None:
    assert documents(text)[1] == [(code, place, message, help)]


def test_duplicate_key_names_the_first_place() -> None:
    report = Report()
    read(Source("x.yaml", "env: {A: '1'}\nimage: x\nenv: {B: '2'}\n"), report)
    (found,) = report.diagnostics
    assert [(label.span.start_position(), label.message) for label in found.related] == [((1, 1), "first given here")]


@pytest.mark.parametrize(("text", "expected"), [
    ("", []), ("---\n", [None]), ("a: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]), ("a: &x {p: 1}\nb: *x\n", [{"a": {"p": 1}, "b": {"p": 1}}]),
    ("base: &b {p: 1, q: 1}\nx: {<<: *b, q: 2}\n", [{"base": {"p": 1, "q": 1}, "x": {"q": 2, "p": 1}}]),
    ("x: {<<: [{p: 1}, {p: 2, q: 2}], r: 3}\n", [{"x": {"r": 3, "p": 1, "q": 2}}]), ('x: {"<<": 1}\n', [{"x": {"<<": 1}}]),
    ("a: !!str 5\nb: !!int '5'\nc: ! 5\n", [{"a": "5", "b": 5, "c": "5"}]), ("no: 1\n5: 2\n", [{"no": 1, "5": 2}]),
    ("a: yes\nb: 0755\nc: 1e3\nd: 12:30\n", [{"a": True, "b": 493, "c": 1000, "d": "12:30"}]), ("a: b\r\nc: d\r\n", [{"a": "b", "c": "d"}]),
    ('{"a": [1, 2.5, null, true, "x"]}', [{"a": [1, 2.5, None, True, "x"]}]), ("a: |\n  x\n   y\nb: >-\n  x\n  y\n", [{"a": "x\n y\n", "b": "x y"}]),
])
def test_read(text: str, expected: object) -> None:
    assert data(text) == expected


def test_places_of_keys_and_values() -> None:
    found, _ = documents("# c\nfoo: bar\nlist:\n- {x: '1'}\nempty:\nlast: y\n")
    assert found is not None
    (root,) = found
    assert isinstance(root, Mapping)

    def place(node: Node) -> tuple[int, int, str]:
        return (*node.origin.span.start_position(), node.origin.span.text())

    assert place(root.entries["foo"].key) == (2, 1, "foo")
    assert place(root.entries["foo"].value) == (2, 6, "bar")
    items = root.get("list")
    assert isinstance(items, Sequence)
    (item,) = items.items
    assert isinstance(item, Mapping)
    assert place(item.entries["x"].value) == (4, 7, "'1'")
    assert place(root.entries["empty"].value)[:2] == (5, 6)  # not on the line of the next key


def test_a_value_through_an_alias_points_at_where_it_is_written() -> None:
    found, _ = documents("a: &x\n  privileged: true\nb:\n  <<: *x\n")
    assert found is not None
    (root,) = found
    assert isinstance(root, Mapping)
    merged = root.get("b")
    assert isinstance(merged, Mapping)
    assert merged.key_span("privileged").start_position() == (2, 3)


def test_offsets_count_from_the_start_of_the_file() -> None:
    source = Source("x.het", "1*master<cpu=1>\n---\nimage: x\n")
    found = read(source, Report(), source.text.index("image"))
    assert found is not None
    (root,) = found
    assert isinstance(root, Mapping)
    assert root.key_span("image").start_position() == (3, 1)


def test_nesting_is_bounded() -> None:
    assert documents("[" * MAX_DEPTH + "]" * MAX_DEPTH)[1] == []
    ((code, _, message, _),) = documents("[" * 5000)[1]
    assert (code, message) == ("HET017", "nesting deeper than 100 levels")


def test_nodes_without_aliases_count_once_each() -> None:
    (rows,) = documents("[" + "[[x,x,x,x,x,x,x,x]]," * 30_000 + "x]")[0] or []
    assert isinstance(rows, Sequence)
    assert len(rows.items) == 30_001  # 300,002 nodes in all


@pytest.mark.parametrize("text", ["[a, [b, c], {d: e}]", "- &a [b, c]\n- *a", "- &a {b: c}\n- <<: *a"])
def test_what_counts_as_a_node(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys, leaves and collections, and all of them again for each alias."""
    size = {"[a": 8, "- &a [": 7, "- &a {": 9}[next(start for start in ("[a", "- &a [", "- &a {") if text.startswith(start))]
    def allow(nodes: int) -> None:
        for reader in ("plain", "whole"):
            monkeypatch.setattr(f"hetc.read.{reader}_yaml.MAX_NODES", nodes)

    allow(size)
    assert documents(text)[1] == []
    allow(size - 1)
    assert [found[2] for found in documents(text)[1]] == [f"more than {size - 1:,} values once aliases are expanded"]


def test_expansion_is_bounded() -> None:
    laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))
    ((code, _, message, _),) = documents(laughs)[1]
    assert (code, message) == ("HET017", "more than 1,000,000 values once aliases are expanded")


@pytest.mark.parametrize(("data", "text"), [
    (b"\xef\xbb\xbfa: 1\n", "a: 1\n"), (b"a: 1\n\xef\xbb\xbf---\nb: 2\n", "a: 1\n---\nb: 2\n"), ("é".encode(), "é"),
])
def test_decode(data: bytes, text: str) -> None:
    assert decode(data) == text


@pytest.mark.parametrize(("data", "place", "reason"), [
    (b"a: 1\nb: \xe9\n", (2, 4), "byte 0xE9 is not UTF-8"), ("a: 1".encode("utf-16"), (1, 1), "the text is UTF-16, not UTF-8"),
])
def test_bytes_that_are_no_text(data: bytes, place: tuple[int, int], reason: str) -> None:
    with pytest.raises(NotUtf8) as error:
        decode(data)
    assert (error.value.line, error.value.column, error.value.reason) == (*place, reason)


JSON = st.recursive(st.none() | st.booleans() | st.integers(-2**53, 2**53) | st.text(st.characters(codec="ascii", min_codepoint=32), max_size=8),
                    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc<", min_size=1, max_size=3), inner, max_size=4), max_leaves=20)


@given(JSON)
def test_json_is_yaml(value: object) -> None:
    assert data(json.dumps(value)) == [value]


@needs_kubectl
@settings(max_examples=10)
@given(st.lists(JSON, min_size=1, max_size=10))
def test_kubectl_reads_the_same(values: list[object]) -> None:
    import yaml

    text = yaml.safe_dump({"apiVersion": "x.dev/v1", "kind": "Thing", "metadata": {"name": "a"}, "data": values}, default_flow_style=False)
    assert kubectl_reads(text)[0]["data"] == data(text)[0]["data"]  # type: ignore[index]


@settings(max_examples=300)
@given(st.text(st.sampled_from("ab:-? []{}&*!|>'\"%#,\n\t\u00a0<=.0") | st.characters(), max_size=60))
def test_no_text_crashes_the_reader(text: str) -> None:
    report = Report()
    read(Source("x.yaml", text), report)
    for each in report.diagnostics:
        assert 0 <= each.span.start <= each.span.end <= len(text)


def test_empty_value_of_an_empty_document() -> None:
    found, _ = documents("# only a comment\n---\n")
    assert found is not None
    assert [isinstance(each, Scalar) and each.value is None for each in found] == [True]


@pytest.mark.parametrize("text", [
    "a: !<x\n", "%FOO\na: b\n", "a: |x\n", "%YAML 3.0\n---\na: b\n", "%TAG\n---\na: b\n", "a: !e!x b\n", "a: |0\n b\n", "a: \"\\xzz\"\n",
    "%YAML 1.1\n%YAML 1.1\n---\na: b\n", "%TAG ! x\n%TAG ! y\n---\na: b\n", "!<> a\n", "... a", "a: {,}\n", "a: 'b'c\n", "a: &b *c\n",
])
def test_a_refusal_is_in_words_of_its_own(text: str) -> None:
    ((code, _, message, _),) = documents(text)[1]
    assert code == "HET005"
    assert not any(word in message for word in ("<", "expected", "found", "no YAML"))


@pytest.mark.parametrize(("escaped", "value"), [
    (r"\ud83d\ude00", "\U0001f600"), (r"a\uD83D\uDE00\ud83d\ude01b", "a\U0001f600\U0001f601b"), (r"\ud83d", "\ud83d"), (r"\ude00\ud83d", "\ude00\ud83d"),
    (r"\ud83d\ud83d\ude00", "\ud83d\U0001f600"), (r"\u00e9", "\u00e9"),
])
def test_two_halves_of_a_character_become_it(escaped: str, value: str) -> None:
    assert data(f'"{escaped}": ["{escaped}"]\n') == [{value: [value]}]


def test_what_kubectl_reads_as_yaml_keeps_the_halves() -> None:
    for text, value in (('a: "\\ud83d\\ude00"\n', "\ud83d\ude00"), (' {"a": "\\ud83d\\ude00"}\n', "\U0001f600")):
        found = read(Source("x.yaml", text), Report(), tabs=True)
        assert found is not None and plain(found[0]) == {"a": value}


def test_after_many_mistakes_the_rest_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hetc.read.whole_yaml.MOST_MISTAKES", 3)
    found, mistakes = documents("a: 1\n" * 9)
    assert found is None
    assert [(code, place) for code, place, _, _ in mistakes] == [("HET008", "2:1"), ("HET008", "3:1"), ("HET008", "4:1"), ("HET017", "5:1")]
    assert mistakes[-1][2:] == ("more than 3 mistakes in the text", "mend those that are shown, and check the file again")
    monkeypatch.setattr("hetc.read.whole_yaml.MOST_MISTAKES", 1)
    assert [code for code, *_ in documents("a: b\u200b\nc: d\u200b\ne: f\n")[1]] == ["HET007", "HET017"]
