"""Flow files: what they compile to, what is refused and where, and what they look like."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

import hetc as library
from hetc import discover
from hetc.diagnostic import Report
from hetc.flow import unit
from hetc.lsp.complete import offers
from hetc.lsp.desk import Desk
from hetc.pipeline import Compiler, Options
from hetc.read.flow import is_flow, read
from hetc.source import Source
from hetc.tree import find, plain
from hetc.verify import verify
from tests.conftest import ROOT
from tests.test_fmt import hetc

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

JOB = "1*master<cpu=1, mem=1Gi>\n---\nimage: registry.example/{name}:1\ncommand: python {name}.py\n"
FLOW = """\
flow: nightly
namespace: team
retain: delete
jobs:
  prepare: prepare.het
  train:
    source: train.het
    overlays: [large.yaml]
    depends_on: [prepare]
  eval: {source: prepare.het, depends_on: [train]}
"""
TEMPLATE = """\
config:
  target: {service: volcano}
  environment: {image: "registry.example/t:1"}
  jobs: [{name: t, sku: heterogeneous, command: [python t.py]}]
  _extra:
    volcano:
      tasks:
        master: {replicas: 1, cpus_per_node: 1, memory: 1Gi, gpus_per_node: 0, rdma: false, processes_per_node: 1}
"""
SCHEMA = Draft7Validator(json.loads((ROOT / "schemas" / "flow.schema.json").read_text()))
PLAN = Draft7Validator(json.loads((ROOT / "schemas" / "flow-plan.schema.json").read_text()))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    (work / ".git").mkdir()
    (tmp_path / "outside.het").write_text(JOB.format(name="outside"))
    for name in ("prepare", "train"):
        (work / f"{name}.het").write_text(JOB.format(name=name))
    (work / "large.yaml").write_text("env: {SIZE: large}\n")
    (work / "night.yaml").write_text(FLOW)
    return work


def found(text: str, options: Options | None = None) -> list[str]:
    """What is reported of a flow file in the working directory."""
    report = unit(Compiler(options or Options(isolated=True)), Source("night.yaml", text), ask_command=True).report
    return [f"{each.span.source.name}:{':'.join(map(str, each.span.start_position()))} {each.code.code} {each.message} | {each.help}"
            for each in report.sorted()]


def test_what_it_compiles_to(folder: Path, snapshot: SnapshotAssertion) -> None:
    status, out, err = hetc("build", "night.yaml", "--verify")
    assert (status, err) == (0, "")
    assert out == snapshot
    documents = list(yaml.safe_load_all(out))
    assert [(each["kind"], each["metadata"]["name"], each["metadata"]["namespace"]) for each in documents] == [
        ("JobTemplate", "prepare", "team"), ("JobTemplate", "train", "team"), ("JobTemplate", "eval", "team"), ("JobFlow", "nightly", "team")]
    assert documents[-1]["spec"] == {"jobRetainPolicy": "delete", "flows": [
        {"name": "prepare"}, {"name": "train", "dependsOn": {"targets": ["prepare"]}}, {"name": "eval", "dependsOn": {"targets": ["train"]}}]}
    assert {"name": "SIZE", "value": "large"} in documents[1]["spec"]["tasks"][0]["template"]["spec"]["containers"][0]["env"]
    (folder / "out.yaml").write_text(out)
    assert hetc("lint", "out.yaml") == (0, "checked 4 documents: 0 errors, 0 warnings\n", "")


def test_values_lead_to_the_flow_and_to_the_jobs(folder: Path) -> None:
    unit_ = unit(Compiler(Options(isolated=True)), Source("night.yaml", FLOW), ask_command=True)
    names = [node for each in unit_.documents if (node := find(each, "metadata", "name")) is not None]
    places = {str(plain(node)): node.origin.span.start_position() for node in names}
    assert places == {"prepare": (5, 3), "train": (6, 3), "eval": (10, 3), "nightly": (1, 7)}
    assert [part.job.name.value for part in unit_.parts if part.job] == ["prepare", "train", "eval"]
    assert hetc("explain", "night.yaml", "spec.flows[train].dependsOn.targets[0]")[1].startswith(
        "JobFlow/nightly:\nspec.flows[train].dependsOn.targets[0]: prepare\n\nnight.yaml:9:18: set here, in the flow\n")


@pytest.mark.parametrize(("text", "expected"), [
    (FLOW.replace("[train]", "[trian]"), ["night.yaml:10:44 HET529 flow `eval` waits for `trian`, and there is no such flow | did you mean `train`?"]),
    (FLOW.replace("[prepare]", "[eval]"), [
        "night.yaml:9:18 HET529 the flows wait for each other in a cycle: `train` -> `eval` -> `train` | take one of these dependencies out"]),
    (FLOW.replace("[prepare]", "[train]"), ["night.yaml:9:18 HET529 flow `train` waits for itself | take it out of what it waits for"]),
    (FLOW.replace("[prepare]", "[prepare, prepare]"), ["night.yaml:9:27 HET008 `prepare` stands twice in `depends_on` | keep one of the two"]),
    (FLOW.replace("depends_on: [train]", "dependsOn: [train]"), ["night.yaml:10:31 HET012 unknown key `dependsOn` in job `eval` | did you mean `depends_on`?"]),
    (FLOW.replace("    overlays: [large.yaml]\n", "    probe: {}\n    patch: {}\n"), [
        "night.yaml:8:5 HET012 `probe` would have no effect: Volcano waits until the jobs of `depends_on` have completed, and looks at no probe | leave it out",
        "night.yaml:9:5 HET012 `patch` would have no effect: Volcano makes the job as its JobTemplate says | leave it out"]),
    (FLOW.replace("retain: delete", "retain: deleted"), ["night.yaml:3:9 HET019 `retain` is `deleted`, which is not a policy | write `delete`"]),
    (FLOW.replace("train.het", "trian.het"), ["night.yaml:7:13 HET022 cannot read `trian.het`: no such file or directory | check the path; it is relative to the file that names it"]),
    (FLOW.replace("large.yaml", "larg.yaml"), ["night.yaml:8:16 HET022 cannot read `larg.yaml`: no such file or directory | check the path; it is relative to the file that names it"]),
    (FLOW.replace("train.het", "../outside.het"), [
        "night.yaml:7:13 HET023 `../outside.het` lies outside this file's folder and repository | move it inside, or pass --allow-outside"]),
    (FLOW.replace("train.het", "night.yaml"), ["night.yaml:7:13 HET014 `night.yaml` is a flow, and a flow makes jobs only | name a .het file or a template"]),
    (FLOW.replace("flow: nightly\n", "flow:\n"), ["night.yaml:1:1 HET026 the flow has no name | write `flow: NAME`"]),
    ("flow: a\njobs: {}\n", ["night.yaml:1:1 HET026 the flow has no jobs | write `flow: NAME`, and below `jobs:` each job as `NAME: FILE`"]),
    ("flow: a\njobs: {b: }\n", ["night.yaml:2:8 HET026 job `b` has no `source` | write `b: FILE`"]),
    ("flow: a\njobs: {b: {depends_on: []}}\n", ["night.yaml:2:8 HET026 job `b` has no `source` | write `b: FILE`"]),
    (FLOW + "---\nflow: b\n", ["night.yaml:12:1 HET014 a second document, and a flow is one document | write it to a file of its own"]),
    (FLOW.replace("  train:", "  Train:").replace("[train]", "[Train]"), None),
    (FLOW.replace("nightly", "n" * 60), None),
])
def test_what_is_refused(folder: Path, text: str, expected: list[str] | None) -> None:
    if expected is None:
        assert any(" HET1" in each or " HET532" in each for each in found(text))
        assert all(each.startswith("night.yaml:") for each in found(text))
    else:
        assert found(text) == expected


def test_names_are_those_of_the_flows_jobs(folder: Path) -> None:
    """A job that may be by itself has pods whose names are too long in a flow."""
    (folder / "train.het").write_text(JOB.format(name="train").replace("---", "+ 2*" + "w" * 40 + "<cpu=1, mem=1Gi>\n---", 1))
    assert hetc("build", "train.het")[0] == 0
    assert found(FLOW) == []
    (long,) = found(FLOW.replace("nightly", "nightly-of-the-team"))
    assert long.startswith("train.het:2:5 HET103 pod name `nightly-of-the-team-train-wwwwwwww")


def test_jobs_are_of_one_namespace(folder: Path) -> None:
    (folder / "train.het").write_text(JOB.format(name="train") + "namespace: other\n")
    bare = FLOW.replace("namespace: team\n", "")
    assert found(FLOW) == []
    (conflict,) = found(bare)
    assert conflict == ("night.yaml:5:3 HET027 job `train` is in namespace `other`, and `prepare` in no namespace of its own: "
                        "Volcano looks for both in the flow's | write `namespace: NAME` in the flow")
    for name in ("prepare", "train"):
        (folder / f"{name}.het").write_text(JOB.format(name=name) + "namespace: other\n")
    assert found(bare) == []
    documents = unit(Compiler(Options(isolated=True)), Source("night.yaml", bare), ask_command=True).documents
    assert {plain(each)["metadata"]["namespace"] for each in documents} == {"other"}  # type: ignore[index,call-overload]


def test_a_job_that_is_wrong_is_so_in_its_own_file(folder: Path) -> None:
    (folder / "train.het").write_text("1*master<cpu=1, mem=64>\n---\nimage: registry.example/a:1\ncommand: x\n")
    assert found(FLOW) == ["train.het:1:21 HET201 `mem`: `64` has no unit | write the unit, for example `64Gi`"]
    assert hetc("build", "night.yaml")[:2] == (1, "")


def test_options_of_the_command_line(folder: Path) -> None:
    (folder / "more.yaml").write_text("env: {MORE: '1', SIZE: top}\n")
    status, out, _ = hetc("build", "night.yaml", "--name", "hourly", "--namespace", "n", "--queue", "q", "-f", "more.yaml")
    *templates, flow = yaml.safe_load_all(out)
    assert (status, flow["metadata"]["name"], {each["metadata"]["namespace"] for each in (*templates, flow)}) == (0, "hourly", {"n"})
    assert {each["spec"]["queue"] for each in templates} == {"q"}
    assert {"name": "SIZE", "value": "top"} in templates[1]["spec"]["tasks"][0]["template"]["spec"]["containers"][0]["env"]
    assert hetc("build", "night.yaml", "--kind", "jobtemplate")[0] == 0
    assert hetc("build", "night.yaml", "--kind", "job") == (2, "", "hetc: a flow is made of JobTemplates, which leaves no choice to `--kind job`\n")
    assert hetc("build", "night.yaml", "--", "x") == (2, "", "hetc: a flow has several jobs, and a command goes with one\n")


def test_a_job_that_waits_for_none_says_nothing_of_it(folder: Path) -> None:
    status, out, _ = hetc("build", "-", stdin=FLOW.replace("[prepare]", "[]").encode())
    assert (status, list(yaml.safe_load_all(out))[-1]["spec"]["flows"][1]) == (0, {"name": "train"})


def test_a_template_is_a_job_too(folder: Path) -> None:
    (folder / "t.yaml").write_text(TEMPLATE)
    assert found("flow: a\njobs: {t: t.yaml}\n") == []


def test_standard_input_and_beside_others(folder: Path) -> None:
    status, out, err = hetc("build", "-", stdin=FLOW.encode())
    assert (status, err) == (0, "") and out == hetc("build", "night.yaml")[1]
    status, both, _ = hetc("build", "train.het", "night.yaml")
    assert (status, both) == (0, hetc("build", "train.het")[1] + "---\n" + out)


def test_check_knows_its_one_file(folder: Path) -> None:
    hetc("build", "night.yaml", "-o", "night.out.yaml")
    assert hetc("build", "--check", "night.yaml", "-o", "night.out.yaml")[0] == 0
    (folder / "hetc.toml").write_text('[build]\noutput = "{stem}.out.yaml"\n')
    assert hetc("build", "--check", "night.yaml")[0] == 0
    (folder / "large.yaml").write_text("env: {SIZE: other}\n")
    assert hetc("build", "--check", "night.yaml")[0] == 1


def test_lint_and_diff_know_it(folder: Path) -> None:
    assert hetc("lint", ".") == (0, "checked 4 documents, 1 of kinds hetc does not know (no manifest): 0 errors, 0 warnings\n", "")
    (folder / "night.yaml").write_text(FLOW.replace("[train]", "[trian]"))
    status, out, _ = hetc("lint", "--output-format", "concise", ".")
    assert (status, out.splitlines()[0]) == (1, "night.yaml:10:44: error HET529: flow `eval` waits for `trian`, and there is no such flow [flow-targets]")
    (folder / "night.yaml").write_text(FLOW)
    hetc("build", "night.yaml", "-o", "out.yaml")
    assert hetc("diff", "night.yaml", "out.yaml") == (0, "", "")


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_plan(folder: Path, form: str, snapshot: SnapshotAssertion) -> None:
    assert hetc("plan", "night.yaml", "--format", form) == snapshot


def test_the_plan_for_programs(folder: Path) -> None:
    data = json.loads(hetc("plan", "night.yaml", "--format", "json")[1])
    PLAN.validate(data)
    assert [(each["name"], each["step"], each["makes"]) for each in data["jobs"]] == [
        ("prepare", 1, "nightly-prepare"), ("train", 2, "nightly-train"), ("eval", 3, "nightly-eval")]
    assert hetc("plan", "night.yaml", "--format", "svg") == (2, "", "hetc: a flow has no picture; `--format` takes `text`, `json`, `markdown` for it\n")
    assert hetc("schema", "flow-plan")[1] == (ROOT / "schemas" / "flow-plan.schema.json").read_text()
    (folder / "hetc.toml").write_text('[rules]\nHET529 = "off"\n')
    (folder / "night.yaml").write_text(FLOW.replace("[prepare]", "[eval]"))
    assert [each["step"] for each in json.loads(hetc("plan", "night.yaml", "--format", "json")[1])["jobs"]] == [1, 2, 2]


def test_from_python(folder: Path) -> None:
    outcome = library.compile("night.yaml")
    assert outcome.ok and [each["kind"] for each in outcome.manifests] == ["JobTemplate"] * 3 + ["JobFlow"]
    assert outcome.yaml == hetc("build", "night.yaml")[1]


def test_kustomize_makes_one(folder: Path) -> None:
    (folder / "gen.yaml").write_text("apiVersion: hetc.dev/v1alpha1\nkind: HetcJob\nmetadata: {name: x}\nsource: night.yaml\n")
    done = subprocess.run([sys.executable, "-c", "from hetc.kustomize import main; main()", "gen.yaml"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.stdout == hetc("build", "night.yaml")[1]


@pytest.mark.parametrize(("name", "text", "expected"), [
    ("a.yaml", FLOW, discover.FLOW), ("a.yaml", json.dumps({"flow": "a", "jobs": {}}), discover.FLOW), ("a.flow.yaml", "", discover.FLOW),
    ("a.yaml", "flow: [\njobs:\n", discover.FLOW), ("a.yaml", "on: push\njobs: {}\n", discover.UNKNOWN), ("a.yaml", "flow: x\n", discover.UNKNOWN),
    ("a.yaml", "x:\n  flow: a\n  jobs: b\n", discover.UNKNOWN), ("a.yaml", "apiVersion: v1\nkind: X\n" + FLOW, discover.MANIFEST),
    ("a.het.yaml", FLOW, discover.OVERLAY), ("a.het", FLOW, discover.REQUEST), ("-", FLOW, discover.FLOW), ("a.yaml", "- flow: a\n  jobs: b\n", discover.UNKNOWN),
])
def test_which_files_are_flows(name: str, text: str, expected: str) -> None:
    assert discover.kind(Source(name, text)) == expected
    assert is_flow(Source(name, text)) == (expected == discover.FLOW)


ANY = st.recursive(st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["a", "a.het", ""]),
                   lambda below: st.lists(below, max_size=2) | st.dictionaries(
                       st.sampled_from(["flow", "jobs", "source", "overlays", "depends_on", "retain", "namespace", "a", "probe"]), below, max_size=4), max_leaves=10)
RIGHT = st.fixed_dictionaries({"flow": st.just("a"), "jobs": st.dictionaries(
    st.sampled_from("abc"), st.just("x.het") | st.fixed_dictionaries({"source": st.just("x.het")}, optional={
        "overlays": st.lists(st.just("o.yaml")), "depends_on": st.lists(st.sampled_from("abc"), unique=True)}), min_size=1)},
    optional={"retain": st.sampled_from(["retain", "delete"]), "namespace": st.just("n")})


@settings(max_examples=150)
@given(ANY | RIGHT | st.builds(lambda right, key, value: {**right, key: value}, RIGHT, st.sampled_from(["flow", "jobs", "retain", "namespace"]), ANY))
def test_the_schema_says_what_the_reader_checks(data: Any) -> None:
    report = Report()
    tree = read(Source("a.flow.yaml", json.dumps(data)), report)
    assert (tree is None) == report.failed
    if SCHEMA.is_valid(data) and data["jobs"]:
        doubled = any(each.code.code == "HET008" for each in report.diagnostics)
        assert tree is not None or doubled, [each.message for each in report.diagnostics]
    elif tree is not None:
        # What a schema without null refuses: a key without a value, which says nothing here.
        assert "null" in json.dumps(data), (data, [each.message for each in SCHEMA.iter_errors(data)])


def test_its_documents_pass_the_schemas(folder: Path) -> None:
    report = Report()
    verify(list(unit(Compiler(Options(isolated=True)), Source("night.yaml", FLOW), ask_command=True).documents), report)
    assert [each.message for each in report.diagnostics] == []


@pytest.mark.parametrize(("line", "start", "key"), [("retain: delete", "ret", "retain"), ("    depends_on: [prepare]", "    dep", "depends_on")])
def test_an_editor_completes_its_keys(folder: Path, line: str, start: str, key: str) -> None:
    desk, text = Desk(Options(isolated=True)), FLOW.replace(line, start)
    desk.put("a", "night.yaml", text)
    desk.check()
    assert desk.looked["a"].kind == discover.FLOW
    assert key in {each.label for each in offers(desk, desk.looked["a"], text.index(f"{start}\n") + len(start))}


SCHEDULED = JOB.format(name="train") + 'schedule: {cron: "0 3 * * *"}\n'
NO_EFFECT = ("train.het:{}:1: warning HET030: `schedule` has no effect in a JobTemplate, of which a flow makes the job when its turn comes "
             "[accepted-without-effect]\n")


@pytest.mark.parametrize("argv", [("build", "night.yaml"), ("lint", "night.yaml"), ("plan", "night.yaml"),
                                  ("build", "--kind", "jobtemplate", "train.het")])
def test_a_schedule_that_nothing_goes_by_is_said(argv: tuple[str, ...], folder: Path) -> None:
    (folder / "train.het").write_text(SCHEDULED)
    line = SCHEDULED[:SCHEDULED.index("schedule")].count("\n") + 1
    status, out, err = hetc(*argv, "--output-format", "concise")
    assert status == 0 and NO_EFFECT.format(line) in out + err
    assert (out + err).count("HET030") == 1


@pytest.mark.parametrize("argv", [("build", "train.het"), ("build", "--kind", "job", "train.het"), ("build", "--kind", "cronjob", "train.het"),
                                  ("build", "--kind", "jobtemplate", "-f", "none.yaml", "train.het"), ("build", "night.yaml")])
def test_a_schedule_that_is_used_or_taken_out_is_not(argv: tuple[str, ...], folder: Path) -> None:
    (folder / "train.het").write_text(SCHEDULED)
    (folder / "none.yaml").write_text("schedule: null\n")
    (folder / "night.yaml").write_text("flow: nightly\njobs:\n  train: {source: train.het, overlays: [none.yaml]}\n")
    status, out, err = hetc(*argv)
    assert (status, err) == (0, "") and out
