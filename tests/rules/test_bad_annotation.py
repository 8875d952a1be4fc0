"""HET626: values and keys of annotations that Volcano does not read."""
from __future__ import annotations

import json

import pytest

from hetc.rules.bad_annotation import KEYS, RULE
from tests.rules.checks import Found, check_manifest, indented, job, task
from tests.rules.helpers import related


def annotated(*pairs: str, group: str = "annotations", text: str = "") -> str:
    """A job of tasks a and b; its annotations begin at line 6, column 5."""
    body = text or job(task(name="a"), task(name="b"))
    return body.replace("  name: demo\n", f"  name: demo\n  {group}:\n{indented(chr(10).join(pairs), 4)}", 1)


def of_pod(*pairs: str) -> str:
    """A job of one task whose pods' annotations begin at line 12, column 11."""
    return job(task().replace("    spec:\n", f"    metadata:\n      annotations:\n{indented(chr(10).join(pairs), 8)}    spec:\n", 1))


@pytest.mark.parametrize(("key", "good", "bad"), [
    ("volcano.sh/preemptable", ["true", "False", "1", "T"], ["yes", "", "tRue"]),
    ("volcano.sh/cooldown-time", ["10m", "1h30m", "0s"], ["10", "1d", ""]),
    ("volcano.sh/revocable-zone", ["*"], ["zone-a", ""]),
    ("volcano.sh/jdb-min-available", ["1", "12", "1%", "99%"], ["0", "-1", "0%", "100%", "1.5", "half", ""]),
    ("volcano.sh/jdb-max-unavailable", ["1", "50%"], ["0", "100%"]),
    ("volcano.sh/sla-waiting-time", ["1h", "0.5s"], ["0s", "-1h", "60", ""]),
    ("sla-waiting-time", ["1h"], ["0"]),
    ("volcano.sh/numa-topology-policy", ["none", "best-effort", "restricted", "single-numa-node"], ["strict", "Restricted"]),
    ("volcano.sh/task-priority", ["100", "-5", "2147483647", "-2147483648"], ["high", "2147483648", "-2147483649", "1.5"]),
    ("volcano.sh/vgpu-mode", ["hami-core", "mig", "mps"], ["hami", "MIG"]),
    ("volcano.sh/vgpu-podgroup-policy", ["spread"], ["pack"]),
    ("huawei.com/vnpu-mode", ["hami-core"], ["template"]),
    ("volcano.sh/qos-level", ["LC", "HLS", "LS", "BE"], ["be", "best-effort"]),
    ("volcano.sh/enable-quota-burst", ["true", "false"], ["1"]),
    ("volcano.sh/quota-burst-time", ["100000"], ["10s"]),
    ("scheduling.volcano.sh/queue-allocation-gate", ["true"], ["yes"]),
])
def test_values(key: str, good: list[str], bad: list[str]) -> None:
    takes, example = KEYS[key].takes, KEYS[key].example
    for value in good:
        assert check_manifest(RULE, annotated(f"{key}: {json.dumps(value)}")) == []
        assert check_manifest(RULE, of_pod(f"{key}: {json.dumps(value)}")) == []
    for value in bad:
        message = f"annotation `{key}` takes {takes}, not `{value}`"
        assert check_manifest(RULE, annotated(f"{key}: {json.dumps(value)}")) == [
            Found(6, len(key) + 7, "warning", message, f"write `{example}`"),
        ]
        assert check_manifest(RULE, of_pod(f"{key}: {json.dumps(value)}")) == [
            Found(12, len(key) + 13, "warning", message, f"write `{example}`"),
        ]


def test_examples_fit() -> None:
    assert all(key.fits(key.example) for key in KEYS.values())


def test_labels_too() -> None:
    assert [found.message for found in check_manifest(RULE, annotated("volcano.sh/preemptable: maybe", group="labels"))] == [
        "label `volcano.sh/preemptable` takes `true` or `false`, not `maybe`",
    ]


STRATEGY, WEIGHT = "volcano.sh/resource-strategy-scoring-type: MostAllocated", "volcano.sh/resource-strategy-weight: '{}'"


@pytest.mark.parametrize(("weights", "wrong"), [
    ('{"cpu": 1, "nvidia.com/gpu": 10}', False), ("{}", False), ("[1]", True), ('{"cpu": "1"}', True), ('{"cpu": 1.5}', True),
    ('{"cpu": true}', True), ("cpu=1", True), ("[" * 100000, True),
])
def test_weights(weights: str, wrong: bool) -> None:
    assert len(check_manifest(RULE, of_pod(STRATEGY, WEIGHT.replace("{}", weights)))) == wrong


def test_type_and_weights_need_each_other() -> None:
    for one, other in ((STRATEGY, WEIGHT), (WEIGHT, STRATEGY)):
        names = [text.partition(": ")[0] for text in (one, other)]
        assert check_manifest(RULE, of_pod(one)) == [
            Found(12, 11, "warning", f"annotation `{names[0]}` does nothing without `{names[1]}`", "add the other one"),
        ]
    assert check_manifest(RULE, of_pod(STRATEGY, WEIGHT)) == []


MINIMUM, MAXIMUM = "volcano.sh/jdb-min-available", "volcano.sh/jdb-max-unavailable"


def test_two_budgets() -> None:
    text = annotated(f"{MINIMUM}: '1'", f"{MAXIMUM}: '1'")
    message = f"annotation `{MAXIMUM}` stands beside `{MINIMUM}`, and only `{MINIMUM}` reaches the pods"
    assert check_manifest(RULE, text) == [Found(7, 5, "warning", message, "keep one of the two")]
    assert related(RULE, text) == [(6, 5, "the other one")]
    [found] = check_manifest(RULE, of_pod(f"{MINIMUM}: '1'", f"{MAXIMUM}: '1'"))
    assert found.message.endswith("and Volcano's webhook for pods refuses them together")


@pytest.mark.parametrize("name", ["affinity", "anti-affinity", "task-order"])
def test_tasks(name: str) -> None:
    key = f"volcano.sh/task-topology-{name}"
    assert check_manifest(RULE, annotated(f"{key}: a,b")) == []
    assert check_manifest(RULE, annotated(f"{key}: a;b")) == []
    for groups, message, help in (
        ("a,bb", "names `bb`, which is no task of the job: Volcano ignores it", "did you mean `b`?"),
        ("a;trainer", "names `trainer`, which is no task of the job: Volcano ignores it", "name tasks of the job: `a,b;c,d`"),
        ("a,b;a", "names task `a` twice: Volcano ignores it", "name it once"),
        ("''", "names ``, which is no task of the job: Volcano ignores it", None),
    ):
        [found] = check_manifest(RULE, annotated(f"{key}: {groups}"))
        assert found[:4] == (6, len(key) + 7, "warning", f"annotation `{key}` {message}")
        assert help is None or found.help == help


def test_only_a_job_s_own_annotations_group_its_tasks() -> None:
    assert check_manifest(RULE, of_pod("volcano.sh/task-topology-affinity: nobody")) == []
    assert check_manifest(RULE, annotated("volcano.sh/task-topology-affinity: nobody", group="labels")) == []


def test_keys_that_are_nearly_volcano_s() -> None:
    assert check_manifest(RULE, annotated("volcano.sh/preemptible: 'true'")) == [
        Found(6, 5, "warning", "Volcano knows no annotation `volcano.sh/preemptible`", "did you mean `volcano.sh/preemptable`?"),
    ]


@pytest.mark.parametrize("pair", [
    "volcano.sh/job-type: mpi", "volcano.sh/task-index: '0'", "volcano.sh/something-else-entirely: x", "example.com/preemptible: x", "preemptible: x", "team: a",
    "volcano.sh/resource-group: x", "volcano.sh/vgpu-use-gpuuuid: GPU-1",
])
def test_other_keys(pair: str) -> None:
    assert check_manifest(RULE, annotated(pair)) == []


def test_the_metadata_of_a_cron_job_s_jobs() -> None:
    spec = job(task())
    head = ("apiVersion: batch.volcano.sh/v1alpha1\nkind: CronJob\nmetadata: {name: c, annotations: {volcano.sh/preemptable: ignored}}\n"
            "spec:\n  jobTemplate:\n    metadata: {annotations: {volcano.sh/preemptable: 'no'}}\n")
    found = check_manifest(RULE, head + indented(spec[spec.index("spec:\n"):], 4))
    assert [each.message for each in found] == ["annotation `volcano.sh/preemptable` takes `true` or `false`, not `no`"]
