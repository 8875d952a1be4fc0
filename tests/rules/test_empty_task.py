"""HET621: tasks without pods."""
from __future__ import annotations

import pytest

from hetc.rules.empty_task import RULE
from tests.rules.checks import Found, check_manifest, job


@pytest.mark.parametrize("fields", ["name: w", "name: w, replicas: null"])
def test_no_replicas(fields: str) -> None:
    assert check_manifest(RULE, job(f"- {{{fields}}}")) == [
        Found(7, 12, "warning", "task `w` has no `replicas`, which is 0 and not 1: it has no pods", "add `replicas: 1`, or more"),
    ]


def test_none_at_all() -> None:
    assert check_manifest(RULE, job("- {name: w, replicas: 0}")) == [
        Found(7, 25, "warning", "task `w` has 0 replicas, and so no pods", "write 1 or more, or leave the task out"),
    ]


@pytest.mark.parametrize("replicas", ["1", "100", "'0'", "-1", "zero"])
def test_fine_or_reported_by_others(replicas: str) -> None:
    assert check_manifest(RULE, job(f"- {{name: w, replicas: {replicas}}}")) == []
