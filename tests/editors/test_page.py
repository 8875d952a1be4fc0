"""The settings that docs/editors.md shows are ones that the editors can read, and that are there."""
from __future__ import annotations

import json
import re
import subprocess
import tomllib

import pytest

from tests.conftest import ROOT
from tests.judges import needs_neovim, needs_vim

PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
SETTINGS = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))["contributes"]["configuration"]["properties"]


def blocks(language):
    found = re.findall(rf"^```{language}[^\n]*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found


def test_json_and_toml():
    named = {name for block in blocks("json") for name in json.loads(block) if name.startswith("hetc.")}
    assert named | set(re.findall(r'`"(hetc\.\w+)": ', PAGE)) == set(SETTINGS)
    assert next(tomllib.loads(block) for block in blocks("toml"))["language-server"]["hetc"] == {"command": "hetc", "args": ["lsp"]}


@pytest.mark.slow
@needs_neovim
def test_lua(tmp_path):
    for block in blocks("lua"):
        (tmp_path / "init.lua").write_text(block)
        done = subprocess.run(["nvim", "--headless", "-n", "-u", "NONE", "-i", "NONE", "-c", "lua assert(loadfile('init.lua'))", "-c", "qall!"],
                              cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@needs_vim
def test_vimscript(tmp_path):
    (block,) = blocks("vim")
    (tmp_path / "autoload").mkdir()
    (tmp_path / "autoload" / "lsp.vim").write_text(
        "function lsp#register_server(server)\n  call writefile([json_encode(a:server)], 'out.json')\nendfunction\n")
    (tmp_path / "vimrc").write_text(f"set nocompatible runtimepath^={tmp_path}\n{block}doautocmd User lsp_setup\nqall!\n")
    subprocess.run(["vim", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S", "vimrc"], cwd=tmp_path, timeout=60, stdin=subprocess.DEVNULL, check=False)
    assert json.loads((tmp_path / "out.json").read_text()) == {"name": "hetc", "cmd": ["hetc", "lsp"], "allowlist": ["het", "yaml"]}
