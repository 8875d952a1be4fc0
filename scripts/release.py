"""Make in dist/ all that a release would publish, judge it, and publish nothing: `make release`.

    python -m scripts.release PYTHON ...        the interpreters to try the packages with; each that runs and is supported is

What is released is the last commit. Stops at the first fault, with exit status 1.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hetc import __version__
from scripts import licences
from tests.goldens import arguments

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"

# What Python and hetc are told by variables would reach what has to stand alone.
CLEAN = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV", "HETC", "FORCE_COLOR"))}

# Two builders who have nothing in common but the commit: variables, the mask of file modes, the age of the files in seconds.
BUILDERS = {
    "one": ({"TZ": "UTC0", "LC_ALL": "C", "PYTHONHASHSEED": "1"}, 0o022, 0),
    "another, with blanks": ({"TZ": "FAR-14", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"}, 0o077, 900_000_000),
}

TELL = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
STANDS_ALONE = "import hetc, hetc.lsp.server, sys; sys.exit(not hetc.__file__.startswith(sys.prefix))"


class Refused(Exception):
    """What keeps this from being released."""


def run(*command: object, cwd: Path = ROOT, env: dict[str, str] | None = None, umask: int = -1) -> str:
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, cwd=cwd, env=CLEAN | (env or {}), umask=umask, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Refused(f"{words[0]}: {error.strerror}") from error
    if done.returncode != 0:
        raise Refused(f"{' '.join(words)}\nended with exit status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def tool(module: str, *args: object, env: dict[str, str] | None = None, umask: int = -1, cwd: Path = ROOT) -> str:
    """Run a tool of the release's own environment."""
    return run(sys.executable, "-m", module, *args, env=env, umask=umask, cwd=cwd)


def epoch() -> dict[str, str]:
    """The time of the commit, which everything made of it bears."""
    return {"SOURCE_DATE_EPOCH": run("git", "log", "-1", "--format=%ct").strip()}


# What would be released

def before_a_tag(changelog: str, version: str) -> list[str]:
    """What a maintainer has to write before the version can be tagged; raises Refused if nothing has changed since the last one."""
    sections = dict(re.findall(r"^## \[(.+?)\].*\n((?:(?!## ).*\n?)*)", changelog, re.MULTILINE))
    waits, has_own = bool(sections.get("Unreleased", "").strip()), version in sections
    if not waits and not has_own:
        raise Refused(f"CHANGELOG.md has nothing about {version}")
    if waits and has_own:
        return [f"CHANGELOG.md has a section [{version}] and entries under [Unreleased]: raise `__version__` in hetc/__init__.py"]
    return [f"CHANGELOG.md has its entries under [Unreleased]: name the section [{version}]"] if waits else []


def what() -> list[str]:
    """Say what would be released; what is left to do before it."""
    print(f"hetc {__version__} from the commit {run('git', 'log', '-1', '--format=%h, %s').strip()}")
    todo = before_a_tag((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), __version__)
    if run("git", "status", "--porcelain"):
        todo.append("the work tree has changes, which are not in the packages: commit them")
    if run("git", "tag", "--list", f"v{__version__}", "--no-contains", "HEAD"):
        todo.append(f"another commit has the tag v{__version__}: raise `__version__`")
    return todo


# The packages

def built(home: Path, env: dict[str, str], umask: int, age: int) -> list[Path]:
    """The source distribution of a clone, and the wheel made of it."""
    run("git", "clone", "--quiet", ROOT, home / "clone", umask=umask)
    for path in (home / "clone").rglob("*"):
        os.utime(path, (path.stat().st_atime, path.stat().st_mtime - age))
    tool("build", "--no-isolation", "--outdir", home / "made", home / "clone", env=env | epoch(), umask=umask)
    shutil.rmtree(home / "clone")
    return sorted((home / "made").iterdir())


def members(archive: Path) -> dict[str, tuple[object, ...]]:
    """All that is kept of each file of a package."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {each.filename: (each.date_time, each.external_attr, wheel.read(each)) for each in wheel.infolist()}
    with tarfile.open(archive) as sdist:
        kept = {each.name: (each.get_info(), sdist.extractfile(each)) for each in sdist}
        return {name: (info, file.read() if file else b"") for name, (info, file) in kept.items()}


def differences(first: Path, second: Path) -> list[str]:
    """The files in which two packages differ; none if all of their bytes are the same."""
    if first.read_bytes() == second.read_bytes():
        return []
    one, other = members(first), members(second)
    return [name for name in sorted(one.keys() | other.keys()) if one.get(name) != other.get(name)] or ["the archive around its files"]


def packages(temporary: Path) -> list[Path]:
    """Put sdist and wheel into dist/, if two builders make them of the same bytes."""
    pairs = zip(*(built(temporary / name, *circumstances) for name, circumstances in BUILDERS.items()))
    for first, second in pairs:
        if differing := differences(first, second):
            raise Refused(f"{first.name} is not reproducible. Two builds differ in:\n" + "\n".join(differing))
        shutil.copy(first, DIST)
    made = sorted(DIST.iterdir())
    tool("twine", "check", "--strict", *made)
    return made


# Trials

def supported() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {words[-1] for words in (each.split(" :: ") for each in project["classifiers"]) if re.fullmatch(r"3\.\d+", words[-1])}


def interpreters(names: list[str]) -> dict[str, str]:
    """The supported interpreters among names or paths, by version; says which are not. Raises Refused if there is none."""
    found: dict[str, str] = {}
    for name in names:
        try:
            version = run(name, "-c", TELL).strip()
        except Refused:
            print(f"{name}: not here, or does not run")
            continue
        if version in supported():
            found.setdefault(version, name)
        else:
            print(f"{name}: Python {version} is not among the classifiers of pyproject.toml")
    if not found:
        raise Refused(f"found none of the Pythons {', '.join(sorted(supported()))}: name some by `make release PYTHONS=\"…\"`")
    return found


def environment(home: Path, python: str, requirements: Path, package: Path) -> Path:
    """The Python of a new environment that holds the pinned requirements and a package, and neither pip nor anything else."""
    run(python, "-m", "venv", "--without-pip", home)
    inside = home / "bin" / "python"
    pip = ("--python", inside, "--disable-pip-version-check", "install", "--quiet", "--no-deps")
    tool("pip", *pip, "--require-hashes", "--requirement", requirements)
    tool("pip", *pip, "--no-index", package)
    return inside


def golden_fault(hetc: Path, case: Path) -> str:
    """What an installed hetc does otherwise than a golden case says; "" if nothing."""
    def ask(*args: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([hetc, *args], cwd=case, env=CLEAN, capture_output=True, check=False)

    expected = case / "expected.yaml"
    done = ask("build", *arguments(case))
    if done.stdout != (expected.read_bytes() if expected.exists() else b""):
        return f"{case.name}: build prints another manifest"
    if done.stderr.decode() != (case / "diagnostics.txt").read_text(encoding="utf-8"):
        return f"{case.name}: build has other diagnostics:\n{done.stderr.decode()}"
    if expected.exists():
        site = ["--config", "hetc.toml"] if (case / "hetc.toml").exists() else ["--isolated"]
        done = ask("lint", *site, "expected.yaml")
        if done.returncode != 0:
            return f"{case.name}: lint has something against it:\n{done.stderr.decode()}"
    return ""


def trial(python: Path, temporary: Path, goldens: Path) -> int:
    """Try an installed hetc far from its source; how many golden cases it was tried with."""
    run(python, "-I", "-c", STANDS_ALONE, cwd=temporary)
    hetc = python.with_name("hetc")
    cases = sorted(goldens.iterdir())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(lambda case: golden_fault(hetc, case), cases) if fault]
    if faults:
        raise Refused("\n".join(faults))
    run(hetc, "build", "--verify", "--isolated", "job.het", cwd=goldens / "design-example")
    return len(cases)


def trials(temporary: Path, sdist: Path, wheel: Path, pythons: dict[str, str]) -> None:
    """Try the wheel with each interpreter, by the golden cases of the sdist; then see that the sdist gives pip the same wheel."""
    with tarfile.open(sdist) as archive:
        archive.extractall(temporary, filter="data")
    goldens = (temporary / sdist.name.removesuffix(".tar.gz") / "golden").rename(temporary / "golden")
    shutil.rmtree(temporary / sdist.name.removesuffix(".tar.gz"))
    for version, name in sorted(pythons.items()):
        python = environment(temporary / version, name, licences.LOCK, wheel)
        print(f"Python {version}: {trial(python, temporary, goldens)} golden cases, byte for byte")
    pip = ("--disable-pip-version-check", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation")
    tool("pip", *pip, "--wheel-dir", temporary / "again", sdist, env=epoch())
    if differing := differences(wheel, temporary / "again" / wheel.name):
        raise Refused("pip makes another wheel of the sdist, which differs in:\n" + "\n".join(differing))
    print("pip makes the same wheel of the sdist")


# Dependencies

def bill_of_materials(temporary: Path, wheel: Path) -> None:
    """Write the bill of all that hetc and its extras bring along, if it is that of the lock and all of its licences are allowed."""
    lock = licences.LOCK.read_text(encoding="utf-8")
    (temporary / "everywhere.txt").write_text(licences.everywhere(lock), encoding="utf-8")
    python = environment(temporary / "bill", sys.executable, temporary / "everywhere.txt", wheel)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8").replace('dynamic = ["version"]', f'version = "{__version__}"')
    (temporary / "pyproject.toml").write_text(project, encoding="utf-8")
    options = ("--pyproject", temporary / "pyproject.toml", "--output-reproducible", "--output-format", "JSON")
    bill = json.loads(tool("cyclonedx_py", "environment", *options, python, env=epoch()))
    licences.conclude(bill)
    if faults := licences.faults(bill, lock, licences.PAGE.read_text(encoding="utf-8")):
        raise Refused("\n".join(faults))
    (DIST / f"hetc-{__version__}.cdx.json").write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")
    for component in bill["components"]:
        print(f"{component['name']:26}{component['version']:14}{licences.stated(component)}")


def sums() -> str:
    """The digests of all in dist/, as sha256sum writes and checks them."""
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(DIST.iterdir()))


def release(names: list[str], temporary: Path, step: Callable[[str], None]) -> None:
    step("What would be released")
    todo = what()
    pythons = interpreters(names)
    todo += [f"Python {version} was not tried" for version in sorted(supported() - pythons.keys())]
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    step("The packages, built twice")
    sdist, wheel = sorted(packages(temporary), key=lambda path: path.suffix)
    print(f"{sdist.name} and {wheel.name}: the same bytes from two builders, and as PyPI wants them")
    step("The packages, tried without the source")
    trials(temporary, sdist, wheel, pythons)
    step("Dependencies and their licences")
    bill_of_materials(temporary, wheel)
    step("In dist/")
    digests = sums()
    (DIST / "SHA256SUMS").write_text(digests, encoding="utf-8")
    print(digests, end="")
    step("Nothing was published")
    print("".join(f"before a tag: {each}\n" for each in todo) or "all is ready for a tag\n", end="")


def main(names: list[str]) -> int:
    start = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="hetc-release-") as temporary:
            release(names, Path(temporary), lambda text: print(f"\n== {text} (after {time.monotonic() - start:.0f} s)", flush=True))
    except Refused as fault:
        print(f"\nrelease: refused: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
