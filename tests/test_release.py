"""What `make release` lets pass: each way in which a package, a licence or a lock can be wrong is seen."""
from __future__ import annotations

import io
import re
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scripts import licences, release
from tests.conftest import ROOT

LOCK = licences.LOCK.read_text(encoding="utf-8")
PAGE = licences.PAGE.read_text(encoding="utf-8")

Files = dict[str, tuple[str, int]]


def wheel(path: Path, files: Files) -> Path:
    with zipfile.ZipFile(path.with_suffix(".whl"), "w") as archive:
        for name, (text, mode) in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, text)
    return path.with_suffix(".whl")


def sdist(path: Path, files: Files) -> Path:
    with tarfile.open(path.with_suffix(".tar"), "w") as archive:
        for name, (text, mode) in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(text), mode
            archive.addfile(info, io.BytesIO(text.encode()))
    return path.with_suffix(".tar")


FILES: Files = {"a": ("one", 0o644), "b": ("two", 0o644)}


@pytest.mark.parametrize("packed", [wheel, sdist])
@pytest.mark.parametrize(("files", "differing"), [
    (FILES, []),
    (FILES | {"b": ("other", 0o644)}, ["b"]),
    (FILES | {"a": ("one", 0o600)}, ["a"]),
    (FILES | {"c": ("", 0o644)}, ["c"]),
    ({"a": FILES["a"]}, ["b"]),
    (dict(reversed(FILES.items())), ["the archive around its files"]),
])
def test_what_differs_is_named(packed: Callable[[Path, Files], Path], files: Files, differing: list[str], tmp_path: Path) -> None:
    assert release.differences(packed(tmp_path / "one", FILES), packed(tmp_path / "two", files)) == differing
    assert release.differences(packed(tmp_path / "two", files), packed(tmp_path / "one", FILES)) == differing


@pytest.mark.parametrize("second", ["one", "other"])
def test_packages_that_differ_are_refused(second: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def built(home: Path, *_: object) -> list[Path]:
        home.mkdir()
        return [wheel(home / "hetc", FILES | {"a": ("one" if home.name == "one" else second, 0o644)})]

    (tmp_path / "dist").mkdir()
    monkeypatch.setattr(release, "DIST", tmp_path / "dist")
    monkeypatch.setattr(release, "built", built)
    monkeypatch.setattr(release, "tool", lambda *words: "")
    if second == "one":
        assert [made.name for made in release.packages(tmp_path)] == ["hetc.whl"]
    else:
        with pytest.raises(release.Refused, match=r"hetc.whl is not reproducible. Two builds differ in:\na$"):
            release.packages(tmp_path)
        assert not list((tmp_path / "dist").iterdir())


@pytest.mark.parametrize(("changelog", "todo"), [
    ("## [2.0.0] - 2026-01-01\n\n- A\n", []),
    ("## [Unreleased]\n\n## [2.0.0]\n\n- A\n", []),
    ("## [Unreleased]\n\n- B\n\n## [1.0.0]\n\n- A\n", ["name the section [2.0.0]"]),
    ("## [Unreleased]\n\n### Added\n\n- B\n\n## [2.0.0]\n\n- A\n", ["raise `__version__` in hetc/__init__.py"]),
])
def test_what_is_left_before_a_tag(changelog: str, todo: list[str]) -> None:
    said = release.before_a_tag(f"# Changelog\n\n{changelog}", "2.0.0")
    assert [each.rpartition(": ")[2] for each in said] == todo


def test_nothing_new_is_no_release() -> None:
    with pytest.raises(release.Refused, match=r"nothing about 2\.0\.0"):
        release.before_a_tag("# Changelog\n\n## [Unreleased]\n\n## [1.0.0]\n\n- A\n", "2.0.0")
    release.before_a_tag((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), release.__version__)


def test_only_pythons_that_run_are_tried(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    own = "{}.{}".format(*sys.version_info[:2])
    monkeypatch.setattr(release, "supported", lambda: {own})
    assert release.interpreters(["no-such-python", "false", sys.executable, sys.executable]) == {own: sys.executable}
    assert re.findall("^(.*): not here", capsys.readouterr().out, re.MULTILINE) == ["no-such-python", "false"]
    monkeypatch.setattr(release, "supported", lambda: {"2.7"})
    with pytest.raises(release.Refused, match=r"found none of the Pythons 2\.7"):
        release.interpreters([sys.executable])


def test_the_supported_pythons_are_those_of_the_classifiers() -> None:
    assert {"3.11", "3.12", "3.13"} <= release.supported()
    assert "3" not in release.supported()


@pytest.mark.parametrize(("ends_in", "fault"), [
    ("", ""),
    ("echo", "build prints another manifest"),
    ("echo >&2", "build has other diagnostics"),
    ("[ $1 = build ] || exit 1", "lint has something against it"),
])
def test_an_installed_hetc_is_held_against_the_goldens(ends_in: str, fault: str, tmp_path: Path) -> None:
    hetc = tmp_path / "hetc"
    hetc.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" "{sys.executable}" -m hetc "$@" || exit\n{ends_in}\n')
    hetc.chmod(0o755)
    assert fault in release.golden_fault(hetc, ROOT / "golden" / "profiles")
    assert bool(fault) == bool(release.golden_fault(hetc, ROOT / "golden" / "profiles"))


# Licences

def component(name: str, version: str, licence: str) -> dict[str, Any]:
    return {"name": name, "version": version, "licenses": [{"expression": licence}]}


def bill() -> dict[str, Any]:
    """What a bill of materials should hold now."""
    return {"components": [component(name, version, licences.rows(PAGE)[name][1]) for name, (version, _) in licences.pinned(LOCK).items()]}


def test_the_page_is_in_step_with_the_lock() -> None:
    assert {name: askers for name, (askers, _) in licences.rows(PAGE).items()} == {name: askers for name, (_, askers) in licences.pinned(LOCK).items()}
    assert all(licences.is_allowed(licence) for _, licence in licences.rows(PAGE).values())


def test_the_lock_of_users_is_part_of_the_lock_of_tests() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(each for extra in project["optional-dependencies"].values() for each in extra)]
    mine, whole = (licences.pinned(text) for text in (LOCK, (ROOT / "requirements.lock").read_text(encoding="utf-8")))
    assert {licences.normal(re.split(r"[<>=!~; ]", each)[0]) for each in asked} <= mine.keys()
    assert {name: version for name, (version, _) in mine.items()} == {name: whole[name][0] for name in mine}


def test_a_right_bill_passes() -> None:
    assert licences.faults(bill(), LOCK, PAGE) == []


@pytest.mark.parametrize("licence", ["GPL-3.0-or-later", "MIT AND GPL-2.0-only", "License :: OSI Approved :: BSD License", "(MIT)", "UNKNOWN"])
def test_a_licence_that_is_not_allowed_is_named_with_its_package(licence: str) -> None:
    wrong = bill()
    wrong["components"][3] |= component("Colorama", wrong["components"][3]["version"], licence)
    assert [fault.partition(", which")[0] for fault in licences.faults(wrong, LOCK, PAGE)] == [f"`colorama` has the licence `{licence}`"]


def test_a_package_without_any_licence_is_named() -> None:
    wrong = bill()
    del wrong["components"][0]["licenses"]
    assert licences.faults(wrong, LOCK, PAGE)[0].startswith("`annotated-doc` has the licence ``")


def test_one_allowed_choice_is_enough() -> None:
    assert licences.is_allowed("MIT") and licences.is_allowed("GPL-2.0-only OR MIT") and licences.is_allowed("MIT AND ISC")
    assert not licences.is_allowed("GPL-2.0-only OR MIT AND GPL-3.0-only")


def test_a_licence_that_has_changed_is_missing_on_the_page() -> None:
    wrong = bill()
    wrong["components"][0]["licenses"] = [{"license": {"id": "ISC"}}]
    assert licences.faults(wrong, LOCK, PAGE) == ["docs/licences.md lacks the row `| annotated-doc | ISC | typer |`"]


def test_bill_and_lock_hold_the_same() -> None:
    wrong = bill()
    last = wrong["components"].pop()
    wrong["components"][0]["version"] = "0"
    wrong["components"].append(component("stowaway", "1", "MIT"))
    faults = licences.faults(wrong, LOCK, PAGE)
    assert [fault.split()[0] for fault in faults] == ["`annotated-doc`", "`stowaway`", f"`{last['name']}`"]


def test_a_conclusion_holds_for_what_the_package_said_then() -> None:
    made = {"components": [
        {"name": "colorama", "licenses": [{"license": {"name": "License :: OSI Approved :: BSD License"}}]},
        {"name": "kubernetes_validate", "licenses": [{"license": {"id": "GPL-3.0-only"}}]},
        {"name": "two", "licenses": [{"license": {"id": "ISC"}}, {"license": {"name": "MIT OR GPL-2.0-only"}}]},
        {"name": "none"},
    ]}
    licences.conclude(made)
    assert [licences.stated(each) for each in made["components"]] == ["BSD-3-Clause", "GPL-3.0-only", "ISC AND (MIT OR GPL-2.0-only)", ""]


def test_a_lock_for_everywhere_has_no_conditions() -> None:
    assert "sys_platform" in LOCK
    assert "sys_platform" not in licences.everywhere(LOCK)
    assert licences.pinned(licences.everywhere(LOCK)) == licences.pinned(LOCK)
    assert licences.everywhere(LOCK).count("--hash=") == LOCK.count("--hash=")
