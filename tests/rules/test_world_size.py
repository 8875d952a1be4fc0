"""HET617: WORLD_SIZE by hand."""
from __future__ import annotations

import pytest

from hetc.rules.world_size import RULE
from tests.rules.checks import Found, check_manifest, job, task


def sized(value: str, plugins: str = "", limits: str = "", pod: str = "") -> str:
    """A master and four workers, which have a variable whose value is at line 15, column 39."""
    worker = f"image: b:1\nenv:\n- {{name: WORLD_SIZE, value: {value}}}\nresources: {{limits: {{{limits}}}}}"
    return job(task(worker, replicas=4, pod=pod), task(name="master"), spec=f"plugins: {{{plugins}}}")


@pytest.mark.parametrize(("value", "limits", "message", "help"), [
    ("'4'", "cpu: 4", "`WORLD_SIZE` is `4`, and the job has 5 pods", "write `5`"),
    ("'9'", "nvidia.com/gpu: x", "`WORLD_SIZE` is `9`, and the job has 5 pods", "write `5`"),
    ("'0'", "cpu: 4", "`WORLD_SIZE` is `0`, and the job has 5 pods", "write `5`"),
    ("'8'", "nvidia.com/gpu: 8", "`WORLD_SIZE` is `8`, and the job has 5 pods and 32 GPUs", "write `5`, or `32` with a process for each GPU"),
    ("'8'", "nvidia.com/gpu: '2', rdma/hca: 1", "`WORLD_SIZE` is `8`, and the job has 5 pods and 8 GPUs", None),
])
def test_another_number(value: str, limits: str, message: str, help: str | None) -> None:
    assert check_manifest(RULE, sized(value, limits=limits)) == ([Found(15, 39, "warning", message, help)] if help else [])
    assert check_manifest(RULE, sized(value, limits=limits), emitted=True) == []


@pytest.mark.parametrize(("value", "plugins", "limits"), [
    ("'5'", "", "cpu: 4"), ("'5'", "", "nvidia.com/gpu: 8"), ("'32'", "", "nvidia.com/gpu: 8"), ("'4'", "", "huawei.com/Ascend910: 1"),
    ("$(N)", "", ""), ("many", "", ""), ("5", "", ""),
    ("'9'", "pytorch: []", ""),  # the plugin's own value wins
])
def test_fine(value: str, plugins: str, limits: str) -> None:
    assert check_manifest(RULE, sized(value, plugins, limits)) == []


def test_where_pytorch_has_no_master_the_value_stays() -> None:
    assert len(check_manifest(RULE, sized("'9'", "pytorch: [--master=chief]"))) == 1


def test_init_containers_do_not_get_the_plugin_s_value() -> None:
    pod = "initContainers: [{name: a, image: b:1, env: [{name: WORLD_SIZE, value: '9'}]}]"
    assert len(check_manifest(RULE, sized("'5'", "pytorch: []", pod=pod))) == 1
