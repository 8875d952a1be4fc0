"""The tables and the driver do what lark does with the grammar."""
from __future__ import annotations

import subprocess
import sys

import lark
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hetc.read import het_tables
from hetc.read.lalr import Failure, lex, parse
from scripts.tables import ROOT, TABLES, parser, tables

LARK = parser()

WORDS = st.sampled_from(["1", "w", "cpu", '"a b"', '"\\u00e9"', "*", "<", ">", "[", "]", "+", ",", ":", "=", "==", "# c\n", "\\\n", "#"])
SPACED = st.lists(WORDS, max_size=25).map(" ".join)
# Random tokens hardly ever make a sentence: these nearly always do.
VALUE = st.lists(st.sampled_from(["8", '"A B"', "x/y"]), min_size=1, max_size=3).map(":".join)
PAIR = st.one_of(VALUE, st.tuples(VALUE, st.sampled_from(["=", " == "]), VALUE).map("".join))
SECTION = st.tuples(st.sampled_from(["use", "select"]), st.lists(PAIR, max_size=3).map(",".join)).map(lambda part: f"{part[0]}[{part[1]}]")
ITEMS = st.lists(st.one_of(PAIR, SECTION), min_size=1, max_size=3).map(" , ".join)
GROUP = st.tuples(st.sampled_from(["1*", "2 * w"]), ITEMS, st.sampled_from(["", ","])).map(lambda part: f"{part[0]}<{part[1]}{part[2]}>")
SECTIONS = st.lists(SECTION, max_size=2).map("\n".join)
REQUEST = st.tuples(SECTIONS, st.lists(GROUP, min_size=1, max_size=4).map(" + ".join), SECTIONS).map(" ".join)


def lark_tree(text: str) -> object:
    """Lark's tree with tokens as pairs of name and offset; None where lark refuses the text."""
    try:
        return plain(LARK.parse(text))
    except lark.exceptions.UnexpectedInput:
        return None


def plain(node: object) -> object:
    if isinstance(node, lark.Tree):
        return str(node.data), [plain(child) for child in node.children]
    assert isinstance(node, lark.Token)
    return node.type, node.start_pos


def own_tree(text: str) -> object:
    tokens, stop = lex(text, len(text))
    tree = parse(tokens)

    def shaped(node: object) -> object:
        if isinstance(node, int):
            return tokens[node][0], tokens[node][1]
        assert isinstance(node, tuple)
        return node[0], [shaped(child) for child in node[1]]

    return None if stop < len(text) or isinstance(tree, Failure) else shaped(tree)


def run(*arguments: str, **environment: str) -> str:
    """What a fresh Python prints."""
    env = {"PYTHONPATH": str(ROOT), **environment}
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout


def test_the_tables_are_those_of_the_grammar() -> None:
    assert TABLES.read_text(encoding="utf-8") == tables(), "run `python scripts/tables.py`"


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_tables_do_not_depend_on_the_order_of_sets(seed: str) -> None:
    printed = run("-c", "from scripts.tables import tables; print(tables(), end='')", PYTHONHASHSEED=seed)
    assert printed == TABLES.read_text(encoding="utf-8")


def test_a_conflict_would_be_found() -> None:
    with pytest.raises(lark.exceptions.GrammarError):
        lark.Lark('start: a | b\na: "x"\nb: "x"', parser="lalr", strict=True)


@settings(max_examples=200, deadline=None)
@given(st.one_of(SPACED, REQUEST))
@example('use["a"] 1*w<cpu==16,select[a=b,],> # c\n+\\\n2*<gpu=8:"A B"> gang[]')
@example("1*<a>#")
def test_the_driver_and_lark_agree(text: str) -> None:
    assert own_tree(text) == lark_tree(text)


@settings(max_examples=50, deadline=None)
@given(REQUEST)
def test_sentences_are_accepted(text: str) -> None:
    """Guards the test above: without it both could refuse everything."""
    assert own_tree(text) is not None


@settings(max_examples=100, deadline=None)
@given(SPACED)
@example('1 [ ] "a b"')
def test_a_failure_knows_what_could_stand_there(text: str) -> None:
    tokens, stop = lex(text, len(text))
    failure = parse(tokens)
    if isinstance(failure, Failure) and stop == len(text):
        with pytest.raises(lark.exceptions.UnexpectedInput) as caught:
            LARK.parse(text)
        error = caught.value
        at = tokens[failure.at][1] if failure.at < len(tokens) else None
        if isinstance(error, lark.exceptions.UnexpectedToken):
            # Where lark's lexer refuses a token by what its parser waits for, it leaves out that the text could end.
            expected = failure.expected if failure.expected in (error.expected, error.expected | error.accepts) else failure.expected - {"$END"}
            assert expected in (error.expected, error.expected | error.accepts)
            assert at == (None if error.token.type == "$END" else error.token.start_pos)
        else:
            assert at == error.pos_in_stream


def test_the_failure_is_at_the_end_when_more_is_to_come() -> None:
    tokens, stop = lex("1*w {", 5)
    assert (len(tokens), stop) == (3, 4)
    assert parse(tokens, whole=False) == Failure(3, frozenset({"LESSTHAN"}), parse(tokens, whole=False).state)  # type: ignore[union-attr]


def test_only_the_part_asked_for_is_read() -> None:
    assert lex("1*w", 2) == ([("WORD", 0, 1), ("STAR", 1, 2)], 2)


def test_the_tree_is_plain() -> None:
    tokens, _ = lex("1*w<a=b:c>", 10)
    assert parse(tokens) == ("start", [("group", [0, 2, ("pair", [("value", [4]), 5, ("value", [6, 8])])])])


def test_ten_thousand_groups_are_no_deep_tree() -> None:
    tree = parse(lex(text := "+".join(["1*<a>"] * 10_000), len(text))[0])
    assert isinstance(tree, tuple) and len(tree[1]) == 10_000


def test_lark_is_not_imported() -> None:
    loaded = run("-S", "-c", "import sys, hetc.read.het; print(*sys.modules)").split()
    assert "hetc.read.het" in loaded
    assert {"lark", "json", "difflib", "unicodedata", "typing", "dataclasses", "hetc.read.het_errors"}.isdisjoint(loaded)


def test_the_generated_module_says_so() -> None:
    assert TABLES.read_text(encoding="utf-8").startswith("# generated from grammar/het.lark by scripts/tables.py\n")
    assert len(het_tables.STATES) > het_tables.END
