"""HET609: strings that Linux does not take."""
from __future__ import annotations

import pytest

from hetc.rules.script_size import RULE
from hetc.script import MAX_SCRIPT
from tests.rules.checks import Found, check_het, check_manifest, job, task

MOVE = "move the script into the image, or into a ConfigMap that is mounted"


@pytest.mark.parametrize("key", ["command", "args"])
def test_words(key: str) -> None:
    text = '{}: [sh, "{}"]'
    assert check_manifest(RULE, job(task(text.format(key, "x" * MAX_SCRIPT)))) == []
    message = f"a string of `{key}` has 131,072 bytes, and Linux takes 131,071"
    assert check_manifest(RULE, job(task(text.format(key, "x" * (MAX_SCRIPT + 1))))) == [
        Found(12, 11 + len(f"{key}: [sh, "), "error", message, MOVE)]


@pytest.mark.parametrize(("word", "bytes"), [
    ("$$" * MAX_SCRIPT, MAX_SCRIPT),
    ("$$" * MAX_SCRIPT + "x", MAX_SCRIPT + 1),
    ("😀" * (MAX_SCRIPT // 4), MAX_SCRIPT - 3),
    ("😀" * (MAX_SCRIPT // 4 + 1), MAX_SCRIPT + 1),
    ("é" * (MAX_SCRIPT // 2), MAX_SCRIPT - 1),
    ("é" * (MAX_SCRIPT // 2 + 1), MAX_SCRIPT + 1),
    ("x" * (MAX_SCRIPT - 9) + "$(A)", MAX_SCRIPT),
    ("x" * (MAX_SCRIPT - 8) + "$(A)", MAX_SCRIPT + 1),
    ("x" * (MAX_SCRIPT - 4) + "$(B)", MAX_SCRIPT),
    ("x" * (MAX_SCRIPT - 3) + "$(B)", MAX_SCRIPT + 1),
    ("x" * (MAX_SCRIPT - 3) + "$$(A", MAX_SCRIPT),
    ("x" * (MAX_SCRIPT - 2) + "$(A", MAX_SCRIPT + 1),
])
def test_expansion(word: str, bytes: int) -> None:
    found = check_manifest(RULE, job(task(f'args: ["{word}"]\nenv:\n- {{name: A, value: "123456789"}}')))
    assert [each.message for each in found] == [
        f"a string of `args` has {bytes:,} bytes, and Linux takes 131,071"] * (bytes > MAX_SCRIPT)


@pytest.mark.parametrize(("word", "bytes"), [
    ("$(X$(A)" + "x" * MAX_SCRIPT, MAX_SCRIPT + 7), ("$(X$(A)$(A)" + "x" * (MAX_SCRIPT - 15), MAX_SCRIPT + 1),
    ("$(" * MAX_SCRIPT + ")", 2 * MAX_SCRIPT + 1),
])
def test_an_unknown_reference_reaches_to_the_next_parenthesis(word: str, bytes: int) -> None:
    found = check_manifest(RULE, job(task(f'args: ["{word}"]\nenv:\n- {{name: A, value: "123456789"}}')))
    assert [each.message for each in found] == [f"a string of `args` has {bytes:,} bytes, and Linux takes 131,071"]


def test_variables() -> None:
    text = 'env:\n- {{name: LONG, value: "{}"}}'
    assert check_manifest(RULE, job(task(text.format("x" * (MAX_SCRIPT - 5))))) == []
    assert check_manifest(RULE, job(task(text.format("x" * (MAX_SCRIPT - 4))))) == [
        Found(13, 33, "error", "variable `LONG` has 131,072 bytes, and Linux takes 131,071", "put the text into a file that is mounted")]


@pytest.mark.parametrize(("count", "more", "size"), [(20, 0, 0), (35, 37_663, 0), (35, 37_664, 2_097_153)])
def test_all_together(count: int, more: int, size: int) -> None:
    lines = "".join(f'\n- {{name: B{n:02}, value: "$(A)$(A)"}}' for n in range(count))
    text = f'command: [run]\nenv:\n- {{name: A, value: "{"x" * 29_000}"}}{lines}\n- {{name: C, value: "{"x" * more}"}}'
    found = check_manifest(RULE, job(task(text)))
    assert [(each.level, each.message, each.help) for each in found] == [
        ("error", f"the variables and the command of `main` have {size:,} bytes together, and Linux takes 2,097,152",
         "put long texts into a file that is mounted")] * (size > 0)


def test_a_name_alone() -> None:
    """A value that is no string is another rule's, and adds nothing here."""
    text = "env:\n- {{name: {}, value: 1}}"
    assert check_manifest(RULE, job(task(text.format("A" * (MAX_SCRIPT - 1))))) == []
    assert len(check_manifest(RULE, job(task(text.format("A" * MAX_SCRIPT))))) == 1


@pytest.mark.parametrize("key", ["command", "args"])
def test_the_longest_string_sixteen_times(key: str) -> None:
    """The longest that Linux takes is no fault for itself; sixteen of them with what stands around each are too many together."""
    text = f"env: [{{name: A, value: x}}]\n{key}: [{', '.join(['x' * MAX_SCRIPT] * 16)}]"
    assert [each.message for each in check_manifest(RULE, job(task(text)))] == [
        "the variables and the command of `main` have 2,097,292 bytes together, and Linux takes 2,097,152"]


def test_all_together_by_aliases() -> None:
    lines = "".join(f"\n- {{name: B{n}, value: *a}}" for n in range(85))
    found = check_manifest(RULE, job(task(f"image: b:1\nenv:\n- {{name: A, value: &a {'x' * 25_000}}}{lines}")))
    assert [each.message[:48] for each in found] == ["the variables and the command of `main` have 2,1"]


def test_all_together_in_a_request() -> None:
    variables = "".join(f'  B{n}: "$(A)$(A)"\n' for n in range(50))
    found = check_het("HET609", f"1*<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: x\nenv:\n  A: {'x' * 60_000}\n{variables}")
    assert [each.message[:48] for each in found] == ["the variables and the command of `main` have 6,0"]


def test_doubling_has_an_end() -> None:
    lines = "".join(f"\n- {{name: V{n}, value: $(V{n - 1})$(V{n - 1})}}" for n in range(1, 5000))
    found = check_manifest(RULE, job(task(f"image: b:1\nenv:\n- {{name: V0, value: x}}{lines}")))
    assert len(found) == 4999 - 16


def test_het() -> None:
    head = "1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\n"
    before = len("set -e\nexport AJ_NODE_RANK=$((0 + AJ_TASK_INDEX))\nexport NODE_RANK=\"$AJ_NODE_RANK\"\nexec ")
    assert check_het("HET609", head + f"command: [python {'x' * (MAX_SCRIPT - before - 7)}]\n") == []
    assert check_het("HET609", head + f"command: [python {'x' * (MAX_SCRIPT - before - 6)}]\n") == [
        Found(4, 11, "error", "a string of `command` has 131,072 bytes, and Linux takes 131,071", MOVE)]
