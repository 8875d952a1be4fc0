"""`hetc-kustomize` by itself, called as kustomize calls it."""
from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hetc.__main__ import guarded
from hetc.fields import FIELDS as OVERLAY_FIELDS
from hetc.kustomize import run
from hetc.kustomize_config import FIELDS
from hetc.linter import Linter
from hetc.pipeline import Compiler, Options
from tests.conftest import ROOT
from tests.kustomizations import JOB, config, write
from tests.test_cold_start import HEAVY, PROGRAM, loaded, own

MANIFEST = (ROOT / "golden" / "homogeneous" / "expected.yaml").read_text()


class Done(NamedTuple):
    """What a call came to."""

    returncode: int
    stdout: str
    stderr: str


def call(folder: Path, *argv: str, stdin: str | bytes = "") -> Done:
    """Run it in a kustomization's folder, as from the shell in the folder above."""
    given = io.TextIOWrapper(io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin))
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(folder)
        patch.setenv("PWD", str(folder.parent))
        patch.setattr(sys, "stdin", given)
        status = guarded("hetc-kustomize", run, list(argv))
        out.flush()
        err.flush()
    return Done(status, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())  # type: ignore[attr-defined]


def plugin(folder: Path, *lines: str, stdin: str | bytes = "", name: str = "train") -> Done:
    (folder / "config").write_text(config(name, *lines))
    return call(folder, str(folder / "config"), stdin=stdin)


def function(folder: Path, *lines: str, items: list[Any] | None = None) -> Done:
    whole = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items or [],
             "functionConfig": yaml.safe_load(config("train", *lines))}
    return call(folder, stdin=yaml.safe_dump(whole))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "jobs", train_het=JOB)


def test_both_forms_print_the_same_objects(folder: Path) -> None:
    older, newer = plugin(folder, "source: train.het"), function(folder, "source: train.het")
    assert (older.returncode, older.stderr, newer.returncode, newer.stderr) == (0, "", 0, "")
    whole = yaml.safe_load(newer.stdout)
    assert (whole["apiVersion"], whole["kind"]) == ("config.kubernetes.io/v1", "ResourceList")
    assert whole["items"] == list(yaml.safe_load_all(older.stdout))


def test_the_same_bytes_as_build(folder: Path) -> None:
    built = subprocess.run([sys.executable, "-m", "hetc", "build", "train.het"], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
                           capture_output=True, text=True, check=True)
    assert plugin(folder, "source: train.het").stdout == built.stdout


def test_a_warning_is_said_and_the_job_comes_out(folder: Path) -> None:
    (folder / "train.het").write_text(JOB.replace("4Gi", "4G"))
    done = plugin(folder, "source: train.het")
    assert "jobs/train.het:1:21: warning HET202" in done.stderr and done.returncode == 0 and done.stdout
    stopped = plugin(folder, "source: train.het", "fail_on: warning")
    assert (stopped.returncode, stopped.stdout) == (1, "")
    assert plugin(folder, "source: train.het", "fail_on: warning", "ignore: [HET202]").stdout == done.stdout


@pytest.mark.parametrize(("lines", "says"), [
    ((), "HetcJob/train: error HET026: the config names no job"),
    (("source: a.het", "request: x"), "HetcJob/train: request: error HET027: `source` and `request` both name the job"),
    (("mode: validat", "source: train.het"), "HetcJob/train: mode: error HET019: `mode` is `validat`"),
    (("mode: validate", "source: train.het"), "HetcJob/train: source: error HET027: `source` has no use with `mode: validate`"),
    (("fail_on: info", "source: train.het"), "HetcJob/train: fail_on: error HET019: `fail_on` is `info`"),
    (("sources: train.het",), "HetcJob/train: sources: error HET014: `sources` is `train.het`, not a list"),
    (("sources: [train.het, train.het]",), "HetcJob/train: sources[1]: error HET008: `train.het` stands twice"),
    (("source: train.het", "nodes: two"), "HetcJob/train: nodes: error HET014"),
    (("source: train.het", "nodes: 2"), "hetc: HetcJob/train: `--nodes` is for templates"),
    (("source: train.het", "image: x"), "help: `image` is a key of overlays"),
    (("source: train.het", "allowOutside: true"), "help: whoever runs kustomize says so, by HETC_ALLOW_OUTSIDE=1"),
    (("source: train.het", "select: [seven]"), "HetcJob/train: select[0]: error HET019: `seven` is no code"),
    (("source: train.het", "config: ../hetc.toml"), "HetcJob/train: config: error HET023: `../hetc.toml` lies outside"),
    (("source: train.het", "config: no.toml"), "hetc: HetcJob/train: cannot read `jobs/no.toml`"),
    (("source: train.het", "volcano_version: '1.9'"), "HetcJob/train: volcano_version: error HET019: hetc does not know Volcano `1.9`"),
    (("source: train.het", "volcano_version: new"), "volcano_version: error HET019: `new` is no version of Volcano [bad-value]\n  help: write one from"),
    (("source: train.het", "volcano_version: 1.13"), "HetcJob/train: volcano_version: error HET01"),
    (("source: train.het", "cluster: ../cluster.yaml"), "HetcJob/train: cluster: error HET023: `../cluster.yaml` lies outside the kustomization"),
    (("source: train.het", "cluster: no.yaml"), "HetcJob/train: cluster: error HET022: cannot read `jobs/no.yaml`: no such file or directory"),
    (("source: train.het", "cluster: train.het"), "HetcJob/train: cluster: error HET022: `jobs/train.het` has no Queue, HyperNode or Node"),
    (("source: train.het", "cluster: [a]"), "HetcJob/train: cluster: error HET014"),
    (("source: train.het", "name: Train_1"), "HetcJob/train: name: error HET102"),
    (("source: .",), "HetcJob/train: source: error HET022: `.` is no regular file"),
    (("sources: [train.het, more.het]", "name: x"), "HetcJob/train: name: error HET027: several jobs cannot have one name"),
])
def test_a_config_that_is_wrong(lines: tuple[str, ...], says: str, folder: Path) -> None:
    write(folder, more_het=JOB)
    for done in (plugin(folder, *lines), function(folder, *lines)):
        assert done.returncode in (1, 2) and done.stdout == ""
        assert says in done.stderr


def test_a_request_in_the_config_has_lines_of_its_own(folder: Path) -> None:
    done = plugin(folder, "request: |", "  1*master<cpu=1, mem=1Gi>", "  ---", "  imaeg: x", name="inline")
    assert "HetcJob/inline: request:3:1: error HET012: unknown key `imaeg`" in done.stderr
    assert "    3 | imaeg: x\n" in done.stderr


def test_a_request_is_called_as_its_config_unless_it_says_otherwise(folder: Path) -> None:
    lines = ["request: |", *(f"  {line}" for line in JOB.splitlines())]
    assert yaml.safe_load(plugin(folder, *lines, name="inline").stdout)["metadata"]["name"] == "inline"
    assert yaml.safe_load(plugin(folder, *lines, "  name: own", name="inline").stdout)["metadata"]["name"] == "own"
    assert "HetcJob/In.line: request:1:1: error HET101" in plugin(folder, *lines, name="In.line").stderr


@pytest.mark.parametrize("name", ["train", "../../train", "sub/train", "/train"])
def test_no_name_of_a_config_leads_to_another_site_file(folder: Path, name: str) -> None:
    (folder.parent / ".git").mkdir(exist_ok=True)
    (folder.parent / "hetc.toml").write_text('[policy]\nqueues = ["research"]\n')
    lines = ["request: |", *(f"  {line}" for line in JOB.splitlines()), "  name: train"]
    done = plugin(folder, *lines, name=name)
    assert (done.returncode, " error HET801: the site does not allow the queue " in done.stderr) == (1, True)


def test_no_file_outside_is_read_unless_the_caller_allows_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository is wide enough for `hetc build`; kustomize takes files below the kustomization only."""
    write(folder.parent, over_yaml="image: registry.example/other:1\n")
    (folder.parent / ".git").mkdir()
    (folder / "link.yaml").symlink_to(folder.parent / "over.yaml")
    for name in ("../over.yaml", "link.yaml", str(folder.parent / "over.yaml")):
        (folder / "use.het").write_text(f'use["{name}"]\n{JOB}')
        done = plugin(folder, "source: use.het")
        assert "jobs/use.het:1:5: error HET023" in done.stderr and "lies outside the kustomization's folder" in done.stderr
        assert (done.returncode, done.stdout) == (1, "")
        assert f"HetcJob/train: overlays[0]: error HET023: `{name}`" in plugin(folder, "source: train.het", f"overlays: [{name}]").stderr
        monkeypatch.setenv("HETC_ALLOW_OUTSIDE", "1")
        assert plugin(folder, "source: use.het").returncode == 0
        monkeypatch.delenv("HETC_ALLOW_OUTSIDE")


def test_the_site_file_of_the_repository_holds(folder: Path) -> None:
    (folder.parent / ".git").mkdir()
    write(folder.parent, hetc_toml='[policy]\nqueues = ["research"]\n[rules]\nHET702 = "error"\n')
    assert "`default`" in plugin(folder, "source: train.het").stderr
    assert plugin(folder, "source: train.het", "queue: research").returncode == 0
    moving = MANIFEST.replace("pretrain:1.4", "pretrain:latest")
    stopped = plugin(folder, "mode: validate", stdin=moving)
    assert (stopped.returncode, stopped.stdout) == (1, "")
    assert "Job/pretrain: spec.tasks[master].template.spec.containers[main].image: error HET702" in stopped.stderr


def test_no_config_lowers_what_the_repositorys_site_file_sets(folder: Path) -> None:
    """A HetcJob is written by whoever writes jobs; `--config` of the command line is not."""
    (folder.parent / ".git").mkdir()
    write(folder.parent, hetc_toml='[policy]\nqueues = ["research"]\n')
    write(folder, own_toml='[policy]\nqueues = ["research", "night"]\n', lax_toml='[rules]\nHET405 = "off"\n', mild_toml="[gpu]\n")
    assert plugin(folder, "source: train.het", "config: mild.toml", "queue: research").returncode == 0
    for lines in (("config: own.toml", "queue: night"), ("config: lax.toml", "queue: research"), ("config: mild.toml", "queue: night"),
                  ("isolated: true", "queue: research")):
        done = plugin(folder, "source: train.het", *lines)
        assert (done.returncode, done.stdout) == (1, ""), lines
    (folder.parent / "hetc.toml").unlink()
    assert "`HET405` is a security rule" in plugin(folder, "source: train.het", "config: lax.toml").stderr


def test_resources_are_passed_on_as_they_came(folder: Path) -> None:
    text = MANIFEST + "---\n# kept\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: {z: 'é', a: |\n  b}\n"
    assert plugin(folder, "mode: transform", stdin=text.replace("|\n  b", "b")).stdout == text.replace("|\n  b", "b")
    assert plugin(folder, "mode: validate", stdin=MANIFEST).stdout.startswith("apiVersion: hetc.dev/v1alpha1\nkind: HetcJob\n")


def test_what_kustomize_notes_in_resources_is_no_finding(folder: Path) -> None:
    notes = {"kustomize.config.k8s.io/id": "group: batch.volcano.sh\nkind: Job\n", "internal.config.kubernetes.io/index": "0",
             "internal.config.kubernetes.io/previousNames": "train", "internal.config.kubernetes.io/needsHashSuffix": "enabled",
             "config.kubernetes.io/index": "0", "internal.config.kubernetes.io/annotations-migration-resource-id": "0", "config.k8s.io/id": "1"}
    job = yaml.safe_load(MANIFEST)
    job["metadata"]["annotations"] = notes
    done = function(folder, "mode: validate", "fail_on: warning", items=[job])
    assert (done.returncode, done.stderr) == (0, "")


def test_every_object_of_a_finding_is_named(folder: Path) -> None:
    job = yaml.safe_load(MANIFEST)
    job["spec"]["tasks"][0]["template"]["spec"]["containers"][0]["securityContext"] = {"privileged": True}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": {"hostPID": True, "containers": [{"name": "a", "image": "b"}]}}
    older = plugin(folder, "mode: validate", stdin=yaml.safe_dump_all([pod, job], sort_keys=False))
    newer = function(folder, "mode: transform", items=[pod, job])
    for done in (older, newer):
        assert "Pod/x: spec.hostPID: error HET405" in done.stderr
        assert "Job/pretrain: spec.tasks[master].template.spec.containers[main].securityContext.privileged: error HET403" in done.stderr
        assert " | " not in done.stderr, "nobody has the lines before them that kustomize wrote"
        assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.parametrize(("argv", "stdin", "says"), [
    (["nowhere"], b"", "hetc: cannot read `nowhere`"),
    ([], b"", "hetc: this is no object of kind HetcJob; kustomize runs `hetc-kustomize`"),
    ([], b"a: b\n", "hetc: standard input is no ResourceList with a `functionConfig`"),
    ([], b"\xff\n", "hetc: config and resources are UTF-8: byte 0xFF is not UTF-8"),
    ([], b"functionConfig: {kind: HetcJob, metadata: {name: x}}\nitems: []\n", "HetcJob/x: error HET019: this is no HetcJob of `hetc.dev/v1alpha1`"),
])
def test_calls_that_are_none_of_kustomizes(argv: list[str], stdin: bytes, says: str, folder: Path) -> None:
    done = call(folder, *argv, stdin=stdin)
    assert done.returncode in (1, 2) and done.stdout == ""
    assert says in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_who_asks_is_told_what_it_is(flag: str, folder: Path) -> None:
    done = call(folder, flag)
    assert done.returncode == 0 and "hetc kustomize install" in done.stdout


QUEUES = ("apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: vision}\nspec: {capability: {cpu: 33}}\n"
          "status: {state: Open}\n")


@pytest.mark.parametrize("where", ["cluster.yaml", "cluster"])
def test_a_cluster_counts_as_on_the_command_line(where: str, folder: Path) -> None:
    (folder / "cluster").mkdir()
    for name in ("cluster.yaml", "cluster/queues.yaml"):
        (folder / name).write_text(QUEUES)
    lines = ("source: train.het", f"cluster: {where}")
    for done in (plugin(folder, *lines, "queue: visoin"), function(folder, *lines, "queue: visoin")):
        assert (done.returncode, done.stdout) == (1, "")
        assert "HetcJob/train: queue: error HET520: queue `visoin` is none of the queues in the cluster" in done.stderr
    assert "error HET634: the gang needs `34` of `cpu`" in plugin(folder, *lines, "queue: vision").stderr
    job = MANIFEST.replace("queue: research", "queue: night")
    assert plugin(folder, "mode: validate", stdin=job).returncode == 0
    for mode in ("validate", "transform"):
        done = plugin(folder, f"mode: {mode}", f"cluster: {where}", stdin=job)
        assert (done.returncode, done.stdout) == (1, "")
        assert "Job/pretrain: spec.queue: error HET520: queue `night` is none of the queues in the cluster" in done.stderr


def test_mistakes_of_the_clusters_text_are_at_their_lines(folder: Path) -> None:
    (folder / "cluster.yaml").write_text(QUEUES + "b: [\n")
    done = plugin(folder, "source: train.het", "cluster: cluster.yaml")
    assert done.stderr.startswith("jobs/cluster.yaml:6:4: error HET005: a `[` that is never closed [yaml-syntax]\n    6 | b: [\n")
    assert (done.returncode, done.stdout) == (1, "")


def test_a_cluster_outside_is_for_the_caller_to_allow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.parent / "cluster.yaml").write_text(QUEUES)
    (folder / "link.yaml").symlink_to(folder.parent / "cluster.yaml")
    for name in ("../cluster.yaml", "link.yaml", str(folder.parent / "cluster.yaml")):
        lines = ("source: train.het", "queue: night", f"cluster: {name}")
        assert "HetcJob/train: cluster: error HET023" in plugin(folder, *lines).stderr
        monkeypatch.setenv("HETC_ALLOW_OUTSIDE", "1")
        assert "error HET520: queue `night` is none of the queues in the cluster" in plugin(folder, *lines).stderr
        monkeypatch.delenv("HETC_ALLOW_OUTSIDE")


def test_a_pipe_as_cluster_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert "HetcJob/train: cluster: error HET022: `pipe` is no regular file" in plugin(folder, "source: train.het", "cluster: pipe").stderr


def test_the_version_of_volcano_goes_over_the_site_files(folder: Path) -> None:
    write(folder, train_het=JOB.replace("---\n", "gang[pack=leaf]\n---\n"), hetc_toml='[volcano]\nversion = "1.16"\n')
    assert plugin(folder, "source: train.het").returncode == 0
    done = plugin(folder, "source: train.het", "volcano_version: '1.11'")
    assert (done.returncode, done.stdout) == (1, "") and "error HET534" in done.stderr and "Volcano 1.11" in done.stderr


def test_a_renamed_queue_is_not_looked_for(folder: Path) -> None:
    """What names it follows only after all validators."""
    (folder / "cluster.yaml").write_text(QUEUES.replace("33", "1"))
    job = yaml.safe_load(MANIFEST.replace("queue: research", "queue: vision"))
    job["metadata"]["annotations"] = {"internal.config.kubernetes.io/previousNames": "train"}
    done = function(folder, "mode: validate", "cluster: cluster.yaml", items=[job])
    assert (done.returncode, done.stderr) == (0, "")


def test_lint_checks_configs_at_their_lines(folder: Path) -> None:
    text = (config("a", "source: train.het", "cluster: not/there.yaml", "select: [x]", "volcano_version: '2'") + "---\n"
            + config("b", "sorce: train.het") + "---\napiVersion: v1\nkind: Thing\n")
    write(folder, configs_yaml=text)
    looked = Linter(Compiler(Options(isolated=True)), set(), strict=True).look(str(folder / "configs.yaml"))
    assert [(each.span.start_position(), each.message) for each in looked.report.sorted()] == [
        ((7, 10), "`x` is no code"), ((8, 18), "`2` is no version of Volcano"),
        ((14, 1), "unknown key `sorce` in a HetcJob"), ((17, 7), "hetc has no rules for this document: Thing")]
    assert (looked.documents, looked.unknown) == (3, ("Thing",))


def test_the_page_has_every_key() -> None:
    page = (ROOT / "docs" / "kustomize.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*?)(?: Default: .*)? \|$", page, re.MULTILINE)
    assert [row for row in rows if row[0] in {field.name for field in FIELDS}] == [(field.name, field.doc) for field in FIELDS]


def test_a_config_has_no_key_of_an_overlay_with_another_meaning() -> None:
    same = {field.name for field in FIELDS} & {field.name for field in OVERLAY_FIELDS}
    assert same == {"name", "namespace", "command"}


def test_a_start_loads_no_more_than_that_of_a_build(folder: Path) -> None:
    (folder / "config").write_text(config("train", "sources: [train.het]"))
    program = PROGRAM.replace("hetc.__main__", "hetc.kustomize")
    path = "|".join([str(ROOT), *(entry for entry in sys.path if "-packages" in entry)])
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COV"))}
    done = subprocess.run([sys.executable, "-S", "-c", program, path, "config"], cwd=folder, env=environment, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=True)
    status, modules = json.loads(done.stderr.splitlines()[-1])
    assert status == 0 and not set(modules) & HEAVY
    assert own(set(modules)) <= own(loaded("build", "examples/cpu.het")) | {"hetc.kustomize", "hetc.kustomize_config", "hetc.objects"}


SOME = st.sampled_from([
    None, True, 0, -1, 2**40, 1.5, "", "train.het", "\0", "é\n", "/etc/passwd", ".", "a/../../b", [], ["train.het"], [None], [1], [["x"]], [{}], {}, {"a": 1},
    "x" * 5000, "generate", "validate", "transform", "error", "HET7", JOB, 'use["train.het"]\n1*<cpu=1>',
])
KEYS = st.sampled_from([*(field.name for field in FIELDS), "apiVersion", "kind", "metadata", "spec", "image", "volumes"])


@settings(max_examples=60)
@given(st.dictionaries(KEYS, SOME, max_size=5), st.lists(SOME, max_size=2), st.booleans())
def test_no_config_and_no_resource_is_a_bug(given_: dict[str, Any], items: list[Any], as_function: bool) -> None:
    whole = {**yaml.safe_load(config("train")), **given_}
    with tempfile.TemporaryDirectory() as name:
        folder = write(Path(name, "jobs"), train_het=JOB, config=yaml.safe_dump(whole))
        if as_function:
            done = call(folder, stdin=yaml.safe_dump({"kind": "ResourceList", "items": items, "functionConfig": whole}))
        else:
            done = call(folder, str(folder / "config"), stdin=yaml.safe_dump_all(items) if items else "")
    assert done.returncode in (0, 1, 2), done.stderr
    assert done.returncode == 0 or (done.stdout == "" and done.stderr)
