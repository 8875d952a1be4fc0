from __future__ import annotations

import pytest

from hetc.rules.windows_host_process import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job


def options(keys: str) -> list[Found]:
    return check_manifest(RULE, job(pod=f"securityContext:\n  windowsOptions: {{{keys}}}\n"))


def test_a_process_of_the_node() -> None:
    said = "which makes a process of the node of it"
    assert options("hostProcess: true") == [(14, 28, "error", f"task `worker` sets `windowsOptions.hostProcess: true`, {said}", "leave it out")]
    assert options('hostProcess: "true"') == [
        (14, 28, "error", f'task `worker` sets `windowsOptions.hostProcess: "true"`, {said}; a boolean is meant', "leave it out"),
    ]


@pytest.mark.parametrize("keys", ["hostProcess: false", "hostProcess: null", "runAsUserName: ContainerUser", ""])
def test_none(keys: str) -> None:
    assert options(keys) == []
