"""HET604: `$(NAME)` that stays as it is written."""
from __future__ import annotations

import pytest

from hetc.diagnostic import Report
from hetc.manifest import Manifest
from hetc.read.manifest import read
from hetc.rule import stamp
from hetc.rules.env_reference import RULE
from hetc.source import Source
from tests.rules.checks import NO_SITE, Found, check_het, check_manifest, indented, job, task
from tests.rules.helpers import related

STAYS = "stays as it is written"


def env(*values: str, more: str = "") -> str:
    """A container with the variables A, B, … from line 14 on; their values begin at column 30."""
    lines = "".join(f'\n- {{name: {name}, value: "{value}"}}' for name, value in zip("ABCDE", values))
    return job(task(f"image: a.example/b:1\nenv:{lines}{more}"))


@pytest.mark.parametrize(("values", "line", "message", "help"), [
    (("$(B)", "x"), 14, f"`$(B)` stands before `B` is defined, and {STAYS}", "move `B` above `A`"),
    (("$(A):/x",), 14, f"`$(A)` stands in the value of `A` itself, and {STAYS}", 'extend it in the shell: `export A="$A…"` in `setup`'),
    (("$(b)", "x"), 14, f"`$(b)` names no variable of this container, and {STAYS}", "did you mean `$(B)`?"),
    (("x", "$(LONGER)"), 15, f"`$(LONGER)` names no variable of this container, and {STAYS}",
     "define it, or write `$$(LONGER)` if the text itself is meant"),
    (("$(VC_WORKER_HOSTS)",), 14, f"`$(VC_WORKER_HOSTS)` names a plugin's variable, which comes behind the container's own, and {STAYS}",
     "write `$VC_WORKER_HOSTS` in the command"),
    (("$(NODE_RANK)",), 14, f"`$(NODE_RANK)` names no variable of this container, and {STAYS}",
     "define it, or write `$$(NODE_RANK)` if the text itself is meant"),
    ((r"\x24(B)", "x"), 14, f"`$(B)` stands before `B` is defined, and {STAYS}", "move `B` above `A`"),
    (("$$$(B)", "x"), 14, f"`$(B)` stands before `B` is defined, and {STAYS}", "move `B` above `A`"),
])
def test_stays(values: tuple[str, ...], line: int, message: str, help: str) -> None:
    found = check_manifest(RULE, env(*values))
    assert [each[3:] for each in found if each[:3] == (line, 30, "warning")] == [(message, help)]
    assert len(found) == 1


@pytest.mark.parametrize("values", [
    ("x", "$(A)"), ("$$(B)",), ("$(B",), ("$B",), ("$$",), ("$(KUBERNETES_SERVICE_HOST):$(KUBERNETES_PORT)",),
    ("$(MY_API_SERVICE_PORT_HTTP)",),
    ("$(API_PORT_80_TCP_ADDR)",),
])
def test_replaced_or_meant(values: tuple[str, ...]) -> None:
    assert check_manifest(RULE, env(*values)) == []


def test_circle() -> None:
    found = check_manifest(RULE, env("$(B)", "$(C)", "$(A)", "$(A)"))
    message = f"closes a circle of references, and {STAYS}"
    assert [each[:4] for each in found] == [
        (14, 30, "warning", f"`$(B)` in `A` {message}"), (15, 30, "warning", f"`$(C)` in `B` {message}")]


def test_before_a_circle_is_no_circle() -> None:
    found = check_manifest(RULE, env("$(B)", "$(C)", "$(B)"))
    assert [each.message for each in found] == [
        f"`$(B)` stands before `B` is defined, and {STAYS}", f"`$(C)` in `B` closes a circle of references, and {STAYS}"]


def test_behind_a_circle_is_no_circle() -> None:
    found = check_manifest(RULE, env("$(B)", "$(A)$(C)", "x"))
    assert [each.message for each in found] == [
        f"`$(B)` in `A` closes a circle of references, and {STAYS}", f"`$(C)` stands before `C` is defined, and {STAYS}"]


def test_a_long_chain_is_walked_quickly() -> None:
    count = 6000
    lines = "".join(f"\n- {{name: V{n}, value: $(V{n + 1})}}" for n in range(count))
    assert len(check_manifest(RULE, job(task(f"image: b:1\nenv:{lines}\n- {{name: V{count}, value: x}}")))) == count


def test_env_from_may_know_the_name() -> None:
    more = "\nenvFrom: [{secretRef: {name: a}}]"
    assert check_manifest(RULE, env("$(LONGER)", more=more)) == []
    assert len(check_manifest(RULE, env("$(B)", "x", more=more))) == 1


HET = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: [python x.py]\n"


@pytest.mark.parametrize("name", ["AJ_NODE_RANK", "NODE_RANK"])
@pytest.mark.parametrize("more", ["", "env_from: [{secret: a}]\n"])
def test_ranks_exist_in_the_shell(name: str, more: str) -> None:
    message = f"`$({name})` is known only in the shell, and {STAYS}"
    assert check_het("HET604", HET + f"env: {{A: r$({name})}}\n{more}") == [
        Found(5, 10, "warning", message, f"write `${name}` in the command")]


def test_hetc_orders_the_users_variables() -> None:
    assert check_het("HET604",
                     HET + 'env: {A: $(B), B: $(AJ_JOB_NAME), C: "$$(nproc)", NODE_RANK: $(AJ_TASK_INDEX), D: $(NODE_RANK)}\n') == []


def test_the_way_into_a_circle_and_out_of_it_is_no_circle() -> None:
    before, circle = f"is defined, and {STAYS}", f"closes a circle of references, and {STAYS}"
    assert [each.message for each in check_manifest(RULE, env("$(B)", "$(C)", "$(D)", "$(C)"))] == [
        f"`$(B)` stands before `B` {before}", f"`$(C)` stands before `C` {before}", f"`$(D)` in `C` {circle}"]
    assert [each.message for each in check_manifest(RULE, env("$(B)", "$(A)$(C)", "$(D)", "$(E)", "x"))] == [
        f"`$(B)` in `A` {circle}", f"`$(C)` stands before `C` {before}", f"`$(D)` stands before `D` {before}", f"`$(E)` stands before `E` {before}"]


def test_the_places_beside() -> None:
    assert related(RULE, env("$(B)", "x")) == [(15, 30, "`B`")]
    circle = env("$(B)", "$(A)")
    assert related(RULE, circle) == [(15, 30, "`B`")]
    assert [each.help for each in check_manifest(RULE, circle)] == ["write one of the values without a reference"]
    nothing = job(task("image: a.example/b:1\nenv:\n- {name: A, value: $(B)}\n- {name: B, valueFrom: {fieldRef: {fieldPath: metadata.name}}}"))
    assert len(check_manifest(RULE, nothing)) == 1 and related(RULE, nothing) == []


def test_what_comes_through_an_alias_from_outside_of_an_object() -> None:
    """The text of the object itself, which tells whether there is a reference at all, has none."""
    inner = job(task("image: a.example/b:1\nenv: [{name: A, value: *a}]"))
    whole = f'apiVersion: v1\nkind: List\nmetadata: {{x: &a "$(FOO)"}}\nitems:\n- {indented(inner, 2).lstrip()}'
    report = Report()
    objects = read(Source("list.yaml", whole), report).documents
    stamp(RULE.code, RULE.check(Manifest(objects), NO_SITE), report)
    assert [(each.span.start_position(), each.message) for each in report.sorted()] == [
        ((3, 15), f"`$(FOO)` names no variable of this container, and {STAYS}"),
    ]
