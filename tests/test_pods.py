"""What the pods of the design example do: each task's SCRIPT under real shells, with variables as a kubelet resolves them."""
from __future__ import annotations

import os
import shutil
import subprocess
from typing import Any

import pytest
import yaml

from hetc.dump import dump
from hetc.inputs import load
from hetc.pipeline import Compiler, Options
from tests.conftest import ROOT
from tests.test_script import kubelet as expand

#: The shells of this machine.
SHELLS = {
    "sh": ["/bin/sh"],
    **{name: [path, *words] for name, *words in (("bash",), ("busybox", "sh")) if (path := shutil.which(name))},
}

STAND_IN = """#!/bin/sh
echo "ran: $(basename "$0") $*"
echo "rank=$AJ_NODE_RANK node_rank=$NODE_RANK world=$WORLD_SIZE addr=$MASTER_ADDR port=$MASTER_PORT"
echo "task=$AJ_TASK_NAME index=$AJ_TASK_INDEX of=$AJ_TASK_REPLICAS nodes=$AJ_NODES gpu_nodes=$AJ_GPU_NODES gpus=$AJ_TOTAL_GPUS"
"""


@pytest.fixture(scope="module")
def job() -> dict[str, Any]:
    unit = Compiler(Options(isolated=True)).job(load(os.path.join(ROOT, "examples", "train.het")), ask_command=True)
    assert unit.document is not None
    document: dict[str, Any] = yaml.safe_load(dump([unit.document]))
    return document


def pod_environment(job: dict[str, Any], task: dict[str, Any], index: int) -> dict[str, str]:
    """The container's variables as a kubelet resolves them: in order, `$(NAME)` seeing only earlier ones."""
    labels = {"volcano.sh/job-name": job["metadata"]["name"], "volcano.sh/task-index": str(index)}
    values: dict[str, str] = {}
    for entry in task["template"]["spec"]["containers"][0]["env"]:
        if "valueFrom" in entry:
            path = entry["valueFrom"]["fieldRef"]["fieldPath"]
            values[entry["name"]] = labels[path.removeprefix("metadata.labels['").removesuffix("']")]
        else:
            values[entry["name"]] = expand(entry["value"], values)
    return values


def run(job: dict[str, Any], task: dict[str, Any], index: int, shell: list[str], folder: str) -> str:
    environment = pod_environment(job, task, index)
    command = [expand(word, environment) for word in task["template"]["spec"]["containers"][0]["command"]]
    assert command[:2] == ["/bin/sh", "-c"]
    done = subprocess.run([*shell, *command[1:]], env={**environment, "PATH": f"{folder}:/usr/bin:/bin"}, capture_output=True, text=True,
                          check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("bin")
    (folder / "python").write_text(STAND_IN)
    (folder / "python").chmod(0o755)
    return str(folder)


@pytest.mark.parametrize("name", SHELLS)
def test_every_pod_sees_its_rank(name: str, job: dict[str, Any], stand_ins: str) -> None:
    last = {"master": "coordinator.py", "a100-worker": "train.py", "h100-worker": "h100_train.py"}
    seen = []
    for task in job["spec"]["tasks"]:
        for index in range(task["replicas"]):
            ran, ranks, counts = run(job, task, index, SHELLS[name], stand_ins).splitlines()[-3:]
            rank = len(seen)
            seen.append(task["name"])
            assert ran == f"ran: python {last[task['name']]}"
            assert ranks == f"rank={rank} node_rank={rank} world=7 addr=train-master-0.train port=29500"
            assert counts == f"task={task['name']} index={index} of={task['replicas']} nodes=7 gpu_nodes=6 gpus=48"
    assert seen == ["master"] + 2 * ["a100-worker"] + 4 * ["h100-worker"]


def test_setup_runs_before_the_command(job: dict[str, Any], stand_ins: str) -> None:
    ran = [line for line in run(job, job["spec"]["tasks"][2], 0, ["/bin/sh"], stand_ins).splitlines() if line.startswith("ran:")]
    assert ran == ["ran: python -m pip install -e .", "ran: python -m pip install transformer-engine", "ran: python h100_train.py"]


def test_a_name_prefix_added_later_reaches_the_address(job: dict[str, Any]) -> None:
    renamed = {**job, "metadata": {"name": "dev-train"}}
    assert pod_environment(renamed, job["spec"]["tasks"][1], 0)["MASTER_ADDR"] == "dev-train-master-0.dev-train"


def test_the_gang_is_whole(job: dict[str, Any]) -> None:
    assert [task["name"] for task in job["spec"]["tasks"]] == ["master", "a100-worker", "h100-worker"]
    assert job["spec"]["minAvailable"] == 7
    assert [task["minAvailable"] for task in job["spec"]["tasks"]] == [1, 2, 4]
