"""HET530: fields of flows that nobody reads."""
from __future__ import annotations

import pytest

from hetc.rules.flow_unused import RULE
from tests.rules.checks import Found, check_manifest, flow


def test_probe() -> None:
    assert check_manifest(RULE, flow("{name: a, dependsOn: {targets: [b], probe: {}}}")) == [
        Found(6, 41, "warning", "`probe` has no effect: Volcano waits until the jobs of all targets have completed", "leave it out"),
    ]


def test_patch() -> None:
    assert check_manifest(RULE, flow("{name: a, patch: {jobSpec: {queue: a}}}")) == [
        Found(6, 15, "warning", "`patch` has no effect: Volcano makes the job as its JobTemplate says", "make a JobTemplate of its own"),
    ]


@pytest.mark.parametrize("text", [
    flow("{name: a, patch: , dependsOn: {targets: [b], probe: }}"),
    flow("{name: a, dependsOn: x}"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []
