"""HET512: tasks that wait for tasks."""
from __future__ import annotations

import pytest

from hetc.rules.depends_on import RULE
from tests.rules.checks import Found, check_het, check_manifest, job, task
from tests.rules.helpers import related


def graph(**waits: str) -> str:
    """Tasks by name, each with the names that it waits for."""
    return job(*(task(name=name) + (f"  dependsOn: {{name: [{names}]}}\n" if names else "") for name, names in waits.items()))


def test_unknown() -> None:
    assert check_manifest(RULE, graph(a="wrker", worker="")) == [
        Found(14, 24, "error", "task `a` waits for `wrker`, and the job has no such task", "did you mean `worker`?"),
    ]


def test_unknown_without_a_near_one() -> None:
    assert check_manifest(RULE, graph(a="zzzzzzzz", worker="")) == [
        Found(14, 24, "error", "task `a` waits for `zzzzzzzz`, and the job has no such task", "name a task of the job"),
    ]


def test_itself() -> None:
    assert check_manifest(RULE, graph(a="a", b="")) == [
        Found(14, 24, "error", "task `a` waits for itself", "take it out of its own `dependsOn`"),
    ]


def test_twice() -> None:
    assert check_manifest(RULE, graph(a="b, b", b="")) == [
        Found(14, 27, "error", "task `a` waits for `b` twice", "name it once"),
    ]


def test_cycle_of_two() -> None:
    assert check_manifest(RULE, graph(a="b", b="a")) == [
        Found(14, 24, "error", "the tasks wait for each other in a cycle: `a` -> `b` -> `a`", "take one of these dependencies out"),
    ]


def test_cycle_of_three() -> None:
    assert check_manifest(RULE, graph(x="a", a="b", b="c", c="a")) == [
        Found(22, 24, "error", "the tasks wait for each other in a cycle: `a` -> `b` -> `c` -> `a`", "take one of these dependencies out"),
    ]


def test_two_cycles() -> None:
    assert check_manifest(RULE, graph(a="b", b="a", c="d", d="c")) == [
        Found(14, 24, "error", "the tasks wait for each other in a cycle: `a` -> `b` -> `a`", "take one of these dependencies out"),
        Found(30, 24, "error", "the tasks wait for each other in a cycle: `c` -> `d` -> `c`", "take one of these dependencies out"),
    ]


def test_long_cycle() -> None:
    assert check_manifest(RULE, graph(**{f"t{i}": f"t{(i + 1) % 12}" for i in range(12)})) == [
        Found(14, 24, "error",
              "the tasks wait for each other in a cycle: `t0` -> `t1` -> `t2` -> `t3` -> `t4` -> `t5` -> `t6` -> `t7` -> ... -> `t0`",
              "take one of these dependencies out"),
    ]


def test_iteration() -> None:
    assert check_manifest(RULE, job(task(name="a"), task(name="b") + "  dependsOn: {name: [a], iteration: each}\n")) == [
        Found(21, 39, "warning", "`each` is no iteration, and counts as `all`", "write `all` or `any`"),
    ]


@pytest.mark.parametrize("text", [
    graph(a="", b="a", c="a, b"),
    graph(a="b, c", b="c", c=""),
    job(task(name="a"), task(name="b") + "  dependsOn: {name: [a], iteration: any}\n"),
    job(task(name="a") + "  dependsOn: {name: []}\n"),
    job(task(name="a") + "  dependsOn: {name: a}\n"),
    job(task(name="a") + "  dependsOn: {iteration: , name: [3, ]}\n"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_the_places_beside() -> None:
    assert related(RULE, graph(a="b, b", b="")) == [(14, 24, "the other one")]
    assert related(RULE, graph(a="b", b="c", c="a")) == [(22, 24, "waits for `c`"), (30, 24, "waits for `a`")]
    assert len(related(RULE, graph(**{f"t{i}": f"t{(i + 1) % 12}" for i in range(12)}))) == 8


def test_a_name_that_is_no_text_says_nothing_of_the_next() -> None:
    assert [each.message for each in check_manifest(RULE, graph(a="3, zzzzzzzz", b=""))] == [
        "task `a` waits for `zzzzzzzz`, and the job has no such task"]


def test_no_task_is_meant_to_wait_for_itself() -> None:
    assert [each.help for each in check_manifest(RULE, graph(worker="wrker", b=""))] == ["name a task of the job"]


def test_an_empty_iteration() -> None:
    assert check_manifest(RULE, job(task(name="a"), task(name="b") + "  dependsOn: {name: [a], iteration: ''}\n")) == []


def test_how_many_of_none() -> None:
    text = job(task(name="a") + "  dependsOn: {iteration: any}\n")
    assert check_manifest(RULE, text) == [
        Found(14, 28, "warning", "`iteration` of task `a` stands without `name`, and the task waits for none",
              "add `name: [TASK]`, or leave `iteration` out"),
    ]
    head = "1*master<cpu=1, mem=1Gi> + 1*b<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: x\n"
    assert check_het("HET512", head + "tasks: {b: {depends_on_any: true}}\n") == [
        Found(5, 29, "error", "`depends_on_any` of task `b` stands without `depends_on`, and the task waits for none",
              "add `depends_on: [TASK]`, or leave `depends_on_any` out"),
    ]
    assert check_het("HET512", head + "tasks: {b: {depends_on_any: false}}\n") == []
