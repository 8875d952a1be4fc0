"""`hetc explain`: the ways to write a path, and what is said of where a value came from."""
from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from hetc.explain.path import children, leaves, parse, places, shown
from hetc.pipeline import Compiler, Options
from hetc.source import Source, UsageError
from hetc.tree import Mapping, Scalar
from tests.conftest import ROOT
from tests.test_fmt import hetc

JOB = """\
use["base.yaml"]
1*master<cpu=1, mem=1Gi> + 2*worker<cpu=2, mem=2Gi>
---
namespace: inline
image: registry.example/a:1
command: python a.py
labels: {team.example/name: t}
tasks:
  worker: {image: "registry.example/b:2", env: {A: "1"}}
"""
SCHEMA = Draft7Validator(json.loads((ROOT / "schemas" / "explain.schema.json").read_text()))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for name, text in {
        "train.het": JOB, "base.yaml": "namespace: base\nqueue: base\n", "more.yaml": "namespace: more\n",
        "hetc.toml": '[defaults]\nnamespace = "site"\npriority_class = "low"\n',
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def document(text: str = JOB.replace('use["base.yaml"]\n', "")) -> Mapping:
    unit = Compiler(Options(isolated=True)).job(Source("train.het", text), ask_command=True)
    assert unit.document is not None
    return unit.document


def found(path: str) -> list[str]:
    return [shown(each.path) for each in places(document(), parse(path))]


@pytest.mark.parametrize("path", [
    "spec.tasks[worker].replicas", "spec.tasks[1].replicas", "spec.tasks.worker.replicas", "spec.tasks.1.replicas", ".spec.tasks[1].replicas",
    "$.spec.tasks[1].replicas", "{.spec.tasks[1].replicas}", "$['spec']['tasks'][1]['replicas']", "spec.tasks[name=worker].replicas",
    "spec.tasks.[name=worker].replicas", '{.spec.tasks[?(@.name=="worker")].replicas}', "$.spec.tasks[?(@.name == 'worker')].replicas",
    "/spec/tasks/1/replicas", "/spec/tasks/worker/replicas", 'spec.tasks["worker"].replicas', "spec.tasks[ worker ].replicas",
    "spec.tasks[?(@.template.spec.containers=='x')].nothing", "spec.tasks[?(@.replicas==2)].replicas",
])
def test_ways_to_write_a_path(path: str) -> None:
    assert found(path) == ([] if "nothing" in path else ["spec.tasks[worker].replicas"])


@pytest.mark.parametrize(("path", "expected"), [
    ("spec.tasks[*].replicas", ["spec.tasks[master].replicas", "spec.tasks[worker].replicas"]),
    ("metadata.labels['team.example/name']", ["metadata.labels['team.example/name']"]),
    ("metadata.labels.team.example/name", ["metadata.labels['team.example/name']"]),
    ("metadata.labels.team\\.example/name", ["metadata.labels['team.example/name']"]),
    ("/metadata/labels/team.example~1name", ["metadata.labels['team.example/name']"]),
    ("spec.tasks[worker].template.spec.containers[main].env[A].value", ["spec.tasks[worker].template.spec.containers[main].env[A].value"]),
    ("spec.policies[0].events[PodFailed]", ["spec.policies[0].events[1]"]),
    ("spec.policies[0].events[7]", []), ("spec.tasks[-1]", []), ("spec.tasks[٣]", []), ("", [""]), ("$", [""]), ("{}", [""]),
    ("metadata.*", ["metadata.name", "metadata.namespace", "metadata.labels"]),
])
def test_where_paths_lead(path: str, expected: list[str]) -> None:
    assert found(path) == expected


def test_every_path_that_hetc_writes_leads_back() -> None:
    root = document(JOB.replace('use["base.yaml"]\n', "") + "annotations: {a.b/c: v, \"x/it's\": v, 'x/\"y\"': v, '[1]': v}\n")
    todo = [("", root)]
    while todo:
        path, node = todo.pop()
        assert [each.node for each in places(root, parse(shown(path)))] == [node]
        todo.extend((path + name, child) for name, child in children(node))
    assert sum(1 for _ in leaves(root, "")) > 80


@settings(max_examples=200)
@given(st.text(st.sampled_from("spectaks.[]*?(@='\"){}$/\\0 1é~"), max_size=20) | st.text(max_size=12))
def test_any_text_is_a_path_or_is_refused(text: str) -> None:
    with contextlib.suppress(UsageError):
        list(places(DOCUMENT, parse(text)))


DOCUMENT = document()


def test_a_value_with_its_layers(folder: Path) -> None:
    assert hetc("explain", "train.het", "metadata.namespace", "-f", "more.yaml", "--namespace", "last") == (0, """\
metadata.namespace: last

<command line>:1:43: set here, in the command line
    1 | train.het metadata.namespace -f more.yaml --namespace last
      |                                           ^^^^^^^^^^^^^^^^
more.yaml:1:12: overridden, in the overlay of `-f more.yaml`
    1 | namespace: more
      |            ^^^^
train.het:4:12: overridden, in the overlay behind the request
    4 | namespace: inline
      |            ^^^^^^
base.yaml:1:12: overridden, in a file that the input names
    1 | namespace: base
      |            ^^^^
hetc.toml:2:1: overridden, in the site file
    2 | namespace = "site"
      | ^^^^^^^^^
""", "")


@pytest.mark.parametrize(("path", "expected"), [
    ("spec.tasks[worker].template.spec.containers[0].image", """\
spec.tasks[worker].template.spec.containers[main].image: registry.example/b:2

train.het:9:19: set here, in the overlay behind the request
    9 |   worker: {image: "registry.example/b:2", env: {A: "1"}}
      |                   ^^^^^^^^^^^^^^^^^^^^^^
train.het:5:8: overridden, in the overlay behind the request
    5 | image: registry.example/a:1
      |        ^^^^^^^^^^^^^^^^^^^^
"""),
    ("spec.tasks[master].template.spec.containers[0].image", """\
spec.tasks[master].template.spec.containers[main].image: registry.example/a:1

train.het:5:8: set for the job, from which the task takes it, in the overlay behind the request
    5 | image: registry.example/a:1
      |        ^^^^^^^^^^^^^^^^^^^^
"""),
    ("spec.tasks[worker].replicas", """\
spec.tasks[worker].replicas: 2

train.het:2:28: set here, in the request
    2 | 1*master<cpu=1, mem=1Gi> + 2*worker<cpu=2, mem=2Gi>
      |                            ^
"""),
    ("metadata.name", """\
metadata.name: train

train.het:1:1: the file's name, for no layer gives one, in the request
    1 | use["base.yaml"]
      | ^
"""),
    ("spec.schedulerName", "spec.schedulerName: volcano\n\nhetc works it out from the job as a whole; no layer sets it\n"),
    ("spec.plugins", """\
spec.plugins has keys:

path              value  from
spec.plugins.svc  []     hetc
"""),
    ("spec.tasks[worker].template.spec.containers[main].command", """\
spec.tasks[worker].template.spec.containers[main].command has items:

path                                                          value                                                         from
spec.tasks[worker].template.spec.containers[main].command[0]  /bin/sh                                                       train.het:6:10 (derived)
spec.tasks[worker].template.spec.containers[main].command[1]  -c                                                            train.het:6:10 (derived)
spec.tasks[worker].template.spec.containers[main].command[2]  set -e\\nexport AJ_NODE_RANK=$((1 + AJ_TASK_INDEX))\\nexport …  train.het:6:10 (inherited)
"""),
    ("spec.tasks[worker].template.spec.containers[main].command[2]", """\
spec.tasks[worker].template.spec.containers[main].command[2]: |
  set -e
  export AJ_NODE_RANK=$((1 + AJ_TASK_INDEX))
  export NODE_RANK="$AJ_NODE_RANK"
  exec python a.py

train.het:6:10: set for the job, from which the task takes it, in the overlay behind the request
    6 | command: python a.py
      |          ^^^^^^^^^^^
"""),
])
def test_what_is_said_of_a_value(folder: Path, path: str, expected: str) -> None:
    assert hetc("explain", "train.het", path) == (0, expected, "")


def test_without_a_path_the_top_is_shown(folder: Path) -> None:
    status, out, err = hetc("explain", "train.het")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == [
        "path", "apiVersion", "kind", "metadata.name", "metadata.namespace", "metadata.labels", "spec.schedulerName", "spec.queue",
        "spec.minAvailable", "spec.maxRetry", "spec.priorityClassName", "spec.plugins", "spec.policies", "spec.tasks[master]", "spec.tasks[worker]",
    ]
    assert "metadata.namespace      inline" in out and "train.het:4:12, over base.yaml:1:12, hetc.toml:2:1\n" in out


@pytest.mark.parametrize(("path", "message"), [
    ("spec.tasks[wroker].replicas", "did you mean `spec.tasks[worker].replicas`?"),
    ("spec.task[worker].replicas", "did you mean `spec.tasks[worker].replicas`?"),
    ("spec.minavailable", "did you mean `spec.minAvailable`?"),
    ("spec.tasks[worker].template.spec.containers[0].imag", "did you mean `spec.tasks[worker].template.spec.containers[main].image`?"),
    ("tasks.worker.image", "did you mean `spec.tasks[worker].template.spec.containers[main].image`?"),
    ("workingDir", "in it there are `apiVersion`, `kind`, `metadata` and `spec`"),
    ("image", "did you mean `spec.tasks[master].template.spec.containers[main].image` or `spec.tasks[worker].template.spec.containers[main].image`?"),
    ("spec.tasks[7]", "in `spec.tasks` there are `master` and `worker`"),
    ("spec.plugins.svc.port", "`spec.plugins.svc` has no parts"),
])
def test_a_path_that_leads_nowhere(folder: Path, path: str, message: str) -> None:
    status, out, err = hetc("explain", "train.het", path)
    assert (status, out) == (2, "")
    assert err.startswith(f"hetc: `{path}` is not in the manifest")
    assert err.endswith(f"{message}\n")


def test_a_manifest_by_hand_has_its_own_lines(folder: Path) -> None:
    (folder / "b.het").write_text(JOB)
    hetc("build", "train.het", "b.het", "-o", "two.yaml")
    (folder / "two.yaml").write_text((folder / "two.yaml").read_text().replace("registry.example/b:2", "&image registry.example/b:3", 1))
    status, out, err = hetc("explain", "two.yaml", "spec.tasks[worker].template.spec.containers[0].image")
    assert (status, err) == (0, "")
    one, _, two = out.partition("\n\nJob/b:\n")
    assert one.startswith("Job/train:\nspec.tasks[worker].template.spec.containers[main].image: registry.example/b:3\n\ntwo.yaml:")
    assert one.splitlines()[3].endswith(": set here, in the manifest") and "registry.example/b:2" in two


def test_a_template_and_standard_input(folder: Path) -> None:
    template = ROOT / "examples" / "template" / "train.yaml"
    status, out, _ = hetc("explain", str(template), "spec.queue", "--", "python", "x")
    assert status == 0 and ", in a file that the input names\n" in out
    assert ", in the template\n" in hetc("explain", str(template), "spec.tasks[0].replicas")[1]
    assert hetc("explain", "-", "spec.tasks[0].replicas", stdin=b"1*master<cpu=1,mem=1Gi>\n---\nimage: a:1\n")[1].startswith("spec.tasks[master].replicas: 1\n")


def test_what_a_rule_refuses_is_explained_too(folder: Path) -> None:
    (folder / "hetc.toml").write_text('[policy]\nnamespaces = ["other"]\n')
    assert hetc("build", "train.het")[0] == 1
    assert hetc("explain", "train.het", "metadata.namespace")[0] == 0


def test_what_makes_no_manifest(folder: Path) -> None:
    (folder / "bad.het").write_text("1*w<\n")
    status, out, err = hetc("explain", "bad.het", "spec")
    assert (status, out) == (1, "") and err.startswith("bad.het:1:4: error HET002: ")
    (folder / "x.het.yaml").write_text("image: a\n")
    assert hetc("explain", "x.het.yaml")[2] == (
        "hetc: `x.het.yaml` is an overlay, which makes no manifest by itself; name its .het file, and `-f x.het.yaml`\n")
    (folder / "other.yaml").write_text("apiVersion: v1\nkind: Widget\n")
    assert hetc("explain", "other.yaml")[0] == 2
    assert hetc("explain", "train.het", "a", "b")[0] == 2
    assert hetc("explain", "train.het", "[[") == (2, "", "hetc: `[[` is no path; write one like `spec.tasks[worker].replicas`\n")


@pytest.mark.parametrize("path", [[], ["spec"], ["spec.tasks[*].replicas"], ["spec.plugins.svc"]])
def test_json(folder: Path, path: list[str]) -> None:
    status, out, _ = hetc("explain", "--format", "json", "train.het", *path)
    data = json.loads(out)
    SCHEMA.validate(data)
    assert status == 0
    assert hetc("schema", "explain")[1] == (ROOT / "schemas" / "explain.schema.json").read_text()


def test_json_says_the_layers(folder: Path) -> None:
    (match,) = json.loads(hetc("explain", "--format=json", "train.het", "metadata.namespace")[1])["matches"]
    assert match == {"document": "Job/train", "path": "metadata.namespace", "value": "inline", "values": [{
        "path": "metadata.namespace", "value": "inline", "how": "written", "layer": "the overlay behind the request",
        "file": "train.het", "line": 4, "column": 12, "end_line": 4, "end_column": 18,
        "overridden": [
            {"layer": "a file that the input names", "file": "base.yaml", "line": 1, "column": 12, "end_line": 1, "end_column": 16},
            {"layer": "the site file", "file": "hetc.toml", "line": 2, "column": 1, "end_line": 2, "end_column": 10},
        ],
    }]}


def test_every_leaf_of_every_golden_job_has_a_place() -> None:
    for path in sorted((ROOT / "golden").glob("*/job.het")):
        unit = Compiler(Options(isolated=True)).job(Source(str(path), path.read_text()), ask_command=True)
        for leaf in leaves(unit.document, "") if unit.document is not None else ():
            assert leaf.node.origin.span.start_position() >= (1, 1), leaf
            assert isinstance(leaf.node, Scalar) or not any(children(leaf.node))
