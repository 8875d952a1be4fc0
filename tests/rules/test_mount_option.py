"""HET308: ways to mount."""
from __future__ import annotations

import pytest

from hetc.rules.mount_option import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job, related

VOLUMES = "volumes: [{name: v, emptyDir: {}}, {name: c, persistentVolumeClaim: {claimName: c}}, {name: gone, persistentVolumeClaim: null}]\n"


def mount(keys: str, more: str = "") -> list[Found]:
    """The keys begin at line 13, column 47."""
    return check_manifest(RULE, job(container=f"volumeMounts: [{{name: v, mountPath: /a, {keys}}}]\n{more}", pod=VOLUMES))


def test_what_to_do_about_a_device() -> None:
    def found(item: str) -> list[tuple[int, int, str | None]]:
        text = job(container=f"volumeDevices: [{item}]\nvolumeMounts: [{{name: c, mountPath: /a}}]\n", pod=VOLUMES)
        return [(*each[:2], each.help) for each in check_manifest(RULE, text)]

    assert found("{devicePath: /d, name: v}") == [(13, 50, "mount it, or write a claim for it")]
    assert found("{devicePath: /d, name: c}") == [(13, 50, "keep one of the two")]
    assert found("{devicePath: /.., name: other}") == [(13, 40, "write the path from `/` on")]
    both = "{devicePath: /d, name: c}, {devicePath: /.., name: other}"
    assert [each[2] for each in found(both)] == ["keep one of the two", "write the path from `/` on"]


def devices(items: str, mounts: str = "") -> list[str]:
    text = job(container=f"volumeDevices: [{items}]\nvolumeMounts: [{mounts}]\n", pod=VOLUMES)
    return [each.message for each in check_manifest(RULE, text)]


def test_propagation() -> None:
    assert mount("mountPropagation: Bidirectional") == [
        Found(13, 69, "error", "mount propagation `Bidirectional` is for privileged containers only", "leave it out")]
    assert mount("mountPropagation: Bidirectional", "securityContext: {privileged: true}\n") == []
    assert mount("mountPropagation: HostToContainer") == []


def test_read_only_below() -> None:
    assert mount("recursiveReadOnly: Enabled") == [
        Found(13, 70, "error", "`recursiveReadOnly` is `Enabled`, and the mount is not read-only", "add `readOnly: true`")]
    assert mount("recursiveReadOnly: Disabled") == mount("recursiveReadOnly: IfPossible, readOnly: true") == []
    assert [each[2:] for each in mount("recursiveReadOnly: IfPossible, readOnly: true, mountPropagation: HostToContainer")] == [
        ("error", "`recursiveReadOnly` is `IfPossible`, and mounts are propagated", "leave `mountPropagation` out")]
    assert mount("recursiveReadOnly: Enabled, readOnly: true, mountPropagation: None") == []


@pytest.mark.parametrize(("items", "mounts", "message"), [
    ("{name: v, devicePath: /dev/x}", "", "volume `v` is no claim, and cannot be a device"),
    ("{name: c, devicePath: ../x}", "", "device path `../x` has a `..` part"),
    ("{name: c, devicePath: /dev/x}, {name: c, devicePath: /dev/y}", "",
     "volume `c` is a device at `/dev/y`, and the same volume or path is mounted too"),
    ("{name: c, devicePath: /dev/x}", "{name: c, mountPath: /a}",
     "volume `c` is a device at `/dev/x`, and the same volume or path is mounted too"),
    ("{name: c, devicePath: /a}", "{name: v, mountPath: /a}", "volume `c` is a device at `/a`, and the same volume or path is mounted too"),
    ("{name: gone, devicePath: /dev/x}", "", "volume `gone` is no claim, and cannot be a device"),
])
def test_devices(items: str, mounts: str, message: str) -> None:
    assert devices(items, mounts) == [message]


@pytest.mark.parametrize(("items", "mounts"), [
    ("", ""), ("{name: c, devicePath: /dev/x}", "{name: v, mountPath: /a}"), ("x", "x"), ("{}", "{}"), ("{name: other, devicePath: /b}", ""),
])
def test_devices_that_are_fine(items: str, mounts: str) -> None:
    assert devices(items, mounts) == []


def test_the_places_beside() -> None:
    keys = "recursiveReadOnly: Enabled, readOnly: true, mountPropagation: HostToContainer"
    assert related(RULE, job(container=f"volumeMounts: [{{name: v, mountPath: /a, {keys}}}]\n", pod=VOLUMES)) == [(13, 113, "the propagation")]
    twice = "volumeDevices: [{name: c, devicePath: /dev/x}, {name: c, devicePath: /dev/y}]\n"
    assert related(RULE, job(container=twice, pod=VOLUMES)) == [(13, 27, "the mount")]


def test_a_device_without_a_name() -> None:
    text = job(container="volumeDevices: [{devicePath: /a/..}, {devicePath: /a}]\nvolumeMounts: [{mountPath: /a}, {name: v}]\n", pod=VOLUMES)
    assert [each[:4] for each in check_manifest(RULE, text)] == [
        (13, 40, "error", "device path `/a/..` has a `..` part"),
        (13, 48, "error", "volume `` is a device at `/a`, and the same volume or path is mounted too"),
    ]
