"""What the README shows is what happens."""
from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from hetc.compile import Compiler, Options
from hetc.diagnostic import Report
from hetc.options import COMMANDS
from tests.conftest import ROOT

with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
    README = file.read()

CONSOLE = re.findall(r"```console\n\$ ([^\n]+)\n(.*?)```", README, re.DOTALL)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH on which `hetc` is this checkout."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "hetc").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hetc "$@"\n')
    (folder / "hetc").chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.parametrize(("command", "output"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_console(command: str, output: str, path: str) -> None:
    done = subprocess.run(["bash", "-c", f"{command} 2>&1" if "2>" not in command else command], cwd=ROOT, capture_output=True, text=True,
                          check=False, env={**os.environ, "PATH": path, "PYTHONPATH": ROOT})
    assert done.stdout == output


def test_the_example_is_the_file() -> None:
    with open(os.path.join(ROOT, "examples", "cpu.het"), encoding="utf-8") as example:
        assert f"```het\n{example.read()}```" in README


def test_the_site_file_is_one(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(str(tmp_path))
    with open("hetc.toml", "w", encoding="utf-8") as site:
        site.write(text)
    report = Report()
    Compiler(Options(config="hetc.toml")).site(".", report)
    assert report.diagnostics == []


def test_every_command_is_named() -> None:
    assert [name for name in COMMANDS if f"`hetc {name}" not in README] == []


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_two_commands_are_targets(target: str) -> None:
    with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as makefile:
        assert re.search(rf"^{target}:", makefile.read(), re.MULTILINE)
    assert f"make {target}" in README
