"""HET508: jobs without tasks."""
from __future__ import annotations

import pytest

from hetc.rules.no_tasks import RULE
from tests.rules.checks import Found, check_manifest, job, task


def test_none() -> None:
    assert check_manifest(RULE, "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: demo}\nspec: {queue: a}\n") == [
        Found(4, 7, "error", "the job has no tasks", "add `tasks:` with one that has a name, `replicas` and a `template`"),
    ]


def test_an_empty_list() -> None:
    assert check_manifest(RULE, "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: demo}\nspec:\n  tasks: []\n") == [
        Found(5, 3, "error", "the job has no tasks", "add `tasks:` with one that has a name, `replicas` and a `template`"),
    ]


def test_null() -> None:
    assert check_manifest(RULE, "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: demo}\nspec:\n  tasks:\n") == [
        Found(5, 3, "error", "the job has no tasks", "add `tasks:` with one that has a name, `replicas` and a `template`"),
    ]


def test_no_spec() -> None:
    assert check_manifest(RULE, "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: demo}\n") == [
        Found(1, 1, "error", "the job has no tasks", "add `tasks:` with one that has a name, `replicas` and a `template`"),
    ]


def test_each_job_of_a_file() -> None:
    text = "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: demo}\nspec: SPEC\n---\n"
    assert [each.line for each in check_manifest(RULE, text.replace("SPEC", "later") + text.replace("SPEC", "{}"))] == [9]


def test_a_template() -> None:
    assert check_manifest(RULE, "apiVersion: flow.volcano.sh/v1alpha1\nkind: JobTemplate\nmetadata: {name: demo}\nspec: {queue: a}\n") == [
        Found(4, 7, "error", "the job has no tasks", "add `tasks:` with one that has a name, `replicas` and a `template`"),
    ]


@pytest.mark.parametrize("text", [
    job(task()),
    "apiVersion: batch/v1\nkind: Job\nmetadata: {name: demo}\nspec: {template: {}}\n",
    "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: demo}\nspec: {tasks: none}\n",
    "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: demo}\nspec: later\n",
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []
