"""HET629: a command in a task that the plugin ray starts."""
from __future__ import annotations

import pytest

from tests.rules.checks import Found, check_het

RAY = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>{}\n---\nimage: b:1\nplugins: {{ray: {{}}}}\n{}\n"
HELP = "leave it out, and send work to the cluster with `ray job submit`"


def said(key: str, task: str) -> str:
    return f"`{key}` does nothing in task `{task}`: plugin `ray` starts Ray there in its place"


@pytest.mark.parametrize("key", ["setup", "command"])
def test_nobody_runs_the_jobs_lines(key: str) -> None:
    assert check_het("HET629", RAY.format("", f"{key}: x")) == [Found(5, len(key) + 3, "error", said(key, "master"), HELP)]


def test_a_tasks_own_line() -> None:
    assert check_het("HET629", RAY.format("", "tasks: {w: {command: x}}")) == [Found(5, 22, "error", said("command", "w"), HELP)]


def test_the_jobs_line_is_for_the_task_without_a_role() -> None:
    other = " + 1*driver<cpu=1, mem=1Gi>"
    text = RAY.format(other, "command: x").replace("ray: {}", "ray: {worker: w}")
    assert check_het("HET629", text) == []
    assert [found[:2] for found in check_het("HET629", text + "tasks: {master: {setup: z}}\n")] == [(6, 25)]


def test_without_ray() -> None:
    assert check_het("HET629", RAY.format("", "command: x").replace("ray", "env")) == []
