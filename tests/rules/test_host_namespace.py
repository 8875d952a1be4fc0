from __future__ import annotations

import pytest

from hetc.rules.host_namespace import RULE
from tests.rules.checks import check_manifest
from tests.rules.helpers import job, related

POD_HELP = "leave it out; pods of a job reach each other by name"
PORT_HELP = "leave it out; other pods reach the `containerPort` by the pod's name"


@pytest.mark.parametrize(("line", "message"), [
    ("hostNetwork: true", "`hostNetwork: true`, the node's own network"),
    ("hostPID: true", "`hostPID: true`, the node's own processes"),
    ("hostIPC: true", "`hostIPC: true`, the node's own memory and queues"),
    ("host_ipc: true", "`host_ipc: true` (read as `hostIPC`), the node's own memory and queues"),
    ('hostPid: "yes"', "`hostPid: \"yes\"` (read as `hostPID`), the node's own processes; a boolean is meant"),
])
def test_namespaces(line: str, message: str) -> None:
    assert check_manifest(RULE, job(pod=line + "\n")) == [(13, 9, "error", f"task `worker` sets {message}", POD_HELP)]


@pytest.mark.parametrize("line", ["hostNetwork: false", "hostPID: null", "hostIPC: 'false'", "hostUsers: false", "shareProcessNamespace: true"])
def test_no_namespace_of_the_node(line: str) -> None:
    assert check_manifest(RULE, job(pod=line + "\n")) == []


def test_ports() -> None:
    text = job(container="ports: [{containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 0}, {containerPort: 82}]\n",
               pod='initContainers: [{name: prep, ports: [{hostPort: "81"}]}]\n')
    assert check_manifest(RULE, text) == [
        (13, 39, "error", "container `main` sets `hostPort: 80`, a port of the node itself", PORT_HELP),
        (14, 48, "error", 'init container `prep` sets `hostPort: "81"`, a port of the node itself', PORT_HELP),
    ]


def test_through_a_merge_key_the_pod_is_shown() -> None:
    text = "x: &x {hostPID: true}\n" + job(pod="<<: *x\n")
    assert [(found.line, found.column) for found in check_manifest(RULE, text)] == [(1, 8)]
    assert related(RULE, text) == [(11, 9, "it comes to task `worker` here")]
