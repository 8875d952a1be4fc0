"""hetc runs, and finds its grammar and schemas, in each form that it is used in."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import hetc

ROOT = Path(__file__).parent.parent
DATA = sorted(f"{folder}/{file.name}" for folder in ("grammar", "schemas", "kustomize/component") for file in (ROOT / folder).iterdir() if file.is_file())

# PYTHONPATH and the like would show the checkout to what has to stand alone.
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

BUILD = "import sys; from hatchling import build; print(getattr(build, sys.argv[1])(sys.argv[2]))"
READ = "import sys; from hetc import data; print(*(data.path(name) for name in sys.argv[1:]), sep='\\n')"

pytestmark = pytest.mark.slow


def run(*command: object, cwd: Path) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout


def build(hook: str, source: Path, target: Path) -> Path:
    """The package that a hook of the build back end, such as `build_wheel`, makes of a source tree."""
    target.mkdir()
    return target / run(sys.executable, "-c", BUILD, hook, target, cwd=source).splitlines()[-1]


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("a folder with blanks")


@pytest.fixture(scope="module")
def unpacked(home: Path) -> Path:
    """The source distribution of this checkout, unpacked."""
    with tarfile.open(build("build_sdist", ROOT, home / "sdist")) as archive:
        archive.extractall(home / "unpacked", filter="data")
    return home / "unpacked" / f"hetc-{hetc.__version__}"


@pytest.fixture(scope="module")
def packages(unpacked: Path, home: Path) -> dict[str, Path]:
    return {
        "wheel": build("build_wheel", ROOT, home / "wheel"),
        "wheel from sdist": build("build_wheel", unpacked, home / "wheel-from-sdist"),
        "editable": build("build_editable", unpacked, home / "editable"),
    }


@pytest.fixture(scope="module")
def python(packages: dict[str, Path], home: Path) -> Path:
    """The Python of an environment that has what the wheel asks for and nothing more."""
    # Constraints with hashes would make pip ask for a hash of the wheel too.
    pins = re.findall(r"^[a-z0-9-]+==[^\\\n]*", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    (home / "constraints.txt").write_text("\n".join(pins))
    venv.create(home / "environment", with_pip=True)
    python = home / "environment" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--constraint", home / "constraints.txt", packages["wheel"], cwd=home)
    run(python, "-m", "pip", "check", cwd=home)
    return python


def test_wheel_carries_data(packages: dict[str, Path]) -> None:
    inside = contents(packages["wheel"])
    for name in DATA:
        assert inside[f"hetc/_data/{name}"] == (ROOT / name).read_bytes()
    assert "hetc/py.typed" in inside
    for page in (ROOT / "hetc" / "rules").glob("*.md"):
        assert inside[f"hetc/rules/{page.name}"] == page.read_bytes()
    assert f"hetc-{hetc.__version__}.dist-info/licenses/LICENSE" in inside
    assert inside[f"hetc-{hetc.__version__}.data/data/share/man/man1/hetc.1"] == (ROOT / "man" / "hetc.1").read_bytes()
    assert {name.split("/")[0] for name in inside} == {"hetc", f"hetc-{hetc.__version__}.data", f"hetc-{hetc.__version__}.dist-info"}


def test_wheel_is_the_same_from_sdist(packages: dict[str, Path]) -> None:
    assert contents(packages["wheel from sdist"]) == contents(packages["wheel"])


@pytest.mark.parametrize("form", ["wheel", "wheel from sdist", "editable", "checkout"])
def test_runs(form: str, python: Path, packages: dict[str, Path], unpacked: Path, home: Path) -> None:
    run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "hetc", cwd=home)
    command: tuple[object, ...] = (python, "-m", "hetc")
    folder = unpacked
    if form != "checkout":
        run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", packages[form], cwd=home)
        command = (python.parent / "hetc",)
        folder = home
        assert hetc.__version__ in run(python.parent / "hetc-kustomize", "--version", cwd=folder)
    assert hetc.__version__ in run(*command, "--version", cwd=folder)
    assert json.loads(run(*command, "schema", "overlay", cwd=folder)) == json.loads((ROOT / "schemas" / "overlay.schema.json").read_text())
    example = ROOT / "examples" / "train.het"
    assert run(*command, "build", example, cwd=folder) == run(sys.executable, "-m", "hetc", "build", example, cwd=ROOT)
    paths = run(python, "-c", READ, *DATA, cwd=folder).splitlines()
    assert [Path(path).read_bytes() for path in paths] == [(ROOT / name).read_bytes() for name in DATA]
    inside = unpacked if form in ("editable", "checkout") else python.parent.parent
    assert all(Path(path).is_relative_to(inside) for path in paths)
