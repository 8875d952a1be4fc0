"""Images and commands that are missing: said where they were taken away, and where they may be set."""
from __future__ import annotations

import pytest

from hetc.script import is_idle
from tests.rules.checks import Found, check_het, compile_het

HEAD = "1*<cpu=1, mem=1Gi>\n---\nimage: a:1\n"
BEHIND = "in the overlay behind `---`, for the job or under `tasks`, or in a `-f` file"


@pytest.mark.parametrize(("written", "column"), [
    ('""', 10), ('[""]', 11), ('"   "', 10), ('"\\n\\n"', 10), ('"#x"', 10), ('["", " # x"]', 11), ('"\\\\\\n"', 10), ("|2\n\n\n", 10),
])
def test_a_command_without_a_word_is_none(written: str, column: int) -> None:
    assert check_het("HET026", f"{HEAD}command: {written}\n") == [
        Found(4, column, "error", "`command` has nothing for the shell to run", f"set `command` {BEHIND}")]


@pytest.mark.parametrize("written", ["':'", "'#x\n\n  run'", "['', run]", "'a#'"])
def test_a_word_is_a_command(written: str) -> None:
    assert check_het("HET026", f"{HEAD}command: {written}\n") == []


def test_an_empty_command_of_a_task_and_of_many() -> None:
    two = HEAD.replace("1*", "2*")
    assert [each[:2] for each in check_het("HET026", f"{two}command: run\ntasks: {{worker: {{command: ''}}}}\n")] == [(5, 27)]
    assert [each[:2] for each in check_het("HET026", f"{two}command: ''\n")] == [(4, 10)]


@pytest.mark.parametrize(("overlay", "place"), [
    ("command: x\ntasks: {master: {command: null}}\n", (5, 27)),
    ("command: []\n", (4, 10)),
    ("command: x\ntasks: {master: {command: []}}\n", (5, 27)),
    ("command: x\n---\ncommand: null\n", (6, 10)),
    ("setup: x\n", (1, 1)),
])
def test_a_missing_command_is_said_where_it_was_taken_away(overlay: str, place: tuple[int, int]) -> None:
    assert check_het("HET026", HEAD + overlay) == [
        Found(*place, "error", "task `master` has no command", f"set `command` {BEHIND}")]


def test_a_null_names_what_it_removes() -> None:
    (found,) = compile_het(f"{HEAD}command: x\n---\ncommand: null\n")
    assert [(label.span.start_position(), label.message) for label in found.related] == [((4, 10), "what the null removes")]


def test_a_template_says_where_each_goes() -> None:
    text = "config:\n  target: {service: volcano, cpus_per_node: 1, memory: 1Gi}\n  jobs: [{name: a}]\n"
    assert [each.help for each in check_het("HET026", text, name="a.yaml")] == [
        "set `command` in the job of `config.jobs` or in the task, or give it after `--`",
        "set `image` under `environment`, of `config` or of the task, or in a `-f` file",
    ]


def test_idle_text() -> None:
    assert is_idle([]) and is_idle(["", " \t", "#a\n # b"]) and not is_idle(["# a", "b # c"])


def test_a_source_of_variables_counts_where_it_stands_last() -> None:
    from hetc.pipeline import Compiler, Options
    from hetc.source import Source

    text = f"{HEAD}command: x\nenv_from: [{{secret: s}}]\ntasks: {{master: {{env_from: [{{secret: t}}, {{config_map: s}}, {{secret: s}}]}}}}\n"
    unit = Compiler(Options(isolated=True)).job(Source("job.het", text), ask_command=True)
    assert unit.job is not None
    assert [(each.kind, each.name.value) for each in unit.job.tasks[0].env_from] == [
        ("secret", "t"), ("config_map", "s"), ("secret", "s")]
