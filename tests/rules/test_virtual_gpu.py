"""HET206: shares of GPUs."""
from __future__ import annotations

import pytest

from hetc.rules.virtual_gpu import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related


def limited(limits: str) -> str:
    """A job whose container has limits at line 14, the first at column 13."""
    return job(task(f"image: b:1\nresources:\n  limits: {{{limits}}}"))


NUMBER = "volcano.sh/vgpu-number"


@pytest.mark.parametrize(("limits", "column", "message", "help"), [
    ("volcano.sh/vgpu-memory: 3000", 22, f"`volcano.sh/vgpu-memory` stands without `{NUMBER}`, so it is a share of one card", f"add `{NUMBER}: 1`"),
    ("volcano.sh/vgpu-cores: 50, volcano.sh/vgpu-memory: 9", 49,
     f"`volcano.sh/vgpu-memory` stands without `{NUMBER}`, so it is a share of one card", f"add `{NUMBER}: 1`"),
    ("volcano.sh/vgpu-memory-percentage: 50", 22, f"`volcano.sh/vgpu-memory-percentage` stands without `{NUMBER}`, so it is a share of one card",
     f"add `{NUMBER}: 1`"),
    (f"{NUMBER}: 1, volcano.sh/vgpu-cores: 101", 72, "`volcano.sh/vgpu-cores` is 101, and counts percent of a card", "write at most `100`"),
    (f"{NUMBER}: 1, volcano.sh/vgpu-memory: 8Gi", 73, "`volcano.sh/vgpu-memory` is 8,589,934,592 MiB, more than any card has", "write `8192`"),
    (f"{NUMBER}: 1, volcano.sh/vgpu-memory: 8G", 73, "`volcano.sh/vgpu-memory` is 8,000,000,000 MiB, more than any card has",
     "write the MiB of one card"),
    ("volcano.sh/gpu-memory: 8Gi", 45, "`volcano.sh/gpu-memory` is 8,589,934,592 MiB, more than any card has", "write `8192`"),
])
def test_wrong(limits: str, column: int, message: str, help: str) -> None:
    assert check_manifest(RULE, limited(limits)) == [Found(14, column, "warning", message, help)]


@pytest.mark.parametrize(("whole", "share"), [
    ("nvidia.com/gpu", NUMBER), ("nvidia.com/mig-1g.10gb", NUMBER), ("nvidia.com/gpu", "volcano.sh/gpu-memory"), ("amd.com/gpu", NUMBER),
])
def test_whole_gpus_and_shares(whole: str, share: str) -> None:
    message = f"the pod asks for whole GPUs, `{whole}`, and for shares of some, `{share}`"
    text = limited(f"{whole}: 1, {share}: 1")
    found = Found(14, 22 + len(whole) + 5, "warning", message, "keep one of the two")
    assert check_manifest(RULE, text) == [found]
    assert related(RULE, text) == [(14, 22, "the whole ones")]
    assert check_manifest(RULE, text, emitted=True) == [found._replace(level="error")]


def test_whole_gpus_and_shares_in_two_containers_of_a_pod() -> None:
    side = f"      - {{name: side, image: b:1, resources: {{limits: {{{NUMBER}: 1}}}}}}\n"
    whole = task("image: b:1\nresources: {limits: {nvidia.com/gpu: 1}}")
    assert len(check_manifest(RULE, job(whole + side))) == 1
    assert check_manifest(RULE, job(whole, task(name="b") + side)) == []


@pytest.mark.parametrize("limits", [
    f"{NUMBER}: 1, volcano.sh/vgpu-memory: 3000, volcano.sh/vgpu-cores: 100", f"{NUMBER}: 1", "nvidia.com/gpu: 8, rdma/hca: 1",
    f"nvidia.com/gpu: 0, {NUMBER}: 1", f"nvidia.com/gpu: 1, {NUMBER}: '0'", f"{NUMBER}: 1, volcano.sh/vgpu-memory: 1048576",
    f"{NUMBER}: 1, volcano.sh/vgpu-memory: lots, volcano.sh/vgpu-cores: true", "volcano.sh/gpu-memory: 1000", "volcano.sh/vgpu-memory: 0",
])
def test_fine(limits: str) -> None:
    assert check_manifest(RULE, limited(limits)) == []


def test_init_containers_have_no_shares() -> None:
    pod = f"initContainers:\n- name: prep\n  resources: {{limits: {{{NUMBER}: 1}}}}"
    assert check_manifest(RULE, job(task(pod=pod))) == [
        Found(13, 32, "warning", f"`{NUMBER}` of init container `prep` is not counted: Volcano gives shares to containers", "leave it out"),
    ]


@pytest.mark.parametrize("amount", ["true", "1.5", "x", "[1]", "{}"])
def test_amounts_that_are_none(amount: str) -> None:
    assert check_manifest(RULE, limited(f"{NUMBER}: 1, volcano.sh/vgpu-cores: {amount}")) == []
