"""Which pods the security rules see, and how they read keys and values."""
from __future__ import annotations

import pytest

from hetc.diagnostic import Report
from hetc.manifest import Manifest
from hetc.read.manifest import read
from hetc.read.yaml import read as read_yaml
from hetc.rule import stamp
from hetc.rules.host_namespace import RULE as HOST
from hetc.rules.privileged import RULE as PRIVILEGED
from hetc.security import entries, flat, on, pods, reach
from hetc.source import Source
from hetc.tree import Mapping
from tests.rules.checks import NO_SITE, manifest

POD = "{hostPID: true, containers: [{name: c}]}"
META = "metadata: {name: web}"
TASKS = f"tasks: [{{name: t, template: {{spec: {POD}}}}}]"


def places(text: str) -> list[str]:
    """Whose pods the host's processes are given to, read as a file is."""
    report = Report()
    stamp(HOST.code, HOST.check(Manifest(read(Source("job.yaml", text), report).documents), NO_SITE), report)
    return [each.message.partition(" sets")[0] for each in report.diagnostics if each.code is HOST.code]


@pytest.mark.parametrize(("document", "who"), [
    (f"apiVersion: v1\nkind: Pod\n{META}\nspec: {POD}\n", "Pod `web`"),
    (f"apiVersion: v1\nkind: PodTemplate\n{META}\ntemplate: {{spec: {POD}}}\n", "PodTemplate `web`"),
    *((f"apiVersion: {api}\nkind: {kind}\n{META}\nspec: {{template: {{spec: {POD}}}}}\n", f"{kind} `web`") for api, kind in (
        ("apps/v1", "Deployment"), ("apps/v1", "StatefulSet"), ("apps/v1", "DaemonSet"), ("apps/v1", "ReplicaSet"), ("batch/v1", "Job"),
        ("v1", "ReplicationController"),
    )),
    (f"apiVersion: batch/v1\nkind: CronJob\n{META}\nspec: {{jobTemplate: {{spec: {{template: {{spec: {POD}}}}}}}}}\n", "CronJob `web`"),
    (f"apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\n{META}\nspec: {{{TASKS}}}\n", "task `t`"),
    (f"apiVersion: batch/v1\nkind: Job\n{META}\nspec: {{{TASKS}}}\n", "task `t`"),
    (f"apiVersion: batch.volcano.sh/v1alpha1\nkind: CronJob\n{META}\nspec: {{jobTemplate: {{spec: {{{TASKS}}}}}}}\n", "task `t`"),
    (f"apiVersion: flow.volcano.sh/v1alpha1\nkind: JobTemplate\n{META}\nspec: {{{TASKS}}}\n", "task `t`"),
    (f"apiVersion: flow.volcano.sh/v1alpha1\nkind: JobFlow\n{META}\nspec: {{flows: [{{name: a, patch: {{jobSpec: {{{TASKS}}}}}}}]}}\n", "task `t`"),
    (f"apiVersion: flow.volcano.sh/v1alpha1\nkind: JobFlow\n{META}\nspec: {{flows: [{{name: a, patch: {{spec: {{{TASKS}}}}}}}]}}\n", "task `t`"),
    (f"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  {META}\n  spec: {POD}\n", "Pod `web`"),
])
def test_every_kind_that_makes_pods(document: str, who: str) -> None:
    assert places(document) == [who]
    assert places(document.replace("hostPID: true", "hostPID: false")) == []


def test_other_kinds_are_left_alone() -> None:
    assert places(f"apiVersion: v1\nkind: ConfigMap\n{META}\nspec: {POD}\n") == []
    assert places(f"apiVersion: serving.example/v1\nkind: Deployment\n{META}\nspec: {{template: {{spec: {POD}}}}}\n") == []


@pytest.mark.parametrize("key", ["spec", "tasks", "template", "hostPID", "containers"])
def test_a_key_in_another_letter_case_is_seen(key: str) -> None:
    text = f"apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\n{META}\nspec: {{{TASKS}}}\n".replace(f"{key}:", f"{key.capitalize()}:")
    assert places(text) == ["task `t`"]


JOB = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: web}
spec:
  tasks:
  - name: t
    template:
      spec:
        containers:
        - name: c
          securityContext: FIRST
          securityContext: SECOND
"""


def found(text: str) -> list[tuple[str, int]]:
    report = Report()
    documents = read_yaml(Source("job.yaml", text), report)
    assert documents is not None
    stamp(PRIVILEGED.code, PRIVILEGED.check(Manifest(tuple(each for each in documents if isinstance(each, Mapping))), NO_SITE), report)
    return [(each.code.code, each.span.start_position()[0]) for each in report.sorted()]


def test_both_values_of_a_key_given_twice_are_seen() -> None:
    bad, good = "{privileged: true}", "{privileged: false}"
    assert found(JOB.replace("FIRST", bad).replace("SECOND", good)) == [("HET403", 11), ("HET008", 12)]
    assert found(JOB.replace("FIRST", good).replace("SECOND", bad)) == [("HET008", 12), ("HET403", 12)]
    assert found(JOB.replace("FIRST", good).replace("SECOND", good)) == [("HET008", 12)]
    assert found(JOB.replace("FIRST", "{privileged: false, privileged: true}").replace("          securityContext: SECOND\n", "")) \
        == [("HET008", 11), ("HET403", 11)]


def test_a_misspelt_context_is_shown() -> None:
    report = Report()
    text = JOB.replace("FIRST", "{}").replace("securityContext: SECOND", "SecurityContext: {privileged: true}")
    stamp(PRIVILEGED.code, PRIVILEGED.check(manifest(text), NO_SITE), report)
    labels = [(*label.span.start_position(), label.message) for each in report.diagnostics for label in each.related]
    assert labels == [(12, 11, "`SecurityContext` is read as `securityContext`")]


def test_a_key_given_twice_is_seen_through_a_merge_key() -> None:
    anchor = "x: &x {privileged: false, privileged: true}\n"
    assert found(anchor + JOB.replace("FIRST", "{<<: *x}").replace("          securityContext: SECOND\n", "")) == [("HET008", 1), ("HET403", 1)]


def test_many_values_of_one_key_take_no_time() -> None:
    text = JOB.replace("FIRST", "{}").replace("          securityContext: SECOND\n", "          securityContext: {privileged: true}\n" * 900)
    assert len(found(text)) == 1800


@pytest.mark.parametrize("text", ["true", "yes", "True", '"true"', '"on"', "1", '"1"', "maybe"])
def test_taken_for_true(text: str) -> None:
    assert on(only(text))


@pytest.mark.parametrize("text", ["false", "no", '"false"', '"No"', "0", '"0"', '""', "null", "~", '"null"', "[]", "{}", "[true]"])
def test_not_taken_for_true(text: str) -> None:
    assert not on(only(text))


def only(text: str):  # type: ignore[no-untyped-def]
    return manifest(f"x: {text}\n").documents[0].entries["x"].value


def test_paths_go_through_lists() -> None:
    node = manifest("a: [{b: [[1, {c: 2}], 3]}, {B: 4, b: null}, 5]\n").documents[0]
    assert [each.text for each in reach(node, "a", "b") if not isinstance(each, Mapping)] == ["1", "3", "4"]
    assert [each.text for each in reach(node, "a", "b", "c")] == ["2"]
    assert reach(node, "z") == reach(node, "a", "b", "c", "d") == []
    assert [name for name, _ in entries(node, "A", "z")] == ["A"]
    assert len(flat(node)) == 1


def test_a_pod_without_a_name() -> None:
    assert [pod.who for pod in pods(manifest("apiVersion: v1\nkind: Pod\nspec: {}\n"))] == ["Pod ``"]
