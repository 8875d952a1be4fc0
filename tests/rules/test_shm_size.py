from __future__ import annotations

import pytest

from hetc.rules.shm_size import RULE
from tests.rules.checks import Found, check_het, check_manifest
from tests.rules.helpers import job, related


def text(limit: str, memory: str, pod: str = "") -> str:
    return job(container=f"resources: {memory}\n", pod=f"volumes: [{{name: shm, emptyDir: {{medium: Memory{limit}}}}}]\n{pod}")


def found(limit: str, memory: str, pod: str = "", emitted: bool = False) -> list[Found]:
    return check_manifest(RULE, text(limit, memory, pod), emitted=emitted)


LIMIT = "{limits: {memory: 64Gi}}"
LESS = "leave memory for the process: a smaller sizeLimit, or more memory"


@pytest.mark.parametrize("size", ["64Gi", "65536Mi", "68719476736"])
def test_equal(size: str) -> None:
    shown = "68719476736" if size == "68719476736" else "64Gi"
    assert found(f", sizeLimit: {size}", LIMIT) == [
        (14, 69, "warning", f"sizeLimit `{shown}` is all of the memory of a pod of task `worker`, `64Gi`", LESS),
    ]
    assert related(RULE, text(f", sizeLimit: {size}", LIMIT)) == [(13, 40, "the memory")]


def test_above() -> None:
    assert found(", sizeLimit: 128Gi", LIMIT) == [
        (14, 69, "warning", "sizeLimit `128Gi` is more than the memory of a pod of task `worker`, `64Gi`", LESS),
    ]
    assert [each.level for each in found(", sizeLimit: 128Gi", LIMIT, emitted=True)] == ["error"]


@pytest.mark.parametrize("memory", [LIMIT, "{}", "{requests: {memory: 1Gi}}", "{limits: {memory: lots}}"])
def test_below_or_nothing_to_compare(memory: str) -> None:
    assert found(", sizeLimit: 65535Mi", memory) == []


def test_no_limit() -> None:
    assert found("", LIMIT) == [
        (14, 50, "warning", "a volume in memory has no sizeLimit", "add `sizeLimit`, below the memory of the pod"),
    ]


def test_all_containers_together() -> None:
    other = "containers: [{resources: {limits: {memory: 40Gi}}}, {resources: RESOURCES}]\n"
    head = job(pod="volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 64Gi}}]\n")
    body = head.replace("        containers:\n        - name: main\n          image: registry.example/train:1.0\n", f"        {other}")
    assert check_manifest(RULE, body.replace("RESOURCES", "{limits: {memory: 30Gi}}")) == []
    assert [each.message for each in check_manifest(RULE, body.replace("RESOURCES", "{limits: {memory: 24Gi}}"))] == [
        "sizeLimit `64Gi` is all of the memory of a pod of task `worker`, `64Gi`",
    ]
    assert check_manifest(RULE, body.replace("RESOURCES", "{}")) == []


def test_the_memory_of_the_pod_itself() -> None:
    assert len(found(", sizeLimit: 64Gi", "{}", "resources: {limits: {memory: 64Gi}}\n")) == 1
    assert found(", sizeLimit: 64Gi", LIMIT, "resources: {limits: {memory: 65Gi}}\n") == []


def two(first: str, second: str) -> str:
    return job(container=f"resources: {LIMIT}\n", pod=f"volumes: [{first}, {second}]\n")


def memory(name: str, limit: str = "40Gi") -> str:
    return f"{{name: {name}, emptyDir: {{medium: Memory, sizeLimit: {limit}}}}}"


def test_volumes_that_are_too_large_together() -> None:
    message = "`%s`, what the volumes in memory may hold together, %s the memory of a pod of task `worker`, `64Gi`"
    assert check_manifest(RULE, two(memory("a"), memory("b"))) == [
        (14, 123, "warning", message % ("80Gi", "is more than"), LESS),
    ]
    assert related(RULE, two(memory("a"), memory("b"))) == [(13, 40, "the memory"), (14, 67, "another volume in memory")]
    assert [each.message for each in check_manifest(RULE, two(memory("a"), memory("b", "24Gi")))] == [message % ("64Gi", "is all of")]
    assert check_manifest(RULE, two(memory("a"), memory("b", "23Gi"))) == []
    assert check_manifest(RULE, two(memory("a"), "{name: b, emptyDir: {sizeLimit: 40Gi}}")) == []


def test_one_that_is_too_large_by_itself_is_named_alone() -> None:
    assert [each.column for each in check_manifest(RULE, two(memory("a", "80Gi"), memory("b")))] == [67]


def test_a_volume_on_disk() -> None:
    assert check_manifest(RULE, job(container=f"resources: {LIMIT}\n", pod="volumes: [{name: d, emptyDir: {sizeLimit: 1Ti}}]\n")) == []


HET = "1*master<cpu=1, mem=64Gi> + 2*worker<cpu=1, mem=512Gi>\n---\nimage: a.b/c:1\ncommand: [run]\ncontainer_args: {shm_size: SIZE}\n"
HET_LESS = "leave memory for the process: a smaller shm_size, or more memory"


def test_in_a_het_file() -> None:
    assert check_het("HET305", HET.replace("SIZE", "63Gi")) == []
    assert check_het("HET305", HET.replace("SIZE", "64Gi")) == [
        (5, 28, "warning", "shm_size `64Gi` is all of the memory of a pod of task `master`, `64Gi`", HET_LESS),
    ]
    assert check_het("HET305", HET.replace("SIZE", "128Gi")) == [
        (5, 28, "error", "shm_size `128Gi` is more than the memory of a pod of task `master`, `64Gi`", HET_LESS),
    ]
    assert [each.level for each in check_het("HET305", HET.replace("SIZE", "512Gi"))] == ["warning", "error"]


def test_a_pod_s_memory_that_is_no_amount() -> None:
    assert found(", sizeLimit: 64Gi", "{}", "resources: {limits: {memory: lots}}\n") == []


def test_three_volumes_that_are_too_large_together() -> None:
    three = job(container=f"resources: {LIMIT}\n", pod=f"volumes: [{memory('a')}, {memory('b', '1Gi')}, {memory('c', '30Gi')}]\n")
    assert [each.column for each in check_manifest(RULE, three)] == [178]
    assert [place[1:] for place in related(RULE, three)] == [
        (40, "the memory"), (67, "another volume in memory"), (123, "another volume in memory")]
