from __future__ import annotations

import pytest

from hetc.rules.run_as_root import RULE
from tests.rules.checks import check_manifest
from tests.rules.helpers import job, related

HELP = "leave it out, or give the number of another user"
TAKEN = "container `main` sets `runAsNonRoot: false`, and may run as root where its pod may not"


@pytest.mark.parametrize("value", ["0", '"0"', "0x0"])
def test_the_user_0(value: str) -> None:
    text = job(container=f"securityContext: {{runAsUser: {value}}}\n", pod=f"securityContext: {{runAsUser: {value}}}\n")
    assert check_manifest(RULE, text) == [
        (13, 29, "error", f"container `main` sets `runAsUser: {value}`, which is root", HELP),
        (14, 27, "error", f"task `worker` sets `runAsUser: {value}`, which is root", HELP),
    ]


@pytest.mark.parametrize("keys", ["runAsUser: 1000", "runAsUser: null", "runAsUser: ''", "runAsGroup: 0", "fsGroup: 0", "supplementalGroups: [0]", "runAsUser: [0]"])
def test_other_users_and_groups(keys: str) -> None:
    assert check_manifest(RULE, job(container=f"securityContext: {{{keys}}}\n")) == []


def test_what_the_pod_asks_is_not_taken_back() -> None:
    text = job(container="securityContext: {runAsNonRoot: false}\n", pod="securityContext: {runAsNonRoot: true}\n")
    assert check_manifest(RULE, text) == [(13, 29, "error", TAKEN, "leave it out")]
    assert related(RULE, text) == [(14, 27, "the pod's own setting")]


def test_capitals_in_quotes() -> None:
    text = job(container="securityContext: {runAsNonRoot: 'FALSE'}\n", pod="securityContext: {runAsNonRoot: 'True'}\n")
    assert len(check_manifest(RULE, text)) == 1


@pytest.mark.parametrize(("pod", "container"), [("true", "true"), ("false", "false"), ("false", "true"), ("null", "false")])
def test_other_ways_to_say_it(pod: str, container: str) -> None:
    text = job(container=f"securityContext: {{runAsNonRoot: {container}}}\n", pod=f"securityContext: {{runAsNonRoot: {pod}}}\n")
    assert check_manifest(RULE, text) == []
