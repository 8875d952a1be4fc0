"""HET606: minima and totals."""
from __future__ import annotations

import pytest

from hetc.manifest import jobs
from hetc.rules.gang_minimum import RULE, minimum
from tests.rules.checks import Found, check_het, check_manifest, job, manifest
from tests.rules.helpers import related


def tasks(*fields: str, spec: str = "") -> str:
    """A job whose spec begins at line 6, column 3; each task is one line, `replicas` on."""
    return job(*(f"- {{name: t{index}, replicas: {field}}}" for index, field in enumerate(fields)), spec=spec)


@pytest.mark.parametrize(("text", "place", "level", "message", "help"), [
    (tasks("1", "3", spec="minAvailable: 5"), (6, 17), "error", "`minAvailable` is 5, and the tasks have 4 replicas in all",
     "write at most `4`"),
    (tasks("1", "3, minAvailable: 3", spec="minAvailable: 3"), (6, 17), "warning",
     "the gang's minimum 3 is below 4, the sum of the tasks' minima, so Volcano ignores these",
     "lower the tasks' minima, or raise this one"),
    (tasks("3, minAvailable: 2", spec="minAvailable: 1"), (6, 17), "warning",
     "the gang's minimum 1 is below 2, the sum of the tasks' minima, so Volcano ignores these",
     "lower the tasks' minima, or raise this one"),
    (tasks("5, partitionPolicy: {totalPartitions: 1, partitionSize: 4}"), (7, 64), "error",
     "1 partitions of 4 are 4 pods, and task `t0` has 5 replicas", "make `replicas` their product"),
    (tasks("5, partitionPolicy: {totalPartitions: 4, partitionSize: 1}"), (7, 64), "error",
     "4 partitions of 1 are 4 pods, and task `t0` has 5 replicas", "make `replicas` their product"),
    (tasks("4, partitionPolicy: {totalPartitions: 2, partitionSize: 0}"), (7, 82), "error", "`partitionSize` of task `t0` is 0",
     "write 1 or more"),
    (tasks("1", "3", spec="minSuccess: 5"), (6, 15), "error",
     "`minSuccess` is 5, and the tasks have 4 replicas in all: the job can only fail", "write at most `4`"),
    (tasks("3, minAvailable: 4"), (7, 43), "error", "`minAvailable` of task `t0` is 4, and it has 3 replicas", "write at most `3`"),
    (tasks("4, partitionPolicy: {totalPartitions: 0, partitionSize: 2}"), (7, 64), "error", "`totalPartitions` of task `t0` is 0",
     "write 1 or more"),
    (tasks("4, partitionPolicy: {totalPartitions: 2, partitionSize: -1}"), (7, 82), "error", "`partitionSize` of task `t0` is -1",
     "write 1 or more"),
    (tasks("5, partitionPolicy: {totalPartitions: 2, partitionSize: 2}"), (7, 64), "error",
     "2 partitions of 2 are 4 pods, and task `t0` has 5 replicas", "make `replicas` their product"),
    (tasks("4, minAvailable: 4, partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 1}"), (7, 117), "error",
     "`minPartitions` 1 of size 2 are 2 pods, and `minAvailable` of task `t0` is 4", "write `minAvailable: 2`, or `minPartitions: 0`"),
    (tasks("4, partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 3}"), (7, 100), "error",
     "`minPartitions` is 3, and task `t0` has 2 partitions", "write at most `2`"),
])
def test_wrong(text: str, place: tuple[int, int], level: str, message: str, help: str) -> None:
    assert check_manifest(RULE, text) == [Found(*place, level, message, help)]


@pytest.mark.parametrize("text", [
    tasks("1", "3", spec="minAvailable: 4\n  minSuccess: 4"),
    tasks("10", spec="minAvailable: 5"),
    tasks("1, minAvailable: 1", "3, minAvailable: 2", spec="minAvailable: 3"),
    tasks("3, minAvailable: 3", spec="minAvailable: 0"),
    tasks("3, minAvailable: 0", spec="minAvailable: 1"),
    tasks("4, partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 1}", spec="minAvailable: 2"),
    tasks("4, minAvailable: 4, partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 2}"),
    tasks("4, minAvailable: 3, partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 0}"),
    tasks("4, partitionPolicy: {totalPartitions: 3}"),
    tasks("4, partitionPolicy: {partitionSize: 3}"),
    tasks("4, partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 2}"),
    tasks("'3', minAvailable: x, partitionPolicy: []", spec="minAvailable: []\n  minSuccess: a"),
])
def test_fine(text: str) -> None:
    assert check_manifest(RULE, text.replace("\n    minSuccess", "\n  minSuccess")) == []


@pytest.mark.parametrize(("task", "least"), [
    ("3", 3), ("3, minAvailable: 2", 2), ("3, minAvailable: 0", 0), ("3, minAvailable: x", 3), ("3, partitionPolicy: []", 3),
    ("6, partitionPolicy: {totalPartitions: 3, partitionSize: 2}", 6),
    ("6, partitionPolicy: {totalPartitions: 3, partitionSize: 2, minPartitions: 0}", 6),
    ("6, partitionPolicy: {totalPartitions: 3, partitionSize: 2, minPartitions: 1}", 2),
    ("6, partitionPolicy: {totalPartitions: 3, partitionSize: 2, minPartitions: 2}", 4),
    ("6, partitionPolicy: {minPartitions: 2}", 0),
])
def test_the_least_replicas_of_a_task(task: str, least: int) -> None:
    assert minimum(jobs(manifest(tasks(task)))[0].tasks[0]) == least


@pytest.mark.parametrize(("fields", "places"), [
    ("3, minAvailable: 4", [(7, 26, "the replicas")]),
    ("5, partitionPolicy: {totalPartitions: 2, partitionSize: 2}", [(7, 26, "the replicas")]),
    ("4, partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 3}", [(7, 64, "the partitions")]),
    ("4, minAvailable: 4, partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 1}", [(7, 43, "the minimum")]),
])
def test_the_place_beside(fields: str, places: list[tuple[int, int, str]]) -> None:
    assert related(RULE, tasks(fields)) == places


def test_a_gang_of_hetc_s_may_leave_out_those_that_wait() -> None:
    for more, said in (("", 1), (", dependsOn: {name: [t0]}", 0)):
        text = tasks("1, minAvailable: 1", f"3, minAvailable: 3{more}", spec="minAvailable: 1")
        assert (len(check_manifest(RULE, text)), len(check_manifest(RULE, text, emitted=True))) == (1, said)


def test_replicas_that_are_not_written_have_no_place() -> None:
    text = job("- {name: a, minAvailable: 4}")
    assert len(check_manifest(RULE, text)) == 1 and related(RULE, text) == []


HET = "1*master<cpu=1, mem=1Gi> + 4*w<cpu=1, mem=1Gi{}>\ngang[min={}]\n---\nimage: b:1\ncommand: [python x.py]\n"


def test_het() -> None:
    found = check_het("HET606", HET.format("", 3))
    assert [each[:3] for each in found] == [(2, 10, "warning")]
    assert check_het("HET606", HET.format(", min=2", 3)) == []
    assert check_het("HET606", HET.format("", "all")) == []
    assert check_het("HET606", HET.format(", pack=rack", 5)) == []
    assert check_het("HET606", HET.format(", pack=rack, min=2", 3)) == []
