from __future__ import annotations

import pytest

from hetc.rules.unconfined import RULE
from tests.rules.checks import check_manifest
from tests.rules.helpers import job

FIELD_HELP = "leave it out, or write `type: RuntimeDefault`"
APPARMOR = "container.apparmor.security.beta.kubernetes.io/main"


@pytest.mark.parametrize("field", ["seccompProfile", "appArmorProfile"])
@pytest.mark.parametrize("type", ["Unconfined", "unconfined", '"Unconfined"', "Free"])
def test_fields(field: str, type: str) -> None:
    shown = f"runs without the confinement of its node: `{field}.type: {type}`"
    assert check_manifest(RULE, job(container=f"securityContext:\n  {field}: {{type: {type}}}\n", pod=f"securityContext:\n  {field}: {{type: {type}}}\n")) == [
        (14, 16 + len(field), "error", f"container `main` {shown}", FIELD_HELP), (16, 14 + len(field), "error", f"task `worker` {shown}", FIELD_HELP),
    ]


@pytest.mark.parametrize("value", ["{type: RuntimeDefault}", "{type: Localhost, localhostProfile: x}", "{}", "null", "{type: null}", "{type: runtimeDefault}"])
def test_profiles(value: str) -> None:
    assert check_manifest(RULE, job(container=f"securityContext: {{seccompProfile: {value}, appArmorProfile: {value}}}\n")) == []


def test_a_word_for_a_profile() -> None:
    assert check_manifest(RULE, job(container="securityContext: {seccompProfile: Unconfined}\n")) == [
        (13, 29, "error", "container `main` runs without the confinement of its node: `seccompProfile: Unconfined`",
         "leave it out, or write `{type: RuntimeDefault}`"),
    ]


def annotated(key: str, value: str) -> str:
    return job().replace("    template:\n", f"    template:\n      metadata: {{annotations: {{{key}: {value}}}}}\n")


@pytest.mark.parametrize("key", [APPARMOR, "container.seccomp.security.alpha.kubernetes.io/main", "seccomp.security.alpha.kubernetes.io/pod"])
def test_annotations(key: str) -> None:
    assert check_manifest(RULE, annotated(key, "unconfined")) == [
        (9, 32, "error", f"task `worker` runs without the confinement of its node: `{key}: unconfined`", "leave it out, or write `runtime/default`"),
    ]
    for fine in ("runtime/default", "localhost/x", '""', "null", "docker/default"):
        assert check_manifest(RULE, annotated(key, fine)) == []
    assert check_manifest(RULE, annotated("other.example/" + key.replace("/", "-"), "unconfined")) == []
