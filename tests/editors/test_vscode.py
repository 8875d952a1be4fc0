"""The extension of VS Code packs, and what is packed starts the server."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from hetc import __version__
from tests.conftest import ROOT
from tests.judges import MODULES, needs_npm

FOLDER = ROOT / "editors" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
ACTIVATE = ROOT / "tests" / "editors" / "activate.cjs"


def test_its_versions_are_those_of_the_project():
    judges = json.loads((ROOT / "tests" / "npm" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert PACKAGE["version"] == __version__
    assert PACKAGE["devDependencies"] == {name: judges[name] for name in PACKAGE["devDependencies"]}


def test_what_it_names_is_there_and_said_in_its_readme():
    contributes = PACKAGE["contributes"]
    for language in (*contributes["languages"], *contributes["grammars"]):
        assert (FOLDER / language.get("configuration", language.get("path"))).is_file()
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    settings = contributes["configuration"]["properties"]
    assert re.findall(r"^\| `(hetc\.\w+)` \| `(.*?)` \|", readme, re.MULTILINE) == [
        (name, value["default"] if isinstance(value["default"], str) else json.dumps(value["default"])) for name, value in settings.items()]
    code = (FOLDER / "extension.js").read_text(encoding="utf-8")
    assert {f"hetc.{name}" for name in re.findall(r'settings\.get\("(\w+)"\)', code)} == set(settings)


def test_the_language_configuration():
    settings = json.loads((FOLDER / "language-configuration.json").read_text(encoding="utf-8"))
    assert settings["comments"] == {"lineComment": "#"}
    word = re.compile(settings["wordPattern"])
    assert [word.search(f" {text}")[0] for text in ("a100-worker<", "64Gi,", "nvidia.com/gpu.product=", '"x"')] == [
        "a100-worker", "64Gi", "nvidia.com/gpu.product", "x"]


@pytest.mark.slow
@needs_npm("@vscode/vsce", "esbuild", "vscode-languageclient")
def test_it_packs_and_starts_the_server(tmp_path):
    folder = tmp_path / "vscode"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"))
    (folder / "node_modules").symlink_to(MODULES)
    done = subprocess.run(["npm", "run", "package"], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(folder / f"hetc-{__version__}.vsix") as packed:
        names = {name.removeprefix("extension/") for name in packed.namelist() if name.startswith("extension/")}
        assert names == {"package.json", "readme.md", "dist/extension.js", "language-configuration.json", "syntaxes/het.tmLanguage.json"}
        packed.extractall(tmp_path / "installed")
    program = tmp_path / "hetc"
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/arguments\nPYTHONPATH={ROOT} exec {sys.executable} -m hetc "$@"\n')
    program.chmod(0o755)

    def activated(path):
        command = ["node", str(ACTIVATE), str(tmp_path / "installed" / "extension" / "dist" / "extension.js"), path]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=dict(os.environ)).stdout.splitlines()

    assert activated(str(program)) == ["activated", "deactivated"]
    assert (tmp_path / "arguments").read_text().split() == ["lsp", "--isolated", "--stdio"]
    *_, said, last, end = activated(str(tmp_path / "nowhere"))
    assert said.startswith(f"error: hetc: cannot start `{tmp_path}/nowhere lsp`: ")
    assert said.endswith("Install it with `pip install 'hetc[lsp]'`, or set `hetc.path`.")
    assert (last, end) == ("activated", "deactivated")
