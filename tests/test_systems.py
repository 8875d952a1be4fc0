"""Files as Windows and macOS name, keep and end them. `tests/systems.py` plays these systems for a whole run of hetc."""
from __future__ import annotations

import ast
import importlib
import json
import ntpath
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hetc import commands, kustomize, system
from hetc.inputs import STDIN, inside
from hetc.kustomize_config import Inline
from hetc.levels import glob
from hetc.options import COMMANDS
from hetc.report import fingerprint, sarif
from hetc.report.diff import unified
from hetc.source import Source, Span
from tests import test_golden
from tests.conftest import ROOT
from tests.test_layers import MODULES

JOB = """\
1*master<cpu=1, mem=1Gi> + 2*worker<cpu=1, mem=1Gi>
---
image: registry.example/a
command: [python a.py]
"""
BROKEN = JOB.replace("mem=1Gi>\n", "mem=1>\n")
SYSTEMS = ("here", "windows", "macos")


@pytest.fixture
def drive(tmp_path):
    """A repository that is the drive `C:`, with another drive beside it."""
    for name in ("drive/.git", "drive/jobs", "drive.d"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "drive/.git/config").write_bytes(b"token")
    (tmp_path / "drive/jobs/train.het").write_bytes(JOB.encode())
    (tmp_path / "drive.d/far.het").write_bytes(BROKEN.encode())
    return tmp_path / "drive"


def run(how: str, drive, *argv: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    program = ["-m", "hetc"] if how == "here" else [str(ROOT / "tests" / "systems.py"), how, str(drive)]
    environment = {key: value for key, value in os.environ.items() if key not in ("GITHUB_ACTIONS", "NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run([sys.executable, *program, *argv], cwd=drive, env={**environment, "PYTHONPATH": str(ROOT), "HOME": str(drive)},
                          input=given, capture_output=True, check=False)
    assert b"internal error" not in done.stderr and b"Traceback" not in done.stderr, done.stderr.decode()
    return done


def names(folder) -> list[str]:
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file() and ".git" not in each.parts)


# Whole runs.

@pytest.mark.parametrize("how", SYSTEMS[1:])
def test_a_manifest_is_the_same_bytes_on_every_system(drive, how):
    expected = run("here", drive, "build", "jobs/train.het").stdout
    assert expected.startswith(b"apiVersion: ")
    path = "JOBS\\train.HET" if how == "windows" else "JOBS/train.het"
    name = () if how == "macos" else ("--name", "train")
    assert run(how, drive, "build", path, *name).stdout == expected
    assert run(how, drive, "build", "--name", "train", "-", given=JOB.replace("\n", "\r\n").encode()).stdout == expected
    for _ in range(2):  # the second time it is there
        assert run(how, drive, "build", "jobs/train.het", "-o", "out.yaml").returncode == 0
        assert (drive / "out.yaml").read_bytes() == expected
    assert names(drive) == ["jobs/train.het", "out.yaml"]


def test_what_is_on_another_drive_is_read_and_written(drive):
    assert run("windows", drive, "build", "jobs/train.het", "-o", "D:\\out.yaml").returncode == 0
    assert (drive.parent / "drive.d/out.yaml").exists()
    done = run("windows", drive, "lint", "--output-format", "sarif", "D:\\far.het", "JOBS")
    places = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
              for each in json.loads(done.stdout)["runs"][0]["results"]]
    assert {"file:///D:/far.het", "jobs/train.het"} == set(places)
    (drive / "hetc.toml").write_text('[build]\noutput = "D:/{stem}.yaml"\n[per-path]\n"**" = ["HET702"]\n')
    done = run("windows", drive, "build", "--check", "jobs/train.het")
    assert done.returncode == 1 and b"outside the repository" in done.stderr
    assert run("windows", drive, "build", "--check", "--allow-outside", "jobs/train.het").stdout.startswith(b"--- /dev/null\n+++ D:/train.yaml\n")
    done = run("windows", drive, "build", "--name", "far", "--config", "hetc.toml", "D:far.het")
    assert done.returncode == 1 and b"HET201" in done.stderr


def test_site_files_on_another_drive_hold(drive):
    (drive.parent / "drive.d/pyproject.toml").write_text('[tool.hetc.rules]\nHET201 = "error"\n[tool.hetc.defaults]\nqueue = "far"\n')
    (drive.parent / "drive.d/far.het").write_text(JOB)
    assert run("windows", drive, "lint", "D:\\far.het").returncode == 0
    done = run("windows", drive, "explain", "D:\\far.het", "spec.queue")
    assert b"D:\\pyproject.toml:4:1" in done.stdout and b"the site file" in done.stdout


@pytest.mark.parametrize("name", ["D:\\far.het.yaml", "D:far.het.yaml", "\\\\server\\share\\far.yaml", ".GIT/config",
                                  ".git\\config", ".git./config", ".git /config", "GIT~1/config", ".git::$INDEX_ALLOCATION/config"])
def test_what_lies_outside_is_not_read_on_windows(drive, name):
    (drive / "use.het").write_text(f"use['{name}']\n{JOB}".replace("'", '"').replace("\\", "\\\\"))
    (drive.parent / "drive.d/far.het.yaml").write_text("image: a:1\n")
    done = run("windows", drive, "build", "use.het")
    assert done.returncode == 1 and b"lies outside" in done.stderr and b"token" not in done.stderr


def test_what_git_keeps_is_not_read_on_macos(drive):
    (drive / "use.het").write_text(f'use[".GIT/config"]\n{JOB}')
    done = run("macos", drive, "build", "use.het")
    assert done.returncode == 1 and b"lies outside" in done.stderr


@pytest.mark.parametrize("how", SYSTEMS[1:])
def test_a_file_in_another_case_is_the_same(drive, how):
    (drive / "jobs/train.het").write_bytes(BROKEN.replace(", ", ",").encode())
    before = (drive / "jobs/train.het").read_bytes()
    done = run(how, drive, "lint", "--output-format", "concise", "jobs/train.het", "JOBS/TRAIN.het", "Jobs")
    assert done.stdout.count(b"HET201") == 1
    done = run(how, drive, "build", "jobs/train.het", "-o", "jobs/TRAIN.het")
    assert done.returncode == 2 and b"is an input" in done.stderr
    if how == "windows":
        done = run(how, drive, "build", "jobs/train.het", "-o", "jobs/train.het. ")
        assert done.returncode == 2 and b"is an input" in done.stderr
    assert (drive / "jobs/train.het").read_bytes() == before
    assert run(how, drive, "fmt", "--check", "jobs/train.het", "JOBS/train.het").stdout.count(b"would") == 1


@pytest.mark.parametrize("how", SYSTEMS[1:])
def test_a_patch_or_a_base_named_in_another_case_is_known(drive, how):
    text = (ROOT / "examples/template/train.yaml").read_text(encoding="utf-8")
    (drive / "Base.yaml").write_text(text.replace("base: base.yaml\n", ""), encoding="utf-8")
    (drive / "train.yaml").write_text("base: BASE.yaml\nconfig:\n  target: {service: volcano, queue: a}\n  environment: {image: registry.example/a:1}\n")
    assert b"HET026" in run(how, drive, "lint", "Base.yaml").stdout  # alone it is no whole job
    assert b"HET026" not in run(how, drive, "lint", "Base.yaml", "train.yaml").stdout
    (drive / "kustomization.yaml").write_text("patches:\n- path: PATCHES/One.yaml\n")
    (drive / "patches").mkdir()
    (drive / "patches/one.yaml").write_text("apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: a}\nspec: {queue: b}\n")
    assert run(how, drive, "lint", "patches/one.yaml").returncode == 0
    assert run("here", drive, "lint", "patches/one.yaml").returncode == 1  # there it is another file


@pytest.mark.parametrize("how", SYSTEMS[1:])
def test_a_template_is_its_own_base_in_any_case(drive, how):
    text = (ROOT / "examples/template/train.yaml").read_text(encoding="utf-8")
    (drive / "train.yaml").write_text(text.replace("base.yaml", "TRAIN.yaml"), encoding="utf-8")
    assert b"`TRAIN.yaml` is this template" in run(how, drive, "lint", "train.yaml").stdout


@pytest.mark.parametrize("how", SYSTEMS)
def test_patterns_and_fingerprints_are_the_same_on_every_system(drive, how):
    (drive / "jobs/caf\u00e9.het").write_bytes(BROKEN.replace("---\n", "---\nname: cafe\n").encode())
    (drive / "hetc.toml").write_text('[per-path]\n"jobs/*.het" = ["HET702"]\n')
    found = json.loads(run(how, drive, "lint", "--output-format", "gitlab", "jobs").stdout)
    assert [(each["check_name"], each["location"]["path"], each["fingerprint"]) for each in found] == [
        ("HET201", "jobs/caf\u00e9.het", "737ade3c22d20c03:1")]
    done = run(how, drive, "lint", "--output-format", "github", "--write-baseline", "known.json", "jobs")
    assert b"file=jobs/caf\xc3\xa9.het," in done.stdout
    assert json.loads((drive / "known.json").read_text())["findings"][0]["file"] == "jobs/caf\u00e9.het"


@pytest.mark.parametrize("how", SYSTEMS[1:])
def test_fixes_and_layout_keep_line_ends(drive, how):
    path = drive / "jobs/train.het"
    path.write_bytes(JOB.replace("cpu=1, ", "cpu=1,").replace("command: [", "env: {A: 1}\ncommand: [").replace("\n", "\r\n").encode())
    assert run(how, drive, "fmt", "jobs").returncode == 0
    run(how, drive, "lint", "--fix", "jobs")
    data = path.read_bytes()
    assert b"cpu=1, mem" in data and data.count(b"\n") == data.count(b"\r\n") > 4
    assert names(drive) == ["jobs/train.het"]


def test_windows_refuses_what_it_cannot_write_and_leaves_nothing(drive):
    target = drive / "out.yaml"
    target.write_text("old")
    target.chmod(0o444)
    done = run("windows", drive, "build", "jobs/train.het", "-o", "OUT.yaml")
    assert done.returncode == 2 and b"cannot write" in done.stderr
    assert names(drive) == ["jobs/train.het", "out.yaml"] and target.read_text() == "old"
    done = run("windows", drive, "build", "jobs")
    assert done.returncode == 2 and b"is a directory" in done.stderr
    done = run("windows", drive, "init", "con")
    assert done.returncode == 2 and b"takes its name for a device" in done.stderr


def test_init_writes_the_same_on_every_system(drive):
    written = {}
    for how in SYSTEMS:
        (drive / how).mkdir()
        assert run(how, drive, "init", "a").returncode == 0
        written[how] = {name: (drive / name).read_bytes() for name in ("a.het", "a.het.yaml", "hetc-overlay.schema.json")}
        for name in written[how]:
            (drive / name).unlink()
    assert written["here"] == written["windows"] == written["macos"]


def test_many_files_need_no_processes(drive):
    for number in range(60):
        (drive / f"jobs/j{number}.het").write_bytes(JOB.encode())
    assert b"checked 61 documents" in run("windows", drive, "lint", "--jobs", "4", "jobs").stdout


@pytest.mark.parametrize("argv", [
    ("plan", "jobs/train.het"), ("explain", "jobs\\train.het", "spec.queue"), ("diff", "jobs/train.het", "D:\\far.het"), ("rule",),
    ("rule", "HET702"), ("schema", "site"), ("lint", "--cache-dir", "C:\\cache", "jobs"), ("kustomize", "component", "C:\\k", "--yes"),
    ("--version",), *((name, "--help") for name in COMMANDS),
], ids=" ".join)
def test_every_command_runs_without_what_is_of_posix(drive, argv):
    done, expected = run("windows", drive, *argv), run("here", drive, *(each.replace("\\", "/").replace("C:", "..").replace("D:/", "../drive.d/") for each in argv))
    assert done.returncode == expected.returncode
    if argv[0] in ("plan", "rule", "schema", "--version") or argv[-1] == "--help":
        assert done.stdout.replace(b"\r\n", b"\n") == expected.stdout


PROGRAM = """
import runpy, sys
sys.argv[:] = ["systems.py", "windows", sys.argv[1], "--version"]
import hetc.__main__
def main():
    import importlib, pkgutil, hetc
    for each in pkgutil.walk_packages(hetc.__path__, "hetc."):
        if not each.name.startswith("hetc.lsp"):
            importlib.import_module(each.name)
            print(each.name)
hetc.__main__.main = main
runpy.run_path(PATH, run_name="__main__")
"""


def test_every_module_can_be_imported_on_windows(drive):
    program = PROGRAM.replace("PATH", repr(str(ROOT / "tests" / "systems.py")))
    done = subprocess.run([sys.executable, "-c", program, str(drive)], cwd=drive, env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "hetc.workers" in done.stdout.split() and "hetc.commands" in done.stdout.split()


@pytest.mark.parametrize("case", sorted(os.listdir(ROOT / "golden")))
def test_line_ends_make_no_difference(case, tmp_path, monkeypatch):
    """Every golden case with CRLF in all its files: the same manifest, the same findings at the same places."""
    for each in (path for path in (ROOT / "golden" / case).rglob("*") if path.is_file()):
        copy = tmp_path / "golden" / case / each.relative_to(ROOT / "golden" / case)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(each.read_bytes() if each.name == "args" else each.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    expected = test_golden.built(case, monkeypatch)[:2]
    monkeypatch.setattr(test_golden, "FOLDER", str(tmp_path / "golden"))
    assert test_golden.built(case, monkeypatch)[:2] == expected


# One function at a time, with paths that no disk here can have.

class NoFiles(SimpleNamespace):
    """`os` of Windows with a disk that has a few names only."""

    def __init__(self, *there: str) -> None:
        path = SimpleNamespace(**{name: getattr(ntpath, name) for name in (
            "abspath", "basename", "commonpath", "dirname", "isabs", "join", "normpath", "relpath", "split", "splitdrive")})
        path.realpath = lambda each: ntpath.normpath(ntpath.join("C:\\repo\\jobs", each))
        path.exists = lambda each: each in there
        super().__init__(name="nt", sep="\\", curdir=".", path=path, environ=os.environ)


@pytest.fixture
def windows(monkeypatch):
    fake = NoFiles("C:\\repo\\.git")
    for module in ("system", "inputs", "report.fingerprint", "report.sarif"):
        monkeypatch.setattr(importlib.import_module(f"hetc.{module}"), "os", fake)


@pytest.mark.parametrize(("top", "real", "expected"), [
    ("C:\\repo", "C:\\repo\\a.het", True), ("C:\\repo", "c:\\REPO\\A.het", True), ("C:\\", "C:\\a.het", True), ("C:\\repo", "C:\\repo", True),
    ("C:\\repo", "C:\\repository\\a.het", False), ("C:\\repo", "D:\\repo\\a.het", False), ("C:\\repo", "\\\\server\\share\\a", False),
    ("\\\\server\\share\\", "\\\\SERVER\\share\\a", True), ("\\\\server\\share\\x", "\\\\server\\other\\x\\a", False),
    ("C:/repo", "C:\\repo\\a", True), ("C:\\repo", "C:\\repo\\.Git\\config", False), ("C:\\repo", "C:\\repo\\sub\\git~1\\config", False),
    ("C:\\repo", "C:\\repo\\.gitignore", True), ("C:\\.git\\repo", "C:\\.git\\repo\\a", True),
])
def test_what_lies_in_a_folder_of_windows(windows, top, real, expected):
    assert inside(top, real) is expected


@pytest.mark.parametrize(("name", "home", "uri"), [
    ("a.het", "jobs/a.het", "jobs/a.het"), ("C:\\repo\\jobs\\a b.het", "jobs/a b.het", "jobs/a%20b.het"),
    ("sub/a\\b.het", "jobs/sub/a/b.het", "jobs/sub/a/b.het"), ("..\\#1.het", "#1.het", "%231.het"),
    ("<stdin>", "<stdin>", "stdin"), ("D:\\x y\\a.het", "D:/x y/a.het", "file:///D:/x%20y/a.het"),
    ("\\\\server\\share\\a.het", "//server/share/a.het", "file://server/share/a.het"),
])
def test_places_in_reports_of_windows(windows, name, home, uri):
    assert fingerprint.home(name) == home
    assert sarif.uri(name) == uri


def test_a_path_from_another_drive_stays_as_it_is(windows):
    assert system.relative("D:\\a.het", "C:\\repo") == "D:\\a.het"
    assert system.relative("C:\\repo\\a.het", "C:\\repo\\jobs") == "..\\a.het"


def test_a_difference_names_files_with_slashes(monkeypatch):
    monkeypatch.setattr(system, "os", NoFiles())
    assert unified("a\n", "b\n", "jobs\\a.yaml", "jobs\\a.yaml").startswith("--- jobs/a.yaml\n+++ jobs/a.yaml\n")


@pytest.mark.parametrize("name", ["con", "CON.het", "aux .yaml", "com1.het", "Lpt9", "nul.tar.gz"])
def test_devices_of_windows(monkeypatch, name):
    assert not system.is_device(name)
    monkeypatch.setattr(system, "os", NoFiles())
    assert system.is_device(name)
    assert not system.is_device(f"a{name}")


@pytest.mark.parametrize("name", [".git", ".GIT", ".git.", ".git. .", ".git:x", ".git::$INDEX_ALLOCATION", "GIT~1", ".gi\u200ct", "\ufeff.git"])
def test_names_of_gits_folder(name):
    assert system.is_git_folder(name)


@pytest.mark.parametrize("name", [".gitignore", ".github", "git", "a.git", "git~10", ".", "..", ""])
def test_names_of_other_files(name):
    assert not system.is_git_folder(name)


def test_accents_count_once_on_macos(monkeypatch):
    composed, apart = "/repo/caf\u00e9.het", "/Repo/Cafe\u0301.het"
    assert system.key(composed) != system.key(apart)
    monkeypatch.setattr(system.sys, "platform", "darwin")
    assert system.key(composed) == system.key(apart)
    assert system.within("/Repo", composed)


def test_accents_make_no_other_fingerprint(tmp_path):
    assert fingerprint.home(str(tmp_path / "cafe\u0301.het")) == fingerprint.home(str(tmp_path / "caf\u00e9.het"))


def test_old_consoles_of_windows_get_no_colours(monkeypatch):
    terminal = SimpleNamespace(isatty=lambda: True)
    for name in ("WT_SESSION", "TERM", "ANSICON", "ConEmuANSI", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert commands._colored("auto", terminal)
    monkeypatch.setattr(system, "os", NoFiles())
    assert not commands._colored("auto", terminal)
    monkeypatch.setenv("WT_SESSION", "1")
    assert commands._colored("auto", terminal)


def test_a_reader_that_has_gone_is_no_mistake_on_windows(monkeypatch):
    def gone(_: object) -> int:
        raise OSError(22, "Invalid argument")

    stream = SimpleNamespace(flush=lambda: None, buffer=SimpleNamespace(write=gone))
    with pytest.raises(commands.UsageError):
        commands.write("a", stream)
    monkeypatch.setattr(system, "os", NoFiles())
    with pytest.raises(BrokenPipeError):
        commands.write("a", stream)


def test_a_kustomization_on_another_drive_has_its_whole_path(monkeypatch):
    monkeypatch.delenv("PWD", raising=False)
    for module in (kustomize, system):
        monkeypatch.setattr(module, "os", NoFiles())
    assert kustomize._kustomization("D:\\k") == "D:\\k\\kustomization.yaml"


@pytest.mark.parametrize(("uri", "path"), [
    ("file:///c%3A/jobs/a%20b.het", "c:\\jobs\\a b.het"), ("file:///C:/jobs/a.het", "c:\\jobs\\a.het"),
    ("file://server/share/a.het", "\\\\server\\share\\a.het"), ("untitled:a", STDIN),
])
def test_addresses_of_an_editor_on_windows(monkeypatch, uri, path):
    server = pytest.importorskip("hetc.lsp.server")
    monkeypatch.setattr("pygls.uris.IS_WIN", True)
    assert server.name_of(uri) == path


def test_an_editor_finds_its_own_file_in_another_case(monkeypatch):
    pytest.importorskip("pygls")
    from hetc.lsp.desk import Desk, same
    from hetc.lsp.hover import _place
    from hetc.lsp.server import Server
    from hetc.pipeline import Options

    desk = SimpleNamespace(desk=Desk(Options()))
    desk.desk.put("file:///C%3A/a.het", "c:\\a.het", "")
    monkeypatch.setattr(system, "os", NoFiles())
    assert Server.uri(desk, "C:\\A.het") == "file:///C%3A/a.het"
    assert same("C:\\A.het", "c:\\a.het") and not same("C:\\a.het", "D:\\a.het")
    monkeypatch.setattr("hetc.lsp.hover.os", NoFiles())
    assert _place(Span(Source("D:\\a.het", "x"), 0, 1), "C:\\repo") == "D:\\a.het:1:1"


@pytest.mark.parametrize("name", ["../a", "..\\a", "C:a", "D:\\a", "a/b"])
def test_the_name_of_a_config_leads_nowhere_else(name):
    from hetc.diagnostic import Report
    from hetc.read.yaml import read

    (config,) = read(Source("k.yaml", f"metadata:\n  name: '{name}'\n"), Report()) or ()
    stem = Inline("folder", config, "").name.removeprefix("folder" + os.sep)
    assert not {"/", "\\", ":"} & set(stem)


def test_patterns_have_forward_slashes():
    assert glob("jobs/*.het").match("jobs/a.het") and not glob("jobs/*.het").match("jobs\\a.het")


def test_a_backslash_between_names_is_told_of(drive):
    (drive / "hetc.toml").write_text("[per-path]\n'jobs\\*' = ['HET702']\n")
    assert b"hetc.toml:2:1: error HET019: `jobs\\*` has a backslash" in run("here", drive, "lint", "--output-format", "concise", "jobs").stdout
    (drive / "hetc.toml").unlink()
    (drive / "jobs/train.het").write_text('use["..\\\\a.het.yaml"]\n' + JOB)
    assert b"help: write `/` between the names, on every system" in run("here", drive, "build", "jobs/train.het").stderr


def test_only_one_module_looks_for_a_way_between_folders():
    """`commonpath` and `relpath` raise ValueError for paths on two drives."""
    found = {name for name, path in MODULES for text in [Path(path).read_text(encoding="utf-8")]
             if "path.commonpath" in text or "path.relpath" in text}
    assert found == {"system"}


def test_text_is_opened_with_its_encoding():
    """What Python takes else is not UTF-8 on Windows, and writes CRLF there."""
    for name, path in MODULES:
        for call in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "open":
                given = {each.arg for each in call.keywords}
                mode = call.args[1].value if len(call.args) > 1 else "r"
                assert "b" in mode or ("encoding" in given and ("newline" in given or mode == "r")), f"{name}:{call.lineno}"
