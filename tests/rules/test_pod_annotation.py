"""HET110: annotations of pods that Kubernetes reads."""
from __future__ import annotations

import json

import pytest

from hetc.rules.pod_annotation import RULE
from tests.rules.checks import Found, check_het, check_manifest
from tests.rules.helpers import job

SECCOMP = "seccomp.security.alpha.kubernetes.io/pod"
APPARMOR = "container.apparmor.security.beta.kubernetes.io/main"
COST = "controller.kubernetes.io/pod-deletion-cost"
TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations"


def annotated(key: str, value: str, pod: str = "") -> list[Found]:
    """The key is at line 9, column 32."""
    metadata = f"    template:\n      metadata: {{annotations: {{{json.dumps(key)}: {json.dumps(value)}}}}}\n"
    return check_manifest(RULE, job(pod=pod).replace("    template:\n", metadata))


def test_a_mirror_pod() -> None:
    assert annotated("kubernetes.io/config.mirror", "") == [Found(
        9, 32, "error", "annotation `kubernetes.io/config.mirror` is the kubelet's own, and makes the pod one that must have a `nodeName`",
        "leave it out")]
    assert annotated("kubernetes.io/config.mirror", "x", "nodeName: a\n") == []
    assert annotated("kubernetes.io/config.source", "api") == []


@pytest.mark.parametrize("value", ["", "+5", "05", "2147483648", "-2147483649", "-", "1.5", "high", " 1", "9" * 50])
def test_the_cost_of_deletion(value: str) -> None:
    short = value
    assert annotated(COST, value) == [
        Found(9, 32, "error", f"annotation `{COST}` takes a whole number of 32 bits, not `{short}`",
              "write a number without leading zeros, such as `100`")]


@pytest.mark.parametrize("value", ["0", "5", "-5", "-05", "-0", "2147483647", "-2147483648"])
def test_costs_that_are_fine(value: str) -> None:
    assert annotated(COST, value) == []


@pytest.mark.parametrize("value", ["x", "{}", "[1]", "5", "[" * 100_000])
def test_tolerations(value: str) -> None:
    assert annotated(TOLERATIONS, value) == [
        Found(9, 32, "error", f"annotation `{TOLERATIONS}` takes a JSON list of tolerations",
              "leave it out, and write `tolerations:` in the pod")]


@pytest.mark.parametrize("value", ["", "[]", "null", '[{"key": "a", "operator": "Exists"}]'])
def test_tolerations_that_are_fine(value: str) -> None:
    assert annotated(TOLERATIONS, value) == []


@pytest.mark.parametrize(("key", "value"), [
    (SECCOMP, ""), (SECCOMP, "default"), (SECCOMP, "localhost//a"), (SECCOMP, "localhost/../a"),
    ("container.seccomp.security.alpha.kubernetes.io/any", "x"),
])
def test_seccomp(key: str, value: str) -> None:
    assert annotated(key, value) == [
        Found(9, 32, "error", f"annotation `{key}` takes a seccomp profile, not `{value}`", "write `runtime/default`")]


@pytest.mark.parametrize("value", ["runtime/default", "docker/default", "unconfined", "localhost/a", "localhost/a..b"])
def test_seccomp_that_is_fine(value: str) -> None:
    assert annotated(SECCOMP, value) == []


def test_apparmor() -> None:
    assert annotated(APPARMOR, "docker/default") == [
        Found(9, 32, "error", f"annotation `{APPARMOR}` takes an AppArmor profile, not `docker/default`", "write `runtime/default`")]
    other = APPARMOR.replace("/main", "/mian")
    assert annotated(other, "runtime/default") == [
        Found(9, 32, "error", f"annotation `{other}` names container `mian`, which the task does not have", "name one of its containers")]
    assert annotated(other, "", "initContainers: [{name: mian, image: a.example/b:1}]\n") == []
    for value in ("", "runtime/default", "unconfined", "localhost/a"):
        assert annotated(APPARMOR, value) == []


def test_in_a_het_file() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [run]\nannotations: {kubernetes.io/config.mirror: x}\n"
    assert [each[:3] for each in check_het("HET110", text)] == [(5, 15, "error")]
    assert check_het("HET110", text.replace("config.mirror", "mirror")) == []
