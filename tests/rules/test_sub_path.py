from __future__ import annotations

import pytest

from hetc.rules.sub_path import RULE
from tests.rules.checks import Found, check_het, check_manifest
from tests.rules.helpers import job, related

HELP = "write a relative path below the volume's root"


def mount(keys: str, env: str = "") -> list[Found]:
    return check_manifest(RULE, job(container=f"env: [{env}]\nvolumeMounts: [{{{keys}}}]\n"))


@pytest.mark.parametrize(("path", "wrong"), [
    ("../x", "has a `..` part"), ("a/../b", "has a `..` part"), ("..", "has a `..` part"), ("/a", "starts with `/`"),
])
def test_paths_that_leave(path: str, wrong: str) -> None:
    assert mount(f"subPath: {path}") == [(14, 36, "error", f"subPath `{path}` {wrong}", HELP)]
    assert mount(f"subPathExpr: {path}") == [(14, 40, "error", f"subPathExpr `{path}` {wrong}", HELP)]


@pytest.mark.parametrize("path", ["a", "a/b/", "..a", "a..b", "$(A)", "''"])
def test_paths_that_stay(path: str) -> None:
    assert mount(f"subPath: {path}") == mount(f"subPathExpr: {path}") == []


def test_both() -> None:
    assert mount("subPath: a, subPathExpr: b") == [(14, 39, "error", "subPath and subPathExpr exclude each other", "keep one of the two")]
    assert related(RULE, job(container="volumeMounts: [{subPath: a, subPathExpr: b}]\n")) == [(13, 27, "the other one")]
    assert mount("subPath: '', subPathExpr: b") == mount("subPath: a, subPathExpr: ''") == []


@pytest.mark.parametrize(("expression", "value", "becomes"), [
    ("$(D)", "..", "`..`, which has a `..` part"),
    ("$(D)/x", "a/../..", "`a/../../x`, which has a `..` part"),
    ("$(D)", "/etc", "`/etc`, which starts with `/`"),
    ("$(D)./x", ".", "`../x`, which has a `..` part"),
    ("$(E)", "..", "`../y`, which has a `..` part"),
    ("$$/$(D)", "..", "`$/..`, which has a `..` part"),
])
def test_what_variables_make_of_it(expression: str, value: str, becomes: str) -> None:
    env = f"{{name: D, value: {value}}}, {{name: E, value: $(D)/y}}"
    found = mount(f"subPathExpr: {expression}", env)
    assert [each[2:] for each in found] == [("error", f"subPathExpr `{expression}` becomes {becomes}", HELP)]


@pytest.mark.parametrize(("expression", "env"), [
    ("$(D)", "{name: D, value: a}"),
    ("$$(D)", "{name: D, value: ..}"),
    ("$(D)", "{name: D, valueFrom: {fieldRef: {fieldPath: metadata.name}}}"),
    ("$(OTHER)/x", "{name: D, value: ..}"),
    ("$(E)", "{name: E, value: $(D)}, {name: D, value: ..}"),
])
def test_variables_that_do_no_harm(expression: str, env: str) -> None:
    assert mount(f"subPathExpr: {expression}", env) == []


def test_a_variable_without_a_value_is_empty() -> None:
    assert [each.message for each in mount("subPathExpr: .$(D)./x", "{name: D}")] == [
        "subPathExpr `.$(D)./x` becomes `../x`, which has a `..` part",
    ]
    assert mount("subPathExpr: .$(D)./x", "{name: D, valueFrom: {fieldRef: {fieldPath: metadata.name}}}") == []


def test_values_that_double_end() -> None:
    env = ", ".join(f"{{name: A{number}, value: $(A{number - 1})$(A{number - 1})}}" for number in range(1, 64))
    assert len(mount("subPathExpr: $(A63)", "{name: A0, value: aa}, " + env)) == 1
    assert mount("subPathExpr: $(A63)", "{name: A0, value: ''}, " + env) == []


def test_in_a_het_file() -> None:
    text = "1*master<cpu=1, mem=8Gi>\n---\nimage: a.b/c:1\ncommand: [run]\nmounts:\n  d: {path: /d, claim: c, sub_path: ../x}\n"
    assert check_het("HET303", text) == [(6, 37, "error", "sub_path `../x` has a `..` part", HELP)]
    assert check_het("HET303", text.replace("../x", "x")) == []


def test_parts_that_linux_does_not_take() -> None:
    long = "x" * 256
    for key in ("subPath", "subPathExpr"):
        assert [each[2:] for each in mount(f"{key}: a/{long}")] == [
            ("error", f"{key} `a/{'x' * 58}...` has a part of more than 255 bytes, the most that Linux takes", HELP)]
        assert mount(f"{key}: a/{long[1:]}") == []
    assert len(mount("subPathExpr: a/$(D)", f"{{name: D, value: {long}}}")) == 1


def test_an_empty_sub_path_is_none() -> None:
    text = "1*master<cpu=1, mem=8Gi>\n---\nimage: a.b/c:1\ncommand: [run]\nmounts:\n  d: {path: /d, claim: c, sub_path: ''}\n"
    assert check_het("HET303", text) == []
