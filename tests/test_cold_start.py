"""What a start loads. Times swing with the machine; modules do not."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Each costs 1 to 100 ms of every start.
HEAVY = set(
    "argparse ast click dataclasses decimal difflib fractions importlib.metadata importlib.resources inspect json jsonschema "
    "kubernetes_validate lark logging pathlib rich shlex subprocess tempfile tokenize tomllib traceback typer unittest urllib yaml".split()
)

# `-S`: what site-packages loads by itself is not hetc's doing, and may hide what is.
PROGRAM = """
import sys
sys.path[:0] = sys.argv[1].split("|")
before = set(sys.modules)
from hetc.__main__ import run
status = run(sys.argv[2:])
after = sorted(set(sys.modules) - before)
import json
print(json.dumps([status, after]), file=sys.stderr)
"""

VERSION = {"hetc", "hetc.__main__", "hetc.source"}
BUILD = VERSION | {f"hetc.{name}" for name in (
    "api bound codes commands diagnostic dump duration emit emit.volcano emit.volcano_kinds fields fronts gpu image inputs ir judging lazy levels lifecycle lower manifest merge names "
    "options origin pipeline plugins quantity read read.het read.het_tables read.het_values read.het_words read.lalr read.overlay "
    "read.plain_line read.plain_yaml read.yaml record rule rules scalars scheduling script security shell site source system tree"
).split()}

REPORT = {"hetc.report", "hetc.report.summary", "hetc.report.text"}


def loaded(*argv: str) -> set[str]:
    path = "|".join([str(ROOT), *(entry for entry in sys.path if "-packages" in entry)])
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COV"))}
    command = [sys.executable, "-S", "-c", PROGRAM, path, *argv]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    status, modules = json.loads(done.stderr.splitlines()[-1])
    assert status == 0
    return set(modules)


def own(modules: set[str]) -> set[str]:
    """The modules of hetc, the rules left out."""
    return {name for name in modules if name.split(".")[0] == "hetc" and not name.startswith("hetc.rules.")}


@pytest.mark.parametrize(("argv", "expected"), [
    (["--version"], VERSION),
    (["build", "examples/cpu.het"], BUILD),
    (["build", "examples/train.het"], BUILD | REPORT - {"hetc.report.summary"} | {"hetc.paths"}),
    (["lint", "--output-format", "concise", "examples/train.het"], BUILD - {"hetc.dump"} | REPORT | {"hetc.discover", "hetc.linter", "hetc.paths"}),
])
def test_a_start_loads_no_more_than_it_needs(argv: list[str], expected: set[str]) -> None:
    modules = loaded(*argv)
    assert not modules & HEAVY
    assert {name.split(".")[0] for name in modules} - sys.stdlib_module_names <= {"hetc"}
    assert own(modules) == expected


def test_a_rule_is_loaded_where_there_is_something_for_it() -> None:
    build = {name for name in loaded("build", "examples/cpu.het") if name.startswith("hetc.rules.")}
    assert {"hetc.rules.job_name", "hetc.rules.missing_master"} <= build
    assert not build & {f"hetc.rules.{name}" for name in ("bad_probe", "cron_name", "flow_job", "privileged", "queue_parent", "unknown_api")}
    assert len(build) < 60  # of more than 100


def test_a_manifest_loads_no_front_end_and_one_schema_reader() -> None:
    modules = loaded("lint", "--output-format", "concise", "golden/homogeneous/expected.yaml")
    assert modules & HEAVY == {"json"}
    assert {"hetc.shape", "hetc.read.manifest"} <= modules
    assert not modules & {"hetc.fronts", "hetc.lower", "hetc.emit.volcano"}
    assert not {"hetc.read.het", "hetc.read.overlay", "hetc.read.template", "hetc.verify"} & modules


def test_version_loads_next_to_nothing() -> None:
    assert loaded("--version") - VERSION <= {"__future__", "_bisect", "bisect", "gc"}


def test_heavy_modules_are_seen() -> None:
    assert {"typer", "inspect"} <= loaded("--help")
