"""HET618: one rank for several pods."""
from __future__ import annotations

import pytest

from hetc.rules.fixed_rank import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related

HELP = "take it from `metadata.labels['volcano.sh/task-index']`, by `valueFrom` and `fieldRef`"


def ranked(name: str, value: str, replicas: int = 4, plugins: str = "") -> str:
    """A task with a variable whose value is at line 15."""
    return job(task(f"image: b:1\nenv:\n- {{name: {name}, value: {value}}}", "master", replicas), spec=f"plugins: {{{plugins}}}")


@pytest.mark.parametrize(("name", "column"), [("RANK", 33), ("NODE_RANK", 38)])
def test_one_rank_for_several_pods(name: str, column: int) -> None:
    text = ranked(name, "'1'")
    assert check_manifest(RULE, text) == [Found(15, column, "warning", f"`{name}` is `1` in each of the 4 pods of task `master`", HELP)]
    assert related(RULE, text) == [(9, 15, "the replicas")]
    assert check_manifest(RULE, text, emitted=True) == []


def test_two_pods_are_several() -> None:
    assert len(check_manifest(RULE, ranked("RANK", "'1'", replicas=2))) == 1


@pytest.mark.parametrize("text", [
    ranked("RANK", "'1'", replicas=1), ranked("RANK", "$(INDEX)"), ranked("RANK", "first"), ranked("LOCAL_RANK", "'0'"),
    ranked("RANK", "'1'", plugins="pytorch: []"),
])
def test_fine(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_pytorch_sets_no_node_rank() -> None:
    assert len(check_manifest(RULE, ranked("NODE_RANK", "'1'", plugins="pytorch: []"))) == 1
