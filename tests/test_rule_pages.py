"""A rule's page is its first test: the wrong example gives exactly the lines shown, the right one gives none.

A code block names its file: `het job.het`, `yaml template.yaml`, `toml hetc.toml`; a third word is another encoding than
UTF-8. The file that is built is the first `.het`, else `template.yaml`, else the first; a `console` block says the command
instead. A manifest is linted. What is written in the folder is the root of a repository.
"""
from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex

import pytest

from hetc import __main__, pages
from hetc.rules import CATALOG

HEADINGS = ["Why it hurts", "Wrong", "Right", "Source"]
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMES = {"het": "job.het", "yaml": "template.yaml", "toml": "hetc.toml"}

#: What pages show of a finding. The rest of it, its help above all, is in the snapshot.
BESIDES = ("code", "name", "level", "message", "file", "line", "column")

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
    """What hetc finds in the files of a section."""
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
            __main__.run([*before.split(" "), "--output-format", "json", *(["--", *after.split(" ")] if after else [])])
    finally:
        os.chdir(here)
    printed = (stderr.buffer.getvalue() + stdout.buffer.getvalue()).decode()
    return json.JSONDecoder().raw_decode(printed[printed.index('{\n  "version"'):])[0]["diagnostics"]


def line(found):
    """A finding in the concise form, which pages show."""
    return "{file}:{line}:{column}: {level} {code}: {message} [{name}]".format_map(found)


@pytest.mark.parametrize("code", CATALOG, ids=lambda code: code.code)
def test_page(code, tmp_path, snapshot):
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
    found = [each for each in outcome(parts["Wrong"], wrong) if each["code"] == code.code]
    assert [line(each) for each in found] == shown
    assert [{key: value for key, value in each.items() if value and key not in BESIDES} for each in found] == snapshot
    for each in outcome(parts["Right"], right):
        assert each["code"] != code.code
        assert each["level"] != "error", line(each)


def test_every_page_belongs_to_a_code():
    folder = os.path.dirname(pages.path(CATALOG[0]))
    assert {name for name in os.listdir(folder) if name.endswith(".md")} <= {os.path.basename(pages.path(code)) for code in CATALOG}


def test_codes_and_names_are_used_once():
    assert len({code.code for code in CATALOG}) == len({code.name for code in CATALOG}) == len(CATALOG)
