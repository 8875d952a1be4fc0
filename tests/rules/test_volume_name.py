from __future__ import annotations

import pytest

from hetc.rules.volume_name import RULE
from tests.rules.checks import check_het, check_manifest
from tests.rules.helpers import job, related


def volumes(*names: str) -> str:
    return "volumes:\n" + "".join(f"- {{name: {name}, emptyDir: {{}}}}\n" for name in names)


def test_twice() -> None:
    text = job(pod=volumes("d", "e", "d"))
    assert check_manifest(RULE, text) == [(16, 18, "error", "duplicate volume name `d`", "give the volume another name")]
    assert related(RULE, text) == [(14, 18, "first used here")]


def test_shm_by_hand_is_a_volume_like_others() -> None:
    assert [each.help for each in check_manifest(RULE, job(pod=volumes("shm", "shm")))] == ["give the volume another name"]


def test_a_near_name_is_looked_for_among_a_few() -> None:
    def help(count: int) -> str | None:
        return check_manifest(RULE, job(container=mount("scrtch"), pod=volumes("scratch", *(f"v{number}" for number in range(count)))))[0].help

    assert help(29) == "did you mean `scratch`?"
    assert str(help(30)).startswith("the volumes are `scratch`, ")


def test_a_long_list_of_volumes_is_not_told_whole() -> None:
    text = job(container=mount("scratch"), pod=volumes(*(f"v{number:02}" for number in range(12))))
    assert check_manifest(RULE, text)[0].help == f"the volumes are {', '.join(f'`v{number:02}`' for number in range(10))}"


def test_twice_by_an_alias() -> None:
    assert len(check_manifest(RULE, job(pod="volumes: [&v {name: d, emptyDir: {}}, *v]\n"))) == 1


@pytest.mark.parametrize(("name", "wrong", "help"), [
    ("My_Data", "`My_Data` has `M`, and only a-z, 0-9 and `-` are allowed", "write `my-data`"),
    ("a.b", "`a.b` has `.`, and only a-z, 0-9 and `-` are allowed", "write `a-b`"),
    ("v" * 64, f"`{'v' * 64}` has 64 characters, 1 more than the 63 allowed", f"write `{'v' * 63}`"),
    ("''", "the name is empty", None),
])
def test_illegal_names(name: str, wrong: str, help: str | None) -> None:
    assert check_manifest(RULE, job(pod=volumes(name))) == [(14, 18, "error", f"no legal volume name: {wrong}", help)]


def test_legal_names() -> None:
    assert check_manifest(RULE, job(pod=volumes("v" * 63, "0", "a-b"))) == []


@pytest.mark.parametrize(("name", "plugins", "plugin"), [
    ("demo-svc", "svc: []", "svc"), ("demo-svc", "pytorch: []", "svc"), ("demo-ssh", "ssh: []", "ssh"), ("demo-ssh", "mpi: []", "ssh"),
])
def test_names_of_plugins(name: str, plugins: str, plugin: str) -> None:
    text = job(pod=volumes(name), spec=f"plugins: {{{plugins}}}\n")
    assert check_manifest(RULE, text) == [
        (14, 18, "error", f"volume `{name}` has the name of the volume that plugin `{plugin}` adds to every pod",
         "give the volume another name"),
    ]


@pytest.mark.parametrize(("name", "plugins"), [("demo-ssh", "svc: []"), ("demo-svc", "svc: "), ("other-svc", "svc: []")])
def test_names_that_no_plugin_uses(name: str, plugins: str) -> None:
    assert check_manifest(RULE, job(pod=volumes(name), spec=f"plugins: {{{plugins}}}\n")) == []


def mount(name: str) -> str:
    return f"volumeMounts:\n- {{name: {name}, mountPath: /d}}\n"


@pytest.mark.parametrize(("name", "known", "help"), [
    ("dta", ("data", "logs"), "did you mean `data`?"),
    ("scratch", ("logs", "data"), "the volumes are `data`, `logs`"),
    ("data", (), "add it to the pod's `volumes`"),
])
def test_a_mount_of_no_volume(name: str, known: tuple[str, ...], help: str) -> None:
    text = job(container=mount(name), pod=volumes(*known) if known else "")
    assert check_manifest(RULE, text) == [(14, 20, "error", f"no volume of the pod is called `{name}`", help)]


def test_the_volume_of_a_plugin_is_not_there_yet() -> None:
    assert len(check_manifest(RULE, job(container=mount("demo-svc"), spec="plugins: {svc: []}\n"))) == 1


def test_a_mount_of_a_volume() -> None:
    assert check_manifest(RULE, job(container=mount("data"), pod=volumes("data"))) == []


def test_devices_are_volumes_too() -> None:
    text = job(container="volumeDevices: [{name: disk, devicePath: /dev/xvda}]\n")
    assert [each.message for each in check_manifest(RULE, text)] == ["no volume of the pod is called `disk`"]


def test_a_mount_beside_shm_size() -> None:
    text = ("1*master<cpu=1, mem=8Gi>\n---\nname: train\nimage: a.example/b:1\ncommand: [run]\ncontainer_args: {shm_size: 1Gi}\n"
            "mounts:\n  shm: {path: /cache, empty_dir: {}}\n")
    assert check_het("HET109", text) == [
        (8, 3, "error", "duplicate volume name `shm`", "give the mount another name: shm_size makes this one"),
    ]
    assert check_het("HET109", text.replace("  shm:", "  cache:")) == []


def test_the_name_of_a_mount() -> None:
    text = "1*master<cpu=1, mem=8Gi>\n---\nname: train\nimage: a.b/c:1\ncommand: [run]\nmounts:\n  train-svc: {path: /c, empty_dir: {}}\n"
    assert [each[:3] for each in check_het("HET109", text)] == [(7, 3, "error")]


def test_each_container_is_looked_at() -> None:
    first = f"initContainers:\n- name: i\n  volumeMounts: [{{name: a, mountPath: /a}}]\n  {variable('b')}"
    text = job(container=mount("c") + variable("d"), pod=first)
    assert sorted(each.message[-4:] for each in check_manifest(RULE, text)) == [" `a`", " `b`", " `c`", " `d`"]


def variable(volume: str) -> str:
    return f"env: [{{name: A, valueFrom: {{fileKeyRef: {{volumeName: {volume}, path: a, key: k}}}}}}]\n"


def test_a_variable_from_a_file_of_no_volume() -> None:
    assert check_manifest(RULE, job(container=variable("scrtch"), pod=volumes("scratch"))) == [
        (13, 64, "error", "no volume of the pod is called `scrtch`", "did you mean `scratch`?"),
    ]
    assert check_manifest(RULE, job(container=variable("scratch"), pod=volumes("scratch"))) == []


def test_a_variable_from_a_file_that_no_container_writes() -> None:
    text = job(container=variable("settings"), pod="volumes: [{name: settings, configMap: {name: s}}]\n")
    assert check_manifest(RULE, text) == [
        (13, 64, "error", "a variable cannot be read from volume `settings`, which is no `emptyDir`",
         "write the file to an `emptyDir` in an init container"),
    ]
    assert related(RULE, text) == [(14, 19, "the volume")]


def test_a_name_that_is_no_text_says_nothing_of_the_next() -> None:
    assert [each.message for each in check_manifest(RULE, job(pod=volumes("3", "[a]", "d", "d")))] == ["duplicate volume name `d`"]
