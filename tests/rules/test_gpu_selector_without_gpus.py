"""HET704: a GPU product is selected and no GPU asked for."""
from __future__ import annotations

import pytest

from hetc.rules.gpu_selector_without_gpus import RULE
from tests.rules.checks import Found, check_het, check_manifest, job, task

AFFINITY = """\
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
      - matchExpressions: [{key: nvidia.com/gpu.product, operator: OPERATOR, values: [NVIDIA-L4]}]
"""
SELECTOR = "nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}"


def message(label: str) -> tuple[str, str]:
    return f"task `worker` selects nodes by `{label}` and asks for no GPU", f"ask for GPUs, or leave `{label}` out"


@pytest.mark.parametrize("label", ["nvidia.com/gpu.product", "amd.com/gpu.product-name"])
def test_selector(label: str) -> None:
    assert check_manifest(RULE, job(task(pod=f"nodeSelector: {{{label}: x}}"))) == [Found(11, 24, "warning", *message(label))]


def test_affinity() -> None:
    text = job(task(pod=AFFINITY.replace("OPERATOR", "In")))
    assert check_manifest(RULE, text) == [Found(15, 42, "warning", *message("nvidia.com/gpu.product"))]


@pytest.mark.parametrize("operator", ["NotIn", "DoesNotExist"])
def test_staying_away_from_gpus_is_fine(operator: str) -> None:
    assert check_manifest(RULE, job(task(pod=AFFINITY.replace("OPERATOR", operator)))) == []


@pytest.mark.parametrize("resource", ["nvidia.com/gpu", "nvidia.com/mig-1g.5gb", "volcano.sh/vgpu-number", "amd.com/gpu"])
@pytest.mark.parametrize("part", ["limits", "requests"])
def test_gpus(resource: str, part: str) -> None:
    assert check_manifest(RULE, job(task(f"resources: {{{part}: {{{resource}: 1}}}}", pod=SELECTOR))) == []


def test_claims_may_bring_gpus() -> None:
    assert check_manifest(RULE, job(task(pod=SELECTOR + "\nresourceClaims: [{name: gpu}]"))) == []


def test_het() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: [python x.py]\nnode_selector: {nvidia.com/gpu.product: NVIDIA-L4}\n"
    assert [found[:3] for found in check_het("HET704", text)] == [(5, 17, "warning")]
    assert check_het("HET704", text.replace("mem=1Gi", "mem=1Gi, gpu=1")) == []


def test_the_sites_own_label() -> None:
    text = "1*master<cpu=1, mem=1Gi, select[pool=big]>\n---\nimage: b:1\ncommand: [python x.py]\n"
    assert check_het("HET704", text) == []
    assert [found[:3] for found in check_het("HET704", text, '[gpu]\nproduct_label = "pool"\n')] == [(1, 33, "warning")]
