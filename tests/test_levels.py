"""What the level of one case comes to, and which files a pattern means."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from hetc.diagnostic import ERROR, INFO, WARNING
from hetc.levels import OFF, Levels, PerPath, glob


@pytest.mark.parametrize(("default", "given", "site", "level"), [
    (ERROR, ERROR, None, ERROR), (ERROR, WARNING, None, WARNING), (WARNING, ERROR, None, ERROR),
    (ERROR, ERROR, WARNING, WARNING), (WARNING, WARNING, ERROR, ERROR), (WARNING, WARNING, INFO, INFO), (ERROR, ERROR, OFF, OFF),
    (ERROR, WARNING, ERROR, WARNING),  # a milder case stays milder
    (ERROR, WARNING, INFO, INFO), (ERROR, INFO, WARNING, INFO), (ERROR, WARNING, OFF, OFF),
    (WARNING, ERROR, WARNING, WARNING), (WARNING, ERROR, ERROR, ERROR), (WARNING, ERROR, INFO, INFO),
])
def test_a_sites_level(default: str, given: str, site: str | None, level: str) -> None:
    assert Levels({} if site is None else {"HET702": site}).level("HET702", default, given, "a.yaml") == level


@pytest.mark.parametrize(("code", "select", "ignore", "shown"), [
    ("HET702", (), (), True), ("HET702", ("HET7",), (), True), ("HET702", ("HET1", "HET70"), (), True), ("HET702", ("HET1",), (), False),
    ("HET702", (), ("HET7",), False), ("HET702", (), ("HET71",), True), ("HET702", ("HET7",), ("HET702",), False),
    ("HET403", ("HET7",), (), True), ("HET403", (), ("HET4", "HET"), True), ("HET403", ("HET7",), ("HET403",), True),
])
def test_options(code: str, select: tuple[str, ...], ignore: tuple[str, ...], shown: bool) -> None:
    level = Levels({}, select=select, ignore=ignore).level(code, ERROR, ERROR, "a.yaml")
    assert level == (ERROR if shown else OFF)


@pytest.mark.parametrize(("pattern", "path", "matches"), [
    ("*.yaml", "a.yaml", True), ("*.yaml", "b/a.yaml", False), ("**/*.yaml", "a.yaml", True), ("**/*.yaml", "b/c/a.yaml", True),
    ("team/**", "team/a", True), ("team/**", "team/b/a", True), ("team/**", "teams/a", False), ("team", "team", True), ("team", "team/a", False),
    ("a?c", "abc", True), ("a?c", "a/c", False), ("a.c", "abc", False), ("[ab]", "a", False), ("[ab]", "[ab]", True), ("*", "a\n", True),
    ("a", "a\n", False), ("**", "x/y/z", True), ("b/**/a", "b/a", True), ("b/**/a", "b/c/d/a", True),
])
def test_globs(pattern: str, path: str, matches: bool) -> None:
    assert (glob(pattern).match(path) is not None) is matches


def test_a_pattern_counts_from_its_files_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "team" / "x").mkdir(parents=True)
    levels = Levels({}, (PerPath(os.path.realpath(tmp_path / "team"), glob("x/*.yaml"), ("HET702",)),))
    for folder, path, level in (
        (".", "team/x/a.yaml", OFF), ("team", "x/a.yaml", OFF), ("team/x", "a.yaml", OFF), ("team/x", "../x/a.yaml", OFF),
        (".", "x/a.yaml", WARNING), (".", "team/a.yaml", WARNING), ("team/x", str(tmp_path / "team" / "x" / "a.yaml"), OFF),
    ):
        monkeypatch.chdir(tmp_path / folder)
        assert levels.level("HET702", WARNING, WARNING, path) == level, (folder, path)


def test_a_link_is_judged_by_where_it_leads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a link into an excepted folder would be a way around a rule."""
    (tmp_path / "excepted").mkdir()
    (tmp_path / "real.yaml").write_text("")
    (tmp_path / "excepted" / "link.yaml").symlink_to("../real.yaml")
    monkeypatch.chdir(tmp_path)
    levels = Levels({}, (PerPath(os.path.realpath(tmp_path), glob("excepted/**"), ("HET702",)),))
    assert levels.level("HET702", WARNING, WARNING, "excepted/link.yaml") == WARNING
