"""`--cluster`: what a file or a folder says that a cluster has, and which commands look into it."""
from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
import yaml

import hetc
from hetc import __main__
from hetc.cluster import load
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

QUEUE = "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: %s}\nstatus: {state: Open}\n"
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n0}\n"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p0}\n"
JOB = "1*master<cpu=1, mem=1Gi>\n---\nqueue: visoin\nimage: a.example/b:1\ncommand: run\n"
UNKNOWN = "job.het:3:8: error HET520: queue `visoin` is none of the queues in the cluster [given-queue]"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A job in a queue that is not there, and a cluster as one file and as a folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.het").write_text(JOB)
    (tmp_path / "cluster.yaml").write_text(f"{QUEUE % 'vision'}---\n{NODE}---\n{POD}")
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    status = __main__.run([*argv, "--output-format", "concise"] if argv[0] != "explain" else [*argv])
    printed = capfd.readouterr()
    return status, printed.err + printed.out


@pytest.mark.parametrize(("argv", "status"), [
    (("build", "job.het"), 1), (("plan", "job.het"), 1), (("lint", "job.het"), 1), (("build", "--queue", "vision", "job.het"), 0),
])
def test_commands_look_into_it(folder: Path, capfd: pytest.CaptureFixture[str], argv: tuple[str, ...], status: int) -> None:
    got, printed = run(capfd, *argv, "--cluster", "cluster.yaml")
    assert got == status
    assert (UNKNOWN in printed) is bool(status)
    assert run(capfd, *argv)[0] == 0


def test_explain_takes_it(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "explain", "--cluster", "cluster.yaml", "job.het", "spec.queue")[0] == 0


def test_objects_are_those_of_the_known_kinds(folder: Path) -> None:
    given = load("cluster.yaml").objects
    assert [each.get("kind").text for each in given.documents] == ["Queue", "Node"]
    assert given.listed == {"Queue", "Node"}


def test_a_list_in_a_list_and_json(folder: Path) -> None:
    queues = list(yaml.safe_load_all(f"{QUEUE % 'a'}---\n{QUEUE % 'b'}"))
    (folder / "list.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [{"kind": "QueueList", "apiVersion": "v1", "items": queues}]}))
    assert len(load("list.json").objects.documents) == 2


def test_a_folder_is_all_manifests_in_it(folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "queues.yml").write_text(QUEUE % "night")
    (folder / "deep" / "broken.yaml").write_text("kind: [")
    assert [each.get("kind").text for each in load(".").objects.documents] == ["Queue", "Node", "Queue"]


@pytest.mark.parametrize(("name", "text", "message"), [
    ("none.yaml", None, "cannot read `none.yaml`: no such file or directory"),
    ("pods.yaml", POD, "`pods.yaml` has no Queue, HyperNode or Node; `kubectl get queues,hypernodes,nodes -o yaml` prints them"),
])
def test_what_is_no_cluster(folder: Path, capfd: pytest.CaptureFixture[str], name: str, text: str | None, message: str) -> None:
    if text is not None:
        (folder / name).write_text(text)
    status, printed = run(capfd, "build", "--cluster", name, "job.het")
    assert status == 2
    assert printed.startswith(f"hetc: {message}")


@pytest.mark.parametrize(("text", "says"), [
    (f"{QUEUE % 'a'}b: [\nc: 1\n", "cluster.yaml:5:4: error HET005: a `[` that is never closed [yaml-syntax]"),
    (f"{QUEUE % 'a'}kind: Queue\n", "cluster.yaml:5:1: error HET008: duplicate key `kind` [duplicate-key]"),
    ("kind: {Queue", "cluster.yaml:1:7: error HET005: a `{` that is never closed [yaml-syntax]"),
    (b"a: 1\nkind: Queue # \xe9\n", "cluster.yaml:2:15: error HET001: byte 0xE9 is not UTF-8 [not-utf-8]"),
])
def test_mistakes_of_the_text_are_shown_at_their_place_and_nothing_else(
    text: str | bytes, says: str, folder: Path, capfd: pytest.CaptureFixture[str],
) -> None:
    (folder / "cluster.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    for argv, status, rest in (("build", 1, ""), ("plan", 1, ""), ("lint", 1, "checked 1 document: 1 error, 0 warnings\n"),
                               ("diff job.het", 2, "")):
        printed = run(capfd, *argv.split(), "job.het", "--cluster", "cluster.yaml")
        assert printed == (status, f"{says}\n{rest}"), argv
    assert [str(each) for each in hetc.compile("job.het", cluster="cluster.yaml").diagnostics] == [says]


def test_a_broken_file_of_a_folder_says_why_there_is_nothing(folder: Path) -> None:
    (folder / "only").mkdir()
    (folder / "only" / "a.yaml").write_text("b: [\n")
    (folder / "only" / "b.yaml").write_text("kind: Queue\nc: {\n")
    found = load("only")
    assert [each.span.source.name for each in found.mistakes] == ["only/a.yaml", "only/b.yaml"]
    assert not found.objects.documents and not found.objects.listed


def test_other_files_of_a_run_count_for_het_files(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, printed = run(capfd, "lint", "job.het", "cluster.yaml")
    assert "job.het:3:8: warning HET520: queue `visoin` is none of the queues given here [given-queue]" in printed


def test_a_changed_cluster_counts_for_the_cache(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    argv = ("lint", "--cache-dir", "cache", "--cluster", "cluster.yaml", "job.yaml")
    (folder / "job.yaml").write_text("apiVersion: batch.volcano.sh/v1alpha1\nkind: PodGroup\n".replace("batch", "scheduling").replace("v1alpha1", "v1beta1")
                                     + "metadata: {name: a}\nspec: {queue: vision}\n")
    assert run(capfd, *argv)[0] == 0
    (folder / "cluster.yaml").write_text(QUEUE % "night")
    assert run(capfd, *argv)[0] == 1


def test_from_python(folder: Path) -> None:
    assert hetc.compile("job.het").ok
    assert [str(each) for each in hetc.compile("job.het", cluster="cluster.yaml").diagnostics] == [UNKNOWN]
    assert not hetc.lint("job.het", cluster=folder / "cluster.yaml").ok


def test_what_kubectl_prints_of_nodes_is_left_alone_by_lint(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copy(ROOT / "golden" / "cluster" / "objects.yaml", folder / "objects.yaml")
    assert run(capfd, "lint", "objects.yaml")[0] == 0
