"""Templates that are built on others: each ancestor counts once, below all that are built on it."""
from __future__ import annotations

from pathlib import Path

import pytest

from hetc.inputs import load
from hetc.pipeline import Compiler, Options

ROOT = "config:\n  target: {service: volcano, cpus_per_node: 1, memory: 1Gi}\n  environment: {image: 'root:1', setup: [root]}\n"
CHILD = "config: {jobs: [{name: a, command: run}]}\n"


@pytest.mark.parametrize(("files", "image", "setup"), [
    ({"b1": "base: r.yaml\nconfig: {environment: {image: 'b1:1'}}\n", "b2": "base: r.yaml\nconfig: {environment: {setup: [b2]}}\n",
      "t": "base: [b1.yaml, b2.yaml]\n"}, "b1:1", "b2"),
    ({"b1": "base: r.yaml\nconfig: {environment: {image: 'b1:1'}}\n", "b2": "base: r.yaml\nconfig: {environment: {image: 'b2:1'}}\n",
      "t": "base: [b1.yaml, b2.yaml]\n"}, "b2:1", "root"),
    ({"b1": "base: r.yaml\nconfig: {environment: {image: 'b1:1'}}\n", "t": "base: [b1.yaml, r.yaml]\n"}, "b1:1", "root"),
    ({"b1": "base: r.yaml\nconfig: {environment: {image: 'b1:1'}}\n", "t": "base: [r.yaml, b1.yaml]\n"}, "b1:1", "root"),
    ({"b1": "base: ./r.yaml\nconfig: {environment: {image: 'b1:1'}}\n", "t": "base: [b1.yaml, b1.yaml]\n"}, "b1:1", "root"),
    ({"t": "base: r.yaml\n"}, "root:1", "root"),
])
def test_an_ancestor_counts_once(files: dict[str, str], image: str, setup: str, tmp_path: Path) -> None:
    for name, text in {"r": ROOT, **files}.items():
        (tmp_path / f"{name}.yaml").write_text(text + (CHILD if name == "t" else ""))
    unit = Compiler(Options(isolated=True)).job(load(str(tmp_path / "t.yaml")), ask_command=True)
    assert unit.job is not None, unit.report.sorted()
    task = unit.job.tasks[0]
    assert task.image is not None
    assert (task.image.value, [line.value for line in task.setup]) == (image, [setup])


def test_a_loop_behind_a_diamond_is_refused(tmp_path: Path) -> None:
    for name, text in {"r": "base: b2.yaml\n" + ROOT, "b1": "base: r.yaml\nconfig: {}\n", "b2": "base: r.yaml\nconfig: {}\n",
                       "t": "base: [b1.yaml, b2.yaml]\n" + CHILD}.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    unit = Compiler(Options(isolated=True)).job(load(str(tmp_path / "t.yaml")), ask_command=True)
    assert [each.code.code for each in unit.report.sorted()] == ["HET009"]
