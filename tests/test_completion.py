"""Completion as people have it: the shell's own, after `hetc --install-completion SHELL`, at the TAB key."""
from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hetc.options import COMMANDS
from tests.conftest import ROOT

SHELLS = ["bash", "zsh", "fish"]
PROMPT = "next-please> "

#: What is typed before TAB, and the arguments that hetc then has.
TYPED = {
    "hetc expl": "explain",
    "hetc build --form": "build --format",
    "hetc build --format js": "build --format json",
    "hetc build tra": "build train.het",
    "hetc build -f more": "build -f more.yaml",
    "hetc fmt --dif": "fmt --diff",
    "hetc rule HET70": None,
    "hetc rule floating-i": "rule floating-image",
    "hetc schema over": "schema overlay",
    "hetc explain train.het spec.tasks.wor": "explain train.het spec.tasks.worker",
    "hetc explain train.het spec.sched": "explain train.het spec.schedulerName",
}

#: The same, and each command, written in part.
AT_A_TERMINAL = {**TYPED}
AT_A_TERMINAL.update({f"hetc {name[:-1]}": name for name in COMMANDS if sum(other.startswith(name[:-1]) for other in COMMANDS) == 1})


def shells() -> list[object]:
    return [pytest.param(name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"no {name}: run scripts/judges")) for name in SHELLS]


@pytest.fixture(params=shells())
def shell(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a job; `hetc` is this checkout where it completes, and else writes down its arguments."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "train.het").write_text("1*master<cpu=1, mem=1Gi> + 2*worker<cpu=1, mem=1Gi>\n---\nimage: a:1\n")
    (tmp_path / "more.yaml").write_text("namespace: x\n")
    (tmp_path / "bin" / "hetc").write_text(
        f'#!/bin/sh\nif [ -n "$_HETC_COMPLETE$SETUP" ]; then PYTHONPATH={ROOT} exec {sys.executable} -m hetc "$@"; fi\n'
        f'printf "%s\\n" "$*" >> {tmp_path}/log\n')
    (tmp_path / "bin" / "hetc").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for name, value in {"HOME": str(tmp_path), "ZDOTDIR": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / ".config"), "TERM": "dumb", "PS1": PROMPT,
                        "PATH": f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}.items():
        monkeypatch.setenv(name, value)
    return tmp_path


def install(shell: str) -> None:
    done = subprocess.run(["hetc", "--install-completion", shell], env={**os.environ, "SETUP": "1"}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{shell} completion installed in")


def reads(master: int, until: bytes, seconds: float = 60) -> bytes:
    """What comes from a terminal up to a text. Fails when that does not come."""
    seen, end = b"", time.monotonic() + seconds
    while until not in seen:
        assert time.monotonic() < end, seen.decode(errors="replace")
        if select.select([master], [], [], 1)[0]:
            seen += os.read(master, 65536)
    return seen


@pytest.fixture
def terminal(home: Path, shell: str) -> Iterator[int]:
    """A terminal on which the shell has started interactively."""
    install(shell)
    if shell == "zsh":  # the command that zsh runs before a prompt is its place to set one
        (home / ".zshrc").write_text((home / ".zshrc").read_text().replace("compinit; compinit", "compinit; compinit -u") + f"PROMPT='{PROMPT}'\n")
    if shell == "bash":
        (home / ".bashrc").write_text((home / ".bashrc").read_text() + f"PS1='{PROMPT}'\n")
    master, slave = os.openpty()
    process = subprocess.Popen(["setsid", "-c", shell, "-i"], stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    yield master
    process.kill()
    process.wait()
    os.close(master)


@pytest.mark.slow
@pytest.mark.parametrize("shell", [each for each in shells() if each.values[0] != "fish"], indirect=True)  # type: ignore[attr-defined]
def test_the_tab_key(terminal: int, home: Path, shell: str) -> None:
    reads(terminal, PROMPT.encode())
    for typed in AT_A_TERMINAL:
        os.write(terminal, f"{typed}\t\r".encode())
        reads(terminal, PROMPT.encode())
    os.write(terminal, b"exit\r")
    with pytest.raises(OSError, match="Input/output error"):  # the other end is closed
        reads(terminal, b"\0")
    log = [line.rstrip() for line in (home / "log").read_text().splitlines()]
    assert dict(zip(AT_A_TERMINAL, log)) == {typed: expected or log[number] for number, (typed, expected) in enumerate(AT_A_TERMINAL.items())}
    assert len(log) == len(AT_A_TERMINAL)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish: run scripts/judges")
def test_what_fish_offers(home: Path) -> None:
    install("fish")
    found = {}
    for typed in TYPED:
        done = subprocess.run(["fish", "-c", f"complete --do-complete '{typed}'"], capture_output=True, text=True, check=False)
        found[typed] = [line.split("\t")[0] for line in done.stdout.splitlines()]
    for typed, expected in TYPED.items():
        if expected is not None:
            assert expected.split()[-1] in found[typed], (typed, found[typed])
    assert [word[:5] for word in found["hetc rule HET70"]] == ["HET70"] * len(found["hetc rule HET70"]) and len(found["hetc rule HET70"]) > 1


def test_the_scripts_are_those_of_each_shell(home: Path) -> None:
    """Also guards the quick start: a shell asks without any argument."""
    marks = {"bash": "complete -o default -F _hetc_completion hetc", "zsh": "#compdef hetc", "fish": "complete --command hetc"}
    for name, mark in marks.items():
        done = subprocess.run(["hetc", "--show-completion", name], env={**os.environ, "SETUP": "1"}, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and mark in done.stdout
    done = subprocess.run(["hetc", "--show-completion", "tcsh"], env={**os.environ, "SETUP": "1"}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "hetc: `--show-completion` takes `bash`, `zsh`, `fish`, `powershell`, `pwsh`, not `tcsh`\n"


@pytest.mark.parametrize(("words", "expected"), [
    ("hetc build --fail-on ", ["error", "warning"]),
    ("hetc explain train.het spec.tasks.", ["spec.tasks.master", "spec.tasks.worker"]),
    ("hetc explain train.het metadata.na", ["metadata.name"]),
    ("hetc explain nowhere.het spec.", []), ("hetc explain bin spec.", []), ("hetc explain train.het [[", []), ("hetc explain more.yaml x", []),
    ("hetc help ", list(COMMANDS)), ("hetc help expl", ["explain"]),
])
def test_what_is_offered(home: Path, words: str, expected: list[str]) -> None:
    done = subprocess.run(["hetc"], env={**os.environ, "_HETC_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))},
                          capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, expected, "")
