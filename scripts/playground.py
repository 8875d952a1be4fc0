"""Puts the playground together: a folder that any server of files serves, with hetc and Python for the browser in it.

    python scripts/playground.py FOLDER

Python for the browser comes from npm, pinned by playground/package-lock.json; the wheels of what hetc imports come from PyPI,
pinned by requirements.lock; that of hetc is built from this checkout.
"""
from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "playground"
CACHE = ROOT / ".cache" / "playground"

PAGE = ("index.html", "playground.css", "playground.js", "editor.js", "share.js", "tabs.js", "worker.js", "playground.py")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

#: What `build` and `lint` import beside the standard library.
LIBRARIES = ("ruamel-yaml",)

#: Title, the file's name in the playground, the files: itself, an overlay, a site file.
EXAMPLES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("A driver and two kinds of GPU nodes", "train.het", ("examples/train.het",)),
    ("A CPU-only gang", "cpu.het", ("examples/cpu.het",)),
    ("Nodes that are all alike", "uniform.het", ("examples/uniform.het",)),
    ("Storage and secrets", "storage.het", ("examples/storage.het",)),
    ("An overlay and a site file", "layers.het",
     ("playground/examples/layers.het", "playground/examples/layers.overlay.yaml", "playground/examples/layers.hetc.toml")),
    ("Mistakes in a request", "mistakes.het", ("playground/examples/mistakes.het",)),
    ("A training template", "train.yaml", ("playground/examples/template.yaml",)),
    ("A manifest by hand, with mistakes", "job.yaml", ("playground/examples/job.yaml",)),
)


def examples() -> list[dict[str, str]]:
    """The menu, each with the texts of its files."""
    found = []
    for title, name, paths in EXAMPLES:
        texts = [(ROOT / path).read_text(encoding="utf-8") for path in paths]
        found.append({"title": title, "name": name, **dict(zip(("text", "overlay", "site"), texts))})
    return found


def assemble(folder: Path) -> None:
    """Make the folder anew. Raises CalledProcessError where npm or pip fails."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "pyodide").mkdir(parents=True)
    for name in PAGE:
        shutil.copy(HOME / name, folder)
    python = _pyodide()
    for name in PYODIDE:
        shutil.copyfile(python / name, folder / "pyodide" / name)
    wheels = _wheels(folder)
    (folder / "wheels.json").write_text(json.dumps(wheels), encoding="utf-8")
    (folder / "examples.json").write_text(json.dumps(examples()), encoding="utf-8")


def _pyodide() -> Path:
    """The npm package, installed when the lock is another one than the last time."""
    lock, installed = HOME / "package-lock.json", CACHE / "package-lock.json"
    if not installed.exists() or installed.read_bytes() != lock.read_bytes():
        shutil.rmtree(CACHE, ignore_errors=True)
        CACHE.mkdir(parents=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as fresh:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(HOME / name, fresh)
            subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=fresh, check=True)
            Path(fresh, "node_modules").rename(CACHE / "node_modules")
        shutil.copy(lock, installed)
    return CACHE / "node_modules" / "pyodide"


def _wheels(folder: Path) -> list[str]:
    """The names of the wheels, once they are in the folder: libraries by the hashes of the lock, then hetc."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
        wanted.write("".join(map(_locked, LIBRARIES)))
        wanted.flush()
        options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "-d", folder, "-r", wanted.name]
        subprocess.run([*pip, "download", *options], check=True)
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT], check=True)
    return sorted(path.name for path in folder.glob("*.whl"))


def _locked(library: str) -> str:
    """The lines of the lock about a library."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = re.search(rf"^{library}==.*\n(?:    --hash=.*\n)+", lock, re.MULTILINE)
    if found is None:
        raise SystemExit(f"requirements.lock does not pin {library}")
    return found[0]


if __name__ == "__main__":
    assemble(Path(sys.argv[1]))
