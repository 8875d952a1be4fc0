"""HET615: ports that plugins open beside others."""
from __future__ import annotations

import pytest

from hetc.rules.plugin_port import RULE
from tests.rules.checks import Found, check_het, check_manifest, job, task
from tests.rules.helpers import related


def ports(text: str, name: str = "master", container: str = "main") -> str:
    """A task whose ports begin at line 14, column 19, in a job with one line of plugins."""
    return task(f"image: b:1\nports: [{text}]", name=name).replace("name: main", f"name: {container}")


def plugins(text: str, *tasks: str) -> str:
    return job(*tasks, spec=f"plugins: {{{text}}}")


@pytest.mark.parametrize(("text", "tasks", "name", "plugin", "number"), [
    ("pytorch: []", [ports("{name: pytorchjob-port, containerPort: 8080}")], "pytorchjob-port", "pytorch", 23456),
    ("pytorch: [--port=99]", [ports("{name: pytorchjob-port, containerPort: 23456}")], "pytorchjob-port", "pytorch", 99),
    ("pytorch: [--port=0x10]", [ports("{name: pytorchjob-port, containerPort: 23456}")], "pytorchjob-port", "pytorch", 16),
    ("mpi: []", [ports("{name: mpijob-port, containerPort: 2222}"), task(name="worker")], "mpijob-port", "mpi", 22),
    ("mpi: []", [ports("{name: mpijob-port, containerPort: 2222}", "worker"), task(name="master")], "mpijob-port", "mpi", 22),
    ("mpi: []", [ports("{name: mpijob-port, containerPort: 2222}", "other"), task(name="master")], "mpijob-port", "mpi", 22),
    ("ray: []", [ports("{name: gcs, containerPort: 1}", "head", "head")], "gcs", "ray", 6379),
    ("ray: []", [ports("{name: dashboard, containerPort: 1}", "head", "head")], "dashboard", "ray", 8265),
    ("ray: [--clientPort=7]", [ports("{name: client-server, containerPort: 1}", "head", "head")], "client-server", "ray", 7),
])
def test_one_name_for_two_ports(text: str, tasks: list[str], name: str, plugin: str, number: int) -> None:
    message = f"port name `{name}` is the one that plugin `{plugin}` gives to port {number}, which it opens in this container"
    assert check_manifest(RULE, plugins(text, *tasks)) == [
        Found(14, 26, "error", message, f"rename the port, or write `containerPort: {number}`"),
    ]


@pytest.mark.parametrize(("text", "tasks"), [
    ("pytorch: []", [ports("{name: pytorchjob-port, containerPort: 23456}")]),
    ("pytorch: []", [ports("{name: pytorchjob-port, containerPort: 8080}, {name: p, containerPort: 23456}")]),
    ("pytorch: []", [ports("{name: web, containerPort: 8080}")]),
    ("pytorch: []", [ports("{name: pytorchjob-port, containerPort: 8080}", "worker")]),  # no master: the plugin does nothing
    ("mpi: []", [ports("{name: mpijob-port, containerPort: 2222}")]),  # no worker: the master gets no port
    ("mpi: [--master=lead]", [ports("{name: mpijob-port, containerPort: 2222}", "lead")]),
    ("ray: []", [ports("{name: gcs, containerPort: 1}", "head", "main")]),
    ("ray: []", [ports("{name: gcs, containerPort: 1}", "worker", "head")]),
    ("svc: []", [ports("{name: pytorchjob-port, containerPort: 8080}")]),
])
def test_fine(text: str, tasks: list[str]) -> None:
    assert check_manifest(RULE, plugins(text, *tasks)) == []


def pair(pod: str, more: str = "") -> str:
    """A master of two containers; the pod's own lines begin at line 12, column 7."""
    return task("image: b:1", name="master", pod=f"{pod}") + f"      - {{name: side, image: b:1{more}}}\n"


def test_one_number_for_two_containers_of_the_host_s_network() -> None:
    message = "port 23456, which plugin `pytorch` opens, is taken in 2 containers, and the host's network has it once"
    found = Found(12, 22, "error", message, "leave `hostNetwork` out, or keep one container in the pod")
    assert check_manifest(RULE, plugins("pytorch: []", pair("hostNetwork: true"))) == [found]
    declared = ", ports: [{containerPort: 23456}]"
    assert check_manifest(RULE, plugins("pytorch: []", pair("hostNetwork: true", declared))) == [found]
    assert check_manifest(RULE, plugins("mpi: []", pair("hostNetwork: true"), task(name="worker")))[0].message.startswith("port 22, ")


@pytest.mark.parametrize(("text", "tasks"), [
    ("pytorch: []", [pair("hostNetwork: false")]), ("pytorch: []", [pair("hostPID: false")]),
    ("svc: []", [pair("hostNetwork: true")]),
    ("pytorch: []", [task(name="master", pod="hostNetwork: true")]),
    ("pytorch: []", [task(name="master", pod="hostNetwork: true\ninitContainers: [{name: a, image: b:1}]")]),
    ("mpi: []", [task(name="master", pod="hostNetwork: true\ninitContainers: [{name: a, image: b:1}]"), task(name="worker")]),
    ("pytorch: []", [pair("hostNetwork: true", ", ports: [{containerPort: 23456, protocol: UDP}]")]),
])
def test_fine_in_the_host_s_network(text: str, tasks: list[str]) -> None:
    assert check_manifest(RULE, plugins(text, *tasks)) == []


@pytest.mark.parametrize(("arguments", "number", "first", "second", "column"), [
    ("--port=8265", 8265, "port", "dashboardPort", 19), ("--dashboardPort=7, --clientPort=7", 7, "dashboardPort", "clientPort", 38),
    ("--clientPort=6379", 6379, "port", "clientPort", 19), ("--port=0x10, --clientPort=16", 16, "port", "clientPort", 32),
])
def test_two_ports_of_one_plugin(arguments: str, number: int, first: str, second: str, column: int) -> None:
    """The Service of the head has each number once, so that it is never made."""
    assert check_manifest(RULE, plugins(f"ray: [{arguments}]", task(name="head"))) == [
        Found(6, column, "error", f"plugin `ray` opens port {number} as both `--{first}` and `--{second}`", "give each a port of its own"),
    ]
    assert check_manifest(RULE, plugins("ray: [--port=1, --clientPort=2, --dashboardPort=3]", task(name="head"))) == []


def test_the_place_beside() -> None:
    assert related(RULE, plugins("pytorch: []", ports("{name: pytorchjob-port, containerPort: 1}"))) == [(6, 13, "the plugin")]
    assert related(RULE, plugins("pytorch: []", pair("hostNetwork: true"))) == [(6, 13, "the plugin")]


def test_in_the_words_of_the_overlay() -> None:
    text = "1*master<cpu=1, mem=1Gi> + 1*worker<cpu=1, mem=1Gi>\n---\nimage: b:1\nplugins: {ray: {port: 8265}}\n"
    assert [each.message for each in check_het("HET615", text)] == ["plugin `ray` opens port 8265 as both `port` and `dashboard_port`"]
