"""Several processes give what one gives, in the same order, and leave nothing behind."""
from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hetc import commands, progress
from hetc.workers import WorkerDied, in_order
from tests.conftest import ROOT

PARENT = os.getpid()
JOB = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {{name: {name}}}
spec:
  minAvailable: 1
  queue: {queue}
  tasks:
  - name: worker
    replicas: 1
    template:
      spec:
        restartPolicy: Never
        containers: [{{name: main, image: "registry.example/train{tag}"}}]
"""
QUEUE = "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: closed}\nspec: {weight: 1}\nstatus: {state: Closed}\n"
TEMPLATE = """base: base.yaml
config:
  target: {service: volcano}
  environment: {image: registry.example/a:1}
  jobs: [{name: t, command: [python a.py]}]
  _extra: {volcano: {tasks: {master: {replicas: 1, cpus_per_node: 1, memory: 1Gi, gpus_per_node: 0}}}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    os.mkdir(".git")
    return tmp_path


def fill(folder: Path, count: int) -> None:
    """A folder of `count` and one files of all kinds, good and bad, that lean on each other."""
    (folder / "jobs").mkdir()
    for number in range(count - 7):
        tag = (":1", ":latest", "", ":1  # hetc: ignore[HET702] x")[number % 4]
        queue = "closed" if number % 5 == 0 else "root" if number % 7 == 0 else "default"
        name = f"Job{number}" if number % 3 == 0 else f"job-{number}"
        (folder / "jobs" / f"j{number:03}.yaml").write_text(JOB.format(name=name, queue=queue, tag=tag))
    for name, text in {
        "queue.yaml": QUEUE, "base.yaml": "config:\n  storage: {data: {claim: d, mount_dir: /data}}\n", "child.yaml": TEMPLATE,
        "layer.het.yaml": "labels: {a: 5}\n", "good.het": "1*master<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: x\n",
        "other.yaml": "apiVersion: v1\nkind: Other\n",
    }.items():
        (folder / "jobs" / name).write_text(text)
    (folder / "jobs" / "latin.yaml").write_bytes(b"a: \xe9\n")
    os.symlink("nowhere", folder / "jobs" / "broken.yaml")


def hetc(*argv: str) -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, "-m", "hetc", *argv], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
                          timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("options", [(), ("--output-format", "sarif", "--strict-kinds"), ("--output-format", "json", "--ignore", "HET702")])
def test_the_number_of_workers_does_not_matter(folder: Path, options: tuple[str, ...]) -> None:
    fill(folder, 120)
    paths = ("jobs", "jobs/j000.yaml", "missing.yaml", "./jobs/j001.yaml")
    one = hetc("lint", *options, "--jobs", "1", *paths)
    assert one[0] == 2
    assert one[2].splitlines() == ["hetc: cannot read `jobs/broken.yaml`: no such file or directory",
                                   "hetc: cannot read `missing.yaml`: no such file or directory"]
    for code in ("HET001", "HET102", "HET015"):
        assert code in one[1], code
    assert hetc("lint", *options, "--jobs", "2", *paths) == one
    assert hetc("lint", *options, "--jobs", "3", *paths) == one
    assert hetc("lint", *options, *paths) == one


def test_a_queue_of_another_file_is_seen_by_every_worker(folder: Path) -> None:
    fill(folder, 60)
    found = {count: json.loads(hetc("lint", "--output-format", "json", "--jobs", count, "jobs")[1])["diagnostics"] for count in "13"}
    assert found["1"] == found["3"]
    assert [each for each in found["1"] if "closed" in each["message"]]


def test_fixes_by_several_workers(folder: Path) -> None:
    fill(folder, 60)
    for number in range(60):
        (folder / "jobs" / f"f{number}.het.yaml").write_text("labels: {a: 5}\n")
    out = hetc("lint", "--fix", "--jobs", "3", "jobs")[1]
    assert out.endswith(", 61 fixes made in 61 files\n")
    assert {(folder / "jobs" / f"f{number}.het.yaml").read_text() for number in range(60)} == {'labels: {a: "5"}\n'}


# The crew itself.


@pytest.mark.parametrize("number", [1, 2, 3, 50])
def test_results_come_in_order(number: int) -> None:
    def slow(item: int) -> tuple[int, bool]:
        time.sleep(0.002 * (item % 5))
        return item, os.getpid() == PARENT

    results = list(in_order(slow, range(40), number))
    assert [item for item, _ in results] == list(range(40))
    assert {here for _, here in results} == {number == 1}
    assert children() == []


def children(parent: int = PARENT) -> list[int]:
    """The processes that a process has started and not yet seen end."""
    return [int(number) for number in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def test_no_items() -> None:
    assert list(in_order(str, [], 3)) == []


def test_what_raises_in_a_worker_raises_here() -> None:
    def work(item: int) -> int:
        if item == 7:
            raise KeyError(f"{item} {os.getpid() == PARENT}")
        return item

    seen = []
    with pytest.raises(KeyError, match="7 True"):
        seen.extend(in_order(work, range(20), 2))
    assert children() == []


def test_what_cannot_be_sent_is_done_here() -> None:
    def work(item: int) -> Callable[[], int]:
        return lambda: item

    assert [each() for each in in_order(work, range(5), 2)] == list(range(5))


@pytest.mark.parametrize("index", [0, 5, 16, 199])
@pytest.mark.parametrize("death", [lambda: os._exit(3), lambda: os.kill(os.getpid(), signal.SIGKILL)])
def test_a_worker_that_dies_is_no_hang(death: Callable[[], None], index: int) -> None:
    def work(item: int) -> int:
        if item == index:
            death()
        return item

    with pytest.raises(WorkerDied) as caught:
        list(in_order(work, range(200), 3))
    assert caught.value.index == index
    assert caught.value.status in (3, -signal.SIGKILL)
    assert children() == []


def test_who_stops_listening_leaves_no_worker() -> None:
    results = in_order(str, range(1000), 2)
    assert next(results) == "0"
    results.close()  # type: ignore[attr-defined]
    assert children() == []


def test_large_results() -> None:
    assert [len(each) for each in in_order(lambda item: "x" * 300_000, range(20), 3)] == [300_000] * 20


SLOW = """
import sys, time, os
from hetc import commands, linter
look = linter.Linter.look
def slow(self, path):
    sys.stdout.flush()
    os.write(1, b"working\\n")
    time.sleep(0.5)
    return look(self, path)
linter.Linter.look = slow
from hetc.__main__ import main
main()
"""


def start(*argv: str, stderr: int = subprocess.PIPE, **environment: str) -> subprocess.Popen[bytes]:
    """hetc with a slow look at each file, as a process group of its own, as a shell would start it."""
    return subprocess.Popen(
        [sys.executable, "-c", SLOW, *argv], env={**{k: v for k, v in os.environ.items() if k != "CI"}, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE, stderr=stderr, start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def is_gone(group: int) -> bool:
    """Whether a process group ends within some seconds."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_ctrl_c_is_quiet(folder: Path, jobs: str) -> None:
    fill(folder, 30)
    process = start("lint", "--jobs", jobs, "jobs")
    assert process.stdout is not None and process.stdout.readline() == b"working\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"")
    assert out.replace(b"working\n", b"") == b""
    assert is_gone(process.pid)


def test_a_killed_worker_is_a_clear_end(folder: Path) -> None:
    fill(folder, 30)
    process = start("lint", "--jobs", "2", "jobs")
    assert process.stdout is not None and process.stdout.readline() == b"working\n"
    os.kill(children(process.pid)[0], signal.SIGKILL)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert re.fullmatch(rb"hetc: a worker process ended with status -9 while it checked `jobs/\w+\.[a-z.]+`; `--jobs 1` does without any\n", err)


# How many, and how far.


@pytest.mark.parametrize(("given", "files", "processors", "expected"), [
    (None, 1, 8, 1), (None, commands.MANY_FILES - 1, 8, 1), (None, commands.MANY_FILES, 8, 4), (None, commands.MANY_FILES, 2, 2),
    (None, commands.MANY_FILES, 1, 1), (3, 2, 8, 2), (3, 100, 1, 3), (0, 100, 8, 0), (1, 100, 8, 1),
])
def test_how_many_workers(given: int | None, files: int, processors: int, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from hetc.options import LINT, parse

    monkeypatch.setattr(commands, "_processors", lambda: processors)
    assert commands._jobs(parse(LINT, ["x", *([] if given is None else ["--jobs", str(given)])]), files) == expected


def test_multiprocessing_is_not_loaded_for_one_file() -> None:
    program = "import sys\nfrom hetc.__main__ import run\nrun(['lint', '--jobs', '1', 'a.het'])\nprint([m for m in sys.modules if 'multiproc' in m])"
    Path("a.het").write_text("1*master<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: x\n")
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def written(end: int) -> str:
    """What has been written to a terminal."""
    shown = b""
    while select.select([end], [], [], 0.1)[0]:
        try:
            shown += os.read(end, 65536)
        except OSError:  # nobody writes any more
            break
    return shown.decode()


@pytest.mark.parametrize(("environment", "bar"), [({"TERM": "xterm"}, True), ({"TERM": "xterm", "CI": "true"}, False), ({"TERM": "dumb"}, False)])
def test_a_bar_on_a_terminal(folder: Path, environment: dict[str, str], bar: bool) -> None:
    fill(folder, 60)
    end, other = pty.openpty()
    process = start("lint", "--jobs", "20", "--output-format", "json", "jobs", stderr=other, **environment)
    os.close(other)
    out, _ = process.communicate(timeout=60)
    shown = written(end)
    os.close(end)
    json.loads(out.replace(b"working\n", b""))
    assert ("of 61 files" in shown) is bar
    if bar:
        assert shown.partition("hetc:")[0].endswith("\r\x1b[K")


def test_no_bar_without_a_terminal(folder: Path) -> None:
    fill(folder, 60)
    process = start("lint", "--jobs", "20", "jobs", TERM="xterm")
    _, err = process.communicate(timeout=60)
    assert b"files" not in err


def test_a_bar_line() -> None:
    assert progress.line(0, 9) == f"[{' ' * 30}] 0 of 9 files"
    assert progress.line(3, 9) == f"[{'#' * 10}{' ' * 20}] 3 of 9 files"
    assert progress.line(9, 9) == f"[{'#' * 30}] 9 of 9 files"
