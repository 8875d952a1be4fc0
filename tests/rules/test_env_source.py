"""HET514: where variables come from."""
from __future__ import annotations

import pytest

from hetc.rules.env_source import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related


def env(*lines: str) -> str:
    return job(task("image: a.example/b:1\nenv:\n" + "".join(f"- {line}\n" for line in lines)))


def test_value_and_source() -> None:
    assert check_manifest(RULE, env("{name: A, value: x, valueFrom: {fieldRef: {fieldPath: metadata.name}}}")) == [
        Found(14, 33, "error", "variable `A` has both `value` and `valueFrom`", "keep one of the two"),
    ]


def test_no_source() -> None:
    assert check_manifest(RULE, env("{name: A, valueFrom: {}}", "{name: B, valueFrom: {fieldRef: }}")) == [
        Found(14, 23, "error",
              "`valueFrom` of variable `A` says nothing",
              "write one of `configMapKeyRef`, `fieldRef`, `fileKeyRef`, `resourceFieldRef`, `secretKeyRef`"),
        Found(15, 23, "error",
              "`valueFrom` of variable `B` says nothing",
              "write one of `configMapKeyRef`, `fieldRef`, `fileKeyRef`, `resourceFieldRef`, `secretKeyRef`"),
    ]


def test_two_sources() -> None:
    assert check_manifest(RULE, env("{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}, secretKeyRef: {name: s, key: k}}}")) == [
        Found(14, 73, "error", "variable `A` is taken from both `fieldRef` and `secretKeyRef`", "keep one of the two"),
    ]


def test_resource() -> None:
    assert check_manifest(RULE, env("{name: A, valueFrom: {resourceFieldRef: {resource: limits.mem}}}")) == [
        Found(14, 64, "error", "`limits.mem` is no resource that a variable can take", "write `limits.cpu`"),
    ]


def test_empty_env_from() -> None:
    assert check_manifest(RULE, job(task("image: a.example/b:1\nenvFrom: [{prefix: A_}]"))) == [
        Found(13, 21, "error",
              "the source of variables is neither a ConfigMap nor a Secret",
              "write `configMapRef: {name: NAME}` or `secretRef: {name: NAME}`"),
    ]


def test_double_env_from() -> None:
    assert check_manifest(RULE, job(task("image: a.example/b:1\nenvFrom: [{configMapRef: {name: a}, secretRef: {name: b}}]"))) == [
        Found(13, 47, "error", "the source of variables is both a ConfigMap and a Secret", "make two sources of it"),
    ]


@pytest.mark.parametrize("text", [
    env("{name: A, value: x}", "{name: B}", "{name: C, value: '', valueFrom: {fieldRef: {fieldPath: metadata.name}}}", "{name: D, value: x, valueFrom: }"),
    env("{name: A, valueFrom: {resourceFieldRef: {resource: requests.hugepages-2Mi}}}", "{name: B, valueFrom: {resourceFieldRef: {resource: limits.ephemeral-storage}}}"),
    env("{name: A, valueFrom: {unknown: {}}}", "{name: B, valueFrom: x}", "x"),
    job(task("image: a.example/b:1\nenvFrom: [{secretRef: {name: b}}, x]")),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


@pytest.mark.parametrize(("kind", "what"), [("configMapKeyRef", "ConfigMap"), ("secretKeyRef", "Secret")])
def test_a_reference_without_a_name(kind: str, what: str) -> None:
    assert [each[2:] for each in check_manifest(RULE, env(f"{{name: A, valueFrom: {{{kind}: {{key: k}}}}}}"))] == [
        ("error", f"`{kind}` names no {what}", "add `name: NAME`")]
    assert check_manifest(RULE, env(f"{{name: A, valueFrom: {{{kind}: {{name: a, key: k}}}}}}")) == []


def test_env_from_without_a_name() -> None:
    assert check_manifest(RULE, job(task("image: a.example/b:1\nenvFrom: [{secretRef: {optional: true}}]"))) == [
        Found(13, 22, "error", "`secretRef` names no Secret", "add `name: NAME`")]


@pytest.mark.parametrize(("version", "is_fine"), [("v1", True), ("''", True), ("", True), ("v2", False)])
def test_the_version_of_pods(version: str, is_fine: bool) -> None:
    text = env(f"{{name: A, valueFrom: {{fieldRef: {{apiVersion: {version}, fieldPath: metadata.name}}}}}}")
    assert [each.message for each in check_manifest(RULE, text)] == ([] if is_fine else [f"`{version}` is no version of pods"])


@pytest.mark.parametrize(("resource", "divisor", "is_fine"), [
    *(("limits.cpu", divisor, divisor in ("1", "1m", "0", "x", "[]", "1000m")) for divisor in ("1", "1m", "0", "x", "[]", "1000m", "2", "1Mi", "-1")),
    *(("requests.memory", divisor, True) for divisor in ("1", "1k", "1Ki", "1Mi", "1M", "1Gi", "1E", "1Ei", "1000")),
    *(("requests.memory", divisor, False) for divisor in ("2", "1m", "500", "2Mi")),
])
def test_divisors(resource: str, divisor: str, is_fine: bool) -> None:
    text = env(f"{{name: A, valueFrom: {{resourceFieldRef: {{resource: {resource}, divisor: {divisor}}}}}}}")
    assert [each.message for each in check_manifest(RULE, text)] == ([] if is_fine else [f"a variable cannot count `{resource}` in that unit"])


@pytest.mark.parametrize("volume", ["downwardAPI: {items: [ITEM]}", "projected: {sources: [{downwardAPI: {items: [ITEM]}}]}"])
def test_resource_of_a_file(volume: str) -> None:
    text = job(task(pod=f"volumes:\n- name: v\n  {volume.replace('ITEM', '{path: a, resourceFieldRef: {resource: limit.cpu}}')}\n"))
    assert [each[2:] for each in check_manifest(RULE, text)] == [
        ("error", "`limit.cpu` is no resource that a file can show", "write `limits.cpu`")]
    assert check_manifest(RULE, text.replace("limit.cpu", "limits.cpu")) == []


@pytest.mark.parametrize(("resource", "divisor", "fine"), [
    ("limits.cpu", "1m", True), ("limits.cpu", "1", True), ("limits.cpu", "2m", False), ("limits.cpu", "-1", False),
    ("limits.memory", "1Mi", True), ("limits.memory", "1m", False), ("limits.memory", "0", True), ("limits.memory", "x", True),
])
def test_the_unit_of_a_file(resource: str, divisor: str, fine: bool) -> None:
    item = f"{{path: a, resourceFieldRef: {{containerName: main, resource: {resource}, divisor: {divisor}}}}}"
    text = job(task(pod=f"volumes: [{{name: v, downwardAPI: {{items: [{item}]}}}}]"))
    said = [] if fine else [f"a file cannot count `{resource}` in that unit"]
    assert [each.message for each in check_manifest(RULE, text)] == said


def test_the_places_beside() -> None:
    assert related(RULE, env("{name: A, value: x, valueFrom: {fieldRef: {fieldPath: metadata.name}}}")) == [(14, 23, "the other one")]
    two = env("{name: A, valueFrom: {secretKeyRef: {name: s, key: k}, fieldRef: {fieldPath: metadata.name}}}")
    assert related(RULE, two) == [(14, 68, "the other one")]
    text = job(task("image: a.example/b:1\nenvFrom: [{secretRef: {name: b}, configMapRef: {name: a}}]"))
    assert related(RULE, text) == [(13, 44, "the other one")]


@pytest.mark.parametrize(("source", "help"), [
    ("fieldRef: {apiVersion: v2, fieldPath: metadata.name}", "leave it out, or write `v1`"),
    ("resourceFieldRef: {resource: limits.cpu, divisor: 2}", "write `1` or `1m`"),
    ("resourceFieldRef: {resource: limits.memory, divisor: 2}", "write `1`, or one of a unit, such as `1Mi`"),
])
def test_what_to_write(source: str, help: str) -> None:
    assert [each.help for each in check_manifest(RULE, env(f"{{name: A, valueFrom: {{{source}}}}}"))] == [help]
