"""The hooks of `.pre-commit-hooks.yaml`, run by pre-commit and by prek from a repository as their users have it."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

BIN = Path(sys.executable).parent
TOOLS = ["pre-commit", "prek"]

GOOD = "1*master<cpu=1, mem=1Gi>\n---\nimage: registry.example/a:1\ncommand: python a.py\n"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One home for both tools, so that each builds the hooks' environment once; git as a stranger has it."""
    home = tmp_path_factory.mktemp("home")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "GIT_", "PRE_COMMIT", "PREK", "GITHUB_"))}
    who = {f"GIT_{role}_{what}": "someone@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {**kept, **who, "PATH": f"{BIN}{os.pathsep}{kept['PATH']}", "PRE_COMMIT_HOME": str(home / "pre-commit"), "PREK_HOME": str(home / "prek"),
            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": str(home), "NO_COLOR": "1", "COLUMNS": "80"}


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    """A repository with the files of this checkout, committed and not, tagged as a release."""
    repository = tmp_path_factory.mktemp("hetc")
    listed = subprocess.run(["git", "ls-files", "-zco", "--exclude-standard"], cwd=ROOT, capture_output=True, check=False)
    names = listed.stdout.decode().split("\0") if listed.returncode == 0 else [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
    for name in names:
        if name.split("/")[0] not in (".git", ".venv", ".cache", "tests", "golden") and (ROOT / name).is_file():
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, repository / name)
    for argv in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"], ["tag", "v1.0.0"]):
        subprocess.run(["git", *argv], cwd=repository, env=environment, check=True)
    return repository


class Project:
    """Somebody's repository that uses the hooks."""

    def __init__(self, folder: Path, tool: str, environment: dict[str, str], repository: Path, ids: list[str]) -> None:
        self.folder = folder
        self.tool = tool
        self.environment = environment
        hooks = "".join(f"      - id: {each}\n" for each in ids)
        self.write(**{".pre-commit-config.yaml": f"repos:\n  - repo: {repository}\n    rev: v1.0.0\n    hooks:\n{hooks}"})
        self.git("init", "-q")

    def run(self, *argv: str) -> tuple[int, str]:
        done = subprocess.run(argv, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=300, check=False)
        return done.returncode, done.stdout

    def git(self, *argv: str) -> tuple[int, str]:
        return self.run("git", *argv)

    def commit(self) -> tuple[int, str]:
        self.git("add", "-A")
        return self.git("commit", "-m", "change")

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)


@pytest.mark.parametrize("tool", TOOLS)
def test_the_manifest_of_hooks_is_valid(tool: str, environment: dict[str, str]) -> None:
    done = subprocess.run([BIN / tool, "validate-manifest", ROOT / ".pre-commit-hooks.yaml"], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("tool", TOOLS)
def test_a_commit_is_stopped_or_passes(tool: str, tmp_path: Path, environment: dict[str, str], hooks: Path) -> None:
    project = Project(tmp_path, tool, environment, hooks, ["hetc-lint", "hetc-fmt", "hetc-check"])
    assert project.run(tool, "install")[0] == 0
    project.write(**{"train.het": GOOD.replace("image", "imgae"), "values.yaml": "replicas: 3\n"})
    status, said = project.commit()
    assert status == 1
    assert "train.het:3:1: error HET012: unknown key `imgae` in an overlay [unknown-key]\n" in said
    assert "  help: did you mean `image`?\n" in said
    assert re.search(r"hetc fmt\.+Passed", said)
    project.write(**{"train.het": GOOD.replace("cpu=1, mem", "cpu=1,mem")})
    status, said = project.commit()
    assert status == 1
    assert "formatted train.het\n" in said and re.search(r"hetc lint\.+Passed", said)
    assert (tmp_path / "train.het").read_text() == GOOD, "the hook lays the file out"
    assert "hetc: `train.yaml` is not there; `hetc build train.het -o train.yaml` writes it\n" in said
    built = subprocess.run([sys.executable, "-m", "hetc", "build", tmp_path / "train.het"], cwd=ROOT, capture_output=True, text=True, check=True)
    project.write(**{"train.yaml": built.stdout})
    status, said = project.commit()
    assert status == 0, said
    assert len(re.findall(r"hetc (?:lint|fmt|build --check)\.+Passed", said)) == 3
    project.write(**{"train.yaml": built.stdout.replace("cpu: \"1\"", "cpu: \"2\"")})
    status, said = project.commit()
    assert status == 1
    assert re.search(r'^ *-              cpu: "2"\n *\+              cpu: "1"$', said, re.MULTILINE), said


@pytest.mark.parametrize("tool", TOOLS)
def test_three_hundred_files_go_through_one_process(tool: str, tmp_path: Path, environment: dict[str, str], hooks: Path) -> None:
    project = Project(tmp_path, tool, environment, hooks, ["hetc-lint", "hetc-fmt"])
    project.write(**{f"jobs/job-{number}.het": GOOD for number in range(300)})
    project.git("add", "-A")
    starts = tmp_path.parent / f"{tool}-starts"
    (tmp_path.parent / "site").mkdir(exist_ok=True)
    (tmp_path.parent / "site" / "sitecustomize.py").write_text(
        f"import os, sys\nif any('hetc' in word.split('/')[-1] for word in sys.orig_argv[:2]):\n"
        f"    open({str(starts)!r}, 'a').write(f'{{os.path.basename(sys.orig_argv[1])}} {{len(sys.orig_argv)}}\\n')\n")
    project.environment = {**environment, "PYTHONPATH": str(tmp_path.parent / "site")}
    status, said = project.run(tool, "run", "--verbose")
    assert status == 0, said
    assert re.findall(r"checked \d+ documents?", said) == ["checked 301 documents"], "with the configuration of the hooks"
    assert sorted(starts.read_text().splitlines()) == ["hetc 303", "hetc 304"], "one start of fmt with 300 files, one of lint with 301"


def test_prek_tries_the_repository(tmp_path: Path, environment: dict[str, str], hooks: Path) -> None:
    project = Project(tmp_path, "prek", environment, hooks, [])
    project.write(**{"train.het": "1*w<"})
    project.git("add", "-A")
    status, said = project.run("prek", "try-repo", str(hooks), "hetc-lint", "--files", "train.het")
    assert (status, "train.het:1:4: error HET002: " in said) == (1, True), said
