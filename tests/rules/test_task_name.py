from __future__ import annotations

import pytest

from hetc.rules.task_name import RULE
from tests.rules import checks
from tests.rules.checks import check_het, check_manifest
from tests.rules.helpers import related


def tasks(*names: str | None) -> str:
    head = "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: demo}\nspec:\n  tasks:\n"
    return head + "".join(f"  - {{replicas: 1, name: {name}}}\n" if name is not None else "  - {replicas: 1}\n" for name in names)


@pytest.mark.parametrize(("name", "wrong", "help"), [
    ("A100Worker", "`A100Worker` has `A`, and only a-z, 0-9 and `-` are allowed", "write `a100-worker`: task names are in lower case"),
    ("worker-", "`worker-` ends with `-`, not with a letter or digit", "write `worker`: task names are in lower case"),
    ("a.b", "`a.b` has `.`, and only a-z, 0-9 and `-` are allowed", "write `a-b`: task names are in lower case"),
    ("été", "`été` has `é`, and only a-z, 0-9 and `-` are allowed", "write lower-case letters, digits and `-`"),
    ("w" * 64, f"`{'w' * 64}` has 64 characters, 1 more than the 63 allowed", f"write `{'w' * 63}`: task names are in lower case"),
])
def test_illegal_names(name: str, wrong: str, help: str) -> None:
    assert check_manifest(RULE, tasks("ok", name)) == [(7, 25, "error", f"no legal task name: {wrong}", help)]


@pytest.mark.parametrize("name", ["w", "0", "a-b", "w" * 63])
def test_legal_names(name: str) -> None:
    assert check_manifest(RULE, tasks(name)) == []


def test_a_task_without_a_name_says_nothing_of_the_next() -> None:
    assert [each.line for each in check_manifest(RULE, tasks(None, "A"))] == [7]


def test_what_hetc_emits_is_not_mended() -> None:
    assert [[each.fix is None for each in RULE.check(checks.manifest(tasks("A"), emitted), checks.NO_SITE)] for emitted in (False, True)] == [
        [False], [True]]


def test_twice() -> None:
    text = tasks("worker", "other", "worker")
    assert check_manifest(RULE, text) == [(8, 25, "error", "duplicate task name `worker`", "give each task a name of its own")]
    assert related(RULE, text) == [(6, 25, "first used here")]


def test_twice_by_an_alias() -> None:
    text = tasks("worker").replace("- {", "- &t {") + "  - *t\n"
    assert [each[:3] for each in check_manifest(RULE, text)] == [(6, 28, "error")]


def test_a_name_that_the_webhook_gives() -> None:
    assert check_manifest(RULE, tasks(None, "default0")) == [
        (7, 25, "error", "duplicate task name `default0`", "give each task a name of its own"),
    ]
    assert check_manifest(RULE, tasks(None, None, "default0x")) == []


def test_one_name_in_two_jobs() -> None:
    assert check_manifest(RULE, tasks("worker") + "---\n" + tasks("worker")) == []


def test_a_het_file_has_other_readers() -> None:
    assert check_het("HET107", "1*master<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [run]\n") == []


def test_an_empty_name_is_filled_in_where_the_job_is_made_now() -> None:
    text = checks.job(checks.task(name="''"))
    assert check_manifest(RULE, text) == []
    assert check_manifest(RULE, checks.cron_job(text)) == [
        (10, 15, "error", "no legal task name: the name is empty", "write lower-case letters, digits and `-`")]
