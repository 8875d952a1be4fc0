"""HET613: the tasks that job plugins know by name."""
from __future__ import annotations

import pytest

from hetc.manifest import jobs
from hetc.rules.task_roles import RULE, roles, sets_ranks
from tests.rules.checks import Found, check_manifest, job, manifest, task
from tests.rules.helpers import related

MASTER, WORKER = task(name="master"), task(name="worker", replicas=3)
BY_HAND = "set its rank by hand from `metadata.labels['volcano.sh/task-index']`, or merge the tasks"


def plugins(text: str, *tasks: str) -> str:
    """A job whose plugins begin at line 6, column 3, and its tasks at line 9."""
    return job(*tasks, spec=f"plugins:\n  {text}")


@pytest.mark.parametrize(("text", "tasks", "found"), [
    # nobody has the role
    ("pytorch: []", [WORKER], Found(7, 5, "warning", "plugin `pytorch` takes task `master` as its master, and the job has none of that "
     "name: no pod gets MASTER_ADDR, WORLD_SIZE or RANK", "write `--master=TASK`, or call a task `master`")),
    ("pytorch: [--master=cheif]", [task(name="chief"), WORKER], Found(7, 15, "warning", "plugin `pytorch` takes task `cheif` as its master, "
     "and the job has none of that name: no pod gets MASTER_ADDR, WORLD_SIZE or RANK", "write `--master=chief`")),
    ("mpi: []", [MASTER], Found(7, 5, "warning", "plugin `mpi` takes task `worker` as its worker, and the job has none of that name: "
     "nobody gets MPI_HOST", "write `--worker=TASK`, or call a task `worker`")),
    ("pytorch: [--worker=wroker]", [MASTER], Found(7, 15, "warning", "plugin `pytorch` takes task `wroker` as its worker, and the job has "
     "none of that name", "write `--worker=TASK`, or call a task `wroker`")),
    ("tensorflow: [--ps=p]", [WORKER], Found(7, 18, "warning", "plugin `tensorflow` takes task `p` as its ps, and the job has none of that "
     "name", "write `--ps=TASK`, or call a task `p`")),
    # several have it
    ("pytorch: []", [task(name="master", replicas=2), WORKER], Found(10, 15, "warning",
     "task `master`, the master of plugin `pytorch`, has 2 replicas: each of them gets RANK 0", "write `replicas: 1`")),
    ("mpi: []", [task(name="master", replicas=2), WORKER], Found(10, 15, "warning",
     "task `master`, the master of plugin `mpi`, has 2 replicas: each of them runs `mpirun`", "write `replicas: 1`")),
    ("tensorflow: []", [task(name="chief", replicas=2)], Found(10, 15, "warning",
     "task `chief`, the chief of plugin `tensorflow`, has 2 replicas: TensorFlow takes one chief", "write `replicas: 1`")),
    # a task has none
    ("pytorch: []", [task(name="viewer"), MASTER, WORKER], Found(9, 11, "warning",
     "task `viewer` gets no RANK from plugin `pytorch`, whose WORLD_SIZE is 4 without it", BY_HAND)),
    ("hcclrank: []", [task(name="viewer"), MASTER, WORKER], Found(9, 11, "warning", "task `viewer` gets no rank from plugin `hcclrank`",
                                                                  BY_HAND)),
    ("tensorflow: []", [task(name="viewer"), WORKER], Found(9, 11, "warning",
     "task `viewer` has no role in plugin `tensorflow`, whose TF_CONFIG does not list it", "name the task in the plugin's flags")),
])
def test_wrong(text: str, tasks: list[str], found: Found) -> None:
    whole = plugins(text, *tasks)
    assert check_manifest(RULE, whole) == [found]
    (of_hetc,) = check_manifest(RULE, whole, emitted=True)
    assert of_hetc._replace(help="") == found._replace(level="error", help="")
    assert "--" not in (of_hetc.help or "")
    assert "by hand" not in (of_hetc.help or "")


@pytest.mark.parametrize(("text", "tasks"), [
    ("pytorch: []", [MASTER, WORKER]), ("pytorch: []", [MASTER]),
    ("pytorch: [--master=a, --worker=b]", [task(name="a"), task(name="b", replicas=4)]),
    ("pytorch: []", [MASTER, WORKER, task("image: b:1\nenv: [{name: RANK, value: '9'}]", name="viewer")]),
    ("pytorch: []", [MASTER, WORKER, task(name="viewer", replicas=0)]),
    ("pytorch: ", [task(name="viewer")]),
    ("hcclrank: []", [MASTER, WORKER, task("image: b:1\nenv: [{name: RANK, value: '9'}]", name="viewer")]),
    ("hcclrank: []", [WORKER]),
    ("tensorflow: []", [task(name=name) for name in ("ps", "worker", "chief", "evaluator")]),
    ("tensorflow: []", [WORKER]),
    ("mpi: []", [MASTER, WORKER, task(name="viewer")]), ("mpi: []", [WORKER]),  # without a master the webhook refuses it
    ("svc: []", [task(name="viewer")]), ("mpi: [--master=x]", [WORKER]),
    ("tensorflow: []", [WORKER, task("image: b:1\nenv: [{name: TF_CONFIG, value: '{}'}]", name="viewer")]),
])
def test_fine(text: str, tasks: list[str]) -> None:
    assert check_manifest(RULE, plugins(text, *tasks)) == []


def test_a_rank_in_an_annotation_counts_for_hcclrank() -> None:
    viewer = task(name="viewer").replace("    spec:\n", "    metadata: {annotations: {hccl/rankIndex: '4'}}\n    spec:\n", 1)
    assert check_manifest(RULE, plugins("hcclrank: []", MASTER, WORKER, viewer)) == []


def test_the_plugin_is_a_related_place() -> None:
    assert related(RULE, plugins("pytorch: []", task(name="viewer"), MASTER)) == [(7, 5, "the plugin")]
    assert related(RULE, plugins("pytorch: [--master=a]", task(name="a", replicas=2))) == [(7, 15, "the plugin")]


@pytest.mark.parametrize(("text", "tasks", "help"), [
    ("pytorch: []", [task(name="viewer"), MASTER, WORKER],
     "leave the plugin out: hetc's own `NODE_RANK` and `WORLD_SIZE` count unlike nodes"),
    ("hcclrank: []", [task(name="viewer"), MASTER, WORKER], "make one group of the tasks that need ranks"),
    ("tensorflow: []", [task(name="viewer"), WORKER], "name the task in the plugin's flags"),
    ("pytorch: []", [task(name="master", replicas=2), WORKER], "write `replicas: 1`"),
    ("pytorch: []", [WORKER], "write `master: TASK`, or call a task `master`"),
])
def test_in_the_words_of_an_overlay(text: str, tasks: list[str], help: str) -> None:
    assert [each.help for each in check_manifest(RULE, plugins(text, *tasks), emitted=True)] == [help]


def test_the_roles_of_a_plugin() -> None:
    [view] = jobs(manifest(plugins("ray: [--worker=w]", MASTER)))
    assert {name: (role.task, role.given) for name, role in roles(view, "ray", ("head", "headContainer", "worker")).items()} == {
        "head": ("head", False), "headContainer": ("head", False), "worker": ("w", True)}


@pytest.mark.parametrize(("text", "name", "ranked"), [
    ("pytorch: []", "master", True), ("pytorch: [--master=a]", "a", True), ("pytorch: []", "a", False), ("mpi: []", "master", False),
])
def test_whether_ranks_are_set(text: str, name: str, ranked: bool) -> None:
    [view] = jobs(manifest(plugins(text, task(name=name))))
    assert sets_ranks(view) is ranked
