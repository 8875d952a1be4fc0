"""HET516: probes, hooks and restarts."""
from __future__ import annotations

import pytest

from hetc.rules.container_life import RULE
from tests.rules.checks import Found, check_manifest, job, task


def init(fields: str) -> str:
    return job(task(pod=f"initContainers:\n- {{name: prep, image: a.example/b:1, {fields}}}"))


def test_probes_of_an_init_container() -> None:
    assert check_manifest(RULE, init("lifecycle: {}, livenessProbe: {}, readinessProbe: {}, startupProbe: {}")) == [
        Found(12, 46, "error",
              "init container `prep` has a `lifecycle`, and ends before anybody looks",
              "leave it out, or add `restartPolicy: Always` if it is a sidecar"),
        Found(12, 61, "error",
              "init container `prep` has a `livenessProbe`, and ends before anybody looks",
              "leave it out, or add `restartPolicy: Always` if it is a sidecar"),
        Found(12, 80, "error",
              "init container `prep` has a `readinessProbe`, and ends before anybody looks",
              "leave it out, or add `restartPolicy: Always` if it is a sidecar"),
        Found(12, 100, "error",
              "init container `prep` has a `startupProbe`, and ends before anybody looks",
              "leave it out, or add `restartPolicy: Always` if it is a sidecar"),
    ]


def test_restart_policy_of_an_init_container() -> None:
    assert check_manifest(RULE, init("restartPolicy: OnFailure")) == [
        Found(12, 61, "error",
              "`restartPolicy` of init container `prep` is `OnFailure`, and only `Always` is taken",
              "leave it out, or write `Always` for a sidecar"),
    ]


def test_restart_policy_of_a_container() -> None:
    assert check_manifest(RULE, job(task("image: a.example/b:1\nrestartPolicy: Always"))) == [
        Found(13, 11, "error", "container `main` has a `restartPolicy` of its own", "move it to the pod, beside `containers`"),
    ]


def test_restart_rules() -> None:
    assert check_manifest(RULE, job(task("image: a.example/b:1\nrestartPolicyRules: []"))) == [
        Found(13, 11, "error",
              "container `main` has restart rules, which Volcano does not take",
              "write policies of the job or task instead"),
    ]


@pytest.mark.parametrize("text", [
    init("restartPolicy: Always, readinessProbe: {}, lifecycle: {}"),
    init("readinessProbe: , restartPolicy: "),
    job(task("image: a.example/b:1\nlivenessProbe: {}\nlifecycle: {}\nrestartPolicy: ")),
    init("restartPolicy: [x]"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def hook(keys: str, pod: str = "") -> list[str]:
    return [each.message for each in check_manifest(RULE, job(task(f"image: a.example/b:1\nlifecycle: {{{keys}}}", pod=pod)))]


def test_a_hook_that_sleeps() -> None:
    assert check_manifest(RULE, job(task("image: a.example/b:1\nlifecycle: {preStop: {sleep: {seconds: 31}}}"))) == [
        Found(13, 50, "error", "`preStop` sleeps for 31 seconds, longer than the 30 seconds that the pod has to end in",
              "write less, or raise `terminationGracePeriodSeconds`")]
    assert hook("postStart: {sleep: {seconds: 0}}") == ["`postStart` sleeps for 0 seconds, and must be at least 1"]
    assert hook("preStop: {sleep: {seconds: 30}}") == hook("preStop: {sleep: {seconds: 60}}", "terminationGracePeriodSeconds: 60") == []
    assert hook("preStop: {sleep: {seconds: 2}}", "terminationGracePeriodSeconds: 1") != []
    assert hook("preStop: {sleep: {seconds: x}}") == hook("preStop: x") == []


def test_a_signal() -> None:
    assert hook("stopSignal: SIGTERM") == ["the container names a `stopSignal`, and the pod no system"]
    assert hook("stopSignal: SIGTERM", "os: {name: linux}") == hook("stopSignal: SIGRTMAX-14", "os: {name: linux}") == []
    assert hook("stopSignal: TERM", "os: {name: linux}") == ["`TERM` is no signal of `linux`"]
    assert hook("stopSignal: SIGHUP", "os: {name: windows}") == ["`SIGHUP` is no signal of `windows`"]
    assert hook("stopSignal: SIGHUP", "os: {name: beos}") == []


@pytest.mark.parametrize(("seconds", "wrong", "help"), [
    (0, "`preStop` sleeps for 0 seconds, and must be at least 1", "write `1`"),
    (4, "`preStop` sleeps for 4 seconds, longer than the 3 seconds that the pod has to end in",
     "write less, or raise `terminationGracePeriodSeconds`"),
])
def test_what_to_sleep(seconds: int, wrong: str, help: str) -> None:
    container = f"image: a.example/b:1\nlifecycle: {{preStop: {{sleep: {{seconds: {seconds}}}}}}}"
    assert check_manifest(RULE, job(task(container, pod="terminationGracePeriodSeconds: 3"))) == [Found(14, 50, "error", wrong, help)]


@pytest.mark.parametrize("grace", [0, 1])
def test_a_pod_that_ends_at_once_has_a_second(grace: int) -> None:
    pod = f"terminationGracePeriodSeconds: {grace}"
    assert hook("preStop: {sleep: {seconds: 1}}", pod) == []
    assert hook("preStop: {sleep: {seconds: 2}}", pod) == ["`preStop` sleeps for 2 seconds, longer than the 1 seconds that the pod has to end in"]


@pytest.mark.parametrize(("signal", "pod", "message", "help"), [
    ("SIGTERM", "", "the container names a `stopSignal`, and the pod no system", "add `os: {name: linux}` to the pod"),
    ("SIGTERMX", "os: {name: linux}", "`SIGTERMX` is no signal of `linux`", "write `SIGTERM`"),
    ("9", "os: {name: linux}", "`9` is no signal of `linux`", "write `SIGINT`, `SIGQUIT` or `SIGTERM`"),
])
def test_what_to_write_for_a_signal(signal: str, pod: str, message: str, help: str) -> None:
    [found] = check_manifest(RULE, job(task(f"image: a.example/b:1\nlifecycle: {{stopSignal: '{signal}'}}", pod=pod)))
    assert found[2:] == ("error", message, help)


def test_a_signal_that_is_no_text() -> None:
    assert hook("stopSignal: 9") == hook("stopSignal: 9", "os: {name: linux}") == []
