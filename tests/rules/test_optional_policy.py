"""HET531: what the optional admission policies want."""
from __future__ import annotations

import pytest

from hetc.rules.optional_policy import RULE
from tests.rules.checks import Found, check_manifest, job, task


def test_name() -> None:
    """Without `replicas` a task has no pods, which another rule says."""
    assert check_manifest(RULE, job("- template: {}", "- name: a", "- replicas: 1")) == [
        Found(7, 5, "warning",
              "task `default0` has no `name`, which Volcano's optional admission policies refuse",
              "add `name: default0`"),
        Found(9, 5, "warning",
              "task `default2` has no `name`, which Volcano's optional admission policies refuse",
              "add `name: default2`"),
    ]


def test_action() -> None:
    assert check_manifest(RULE, job(task(), spec="policies: [{event: PodFailed, action: RestartPartition}]")) == [
        Found(6, 41, "warning",
              "a policy of the job has the action `RestartPartition`, which Volcano's optional admission policies refuse",
              "move the policy to the tasks"),
    ]


@pytest.mark.parametrize("text", [
    job(task(replicas=0) + "  policies: [{event: PodFailed, action: RestartPartition}]\n", spec="policies: [{event: PodFailed, action: RestartJob}]"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []
