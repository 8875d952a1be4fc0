from __future__ import annotations

import pytest

from hetc.rules.mount_path import RULE
from tests.rules.checks import check_het, check_manifest
from tests.rules.helpers import job

OWN = "mount it at a directory of its own, such as `/data`"


def mount(path: str) -> str:
    return job(container=f"volumeMounts: [{{name: v, mountPath: {path}}}]\n")


@pytest.mark.parametrize(("path", "message", "help"), [
    ("data", "mount path `data` is relative", "write an absolute path: `/data`"),
    ("./data/", "mount path `./data/` is relative", "write an absolute path"),
    ("../data", "mount path `../data` is relative", "write an absolute path"),
    ('"~/data"', "mount path `~/data` is relative", "write an absolute path"),
    ("$HOME/data", "mount path `$HOME/data` is relative", "write an absolute path"),
    ('" /data"', "mount path ` /data` is relative", "write an absolute path"),
    ('""', "the mount path is empty", "write an absolute path, such as `/data`"),
    ('" "', "the mount path is empty", "write an absolute path, such as `/data`"),
    ("/a/../data", "mount path `/a/../data` has a `..` part", "write `/data`"),
    ("/..", "mount path `/..` has a `..` part", "write `/`"),
    ('"/a:ro"', "mount path `/a:ro` has a `:`", "write a path without `:`"),
])
def test_paths_that_mean_something_else(path: str, message: str, help: str) -> None:
    assert check_manifest(RULE, mount(path)) == [(13, 47, "error", message, help)]


@pytest.mark.parametrize("path", "/ /bin /boot /dev /etc /lib /lib64 /proc /sbin /sys /usr".split())
def test_system_directories(path: str) -> None:
    assert check_manifest(RULE, mount(path)) == [(13, 47, "error", f"mount path `{path}` is the system directory `{path}`", OWN)]
    assert len(check_manifest(RULE, mount(path + "//"))) == 1


@pytest.mark.parametrize(("path", "system"), [
    ("/proc/self", "/proc"), ("/sys/fs", "/sys"), ("/dev/infiniband", "/dev"), ("/dev/./x", "/dev"),
])
def test_below_the_kernels_directories(path: str, system: str) -> None:
    assert check_manifest(RULE, mount(path)) == [(13, 47, "error", f"mount path `{path}` lies in the system directory `{system}`", OWN)]


@pytest.mark.parametrize("path", [
    "/data", "/data/", "/dev/shm", "/dev/shm/x", "/etc/app", "/usr/local/x",
    "/lib32", "/devices", "/var", "/home", "/a..b", "/..a", "/a b", "/$HOME",
])
def test_paths_that_are_fine(path: str) -> None:
    assert check_manifest(RULE, mount(path)) == []


def test_a_blank_at_the_end() -> None:
    assert check_manifest(RULE, mount('"/data "')) == [
        (13, 47, "warning", "mount path `/data ` ends with a blank, which belongs to the directory's name", "write `/data`"),
    ]


def test_the_jobs_own_volumes_and_init_containers() -> None:
    text = job(pod="initContainers: [{name: i, volumeMounts: [{mountPath: x}]}]\n", spec="volumes: [{mountPath: z, volumeClaimName: c}]\n")
    assert [each.message for each in check_manifest(RULE, text)] == ["mount path `x` is relative", "mount path `z` is relative"]


def test_in_a_het_file() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [run]\nmounts:\n  d: {path: data, empty_dir: {}}\n"
    assert check_het("HET302", text) == [(6, 13, "error", "mount path `data` is relative", "write an absolute path: `/data`")]
    assert check_het("HET302", text.replace("path: data", "path: /data")) == []
