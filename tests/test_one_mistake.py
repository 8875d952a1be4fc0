"""One mistake is said once; many of one kind are not all shown."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from hetc.__main__ import run
from hetc.diagnostic import ERROR, MOST_SHOWN, WARNING, Code, Diagnostic, shown
from hetc.source import Source, Span
from tests.rules.checks import compile_het

HEAD = "1*<cpu=1, mem=1Gi>\n---\nimage: a:1\ncommand: x\n"
CHILD = "base: base.yaml\nconfig:\n  environment: {image: 'a:1'}\n  jobs: [{name: a, command: x}]\n"


@pytest.mark.parametrize(("text", "said"), [
    (HEAD + "env: {A: b}\n---\nenv: x\n", ["7:6 HET024"]),
    (HEAD + "env: x\n---\nenv: {A: b}\n", ["5:6 HET014"]),
    (HEAD + "env: x\n", ["5:6 HET014"]),
    (HEAD + "? [a]\n: b\n", ["5:3 HET011"]),
    (HEAD + "~: b\n", ["5:1 HET011"]),
    (HEAD + "mounts: {a: {path: /a, empty_dir: null}}\n", ["5:24 HET013"]),
    (HEAD + "mounts: {a: {path: /a, claim: null}}\n", ["5:24 HET013"]),
    (HEAD + "mounts: {a: {path: null, claim: a}}\n", ["5:14 HET013"]),
    (HEAD + "mounts: {a: {path: /a, claim: null, secret: s}}\n", ["5:24 HET025"]),
    (HEAD + "mounts: {a: {path: /a, claim: b}}\n---\nmounts: {a: {claim: null}}\n", ["7:10 HET026"]),
    (HEAD + "env: {C: =}\n", ["5:10 HET015"]),
    (HEAD + "plugins: {ssh: {key_file_path: x}}\n", ["5:32 HET505"]),
    (HEAD + "plugins: {ssh: {key_file_path: ''}}\n", ["5:32 HET505"]),
    (HEAD.replace("1*", "master*1"), ["1:1 HET018"]),
    (HEAD.replace("1*", "0*2x"), ["1:1 HET018", "1:3 HET101"]),
])
def test_one_mistake_is_said_once(text: str, said: list[str]) -> None:
    found = compile_het(text)
    assert [f"{':'.join(map(str, each.span.start_position()))} {each.code.code}" for each in found] == said


def test_a_swapped_count_says_the_right_order() -> None:
    (found,) = compile_het(HEAD.replace("1*", "master*1"))
    assert (found.message, found.help) == ("the count `master` is not a number", "write the count first: `1*master`")


def test_a_null_where_something_is_needed_shows_what() -> None:
    assert [each.help for each in compile_het(HEAD + "mounts: {a: {path: /a, config_map: null}}\n")] == ["write `config_map: settings`, for example"]


def said_of(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *argv: str) -> list[str]:
    monkeypatch.chdir(folder)
    run(["build", "--isolated", "--output-format", "json", *argv])
    found = json.loads(capsys.readouterr().err)["diagnostics"]
    return [f"{each['file']} {each['code']} {each['message']}" for each in found]


@pytest.mark.parametrize(("parent", "said"), [
    (None, "child.yaml HET022"), ("", "base.yaml HET014"), ("config: {}\n---\nconfig: {}\n", "base.yaml HET014"),
    ("base: child.yaml\nconfig: {}\n", "base.yaml HET009"), ("config: [\n", "base.yaml HET005"), ("x: y\n", "base.yaml HET014"),
])
def test_a_parent_that_cannot_be_read_is_all_that_is_said(
    parent: str | None, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "child.yaml").write_text(CHILD)
    if parent is not None:
        (tmp_path / "base.yaml").write_text(parent)
    (found,) = said_of(tmp_path, monkeypatch, capsys, "child.yaml")
    assert found.startswith(said)


RULE, OTHER = Code("HET999", "one", WARNING, "one"), Code("HET998", "two", ERROR, "two")


def many(count: int, code: Code = RULE, name: str = "a") -> list[Diagnostic]:
    source = Source(name, "x" * 10_000)
    return [Diagnostic(code, code.level, f"the {number}", Span(source, number, number + 1)) for number in range(count)]


@pytest.mark.parametrize("count", [0, 1, MOST_SHOWN, MOST_SHOWN + 1])
def test_few_are_shown(count: int) -> None:
    assert shown(many(count)) == many(count)


def test_of_many_the_first_are_shown_and_the_rest_is_counted() -> None:
    found = many(1300)
    found[900].level = ERROR
    result = shown(found)
    assert result[:-1] == found[:MOST_SHOWN]
    last = result[-1]
    assert (last.message, last.level, last.span, last.code) == ("1,100 more findings of this rule from here on", ERROR, found[MOST_SHOWN].span, RULE)


def test_rules_and_files_are_counted_apart_and_stay_sorted() -> None:
    found = sorted([*many(MOST_SHOWN), *many(MOST_SHOWN, OTHER), *many(MOST_SHOWN, name="b")], key=lambda each: (each.span.source.name, each.span.start, each.code.code))
    assert shown(found) == found
    found = sorted([*many(MOST_SHOWN + 5), *many(3, OTHER)], key=lambda each: (each.span.start, each.code.code))
    result = shown(found)
    assert [each.code for each in result[:6]] == [OTHER, RULE] * 3
    assert len(result) == MOST_SHOWN + 4 and result[-1].message == "5 more findings of this rule from here on"


def test_all_forms_show_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "job.het").write_text(HEAD + "".join(f"key{number}: 1\n" for number in range(1000)))
    found = said_of(tmp_path, monkeypatch, capsys, "job.het")
    assert len(found) == MOST_SHOWN + 1
    assert found[-1] == "job.het HET012 800 more findings of this rule from here on"
