"""`hetc.compile` and `hetc.lint`: what the commands do, from Python, in any number of threads."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

import hetc
from tests.conftest import ROOT
from tests.judges import PYRIGHT, needs_pyright

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = sorted(str(path) for path in (ROOT / "examples").glob("*.het"))
BROKEN = hetc.Source("broken.het", "1*master<cpu=1, mem=64>")


def command(*argv: str, status: int = 0) -> str:
    done = subprocess.run([sys.executable, "-m", "hetc", *argv], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == status, done.stderr
    return done.stdout


def yaml(path: str) -> str | None:
    return hetc.compile(path, isolated=True).yaml


@pytest.mark.parametrize("path", EXAMPLES)
def test_compile_gives_the_bytes_of_build(path: str) -> None:
    outcome = hetc.compile(path)
    assert outcome.ok
    assert outcome.yaml == command("build", path)
    assert [json.loads(command("build", "--format", "json", path))] == list(outcome.manifests)


def test_several_sources_are_one_stream() -> None:
    assert hetc.compile(EXAMPLES).yaml == command("build", *EXAMPLES)
    twice = hetc.compile([EXAMPLES[0], EXAMPLES[0]])
    assert not twice.ok
    assert twice.manifests == ()
    assert {each.level for each in twice.diagnostics} >= {"error"}


def test_arguments_are_those_of_build() -> None:
    layer = hetc.Source("layer.yaml", "env: {LEVEL: high}\n")
    outcome = hetc.compile(EXAMPLES[1], overlays=layer, name="other", namespace="lab", queue="q", command=["run", "a b"])
    assert outcome.ok
    (job,) = outcome.manifests
    assert (job["metadata"]["name"], job["metadata"]["namespace"], job["spec"]["queue"]) == ("other", "lab", "q")
    assert "LEVEL" in outcome.yaml
    assert "exec run 'a b'" in outcome.yaml
    assert "exec run 'a b'" in hetc.compile(EXAMPLES[1], command="run 'a b'").yaml


def test_a_template_takes_its_nodes() -> None:
    template = ROOT / "golden" / "template-homogeneous" / "template.yaml"
    (job,) = hetc.compile(template, nodes=3, isolated=True).manifests
    assert sum(task["replicas"] for task in job["spec"]["tasks"]) == 3


def test_a_job_of_another_kind() -> None:
    (job,) = hetc.compile(EXAMPLES[0], kind="jobtemplate").manifests
    assert job["kind"] == "JobTemplate"
    with pytest.raises(hetc.UsageError, match="`kind` is one of `job`, `cronjob`, `jobtemplate`, not `pod`"):
        hetc.compile(EXAMPLES[0], kind="pod")  # type: ignore[arg-type]


def test_a_mistake_is_a_diagnostic_at_its_place() -> None:
    outcome = hetc.compile(BROKEN)
    assert (outcome.ok, outcome.yaml, outcome.manifests) == (False, None, ())
    found = next(each for each in outcome.diagnostics if each.code == "HET201")
    assert (found.file, found.line, found.column, found.end_line, found.end_column) == ("broken.het", 1, 21, 1, 23)
    assert (found.level, found.name, found.help) == ("error", "bad-quantity", "write the unit, for example `64Gi`")
    assert str(found) == "broken.het:1:21: error HET201: `mem`: `64` has no unit [bad-quantity]"
    assert found.text.splitlines()[2] == "      |                     ^^"


def test_an_argument_has_a_place_too() -> None:
    (found,) = [each for each in hetc.compile(EXAMPLES[1], name="Big_Name").diagnostics if each.level == "error"]
    assert (found.file, found.line, found.column) == ("<arguments>", 1, 1)


def test_related_places() -> None:
    found = hetc.compile(hetc.Source("job.het", "1*master<cpu=1, cpu=2, mem=1Gi>"))
    assert [(place.file, place.line, place.column) for each in found.diagnostics for place in each.related] == [("job.het", 1, 10)]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.het").write_bytes(b"1*master<cpu=1>\n---\nname: \xe9\n")
    outcome = hetc.compile(tmp_path / "latin.het")
    assert [(each.code, each.line, each.column) for each in outcome.diagnostics] == [("HET001", 3, 7)]
    with pytest.raises(hetc.UsageError, match="cannot read"):
        hetc.compile(tmp_path / "missing.het")
    with pytest.raises(hetc.UsageError, match=r"latin\.het:3:7"):
        hetc.compile(EXAMPLES[0], overlays=[tmp_path / "latin.het"])
    with pytest.raises(hetc.UsageError, match="one source"):
        hetc.compile(EXAMPLES, name="all")


def test_lint_finds_what_the_command_finds() -> None:
    checked = hetc.lint([ROOT / "golden" / "refused-names", EXAMPLES[0], hetc.Source("pod.yaml", "kind: Pod\napiVersion: v2\n")])
    assert not checked.ok
    known = command("lint", str(ROOT / "golden" / "refused-names"), EXAMPLES[0], "--output-format", "concise", status=1)
    assert [str(each) for each in checked.diagnostics if each.file != "pod.yaml"] == known.splitlines()[:-1]
    assert checked.documents >= 2
    assert hetc.lint(EXAMPLES[0]).ok


def test_one_unreadable_file_hides_no_other(tmp_path: Path) -> None:
    checked = hetc.lint([tmp_path / "missing.het", BROKEN])
    assert not checked.ok
    assert [problem.startswith("cannot read") for problem in checked.problems] == [True]
    assert "HET201" in {each.code for each in checked.diagnostics}


def test_unknown_kinds_are_named() -> None:
    checked = hetc.lint(hetc.Source("map.yaml", "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: x}\n"))
    assert checked.ok
    assert len(checked.unknown) == 1
    assert "Thing" in checked.unknown[0]


def test_threads_give_the_same_bytes() -> None:
    one = [yaml(path) for path in EXAMPLES]
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(yaml, EXAMPLES * 8)) == one * 8


@pytest.mark.slow
def test_processes_give_the_same_bytes() -> None:
    one = [yaml(path) for path in EXAMPLES]
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as processes:
        assert list(processes.map(yaml, EXAMPLES * 8, chunksize=8)) == one * 8


def test_importing_hetc_loads_nothing() -> None:
    program = "import sys; before = set(sys.modules); import hetc; print(sorted(set(sys.modules) - before), dir(hetc).count('compile'))"
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True, cwd=ROOT, env={})
    assert done.stdout == "['hetc'] 1\n"


def test_the_names_are_functions_whatever_was_imported_first() -> None:
    program = "import hetc.pipeline, hetc.linter, hetc.library, hetc; print(hetc.compile.__name__, hetc.lint.__name__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "compile lint\n"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hetc.nothing  # noqa: B018


#: Right but for the last two lines.
USER = textwrap.dedent("""\
    from pathlib import Path

    import hetc

    outcome: hetc.Outcome = hetc.compile(["a.het", Path("b.het"), hetc.Source("c.het", "")], overlays=["o.yaml"], command=["x"])
    text: str | None = outcome.yaml
    places: list[tuple[str, int]] = [(found.file, found.line) for found in outcome.diagnostics]
    checked = hetc.lint("jobs", isolated=True)
    ok: bool = checked.ok
    hetc.compile("a.het", nodes="3")
    checked.nothing
""")


@pytest.mark.slow
def test_a_users_program_is_typed_for_mypy(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent", "--no-error-summary", "--hide-error-context", "user.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, "MYPYPATH": str(ROOT)},
    )
    assert [line.rpartition("[")[2] for line in done.stdout.splitlines()] == ["arg-type]", "attr-defined]"], done.stdout
    assert "user.py:10:" in done.stdout
    assert "user.py:11:" in done.stdout


@needs_pyright
@pytest.mark.slow
def test_a_users_program_is_typed_for_pyright(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(
        {"include": ["user.py"], "extraPaths": [str(ROOT)], "typeCheckingMode": "strict", "pythonVersion": "3.11"},
    ))
    done = subprocess.run(["node", PYRIGHT, "--outputjson", "--pythonpath", sys.executable], cwd=tmp_path, capture_output=True, text=True, check=False)
    found = [(each["range"]["start"]["line"] + 1, each.get("rule")) for each in json.loads(done.stdout)["generalDiagnostics"]]
    assert found == [(10, "reportArgumentType"), (11, "reportUnknownMemberType"), (11, "reportAttributeAccessIssue")]


def test_the_clusters_volcano() -> None:
    source = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi, pack=2>\n---\nname: a\nimage: b:1\ncommand: x\n"
    assert hetc.compile(hetc.Source("a.het", source), isolated=True, volcano_version="1.14").ok
    (found,) = hetc.compile(hetc.Source("a.het", source), isolated=True, volcano_version="v1.13.2").diagnostics
    assert (found.code, found.message) == ("HET534", "Volcano 1.13 has no field `partitionPolicy`: 1.14 is the first that has it")
    with pytest.raises(hetc.UsageError, match=r"`volcano_version`: hetc does not know Volcano `1\.9`"):
        hetc.lint("a.het", volcano_version="1.9")
