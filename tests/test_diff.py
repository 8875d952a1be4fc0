"""`hetc diff`: what differs between two inputs, and what becomes of it."""
from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from hetc.diagnostic import Report
from hetc.diff import Difference, difference, read, render
from hetc.diff.compare import changes
from hetc.diff.live import stored
from hetc.explain.path import shown
from hetc.pipeline import Compiler, Options
from hetc.read.yaml import read as read_yaml
from hetc.source import Source
from hetc.tree import Mapping, plain
from tests.conftest import ROOT
from tests.manifests import MANIFESTS
from tests.test_fmt import hetc

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from hetc.tree import Node

SCHEMA = Draft7Validator(json.loads((ROOT / "schemas" / "diff.schema.json").read_text()))

JOB: dict[str, Any] = {
    "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": "train", "namespace": "team"},
    "spec": {
        "schedulerName": "volcano", "queue": "default", "minAvailable": 3, "maxRetry": 3, "plugins": {"svc": []},
        "policies": [{"event": "PodEvicted", "action": "RestartJob", "timeout": "30m"}],
        "tasks": [
            {"name": name, "replicas": count, "minAvailable": count, "maxRetry": 3, "template": {"spec": {
                "restartPolicy": "Never",
                "containers": [{"name": "main", "image": "registry.example/a:1", "command": ["sh", "-c", "one\ntwo\nthree\n"],
                                "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}],
                                "resources": {"limits": {"cpu": "1", "memory": "1Gi"}}}],
            }}}
            for name, count in (("master", 1), ("worker", 2))
        ],
    },
}
PACKED = copy.deepcopy(JOB)
PACKED["spec"]["tasks"][1]["partitionPolicy"] = {"totalPartitions": 1, "partitionSize": 2, "minPartitions": 1}


def tree(data: object) -> Node:
    (document,) = read_yaml(Source("a.yaml", json.dumps(data)), Report()) or []
    return document


def with_(data: dict[str, Any], *path: str | int, value: Any = None) -> dict[str, Any]:
    """A copy with another value at a path; None removes what is there."""
    changed = copy.deepcopy(data)
    node: Any = changed
    for step in path[:-1]:
        node = node[step]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return changed


def compared(old: object, new: object, live: bool = False) -> Difference:
    report, compiler = Report(), Compiler(Options(isolated=True))
    sides = [read(Source(f"{name}.yaml", json.dumps(data)), compiler, report) for name, data in (("old", old), ("new", new))]
    assert sides[0] is not None and sides[1] is not None
    return difference(sides[0], sides[1], live)


def effects(old: object, new: object, live: bool = False) -> dict[str, str | None]:
    return {shown(each.change.path): each.effect for pair in compared(old, new, live).pairs for each in pair.found}


TASK = ("spec", "tasks", 1)
POD = (*TASK, "template", "spec")
MAIN = (*POD, "containers", 0)


@pytest.mark.parametrize(("path", "value", "expected"), [
    (("spec", "minAvailable"), 2, {"spec.minAvailable": "in-place"}),
    (("spec", "minAvailable"), None, {"spec.minAvailable": "in-place"}),
    (("spec", "priorityClassName"), "high", {"spec.priorityClassName": "in-place"}),
    ((*TASK, "replicas"), 4, {"spec.tasks[worker].replicas": "in-place"}),
    ((*TASK, "minAvailable"), 1, {"spec.tasks[worker].minAvailable": "in-place"}),
    (("metadata", "labels"), {"a": "b"}, {"metadata.labels": "in-place"}),
    (("metadata", "name"), "other", {"metadata.name": "another-object"}),
    (("metadata", "namespace"), None, {"metadata.namespace": "another-object"}),
    (("metadata", "uid"), "x", {"metadata.uid": None}),
    (("status",), {"state": {}}, {"status": None}),
    (("spec", "queue"), "other", {"spec.queue": "recreate"}),
    (("spec", "maxRetry"), 4, {"spec.maxRetry": "recreate"}),
    (("spec", "plugins"), {"svc": ["--x"]}, {"spec.plugins.svc[0]": "recreate"}),
    (("spec", "plugins"), {}, {"spec.plugins.svc": "recreate"}),
    ((*TASK, "name"), "other", {"spec.tasks[worker]": "recreate", "spec.tasks[other]": "recreate"}),
    ((*TASK, "maxRetry"), 4, {"spec.tasks[worker].maxRetry": "recreate"}),
    ((*MAIN, "image"), "b", {"spec.tasks[worker].template.spec.containers[main].image": "recreate"}),
    ((*MAIN, "env", 0), {"name": "C", "value": "1"}, {
        "spec.tasks[worker].template.spec.containers[main].env[A]": "recreate", "spec.tasks[worker].template.spec.containers[main].env[C]": "recreate"}),
    (TASK, None, {"spec.tasks[worker]": "recreate"}),
])
def test_what_volcano_does_with_a_change_of_a_job(path: tuple[str | int, ...], value: object, expected: dict[str, str | None]) -> None:
    """As /jobs/validate decides on UPDATE."""
    assert effects(JOB, with_(JOB, *path, value=value)) == expected
    back = effects(with_(JOB, *path, value=value), JOB)
    assert back == expected


def test_a_label_may_be_called_as_a_field_of_the_metadata() -> None:
    old = with_(JOB, "metadata", "labels", value={"name": "a", "uid": "a"})
    assert effects(old, with_(old, "metadata", "labels", value={"name": "b", "uid": "b"})) == {
        "metadata.labels.name": "in-place", "metadata.labels.uid": "in-place"}


def test_what_not_every_task_has_alike_is_said_of_each() -> None:
    three = with_(JOB, "spec", "tasks", value=[*JOB["spec"]["tasks"], {**JOB["spec"]["tasks"][0], "name": "third"}])
    two = with_(with_(three, "spec", "tasks", 0, "maxRetry", value=5), "spec", "tasks", 1, "maxRetry", value=5)
    text = render(compared(three, two), "text", False)
    assert "spec.tasks[master].maxRetry" in text and "spec.tasks[worker].maxRetry" in text and "[*]" not in text
    assert "spec.tasks[*].maxRetry" in render(compared(three, with_(two, "spec", "tasks", 2, "maxRetry", value=5)), "text", False)


def test_partitions_hold_the_numbers_of_their_task() -> None:
    assert effects(PACKED, with_(PACKED, *TASK, "replicas", value=4)) == {"spec.tasks[worker].replicas": "recreate"}
    assert effects(PACKED, with_(PACKED, *TASK, "minAvailable", value=1)) == {"spec.tasks[worker].minAvailable": "recreate"}
    loose = with_(PACKED, *TASK, "partitionPolicy", "minPartitions")
    assert effects(loose, with_(loose, *TASK, "minAvailable", value=1)) == {"spec.tasks[worker].minAvailable": "in-place"}
    assert effects(PACKED, with_(PACKED, "spec", "tasks", 0, "replicas", value=2)) == {"spec.tasks[master].replicas": "in-place"}


@pytest.mark.parametrize(("version", "kind", "expected"), [
    ("batch.volcano.sh/v1alpha1", "CronJob", "applied"), ("flow.volcano.sh/v1alpha1", "JobTemplate", "applied"),
    ("scheduling.volcano.sh/v1beta1", "Queue", "applied"), ("batch/v1", "Job", None), ("example.com/v1", "Widget", None),
])
def test_other_kinds(version: str, kind: str, expected: str | None) -> None:
    old = {"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": {"minAvailable": 1}}
    assert effects(old, with_(old, "spec", "minAvailable", value=2)) == {"spec.minAvailable": expected}


@pytest.mark.parametrize(("old", "new", "expected"), [
    ({"a": 1}, {"a": 1.0}, []), ({"a": 1}, {"a": True}, ["a"]), ({"a": 1}, {"a": "1"}, ["a"]), ({"a": None}, {}, []), ({"a": None}, {"a": 1}, ["a"]),
    ({"a": {}}, {}, ["a"]), ({"a": []}, {"a": {}}, ["a"]), ({"a": {"b": 1}}, {"a": 1}, ["a"]),
    ({"limits": {"cpu": "500m"}}, {"limits": {"cpu": "0.5"}}, []), ({"limits": {"cpu": 1}}, {"limits": {"cpu": "1"}}, []),
    ({"limits": {"cpu": "1"}}, {"limits": {"cpu": "2"}}, ["limits.cpu"]), ({"limits": {"cpu": "x"}}, {"limits": {"cpu": "y"}}, ["limits.cpu"]),
    ({"limits": {"cpu": True}}, {"limits": {"cpu": 1}}, ["limits.cpu"]), ({"x": {"cpu": "500m"}}, {"x": {"cpu": "0.5"}}, ["x.cpu"]),
    ({"sizeLimit": "1Gi"}, {"sizeLimit": "1024Mi"}, []), ({"timeout": "30m"}, {"timeout": "30m0s"}, []),
    ({"timeout": "30m"}, {"timeout": "-30m"}, ["timeout"]), ({"timeout": "x"}, {"timeout": "y"}, ["timeout"]), ({"timeout": 1}, {"timeout": "1s"}, ["timeout"]),
    ({"a": [1, 2, 3]}, {"a": [1, 3]}, ["a[1]"]), ({"a": [1, 3]}, {"a": [1, 2, 3]}, ["a[1]"]), ({"a": [1, 2, 3]}, {"a": [1, 4, 3]}, ["a[1]"]),
    ({"a": [1, 1]}, {"a": [1, 1, 1]}, ["a[2]"]), ({"a": [1]}, {"a": [True]}, ["a[0]"]), ({"a": []}, {"a": [1]}, ["a[0]"]),
    ({"a": [{"name": "x"}, {"name": "y"}]}, {"a": [{"name": "y"}, {"name": "x"}]}, ["a"]),
    ({"a": [{"name": "x"}, {"name": "y"}]}, {"a": [{"name": "z"}, {"name": "y", "v": 1}]}, ["a[x]", "a[y].v", "a[z]"]),
    ({"a": [{"name": "x"}, {"name": "x", "v": 1}]}, {"a": [{"name": "x"}, {"name": "x", "v": 2}]}, ["a[1].v"]),
    ({"a": [{"name": "v", "mountPath": "/a"}, {"name": "v", "mountPath": "/b"}]}, {"a": [{"name": "v", "mountPath": "/b"}]}, ["a[0]"]),
])
def test_what_differs(old: object, new: object, expected: list[str]) -> None:
    assert [shown(each.path) for each in changes(tree(old), tree(new))] == expected
    assert sorted(shown(each.path) for each in changes(tree(new), tree(old))) == sorted(expected)


def test_an_order_is_a_difference_and_its_items_are_none() -> None:
    (change,) = changes(tree(JOB), tree(with_(JOB, "spec", "tasks", value=JOB["spec"]["tasks"][::-1])))
    assert (shown(change.path), change.moved) == ("spec.tasks", True)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "1", "1Gi"]),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(["name", "key", "a", "limits", "timeout"]), below, max_size=3), max_leaves=12,
)


def without_null(data: object) -> object:
    """What the API server is left with: in mappings null is nothing."""
    if isinstance(data, dict):
        return {key: without_null(value) for key, value in data.items() if value is not None}
    return [without_null(each) for each in data] if isinstance(data, list) else data


@settings(max_examples=300)
@given(ANY, ANY)
def test_laws(old: object, new: object) -> None:
    one, other = tree(old), tree(new)
    assert list(changes(one, one)) == []
    forth, back = list(changes(one, other)), list(changes(other, one))
    if json.dumps(without_null(old), sort_keys=True) == json.dumps(without_null(new), sort_keys=True) and isinstance(old, dict):
        assert [each for each in forth if not each.moved] == []
    if not forth:  # but for amounts and lengths of time, of which none are equal here in other words
        assert json.dumps(without_null(old), sort_keys=True) == json.dumps(without_null(new), sort_keys=True)

    def sides(found: list[Any], first: str, second: str) -> list[str]:
        return sorted(repr([None if (node := getattr(each, side)) is None else plain(node) for side in (first, second)]) for each in found)

    assert sides(forth, "old", "new") == sides(back, "new", "old")


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(MANIFESTS, st.randoms(use_true_random=False))
def test_a_manifest_is_itself_in_any_order(documents: list[dict[str, Any]], chance: random.Random) -> None:
    other = copy.deepcopy(documents)
    chance.shuffle(other)
    assert compared({"kind": "List", "apiVersion": "v1", "items": documents}, {"kind": "List", "apiVersion": "v1", "items": other}).pairs == ()


GOLDEN = sorted(path.parent.name for path in (ROOT / "golden").glob("*/expected.yaml") if path.stat().st_size)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_manifest_is_what_a_cluster_makes_of_it(name: str) -> None:
    """What is emitted leaves nothing to the server to fill in, and what it adds does not count."""
    text = (ROOT / "golden" / name / "expected.yaml").read_text()
    report, compiler = Report(), Compiler(Options(isolated=True))
    old = read(Source("a.yaml", text), compiler, report)
    assert old is not None
    for document in old.documents:
        assert isinstance(document, Mapping)
        assert [shown(each.path) for each in changes(document, stored(document)) if plain(each.old or document) != ""] == []
        live = plain(document)
        assert isinstance(live, dict)
        live["status"] = {"state": {"phase": "Running"}}
        metadata: Any = live["metadata"]
        metadata |= {"uid": "u", "resourceVersion": "1", "generation": 1, "creationTimestamp": "2026-01-01T00:00:00Z"}
        metadata["annotations"] = {**metadata.get("annotations", {}), "kubectl.kubernetes.io/last-applied-configuration": "{}"}
        assert compared(plain(document), live, live=True).pairs == ()
        assert compared(plain(document), live).pairs != ()


BARE = {
    "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"generateName": "run-"},
    "spec": {"plugins": {"mpi": []}, "networkTopology": {"highestTierAllowed": 1},
             "volumes": [{"mountPath": "/x", "volumeClaim": {"accessModes": ["ReadWriteOnce"]}}],
             "tasks": [
                 {"name": "master", "replicas": 1, "partitionPolicy": {"totalPartitions": 1, "partitionSize": 1}, "template": {"spec": {
                     "hostNetwork": True, "hostPID": False, "containers": [{"name": "c", "image": "a", "ports": [{"containerPort": 1}], "env": [{"name": "A", "value": ""}]}]}}},
                 {"replicas": 4, "partitionPolicy": {"totalPartitions": 2, "partitionSize": 2, "minPartitions": 1}, "template": {"metadata": {"creationTimestamp": None}, "spec": {
                     "containers": [{"name": "c", "image": "a", "resources": {"limits": {"cpu": None}}}]}}},
             ]},
}
LIVE = {
    "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job",
    "metadata": {"name": "run-x7k2p", "generateName": "run-", "namespace": "default", "uid": "u", "annotations": {"volcano.sh/job-allocated-hypernode": "h"},
                 "ownerReferences": [{}], "labels": {"volcano.sh/createdByJobFlow": "a.b"}},
    "spec": {"plugins": {"mpi": [], "svc": [], "ssh": []}, "networkTopology": {"highestTierAllowed": 1, "mode": "hard"}, "queue": "default",
             "schedulerName": "volcano", "maxRetry": 3, "minAvailable": 3,
             "volumes": [{"mountPath": "/x", "volumeClaimName": "run-pvc-abc", "volumeClaim": {"accessModes": ["ReadWriteOnce"]}}],
             "tasks": [
                 {"name": "master", "replicas": 1, "minAvailable": 1, "maxRetry": 3, "partitionPolicy": {"totalPartitions": 1, "partitionSize": 1, "minPartitions": 0},
                  "template": {"metadata": {}, "spec": {"hostNetwork": True, "dnsPolicy": "ClusterFirstWithHostNet", "containers": [
                      {"name": "c", "image": "a", "resources": {}, "ports": [{"containerPort": 1, "protocol": "TCP"}], "env": [{"name": "A"}]}]}}},
                 {"name": "default1", "replicas": 4, "minAvailable": 2, "maxRetry": 3,
                  "partitionPolicy": {"totalPartitions": 2, "partitionSize": 2, "minPartitions": 1},
                  "template": {"metadata": {}, "spec": {"containers": [{"name": "c", "image": "a", "resources": {}}]}}},
             ]},
    "status": {"state": {"phase": "Pending"}},
}


def test_live_fills_in_what_the_webhook_does() -> None:
    """The second is the first as Volcano stores it."""
    assert effects(BARE, LIVE, live=True) == {}
    assert effects(LIVE, BARE, live=True) == {}
    assert len(effects(BARE, LIVE)) > 10


def test_live_takes_another_name_for_no_generated_one() -> None:
    assert effects(with_(BARE, "metadata", value={"generateName": "other-"}), LIVE, live=True) == {
        "metadata.generateName": "another-object", "metadata.name": "another-object"}


@pytest.mark.parametrize("path", [
    ("spec", "queue"), ("spec", "maxRetry"), ("spec", "minAvailable"), ("spec", "schedulerName"), ("spec", "tasks", 1, "minAvailable"),
    ("spec", "tasks", 0, "maxRetry"), ("spec", "tasks", 0, "template", "spec", "dnsPolicy"), ("spec", "networkTopology", "mode"),
])
def test_live_hides_no_other_value(path: tuple[str | int, ...]) -> None:
    assert len(effects(BARE, with_(LIVE, *path, value=7), live=True)) == 1


@pytest.mark.parametrize("kind", ["Queue", "CronJob", "JobTemplate", "PodGroup"])
def test_live_fills_in_the_defaults_of_other_kinds(kind: str) -> None:
    version, bare, live = {
        "Queue": ("scheduling.volcano.sh/v1beta1", {}, {"weight": 1, "reclaimable": True, "dequeueStrategy": "traverse"}),
        "CronJob": ("batch.volcano.sh/v1alpha1", {"schedule": "@daily", "jobTemplate": {"spec": {}}}, {
            "schedule": "@daily", "concurrencyPolicy": "Allow", "suspend": False, "successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 1,
            "jobTemplate": {"spec": {"queue": "default", "maxRetry": 3}}}),
        "JobTemplate": ("flow.volcano.sh/v1alpha1", {}, {"queue": "default", "maxRetry": 3}),
        "PodGroup": ("scheduling.volcano.sh/v1beta1", {}, {"queue": "default"}),
    }[kind]
    old, new = ({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": spec} for spec in (bare, live))
    assert effects(old, new, live=True) == {}


def test_live_takes_anything() -> None:
    for spec in (None, [], "x", {"tasks": "x"}, {"tasks": [1, {}, {"template": 1}, {"template": {"spec": 2}}], "plugins": 1, "volumes": [1]}):
        odd = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": 1, "spec": spec}
        assert effects(odd, odd, live=True) == {}
    queue = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue"}
    assert effects(queue, queue, live=True) == {}


def named(name: str, namespace: str | None = None, image: str = "a") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, **({"namespace": namespace} if namespace else {})}, "spec": {"image": image}}


@pytest.mark.parametrize(("old", "new", "expected"), [
    ([named("a"), named("b")], [named("b"), named("a")], []),
    ([named("a"), named("b")], [named("b", image="x"), named("c")], [("b", "both"), ("a", "old"), ("c", "new")]),
    ([named("a", "x"), named("a", "y", "z")], [named("a", "y", "z"), named("a", "x")], []),
    ([named("a", "x"), named("b")], [named("a"), named("b")], [("a", "both")]),
    ([named("a", "x"), named("b")], [named("a", "y"), named("b")], [("a", "old"), ("a", "new")]),
    ([named("a"), named("a", image="b")], [named("a"), named("a", image="c")], [("a", "both")]),
    ([], [named("a")], [("a", "new")]),
    ([named("a")], [named("b")], [("b", "both")]),
])
def test_documents_are_matched(old: list[object], new: list[object], expected: list[tuple[str, str]]) -> None:
    found = compared(*({"apiVersion": "v1", "kind": "List", "items": items} for items in (old, new)))
    data = json.loads(render(found, "json", False))
    SCHEMA.validate(data)
    assert [(each["document"].partition("/")[2], each["in"]) for each in data["documents"]] in (expected, [("a", "both")] if expected == [("b", "both")] else expected)


HET = """\
1*master<cpu=1, mem=1Gi> + 2*worker<cpu=2, mem=2Gi>
---
name: train
image: registry.example/a:1
command: |
  python prepare.py
  python train.py
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "old.het").write_text(HET)
    (tmp_path / "new.het").write_text(HET.replace("2*worker", "4*worker").replace("train.py", "train.py --fast").replace("a:1", "a:2")
                                      + "labels: {team.example/a: b}\npriority_class: high\ngang: {}\n".replace("gang: {}\n", ""))
    return tmp_path


def test_the_text(folder: Path, snapshot: SnapshotAssertion) -> None:
    assert hetc("diff", "old.het", "new.het") == snapshot
    assert hetc("diff", "old.het", "new.het", "--color", "always")[1].count("\x1b[3") > 20


def test_the_same_is_quiet(folder: Path) -> None:
    hetc("build", "old.het", "-o", "old.yaml")
    for other in ("old.het", "old.yaml"):
        assert hetc("diff", "old.het", other) == (0, "", "")
    status, out, err = hetc("diff", "--format", "json", "old.het", "old.yaml")
    assert (status, json.loads(out), err) == (0, {"version": 1, "old": "old.het", "new": "old.yaml", "documents": []}, "")


def test_json(folder: Path) -> None:
    status, out, err = hetc("diff", "--format", "json", "old.het", "new.het")
    data = json.loads(out)
    SCHEMA.validate(data)
    assert (status, err) == (1, "")
    (document,) = data["documents"]
    assert (document["document"], document["in"]) == ("Job/train", "both")
    (change,) = [each for each in document["changes"] if each["path"] == "spec.tasks[worker].replicas"]
    assert change == {"path": "spec.tasks[worker].replicas", "what": "changed", "effect": "in-place", **{
        side: {"value": value, "how": "written", "layer": "the request", "file": f"{side}.het", "line": 1, "column": 28, "end_line": 1, "end_column": 29}
        for side, value in (("old", 2), ("new", 4))
    }}
    assert hetc("schema", "diff")[1] == (ROOT / "schemas" / "diff.schema.json").read_text()


def test_options_hold_for_both_inputs(folder: Path) -> None:
    (folder / "a.het").write_text(HET.replace("name: train\n", ""))
    (folder / "b.het").write_text(HET.replace("name: train\n", ""))
    (folder / "more.yaml").write_text("namespace: more\n")
    assert hetc("diff", "a.het", "b.het")[0] == 1
    assert hetc("diff", "a.het", "b.het", "--name", "x", "-f", "more.yaml", "--queue", "q", "--", "python", "x") == (0, "", "")
    assert hetc("diff", "a.het", "b.het", "--name", "x", "--kind", "jobtemplate") == (0, "", "")


def test_standard_input_and_what_a_cluster_adds(folder: Path) -> None:
    hetc("build", "old.het", "-o", "old.yaml")
    live = (folder / "old.yaml").read_text().replace("metadata:\n", "metadata:\n  uid: u\n", 1).encode()
    status, out, err = hetc("diff", "-", "old.het", stdin=live)
    assert (status, out) == (1, 'metadata.uid\n- "u"  <stdin>:4:8\n\n1 value differs\n')
    assert err == "hetc: one of the inputs comes from a cluster: --live leaves out what the cluster wrote\n"
    assert hetc("diff", "-", "old.het", "--live", stdin=live) == (0, "", "")


@pytest.mark.parametrize(("argv", "message"), [
    (["old.het"], "`diff` needs two inputs; see `hetc diff --help`"), ([], "`diff` needs two files, or a file and `-`; see `hetc diff --help`"),
    (["old.het", "new.het", "x.het"], "`diff` takes one OLD NEW, not 3"), (["old.het", "none.het"], "cannot read `none.het`: no such file or directory"),
    (["-", "-"], "`-` is standard input, which is closed or was read already"),
    (["old.het", "x.het.yaml"], "`x.het.yaml` is an overlay, which makes no manifest by itself; name its .het file, and `-f x.het.yaml`"),
])
def test_usage(folder: Path, argv: list[str], message: str) -> None:
    (folder / "x.het.yaml").write_text("image: a\n")
    assert hetc("diff", *argv, stdin=HET.encode()) == (2, "", f"hetc: {message}\n")


def test_what_makes_no_manifest_is_trouble_as_with_diff(folder: Path) -> None:
    (folder / "bad.het").write_text("1*w<\n")
    (folder / "bad.yaml").write_bytes(b"\xff")
    for argv in (["old.het", "bad.het"], ["bad.het", "old.het"], ["old.het", "bad.yaml"], ["bad.het", "bad.yaml"]):
        status, out, err = hetc("diff", *argv)
        assert (status, out) == (2, "") and " error HET0" in err
    (folder / "torn.yaml").write_text("apiVersion: v1\nkind: [\n")
    assert hetc("diff", "torn.yaml", "old.het")[:2] == (2, "")
