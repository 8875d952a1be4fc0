"""Hand-written manifests: what is one, and what hetc knows of it."""
from __future__ import annotations

import gc
import json
import time
from pathlib import Path

import pytest

from hetc.__main__ import run
from hetc.diagnostic import Report
from hetc.discover import MANIFEST, TEMPLATE, UNKNOWN, kind
from hetc.manifest import Manifest, jobs, pods, text
from hetc.pipeline import Compiler, Options
from hetc.read.manifest import Read, read
from hetc.source import Source
from hetc.tree import find
from tests.judges import kubectl_reads, needs_kubectl
from tests.rules.checks import job, manifest, task
from tests.test_shape import OTHERS

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {hostNetwork: true}\n"
INGRESS = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\n"


def documents(written: str, name: str = "job.yaml") -> Read:
    report = Report()
    found = read(Source(name, written), report)
    assert not report.failed, report.sorted()
    return found


def names(found: Read) -> list[str | None]:
    return [text(find(each, "kind")) for each in found.documents]


@pytest.mark.parametrize(("written", "expected"), [
    (job(task()), MANIFEST),
    ("# c\n---\n" + INGRESS, MANIFEST),
    ('{"kind": "Job", "apiVersion": "batch.volcano.sh/v1alpha1"}', MANIFEST),
    ('{\n  "apiVersion": "v1",\n  "kind": "Pod"\n}', MANIFEST),
    ("kind: Job\nspec: {tasks: []}\n", MANIFEST),
    ("apiVersion: v1\nkind: Pod\n\tx: 1\n", MANIFEST),
    ('{"apiVersion": "v1", "kind": }', MANIFEST),
    ("a: 1\n---\nkind: Pod\n", MANIFEST),
    ("a: {apiVersion: v1, kind: Pod}\n", UNKNOWN),
    ("a: |\n  apiVersion: v1\n", UNKNOWN),
    ("apiVersion: v1\nkind: Pod\n{{- if .Values.x }}\nspec: {}\n{{- end }}\n", UNKNOWN),
    ("config: {jobs: {}}\n", TEMPLATE),
    ("", UNKNOWN),
])
def test_kinds_of_files(written: str, expected: str) -> None:
    assert kind(Source("x.yaml", written)) == expected


def test_documents_are_told_apart() -> None:
    found = documents(f"---\n---\n{job(task())}---\n{INGRESS}---\n{POD}---\n- a list\n---\nx: 1\n")
    assert names(found) == ["Job", "Pod"]
    assert [(each.name, *each.span.start_position()) for each in found.unknown] == [("Ingress", 18, 7), ("a list", 26, 1), ("no kind", 28, 1)]


def test_what_is_unknown_is_counted_and_refused_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"{job(task())}---\n{INGRESS}")
    assert run(["lint", "--isolated", "--output-format", "concise", str(path)]) == 0
    assert "checked 2 documents, 1 of kinds hetc does not know (Ingress): 0 errors, " in capsys.readouterr().out
    assert run(["lint", "--isolated", "--output-format", "json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["skipped"] == 1
    assert run(["lint", "--isolated", "--strict-kinds", "--output-format", "concise", str(path)]) == 1
    assert f"{path}:16:7: error HET034: hetc has no rules for this document: Ingress [unknown-kind]" in capsys.readouterr().out


def test_lists_are_taken_apart_and_places_stay() -> None:
    inner = "".join(f"  {line}\n" for line in POD.splitlines())
    nested = f"apiVersion: v1\nkind: List\nitems:\n-\n{inner}- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: Secret\n"
    found = documents(nested)
    assert names(found) == ["Pod", "Secret"]
    host = find(found.documents[0], "spec", "hostNetwork")
    assert host is not None and host.origin.span.start_position() == (8, 23)
    assert found.unknown == ()


def test_a_list_may_call_itself_something_else() -> None:
    hidden = f"apiVersion: v1\nkind: ConfigMap\nitems:\n- {json.dumps({'apiVersion': 'v1', 'kind': 'Pod'})}\n"
    assert names(documents(hidden)) == ["Pod", "ConfigMap"]


@needs_kubectl
def test_kubectl_takes_them_apart_too() -> None:
    item = json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}})
    for kind_name in ("List", "ConfigMap"):
        whole = f"apiVersion: v1\nkind: {kind_name}\nmetadata: {{name: a}}\nitems:\n- {item}\n"
        assert "Pod" in json.dumps(kubectl_reads(whole))


@pytest.mark.parametrize("written", ["a:\t1\n", "a: 1\t# c\n", "a: 1\t\n", "a: b\tc\n", "a\t: 1\n", "a: !!str\t1\n", "a: &x\t1\n", "a: >\t\n  x\n"])
def test_a_tab_between_words_is_a_blank(written: str) -> None:
    report = Report()
    found = read(Source("x.yaml", f"apiVersion: v1\nkind: Pod\n{written}"), report)
    assert [(each.level, each.code.code, each.span.text()) for each in report.sorted()] == [("warning", "HET006", "\t")]
    a = find(found.documents[0], "a")
    value = {"a: b\tc\n": "b\tc", "a: >\t\n  x\n": "x\n", "a: !!str\t1\n": "1"}.get(written, 1)
    assert getattr(a, "value", None) == value


@needs_kubectl
@pytest.mark.parametrize("written", [
    "a:\t1\n", "a: 1\t# c\n", "a: b\tc\n", "a\t: 1\n", "a: !!str\t1\n", "a:\n-\tb\n", "\ta: 1\n", "a:\n \tb: 1\n", "a: x\n\ty\n", "a: [1,\t2]\n",
])
def test_kubectl_reads_tabs_alike(written: str) -> None:
    whole = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  containers: []\n---\napiVersion: x/v1\nkind: X\nmetadata: {{name: x}}\n{written}"
    report = Report()
    read(Source("x.yaml", whole), report)
    try:
        kubectl_reads(whole)
        refused = False
    except Exception:
        refused = True
    assert report.failed == refused


def test_many_tabs_cost_little() -> None:
    whole = job(task()) + "".join(f"x{number}:\t1\n" for number in range(20_000))
    started = time.process_time()
    read(Source("x.yaml", whole), Report())
    assert time.process_time() - started < 20


CRONJOB, JOBTEMPLATE, JOBFLOW = OTHERS[:3]


def test_jobs_are_also_those_to_be_made() -> None:
    found = list(jobs(manifest(f"{job(task())}---\n{CRONJOB}---\n{JOBTEMPLATE}")))
    assert [(each.kind, each.name, each.full_name, [one.name for one in each.tasks]) for each in found] == [
        ("Job", "demo", "demo", ["worker"]), ("CronJob", "", "nightly-29700000", ["w"]), ("JobTemplate", "", "f-demo", ["worker"]),
    ]


def test_a_flow_names_the_jobs_of_its_templates() -> None:
    flow = JOBFLOW.replace("- name: a", "- name: demo").replace("name: flow}", "name: a-long-flow}")
    (found,) = jobs(manifest(f"{flow}---\n{JOBTEMPLATE}"))
    assert found.full_name == "a-long-flow-demo"


def test_pods_of_every_kind() -> None:
    deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {template: {spec: {containers: [{name: c}]}}}\n"
    cron = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly}\nspec: {jobTemplate: {spec: {template: {spec: {hostPID: true}}}}}\n"
    flow = JOBFLOW.replace("{replicas: 2}", "{name: t, template: {spec: {hostIPC: true}}}")
    found = list(pods(manifest("---\n".join([job(task()), POD, deployment, cron, flow, CRONJOB, INGRESS]))))
    assert [each.owner for each in found] == ["task `worker`", "Pod `p`", "Deployment `d`", "CronJob `nightly`", "task `t`", "task `w`"]
    assert [[one.name for one in each.containers()] for each in found] == [["main"], [], ["c"], [], [], ["main"]]
    assert all(each.spec is not None for each in found)


def lint(written: str, name: str = "job.yaml") -> Report:
    return Compiler(Options(isolated=True)).manifest(Source(name, written)).report


def test_time_grows_with_the_number_of_jobs() -> None:
    """8 is the ratio of what grows as the text does, 64 that of its square. What else the process holds is no matter of hetc's."""
    def seconds(count: int) -> float:
        whole = "---\n".join(job(task()).replace("name: demo", f"name: demo{number}") for number in range(count))
        gc.collect()
        gc.disable()
        try:
            started = time.process_time()
            assert Manifest(documents(whole).documents)
            lint(whole)
            return time.process_time() - started
        finally:
            gc.enable()

    seconds(1)
    assert min(seconds(1600) for _ in range(2)) < 24 * min(seconds(200) for _ in range(2))


def test_of_many_tabs_only_those_between_words_are_blanks() -> None:
    lines = "".join(f"x{number}:\t{number}\n" for number in range(20))
    written = (
        f"apiVersion: v1\nkind: Pod\n{lines}"
        'q: "a\tb"\n'
        "s: 'a\tb'\nb: |\n  if x:\ty\n  z\nc: \"d\n  e:\tf\" # a\tb\np: a\tb\nl: >\t\n  x:\ty\n"
    )
    report = Report()
    found = read(Source("x.yaml", written), report)
    assert [each.code.code for each in report.sorted()] == ["HET006"] * 22
    values = {key: getattr(entry.value, "value", None) for key, entry in found.documents[0].entries.items()}
    assert [values[f"x{number}"] for number in range(20)] == list(range(20))
    assert [values[key] for key in "qsbcpl"] == ["a\tb", "a\tb", "if x:\ty\nz\n", "d e:\tf", "a\tb", "x:\ty\n"]


@pytest.mark.parametrize(("blank", "level"), [("\u00a0", "warning"), ("\u2003", "warning"), ("\ufeff", "warning"),
                                              ("\u0085", "error"), ("\u2028", "error"), ("\u2029", "error")])
def test_invisible_characters_in_a_value(blank: str, level: str) -> None:
    """kubectl takes blanks of any kind as letters, and ends the line at what YAML 1.1 calls a line break."""
    def found(value: str) -> list[tuple[str, str]]:
        report = Report()
        read(Source("job.yaml", f"apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata:\n  annotations:\n    note: {value}\n"), report)
        return [(each.code.code, each.level) for each in report.sorted()]

    assert found(f"a{blank}b") == [("HET007", level)]
    assert found(f"{blank}b") == [("HET007", level)]
    assert found(f'"a{blank}b"') == []


@pytest.mark.parametrize("kind", ["Job", "CronJob"])
def test_more_tasks_than_anybody_has(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hetc.read.manifest.MOST_TASKS", 2)
    tasks = "tasks: [{name: a}, {name: b}, {name: c}, {name: d}]"
    spec = f"{{{tasks}}}" if kind == "Job" else f"{{jobTemplate: {{spec: {{{tasks}}}}}}}"
    report = Report()
    (job,) = read(Source("x.yaml", f"apiVersion: batch.volcano.sh/v1alpha1\nkind: {kind}\nspec: {spec}\n"), report).documents
    ((code, message, text),) = [(each.code.code, each.message, each.span.text()) for each in report.sorted()]
    assert (code, message, text) == ("HET017", "more than 2 tasks in one job", "{name: c}")
    assert "'c'" not in repr(job)
