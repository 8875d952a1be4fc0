"""What the README and the documentation show is what happens, and what they link to is there."""
from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from hetc.diagnostic import Report
from hetc.fields import REQUEST_KEYS
from hetc.options import COMMANDS
from hetc.pipeline import Compiler, Options
from hetc.read.het import RULES
from hetc.rules import CATALOG
from scripts import docs
from tests import transcripts
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

DOCS = ROOT / "docs"
PAGES = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "README.md", ROOT / "SECURITY.md", *sorted(DOCS.rglob("*.md")))}

#: Pages that the site makes of the rules.
MADE = {DOCS / "rules" / name: text for name, text in docs.rule_pages().items()}

LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")


def _page(name: str) -> object:
    text = PAGES[name].read_text(encoding="utf-8")
    return pytest.param(name, marks=[pytest.mark.slow] if "slow" in transcripts.needs(text) else [])


RUN = [_page(name) for name, path in PAGES.items() if any(transcripts.steps(path.read_text(encoding="utf-8")))]


@pytest.mark.parametrize("name", RUN)
def test_what_a_page_shows_happens(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """`--snapshot-update` writes into the page what the commands print."""
    page = PAGES[name].read_text(encoding="utf-8")
    for program in transcripts.needs(page):
        if program != "slow" and not shutil.which(program, path=transcripts.search_path()):
            pytest.skip(f"no {program}: run scripts/judges")
    folder = tmp_path / "page"
    folder.mkdir()
    printed = transcripts.run(page, folder)
    assert [text for text in printed if "internal error" in text] == []
    if request.config.getoption("update_snapshots"):
        PAGES[name].write_text(transcripts.rewritten(page, printed), encoding="utf-8", newline="\n")
    shown = [each for step in transcripts.steps(PAGES[name].read_text(encoding="utf-8")) for each in step.commands]
    for number, (command, output) in enumerate(shown):
        assert number < len(printed), f"the shell ended before `{command}`"
        assert transcripts.same(output, printed[number]), f"$ {command}\n{printed[number]}"


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    text = transcripts.BLOCK.sub("", PAGES[name].read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (PAGES[name].parent / path).resolve() if path else PAGES[name]
        assert file in MADE or file.exists(), target
        if anchor:
            assert anchor in _anchors(MADE.get(file) or file.read_text(encoding="utf-8")), target


def _anchors(page: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", transcripts.BLOCK.sub("", page), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


@pytest.mark.parametrize("name", [name for name in PAGES if name != "README.md"])
def test_tables_are_those_of_the_code(name: str) -> None:
    page = PAGES[name].read_text(encoding="utf-8")
    assert docs.filled(page) == page, "run `make schemas`"


def test_every_table_is_shown() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in PAGES.values())
    assert [name for name in docs.TABLES if f"<!-- made: {name} -->" not in pages] == []


def test_the_request_has_every_key() -> None:
    page = PAGES["docs/reference/request.md"].read_text(encoding="utf-8")
    assert [key for key in (*REQUEST_KEYS, *RULES) if not re.search(rf"^\|[^|]*`{key}[`=[]", page, re.MULTILINE)] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_begins_with_its_title(name: str) -> None:
    """The site's menu has it from there, and the file's name otherwise."""
    page = PAGES[name].read_text(encoding="utf-8")
    assert re.match(r"(?:---\n.*?^---\n+)?# \S", page, re.DOTALL | re.MULTILINE)


def test_every_rule_is_listed() -> None:
    index = docs.rule_pages()["index.md"]
    assert [code.code for code in CATALOG if f"[{code.code}]({code.code}.md)" not in index] == []


def test_the_readme_shows_the_example() -> None:
    example = (ROOT / "examples" / "cpu.het").read_text(encoding="utf-8")
    assert f"```het\n{example}```" in PAGES["README.md"].read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_site_files_are_such(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `toml` block without a title is a site file."""
    monkeypatch.chdir(tmp_path)
    for number, text in enumerate(re.findall(r"^```toml\n(.*?)```", PAGES[name].read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)):
        (tmp_path / f"{number}.toml").write_text(text, encoding="utf-8")
        report = Report()
        Compiler(Options(config=f"{number}.toml")).site(".", report)
        assert report.diagnostics == []


def test_what_shows_that_a_threat_is_met_is_there() -> None:
    rows = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("| what shows it |")[2].split("\n\n")[0].splitlines()[2:]
    named = [re.findall(r"`([^`]+)`", row.split("|")[3]) for row in rows]
    assert len(named) > 8
    for name in (name for each in named for name in each):
        target = name.removeprefix("make ")
        assert (ROOT / name).exists() or f"\n{target}:" in (ROOT / "Makefile").read_text(encoding="utf-8"), name


def test_every_command_is_named() -> None:
    readme = PAGES["README.md"].read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`hetc {name}" not in readme] == []


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_two_commands_are_targets(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"make {target}" in PAGES["README.md"].read_text(encoding="utf-8")
