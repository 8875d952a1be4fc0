"""HET703: namespaces that Volcano's webhooks skip."""
from __future__ import annotations

import pytest

from hetc.rules.skipped_namespace import RULE
from tests.rules.checks import Found, check_het, check_manifest


@pytest.mark.parametrize("namespace", ["kube-system", "volcano-system"])
@pytest.mark.parametrize("version", ["batch.volcano.sh/v1alpha1", "scheduling.volcano.sh/v1beta1"])
def test_skipped(namespace: str, version: str) -> None:
    message = f"Volcano's webhooks skip the namespace `{namespace}`: nothing is checked or filled in there"
    text = f"apiVersion: {version}\nkind: Job\nmetadata:\n  namespace: {namespace}\n"
    assert check_manifest(RULE, text) == [Found(4, 14, "warning", message, "choose another namespace")]


def test_a_group_without_its_version() -> None:
    assert len(check_manifest(RULE, "apiVersion: batch.volcano.sh\nmetadata: {namespace: kube-system}\n")) == 1


@pytest.mark.parametrize("head", [
    "apiVersion: batch.volcano.sh/v1alpha1\nmetadata: {namespace: kube-public}", "apiVersion: batch/v1\nmetadata: {namespace: kube-system}",
    "apiVersion: batch.volcano.sh/v1alpha1\nmetadata: {}", "metadata: {namespace: kube-system}",
])
def test_others(head: str) -> None:
    assert check_manifest(RULE, head) == []


def test_het() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\nnamespace: volcano-system\ncommand: [python x.py]\n"
    assert [found[:3] for found in check_het("HET703", text)] == [(4, 12, "warning")]
