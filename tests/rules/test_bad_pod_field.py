"""HET502: fields of a pod with few values, and the working directory."""
from __future__ import annotations

import pytest

from hetc.rules.bad_pod_field import PATHS, RULE
from tests.rules.checks import Found, check_manifest, job, task


def variable(path: str) -> str:
    return job(task(f'image: a.example/b:1\nenv:\n- name: A\n  valueFrom: {{fieldRef: {{fieldPath: "{path}"}}}}'))


def test_pull_policy() -> None:
    text = job(task("imagePullPolicy: ifnotpresent"))
    assert check_manifest(RULE, text) == [Found(12, 28, "error", "`ifnotpresent` is no `imagePullPolicy`", "write `IfNotPresent`")]


def test_restart_policy() -> None:
    text = job(task(pod="restartPolicy: Sometimes"))
    assert check_manifest(RULE, text) == [
        Found(11, 24, "error", "`Sometimes` is no `restartPolicy`", "write `Always`, `Never` or `OnFailure`")]


@pytest.mark.parametrize("policy", ["Always", "Never", "OnFailure"])
def test_restart_policies(policy: str) -> None:
    assert check_manifest(RULE, job(task("imagePullPolicy: IfNotPresent", pod=f"restartPolicy: {policy}"))) == []


def test_working_directory() -> None:
    message = "working directory `$(HOME)/w` is not absolute, and no container starts in it"
    assert check_manifest(RULE, job(task("workingDir: $(HOME)/w"))) == [Found(12, 23, "error", message, "write the path from `/` on")]
    assert check_manifest(RULE, job(task("workingDir: /"))) == []
    assert check_manifest(RULE, job(task('workingDir: ""'))) == []


@pytest.mark.parametrize(("path", "wrong", "help"), [
    ("metadata.nam", "is no field that a variable can take", "write `metadata.name`"),
    ("status.podIp", "is no field that a variable can take", "write `status.podIP`"),
    ("metadata.labels", "is no field that a variable can take", "write `metadata.labels['KEY']`"),
    ("metadata.labels.team", "is no field that a variable can take", "write `metadata.labels['team']`"),
    ("metadata.labels['a b']",
     "has no key of labels in its brackets: `a b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed",
     "write `metadata.labels['KEY']`"),
    ("metadata.labels['Example.com/a']",
     "has no key of labels in its brackets: `Example.com` has `E`, and only a-z, 0-9, `-` and `.` are allowed",
     "write `metadata.labels['KEY']`"),
    ("node", "is no field that a variable can take",
     "write one of " + ", ".join(f"`{each}`" for each in PATHS) + ", `metadata.labels['KEY']`"),
    ("metadata.annotations['']", "has no key of annotations in its brackets: the name is empty", "write `metadata.annotations['KEY']`"),
])
def test_field_path(path: str, wrong: str, help: str) -> None:
    assert check_manifest(RULE, variable(path)) == [Found(15, 47, "error", f"field path `{path}` {wrong}", help)]


def test_a_path_that_is_no_text() -> None:
    assert check_manifest(RULE, variable("5").replace('"5"', "5")) == []


@pytest.mark.parametrize("path", [*PATHS, "metadata.labels['volcano.sh/task-index']", "metadata.annotations['Example.com/a']"])
def test_field_paths(path: str) -> None:
    assert check_manifest(RULE, variable(path)) == []


@pytest.mark.parametrize(("template", "place"), [
    ("template: {spec: {containers: []}}", (9, 23)),
    ("template: {spec: {containers: }}", (9, 23)),
    ("template: {spec: {}}", (7, 5)),
    ("maxRetry: 3", (7, 5)),
])
def test_no_containers(template: str, place: tuple[int, int]) -> None:
    text = job(f"- name: worker\n  replicas: 1\n  {template}")
    assert check_manifest(RULE, text) == [
        Found(*place, "error", "task `worker` has no containers", "add `containers:` with one that has a name and an image")]


@pytest.mark.parametrize(("line", "place", "message", "help"), [
    ("dnsPolicy: clusterfirst", (11, 20), "`clusterfirst` is no `dnsPolicy`", "write `ClusterFirst`"),
    ("dnsPolicy: None", (11, 20), "`dnsPolicy` is `None`, and no name server is given",
     "add `dnsConfig: {nameservers: [ADDRESS]}`, or write `ClusterFirst`"),
    ("preemptionPolicy: Sometimes", (11, 27), "`Sometimes` is no `preemptionPolicy`", "write `Never` or `PreemptLowerPriority`"),
    ("activeDeadlineSeconds: 0", (11, 32), "`activeDeadlineSeconds` is 0, and lies between 1 and 2147483647",
     "write at least 1, or leave it out for no deadline"),
    ("activeDeadlineSeconds: 2147483648", (11, 32), "`activeDeadlineSeconds` is 2147483648, and lies between 1 and 2147483647",
     "write at least 1, or leave it out for no deadline"),
])
def test_fields_of_a_pod(line: str, place: tuple[int, int], message: str, help: str) -> None:
    assert check_manifest(RULE, job(task(pod=line))) == [Found(*place, "error", message, help)]


@pytest.mark.parametrize("line", [
    "dnsPolicy: ClusterFirstWithHostNet", "dnsPolicy: None\ndnsConfig: {nameservers: [10.0.0.1]}", 'dnsPolicy: ""', "dnsPolicy: ",
    "preemptionPolicy: Never", "activeDeadlineSeconds: 1", "activeDeadlineSeconds: 2147483647", "activeDeadlineSeconds: x",
])
def test_sound_fields_of_a_pod(line: str) -> None:
    assert check_manifest(RULE, job(task(pod=line))) == []


def test_termination_message() -> None:
    text = job(task("image: a.example/b:1\nterminationMessagePolicy: file"))
    assert check_manifest(RULE, text) == [Found(13, 37, "error", "`file` is no `terminationMessagePolicy`", "write `File`")]
    assert check_manifest(RULE, text.replace(": file", ": FallbackToLogsOnError")) == []
