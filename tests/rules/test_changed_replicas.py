"""HET631: replicas other than those that the job's ranks were made for."""
from __future__ import annotations

import pytest

from hetc.rules.changed_replicas import HELP, RULE
from tests.conftest import ROOT
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related


def told(replicas: int, of: str, nodes: str, name: str = "worker", prefix: str = "AJ_") -> str:
    """A task whose pods are told of numbers of pods."""
    variables = f"- {{name: {prefix}TASK_REPLICAS, value: {of}}}\n- {{name: {prefix}NODES, value: {nodes}}}"
    return task(f"image: b:1\nenv:\n{variables}", name, replicas)


def test_replicas_were_changed() -> None:
    text = job(told(6, "'4'", "'4'"))
    assert check_manifest(RULE, text) == [Found(8, 15, "error", "`replicas` of task `worker` is 6, and its pods are told of 4", HELP)]
    assert related(RULE, text) == [(14, 45, "`AJ_TASK_REPLICAS`")]


def test_a_task_was_left_out() -> None:
    text = job(told(4, "'4'", "'5'"))
    (found,) = check_manifest(RULE, text)
    assert found == Found(15, 37, "error", "the job has 4 pods, and those of task `worker` are told of 5", HELP)
    assert check_manifest(RULE, text, emitted=True) == []


def test_of_a_changed_task_the_sum_is_not_said_too() -> None:
    text = job(told(1, "'1'", "'5'", "master"), told(6, "'4'", "'5'"))
    assert [found.message for found in check_manifest(RULE, text)] == ["`replicas` of task `worker` is 6, and its pods are told of 4"]


@pytest.mark.parametrize("text", [
    job(told(4, "'4'", "'4'")),
    job(told(1, "'1'", "'5'", "master"), told(4, "'4'", "'5'")),
    job(told(6, "$(N)", "many")),
    job(told(6, "'4'", "'4'", prefix="X_")),
    job(task("image: b:1", "worker", 4)),
    (ROOT / "golden" / "design-example" / "expected.yaml").read_text(),
])
def test_fine(text: str) -> None:
    assert check_manifest(RULE, text) == []
