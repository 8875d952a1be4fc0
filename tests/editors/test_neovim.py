"""Neovim's client and hetc's server understand each other."""
from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.judges import needs_neovim


@pytest.mark.slow
@needs_neovim
def test_neovim(tmp_path):
    program = tmp_path / "hetc"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m hetc "$@"\n')
    program.chmod(0o755)
    (tmp_path / "job.het").write_text('1*master<cpu=1, mem=1Gi>\n---\nimage: r/i:1\nqueue: q\nenv: {A: "🚀", B: 1}\n', encoding="utf-8")
    script = ROOT / "tests" / "editors" / "neovim.lua"
    done = subprocess.run(
        ["nvim", "--headless", "-n", "-u", "NONE", "-i", "NONE", "--cmd", f"set rtp^={ROOT / 'editors' / 'vim'}",
         "--cmd", "filetype plugin indent on", "--cmd", "syntax on", "-c", f"luafile {script}", "-c", "cquit"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL,
        env={**os.environ, "HETC": str(program), "XDG_STATE_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (said["filetype"], said["code"]) == ("het", "HET015")
    assert said["column"] == len('env: {A: "🚀", B: '.encode()), "Neovim counts bytes"
    assert said["fixed"][4] == 'env: {A: "🚀", B: "1"}'
    assert said["formatted"] == "1*master<cpu=1, mem=1Gi>"
    assert "**master**: 1 replica, rank 0" in said["hover"]
    assert "gpu" in said["labels"]
