from __future__ import annotations

import pytest

from hetc.rules.privileged import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job, related

RIGHTS = "the node's own rights"
GAIN = "which lets its processes gain rights that they did not start with"


def context(keys: str) -> list[Found]:
    return check_manifest(RULE, job(container=f"securityContext: {{{keys}}}\n"))


@pytest.mark.parametrize(("keys", "message"), [
    ("privileged: true", f"container `main` sets `privileged: true`, {RIGHTS}"),
    ("privileged: yes", f"container `main` sets `privileged: yes`, {RIGHTS}"),
    ('privileged: "true"', f'container `main` sets `privileged: "true"`, {RIGHTS}; a boolean is meant'),
    ("privileged: 1", f"container `main` sets `privileged: 1`, {RIGHTS}; a boolean is meant"),
    ("Privileged: true", f"container `main` sets `Privileged: true` (read as `privileged`), {RIGHTS}"),
    ("allowPrivilegeEscalation: true", f"container `main` sets `allowPrivilegeEscalation: true`, {GAIN}"),
    ("allow_privilege_escalation: on", f"container `main` sets `allow_privilege_escalation: on` (read as `allowPrivilegeEscalation`), {GAIN}"),
])
def test_what_gives_rights(keys: str, message: str) -> None:
    assert context(keys) == [(13, 29, "error", message, "leave it out")]


@pytest.mark.parametrize("keys", [
    "", "privileged: false", "privileged: no", 'privileged: "false"', "privileged: null", "privileged: 0", "privileged: ''",
    "allowPrivilegeEscalation: false", "readOnlyRootFilesystem: true", "privileged: {}", "privileged: [true]",
])
def test_what_gives_none(keys: str) -> None:
    assert context(keys) == []


def test_every_container_is_named() -> None:
    text = job(pod="initContainers:\n- {name: prep, securityContext: {privileged: true}}\n"
                   "- {name: side, restartPolicy: Always, securityContext: {privileged: true}}\n"
                   "ephemeralContainers:\n- {name: look, securityContext: {privileged: true}}\n")
    assert [(found.line, found.message.partition(" sets")[0]) for found in check_manifest(RULE, text)] == [
        (14, "init container `prep`"), (15, "init container `side`"), (17, "ephemeral container `look`"),
    ]


def test_where_it_belongs_into_a_container_or_its_context() -> None:
    assert [(found.line, found.message) for found in check_manifest(RULE, job(
        container="privileged: true\n", pod="securityContext: {privileged: true}\n",
    ))] == [(13, f"container `main` sets `privileged: true`, {RIGHTS}"), (14, f"task `worker` sets `privileged: true`, {RIGHTS}")]


def test_through_an_anchor_both_places_are_shown() -> None:
    text = "x: &x {privileged: true}\n" + job(container="securityContext: {<<: *x}\n", pod="initContainers: [{name: prep, securityContext: *x}]\n")
    found = check_manifest(RULE, text)
    assert [(each.line, each.column, each.message.partition(" sets")[0]) for each in found] == [(1, 8, "container `main`"), (1, 8, "init container `prep`")]
    assert related(RULE, text) == [(12, 17, "it comes to container `main` here"), (15, 33, "it comes to init container `prep` here")]


def test_labels_and_variables_of_that_name_are_free() -> None:
    assert check_manifest(RULE, job(container="env: [{name: privileged, value: 'true'}]\nargs: [privileged, 'true']\n",
                                    pod="nodeSelector: {privileged: 'true'}\n")) == []
