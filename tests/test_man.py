"""The manual page is that of the option table, and formatters take it without a complaint."""
from __future__ import annotations

import os
import re
import subprocess

from hetc.options import COMMANDS
from scripts.man import PAGE, page
from tests.judges import needs_man, needs_mandoc


def run(*command: str) -> str:
    done = subprocess.run([*command, str(PAGE)], capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
    assert (done.returncode, done.stderr) == (0, "")
    return re.sub(".\b", "", done.stdout)


def test_the_page_is_that_of_the_table() -> None:
    assert PAGE.read_text(encoding="ascii") == page(), "run `make schemas`"


@needs_mandoc
def test_mandoc_has_nothing_against_it() -> None:
    assert run("mandoc", "-T", "lint", "-W", "all") == ""


@needs_man
def test_man_has_nothing_against_it() -> None:
    assert run("man", "--warnings", "-l").startswith("HETC(1)")


@needs_mandoc
def test_it_says_all_there_is() -> None:
    text = " ".join(run("mandoc", "-T", "ascii", "-O", "width=200").split())
    for command in COMMANDS.values():
        assert f" hetc {command.name} " in text and command.help.replace("`", "") in text
        for option in command.options:
            assert ", ".join(option.flags) in text and option.help.replace("`", "") in text
        for line, _ in command.examples:
            assert line in text
