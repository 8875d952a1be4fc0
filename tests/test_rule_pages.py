"""A rule's page is its first test: the wrong example gives exactly the lines shown, the right one gives none.

A code block names its file: `het job.het`, `yaml template.yaml`, `toml hetc.toml`; a third word is another encoding than
UTF-8. The file that is built is the first `.het`, else `template.yaml`, else the first; a `console` block says the command
instead. A manifest is linted. What is written in the folder is the root of a repository.
"""
from __future__ import annotations

import contextlib
import io
import os
import re
import shlex

import pytest

from hetc import __main__, pages
from hetc.rules import CATALOG

HEADINGS = ["Why it hurts", "Wrong", "Right", "Source"]
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMES = {"het": "job.het", "yaml": "template.yaml", "toml": "hetc.toml"}

#: A line of the concise form.
DIAGNOSTIC = re.compile(r".*:[0-9]+:[0-9]+: (error|warning|info) HET[0-9]{3}: ")

#: Stands in the page of a code that no input of hetc's can show.
NO_EXAMPLE = "No example: hetc builds nothing that shows it"


def sections(code):
    """The text of a page by heading; what stands before the first heading under its title."""
    title, *rest = re.split(r"^## ", pages.read(code), flags=re.MULTILINE)
    parts = {part.partition("\n")[0]: part.partition("\n")[2] for part in rest}
    return {"title": title, **parts}


def blocks(section):
    """Language, file name, encoding and text of each code block."""
    for language, words, text in BLOCK.findall(section):
        name, encoding = [*words.split(), "", ""][:2]
        yield language, name or NAMES.get(language), encoding or "utf-8", text


def outcome(section, folder):
    """The lines that hetc prints about the files of a section."""
    (folder / ".git").mkdir()
    files = [(name, encoding, text) for language, name, encoding, text in blocks(section) if language not in ("text", "console")]
    for name, encoding, text in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode(encoding))
    names = [name for name, _, _ in files]
    main = next((name for name in names if name.endswith(".het")), "template.yaml" if "template.yaml" in names else names[0])
    verb = "lint" if any(word in files[0][2] for word in ("apiVersion:", '"apiVersion":')) else "build"
    command = next((text for language, _, _, text in blocks(section) if language == "console"), f"$ hetc {verb} {main}")
    return run(shlex.split(command.strip().removeprefix("$ hetc ")), folder)


def run(argv, folder):
    here, stdout, stderr = os.getcwd(), io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO(), write_through=True)
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            before, _, after = " ".join(argv).partition(" -- ")
            __main__.run([*before.split(" "), "--output-format", "concise", *(["--", *after.split(" ")] if after else [])])
    finally:
        os.chdir(here)
    lines = (stderr.buffer.getvalue() + stdout.buffer.getvalue()).decode().splitlines()
    return [line for line in lines if DIAGNOSTIC.match(line)]


@pytest.mark.parametrize("code", CATALOG, ids=lambda code: code.code)
def test_page(code, tmp_path):
    assert os.path.exists(pages.path(code)), f"{code.code} has no page {os.path.basename(pages.path(code))}"
    parts = sections(code)
    assert parts["title"].startswith(f"# {code.code} {code.name}\n\n")
    assert parts["title"].count("\n") >= 3, "what it is about is missing"
    assert list(parts)[1:] == HEADINGS
    assert all(parts[heading].strip() for heading in HEADINGS)
    if NO_EXAMPLE in parts["Wrong"]:
        assert not list(blocks(parts["Wrong"]))
        return
    wrong, right = tmp_path / "wrong", tmp_path / "right"
    wrong.mkdir()
    right.mkdir()
    shown = [line for language, _, _, text in blocks(parts["Wrong"]) if language == "text" for line in text.splitlines()]
    assert shown, "the lines that hetc prints are missing"
    assert [line for line in outcome(parts["Wrong"], wrong) if f" {code.code}: " in line] == shown
    for line in outcome(parts["Right"], right):
        assert f" {code.code}: " not in line
        assert ": error HET" not in line, line


def test_every_page_belongs_to_a_code():
    folder = os.path.dirname(pages.path(CATALOG[0]))
    assert {name for name in os.listdir(folder) if name.endswith(".md")} <= {os.path.basename(pages.path(code)) for code in CATALOG}


def test_codes_and_names_are_used_once():
    assert len({code.code for code in CATALOG}) == len({code.name for code in CATALOG}) == len(CATALOG)
