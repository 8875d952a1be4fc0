"""Jobs that are refused before they are made, since what all tasks share stands in each."""
from __future__ import annotations

import json

import pytest

from hetc import bound
from hetc.pipeline import Compiler, Options
from hetc.source import Source
from hetc.tree import plain
from tests.rules.checks import compile_het

HEAD = "image: a:1\ncommand: [run]\n"


def request(tasks: int) -> str:
    return "+".join(f"1*{'master' if number == 0 else f'g{number}'}<cpu=1,mem=1Gi>" for number in range(tasks)) + "\n---\n" + HEAD


@pytest.mark.parametrize("overlay", [
    "", "env: {WORLD_SIZE: '', MASTER_ADDR: a, MASTER_PORT: '1', A: x}\n", "env: {é: é, B: {secret: s, key: k}, C: {field: a}}\n",
    "env_from: [{secret: a}, {secret: a}, {config_map: b}]\n", "labels: {a: b}\nannotations: {c: d}\nnode_selector: {e: f}\n",
    "mounts: {a: {path: /a, claim: c}, b: {path: /b, secret: s, items: {x: k}}, d: {path: /d, empty_dir: {}, read_only: false}}\n",
    "setup: ['  a  ', '', '#x']\nworking_dir: ''\nshell: /s\n",
])
def test_it_is_a_lower_bound(overlay: str) -> None:
    unit = Compiler(Options(isolated=True)).job(Source("job.het", request(1) + overlay), ask_command=True)
    assert unit.job is not None and unit.document is not None, unit.report.sorted()
    task = plain(unit.document)["spec"]["tasks"][0]  # type: ignore[index, call-overload]
    size = bound.of_task(unit.job.tasks[0], bound.of_mounts(unit.job.mounts))
    assert bound._TASK <= size <= len(json.dumps(task, ensure_ascii=False, separators=(",", ":")).encode())


@pytest.mark.parametrize(("text", "said"), [
    (request(9999), "2,"), (request(200) + "env:\n" + "".join(f"  V{n}: a\n" for n in range(3000)), " of its 200 tasks"),
    (request(200) + f"annotations: {{a: {'x' * 100_000}}}\n", "16 of its 200 tasks"),
    (request(200) + f"setup: [{'x' * 100_000}]\n", "16 of its 200 tasks"),
    (request(200) + "mounts:\n" + "".join(f"  m{n}: {{path: /p{n}, claim: c}}\n" for n in range(3000)), "of its 200 tasks"),
    (request(1) + "env:\n" + "".join(f"  V{n}: a\n" for n in range(60_000)), "its task alone"),
])
def test_what_no_object_holds_is_refused_before_it_is_made(text: str, said: str) -> None:
    unit = Compiler(Options(isolated=True, ignore=("HET608",))).job(Source("job.het", text), ask_command=True)
    errors = [each for each in unit.report.sorted() if each.level == "error"]
    assert [each.code.code for each in errors] == ["HET608"]
    assert said in errors[0].message and "1,572,864 bytes" in errors[0].message
    assert unit.document is None


def test_a_thousand_small_groups_build() -> None:
    found = compile_het(request(1000))
    assert [(each.code.code, each.level) for each in found] == [("HET608", "warning")]
