from __future__ import annotations

import pytest

from hetc.rules.unsafe_sysctl import RULE, SAFE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job

HELP = "leave it out; a node's owner sets what holds for the whole node"


def sysctl(name: str) -> list[Found]:
    return check_manifest(RULE, job(pod=f'securityContext:\n  sysctls: [{{name: {name}, value: "1"}}]\n'))


@pytest.mark.parametrize("name", ["kernel.msgmax", "net.core.somaxconn", "kernel/shmmax", "net.ipv4.ip_forward", "kernel"])
def test_unsafe_ones(name: str) -> None:
    assert sysctl(name) == [(14, 28, "error", f"task `worker` sets the kernel parameter `{name}`, which is none of the safe ones", HELP)]


def test_safe_ones() -> None:
    assert len(SAFE) == 12
    assert [name for name in SAFE if sysctl(name)] == []
    assert sysctl("net/ipv4/tcp_rmem") == sysctl("null") == sysctl("{}") == []
