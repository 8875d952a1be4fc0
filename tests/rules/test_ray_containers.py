"""HET614: the tasks and containers that the plugin ray looks for."""
from __future__ import annotations

import pytest

from hetc.rules.ray_containers import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related


def ray(flags: str, *tasks: str) -> str:
    """A job with the plugin at line 6, column 13, and its tasks at line 8."""
    return job(*tasks, spec=f"plugins: {{ray: [{flags}]}}")


def node(name: str, container: str = "", replicas: int = 1, more: str = "") -> str:
    """A task whose container's name is at line 14 of a job of one task."""
    return task(f"image: b:1{more}", name=name, replicas=replicas).replace("name: main", f"name: {container or name}")


HEAD, WORKER = node("head"), node("worker", replicas=4)


@pytest.mark.parametrize(("flags", "tasks", "found"), [
    ("", [WORKER], Found(6, 13, "error", "plugin `ray` takes task `head` as its head, and the job has none of that name: no pod is created",
                         "write `--head=TASK`, or call a task `head`")),
    ("--head=haed", [HEAD, WORKER], Found(6, 19, "error", "plugin `ray` takes task `haed` as its head, and the job has none of that name: "
                                          "no pod is created", "write `--head=head`")),
    ("--worker=w", [HEAD], Found(6, 19, "warning", "plugin `ray` takes task `w` as its worker, and the job has none of that name",
                                 "write `--worker=TASK`")),
    ("", [node("head", replicas=2)], Found(9, 15, "warning",
     "task `head`, the head of plugin `ray`, has 2 replicas: each starts a cluster of its own", "write `replicas: 1`")),
    ("", [node("head", "main")], Found(14, 17, "warning", "no container of task `head` is called `head`, so plugin `ray` does not start Ray",
                                       "rename it, or write `--headContainer=main`")),
    ("", [node("worker", "main"), HEAD], Found(14, 17, "warning",
     "no container of task `worker` is called `worker`, so plugin `ray` does not start Ray", "rename it, or write `--workerContainer=main`")),
    ("", [node("head", more="\ncommand: [x]")], Found(14, 11, "warning", "`command` of container `head` is replaced by plugin `ray`",
                                                      "leave it out, and send work to the cluster with `ray job submit`")),
    ("", [node("head", more="\nargs: [x]")], Found(14, 11, "warning",
     "`args` of container `head` does nothing: plugin `ray` puts `sh -c` before it",
     "leave it out, and send work to the cluster with `ray job submit`")),
])
def test_wrong(flags: str, tasks: list[str], found: Found) -> None:
    assert check_manifest(RULE, ray(flags, *tasks)) == [found]


@pytest.mark.parametrize(("flags", "tasks"), [
    ("", [HEAD, WORKER]), ("", [HEAD]), ("", [HEAD, node("tools", "main", more="\ncommand: [x]")]),
    ("--head=h, --headContainer=c, --worker=w, --workerContainer=d", [node("h", "c"), node("w", "d", replicas=3)]),
])
def test_fine(flags: str, tasks: list[str]) -> None:
    assert check_manifest(RULE, ray(flags, *tasks)) == []


def test_without_the_plugin_nothing_is_said() -> None:
    assert check_manifest(RULE, job(WORKER, spec="plugins: {svc: []}")) == []


@pytest.mark.parametrize(("flags", "tasks", "place"), [
    ("", [node("head", replicas=2)], (6, 13, "the plugin")),
    ("--head=head", [node("head", replicas=2)], (6, 19, "the plugin")),
    ("", [node("head", "main")], (6, 13, "the plugin")),
    ("", [node("head", more="\ncommand: [x]")], (6, 13, "the plugin")),
    ("--headContainer=head", [node("head", more="\nargs: [x]")], (6, 19, "the plugin")),
])
def test_the_place_beside(flags: str, tasks: list[str], place: tuple[int, int, str]) -> None:
    assert related(RULE, ray(flags, *tasks)) == [place]


def test_a_job_without_tasks() -> None:
    assert check_manifest(RULE, ray("")) == []


def test_the_worker_is_no_head() -> None:
    assert [each.help for each in check_manifest(RULE, ray("--head=workr", WORKER))] == ["write `--head=TASK`, or call a task `workr`"]


@pytest.mark.parametrize(("tasks", "found"), [
    ([WORKER], [("plugin `ray` takes task `head` as its head, and the job has none of that name: no pod is created",
                 "write `head: TASK`, or call a task `head`")]),
    ([HEAD], []),
    *(([HEAD, *others], [("plugin `ray` takes task `worker` as its worker, and the job has none of that name", "write `worker: TASK`")])
      for others in ([node("x")], [node("x"), node("y")])),
    ([node("head", more="\ncommand: [x]")], [("`command` of container `head` is replaced by plugin `ray`",
                                              "leave it out, and send work to the cluster with `ray job submit`")]),
])
def test_what_hetc_emits_is_told_in_the_words_of_an_overlay(tasks: list[str], found: list[tuple[str, str]]) -> None:
    assert [each[2:] for each in check_manifest(RULE, ray("", *tasks), emitted=True)] == [("error", *each) for each in found]
