"""HET517: probes and hooks."""
from __future__ import annotations

import pytest

from hetc.rules.bad_probe import PROBES, RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related


def probe(*lines: str) -> str:
    return job(task("image: a.example/b:1\n" + "".join(f"{line}\n" for line in lines)))


def test_nothing() -> None:
    assert check_manifest(RULE, probe("livenessProbe: {periodSeconds: 3}", "lifecycle: {preStop: {}}")) == [
        Found(13, 11, "error", "`livenessProbe` does nothing", "write one of `exec`, `grpc`, `httpGet`, `tcpSocket`"),
        Found(14, 23, "error", "`preStop` does nothing", "write one of `exec`, `httpGet`, `sleep`, `tcpSocket`"),
    ]


def test_two_things() -> None:
    assert check_manifest(RULE, probe("readinessProbe: {exec: {command: [a]}, httpGet: {port: 80}}", "lifecycle: {postStart: {sleep: {seconds: 1}, tcpSocket: {port: 80}}}")) == [
        Found(13, 50, "error", "`readinessProbe` does both `exec` and `httpGet`", "keep one of the two"),
        Found(14, 56, "error", "`postStart` does both `sleep` and `tcpSocket`", "keep one of the two"),
    ]


def test_a_hook_by_grpc() -> None:
    assert check_manifest(RULE, probe("lifecycle: {preStop: {grpc: {port: 80}}}")) == [
        Found(13, 23, "error", "`preStop` does nothing", "write one of `exec`, `httpGet`, `sleep`, `tcpSocket`"),
    ]


def test_ports() -> None:
    assert check_manifest(RULE, probe("livenessProbe: {httpGet: {port: 0}}", "readinessProbe: {tcpSocket: {port: 65536}}", "startupProbe: {grpc: {port: -1}}")) == [
        Found(13, 43, "error", "the port is 0, and ports are from 1 to 65535", "write a number from 1 to 65535"),
        Found(14, 46, "error", "the port is 65536, and ports are from 1 to 65535", "write a number from 1 to 65535"),
        Found(15, 39, "error", "the port is -1, and ports are from 1 to 65535", "write a number from 1 to 65535"),
    ]


def test_port_names() -> None:
    assert check_manifest(RULE, probe("livenessProbe: {httpGet: {port: '80'}}", "readinessProbe: {tcpSocket: {port: A_b}}")) == [
        Found(13, 43, "error", "no legal port name: `80` has no letter", "write `80` without quotes"),
        Found(14, 46, "error",
              "no legal port name: `A_b` has `A`, and only a-z, 0-9 and `-` are allowed",
              "write a number, or the name of one of the ports"),
    ]


def test_no_command() -> None:
    assert check_manifest(RULE, probe("livenessProbe: {exec: {}}", "readinessProbe: {exec: {command: []}}")) == [
        Found(13, 27, "error", "`exec` of `livenessProbe` has no command", "add `command: [PROGRAM]`"),
        Found(14, 28, "error", "`exec` of `readinessProbe` has no command", "add `command: [PROGRAM]`"),
    ]


def test_successes() -> None:
    assert check_manifest(RULE, probe("livenessProbe: {exec: {command: [a]}, successThreshold: 2}", "startupProbe: {exec: {command: [a]}, successThreshold: 3}")) == [
        Found(13, 67, "error", "`successThreshold` of a `livenessProbe` is 2, and only 1 is taken", "write `1`"),
        Found(14, 66, "error", "`successThreshold` of a `startupProbe` is 3, and only 1 is taken", "write `1`"),
    ]


def test_scheme() -> None:
    assert check_manifest(RULE, probe("livenessProbe: {httpGet: {port: 80, scheme: https}}")) == [
        Found(13, 55, "error", "`https` is no scheme", "write `HTTP` or `HTTPS`"),
    ]


@pytest.mark.parametrize("text", [
    probe("livenessProbe: {exec: {command: [a]}, successThreshold: 1}", "readinessProbe: {httpGet: {port: web, scheme: HTTPS}, successThreshold: 3}", "startupProbe: {grpc: {port: 65535}, successThreshold: 0}"),
    probe("lifecycle: {postStart: {exec: {command: [a]}}, preStop: {sleep: {seconds: 3}}}"),
    probe("livenessProbe: ", "readinessProbe: x", "lifecycle: {preStop: }"),
    probe("livenessProbe: {httpGet: {port: {}, scheme: 3}}", "readinessProbe: {httpGet: {port: 1}}", "startupProbe: {grpc: {port: A_b}}"),
    probe("livenessProbe: {exec: {command: [a]}, terminationGracePeriodSeconds: x}", "readinessProbe: {exec: {command: [a]}, terminationGracePeriodSeconds: x}"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_grace() -> None:
    text = probe(*(f"{name}: {{exec: {{command: [a]}}, terminationGracePeriodSeconds: 0}}" for name in PROBES))
    assert check_manifest(RULE, text) == [
        Found(13, 80, "error", "`terminationGracePeriodSeconds` of a `livenessProbe` is 0, and must be at least 1", "write `1`"),
        Found(14, 50, "error", "a `readinessProbe` ends no container, and has no grace period", "leave it out"),
        Found(15, 79, "error", "`terminationGracePeriodSeconds` of a `startupProbe` is 0, and must be at least 1", "write `1`"),
    ]
    assert check_manifest(RULE, probe("livenessProbe: {exec: {command: [a]}, terminationGracePeriodSeconds: 1}")) == []


@pytest.mark.parametrize(("name", "is_fine"), [("X-Probe", True), ("a1", True), ("a b", False), ("", False), ("X_Probe", False)])
def test_headers(name: str, is_fine: bool) -> None:
    text = probe(f"startupProbe: {{httpGet: {{port: 80, httpHeaders: [{{name: '{name}', value: x}}]}}}}")
    assert check_manifest(RULE, text) == ([] if is_fine else [
        Found(13, 67, "error", f"`{name}` is no name of a header", "write letters, digits and `-`, as in `X-Probe`")])


def test_the_place_beside() -> None:
    assert related(RULE, probe("readinessProbe: {httpGet: {port: 80}, exec: {command: [a]}}")) == [(13, 49, "the other one")]
