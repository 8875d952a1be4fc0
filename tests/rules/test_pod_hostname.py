"""HET620: hostnames and subdomains of templates."""
from __future__ import annotations

import pytest

from hetc.rules.pod_hostname import RULE
from tests.rules.checks import Found, check_manifest, indented, job, task
from tests.rules.helpers import related

SVC = "plugins: {svc: []}"


@pytest.mark.parametrize(("spec", "level", "effect", "help"), [
    (SVC, "error", ", and the host lists of `svc` have one entry for them", "leave it out: Volcano gives each pod its own"),
    ("plugins: {mpi: []}", "error", ", and the host lists of `svc` have one entry for them", "leave it out: Volcano gives each pod its own"),
    ("queue: q", "warning", "", "leave it out"),
])
def test_one_hostname_for_several_replicas(spec: str, level: str, effect: str, help: str) -> None:
    text = job(task(pod="hostname: node", replicas=3), spec=spec)
    message = f"all 3 replicas of task `worker` have the hostname `node`{effect}"
    assert check_manifest(RULE, text) == [Found(12, 19, level, message, help)]
    assert related(RULE, text) == [(9, 15, "the replicas")]


def test_one_hostname_for_two_tasks() -> None:
    text = job(task(pod="hostname: node"), task(pod="hostname: node", name="b"), spec=SVC)
    assert check_manifest(RULE, text) == [Found(20, 19, "error", "two tasks have the hostname `node`, and so one address", "leave it out")]
    assert related(RULE, text) == [(12, 19, "the other one")]
    assert check_manifest(RULE, text.replace(SVC, "queue: q")) == []


def test_two_replicas_are_several() -> None:
    assert len(check_manifest(RULE, job(task(pod="hostname: node", replicas=2), spec=SVC))) == 1


def test_one_hostname_of_one_subdomain() -> None:
    both = [task(pod="hostname: node\nsubdomain: demo", name=name) for name in ("a", "b")]
    assert len(check_manifest(RULE, job(*both, spec=SVC))) == 1


def test_one_hostname_of_two_subdomains() -> None:
    both = [task(pod=f"hostname: node\nsubdomain: {name}", name=name) for name in ("a", "b")]
    assert not [each for each in check_manifest(RULE, job(*both, spec=SVC)) if "two tasks" in each.message]


def test_another_subdomain() -> None:
    text = job(task(pod="subdomain: mesh"), spec=SVC)
    message = "`subdomain` of task `worker` is `mesh`, and the Service of `svc` has the job's name, `demo`"
    assert check_manifest(RULE, text) == [Found(12, 20, "error", message, "leave it out: Volcano writes it")]
    assert related(RULE, text) == [(4, 9, "the job's name")]


@pytest.mark.parametrize("text", [
    job(task(pod="hostname: node", replicas=1), spec=SVC), job(task(pod="subdomain: demo"), spec=SVC),
    job(task(pod="subdomain: mesh"), spec="queue: q"), job(task(pod="hostname: ''\nsubdomain: ''", replicas=3), spec=SVC),
    job(task(pod="hostname: a"), task(pod="hostname: b", name="b"), spec=SVC),
    job(task(pod="hostname: a\nsubdomain: demo"), task(pod="hostname: a", name="b"), spec=SVC),
])
def test_fine(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_names_that_are_made_up() -> None:
    text = job(task(pod="subdomain: nightly"), spec=SVC)
    made = check_manifest(RULE, text.replace("name: demo", "generateName: nightly", 1))
    assert [found.message.rpartition(", and ")[2] for found in made] == [
        "the Service of `svc` has the job's name, which is made up for each run",
    ]
    spec = text[text.index("spec:\n"):]
    cron = ("apiVersion: batch.volcano.sh/v1alpha1\nkind: CronJob\nmetadata: {name: nightly}\nspec:\n  jobTemplate:\n" + indented(spec, 4))
    assert len(check_manifest(RULE, cron)) == 1
    template = "apiVersion: flow.volcano.sh/v1alpha1\nkind: JobTemplate\nmetadata: {name: nightly}\n"
    assert [found.message.rpartition(", ")[2] for found in check_manifest(RULE, template + spec)] == ["`<flow>-nightly`"]
    assert check_manifest(RULE, template + spec.replace("subdomain: nightly", "subdomain: flow-nightly")) == []
