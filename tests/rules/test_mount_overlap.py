from __future__ import annotations

import pytest

from hetc.rules.mount_overlap import RULE
from tests.rules.checks import NO_SITE, Found, check_het, check_manifest, manifest
from tests.rules.helpers import job, related

CCE = "[volcano]\ndistribution = \"cce\"\n"

ELSEWHERE = "mount it elsewhere"
APART = "move one out of the other: the outer mount may hide the inner one"
TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount"


def mounts(*paths: str) -> str:
    """The first mount is in line 14, its path at column 29."""
    return "volumeMounts:\n" + "".join(f'- {{name: v, mountPath: "{path}"}}\n' for path in paths)


def found(*paths: str, pod: str = "", spec: str = "") -> list[Found]:
    return check_manifest(RULE, job(container=mounts(*paths), pod=pod, spec=spec))


@pytest.mark.parametrize(("first", "second", "meeting", "help"), [
    ("/data", "/data", "`/data` is used twice", ELSEWHERE),
    ("/data", "/data/", "`/data/` is the same directory as `/data`", ELSEWHERE),
    ("//data", "/./data", "`/./data` is the same directory as `//data`", ELSEWHERE),
    ("/data", "/a/../data", "`/a/../data` is the same directory as `/data`", ELSEWHERE),
    ("/data", "/data/cache", "`/data/cache` lies inside `/data`", APART),
    ("/data/a/b/c", "/data", "`/data` holds `/data/a/b/c`", APART),
    ("/dev/shm", "/dev/shm", "`/dev/shm` is used twice", ELSEWHERE),
])
def test_two_mounts(first: str, second: str, meeting: str, help: str) -> None:
    assert found(first, second) == [(15, 34, "error", f"mount path {meeting}", help)]


@pytest.mark.parametrize(("first", "second", "meeting", "help"), [
    ("/run/x", "/var/run/x", "`/var/run/x` is the same directory as `/run/x`, where `/var/run` is `/run`", ELSEWHERE),
    ("/var/run/x", "/run/x/y", "`/run/x/y` lies inside `/var/run/x`, where `/var/run` is `/run`", APART),
    ("/data", "/data ", "`/data ` is the same directory as `/data`, but for blanks at the end", ELSEWHERE),
])
def test_two_mounts_that_only_may_meet(first: str, second: str, meeting: str, help: str) -> None:
    assert found(first, second) == [(15, 34, "warning", f"mount path {meeting}", help)]


@pytest.mark.parametrize(("first", "second"), [
    ("/data", "/Data"), ("/data", "/database"), ("/data/a", "/data/b"), ("/run/x", "/var/runx/x"),
    ("data", "data"), ("/a b", "/ab"), ("/var/x", "/x"),
])
def test_two_mounts_that_do_not_meet(first: str, second: str) -> None:
    assert found(first, second) == []


def test_a_twin_beside_a_blank() -> None:
    assert [(each.line, each.level) for each in found("/data ", "/data", "/data")] == [(15, "warning"), (16, "error")]


def test_a_twin_in_other_words_beside_a_blank() -> None:
    assert [(each.line, each.level) for each in found("/data ", "/data", "/a/../data")] == [(15, "warning"), (16, "error")]


def test_twins_with_a_blank_beside_one_without() -> None:
    assert [each[2:4] for each in found("/data", "/data ", "/data ")] == [
        ("warning", "mount path `/data ` is the same directory as `/data`, but for blanks at the end"),
        ("error", "mount path `/data ` is used twice")]
    assert [each.message for each in found("/data ", "/data")] == [
        "mount path `/data` is the same directory as `/data `, but for blanks at the end"]


def test_only_run_is_also_below_var() -> None:
    assert [each.message for each in found("/x", "/var/x", "/var/x/y")] == ["mount path `/var/x/y` lies inside `/var/x`"]


def test_a_volume_of_the_job_comes_behind_what_plugins_mount() -> None:
    for spec in ("plugins: {svc: []}\nvolumes: [{mountPath: /etc/volcano}]\n", "volumes: [{mountPath: /etc/volcano}]\nplugins: {svc: []}\n"):
        [told] = check_manifest(RULE, job(spec=spec))
        assert told.message == "mount path `/etc/volcano` is the one that plugin `svc` takes"
        assert [label[2] for label in related(RULE, job(spec=spec))] == ["the other mount"]
    [told] = check_manifest(RULE, job(container=mounts("/data"), spec="volumes: [{mountPath: /data}]\n"))
    assert told.line == 14


def test_a_path_that_is_written_in_other_words_is_mended() -> None:
    def mended(*paths: str, spec: str = "") -> list[bool]:
        return [each.fix is not None for each in RULE.check(manifest(job(container=mounts(*paths), spec=spec)), NO_SITE)]

    assert mended("/data", "/data/") == [True]
    assert mended("/data", "/data") == mended("/data/", "/data") == [False]
    assert mended(spec="plugins: {svc: [], ssh: [--ssh-key-file-path=/etc/volcano/]}\n") == [False]


def test_a_path_that_no_system_takes_is_not_compared() -> None:
    assert len(found(*["/" + "d" * 4095] * 2)) == 1
    assert found(*["/" + "d" * 4096] * 2) == []


def test_the_other_place_is_named() -> None:
    assert related(RULE, job(container=mounts("/data", "/data"))) == [(14, 34, "the other mount")]


def test_system_directories_are_another_rules() -> None:
    assert found("/", "/data") == found("/etc", "/etc/app") == []
    assert len(found("/etc", "/etc/")) == 1


def test_the_root_with_a_blank_behind_it() -> None:
    assert [each[2:4] for each in found("/ ", "/data", pod="automountServiceAccountToken: false\n")] == [
        ("warning", "mount path `/data` lies inside `/ `, but for blanks at the end")]


def test_two_containers_have_nothing_to_do_with_each_other() -> None:
    text = job(container=mounts("/data"), pod="initContainers:\n- {name: i, volumeMounts: [{mountPath: /data}, {mountPath: /x}]}\n")
    assert check_manifest(RULE, text) == []


PLUGINS = [
    ("svc: []", "/etc/volcano", "svc"), ("ray: []", "/etc/volcano", "svc"),
    ("ssh: []", "/root/.ssh", "ssh"), ("mpi: []", "/root/.ssh", "ssh"),
    ("ssh: [--ssh-key-file-path=/keys]", "/keys", "ssh"), ("ssh: [-ssh-key-file-path, /keys]", "/keys", "ssh"),
]


@pytest.mark.parametrize(("plugins", "path", "plugin"), PLUGINS)
def test_what_plugins_mount(plugins: str, path: str, plugin: str) -> None:
    spec = f"plugins: {{{plugins}}}\n"
    assert found(path, spec=spec) == [(14, 34, "error", f"mount path `{path}` is the one that plugin `{plugin}` takes", ELSEWHERE)]
    assert found(path + "/x", spec=spec) == [
        (14, 34, "error", f"mount path `{path}/x` lies inside `{path}`, which plugin `{plugin}` takes", APART),
    ]
    assert found(path + "x", spec=spec) == found(path) == []
    assert related(RULE, job(container=mounts(path), spec=spec)) == [(15, 13, "the other mount")]


def test_plugins_mount_into_init_containers_too() -> None:
    text = job(pod="initContainers: [{name: i, volumeMounts: [{mountPath: /etc/volcano}]}]\n", spec="plugins: {svc: []}\n")
    assert [each.message for each in check_manifest(RULE, text)] == ["mount path `/etc/volcano` is the one that plugin `svc` takes"]


def test_a_null_plugin_is_off() -> None:
    assert found("/etc/volcano", spec="plugins: {svc: }\n") == []


def test_the_jobs_volumes() -> None:
    spec = "volumes: [{mountPath: /data, volumeClaimName: c}]\n"
    assert found("/data", spec=spec) == [(14, 34, "error", "mount path `/data` is the one that `spec.volumes` takes", ELSEWHERE)]
    assert found("/data/x", spec=spec) == [(14, 34, "error", "mount path `/data/x` lies inside `/data`, which `spec.volumes` takes", APART)]
    text = job(pod="initContainers: [{name: i, volumeMounts: [{mountPath: /data}]}]\n", spec=spec)
    assert check_manifest(RULE, text) == []


def test_the_jobs_volumes_among_themselves() -> None:
    text = job(spec="volumes: [{mountPath: /data}, {mountPath: /data}]\n")
    assert check_manifest(RULE, text) == [(13, 45, "error", "mount path `/data` is the one that `spec.volumes` takes", ELSEWHERE)]


def test_the_token() -> None:
    assert found(TOKEN) == [(14, 34, "error", f"mount path `{TOKEN}` is the one that the service account's token takes", ELSEWHERE)]
    assert found("/var/run") == [
        (14, 34, "error", f"mount path `/var/run` holds `{TOKEN}`, which the service account's token takes", APART),
    ]
    assert [each.level for each in found("/run")] == ["warning"]
    assert found(TOKEN, pod="automountServiceAccountToken: false\n") == []


def test_many_mounts_take_little_time() -> None:
    assert found(*(f"/data/{number}" for number in range(3000))) == []
    assert len(found(*["/data"] * 3000)) == 2999


HET = "1*master<cpu=1, mem=8Gi>\n---\nimage: a.example/b:1\ncommand: [run]\ncontainer_args: {shm_size: 1Gi}\nmounts:\n"


def test_in_a_het_file_the_later_of_two_is_told() -> None:
    text = HET + "  z: {path: /data, empty_dir: {}}\n  a: {path: /data/cache, empty_dir: {}}\n"
    assert check_het("HET301", text) == [(8, 13, "error", "mount path `/data/cache` lies inside `/data`", APART)]
    assert check_het("HET301", text.replace("/data/cache", "/cache")) == []


@pytest.mark.parametrize(("path", "message"), [
    ("/dev/shm", "mount path `/dev/shm` is used twice"),
    ("/etc/volcano", "mount path `/etc/volcano` is the one that plugin `svc` takes"),
])
def test_in_a_het_file_hetcs_own(path: str, message: str) -> None:
    assert check_het("HET301", HET + f"  m: {{path: {path}, empty_dir: {{}}}}\n") == [(7, 13, "error", message, ELSEWHERE)]


@pytest.mark.parametrize(("path", "message"), [
    ("/status", "mount path `/status/x` lies inside `/status`, which plugin `status-mounter` takes"),
    ("/status/x", "mount path `/status/x` is the one that plugin `status-mounter` takes"),
])
def test_the_mount_of_status_mounter(path: str, message: str) -> None:
    text = f"1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: x\nplugins: {{status-mounter: {{mount_point: {path}}}}}\nmounts: {{d: {{path: /status/x, claim: c}}}}\n"
    assert [each.message for each in check_het("HET301", text, CCE)] == [message]


@pytest.mark.parametrize("plugins", ["ssh: {key_file_path: /etc/volcano}", "status-mounter: {mount_point: /etc/volcano}"])
def test_mounts_of_plugins_alone(plugins: str) -> None:
    text = f"1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: x\nplugins: {{{plugins}}}\n"
    assert [each.message for each in check_het("HET301", text, CCE)] == ["mount path `/etc/volcano` is the one that plugin `svc` takes"]


@pytest.mark.parametrize("plugin", ["status-mounter: [--mountPoint={}]", "ssh: [--ssh-key-file-path={}]"])
@pytest.mark.parametrize(("length", "count"), [(4096, 1), (4097, 0)])
def test_a_mount_of_a_plugin_that_no_system_takes(plugin: str, length: int, count: int) -> None:
    path = "/data/".ljust(length, "x")
    assert len(found("/data", spec=f"plugins: {{{plugin.format(path)}}}\n")) == count
