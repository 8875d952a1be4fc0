"""HET582: claims of devices."""
from __future__ import annotations

import pytest

from hetc.rules.device_claim import RULE
from tests.rules.checks import Found, check_het, check_manifest
from tests.rules.helpers import job, related


def found(claims: str, uses: str = "", request: str = "") -> list[Found]:
    """The uses begin at line 13, column 33; the claims follow at line 14, column 26."""
    return check_manifest(RULE, job(container=f"resources: {{claims: [{uses}]}}\n", pod=f"resourceClaims: [{claims}]\n"))


ONE = "{name: gpu, resourceClaimName: one}"


def test_a_claim_that_the_pod_has_not() -> None:
    assert found(ONE, "{name: gpus}") == [Found(13, 39, "error", "the pod has no claim `gpus`", "did you mean `gpu`?")]
    assert found("", "{name: gpu}") == [Found(13, 39, "error", "the pod has no claim `gpu`", "add it to `resourceClaims` of the pod")]
    assert found(ONE, "{name: gpu, request: first}") == []


def test_the_request_of_a_claim() -> None:
    assert [each.message for each in found(ONE, "{name: gpu, request: A b}")] == [
        "no legal request of a claim: `A b` has `A`, and only a-z, 0-9 and `-` are allowed"]


@pytest.mark.parametrize(("claim", "message"), [
    ("{name: gpu}", "the claim of the pod is none"), ("{name: gpu, resourceClaimName: }", "the claim of the pod is none"),
    ("{name: gpu, resourceClaimName: a, resourceClaimTemplateName: b}",
     "the claim of the pod has both `resourceClaimName` and `resourceClaimTemplateName`"),
    ("{name: GPU, resourceClaimName: a}", "no legal claim of the pod: `GPU` has `G`, and only a-z, 0-9 and `-` are allowed"),
    ("{name: gpu, resourceClaimTemplateName: A}", "no legal resource claim: `A` has `A`, and only a-z, 0-9, `-` and `.` are allowed"),
    ("{name: gpu, resourceClaimName: ''}", "no legal resource claim: the name is empty"),
])
def test_claims_of_the_pod(claim: str, message: str) -> None:
    assert [each.message for each in found(claim)] == [message]


@pytest.mark.parametrize("claim", [ONE, "{name: gpu, resourceClaimTemplateName: a.b}", "x", ""])
def test_claims_that_are_fine(claim: str) -> None:
    assert found(claim, "x, {}, {name: 1}") == []


def test_what_to_do_about_a_claim_of_the_pod() -> None:
    assert [each.help for each in found("{name: gpu}")] == ["add `resourceClaimName` or `resourceClaimTemplateName`"]
    both = job(pod="resourceClaims: [{name: gpu, resourceClaimName: a, resourceClaimTemplateName: b}]\n")
    assert [each.help for each in check_manifest(RULE, both)] == ["keep one of the two"]
    assert related(RULE, both) == [(13, 38, "the other one")]


def test_a_claim_without_a_name() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: x\nresource_claims: {'': a}\n"
    assert check_het("HET582", text) == [Found(5, 19, "error", "the claim of the pod has no name", "give it one, such as `gpus`")]
