"""HET630: a time limit in a job that starts again."""
from __future__ import annotations

import pytest

from tests.rules.checks import Found, check_het

TEXT = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n{}\n---\nimage: b:1\ncommand: x\n{}\n"


def said(what: str) -> str:
    return f"`time_limit` ends a pod as failed, and `{what}` starts it again: the limit never ends the job"


def test_a_gang_that_restarts() -> None:
    found = check_het("HET630", TEXT.format("gang[fail=restart]", "time_limit: 2h"))
    assert found == [Found(6, 13, "error", said("gang[fail=restart]"), "leave one of the two out")]


@pytest.mark.parametrize("policy", ["{event: pod-failed, action: restart-job}", "{event: any, action: restart-task}"])
def test_a_policy_that_restarts(policy: str) -> None:
    text = TEXT.format("gang[fail=tolerate]", f"time_limit: 2h\npolicies: [{policy}]")
    assert [found[:3] for found in check_het("HET630", text)] == [(6, 13, "error")]


def test_a_task_of_its_own() -> None:
    text = TEXT.format("", "tasks: {w: {time_limit: 2h, policies: [{event: pod-failed, action: restart-pod}]}}")
    assert check_het("HET630", text) == [Found(6, 25, "error", said("RestartPod"), "leave one of the two out")]


@pytest.mark.parametrize(("gang", "layers"), [
    ("", "time_limit: 2h"), ("gang[fail=tolerate]", "time_limit: 2h"), ("gang[fail=restart]", "ttl_seconds_after_finished: 9"),
    ("", "time_limit: 2h\npolicies: [{event: pod-pending, action: restart-job, timeout: 10m}]"),
    ("gang[fail=restart]", "tasks: {w: {time_limit: 2h, policies: [{event: pod-failed, action: complete-job}]}}"),
    ("gang[fail=restart]", "time_limit: 2h\ntasks: {master: {time_limit: null}, w: {time_limit: null}}"),
])
def test_fine(gang: str, layers: str) -> None:
    assert check_het("HET630", TEXT.format(gang, layers)) == []


def test_one_limit_is_told_once() -> None:
    text = TEXT.format("gang[fail=restart]", "time_limit: 2h\ntasks: {w: {policies: [{event: pod-failed, action: restart-pod}]}}")
    assert [found.message for found in check_het("HET630", text)] == [said("gang[fail=restart]")]
