from __future__ import annotations

import pytest

from hetc.rules.selinux_options import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job

TYPE_HELP = "leave it out; `container_t`, `container_init_t`, `container_kvm_t`, `container_engine_t` are allowed"


def options(keys: str) -> list[Found]:
    return check_manifest(RULE, job(pod=f"securityContext:\n  seLinuxOptions: {{{keys}}}\n"))


def test_what_loosens() -> None:
    assert options("type: spc_t") == [(14, 28, "error", "task `worker` sets `seLinuxOptions.type: spc_t`, which is no type for containers", TYPE_HELP)]
    assert options("user: system_u") == [(14, 28, "error", "task `worker` sets `seLinuxOptions.user: system_u`, which is the node's to say", "leave it out")]
    assert options("Role: r") == [
        (14, 28, "error", "task `worker` sets `seLinuxOptions.Role: r` (read as `seLinuxOptions.role`), which is the node's to say", "leave it out"),
    ]


def test_each_option_is_looked_at() -> None:
    assert len(options("role: '', type: container_t, user: u")) == 1
    assert len(options("type: container_t, user: u, role: {}")) == 1


@pytest.mark.parametrize("keys", [
    'level: "s0:c1"', "type: container_t", "type: container_init_t", "type: container_kvm_t", "type: container_engine_t", "type: '', user: '', role: ''",
    "type: null", "type: {}",
])
def test_what_does_not(keys: str) -> None:
    assert options(keys) == []
