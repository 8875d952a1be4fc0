"""`--fix`: one right answer, nothing else changed, and once is enough."""
from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hetc import __main__
from hetc.diagnostic import Diagnostic, Edit, Fix, Report
from hetc.fix import fixed, restored
from hetc.linter import Linter
from hetc.pipeline import Compiler, Options
from hetc.read.yaml import read
from hetc.source import Source, Span, decode
from hetc.tree import Scalar, Sequence
from tests.rules.checks import job, task

HET = "1*master<cpu=1, mem=1Gi>\n---\nimage: registry.example/a:1\ncommand: [python a.py]\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkdir(".git")


def linter() -> Linter:
    return Linter(Compiler(Options(isolated=True)), set(), fix=True)


def found(name: str, text: str) -> list[Diagnostic]:
    source = Source(name, text)
    return linter().check(source, name).report.sorted()


def mended(name: str, text: str) -> str:
    """The text after `--fix`, which nothing is left to fix in, and which a second run leaves alone."""
    Path(name).write_bytes(text.encode())
    looked = linter().look(name)
    assert looked.complaint is None
    assert [each for each in looked.report.diagnostics if each.fix is not None] == []
    result = decode(Path(name).read_bytes())
    assert linter().look(name).fixes == 0
    assert decode(Path(name).read_bytes()) == result
    return result


def changed(name: str, text: str) -> list[tuple[str, str]]:
    """Each changed line before and after."""
    before, after = text.split("\n"), mended(name, text).split("\n")
    assert len(before) == len(after)
    return [(old.strip(), new.strip()) for old, new in zip(before, after) if old != new]


def manifest(*lines: str, spec: str = "", container: str = "image: a.example/b:1") -> str:
    """A job with lines in its metadata."""
    return job(task(container, pod="restartPolicy: Never"), spec=f"minAvailable: 1\n{spec}").replace(
        "  name: demo\n", "".join(f"  {line}\n" for line in ("name: demo", *lines)))


@pytest.mark.parametrize(("line", "after"), [
    ("labels: {a: 5}", 'labels: {a: "5"}'),
    ("labels: {a: 1.10, b: no}  # both", 'labels: {a: "1.10", b: "no"}  # both'),
    ("labels: {5: a}", 'labels: {"5": a}'),
    ("labels: {y: a, 'n': b}", "labels: {\"y\": a, 'n': b}"),
    ('labels: {"a":5}', 'labels: {"a":"5"}'),
    ("annotations: {a: 12:30:00}", 'annotations: {a: "12:30:00"}'),
    ("annotations: {a: 2024-01-01}", 'annotations: {a: "2024-01-01"}'),
    ("annotations: {12:30: b}", 'annotations: {"12:30": b}'),
    ("annotations: {a: 2024-01-01 10:00:00 \"b\"\\c}", 'annotations: {a: "2024-01-01 10:00:00 \\"b\\"\\\\c"}'),
    ("annotations: {a: =}", 'annotations: {a: "="}'),
    ("labels: {a: &x 5}", 'labels: {a: &x "5"}'),
    ("labels: {a: &x  5, b: c}", 'labels: {a: &x  "5", b: c}'),
    ("labels: {a: .5e3}", 'labels: {a: ".5e3"}'),
    ("labels: {a: 0x1F}", 'labels: {a: "0x1F"}'),
    ("labels: {~: a}", 'labels: {"~": a}'),
    ("labels: {? 5 : a}", 'labels: {? "5" : a}'),
])
def test_scalars_are_quoted(line: str, after: str) -> None:
    text = manifest(line)
    assert changed("job.yaml", text) == [(line, after)]


@pytest.mark.parametrize("line", [
    "labels: {a: !!int 5}",  # the tag would make a number of it again
    "labels: {a: &x 5, b: *x}",  # what else aliases repeat is not looked at
    "labels: {a: &x 5}\n  annotations: {b: *x}",
    "labels: &l {a: 5}\n  annotations: *l",
    "labels: {a: 5}\n  labels: {a: 5, b",  # no YAML
])
def test_what_has_no_one_answer_stays(line: str) -> None:
    text = manifest(line)
    assert changed("job.yaml", text) == []
    assert any(each.level == "error" for each in found("job.yaml", text))


def test_a_scalar_over_two_lines_is_one_after() -> None:
    text = manifest("annotations:", "  a: 2024-01-01", "    10:00:00  # when")
    assert 'a: "2024-01-01 10:00:00"  # when' in mended("job.yaml", text)


@pytest.mark.parametrize(("text", "after"), [
    ("plugins: {svc: }", "plugins: {svc: [] }"),
    ("plugins: {svc: ~, ssh: []}", "plugins: {svc: [], ssh: []}"),
    ('plugins: {"svc":null}', 'plugins: {"svc":[]}'),
    ("plugins:\n  svc:", "plugins:\n  svc: []"),
    ("plugins:\n  svc:  # on", "plugins:\n  svc: []  # on"),
    ("plugins:\n  svc:  # on\n  # more\n  ssh: null # too", "plugins:\n  svc: []  # on\n  # more\n  ssh: [] # too"),
])
def test_plugins_without_arguments_get_none(text: str, after: str) -> None:
    whole = manifest(spec=text)
    assert mended("job.yaml", whole) == whole.replace(_indented(text), _indented(after))
    assert _indented(text) in whole


@pytest.mark.parametrize("text", ["plugins: {svc}", "plugins:\n  ? svc", "plugins:\n  svc: !!null", "plugins:\n  svc: &a"])
def test_other_forms_of_nothing_stay(text: str) -> None:
    assert changed("job.yaml", manifest(spec=text)) == []


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")


@pytest.mark.parametrize(("path", "after"), [
    ("/data/../x", "/x"), ("'/data/../x/'", "'/x'"), ('"/a b/../c d"', '"/c d"'), ("/data/../x  # why", "/x  # why"), ("/../x", "/x"),
    ("/x/..", None), ("/a/../usr", None), ("../x", None), ("/a:b/../c:d", None), (">-\n              /data/../x", None),
    ('"/data\\x2f../x"', None), ("/a//b", None),  # nobody speaks of it
])
def test_mount_paths_are_written_plainly(path: str, after: str | None) -> None:
    container = f"image: a.example/b:1\nvolumeMounts:\n- name: v\n  mountPath: {path}\n"
    text = manifest(container=container)
    lines = [] if after is None else [(f"mountPath: {path}", f"mountPath: {after}")]
    assert changed("job.yaml", text) == lines


def test_a_mount_path_that_meets_another_is_written_plainly() -> None:
    container = "image: a.example/b:1\nvolumeMounts:\n- {name: v, mountPath: /a}\n- {name: w, mountPath: /b/.//../a/}\n"
    text = manifest(container=container)
    assert changed("job.yaml", text) == [("- {name: w, mountPath: /b/.//../a/}", "- {name: w, mountPath: /a}")]
    assert "is used twice" in " ".join(each.message for each in found("job.yaml", mended("job.yaml", text)))


#: Texts in overlay keys, before and after.
LAYERS = [
    ("env: {A: 5, B: no, C: 12:30:00}", 'env: {A: "5", B: "no", C: "12:30:00"}'),
    ("plugins: {svc: }", "plugins: {svc: {} }"),
    ("plugins:\n  svc:  # defaults", "plugins:\n  svc: {}  # defaults"),
    ("plugins: {svc: {inject_hosts_env: yes}}", "plugins: {svc: {inject_hosts_env: true}}"),
    ("plugins: {svc: {inject_hosts_env: Off}}", "plugins: {svc: {inject_hosts_env: false}}"),
    ("labels: {a: 1}\nenv:\n  A: 1e3", 'labels: {a: "1"}\nenv:\n  A: "1e3"'),
    ("command:\n- 5\n- true  # so be it", 'command:\n- "5"\n- "true"  # so be it'),
    ("tasks: {master: {image: 1.10}}", 'tasks: {master: {image: "1.10"}}'),
]


@pytest.mark.parametrize(("text", "after"), LAYERS)
def test_an_overlay(text: str, after: str) -> None:
    assert mended("job.het.yaml", text + "\n") == after + "\n"


@pytest.mark.parametrize(("text", "after"), [*LAYERS, ("mounts: {d: {path: /a/../b, claim: c}}", "mounts: {d: {path: /b, claim: c}}")])
def test_the_overlay_in_a_request(text: str, after: str) -> None:
    head = HET.replace("command: [python a.py]\n", "") if text.startswith("command") else HET
    assert mended("job.het", head + text + "\n") == head + after + "\n"


def test_a_template() -> None:
    text = "config:\n  environment: {image: a.example/b:1}\n  jobs:\n  - {name: a, command: [5], submit_args: {env: {A: 5, B: no}}}  # both\n"
    assert mended("template.yaml", text) == text.replace("[5]", '["5"]').replace("5, B: no", '"5", B: "no"')


NAMES = """\
minAvailable: 1
plugins:
  pytorch: [--master=Master, "--worker", GPU_Worker]  # ranks
  mpi: ['-master=Master', --port=22]
"""


def test_a_task_gets_its_name_in_lower_case_wherever_it_is_named() -> None:
    second = task("image: a.example/b:1\ncommand: [ping, 'demo-Master-0.demo']\nenv:\n- {name: HOSTS, value: $(VC_GPU_WORKER_HOSTS)}", "GPU_Worker",
                  pod="restartPolicy: Never").replace("  replicas", "  dependsOn: {name: [Master]}  # later\n  replicas")
    text = job(task(name='"Master"', pod="restartPolicy: Never"), second, spec=NAMES)
    after = mended("job.yaml", text)
    assert after == text.replace("Master", "master").replace("GPU_Worker", "gpu-worker")
    assert [each for each in found("job.yaml", after) if each.code.code in ("HET107", "HET505", "HET512")] == []


@pytest.mark.parametrize(("before", "after"), [
    ("echo demo-GpuWorker-0.demo other-GpuWorker-0 my-demo-GpuWorker-0", "echo demo-gpu-worker-0.demo other-GpuWorker-0 my-demo-GpuWorker-0"),
    ("echo $VC_GPUWORKER_HOSTS ${VC_GPUWORKER_NUM} XVC_GPUWORKER_HOSTS", "echo $VC_GPU_WORKER_HOSTS ${VC_GPU_WORKER_NUM} XVC_GPUWORKER_HOSTS"),
    ("echo GpuWorker", "echo GpuWorker"),
])
def test_addresses_and_variables_in_texts(before: str, after: str) -> None:
    text = job(task(f"image: a.example/b:1\nargs:\n- |\n  # {before}\n  {before}\n", "GpuWorker", pod="restartPolicy: Never"))
    assert mended("job.yaml", text) == text.replace("- name: GpuWorker", "- name: gpu-worker").replace(before, after)


def test_selectors_of_a_task() -> None:
    pod = """\
restartPolicy: Never
affinity:
  podAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
    - topologyKey: zone
      labelSelector:
        matchLabels: {volcano.sh/task-spec: PS}
        matchExpressions:
        - {key: volcano.sh/task-spec, operator: In, values: [PS, Other]}
        - {key: other, operator: In, values: [PS]}
"""
    text = job(task(name="PS", pod=pod))
    assert mended("job.yaml", text) == text.replace("name: PS", "name: ps").replace("task-spec: PS", "task-spec: ps").replace("[PS, Other]", "[ps, Other]")


@pytest.mark.parametrize(("names", "after"), [
    (["Worker", "worker"], None),  # taken
    (["Worker", "Worker"], None),  # which of the two?
    (["GPU_W", "gpu.w"], None),  # both would have it
    (["1Worker"], None),  # a digit would be lost
    (["W" * 70], None),  # its end would be lost
    (["wörker"], None),
    (["work er"], None),
    (["NO"], ['"no"']),  # without quotes YAML reads a boolean
    (["'NO'"], ["'no'"]),
    (["Worker", "PS"], ["worker", "ps"]),
    (["&w Worker"], ["&w worker"]),
])
def test_only_a_free_and_whole_name_is_given(names: list[str], after: list[str] | None) -> None:
    text = job(*(task(name=name, pod="restartPolicy: Never") for name in names))
    lines = [(f"- name: {old}", f"- name: {new}") for old, new in zip(names, after or names) if old != new]
    assert changed("job.yaml", text) == lines


def test_a_name_that_an_alias_repeats_stays() -> None:
    text = job(task("image: a.example/b:1\nenv: [{name: A, value: *w}]", name="&w Worker", pod="restartPolicy: Never"))
    assert changed("job.yaml", text) == []


def test_a_cron_job_too() -> None:
    text = ("apiVersion: batch.volcano.sh/v1alpha1\nkind: CronJob\nmetadata: {name: demo}\nspec:\n  schedule: '* * * * *'\n  jobTemplate:\n    spec:\n"
            "      tasks:\n      - name: Worker\n        replicas: 1\n        template:\n          spec: {restartPolicy: Never, containers: [{name: a, image: 'b:1'}]}\n")
    assert ("- name: Worker", "- name: worker") in changed("job.yaml", text)


# Bytes, files and summaries.


@pytest.mark.parametrize("marks", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_byte_order_marks_stay(marks: str, end: str) -> None:
    Path("a.het.yaml").write_bytes(f"{marks}# a{end}labels: {{a: 5}}{end}".encode())
    looked = linter().look("a.het.yaml")
    assert looked.fixes == 1
    assert Path("a.het.yaml").read_bytes().decode() == f'{marks}# a{end}labels: {{a: "5"}}{end}'
    documents = "".join(f"{marks}---{end}{manifest('labels: {a: 5}').replace(chr(10), end)}" for _ in range(2))
    Path("b.yaml").write_bytes(documents.encode())
    assert linter().look("b.yaml").fixes == 2
    assert Path("b.yaml").read_bytes().decode() == documents.replace("{a: 5}", '{a: "5"}')


def test_marks_are_put_back_where_they_were() -> None:
    raw = "\ufeff---\na\n---\nb\n\ufeff---\n\ufeffc\n"
    assert restored(raw.encode(), decode(raw.encode()).replace("a", "x")) == raw.replace("a", "x")


def test_the_mode_stays_and_a_link_stays_one(capsys: pytest.CaptureFixture[str]) -> None:
    Path("real.het.yaml").write_text("labels: {a: 5}\n")
    os.chmod("real.het.yaml", 0o640)
    os.symlink("real.het.yaml", "link.het.yaml")
    assert __main__.run(["lint", "--fix", "link.het.yaml"]) == 0
    assert os.path.islink("link.het.yaml") and stat.S_IMODE(os.stat("real.het.yaml").st_mode) == 0o640
    assert Path("real.het.yaml").read_text() == 'labels: {a: "5"}\n'
    assert capsys.readouterr().out == "checked 1 document: 0 errors, 0 warnings, 1 fix made in 1 file\n"
    assert sorted(os.listdir()) == [".git", "link.het.yaml", "real.het.yaml"]


def test_nothing_is_written_when_nothing_changes() -> None:
    Path("a.het.yaml").write_text("labels: {a: x}\nimage: 5 # hetc: ignore[HET015] meant\n")
    os.utime("a.het.yaml", ns=(1, 1))
    inode = os.stat("a.het.yaml").st_ino
    assert linter().look("a.het.yaml").fixes == 0
    assert (os.stat("a.het.yaml").st_ino, os.stat("a.het.yaml").st_mtime_ns) == (inode, 1)


def test_directories_and_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkdir("jobs")
    Path("jobs/a.het.yaml").write_text("labels: {a: 5, b: 6}\n")
    Path("jobs/b.yaml").write_text(manifest("labels: {a: no}"))
    Path("jobs/c.het").write_text(HET)
    assert __main__.run(["lint", "--fix", "--output-format", "json", "jobs"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["fixes"] == 3
    assert __main__.run(["lint", "--fix", "jobs"]) == 0
    assert capsys.readouterr().out == "checked 3 documents: 0 errors, 0 warnings\n"


def test_standard_input_cannot_be_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.het.yaml").write_text("labels: {a: 5}\n")
    assert __main__.run(["lint", "--fix", "a.het.yaml", "-"]) == 2
    assert capsys.readouterr().err == "hetc: `--fix` changes files, and standard input is none\n"
    assert Path("a.het.yaml").read_text() == "labels: {a: 5}\n"


def test_a_file_that_cannot_be_written_is_a_usage_error() -> None:
    Path("a.het.yaml").write_text("labels: {a: 5}\n")
    os.mkdir(f"a.het.yaml.{os.getpid()}.tmp")
    assert linter().look("a.het.yaml").complaint == "cannot write `a.het.yaml`: file exists"


def test_a_file_that_changed_meanwhile_is_left_alone() -> None:
    path = Path("a.het.yaml")
    path.write_text("labels: {a: 5}\n")

    def change(name: str) -> Source:
        text = path.read_text()
        path.write_text("labels: {a: 6}\n")
        return Source(name, text)

    looked = Linter(Compiler(Options(isolated=True)), set(), fix=True, read=change).look("a.het.yaml")
    assert looked.complaint == "`a.het.yaml` has changed since it was read, and is left as it is"
    assert path.read_text() == "labels: {a: 6}\n"


def test_what_is_silenced_left_out_or_known_is_not_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    text = "labels: {a: 5}  # hetc: ignore[HET015] meant\nenv: {A: 6}\n"
    Path("a.het.yaml").write_text(text)
    assert __main__.run(["lint", "--fix", "--ignore", "HET015", "a.het.yaml"]) == 0
    assert Path("a.het.yaml").read_text() == text
    __main__.run(["lint", "--write-baseline", "known.json", "a.het.yaml"])
    __main__.run(["lint", "--fix", "--baseline", "known.json", "a.het.yaml"])
    assert Path("a.het.yaml").read_text() == text
    __main__.run(["lint", "--fix", "a.het.yaml"])
    assert Path("a.het.yaml").read_text() == text.replace("6", '"6"')
    capsys.readouterr()


def test_a_layer_that_others_use_is_fixed_in_its_own_turn(capsys: pytest.CaptureFixture[str]) -> None:
    Path("base.het.yaml").write_text("labels: {a: 5}\n")
    Path("job.het").write_text("use[base.het.yaml]\n" + HET)
    assert __main__.run(["lint", "--fix", "job.het"]) == 1
    assert Path("base.het.yaml").read_text() == "labels: {a: 5}\n"
    __main__.run(["lint", "--fix", "."])
    assert Path("base.het.yaml").read_text() == 'labels: {a: "5"}\n'
    capsys.readouterr()


# Edits.


def diagnostic(source: Source, *edits: tuple[int, int, str]) -> Diagnostic:
    from hetc import codes

    report = Report()
    report.add(codes.NOT_TEXT, Span(source, 0, 0), "x", fix=Fix("x", tuple(Edit(Span(source, start, end), text) for start, end, text in edits)))
    return report.diagnostics[0]


@pytest.mark.parametrize(("fixes", "text", "count"), [
    ([], "0123456789", 0),
    ([[(1, 3, "x")], [(3, 4, "y")]], "0xy456789", 2),
    ([[(3, 4, "y")], [(1, 3, "x")]], "0xy456789", 2),
    ([[(1, 3, "x")], [(2, 4, "y")]], "0x3456789", 1),
    ([[(1, 3, "x"), (8, 9, "z")], [(2, 4, "y"), (6, 7, "w")]], "0x34567z9", 1),  # whole or not at all
    ([[(1, 3, "x")], [(1, 3, "x")]], "0x3456789", 1),
    ([[(1, 3, "x")], [(1, 3, "y")]], "0x3456789", 1),
    ([[(2, 2, "+")], [(2, 2, "+")]], "01+23456789", 1),
    ([[(2, 2, "+")], [(2, 2, "-")]], "01+23456789", 1),
    ([[(1, 3, "x")], [(1, 3, "x"), (5, 6, "y")]], "0x34y6789", 2),
    ([[(0, 10, "")], [(4, 5, "y")]], "", 1),
])
def test_edits(fixes: list[list[tuple[int, int, str]]], text: str, count: int) -> None:
    source = Source("a", "0123456789")
    result = fixed(source, [diagnostic(source, *edits) for edits in fixes])
    assert (result.text, result.count) == (text, count)


def test_edits_of_another_file_are_not_made() -> None:
    source, other = Source("a", "0123"), Source("b", "0123")
    assert fixed(source, [diagnostic(other, (0, 1, "x"))]).text == "0123"


# Laws.

#: Plain scalars that are misread somewhere.
MISREAD = st.sampled_from("5 007 1.10 no y ON ~ null true 12:30 12:30:45 0x1F 1e3 .inf = 2024-01-01 -0 +5 1_000 0o17".split())
PLAIN = st.sampled_from("a worker x.y /a/b v1".split())
QUOTED = st.sampled_from(['"5"', "'no'", '"a\\tb"', "'it''s'"])
VALUES = st.one_of(MISREAD, MISREAD.map("&anchor {}".format), PLAIN, QUOTED)
KEYS = st.one_of(st.sampled_from(["k1", "k2", "k3", '"q"']), st.sampled_from("5 no 12:30 1e3".split()))
COMMENTS = st.sampled_from(["", "  # why", " # 5: no", "  # hetc is a tool"])


@st.composite
def mappings(draw: Any) -> str:
    """A mapping of text to text at two blanks, in block or flow style, with comments."""
    entries = draw(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
    text = [f"{key}: {value.replace('anchor', f'a{number}')}" for number, (key, value) in enumerate(entries.items())]
    if draw(st.booleans()):
        return f" {{{', '.join(text)}}}{draw(COMMENTS)}"
    return "".join(f"{draw(COMMENTS)}\n    {entry}" if number == 0 else f"\n    {entry}{draw(COMMENTS)}" for number, entry in enumerate(text))


@st.composite
def manifests(draw: Any) -> str:
    names = draw(st.lists(st.sampled_from("Master worker GPU_Worker PS ps no NO a.b".split()), min_size=1, max_size=3))
    plugins = draw(st.lists(st.sampled_from(["svc:", "ssh: ~", "env: null # on", "svc: []"]), max_size=2, unique_by=lambda each: each[:3]))
    path = draw(st.sampled_from(["/a/../b", "/b", "'/b/./../c/'", '"/c//d"']))
    tasks = [task(f"image: a.example/b:1\nvolumeMounts:\n- {{name: v, mountPath: {path}}}\n- {{name: v, mountPath: /c}}", name, pod="restartPolicy: Never")
             for name in names]
    spec = "".join(["plugins:\n", *(f"  {each}\n" for each in plugins)]) if plugins else ""
    annotations = f"  annotations:{draw(mappings())}\n"
    return job(*tasks, spec=spec).replace("  name: demo\n", f"  name: demo\n{annotations}")


def comments(text: str) -> list[str]:
    return re.findall(r"#.*", text)


def data(text: str) -> Any:
    """What hetc reads: each scalar as its value and the text that stands for it."""
    documents = read(Source("a.yaml", text), Report())
    assert documents is not None
    return [_data(each) for each in documents]


def _data(node: Any) -> Any:
    if isinstance(node, Scalar):
        return node.value, node.text
    if isinstance(node, Sequence):
        return [_data(each) for each in node.items]
    return {key: _data(entry.value) for key, entry in node.entries.items()}


def same(before: Any, after: Any, path: tuple[str, ...] = ()) -> bool:
    """Whether data differs only where a fix is for it: a scalar that became its own text, a name, a path, a plugin's null."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [*before] == [*after] and all(same(one, other, (*path, key)) for (key, one), other in zip(before.items(), after.values()))
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(same(one, other, path) for one, other in zip(before, after))
    if before == after or after == (before[1], before[1]):
        return True
    if "plugins" in path:
        return bool(before[0] is None and after == [])
    if path[-1:] == ("name",) and "tasks" in path:
        return bool(re.sub(r"[-._]", "", before[1].lower()) == after[0].replace("-", ""))
    return path[-1:] == ("mountPath",) and bool(os.path.normpath(before[1]) == after[0])


@settings(max_examples=40)
@given(manifests())
def test_a_manifest_is_fixed_once_and_for_all(text: str) -> None:
    after = mended("job.yaml", text)
    assert comments(after) == comments(text)
    assert same(data(text), data(after)), after


@given(mappings())
def test_an_overlay_is_fixed_once_and_for_all(entries: str) -> None:
    text = f"env:{entries}\n"
    after = mended("job.het.yaml", text)
    assert comments(after) == comments(text)
    assert same(data(text), data(after)), after


@given(MISREAD.filter(lambda text: text not in ("~", "null")))
def test_a_quoted_scalar_is_its_own_text_to_every_reader(text: str) -> None:
    after = mended("job.het.yaml", f"env: {{A: {text}}}\n")
    assert yaml.safe_load(after) == {"env": {"A": text}}
    assert data(after) == [{"env": {"A": (text, text)}}]


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_any_timestamp_is_quoted_to_its_own_text(tail: str) -> None:
    """Of what readers misread only a timestamp may go on with any text."""
    text = f"env:\n  A: 2024-01-01 10:00:00{tail}\n"
    report = Report()
    documents = read(Source("a.het.yaml", text), report)
    assume(documents is not None and not report.diagnostics and len(documents) == 1)
    (before,) = data(text)
    assume(isinstance(before, dict))
    (after,) = data(mended("a.het.yaml", text))
    assert same(before, after)
    assert isinstance(after["env"]["A"][0], str)
