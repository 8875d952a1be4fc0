"""HET509: the master of mpi."""
from __future__ import annotations

import pytest

from hetc.rules.mpi_master import RULE
from tests.rules.checks import Found, check_manifest, job, task


def test_no_master() -> None:
    assert check_manifest(RULE, job(task(), spec="plugins: {mpi: []}")) == [
        Found(6, 13, "error",
              "plugin `mpi` takes task `master` as its master, and the job has none of that name",
              "write `--master=worker`, or rename a task"),
    ]


def test_another_master() -> None:
    assert check_manifest(RULE, job(task(name="master"), task(name="launch"), spec="plugins: {mpi: [--master=launcher, --worker=launch]}")) == [
        Found(6, 19, "error",
              "plugin `mpi` takes task `launcher` as its master, and the job has none of that name",
              "write `--master=launch`, or rename a task"),
    ]


def test_the_last_flag_counts() -> None:
    assert check_manifest(RULE, job(task(name="a"), spec="plugins: {mpi: [-master, a, --master=b]}")) == [
        Found(6, 31, "error",
              "plugin `mpi` takes task `b` as its master, and the job has none of that name",
              "write `--master=a`, or rename a task"),
    ]


def test_a_flag_behind_a_wrong_one() -> None:
    assert check_manifest(RULE, job(task(name="a"), spec="plugins: {mpi: [--foo=1, --master=a]}")) == [
        Found(6, 13, "error",
              "plugin `mpi` takes task `master` as its master, and the job has none of that name",
              "write `--master=a`, or rename a task"),
    ]


def test_a_flag_behind_a_word() -> None:
    assert check_manifest(RULE, job(task(name="a"), spec="plugins: {mpi: [word, --master=a]}")) == [
        Found(6, 13, "error",
              "plugin `mpi` takes task `master` as its master, and the job has none of that name",
              "write `--master=a`, or rename a task"),
    ]


@pytest.mark.parametrize("text", [
    job(task(name="master"), spec="plugins: {mpi: []}"),
    job(task(name="a"), spec="plugins: {mpi: [--master, a]}"),
    job(task(name="a"), spec="plugins: {mpi: [-master=a, --port=x]}"),
    job(task(), spec="plugins: {mpi: }"),
    job(task(), spec="plugins: {svc: []}"),
    job("- 3", spec="plugins: {mpi: []}"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_each_job_of_a_file() -> None:
    text = job(task(), spec="plugins: {svc: []}") + "---\n" + job(task(), spec="plugins: {mpi: []}")
    assert [each.line for each in check_manifest(RULE, text)] == [len(text.split("---")[0].split("\n")) + 6]


def test_in_the_words_of_an_overlay() -> None:
    [found] = check_manifest(RULE, job(task(), spec="plugins: {mpi: []}"), emitted=True)
    assert found.help == "write `master: worker`, or rename a task"
