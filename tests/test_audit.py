"""What the interpreter itself says that hetc does: it runs nothing, opens no connection, and no file but those that it is told of."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

#: Runs hetc, and prints which events of those that `banned` names there were, and which files were opened with which mode.
PROGRAM = """
import json, sys
banned, opened, seen, on = sys.argv[1].split(), [], [], [True]

def hook(event, args):
    if on and any(event == each or event.startswith(each + ".") for each in banned):
        seen.append(event)
    if on and event == "open" and isinstance(args[0], str):
        opened.append((args[0], str(args[1])))

sys.addaudithook(hook)
from hetc.__main__ import run
status = run(sys.argv[2:])
on.clear()
print(json.dumps([status, seen, opened]), file=sys.stderr)
"""
BANNED = "socket subprocess os.system os.exec os.posix_spawn os.spawn os.fork os.forkpty os.putenv pty ctypes urllib ftplib smtplib http webbrowser os.kill"

HET = """use[layer.yaml]
1*master<cpu=1, mem=1Gi> + 2*worker<cpu=1, mem=1Gi>
---
image: registry.example/a:1
command: |
  $(touch /tmp/owned); `touch /tmp/owned`
env: {A: "$(curl http://example.org)", B: "!!python/object/apply:os.system [id]"}
"""
MANIFEST = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: a
  annotations: {a: !!python/object/apply:os.system [id], b: "{{ lookup('file', '/etc/passwd') }}"}
spec:
  tasks: []
"""
KUSTOMIZATION = "patches:\n- path: ../../../../../../etc/passwd\n- path: http://example.org/patch.yaml\n- path: a.yaml\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    for name, text in {"a.het": HET, "layer.yaml": "labels: {team: a}\n", "a.yaml": MANIFEST, "kustomization.yaml": KUSTOMIZATION,
                       "hetc.toml": "[policy]\nqueues = ['default']\n"}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def audited(folder: Path, *argv: str) -> tuple[int, list[str], list[tuple[str, str]]]:
    environment = {**{key: value for key, value in os.environ.items() if not key.startswith("COV")}, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", PROGRAM, BANNED, *argv], cwd=folder, env=environment, capture_output=True, text=True,
                          check=True)
    status, seen, opened = json.loads(done.stderr.splitlines()[-1])
    return status, seen, opened


COMMANDS = [
    (["build", "a.het"], 0), (["lint", "--jobs", "1", "."], 1), (["fmt", "--diff", "a.het"], 0), (["explain", "a.het", "spec.queue"], 0),
    (["diff", "a.het", "a.het"], 0),
]


@pytest.mark.parametrize(("argv", "status"), COMMANDS, ids=lambda each: each[0] if isinstance(each, list) else None)
def test_an_input_makes_hetc_run_and_reach_nothing(folder: Path, argv: list[str], status: int) -> None:
    found, seen, opened = audited(folder, *argv)
    assert (found, seen) == (status, [])
    assert [mode for _, mode in opened if set(mode) & set("wax+")] == []
    code = tuple(os.path.realpath(path) for path in (ROOT, sys.prefix, sys.base_prefix))
    data = {os.path.relpath(os.path.join(folder, path), folder) for path, _ in opened
            if not os.path.realpath(os.path.join(folder, path)).startswith(code)}
    assert data <= {"a.het", "layer.yaml", "a.yaml", "kustomization.yaml", "hetc.toml"}


def test_what_is_written_is_what_was_asked_for(folder: Path) -> None:
    status, seen, _ = audited(folder, "build", "-o", "out.yaml", "a.het")
    assert (status, seen) == (0, [])
    assert sorted(os.listdir(folder)) == [".git", "a.het", "a.yaml", "hetc.toml", "kustomization.yaml", "layer.yaml", "out.yaml"]


def test_the_hook_sees_what_it_looks_for(folder: Path) -> None:
    """Guards the tests above."""
    program = PROGRAM.replace("from hetc.__main__ import run", "import socket, subprocess\ndef run(argv):\n    socket.socket()\n    subprocess.run(['true'])\n"
                              "    open('x', 'w')\n    return 0")
    done = subprocess.run([sys.executable, "-c", program, BANNED], cwd=folder, capture_output=True, text=True, check=True)
    _, seen, opened = json.loads(done.stderr.splitlines()[-1])
    assert {"socket.__new__", "subprocess.Popen"} <= set(seen)
    assert ["x", "w"] in opened
