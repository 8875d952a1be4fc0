"""`hetc plan --format markdown`, read by an independent reader of GitHub's tables."""
from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from syrupy.assertion import SnapshotAssertion

from hetc import plan
from hetc.plan.facts import printable, row
from hetc.plan.markdown import block, code, prose, table
from hetc.plan.values import values
from tests.test_plan import CASES, job

READER = MarkdownIt("commonmark").enable("table")


def written(*case, origins=False, **options):
    return plan.render(*job(*case, **options), "markdown", origins)


def plain(inline) -> str:
    """What a reader sees of a line: its text, without markup."""
    return "".join(child.content for child in inline.children if child.type in ("text", "code_inline", "text_special"))


def tables(markdown: str) -> list[list[list[str]]]:
    """The cells of each table, as they are shown."""
    found: list[list[list[str]]] = []
    tokens = READER.parse(markdown)
    for number, token in enumerate(tokens):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type in ("td_open", "th_open"):
            found[-1][-1].append(plain(tokens[number + 1]))
    return found


@pytest.mark.parametrize("name", ["design", "packed", "families", "cpu", "uniform"])
def test_markdown(name, snapshot: SnapshotAssertion) -> None:
    assert written(*CASES[name], origins=name == "packed") == snapshot


@pytest.mark.parametrize("name", CASES)
def test_the_tables_say_what_the_plan_says(name) -> None:
    made, described = job(*CASES[name])
    tasks, adds, origins = tables(plan.render(made, described, "markdown", True))
    assert tasks == [list(row(made.tasks[0])), *(list(row(task).values()) for task in made.tasks)]
    assert [cells[:2] for cells in adds[1:]] == [[each.kind, each.name] for each in described.additions]
    assert [cells[:2] for cells in origins[1:]] == [[path, printable(text)] for path, text, _ in values(made, described)]


@given(st.lists(st.sampled_from(["```", "````", "`", "# no heading", "", "~~~"]), min_size=1))
@example(["```", "# no heading"])
def test_shell_lines_stay_in_their_block(lines) -> None:
    tokens = READER.parse("\n".join(block("Submit", lines)))
    (shown,) = [token.content for token in tokens if token.type == "fence"]
    assert shown == "".join(f"{line}\n" for line in lines)
    assert tokens[-1].type == "fence"


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=4))
@example([("a|b", "\\|"), ("`", "``a"), ("<b>&amp;", "[x](y)")])
@example([("@team #1 https://a.example", "*_~"), (" ", "")])
def test_any_cell_is_shown_as_it_is(cells) -> None:
    (shown,) = tables("\n".join(table([{"task": code(left), "nodes": code(right)} for left, right in cells])))
    assert [cell.strip() for line in shown[1:] for cell in line] == [printable(text).strip() for pair in cells for text in pair]


@given(st.text(st.characters(exclude_characters="`")).map(str.strip))
@example("<script>alert(1)</script> *a* _b_ [c](d) a|b \\")
def test_prose_is_no_markup(text) -> None:
    tokens = READER.parseInline(f"so {prose(text)} so")
    assert plain(tokens[0]) == f"so {printable(text)} so"


def test_code_in_prose_stays_code() -> None:
    assert prose("`A_B` is 1 of `c|d`; *e*") == "`A_B` is 1 of <code>c&#124;d</code>; &#42;e&#42;"
    assert prose("one ` alone") == "one &#96; alone"


def test_nothing_of_a_job_is_html_but_code() -> None:
    text = 'env: {A: "<img src=x onerror=y>", B: "a|b"}\n'
    shown = written("1*<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [x]\n", text, origins=True)
    assert set(re.findall(r"</?(\w+)", re.sub(r"`[^`]*`", "", shown))) <= {"code"}
