"""The same bytes from the same input, whatever surrounds hetc."""
from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys

import pytest
import ruamel.yaml

from tests.conftest import ROOT

EXAMPLES = sorted(glob.glob(os.path.join(ROOT, "examples", "*.het")))
LIBRARIES = os.path.dirname(os.path.dirname(os.path.dirname(ruamel.yaml.__file__)))


def interpreters() -> dict[str, str]:
    """Pythons that hetc supports and that run here: on PATH, or among pyenv's."""
    found = {}
    for minor in (11, 12, 13):
        version = f"3.{minor}"
        places = [shutil.which(f"python{version}"), *glob.glob(os.path.expanduser(f"~/.pyenv/versions/{version}.*/bin/python"))]
        for place in filter(None, places):
            done = subprocess.run([place, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True, check=False)
            if done.stdout.strip() == version:
                found[version] = place
                break
    return found


PYTHONS = interpreters() or {"this": sys.executable}


def build(*args: str, python: str = sys.executable, folder: str = ROOT, **environment: str) -> bytes:
    done = subprocess.run(
        [python, "-m", "hetc", "build", "--isolated", *args], cwd=folder, capture_output=True, check=False,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}{os.pathsep}{LIBRARIES}", "PYTHONDONTWRITEBYTECODE": "1", **environment},
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def expected() -> bytes:
    return build(*EXAMPLES)


@pytest.mark.parametrize("version", PYTHONS)
def test_any_python(version: str, expected: bytes) -> None:
    assert build(*EXAMPLES, python=PYTHONS[version], PYTHONHASHSEED="7") == expected


@pytest.mark.parametrize("environment", [
    {"PYTHONHASHSEED": "0"}, {"PYTHONHASHSEED": "4242"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {"TZ": "Asia/Tokyo"},
    {"COLUMNS": "10", "TERM": "dumb", "FORCE_COLOR": "1"}, {"PYTHONOPTIMIZE": "2"},
])
def test_any_environment(environment: dict[str, str], expected: bytes) -> None:
    assert build(*EXAMPLES, **environment) == expected


def test_any_place_of_the_checkout_and_any_working_directory(tmp_path: object, expected: bytes) -> None:
    copy = os.path.join(str(tmp_path), "elsewhere with blanks")
    shutil.copytree(os.path.join(ROOT, "examples"), copy)
    assert build(*(os.path.join(copy, os.path.basename(path)) for path in EXAMPLES), folder="/") == expected
    assert build(*(os.path.basename(path) for path in EXAMPLES), folder=copy) == expected


def test_text_outside_ascii_under_an_ascii_locale(tmp_path: object) -> None:
    path = os.path.join(str(tmp_path), "job.het")
    with open(path, "w", encoding="utf-8") as file:
        file.write("1*master<cpu=1, mem=1Gi>\n---\nimage: registry.example/a:1\ncommand: echo 日本語 é 😀\nenv: {GREETING: grüß 😀}\n")
    text = build(path, LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert "grüß 😀" in text.decode("utf-8")
    assert text == build(path)
