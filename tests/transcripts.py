"""Runs a Markdown page as a reader would: its files are written, its commands run, in order, in one shell and one folder.

A block with a title is a file: ```` ```yaml title="job.yaml" ````. A `console` block is a session: `$ COMMAND` (lines that go
on begin with `> `), then all that the command prints. A line that is `…` stands for any number of lines. The folder starts
with `examples/`. A comment `<!-- needs: kustomize, slow -->` names the programs beside hetc and a shell.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from tests.conftest import ROOT
from tests.judges import HOME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>\w+)(?P<words>[^\n]*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'title="([^"]+)"')
NEEDS = re.compile(r"^<!-- needs: (.*) -->$", re.MULTILINE)
ELISION = "…"


class Step(NamedTuple):
    """A file to write, or a command with what it should print; `start` and `end` are the block's text in the page."""

    start: int
    end: int
    file: str | None
    text: str
    commands: tuple[tuple[str, str], ...] = ()


def steps(page: str) -> Iterator[Step]:
    """What a page does, in order."""
    for block in BLOCK.finditer(page):
        title = TITLE.search(block["words"])
        text = re.sub(rf"^{block['indent']}", "", block["text"], flags=re.MULTILINE)
        if block["language"] == "console":
            yield Step(*block.span("text"), None, text, tuple(_session(text)))
        elif title:
            yield Step(*block.span("text"), title[1], text)


def needs(page: str) -> list[str]:
    """The programs, and the marks, that a page asks for."""
    return [word for words in NEEDS.findall(page) for word in words.split(", ")]


def run(page: str, folder: Path) -> list[str]:
    """What each command of a page prints, in a folder made for it."""
    shutil.copytree(os.path.join(ROOT, "examples"), folder / "examples")
    mark = "=== what the command printed ends here ==="
    script = ["exec 2>&1"]
    for step in steps(page):
        if step.file is not None:
            script.append(f"mkdir -p -- \"$(dirname '{step.file}')\"; cat > '{step.file}' <<'{mark}'\n{step.text}{mark}")
        for command, _ in step.commands:
            script.append(f"{command}\n_status=$?; printf '%s\\n' '{mark}'; (exit $_status)")
    done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=300, check=False, env=environment(folder))
    return [text if text.endswith("\n") or not text else f"{text}\n" for text in done.stdout.split(f"{mark}\n")[:-1]]


def search_path() -> str:
    """Where the programs are that a page may need: beside this Python, among the judges, on the machine."""
    return os.pathsep.join([os.path.dirname(sys.executable), str(HOME / "bin"), os.environ["PATH"]])


def environment(folder: Path) -> dict[str, str]:
    """A shell's environment in which `hetc` is this checkout, and the judges are at hand."""
    bin_ = folder.parent / f"{folder.name}-bin"
    bin_.mkdir()
    scripts = {
        "hetc": f'#!/bin/sh\nexec "{sys.executable}" -m hetc "$@"\n',
        # As pip makes it: a shell would change PWD, by which the plugin knows where its user stands.
        "hetc-kustomize": f"#!{sys.executable}\nfrom hetc.kustomize import main\nmain()\n",
    }
    for name, script in scripts.items():
        (bin_ / name).write_text(script)
        (bin_ / name).chmod(0o755)
    path = f"{bin_}{os.pathsep}{search_path()}"
    kept = {name: value for name, value in os.environ.items() if name == "TMPDIR"}  # all else is whoever's that runs the tests
    person = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.com"))}
    return {**kept, **person, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(folder), "KUBECONFIG": os.devnull, "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def shim(environment: dict[str, str]) -> str:
    """Where `hetc` is in such an environment."""
    found = shutil.which("hetc", path=environment["PATH"])
    assert found is not None
    return found


def same(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed."""
    parts = [re.escape(part) for part in re.split(rf"^{ELISION}\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*".join(parts), printed) is not None


def rewritten(page: str, printed: list[str]) -> str:
    """The page with what its commands print; what shows a part only stays."""
    result, at, outputs = [], 0, iter(printed)
    for step in steps(page):
        session = [(command, shown, next(outputs, "")) for command, shown in step.commands]
        if any(not same(shown, now) for _, shown, now in session):
            lines = [_prompted(command) + (shown if ELISION in shown else now) for command, shown, now in session]
            result += [page[at:step.start], "".join(lines)]
            at = step.end
    return "".join([*result, page[at:]])


def _session(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block and what each prints."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        size = next((number for number, line in enumerate(lines[1:], 1) if not line.startswith("> ")), len(lines))
        yield "".join([lines[0], *(line[2:] for line in lines[1:size])]).rstrip("\n"), "".join(lines[size:])


def _prompted(command: str) -> str:
    return "$ " + command.replace("\n", "\n> ") + "\n"
