"""HET585: resize policies."""
from __future__ import annotations

import pytest

from hetc.rules.resize_policy import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job, related


def container(policies: str) -> list[Found]:
    """The policies begin at line 13, column 26."""
    return check_manifest(RULE, job(container=f"resizePolicy: [{policies}]\n"))


@pytest.mark.parametrize(("policies", "message", "help"), [
    ("{resourceName: gpu, restartPolicy: NotRequired}", "`gpu` is no resource that changes while a container runs", "write `cpu`"),
    ("{resourceName: cpu, restartPolicy: notRequired}", "`notRequired` is no resize policy", "write `NotRequired`"),
    ("{resourceName: cpu, restartPolicy: NotRequired}, {resourceName: cpu, restartPolicy: NotRequired}", "resource `cpu` has two resize policies",
     "keep one of the two"),
])
def test_policies(policies: str, message: str, help: str) -> None:
    assert [each[2:] for each in container(policies)] == [("error", message, help)]


def test_a_pod_that_is_not_restarted() -> None:
    text = job(container="resizePolicy: [{resourceName: cpu, restartPolicy: RestartContainer}]\n", pod="restartPolicy: Never\n")
    assert check_manifest(RULE, text) == [
        Found(13, 61, "error", "the container would be restarted, and the pod's `restartPolicy` is `Never`", "write `NotRequired`")]
    assert check_manifest(RULE, text.replace("Never", "OnFailure")) == []
    assert check_manifest(RULE, text.replace("RestartContainer", "NotRequired")) == []


def test_an_init_container() -> None:
    policy = "resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}]"
    assert check_manifest(RULE, job(pod=f"initContainers: [{{name: i, {policy}}}]\n")) == [
        Found(13, 36, "error", "init container `i` has a resize policy", "leave it out: its resources do not change")]
    assert check_manifest(RULE, job(pod=f"initContainers: [{{name: i, restartPolicy: Always, {policy}}}]\n")) == []


@pytest.mark.parametrize("policies", ["", "x", "{}", "{resourceName: 5, restartPolicy: 6}", "{resourceName: memory, restartPolicy: RestartContainer}"])
def test_policies_that_are_fine(policies: str) -> None:
    assert container(policies) == []


def test_the_place_beside() -> None:
    policy = "{resourceName: cpu, restartPolicy: NotRequired}"
    assert related(RULE, job(container=f"resizePolicy: [{policy}, {policy}]\n")) == [(13, 41, "the other one")]


def test_resources_of_other_types_and_of_both_kinds() -> None:
    assert container("{resourceName: 5}, {resourceName: 5}") == []
    assert container("{resourceName: cpu}, {resourceName: memory}") == []
    assert [each[2:] for each in container("{resourceName: disk}, {restartPolicy: zzz}")] == [
        ("error", "`disk` is no resource that changes while a container runs", "write `cpu` or `memory`"),
        ("error", "`zzz` is no resize policy", "write `NotRequired` or `RestartContainer`"),
    ]
