"""HET612: gangs that wait for pods behind `dependsOn`."""
from __future__ import annotations

import pytest

from hetc.rules.gang_deadlock import RULE
from tests.rules.checks import Found, check_manifest, job
from tests.rules.helpers import related


def tasks(*fields: str, spec: str = "") -> str:
    """A job whose spec begins at line 6, column 3; each task is one line, `replicas` on."""
    return job(*(f"- {{name: t{index}, replicas: {field}}}" for index, field in enumerate(fields)), spec=spec)


WAITS = "2, dependsOn: {name: [t0]}"
ONE = "`minAvailable` wants {} pods at once, and without those that `dependsOn` holds back there are {}: the job never starts"
ALL = ONE.replace("`minAvailable`", "`minAvailable`, which is not written,")


@pytest.mark.parametrize(("text", "place", "message", "help"), [
    (tasks("1", WAITS, spec="minAvailable: 3"), (6, 17), ONE.format(3, 1), "write `minAvailable: 1` at most, or leave `dependsOn` out"),
    (tasks("1", WAITS, spec="minAvailable: 2"), (6, 17), ONE.format(2, 1), "write `minAvailable: 1` at most, or leave `dependsOn` out"),
    (tasks("1", WAITS), (8, 40), ALL.format(3, 1), "write `minAvailable: 1` at most, or leave `dependsOn` out"),
    (tasks("1", WAITS, spec="minAvailable: 0"), (6, 17), ONE.format(3, 1), "write `minAvailable: 1` at most, or leave `dependsOn` out"),
    (tasks("1", "1, dependsOn: {name: [t0]}", "1, dependsOn: {name: [t1]}", spec="minAvailable: 2"), (6, 17), ONE.format(2, 1),
     "write `minAvailable: 1` at most, or leave `dependsOn` out"),
    # all tasks' minima count where the gang's reaches their sum
    (tasks("3, minAvailable: 1", "2, minAvailable: 1, dependsOn: {name: [t0]}", spec="minAvailable: 2"), (6, 17),
     "`minAvailable` keeps the minimum of task `t1`, whose pods `dependsOn` holds back: the job never starts",
     "write `minAvailable: 1` at most, or leave `dependsOn` out"),
    (tasks("2, minAvailable: 1", "2, minAvailable: 1, dependsOn: {name: [t0]}", spec="minAvailable: 2"), (6, 17),
     "`minAvailable` keeps the minimum of task `t1`, whose pods `dependsOn` holds back: the job never starts",
     "write `minAvailable: 1` at most, or leave `dependsOn` out"),
    (tasks("0, minAvailable: 1", WAITS, spec="minAvailable: 3"), (6, 17), ONE.format(3, 0), "leave `dependsOn` out"),
    (tasks("3, minAvailable: 1", "2, minAvailable: 0, dependsOn: {name: [t0]}", spec="minAvailable: 4"), (6, 17), ONE.format(4, 3),
     "write `minAvailable: 3` at most, or leave `dependsOn` out"),
    # one of several is enough, and none of them is there at once
    (tasks("1", "1", "2, dependsOn: {name: [t0, t1], iteration: any}", spec="minAvailable: 3"), (6, 17), ONE.format(3, 2),
     "write `minAvailable: 2` at most, or leave `dependsOn` out"),
])
def test_deadlock(text: str, place: tuple[int, int], message: str, help: str) -> None:
    assert check_manifest(RULE, text) == [Found(*place, "error", message, help)]


@pytest.mark.parametrize("text", [
    tasks("1", WAITS, spec="minAvailable: 1"),
    tasks("10", "1, dependsOn: {name: [t0]}", spec="minAvailable: 3"),
    tasks("3, minAvailable: 1", "2, minAvailable: 0, dependsOn: {name: [t0]}", spec="minAvailable: 3"),
    tasks("1", "2, dependsOn: {}", spec="minAvailable: 3"),
    tasks("1, dependsOn: {iteration: any}", WAITS, spec="minAvailable: 1"),
    tasks("1", "2, dependsOn: {name: []}"),
    tasks("1", WAITS, spec="minAvailable: three"),  # of the wrong type, which others report
    tasks("1", "2, dependsOn: {name: [other]}"),  # so is what no graph can be made of
    tasks("1, dependsOn: {name: [t1]}", WAITS),
    tasks("1, dependsOn: {name: [t0]}"),
    job("- {name: a, replicas: 1, dependsOn: {name: [other]}}\n- {name: b, replicas: 1}\n- {name: a, replicas: 1, dependsOn: {name: [b]}}"),
])
def test_fine(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_a_task_with_the_minimum_0_is_not_waited_for() -> None:
    text = tasks("1, minAvailable: 0", WAITS, spec="minAvailable: 2")
    assert check_manifest(RULE, text) == [
        Found(9, 48, "warning", "`dependsOn` of task `t1` names `t0`, whose `minAvailable` is 0: it does not wait",
              "write `minAvailable: 1` or more in task `t0`"),
    ]
    assert related(RULE, text) == [(8, 43, "the minimum")]


def test_one_of_several_that_is_not_waited_for_is_enough_for_any() -> None:
    awaited = "2, dependsOn: {{name: [t0, t1]{}}}"
    every, some = (tasks("1, minAvailable: 0", "1", awaited.format(more), spec="minAvailable: 4") for more in ("", ", iteration: any"))
    assert [found.level for found in check_manifest(RULE, every)] == ["error", "warning"]
    assert [found.level for found in check_manifest(RULE, some)] == ["warning"]


def test_what_is_held_back_is_a_related_place() -> None:
    assert related(RULE, tasks("1", WAITS, spec="minAvailable: 3")) == [(9, 40, "held back here")]
    assert related(RULE, tasks("1", WAITS)) == []


def test_a_task_without_replicas_is_not_waited_for_either() -> None:
    assert related(RULE, tasks("0", WAITS, spec="minAvailable: 2")) == [(8, 26, "the minimum")]


def test_in_the_words_of_a_request() -> None:
    [found] = check_manifest(RULE, tasks("1", WAITS, spec="minAvailable: 3"), emitted=True)
    assert found.help == "write `gang[min=1]` at most, or leave `dependsOn` out"
