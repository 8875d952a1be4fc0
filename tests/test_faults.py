"""What the world may do to hetc: full disks, closed pipes, files that vanish, lie or never end.

Each time: a clear word, status 2 (1 where it is the text that is at fault, or the reader has gone), nothing half written,
bounded memory.
"""
from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hetc.__main__ import run
from hetc.linter import Linter
from hetc.source import MAX_BYTES
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.linter import Looked

GOOD = "1*master<cpu=1, mem=1Gi>\n---\nname: demo\nimage: a:1\ncommand: x\n"
MANIFEST = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: demo, namespace: research}
spec:
  tasks:
  - name: w
    replicas: 1
    template:
      spec:
        restartPolicy: Never
        containers: [{name: main, image: "a.example/b:1"}]
"""
NOBODY = 65534
#: What a process may need at most, in MiB: hetc has 40 to begin with, and a text of 16 MiB some copies of itself.
MOST = 300


#: Runs a program and tells how it ended. A process takes over the peak of the one that started it, so pytest itself cannot ask.
WATCH = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:])
_, status, usage = os.wait4(process.pid, 0)
with open(sys.argv[1], "w") as file:
    print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, file=file)
"""


class Done:
    """A process that has ended: status, output, seconds of CPU, peak of memory in MiB."""

    def __init__(self, *args: str, cwd: Path, code: str = "", stdout: int | None = None) -> None:
        program = f"{code}\nimport sys\nfrom hetc.__main__ import main\nsys.argv[0] = 'hetc'\nmain()"
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.NamedTemporaryFile("r") as how:
            subprocess.run(
                [sys.executable, "-c", WATCH, how.name, sys.executable, "-c", program, *args], cwd=cwd, stdin=subprocess.DEVNULL, stderr=err,
                stdout=out if stdout is None else stdout, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True,
            )
            status, seconds, memory = how.read().split()
            out.seek(0)
            err.seek(0)
            self.out, self.err = out.read().decode(), err.read().decode()
        self.status, self.seconds, self.memory = int(status), float(seconds), int(memory)
        assert "Traceback" not in self.err and "internal error" not in self.err, self.err


@contextmanager
def unprivileged() -> Iterator[Path]:
    """A folder in which the process is nobody special: root may read and write anything."""
    with tempfile.TemporaryDirectory() as name:
        folder, root = Path(name), os.geteuid() == 0
        if root:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.het").write_text(GOOD)
    (tmp_path / "good.yaml").write_text(MANIFEST)
    return tmp_path


# A disk that is full, a target that nobody may write.


@pytest.mark.parametrize("args", [["build", "good.het"], ["lint", "."], ["plan", "good.het"], ["rule", "HET101"], ["schema", "site"]], ids=lambda args: args[0])
def test_standard_output_on_a_full_disk(folder: Path, args: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = Done(*args, cwd=folder, stdout=full.fileno())
    assert (done.status, done.err) == (2, "hetc: cannot write: no space left on device\n")


#: What makes every file that is opened to be written one on a disk that takes three more bytes.
FULL = """
import builtins, errno, io, os
def opened(file, mode="r", *args, plain=builtins.open, **options):
    found = plain(file, mode, *args, **options)
    if not set(mode) & set("wxa"):
        return found
    write = found.write
    def some(text):
        write(text[:3])
        found.flush()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    found.write = some
    return found
builtins.open = io.open = opened
"""


@pytest.mark.parametrize("args", [
    ["build", "good.het", "-o", "out"], ["lint", "--fix", "out"], ["fmt", "out"], ["lint", "--write-baseline", "out", "good.yaml"], ["init", "more"],
], ids=lambda args: " ".join(args[:2]))
def test_a_disk_that_is_full_before_a_file_is_written(folder: Path, args: list[str]) -> None:
    """The old file stays, and nothing is left beside it."""
    old = {"lint": MANIFEST.replace("name: w", "name: W"), "fmt": GOOD.replace("<cpu=1,", "<cpu=1 ,")}.get(args[0], "old\n")
    target = {"lint": "out.yaml", "fmt": "out.het"}.get(args[0], "out")
    (folder / target).write_text(old)
    before = sorted(os.listdir(folder))
    done = Done(*(target if each == "out" else each for each in args), cwd=folder, code=FULL)
    assert done.status == 2 and "no space left on device" in done.err, (done.status, done.out, done.err)
    assert (folder / target).read_text() == old
    assert sorted(os.listdir(folder)) == before


def test_a_folder_that_nobody_may_write(capsys: pytest.CaptureFixture[str]) -> None:
    with unprivileged() as place:
        (place / "good.het").write_text(GOOD)
        (place / "out.yaml").write_text("old\n")
        place.chmod(0o555)
        for name in ("out.yaml", "new.yaml"):
            assert run(["build", "--isolated", str(place / "good.het"), "-o", str(place / name)]) == 2
            assert capsys.readouterr() == ("", f"hetc: cannot write `{place / name}`: permission denied\n")
        assert (place / "out.yaml").read_text() == "old\n"
        assert sorted(os.listdir(place)) == ["good.het", "out.yaml"]
        place.chmod(0o755)


# A reader that goes away, a process that is killed.


class Pipe:
    """An output whose reader goes away before the write of a number."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.buffer = self

    def write(self, text: bytes | str) -> int:
        self.left -= 1
        if self.left < 0:
            raise BrokenPipeError
        return len(text)

    def flush(self) -> None:
        self.write("")

    def isatty(self) -> bool:
        return False

    encoding, errors = "utf-8", "strict"


@pytest.mark.parametrize("args", [
    ["build", "good.het", "other.het"], ["lint", "bad.yaml"], *(["lint", "--output-format", each, "bad.yaml"] for each in ("json", "sarif", "junit", "json-lines")),
    ["plan", "good.het"],
], ids=lambda args: " ".join(args[:3]))
def test_a_reader_that_goes_away_at_any_write(folder: Path, args: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "bad.yaml").write_text(MANIFEST.replace("name: w", "name: W").replace("replicas: 1", "replicas: x"))
    (folder / "other.het").write_text(GOOD.replace("demo", "other"))
    for left in range(1000):
        monkeypatch.setattr(sys, "stdout", Pipe(left))
        try:
            assert run(args) in (0, 1)
            break
        except BrokenPipeError:
            continue
    else:
        raise AssertionError("it writes without end")
    assert left > 0


@pytest.mark.parametrize("size", [0, 1, 5_000])
def test_a_reader_that_goes_away_is_no_error(folder: Path, size: int) -> None:
    (folder / "many.yaml").write_text("---\n".join([MANIFEST.replace("replicas: 1", "replicas: x")] * 300))
    process = subprocess.Popen([sys.executable, "-m", "hetc", "lint", "many.yaml"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(size)
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), error) == (1, b"")


@pytest.mark.parametrize(("args", "target", "old"), [
    (["build", "good.het", "-o", "out.yaml"], "out.yaml", "old\n"), (["lint", "--fix", "fix.yaml"], "fix.yaml", MANIFEST.replace("name: w", "name: W")),
], ids=["build", "lint"])
@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_killed_while_it_writes(folder: Path, args: list[str], target: str, old: str, moment: str) -> None:
    (folder / target).write_text(old)
    done = Done(*args, cwd=folder, code=f"import os, signal\nos.{moment} = lambda *args: os.kill(os.getpid(), signal.SIGKILL)")
    assert done.status == -signal.SIGKILL
    assert (folder / target).read_text() == old


# Files that change, vanish or lead in circles.


def test_a_file_that_vanishes_before_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "abc":
        (folder / f"{name}.het").write_text(GOOD)
    look = Linter.look

    def vanishing(self: Linter, path: str) -> Looked:
        if path.endswith("b.het"):
            os.unlink(path)
        return look(self, path)

    monkeypatch.setattr(Linter, "look", vanishing)
    assert run(["lint", "--jobs", "1", "a.het", "b.het", "c.het"]) == 2
    assert capsys.readouterr() == (
        "checked 2 documents, 1 file not checked: 0 errors, 0 warnings\n", "hetc: cannot read `b.het`: no such file or directory\n")


def test_a_file_that_changes_while_it_is_mended(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.yaml").write_text(MANIFEST.replace("name: w", "name: W"))
    fixed = Linter.fixed

    def changing(self: Linter, *args: object) -> object:
        (folder / "a.yaml").write_text("mine: now\n")
        return fixed(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Linter, "fixed", changing)
    assert run(["lint", "--fix", "--jobs", "1", "a.yaml"]) == 2
    assert capsys.readouterr().err == "hetc: `a.yaml` has changed since it was read, and is left as it is\n"
    assert (folder / "a.yaml").read_text() == "mine: now\n"


def test_links_in_circles(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "up").symlink_to("..")
    (folder / "loop.het").symlink_to("loop.het")
    (folder / "a.het").symlink_to("b.het")
    (folder / "b.het").symlink_to("a.het")
    assert run(["lint", "."]) == 2
    out, err = capsys.readouterr()
    assert out.splitlines()[-1].startswith("checked 2 documents, 3 files not checked")
    assert err.splitlines() == [f"hetc: cannot read `{name}`: too many levels of symbolic links" for name in ("a.het", "b.het", "loop.het")]


def test_a_file_that_nobody_may_read(capsys: pytest.CaptureFixture[str]) -> None:
    with unprivileged() as place:
        for name in ("a.het", "b.het"):
            (place / name).write_text(GOOD)
        (place / "a.het").chmod(0)
        assert run(["lint", "--isolated", "--jobs", "1", str(place)]) == 2
        assert capsys.readouterr() == ("checked 1 document, 1 file not checked: 0 errors, 0 warnings\n",
                                       f"hetc: cannot read `{place / 'a.het'}`: permission denied\n")


def test_a_pipe_by_name_is_read_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "pipe.yaml")
    writer = threading.Thread(target=(folder / "pipe.yaml").write_text, args=(MANIFEST,), daemon=True)
    writer.start()
    assert run(["lint", "--jobs", "1", "pipe.yaml"]) == 0
    writer.join(10)
    assert capsys.readouterr().out == "checked 1 document: 0 errors, 0 warnings\n"


@pytest.mark.slow
def test_one_of_thousands_that_cannot_be_read(folder: Path) -> None:
    for number in range(5_000):
        (folder / f"{number:04}.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    (folder / "2500.yaml").unlink()
    (folder / "2500.yaml").symlink_to("2500.yaml")
    done = Done("lint", ".", cwd=folder)
    assert (done.status, done.err) == (2, "hetc: cannot read `2500.yaml`: too many levels of symbolic links\n")
    assert done.out == "checked 5001 documents, 1 file not checked: 0 errors, 0 warnings\n"
    assert done.memory < MOST


# Texts that are too large, or none.


LONG = "x" * 10_000_000


@pytest.mark.parametrize(("name", "text", "status"), [
    ("a.yaml", MANIFEST.replace("namespace: research", f"annotations: {{a: {LONG}}}"), 1), ("a.yaml", f"# {LONG}\n{MANIFEST}", 0),
    ("a.json", '{"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "x": "' + LONG + '"}', 1),
    ("a.het", f"1*master<cpu=1, mem=1Gi>\n---\n# {LONG}\nimage: a:1\ncommand: x\nname: a\n", 0), ("a.het", f"1*{LONG}<cpu=1>", 1),
    ("a.het.yaml", f"env: {{A: {LONG}}}\n", 0), ("a.het.yaml", f"{LONG}: 1\n", 1),
], ids=["value", "comment", "json", "comment-het", "name-het", "value-layer", "key-layer"])
@pytest.mark.slow
def test_a_line_of_ten_megabytes(folder: Path, name: str, text: str, status: int) -> None:
    (folder / name).write_text(text)
    done = Done("lint", "--output-format", "json", name, cwd=folder)
    assert done.status == status, done.err
    assert len(done.out) < 100_000
    assert done.memory < MOST and done.seconds < 60


@pytest.mark.parametrize(("text", "said"), [
    (f"a: &a [x]\nb: [{', '.join(['*a'] * 100_000)}]\n", ""),
    ("a: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"b{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)), "HET017"),
    ("".join(f"k{n}: &a{n} x\n" for n in range(10_000)) + "".join(f"l{n}: *a{n}\n" for n in range(10_000)), ""),
], ids=["one", "laughs", "many"])
def test_a_hundred_thousand_aliases(folder: Path, text: str, said: str) -> None:
    (folder / "a.het.yaml").write_text("env: {}\n" + text)
    done = Done("lint", "--output-format", "json", "a.het.yaml", cwd=folder)
    assert done.status == 1 and said in done.out
    assert done.memory < MOST and done.seconds < 60


@pytest.mark.parametrize("name", ["huge.yaml", "huge.het", "huge.het.yaml"])
def test_a_gigabyte_of_nothing(folder: Path, name: str) -> None:
    """A file with a hole takes no room on a disk, and would take all of the memory."""
    with open(folder / name, "wb") as file:
        file.truncate(2**30)
    done = Done("lint", name, "good.het", cwd=folder)
    assert (done.status, done.err) == (2, f"hetc: `{name}` is larger than {MAX_BYTES // 2**20} MiB\n")
    assert done.out.startswith("checked 1 document, 1 file not checked") and done.memory < MOST


def test_as_much_on_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            read.append(size)
            assert size >= 0, "it reads to an end that never comes"
            return b"\0" * size

    class Stdin:
        buffer, closed = Endless(), False

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert run(["lint", "-"]) == 2
    assert capsys.readouterr().err == f"hetc: `<stdin>` is larger than {MAX_BYTES // 2**20} MiB\n"
    assert sum(read) <= 2 * MAX_BYTES


@pytest.mark.parametrize(("data", "said"), [
    (GOOD.encode() + b"\xff\n", "a.het:6:1: error HET001"), (b"a: \xc3\n", "a.yaml:1:4: error HET001"), (GOOD.encode("utf-16"), "a.het:1:1: error HET001"),
    (b"apiVersion: v1\nkind: Pod\nmetadata: {name: \x00}\n", "a.yaml:3:18: error HET005"), (b"1*master<cpu=1>\x00\n", "a.het:1:16: error HET"),
])
def test_bytes_that_are_no_text(folder: Path, data: bytes, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = said.partition(":")[0]
    (folder / name).write_bytes(data)
    assert run(["lint", "--output-format", "concise", name, "good.het"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(said) and "checked 2 documents" in out


def test_the_clock_of_a_fault_is_short(folder: Path) -> None:
    """Nothing of all this may hang: a file that is no file is said at once."""
    start = time.monotonic()
    assert run(["lint", str(folder / "nowhere.het")]) == 2
    assert time.monotonic() - start < 30


@pytest.mark.parametrize("argv", [["lint", "."], ["fmt", "."], ["rule"]])
def test_a_folder_that_is_gone(argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert (run(argv), capsys.readouterr().err) == (2, "hetc: the current folder is not there any more\n")
