from __future__ import annotations

import pytest

from hetc.rules.pod_collision import RULE
from tests.rules.checks import check_het, check_manifest
from tests.rules.helpers import related

RENAME = "rename one of the two"


def job(metadata: str, task: str = "w", replicas: int = 1, plugins: str = "{}") -> str:
    """Five lines and a separator."""
    return (f"apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {{{metadata}}}\n"
            f"spec: {{plugins: {plugins}, tasks: [{{name: {task}, replicas: {replicas}}}]}}\n---\n")


def test_two_jobs_of_one_name() -> None:
    text = job("name: a, namespace: ns") + job("name: a, namespace: ns")
    assert check_manifest(RULE, text) == [(8, 18, "error", "two jobs are called `a` in namespace `ns`", "give each job a name of its own")]
    assert related(RULE, text) == [(3, 18, "the other one")]
    assert check_manifest(RULE, job("name: a") + job("name: a"))[0].message == "two jobs are called `a`"


@pytest.mark.parametrize("other", ["name: b, namespace: ns", "name: a, namespace: other", "name: a", "generateName: a"])
def test_other_names_and_namespaces(other: str) -> None:
    assert check_manifest(RULE, job("name: a, namespace: ns") + job(other)) == []


def test_generated_names_never_meet() -> None:
    assert check_manifest(RULE, job("generateName: a", plugins="{svc: []}") * 2) == []


def test_pods_of_two_jobs() -> None:
    text = job("name: a-b", "c") + job("name: a", "b-c", 3)
    assert check_manifest(RULE, text) == [(9, 36, "error", "job `a` makes pods `a-b-c-…`, which job `a-b` makes too", RENAME)]
    assert related(RULE, text) == [(4, 36, "the other one")]
    assert check_manifest(RULE, job("name: a-b", "c") + job("name: a", "b-d")) == []


def test_a_task_without_replicas_has_no_pods() -> None:
    assert check_manifest(RULE, job("name: a-b", "c", 0) + job("name: a", "b-c")) == []


def test_an_index_does_not_make_two_tasks_meet() -> None:
    text = job("name: a", "w", 20).replace("replicas: 20}", "replicas: 20}, {name: w-1, replicas: 20}")
    assert check_manifest(RULE, text) == []


def test_the_service_of_ray() -> None:
    text = job("name: a", plugins="{ray: []}") + job("name: a-head-svc", plugins="{svc: []}")
    assert check_manifest(RULE, text) == [
        (8, 18, "error", "job `a-head-svc` makes Service `a-head-svc`, which job `a` makes too", RENAME),
    ]
    assert check_manifest(RULE, text.replace("{svc: []}", "{env: []}")) == []


def given(kind: str, name: str) -> str:
    return f"---\nkind: {kind}\nmetadata: {{name: {name}}}\n"


@pytest.mark.parametrize(("kind", "name", "level"), [
    ("Service", "a", "warning"), ("NetworkPolicy", "a", "warning"), ("ConfigMap", "a-svc", "error"), ("Secret", "a-ssh", "error"),
])
def test_an_object_of_the_same_run(kind: str, name: str, level: str) -> None:
    text = job("name: a", plugins="{svc: [], ssh: []}") + given(kind, name)
    assert check_manifest(RULE, text) == [
        (3, 18, level, f"job `a` makes {kind} `{name}`, which is given here too", RENAME),
    ]
    assert check_manifest(RULE, job("name: a", plugins="{env: []}") + given(kind, name)) == []


def test_an_object_of_another_namespace() -> None:
    text = job("name: a, namespace: ns", plugins="{svc: []}") + given("ConfigMap", "a-svc, namespace: NS")
    assert len(check_manifest(RULE, text.replace("NS", "ns"))) == 1
    assert check_manifest(RULE, text.replace("NS", "other")) == []


def test_objects_that_nobody_makes() -> None:
    text = job("name: a", plugins="{svc: [--disable-network-policy=true]}")
    assert check_manifest(RULE, text + given("NetworkPolicy", "a") + given("ConfigMap", "a") + given("Deployment", "a-svc")) == []


def test_a_pod_that_is_given_is_none_of_the_job_s() -> None:
    assert check_manifest(RULE, job("name: a") + given("Pod", "a-w")) == []


def test_two_tasks_of_one_name_are_another_rule_s() -> None:
    text = job("name: a").replace("{name: w, replicas: 1}", "{name: w, replicas: 1}, {name: w, replicas: 2}")
    assert check_manifest(RULE, text + job("name: b")) == []


def test_one_het_file_is_one_job() -> None:
    assert check_het("HET108", "1*master<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [run]\n") == []
