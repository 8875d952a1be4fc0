"""Folders of kustomizations, the programs that build them, and hetc's plugin as these find it."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.conftest import ROOT
from tests.judges import kubectl, kustomize

HEAD = "apiVersion: hetc.dev/v1alpha1\nkind: HetcJob\n"
FUNCTION = "  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: hetc-kustomize}\n"

LEGACY = ("--enable-alpha-plugins",)
KRM = ("--enable-alpha-plugins", "--enable-exec")

JOB = """\
1*master<cpu=2, mem=4Gi> + 2*worker<cpu=16, mem=32Gi>
---
image: registry.example/train:1.0
command: python train.py
"""


def config(name: str, *lines: str, function: bool = False) -> str:
    """A HetcJob, for the older kind of plugin or as a function."""
    return HEAD + f"metadata:\n  name: {name}\n" + (FUNCTION if function else "") + "".join(f"{line}\n" for line in lines)


def write(folder: Path, **files: str) -> Path:
    """Files in a folder; `_` in a name stands for its `.`. A kustomization is `kustomization`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / ("kustomization.yaml" if name == "kustomization" else name.replace("_", "."))).write_text(text)
    return folder


def install(folder: Path) -> dict[str, str]:
    """Put `hetc-kustomize` of this checkout into a folder; the environment in which kustomize finds it in both ways."""
    program = folder / "bin" / "hetc-kustomize"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom hetc.kustomize import main\nmain()\n")
    program.chmod(0o755)
    link = folder / "home" / "hetc.dev" / "v1alpha1" / "hetcjob" / "HetcJob"
    link.parent.mkdir(parents=True)
    link.symlink_to(program)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "KUSTOMIZE_", "XDG_"))}
    return {**kept, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "KUSTOMIZE_PLUGIN_HOME": str(folder / "home")}


class Refused(Exception):
    """The build failed; its standard error is the argument."""


def build(folder: Path, environment: dict[str, str], *flags: str, program: str = "kustomize") -> str:
    """What `kustomize build`, or `kubectl kustomize`, prints for a folder, run from the one above. Raises Refused."""
    found = kustomize() if program == "kustomize" else kubectl()
    assert found is not None, "mark the test with needs_kustomize or needs_kubectl"
    command = [found, "build" if program == "kustomize" else "kustomize", *flags, folder.name]
    done = subprocess.run(command, cwd=folder.parent, env={**environment, "PWD": str(folder.parent)}, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=120, check=False)
    if done.returncode:
        assert done.stdout == ""
        raise Refused(done.stderr)
    return done.stdout


def objects(text: str) -> dict[str, Any]:
    """The objects of a build by `Kind/name`."""
    return {f"{each['kind']}/{each['metadata']['name']}": each for each in yaml.safe_load_all(text)}
