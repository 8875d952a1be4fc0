from __future__ import annotations

import pytest

from hetc.rules.object_name import RULE
from tests.rules import checks
from tests.rules.checks import check_het, check_manifest
from tests.rules.helpers import job


def only_message(text: str) -> list[str]:
    return [each.message for each in check_manifest(RULE, text)]


def test_a_queue() -> None:
    assert check_manifest(RULE, job(spec="queue: GPU_Queue\n")) == [
        (13, 10, "error", "no legal queue: `GPU_Queue` has `G`, and only a-z, 0-9, `-` and `.` are allowed", "did you mean `gpu-queue`?"),
    ]
    assert check_manifest(RULE, job(spec=f"queue: {'q' * 63}\n")) == []
    assert only_message(job(spec=f"queue: {'q' * 64}\n")) == [f"no legal queue: `{'q' * 64}` has 64 characters, 1 more than the 63 allowed"]
    assert check_manifest(RULE, job(spec="queue: team.research\n")) == []
    assert check_manifest(RULE, job(spec=f"queue: {'Q' * 63}\n"))[0].help == f"did you mean `{'q' * 63}`?"


def test_a_namespace_is_a_label() -> None:
    text = job().replace("{name: demo}", "{name: demo, namespace: team.a}")
    assert check_manifest(RULE, text) == [
        (3, 35, "error", "no legal namespace: `team.a` has `.`, and only a-z, 0-9 and `-` are allowed", "did you mean `team-a`?"),
    ]
    assert check_manifest(RULE, text.replace("team.a", "team-a")) == []


PLACES = [
    ("spec", "priorityClassName: NAME\n", "priority class"),
    ("spec", "volumes: [{mountPath: /d, volumeClaimName: NAME}]\n", "claim"),
    ("pod", "serviceAccountName: NAME\n", "service account"),
    ("pod", "priorityClassName: NAME\n", "pod priority class"),
    ("pod", "runtimeClassName: NAME\n", "runtime class"),
    ("pod", "nodeName: NAME\n", "node name"),
    ("spec", "volumes: [{mountPath: /d, volumeClaim: {storageClassName: NAME}}]\n", "storage class"),
    ("pod", "volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: NAME}}}}]\n", "storage class"),
    ("pod", "imagePullSecrets: [{name: NAME}]\n", "Secret"),
    ("pod", "volumes: [{name: v, persistentVolumeClaim: {claimName: NAME}}]\n", "claim"),
    ("pod", "volumes: [{name: v, secret: {secretName: NAME}}]\n", "Secret"),
    ("pod", "volumes: [{name: v, configMap: {name: NAME}}]\n", "ConfigMap"),
    ("pod", "volumes: [{name: v, projected: {sources: [{secret: {name: NAME}}]}}]\n", "Secret"),
    ("pod", "volumes: [{name: v, projected: {sources: [{configMap: {name: NAME}}]}}]\n", "ConfigMap"),
    ("container", "env: [{name: A, valueFrom: {secretKeyRef: {name: NAME, key: k}}}]\n", "Secret"),
    ("container", "env: [{name: A, valueFrom: {configMapKeyRef: {name: NAME, key: k}}}]\n", "ConfigMap"),
    ("container", "envFrom: [{secretRef: {name: NAME}}]\n", "Secret"),
    ("container", "envFrom: [{configMapRef: {name: NAME}}]\n", "ConfigMap"),
]


@pytest.mark.parametrize(("where", "lines", "what"), PLACES)
def test_everywhere(where: str, lines: str, what: str) -> None:
    def text(name: str) -> str:
        return job(**{where: lines.replace("NAME", name)})

    assert only_message(text("My_Thing")) == [f"no legal {what}: `My_Thing` has `M`, and only a-z, 0-9, `-` and `.` are allowed"]
    assert only_message(text("n" * 254)) == [f"no legal {what}: `{'n' * 60}...` has 254 characters, 1 more than the 253 allowed"]
    assert only_message(text("n" * 253)) == []
    assert only_message(text("my.thing-2")) == []


KEYS = [
    ("container", "env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: KEY}}}]\n"),
    ("container", "env: [{name: A, valueFrom: {configMapKeyRef: {name: s, key: KEY}}}]\n"),
    ("pod", "volumes: [{name: v, secret: {secretName: s, items: [{key: KEY, path: p}]}}]\n"),
    ("pod", "volumes: [{name: v, configMap: {name: s, items: [{key: KEY, path: p}]}}]\n"),
    ("pod", "volumes: [{name: v, projected: {sources: [{secret: {name: s, items: [{key: KEY, path: p}]}}]}}]\n"),
]


@pytest.mark.parametrize(("where", "lines"), KEYS)
def test_keys(where: str, lines: str) -> None:
    def messages(key: str) -> list[str]:
        return only_message(job(**{where: lines.replace("KEY", key)}))

    assert messages("a/b") == ["no legal key: `a/b` has `/`, and only letters, digits, `-`, `_` and `.` are allowed"]
    assert messages('""') == ["no legal key: the name is empty"]
    assert messages(".") == ["no legal key: `.` names a directory"]
    assert messages("..x") == ["no legal key: `..x` starts with `..`"]
    assert messages("k" * 253) == messages(".hidden") == messages("A_b-c.1") == []


@pytest.mark.parametrize("lines", ["queue: ''\n", "priorityClassName: ''\n"])
def test_an_empty_queue_is_none_and_an_empty_priority_class_is_wrong(lines: str) -> None:
    expected = [] if lines.startswith("queue") else ["no legal priority class: the name is empty"]
    assert only_message(job(spec=lines)) == expected


@pytest.mark.parametrize("lines", ["serviceAccountName: ''\n", "priorityClassName: ''\n"])
def test_an_empty_text_in_a_pod_is_none(lines: str) -> None:
    assert only_message(job(pod=lines)) == []
    assert len(check_manifest(RULE, job(pod=lines), emitted=True)) == 1


def test_in_a_het_file() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nqueue: GPU_Queue\nimage: a.example/b:1\ncommand: [run]\nenv: {T: {secret: s, key: a b}}\n"
    assert check_het("HET104", text) == [
        (3, 8, "error", "no legal queue: `GPU_Queue` has `G`, and only a-z, 0-9, `-` and `.` are allowed", "did you mean `gpu-queue`?"),
        (6, 27, "error", "no legal key: `a b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed", None),
    ]


@pytest.mark.parametrize(("field", "what"), [("hostname", "hostname"), ("subdomain", "subdomain")])
def test_labels_of_a_pod(field: str, what: str) -> None:
    assert check_manifest(RULE, job(pod=f"{field}: a.b\n")) == [
        (13, 11 + len(field), "error", f"no legal {what}: `a.b` has `.`, and only a-z, 0-9 and `-` are allowed", "did you mean `a-b`?"),
    ]
    assert only_message(job(pod=f"{field}: {'a' * 64}\n")) == [f"no legal {what}: `{'a' * 64}` has 64 characters, 1 more than the 63 allowed"]
    assert check_manifest(RULE, job(pod=f"{field}: {'a' * 63}\n")) == check_manifest(RULE, job(pod=f'{field}: ""\n')) == []


def test_lengths_without_a_syntax() -> None:
    assert check_manifest(RULE, job(spec=f"schedulerName: {'S' * 64}\n")) == [
        (13, 18, "error", f"no legal scheduler name: `{'S' * 64}` has 64 characters, 1 more than the 63 allowed", None),
    ]
    tier = f"networkTopology: {{highestTierName: {'T' * 254}}}\n"
    assert only_message(job(spec=tier)) == [f"no legal tier name: `{'T' * 60}...` has 254 characters, 1 more than the 253 allowed"]
    assert check_manifest(RULE, job(spec=f"schedulerName: {'S' * 63}\nnetworkTopology: {{highestTierName: {'T' * 253}}}\n")) == []


@pytest.mark.parametrize("topology", [
    job(spec=f"networkTopology: {{highestTierName: {'T' * 254}}}\n"),
    job().replace("    replicas: 1\n", f"    replicas: 1\n    partitionPolicy: {{networkTopology: {{highestTierName: {'T' * 254}}}}}\n"),
    f"apiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata: {{name: a}}\nspec: {{tierName: {'T' * 254}}}\n",
])
def test_names_of_tiers(topology: str) -> None:
    assert only_message(topology) == [f"no legal tier name: `{'T' * 60}...` has 254 characters, 1 more than the 253 allowed"]
    assert only_message(topology.replace("T" * 254, "T" * 253)) == only_message(topology.replace("T" * 254, "''")) == []


def test_a_name_that_is_no_text() -> None:
    assert only_message(job(spec="queue: 5\npriorityClassName: [a]\n")) == []


OTHERS = [
    ("scheduling.volcano.sh/v1beta1", "PodGroup", "queue: NAME", "queue"),
    ("scheduling.volcano.sh/v1beta1", "PodGroup", "priorityClassName: NAME", "priority class"),
    ("scheduling.volcano.sh/v1beta1", "Queue", "parent: NAME", "parent queue"),
]


@pytest.mark.parametrize(("group", "kind", "line", "what"), OTHERS)
def test_in_other_kinds(group: str, kind: str, line: str, what: str) -> None:
    text = f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: a}}\nspec:\n  {line}\n"
    assert only_message(text.replace("NAME", "My_Thing")) == [
        f"no legal {what}: `My_Thing` has `M`, and only a-z, 0-9, `-` and `.` are allowed"]
    assert only_message(text.replace("NAME", "my.thing")) == []


@pytest.mark.parametrize(("group", "kind"), [
    ("scheduling.volcano.sh/v1beta1", "PodGroup"), ("scheduling.volcano.sh/v1beta1", "Queue"), ("topology.volcano.sh/v1alpha1", "HyperNode"),
    ("flow.volcano.sh/v1alpha1", "JobFlow"),
])
def test_the_names_of_other_kinds(group: str, kind: str) -> None:
    text = f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: NAME}}\n"
    assert check_manifest(RULE, text.replace("NAME", "My_Thing")) == [
        (3, 18, "error", f"no legal name of a {kind}: `My_Thing` has `M`, and only a-z, 0-9, `-` and `.` are allowed",
         "did you mean `my-thing`?"),
    ]
    assert check_manifest(RULE, text.replace("NAME", "my.thing")) == []
    placed = text.replace("{name: NAME}", "{name: a, namespace: a.b}")
    assert only_message(placed) == ["no legal namespace: `a.b` has `.`, and only a-z, 0-9 and `-` are allowed"]


def test_the_service_account_by_its_old_field() -> None:
    assert [each.message for each in check_manifest(RULE, job(pod="serviceAccount: A\n"))] == [
        "no legal service account: `A` has `A`, and only a-z, 0-9, `-` and `.` are allowed"]
    assert check_manifest(RULE, job(pod="serviceAccount: a.b\n")) == check_manifest(RULE, job(pod="serviceAccount: ''\n")) == []


def test_a_runtime_class_is_not_empty() -> None:
    assert [each.message for each in check_manifest(RULE, job(pod="runtimeClassName: ''\n"))] == ["no legal runtime class: the name is empty"]


def test_an_empty_queue_is_filled_in_where_the_job_is_made_now() -> None:
    text = checks.job(checks.task(), spec="queue: ''")
    assert check_manifest(RULE, text) == []
    assert [each[3] for each in check_manifest(RULE, checks.cron_job(text))] == ["no legal queue of later jobs: the name is empty"]
    long = checks.cron_job(text.replace("''", "q" * 64))
    assert only_message(long) == [f"no legal queue: `{'q' * 64}` has 64 characters, 1 more than the 63 allowed"]
