from __future__ import annotations

import pytest

from hetc.rules.env_name import RULE
from tests.rules.checks import check_het, check_manifest
from tests.rules.helpers import job, related


def env(*names: str) -> str:
    return job(container="env:\n" + "".join(f"- {{name: {name}, value: a}}\n" for name in names))


def test_twice_in_one_container() -> None:
    text = env("MODE", "OTHER", "MODE")
    assert check_manifest(RULE, text) == [(16, 20, "error", "duplicate variable `MODE`", "keep one of the two")]
    assert related(RULE, text) == [(14, 20, "first given here")]


def test_twice_by_an_alias() -> None:
    text = job(container="env: [&a {name: MODE, value: a}, *a]\n")
    assert check_manifest(RULE, text) == [(13, 27, "error", "duplicate variable `MODE`", "keep one of the two")]


def test_once_in_each_of_two_containers() -> None:
    line = "{name: A, value: a}"
    text = job(container=f"env: [{line}]\n", pod=f"initContainers:\n- name: init\n  env: [{line}]\n")
    assert check_manifest(RULE, text) == []


@pytest.mark.parametrize(("name", "wrong", "help"), [
    ("1X", "`1X` starts with `1`, not with a letter or `_`", "write `_1X`"),
    ("'A B'", "`A B` has ` `, and only letters, digits, `-`, `_` and `.` are allowed", "write `A_B`"),
    ("Ä", "`Ä` has `Ä`, and only letters, digits, `-`, `_` and `.` are allowed", "write `_`"),
    ("'A=B'", "`A=B` has `=`, and only letters, digits, `-`, `_` and `.` are allowed", "write `A_B`"),
    ("'.'", "`.` names a directory", None),
    ("'..'", "`..` starts with `..`", None),
    ("'..A'", "`..A` starts with `..`", None),
    ("''", "the name is empty", None),
])
def test_illegal_names(name: str, wrong: str, help: str | None) -> None:
    assert check_manifest(RULE, env(name)) == [(14, 20, "error", f"no legal variable name: {wrong}", help)]


@pytest.mark.parametrize("name", ["A", "_", "a.b-C_1", "-x", ".a", "A" * 300])
def test_legal_names(name: str) -> None:
    assert check_manifest(RULE, env(name)) == []


def test_a_name_that_is_no_text_says_nothing_of_the_next() -> None:
    assert len(check_manifest(RULE, env("3", "1X"))) == 1


def test_a_prefix() -> None:
    def text(prefix: str) -> str:
        return job(container=f"envFrom: [{{prefix: {prefix}, secretRef: {{name: s}}}}]\n")

    assert check_manifest(RULE, text("1P_")) == [
        (13, 30, "error", "no legal prefix of variables: `1P_` starts with `1`, not with a letter or `_`", None),
    ]
    assert check_manifest(RULE, text("P_")) == check_manifest(RULE, text("''")) == []


def test_in_a_het_file() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [run]\nenv: {2ND: a}\n"
    assert check_het("HET106", text) == [
        (5, 7, "error", "no legal variable name: `2ND` starts with `2`, not with a letter or `_`", "write `_2ND`"),
    ]
    assert check_het("HET106", text.replace("2ND", "ND2")) == []
