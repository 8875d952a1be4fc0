"""Mount paths: normal form, meetings, system directories, paths that leave a volume."""
from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hetc.paths import leaves, normalise, overlap, system_directory, too_long, weak_overlap

PARTS = ["", "/", "//", ".", "..", "a", "b", "a ", "var", "run", "proc", "dev", "shm", "..."]
PATHS = st.lists(st.sampled_from(PARTS), max_size=8).map("/".join)


@pytest.mark.parametrize(("path", "normal"), [
    ("/", "/"), ("//", "/"), ("/data/", "/data"), ("//data", "/data"), ("/a//b", "/a/b"), ("/a/./b/.", "/a/b"), ("/a/../b", "/b"),
    ("/..", "/"),
    ("/a/../../b", "/b"), ("", "."), (".", "."), ("a/..", "."), ("../a", "../a"), ("a/../../b", "../b"), ("./a/", "a"), ("/...", "/..."),
    ("/a ", "/a "),
])
def test_normalise(path, normal):
    assert normalise(path) == normal


@given(PATHS)
def test_the_normal_form_is_the_operating_systems(path):
    normal = posixpath.normpath(path)
    # POSIX leaves the meaning of two slashes at the start open, Linux does not.
    assert normalise(path) == ("/" + normal.lstrip("/") if normal.startswith("/") else normal)


@pytest.mark.parametrize(("a", "b", "meeting"), [
    ("/data", "/data", "same"), ("/data", "/data/", "equal"), ("/a/../data", "//data", "equal"), ("/data/x", "/data", "inside"),
    ("/data", "/data/x/y", "around"), ("/data", "/database", None), ("/database", "/data", None), ("/", "/data", "around"),
    ("/data", "/", "inside"),
    ("/a", "/b", None), ("/data", "/data ", None), ("/run", "/var/run", None), ("/data/../x", "/data", None),
])
def test_overlap(a, b, meeting):
    assert overlap(a, b) == meeting


@pytest.mark.parametrize(("a", "b", "meeting"), [
    ("/data", "/data ", "equal"), ("/data /", "/data", "equal"), ("/data\t", "/data", "equal"), ("/run", "/var/run", "equal"),
    ("/var/run/x", "/run", "inside"), ("/run", "/var/run/x", "around"), ("/var/runs", "/runs", None), ("/var", "/run", None),
    ("/a", "/b", None),
    ("/data", "/data/", None), ("/data", "/data/x", None), ("/var/run", "/var/run", None),
])
def test_weak_overlap(a, b, meeting):
    assert weak_overlap(a, b) == meeting


MIRROR = {None: None, "same": "same", "equal": "equal", "inside": "around", "around": "inside"}


@given(PATHS, PATHS)
def test_a_meeting_has_two_sides(a, b):
    assert overlap(b, a) == MIRROR[overlap(a, b)]
    assert weak_overlap(b, a) == MIRROR[weak_overlap(a, b)]
    assert not (overlap(a, b) and weak_overlap(a, b))


@pytest.mark.parametrize(("path", "top"), [
    *((path, path) for path in "/ /bin /boot /dev /etc /lib /lib64 /proc /sbin /sys /usr".split()),
    ("/etc/", "/etc"), ("/a/../usr", "/usr"), ("//", "/"), ("/proc/1", "/proc"), ("/sys/fs/cgroup", "/sys"), ("/dev/null", "/dev"),
    ("/dev/shmx", "/dev"), ("/dev/shm/../null", "/dev"), ("/dev/shm", None), ("/dev/shm/", None), ("/dev/shm/x", None),
    ("/etc/volcano", None),
    ("/usr/local", None), ("/data", None), ("/var", None), ("/home", None), ("/process", None), ("etc", None),
])
def test_system_directory(path, top):
    assert system_directory(path) == top


@pytest.mark.parametrize(("path", "word"), [
    ("../x", "`..`"), ("a/../b", "`..`"), ("a/..", "`..`"), ("..", "`..`"), ("/a", "`/`"), ("/", "`/`"),
])
def test_a_sub_path_that_may_leave(path, word):
    assert word in leaves(path)


@pytest.mark.parametrize("path", ["", "a", "a/b", "...", "a..b", "..a/b", "a/...", "./a"])
def test_a_sub_path_that_stays(path):
    assert leaves(path) is None


@pytest.mark.parametrize("path", ["", "/", "a/" + "x" * 255, "/".join(["x" * 255] * 16), "\u00e9" * 127])
def test_paths_that_linux_takes(path: str) -> None:
    assert too_long(path) is None


@pytest.mark.parametrize(("path", "what"), [
    ("a/" + "x" * 256 + "/b", "a part of more than 255 bytes"), ("\u00e9" * 128, "a part of more than 255 bytes"),
    ("/".join(["x" * 255] * 16) + "/", "more than 4,095 bytes"),
])
def test_paths_that_are_too_long(path: str, what: str) -> None:
    assert (too_long(path) or "").startswith(what)
