from __future__ import annotations

import pytest

from hetc.rules.unknown_api import RULE
from tests.rules.checks import Found, check_manifest

RIGHT = [
    ("batch.volcano.sh/v1alpha1", "Job"), ("batch.volcano.sh/v1alpha1", "CronJob"), ("flow.volcano.sh/v1alpha1", "JobFlow"),
    ("flow.volcano.sh/v1alpha1", "JobTemplate"), ("scheduling.volcano.sh/v1beta1", "PodGroup"),
    ("scheduling.volcano.sh/v1beta1", "Queue"), ("topology.volcano.sh/v1alpha1", "HyperNode"),
]
#: Other groups of Volcano's, other projects' kinds of the same names, and Kubernetes' own.
FOREIGN = [
    ("bus.volcano.sh/v1alpha1", "Command"), ("nodeinfo.volcano.sh/v1alpha1", "Numatopology"), ("training.volcano.sh/v1alpha1", "HyperJob"),
    ("scheduling.sigs.k8s.io/v1alpha1", "PodGroup"), ("rabbitmq.com/v1beta1", "Queue"), ("batch/v1", "Job"), ("batch/v1", "CronJob"),
    ("v1", "Pod"), ("apps/v1", "Deployment"),
]


def document(version: str, kind: str, spec: str = "{}") -> str:
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: demo}}\nspec: {spec}\n"


@pytest.mark.parametrize(("version", "kind"), [*RIGHT, *FOREIGN])
def test_what_is_there_is_fine(version: str, kind: str) -> None:
    assert check_manifest(RULE, document(version, kind)) == []


@pytest.mark.parametrize(("version", "kind", "line", "message", "help"), [
    ("batch.volcano.sh/v1", "Job", 1, "`batch.volcano.sh` has no version `v1`", "write `batch.volcano.sh/v1alpha1`"),
    ("scheduling.volcano.sh/v1alpha1", "Queue", 1, "`scheduling.volcano.sh` has no version `v1alpha1`",
     "write `scheduling.volcano.sh/v1beta1`"),
    ("batch.volcano.sh", "Job", 1, "`batch.volcano.sh` stands without a version", "write `batch.volcano.sh/v1alpha1`"),
    ("batch.volcano.sh/v1alpha1", "job", 2, "`job` is no kind of Volcano's", "did you mean `Job`?"),
    ("batch.volcano.sh/v1alpha1", "Jbo", 2, "`Jbo` is no kind of Volcano's", "did you mean `Job`?"),
    ("batch.volcano.sh/v1alpha1", "vcjob", 2, "`vcjob` is no kind of Volcano's", "did you mean `Job`?"),
    ("batch.volcano.sh/v1alpha1", "Workflow", 2, "`Workflow` is no kind of Volcano's", "write `Job` or `CronJob`"),
    ("batch.volcano.sh/v1alpha1", "Queue", 1, "`batch.volcano.sh/v1alpha1` is not the API of Volcano's Queue",
     "write `scheduling.volcano.sh/v1beta1`"),
    ("bacth.volcano.sh/v1alpha1", "Job", 1, "`bacth.volcano.sh/v1alpha1` is not the API of Volcano's Job",
     "write `batch.volcano.sh/v1alpha1`"),
    ("volcano.sh/v1alpha1", "Job", 1, "`volcano.sh/v1alpha1` is not the API of Volcano's Job", "write `batch.volcano.sh/v1alpha1`"),
    ("batch/v1", "Queue", 1, "`batch/v1` is not the API of Volcano's Queue", "write `scheduling.volcano.sh/v1beta1`"),
    ("v1", "Queue", 1, "`v1` is not the API of Volcano's Queue", "write `scheduling.volcano.sh/v1beta1`"),
])
def test_what_is_not(version: str, kind: str, line: int, message: str, help: str) -> None:
    assert check_manifest(RULE, document(version, kind)) == [Found(line, 13 if line == 1 else 7, "error", message, help)]


def test_a_kubernetes_job_with_tasks() -> None:
    expected = [Found(1, 13, "error", "`batch/v1` is not the API of Volcano's Job", "write `batch.volcano.sh/v1alpha1`")]
    assert check_manifest(RULE, document("batch/v1", "Job", "{tasks: []}")) == expected
    nested = document("batch/v1", "CronJob", "{jobTemplate: {spec: {tasks: []}}}")
    assert [each.message for each in check_manifest(RULE, nested)] == ["`batch/v1` is not the API of Volcano's CronJob"]


def test_both_may_be_wrong() -> None:
    assert [(each.line, each.help) for each in check_manifest(RULE, document("batch/v1", "VCJob"))] == [
        (1, "write `batch.volcano.sh/v1alpha1`"), (2, "did you mean `Job`?"),
    ]


def test_neither_may_be_known() -> None:
    assert [each.message for each in check_manifest(RULE, document("bacth.volcano.sh/v1alpha1", "Workflow"))] == [
        "`bacth.volcano.sh/v1alpha1` is not the API of any kind of Volcano's", "`Workflow` is no kind of Volcano's"]


def test_one_may_be_missing() -> None:
    assert check_manifest(RULE, "apiVersion: flow.volcano.sh/v1alpha1\n") == [
        Found(1, 13, "error", "a document of `flow.volcano.sh/v1alpha1` without a `kind`", "add `kind: JobFlow`"),
    ]
    assert check_manifest(RULE, 'apiVersion: batch.volcano.sh/v1alpha1\nkind: ""\n') == [
        Found(1, 13, "error", "a document of `batch.volcano.sh/v1alpha1` without a `kind`", "add `kind: Job`"),
    ]
    assert check_manifest(RULE, "kind: HyperNode\n") == [
        Found(1, 7, "error", "a `HyperNode` of Volcano's without an `apiVersion`", "add `apiVersion: topology.volcano.sh/v1alpha1`"),
    ]
