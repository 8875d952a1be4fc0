"""`hetc build --check`: manifests that are kept in files, and where these are."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.test_fmt import hetc, state

JOB = "1*master<cpu=1, mem=1Gi>\n---\nimage: registry.example/a:1\ncommand: x\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.het").write_text(JOB)
    return tmp_path


def stale(path: str, line: str) -> str:
    wrong = "not what hetc builds now" if os.path.exists(path) else "not there"
    return f"hetc: `{path}` is {wrong}; `hetc build {line}` writes it\n"


def test_the_file_beside_the_input(folder: Path) -> None:
    status, out, err = hetc("build", "--check", "a.het")
    assert (status, err) == (1, "hetc: `a.yaml` is not there; `hetc build a.het -o a.yaml` writes it\n")
    assert out.startswith("--- /dev/null\n+++ a.yaml\n@@ -0,0 +1,")
    subprocess.run(["patch", "-p0", "--quiet"], input=out.encode(), check=True)
    assert (folder / "a.yaml").read_text() == hetc("build", "a.het")[1]
    before = state(folder)
    assert hetc("build", "--check", "a.het") == (0, "", "")
    assert state(folder) == before


def test_a_stale_file_is_shown_and_can_be_patched(folder: Path) -> None:
    hetc("build", "a.het", "-o", "a.yaml")
    (folder / "a.het").write_text(JOB.replace("cpu=1", "cpu=2"))
    status, out, err = hetc("build", "--check", "a.het")
    assert (status, err) == (1, stale("a.yaml", "a.het -o a.yaml"))
    assert '-              cpu: "1"\n+              cpu: "2"\n' in out
    subprocess.run(["patch", "-p0", "--quiet"], input=out.encode(), check=True)
    assert hetc("build", "--check", "a.het") == (0, "", "")


def test_the_line_that_writes_it_has_the_same_options(folder: Path) -> None:
    (folder / "more.yaml").write_text("namespace: x\n")
    argv = ("a.het", "-f", "more.yaml", "--queue", "q")
    status, _, err = hetc("build", "--check", *argv, "--format=json", "--", "python", "a b")
    line = "a.het -f more.yaml --queue q --format json -o a.json -- python 'a b'"
    assert (status, err) == (1, stale("a.json", line))
    said = err.split("; `")[1].removesuffix("` writes it\n")
    subprocess.run(["bash", "-c", f'hetc() {{ PYTHONPATH={ROOT} "{sys.executable}" -m hetc "$@"; }}; {said}'], check=True)
    assert hetc("build", "--check", *argv, "--format=json", "--", "python", "a b") == (0, "", "")


def test_many_files_and_a_directory(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a.het").write_text(JOB)
    (folder / "sub" / "layer.het.yaml").write_text("namespace: x\n")
    hetc("build", "a.het", "-o", "a.yaml")
    status, out, err = hetc("build", "--check", ".")
    assert (status, err) == (1, stale("sub/a.yaml", "sub/a.het -o sub/a.yaml"))
    assert out.count("\n+++ ") == 1
    hetc("build", "sub/a.het", "-o", "sub/a.yaml")
    assert hetc("build", "--check", ".", "a.het") == (0, "", "")
    both = hetc("build", "--check", "a.het", "sub/a.het", "-o", "all.yaml")
    assert (both[0], both[2].count("error")) == (1, 1), "in one stream two jobs of one name are a mistake"
    (folder / "empty").mkdir()
    assert hetc("build", "--check", "empty") == (2, "", "hetc: there is no .het file below `empty`\n")
    assert hetc("build", "a.het", "sub")[0] == 2, "a directory is for --check"


def test_one_file_for_all(folder: Path) -> None:
    (folder / "b.het").write_text(JOB)
    assert hetc("build", "--check", "a.het", "b.het", "-o", "all.yaml")[2] == stale("all.yaml", "a.het b.het -o all.yaml")
    hetc("build", "a.het", "b.het", "-o", "all.yaml")
    assert hetc("build", "--check", "a.het", "b.het", "-o", "all.yaml") == (0, "", "")
    assert hetc("build", "--check", "b.het", "a.het", "-o", "all.yaml")[0] == 1
    assert hetc("build", "--check", "a.het", "-o", "a.het") == (2, "", "hetc: `a.het` is an input; write to another file\n")


def test_line_ends_do_not_count_and_other_bytes_do(folder: Path) -> None:
    hetc("build", "a.het", "-o", "a.yaml")
    data = (folder / "a.yaml").read_bytes()
    (folder / "a.yaml").write_bytes(data.replace(b"\n", b"\r\n"))
    assert hetc("build", "--check", "a.het") == (0, "", "")
    for other in (data + b"\n", data[:-1], b"\xff" + data, data.replace(b"kind", b"kin\x85d"), b""):
        (folder / "a.yaml").write_bytes(other)
        assert hetc("build", "--check", "a.het")[0] == 1
    (folder / "a.yaml").unlink()
    (folder / "a.yaml").mkdir()
    assert hetc("build", "--check", "a.het") == (2, "", "hetc: cannot read `a.yaml`: is a directory\n")


def test_the_site_file_says_where(folder: Path) -> None:
    (folder / "jobs").mkdir()
    (folder / "jobs" / "b.het").write_text(JOB)
    (folder / "hetc.toml").write_text('[build]\noutput = "rendered/{stem}.yaml"\n')
    status, _, err = hetc("build", "--check", "jobs", "a.het")
    assert (status, err) == (1, stale("rendered/b.yaml", "jobs/b.het -o rendered/b.yaml") + stale("rendered/a.yaml", "a.het -o rendered/a.yaml"))
    (folder / "rendered").mkdir()
    for name in ("jobs/b", "a"):
        hetc("build", f"{name}.het", "-o", f"rendered/{Path(name).name}.yaml")
    assert hetc("build", "--check", "jobs", "a.het") == (0, "", "")
    (folder / "a.het").write_text(JOB.replace("cpu=1", "cpu=2"))
    assert hetc("build", "--check", "a.het", "-o", "x.yaml")[2] == stale("x.yaml", "a.het -o x.yaml"), "-o goes before"
    (folder / "jobs" / "a.het").write_text(JOB)
    assert hetc("build", "--check", "jobs", "a.het") == (
        2, "", "hetc: `jobs/a.het` and `a.het` have one output, `rendered/a.yaml`; check each with an -o of its own\n")


def test_the_pattern_is_relative_to_the_nearest_site_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "hetc.toml").write_text('[build]\noutput = "rendered/{stem}.yaml"\n')
    (folder / "jobs").mkdir()
    (folder / "jobs" / "b.het").write_text(JOB)
    (folder / "jobs" / "pyproject.toml").write_text('[tool.hetc.build]\noutput = "{stem}.out.yaml"\n')
    assert hetc("build", "--check", "jobs/b.het")[2] == stale("jobs/b.out.yaml", "jobs/b.het -o jobs/b.out.yaml")
    monkeypatch.chdir(folder / "jobs")
    assert hetc("build", "--check", "../a.het")[2] == stale("../rendered/a.yaml", "../a.het -o ../rendered/a.yaml")


def test_a_pattern_that_leads_outside_is_refused(folder: Path) -> None:
    (folder / "hetc.toml").write_text('[build]\noutput = "../{stem}.yaml"\n')
    (folder.parent / "a.yaml").write_text("secret\n")
    status, out, err = hetc("build", "--check", "a.het")
    assert (status, out) == (1, "")
    assert err.startswith("hetc.toml:2:1: error HET023: `build.output` leads to `../a.yaml`, outside the repository of `a.het` [")
    status, out, _ = hetc("build", "--check", "--allow-outside", "a.het")
    assert (status, "-secret\n" in out) == (1, True)
    (folder / "hetc.toml").write_text('[build]\noutput = "link/{stem}.yaml"\n')
    (folder / "link").symlink_to(folder.parent)
    assert "secret" not in hetc("build", "--check", "a.het")[1]


def test_a_link_beside_the_input_is_not_followed_out_of_the_repository(folder: Path) -> None:
    (folder.parent / "secret").write_text("secret\n")
    (folder / "a.yaml").symlink_to(folder.parent / "secret")
    status, out, err = hetc("build", "--check", ".")
    assert (status, out) == (1, "")
    assert err.startswith("a.het:1:1: error HET023: the manifest's file, `a.yaml`, lies outside the repository of `a.het` [")
    assert "-secret\n" in hetc("build", "--check", "--allow-outside", ".")[1]


def test_what_git_keeps_is_not_shown(folder: Path) -> None:
    (folder / ".git" / "config").write_text("secret\n")
    (folder / "a.yaml").symlink_to(folder / ".git" / "config")
    (folder / "b.het").write_text("use[.git/config]\n" + JOB)
    for argv in (("--check", "a.het"), ("b.het",)):
        status, out, err = hetc("build", *argv)
        assert (status, out, " error HET023: " in err, "secret" in err) == (1, "", True, False)


def test_a_pipe_is_no_manifest(folder: Path) -> None:
    os.mkfifo(folder / "a.yaml")
    assert hetc("build", "--check", "a.het") == (2, "", "hetc: `a.yaml` is no regular file\n")


def test_a_difference_leaves_the_terminal_alone(folder: Path) -> None:
    hetc("build", "a.het", "-o", "a.yaml")
    with open("a.yaml", "ab") as file:
        file.write(b"# \x1b[2J \xc2\x9b \xff\n")
    assert "-# \\x1b[2J \\x9b \\udcff\n" in hetc("build", "--check", "a.het")[1]


def test_below_the_site_file_is_inside_where_there_is_no_repository(folder: Path) -> None:
    (folder / ".git").rmdir()
    (folder / "jobs").mkdir()
    (folder / "jobs" / "b.het").write_text(JOB)
    (folder / "hetc.toml").write_text('[build]\noutput = "{stem}.yaml"\n')
    assert hetc("build", "--check", "jobs/b.het")[2] == stale("b.yaml", "jobs/b.het -o b.yaml")
    (folder / "hetc.toml").write_text('[build]\noutput = "../{stem}.yaml"\n')
    assert " error HET023: " in hetc("build", "--check", "jobs/b.het")[2]


@pytest.mark.parametrize("pattern", ["all.yaml", "{name}.yaml", "{stem}{stem}.yaml", "{stem}/{job}.yaml", ""])
def test_a_pattern_has_one_stem(folder: Path, pattern: str) -> None:
    (folder / "hetc.toml").write_text(f'[build]\noutput = "{pattern}"\n')
    status, out, err = hetc("build", "--check", "a.het")
    assert (status, out) == (1, "")
    assert err.startswith(f"hetc.toml:2:1: error HET019: `build.output`: `{pattern}` has not one `{{stem}}` in it [")


def test_what_is_refused_or_has_no_file_of_its_own(folder: Path) -> None:
    (folder / "t.yaml").write_text("config:\n  target: {service: volcano, cpus_per_node: 1, memory: 1Gi}\n  jobs: [{name: a, command: x}]\n"
                                   "  environment: {image: 'a:1'}\n")
    assert hetc("build", "--check", "t.yaml") == (
        2, "", "hetc: `t.yaml` is an input; name its manifest's file by -o FILE, or by `[build] output` in the site file\n")
    assert hetc("build", "--check", "--name", "x", "-", stdin=JOB.encode()) == (
        2, "", "hetc: standard input has no file beside it; name the manifest's by -o FILE\n")
    hetc("build", "a.het", "-o", "a.yaml")
    assert hetc("build", "--check", "--stdin-filename", "a.het", "-", stdin=JOB.encode()) == (0, "", "")
    (folder / "a.het").write_text(JOB.replace("image:", "imgae:"))
    status, out, err = hetc("build", "--check", "a.het")
    assert (status, out) == (1, "") and " error HET012: " in err
