from __future__ import annotations

import pytest

from hetc.rules.host_path import RULE
from tests.rules.checks import check_manifest
from tests.rules.helpers import job

HELP = "mount a PersistentVolumeClaim, or an `emptyDir` for scratch space"


@pytest.mark.parametrize(("source", "message"), [
    ("hostPath: {path: /var/lib}", "`/var/lib` of the node: `hostPath`"),
    ("hostPath: {type: Directory}", "a directory of the node: `hostPath`"),
    ("hostPath: [x]", "a path of the node: `hostPath`"),
    ("hostPath: {}", "a directory of the node: `hostPath`"),
    ("hostPath: /etc", "`/etc` of the node: `hostPath: /etc`"),
    ("hostpath: {path: /}", "`/` of the node: `hostpath` (read as `hostPath`)"),
    ("host_path: {path: /}", "`/` of the node: `host_path` (read as `hostPath`)"),
])
def test_volumes(source: str, message: str) -> None:
    assert check_manifest(RULE, job(pod=f"volumes: [{{name: h, {source}}}]\n")) == [
        (13, 29, "error", f"volume `h` of task `worker` is {message}", HELP),
    ]


@pytest.mark.parametrize("source", ["emptyDir: {}", "persistentVolumeClaim: {claimName: c}", "hostPath: null", "configMap: {name: hostPath}"])
def test_other_volumes(source: str) -> None:
    assert check_manifest(RULE, job(pod=f"volumes: [{{name: h, {source}}}]\n")) == []


def test_a_persistent_volume() -> None:
    text = "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: data}\nspec:\n  capacity: {storage: 1Gi}\n"
    assert check_manifest(RULE, text + "  hostPath: {path: /srv}\n") == [
        (6, 3, "error", "PersistentVolume `data` is `/srv` of the node: `hostPath`", HELP),
    ]
    assert check_manifest(RULE, text + "  nfs: {server: s, path: /}\n") == []
