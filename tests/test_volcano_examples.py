"""examples/volcano: jobs that mean what Volcano's own example manifests mean.

EXAMPLES says in few words what each manifest of Volcano's repository asks for; the jobs here must ask for the same.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

import hetc
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = ROOT / "examples" / "volcano"
TABLE = ROOT / "docs" / "from" / "volcano-examples.md"
MANAGED = {"app.kubernetes.io/managed-by": "hetc"}
#: What Volcano takes where a manifest says nothing.
RETRIES = 3


@dataclass(frozen=True)
class Task:
    """What a manifest says of a task. `ours`: our tasks that its pods are in. `pod`: parts of its pods' spec, by path."""

    ours: tuple[str, ...]
    replicas: int
    image: str
    policies: tuple[tuple[str, str], ...] = ()
    after: tuple[str, ...] = ()
    resources: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    annotations: dict[str, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    pod: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Example:
    """What a manifest says. `again`: the kubelet starts its containers again where they fail, with which a gang has nothing to do."""

    source: str
    minimum: int
    tasks: tuple[Task, ...]
    plugins: dict[str, frozenset[str]] = field(default_factory=dict)
    policies: tuple[tuple[str, str], ...] = ()
    retries: int = RETRIES
    again: bool = True
    spec: dict[str, object] = field(default_factory=dict)


LOST = (("PodEvicted", "RestartJob"),)
DONE = (("TaskCompleted", "CompleteJob"),)
PULLED = {"containers/0/imagePullPolicy": "IfNotPresent"}
SVC, ENV, SSH = ({name: frozenset[str]()} for name in ("svc", "env", "ssh"))
LINUX = {**PULLED, "nodeSelector": {"kubernetes.io/os": "linux"}}
SIZE = {"cpu": "100m"}
MXNET = {"DMLC_PS_ROOT_PORT": "9000", "DMLC_PS_ROOT_URI": "$(MASTER_ADDR)", "DMLC_NUM_SERVER": "2", "DMLC_NUM_WORKER": "2",
         "DMLC_USE_KUBERNETES": "1"}
PRIVATE = {**PULLED, "imagePullSecrets": [{"name": "default-secret"}]}
AT_HOME = {"containers/0/workingDir": "/home"}
GUIDE = "docs/user-guide/how_to_"

EXAMPLES = {
    "elastic": Example("example/job.yaml", 3, (Task(("master", "worker"), 6, "nginx", resources={"cpu": "1"}, pod=PULLED),),
                       {**SVC, **ENV, **SSH}, LOST, 5),
    "plugins": Example("example/job-plugin.yaml", 3, (Task(("master", "worker"), 3, "nginx", resources={"cpu": "1"}, pod=PULLED),), {
        **ENV, "ssh": frozenset(("--ssh-key-file-path=/home/user/.ssh",)),
        "svc": frozenset(("--publish-not-ready-addresses=false", "--disable-network-policy=false", "--inject-hosts-env=true")),
    }, LOST, 5),
    "mpi": Example(f"{GUIDE}use_mpi_plugin.md", 1, (
        Task(("master",), 1, "volcanosh/example-mpi", DONE, pod=AT_HOME), Task(("mpiworker",), 2, "volcanosh/example-mpi", pod=AT_HOME),
    ), {**SVC, **SSH, "mpi": frozenset(("--worker=mpiworker", "--port=22"))}),
    "mpi-after-workers": Example("example/task-start-dependency/mpi.yaml", 3, (
        Task(("master",), 1, "volcanosh/example-mpi", DONE, ("mpiworker",), pod=AT_HOME),
        Task(("mpiworker",), 10, "volcanosh/example-mpi", pod=AT_HOME),
    ), {**SVC, **SSH}),
    "pytorch": Example(f"{GUIDE}use_pytorch_plugin.md", 1, (
        Task(("master",), 1, "gcr.io/kubeflow-ci/pytorch-dist-sendrecv-test", DONE, pod=PULLED),
        Task(("worker",), 2, "gcr.io/kubeflow-ci/pytorch-dist-sendrecv-test", pod=AT_HOME),
    ), {**SVC, "pytorch": frozenset((
        "--master=master", "--worker=worker", "--port=23456", "--wait-master-enabled=true", "--wait-master-timeout=600",
        "--wait-master-image=busybox:1.36.1"))}),
    "ray": Example(f"{GUIDE}use_ray_plugin.md", 3, (Task(("master",), 1, "rayproject/ray"), Task(("worker",), 2, "rayproject/ray")), {
        **SVC, "ray": frozenset(("--head=master", "--headContainer=main", "--workerContainer=main"))}, LOST),
    "tensorflow": Example("example/integrations/tensorflow/dist-mnist/tf-dist-mnist-example.yaml", 3, (
        Task(("master",), 1, "volcanosh/dist-mnist-tf-example"), Task(("worker",), 2, "volcanosh/dist-mnist-tf-example", DONE),
    ), {**SVC, **ENV}, LOST, again=False),
    "task-policies": Example(f"{GUIDE}use_job_policy.md", 3, (
        Task(("master",), 1, "volcanosh/dist-mnist-tf-example", (*LOST, ("PodFailed", "RestartJob"))),
        Task(("worker",), 2, "volcanosh/dist-mnist-tf-example", DONE),
    ), {**SVC, **ENV}, again=False),
    "mxnet": Example("example/integrations/mxnet/train/train-mnist-cpu.yaml", 5, (
        Task(("master",), 1, "volcanosh/mxnet-train-mnist-cpu", env={**MXNET, "DMLC_ROLE": "scheduler"}, pod=PRIVATE),
        Task(("server",), 2, "volcanosh/mxnet-train-mnist-cpu", env={**MXNET, "DMLC_ROLE": "server"}, pod=PRIVATE),
        Task(("worker",), 2, "volcanosh/mxnet-train-mnist-cpu", env={**MXNET, "DMLC_ROLE": "worker"}, pod=PRIVATE),
    ), SVC, (*LOST, ("PodFailed", "RestartJob"))),
    "cronjob": Example("example/cronjob/cronjob.yaml", 1, (Task(("master",), 1, "busybox"),), {}, LOST, spec={
        "schedule": "*/5 * * * *", "concurrencyPolicy": "Forbid", "startingDeadlineSeconds": 60, "successfulJobsHistoryLimit": 5,
        "failedJobsHistoryLimit": 3}),
    "dependencies": Example("example/task-start-dependency/job.yaml", 1, (
        Task(("master",), 1, "nginx", resources=SIZE, pod=LINUX), Task(("second",), 5, "nginx", (), ("master",), SIZE, pod=LINUX),
        Task(("third",), 5, "nginx", (), ("second",), SIZE, pod=LINUX),
    )),
    "min-success": Example("docs/design/minsuccess.md", 6, (
        Task(("task",), 5, "ubuntu", resources={"cpu": "1"}, pod=PULLED), Task(("master",), 1, "redis", pod=PULLED),
    ), SVC, spec={"minSuccess": 5}),
    "topology": Example(f"{GUIDE}use_network_topology_aware_scheduling.md", 4, (
        Task(("master", "worker"), 8, "nginx", resources={"cpu": "4"}),
    ), spec={"networkTopology": {"mode": "hard", "highestTierAllowed": 1}}),
    "numa": Example(f"{GUIDE}use_numa_aware.md", 1, (Task(("master",), 1, "alpine", resources={"cpu": "20", "memory": "100Mi"}, pod=PULLED),),
                    spec={"tasks/0/topologyPolicy": "best-effort"}),
    "dra": Example(f"{GUIDE}use_dra_quota.md", 1, (Task(("master",), 1, "nvidia/cuda", resources={"cpu": "2", "memory": "4Gi"}, pod={
        "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu-template"}],
        "containers/0/resources/claims": [{"name": "gpu"}]}),), spec={"queue": "gpu-team"}),
    "resource-strategy": Example(f"{GUIDE}use_resource_strategy_fit_plugin.md", 2, (Task(
        ("master", "worker"), 2, "registry.example/worker", resources={"cpu": "2", "memory": "4Gi"},
        annotations={"volcano.sh/resource-strategy-scoring-type": "LeastAllocated",
                     "volcano.sh/resource-strategy-weight": '{"cpu":2,"memory":1}'}),), {**SVC, **ENV}),
    "ascend": Example(f"{GUIDE}use_vnpu.md", 1, (Task(
        ("master",), 1, "swr.cn-south-1.myhuaweicloud.com/ascendhub/mindie", resources={"huawei.com/npu-core": "8"},
        labels={"app": "infers", "ring-controller.atlas": "ascend-310P", "vnpu-dvpp": "null", "vnpu-level": "low"},
        pod={**PULLED, "nodeSelector": {"host-arch": "huawei-arm"}}),), {**SVC, **ENV, **SSH}, LOST),
}


def compiled(name: str) -> dict:
    outcome = hetc.compile(str(HOME / f"{name}.het"))
    assert outcome.ok
    assert outcome.diagnostics == ()
    (manifest,) = outcome.manifests
    return manifest


def at(node, path: str):
    """What stands at a path such as `containers/0/image`, None where nothing does."""
    for key in path.split("/"):
        node = node[int(key)] if isinstance(node, list) else node.get(key)
        if node is None:
            return None
    return node


def answers(policies: list[dict]) -> set[tuple[str, str]]:
    return {(event, policy["action"]) for policy in policies for event in policy.get("events", [policy.get("event")])}


def meant(policies: tuple[tuple[str, str], ...], again: bool) -> set[tuple[str, str]]:
    """The policies of a manifest, and what a gang without restarts in place needs in their stead: a failure is answered too."""
    failed = {("PodFailed", action) for event, action in policies if event == "PodEvicted" and again}
    return {*policies, *failed}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_job_asks_for_what_the_example_asks_for(name: str) -> None:
    example, manifest = EXAMPLES[name], compiled(name)
    spec = at(manifest, "spec/jobTemplate/spec") or manifest["spec"]
    assert spec["minAvailable"] == example.minimum
    assert spec["maxRetry"] == example.retries
    assert {plugin: frozenset(flags) for plugin, flags in spec["plugins"].items()} == {**SVC, **example.plugins}
    assert answers(spec.get("policies", [])) == meant(example.policies, example.again)
    for path, value in example.spec.items():
        assert at(manifest["spec"], path) == value, path


@pytest.mark.parametrize("name", EXAMPLES)
def test_its_tasks_are_those_of_the_example(name: str) -> None:
    manifest = compiled(name)
    spec = at(manifest, "spec/jobTemplate/spec") or manifest["spec"]
    tasks = {task["name"]: task for task in spec["tasks"]}
    assert sorted(tasks) == sorted(ours for theirs in EXAMPLES[name].tasks for ours in theirs.ours)
    for theirs in EXAMPLES[name].tasks:
        assert sum(tasks[ours]["replicas"] for ours in theirs.ours) == theirs.replicas
        for ours in theirs.ours:
            assert list(differences(tasks[ours], theirs)) == []


def differences(task: dict, theirs: Task) -> Iterator[str]:
    """What a task of ours says otherwise than the example's."""
    pod = task["template"]["spec"]
    container = pod["containers"][0]
    env = {each["name"]: each.get("value") for each in container["env"]}
    resources = container["resources"]
    found = {
        "image": (re.sub(":[^/]*$", "", container["image"]), theirs.image),
        "policies": (answers(task.get("policies", [])), set(theirs.policies)),
        "after": (tuple(at(task, "dependsOn/name") or ()), theirs.after),
        "env": (theirs.env.items() - env.items(), set()),
        "resources": ({name: resources["requests"].get(name) for name in theirs.resources}, theirs.resources),
        "labels": (at(task, "template/metadata/labels") or {}, theirs.labels),
        "annotations": (at(task, "template/metadata/annotations") or {}, theirs.annotations),
        "limits": (resources["limits"], resources["requests"]),
        **{path: (at(pod, path), value) for path, value in theirs.pod.items()},
    }
    for what, (ours, wanted) in found.items():
        if ours != wanted:
            yield f"{what}: {ours} is not {wanted}"


def test_the_flow_has_the_jobs_of_the_example_in_its_order() -> None:
    outcome = hetc.compile(str(HOME / "jobflow" / "test.yaml"))
    *templates, flow = outcome.manifests
    assert (flow["metadata"], flow["spec"]["jobRetainPolicy"]) == ({"name": "test", "namespace": "default", "labels": MANAGED}, "delete")
    waits = {each["name"]: at(each, "dependsOn/targets") for each in flow["spec"]["flows"]}
    assert waits == {"a": None, "b": ["a"], "c": ["b"], "d": ["b"], "e": ["c", "d"]}
    task = Task(("master",), 1, "nginx", resources={"cpu": "1"}, pod=PULLED)
    for template in templates:
        assert (template["spec"]["queue"], template["spec"]["minAvailable"]) == ("default", 1)
        assert list(differences(template["spec"]["tasks"][0], task)) == []
    assert [template["metadata"]["name"] for template in templates] == list("abcde")


def test_every_job_here_is_compared() -> None:
    assert {path.stem for path in HOME.glob("*.het")} == EXAMPLES.keys()


def test_the_table_names_each_with_its_source() -> None:
    rows = TABLE.read_text(encoding="utf-8").splitlines()
    for name, example in EXAMPLES.items():
        assert any(f"`{example.source}`" in row and f"`{name}.het`" in row for row in rows), name
