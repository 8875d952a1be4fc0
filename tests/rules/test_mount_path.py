from __future__ import annotations

import pytest

from hetc.rules.mount_path import RULE
from tests.rules.checks import NO_SITE, check_het, check_manifest, manifest
from tests.rules.helpers import job

OWN = "mount it at a directory of its own, such as `/data`"


def mount(path: str) -> str:
    return job(container=f"volumeMounts: [{{name: v, mountPath: {path}}}]\n")


@pytest.mark.parametrize(("path", "message", "help"), [
    ("data", "mount path `data` is relative", "write an absolute path: `/data`"),
    ("Xdata", "mount path `Xdata` is relative", "write an absolute path: `/Xdata`"),
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
    "5", "[/usr]", "/lib32", "/devices", "/var", "/home", "/a..b", "/..a", "/a b", "/$HOME",
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


@pytest.mark.parametrize(("path", "long"), [
    ("/data/" + "x" * 256, "a part of more than 255 bytes, the most that Linux takes"),
    ("/data/" + "\u00e9" * 128, "a part of more than 255 bytes, the most that Linux takes"),
    ("/" + "x/" * 2048, "more than 4,095 bytes, the most that Linux takes"),
])
def test_paths_that_linux_does_not_take(path: str, long: str) -> None:
    found = check_manifest(RULE, mount(path))
    assert [each[:3] + each[4:] for each in found] == [(13, 47, "error", "write a shorter path")]
    assert found[0].message.endswith(f"` has {long}")
    assert check_manifest(RULE, mount("/data/" + "x" * 255)) == []


@pytest.mark.parametrize(("argument", "column", "message"), [
    ("[--ssh-key-file-path=/usr]", 19, "mount path `/usr` of plugin `ssh` is the system directory `/usr`"),
    ("[--ssh-key-file-path=/usr, --ssh-port=22]", 19, "mount path `/usr` of plugin `ssh` is the system directory `/usr`"),
    ("[-ssh-key-file-path=/]", 19, "mount path `/` of plugin `ssh` is the system directory `/`"),
    ("[--ssh-port=22, --ssh-key-file-path=/proc/x]", 34, "mount path `/proc/x` of plugin `ssh` lies in the system directory `/proc`"),
    ("[--ssh-key-file-path, /a/../usr]", 40, "mount path `/a/../usr` of plugin `ssh` has a `..` part"),
    ("['--ssh-key-file-path=/a:b']", 19, "mount path `/a:b` of plugin `ssh` has a `:`"),
])
def test_where_ssh_mounts_its_keys(argument: str, column: int, message: str) -> None:
    text = job(spec=f"plugins: {{ssh: {argument}}}\n")
    assert [each[:4] for each in check_manifest(RULE, text)] == [(13, column, "error", message)]


@pytest.mark.parametrize("plugins", [
    "{ssh: []}", "{ssh: [--ssh-key-file-path=/home/user/.ssh]}", "{svc: [--ssh-key-file-path=/usr]}", "{ssh: [--ssh-port=22]}",
    "{ssh: [--ssh-key-file-path]}", "{ssh: [--ssh-key-file-path=keys]}", "{ssh: }", "{ssh: {}}",
])
def test_keys_in_a_place_of_their_own(plugins: str) -> None:
    assert check_manifest(RULE, job(spec=f"plugins: {plugins}\n")) == []


def test_no_edit_of_a_flag_is_offered() -> None:
    text = job(spec="plugins: {ssh: [--ssh-key-file-path, /a/../data]}\n")
    assert [each.fix for each in RULE.check(manifest(text), NO_SITE)] == [None]
    assert [each.fix is None for each in RULE.check(manifest(mount("/a/../data")), NO_SITE)] == [False]


@pytest.mark.parametrize("path", ["/a/../usr", "/a/../b:c", "a/../b"])
def test_no_edit_is_offered_where_it_mends_nothing(path: str) -> None:
    assert [each.fix for each in RULE.check(manifest(mount(path)), NO_SITE)] == [None]


def test_the_mount_of_status_mounter() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: x\nplugins: {status-mounter: {mount_point: /usr}}\n"
    assert [each.message for each in check_het("HET302", text, '[volcano]\ndistribution = "cce"\n')] == [
        "mount path `/usr` of plugin `status-mounter` is the system directory `/usr`"]
