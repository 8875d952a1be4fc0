"""HET605: variables that a plugin sets."""
from __future__ import annotations

import pytest

from hetc.rules.plugin_variable import RULE
from tests.rules.checks import Found, check_het, check_manifest, compile_het, job, task
from tests.rules.helpers import related

HEAD = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: [python x.py]\n"
HELP = "choose another name, or leave it to the plugin"


def env(plugins: str, name: str, task_name: str = "gpu-worker", more: str = "") -> str:
    """A job with a variable whose name is at line 15, column 20."""
    return job(task(f"image: b:1\nenv:\n- {{name: {name}, value: x}}{more}", name=task_name), spec=f"plugins: {{{plugins}}}")


@pytest.mark.parametrize(("plugins", "name", "plugin"), [
    ("svc: []", "VC_GPU_WORKER_HOSTS", "svc"), ("svc: []", "VC_GPU_WORKER_NUM", "svc"), ("mpi: []", "VC_GPU_WORKER_NUM", "svc"),
    ("env: []", "VC_TASK_INDEX", "env"), ("env: []", "VK_TASK_INDEX", "env"), ("tensorflow: []", "TF_CONFIG", "tensorflow"),
    ("pytorch: [--master=gpu-worker]", "MASTER_ADDR", "pytorch"), ("pytorch: [--master=gpu-worker]", "MASTER_PORT", "pytorch"), ("pytorch: [--master=gpu-worker]", "WORLD_SIZE", "pytorch"),
    ("pytorch: [--master=gpu-worker]", "RANK", "pytorch"), ("mpi: [--master=gpu-worker]", "MPI_HOST", "mpi"),
])
def test_set(plugins: str, name: str, plugin: str) -> None:
    message = f"variable `{name}` is set by the plugin `{plugin}`, whose value wins"
    text = env(plugins, name)
    assert check_manifest(RULE, text) == [Found(15, 20, "warning", message, HELP)]
    assert check_manifest(RULE, text, emitted=True) == [Found(15, 20, "error", message, HELP)]


@pytest.mark.parametrize(("plugins", "name"), [
    ("svc: []", "VC_OTHER_NUM"), ("svc: []", "VC_TASK_INDEX"), ("svc: [--inject-hosts-env=false]", "VC_GPU_WORKER_NUM"),
    ("env: []", "MASTER_ADDR"), ("pytorch: []", "MASTER_ADDR"), ("pytorch: [--worker=gpu-worker]", "RANK"),
    ("svc: ", "VC_GPU_WORKER_NUM"), ("pytorch: []", "RANK"), ("mpi: []", "MPI_HOST"), ("pytorch: []", "NODE_RANK"),
    ("svc: []", "Job_retryCount"),
])
def test_not_set(plugins: str, name: str) -> None:
    assert check_manifest(RULE, env(plugins, name)) == []


def test_init_containers_get_only_those_of_env_and_svc() -> None:
    pod = "initContainers:\n- name: a\n  env: [{name: MASTER_ADDR}, {name: VC_WORKER_NUM}]"
    found = check_manifest(RULE, job(task(pod=pod), spec="plugins: {pytorch: [--master=worker]}"))
    assert [each[:2] for each in found] == [(14, 45)]


def test_the_plugin_is_a_related_place() -> None:
    assert related(RULE, env("svc: []", "VC_GPU_WORKER_NUM")) == [(6, 13, "the plugin")]
    [diagnostic] = [each for each in compile_het(HEAD + 'env: {VC_W_NUM: "1"}\n') if each.code.code == "HET605"]
    assert diagnostic.related == ()


def test_het() -> None:
    text = HEAD + 'env: {{{}: "1"}}\nplugins: {{env: {{}}}}\n'
    message = "variable `VC_TASK_INDEX` is set by the plugin `env`, whose value wins"
    assert check_het("HET605", text.format("VC_TASK_INDEX")) == [Found(5, 7, "error", message, HELP)]
    assert check_het("HET605", text.format("TASK_INDEX")) == []


@pytest.mark.parametrize(("name", "said"), [("worker", 1), ("tools", 0)])
def test_ranks_are_those_of_master_and_workers(name: str, said: int) -> None:
    variable = "image: b:1\nenv:\n- {name: RANK, value: x}"
    assert len(check_manifest(RULE, job(task(name="master"), task(variable, name=name), spec="plugins: {pytorch: []}"))) == said


STATUS = "1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: x\n"


@pytest.mark.parametrize(("keys", "name", "found"), [
    ("", "Job_retryCount", True), ("values: [running, pending]", "Job_pending", True), ("values: [running]", "Job_retryCount", False),
    ("prefix: S_", "S_retryCount", True), ("prefix: S_", "Job_retryCount", False), ("add_env: false", "Job_retryCount", False),
])
def test_variables_of_status_mounter(keys: str, name: str, found: bool) -> None:
    text = f"{STATUS}plugins: {{status-mounter: {{{keys}}}}}\nenv: {{{name}: a}}\n"
    messages = [each.message for each in check_het("HET605", text, '[volcano]\ndistribution = "cce"\n')]
    assert messages == [f"variable `{name}` is set by the plugin `status-mounter`, whose value wins"] * found
