"""Patches of kustomize are linted as parts: types, fields and security, but not completeness."""
from __future__ import annotations

from pathlib import Path

import pytest

from hetc.__main__ import run
from hetc.pipeline import Compiler, Options
from hetc.read.patch import Patches
from hetc.source import Source

HEAD = "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: train}\n"
PATCH = f"{HEAD}spec:\n  tasks:\n  - name: worker\n    replicas: 4\n"


def codes(text: str, patch: bool = True) -> list[str]:
    return [each.code.code for each in Compiler(Options(isolated=True)).manifest(Source("patch.yaml", text), patch).report.sorted()]


def test_a_part_is_enough_for_a_patch() -> None:
    assert codes(PATCH) == []
    assert codes(PATCH, patch=False) == ["HET502"]


@pytest.mark.parametrize(("text", "code"), [
    (PATCH.replace("replicas: 4", 'replicas: "4"'), "HET014"), (PATCH.replace("replicas: 4", "replica: 4"), "HET012"),
    (PATCH.replace("replicas: 4", "replicas: -4"), "HET590"), (PATCH + "    template: {spec: {hostNetwork: true}}\n", "HET405"),
    (PATCH + "    template: {spec: {containers: [{name: main, securityContext: {privileged: true}}]}}\n", "HET403"),
    ("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {hostPID: true}}}\n", "HET405"),
])
def test_what_is_wrong_with_a_part(text: str, code: str) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize("text", [
    HEAD + "$patch: delete\n", PATCH + "    $patch: merge\n", HEAD + "spec:\n  tasks:\n  - $patch: replace\n  - {name: a, replicas: 1}\n",
    HEAD + "spec:\n  $retainKeys: [queue]\n  queue: research\n", HEAD + "$patch: merge\n",
    HEAD + 'spec:\n  tasks:\n  - name: a\n    template: {spec: {"$setElementOrder/containers": [{name: b}], containers: [{name: b}]}}\n',
])
def test_a_directive_tells_a_patch(text: str) -> None:
    assert codes(text, patch=False) == []


def test_one_document_with_a_directive_is_no_excuse_for_another() -> None:
    assert codes(f"{HEAD}$patch: delete\n---\n{PATCH}", patch=False) == codes(PATCH, patch=False) != []


def test_null_removes() -> None:
    assert codes(f"{HEAD}spec: {{queue: null, plugins: {{svc: null}}}}\n") == []


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_yaml", ".yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_a_kustomization_names_its_patches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(
        tmp_path,
        kustomization_yaml="patches:\n- path: prod/a.yaml\n- patch: |-\n    - {op: remove, path: /spec}\npatchesStrategicMerge: [b.yaml, 'kind: Job\n\n  x: y']\n",
        prod__a_yaml=PATCH, b_yaml=PATCH, c_yaml=PATCH,
    )
    patches = Patches()
    assert [str(tmp_path / name) in patches for name in ("prod/a.yaml", "b.yaml", "c.yaml", "prod/b.yaml")] == [True, True, False, False]
    assert run(["lint", "--isolated", "--output-format", "concise", str(tmp_path / "prod"), str(tmp_path / "b.yaml")]) == 0
    assert run(["lint", "--isolated", "--output-format", "concise", str(tmp_path / "c.yaml")]) == 1
    capsys.readouterr()


@pytest.mark.parametrize("text", ["", "patches: x", "patches: [1, {path: 2}, null]", "- a", "\x00", "patches: [{path: 'a\0b'}]"])
def test_a_kustomization_that_names_none(tmp_path: Path, text: str) -> None:
    write(tmp_path, kustomization_yaml=text, a_yaml=PATCH)
    assert str(tmp_path / "a.yaml") not in Patches()


def test_above_the_repository_nobody_looks(tmp_path: Path) -> None:
    write(tmp_path, kustomization_yaml="patches: [{path: repo/a.yaml}]", repo__a_yaml=PATCH)
    assert str(tmp_path / "repo" / "a.yaml") in Patches()
    (tmp_path / "repo" / ".git").mkdir()
    assert str(tmp_path / "repo" / "a.yaml") not in Patches()
