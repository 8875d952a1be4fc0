"""`hetc lint --passthrough -`: a filter that copies what it checks, byte for byte, or nothing."""
from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT

GOOD = (ROOT / "golden" / "homogeneous" / "expected.yaml").read_bytes()
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "GITHUB_ACTIONS"} | {"PYTHONPATH": str(ROOT)}


def run(data: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "hetc", "lint", "--passthrough", *options, "-"], input=data, capture_output=True, check=False,
                          env=ENVIRONMENT)


@pytest.mark.parametrize("data", [
    GOOD,
    GOOD.rstrip(b"\n"),
    GOOD.replace(b"\n", b"\r\n"),
    b"\xef\xbb\xbf" + GOOD,
    b"---\n# Source: chart/templates/job.yaml\n" + GOOD + b"---\n\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}   # kept\n...\n",
    b"",
    b"no manifest at all\n",
], ids=["as it is", "no newline at the end", "crlf", "byte order mark", "many documents", "nothing", "text"])
def test_what_is_right_is_copied_byte_for_byte(data: bytes) -> None:
    done = run(data)
    assert (done.returncode, done.stdout) == (0, data)
    assert b"0 errors" in done.stderr


@pytest.mark.parametrize("options", [(), ("--output-format", "json"), ("--output-format", "concise")])
def test_what_is_wrong_is_not_copied(options: tuple[str, ...]) -> None:
    done = run(GOOD.replace(b"minAvailable: ", b"minAvailable: 9", 1), *options)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"minAvailable" in done.stderr


def test_the_level_that_stops_is_the_callers() -> None:
    data = GOOD.replace(b"image: ", b"image: moving:latest  # ", 1)
    assert run(data).stdout == data
    stopped = run(data, "--fail-on", "warning")
    assert (stopped.returncode, stopped.stdout) == (1, b"")
    assert run(data, "--fail-on", "warning", "--ignore", "HET702").stdout == data


def test_unknown_kinds_stop_only_where_they_are_asked_to() -> None:
    data = b"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n"
    assert run(data).stdout == data
    assert run(data, "--strict-kinds").stdout == b""


def test_bytes_that_are_no_text() -> None:
    done = run(GOOD + b"# \xff\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"HET001" in done.stderr


def test_a_large_stream() -> None:
    config = b"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: big}\ndata:\n  text: |\n" + b"    0123456789abcdef\n" * 12_000
    data = GOOD + config * 10
    assert len(data) > 2_000_000
    assert run(data).stdout == data


def test_more_than_hetc_reads() -> None:
    done = run(GOOD + b"#" * 2**24)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"larger than 16 MiB" in done.stderr


@pytest.mark.parametrize(("arguments", "message"), [
    (("--passthrough", "examples/cpu.het"), b"`--passthrough` copies standard input"),
    (("--passthrough", "-", "examples/cpu.het"), b"`--passthrough` copies standard input"),
    (("--passthrough", "--fix", "-"), b"`--fix` changes files"),
])
def test_it_takes_standard_input_alone(arguments: tuple[str, ...], message: bytes) -> None:
    done = subprocess.run([sys.executable, "-m", "hetc", "lint", *arguments], input=GOOD, capture_output=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr


def test_a_reader_that_has_gone() -> None:
    """The pipe is larger than what anybody reads of it, so that writing to it fails."""
    process = subprocess.Popen([sys.executable, "-m", "hetc", "lint", "--passthrough", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=ENVIRONMENT)
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    process.stdin.write(GOOD + b"# comment\n" * 100_000)
    process.stdin.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 1
    assert b"Traceback" not in said


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-m", "hetc", "lint", "--passthrough", "-"], input=GOOD, stdout=full, stderr=subprocess.PIPE,
                              check=False, env=ENVIRONMENT)
    assert done.returncode == 2
    assert b"hetc: cannot write: no space left on device" in done.stderr
