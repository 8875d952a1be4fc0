"""HET580: the program that a command begins with."""
from __future__ import annotations

import json

import pytest

from hetc.rules.program_path import RULE
from tests.rules.checks import Found, check_het, check_manifest
from tests.rules.helpers import job

HET = "1*master<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [run]\nshell: "


@pytest.mark.parametrize(("shell", "message"), [
    ("", "the shell is empty"),
    ("bash", "shell `bash` is no absolute path of a program"),
    ("/bin/", "shell `/bin/` is no absolute path of a program"),
    ("/bin/bash -l", "shell `/bin/bash -l` is more than one word"),
    ("/bin/bash ", "shell `/bin/bash ` is more than one word"),
    ("/bin/b\tsh", "shell `/bin/b\\tsh` is more than one word"),
    ("/bin/b\u00a0sh", "shell `/bin/b\\xa0sh` is more than one word"),
    ("/bin/$(SHELL)", "shell `/bin/$(SHELL)` has a `$` that Kubernetes reads"),
    ("/bin/$$x", "shell `/bin/$$x` has a `$` that Kubernetes reads"),
])
def test_shells(shell: str, message: str) -> None:
    assert check_het("HET580", HET + json.dumps(shell) + "\n") == [
        Found(5, 8, "error", message, "write an absolute path, such as `/bin/bash`")]


@pytest.mark.parametrize("shell", ["/bin/sh", "/opt/my-sh_1.0", "/bin/$x", "/bin/\u00e9"])
def test_shells_that_are_fine(shell: str) -> None:
    assert check_het("HET580", HET + json.dumps(shell) + "\n") == []


@pytest.mark.parametrize(("word", "message"), [
    ("", "the command begins with an empty word, and no program is called that"),
    ("python train.py", "the command begins with `python train.py`, blanks and all, and no program is called that"),
    ("python ", "the command begins with `python `, blanks and all, and no program is called that"),
])
def test_commands_by_hand(word: str, message: str) -> None:
    assert check_manifest(RULE, job(f"command: [{json.dumps(word)}]\n")) == [
        Found(13, 21, "warning", message, "write each word as an item of its own")]


@pytest.mark.parametrize("command", ["[python, train.py]", "[bin/run it]", "[/opt/My Tools/run]", "[]", "[$(RUN)]", "[1]", "{}", "[[]]"])
def test_commands_that_are_fine(command: str) -> None:
    assert check_manifest(RULE, job(f"command: {command}\n")) == []
