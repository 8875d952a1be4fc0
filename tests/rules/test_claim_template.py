"""HET306: claims that a job makes."""
from __future__ import annotations

import pytest

from hetc.rules.claim_template import CLAIM, RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job, related

FULL = "accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}"
MODE = ("the claim has no access mode", "add `accessModes: [ReadWriteOnce]`, for example")
STORAGE = ("the claim asks for no storage", "add `resources: {requests: {storage: 10Gi}}`, for example")


def of_job(claim: str) -> list[Found]:
    """`volumeClaim` is at line 13, column 29."""
    return check_manifest(RULE, job(spec=f"volumes: [{{mountPath: /a, volumeClaim: {claim}}}]\n"))


def of_pod(source: str) -> list[Found]:
    """`ephemeral` is at line 13, column 29, `spec` at column 62."""
    return check_manifest(RULE, job(pod=f"volumes: [{{name: v, ephemeral: {source}}}]\n"))


@pytest.mark.parametrize(("claim", "wrong"), [
    ("{}", [MODE, STORAGE]), ("{accessModes: []}", [MODE, STORAGE]), ("{accessModes: [ReadWriteOnce]}", [STORAGE]),
    ("{accessModes: [ReadWriteOnce], resources: {}}", [STORAGE]), ("{accessModes: [ReadWriteOnce], resources: {requests: {cpu: 1}}}", [STORAGE]),
    ("{resources: {requests: {storage: 1Gi}}}", [MODE]), (f"{{{FULL}}}", []), (f"{{{FULL}, storageClassName: ''}}", []),
])
def test_what_a_claim_says(claim: str, wrong: list[tuple[str, str]]) -> None:
    assert of_job(claim) == [Found(13, 29, "error", *each) for each in sorted(wrong)]
    assert of_pod(f"{{volumeClaimTemplate: {{spec: {claim}}}}}") == [Found(13, 63, "error", *each) for each in sorted(wrong)]


@pytest.mark.parametrize("source", ["{}", "{volumeClaimTemplate: {}}", "{volumeClaimTemplate: {spec: }}"])
def test_no_template(source: str) -> None:
    assert of_pod(source) == [
        Found(13, 29, "error", "volume `v` has no template of a claim", "add `volumeClaimTemplate: {spec: …}`")]


def test_one_pod_alone() -> None:
    text = "{accessModes: [ReadWriteOncePod, ReadWriteMany], resources: {requests: {storage: 1Gi}}}"
    assert [each[2:] for each in of_job(text)] == [
        ("error", "access mode `ReadWriteOncePod` stands beside others", "keep it alone, or leave it out")]
    assert of_job(text.replace("OncePod", "Once")) == of_job(text.replace(", ReadWriteMany", "")) == []


@pytest.mark.parametrize("claim", ["", "x", "[]"])
def test_other_types(claim: str) -> None:
    assert of_job(claim) == of_pod(claim) == []


SNAPSHOT = "apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s"


@pytest.mark.parametrize(("source", "wrong"), [
    (f"dataSource: {{{SNAPSHOT}}}", []), (f"dataSourceRef: {{{SNAPSHOT}}}", []), ("dataSource: {kind: PersistentVolumeClaim, name: s}", []),
    (f"dataSource: {{{SNAPSHOT}}}, dataSourceRef: {{{SNAPSHOT}}}", []), ("dataSource: , dataSourceRef: {kind: x}", [
        ("`dataSourceRef` is a `x` of no API group", "add `apiGroup`, or name a `PersistentVolumeClaim`")]),
    ("dataSource: {kind: VolumeSnapshot, name: s}", [
        ("`dataSource` is a `VolumeSnapshot` of no API group", "add `apiGroup: snapshot.storage.k8s.io`")]),
    ("dataSourceRef: {apiGroup: '', kind: Job, name: s}", [
        ("`dataSourceRef` is a `Job` of no API group", "add `apiGroup`, or name a `PersistentVolumeClaim`")]),
    ("dataSourceRef: {apiGroup: X, kind: Job, name: s}", [
        ("`apiGroup` of `dataSourceRef` is no API group: `X` has `X`, and only a-z, 0-9, `-` and `.` are allowed", None)]),
    (f"dataSource: {{{SNAPSHOT}}}, dataSourceRef: {{kind: PersistentVolumeClaim, name: s}}", [
        ("`dataSource` is not what `dataSourceRef` is", "keep `dataSourceRef` alone")]),
    *((f"dataSource: {{{SNAPSHOT}}}, dataSourceRef: {{{SNAPSHOT.replace(old, new)}}}", [
        ("`dataSource` is not what `dataSourceRef` is", "keep `dataSourceRef` alone")])
      for old, new in (("snapshot.storage", "other.storage"), ("VolumeSnapshot", "Other"), ("name: s", "name: t"))),
    (f"dataSource: {{{SNAPSHOT}}}, dataSourceRef: {{{SNAPSHOT}, namespace: other}}", [
        ("`dataSource` is not what `dataSourceRef` is", "keep `dataSourceRef` alone")]),
])
def test_what_a_claim_is_filled_from(source: str, wrong: list[tuple[str, str | None]]) -> None:
    claim = f"{{{FULL}, {source}}}"
    for found in (of_job(claim), of_pod(f"{{volumeClaimTemplate: {{spec: {claim}}}}}")):
        assert [(each.message, each.help) for each in found] == wrong


@pytest.mark.parametrize("amount", ["0", "-1Gi", '"0"'])
def test_no_storage(amount: str) -> None:
    claim = f"{{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: {amount}}}}}}}"
    assert [(each.message, each.help) for each in of_job(claim)] == [
        (f"the claim asks for `{amount.strip(chr(34))}` of storage", "write an amount above zero")]


def test_the_place_beside() -> None:
    claim = f"{{{FULL}, dataSource: {{{SNAPSHOT}}}, dataSourceRef: {{kind: {CLAIM}, name: s}}}}"
    assert [each[:2] for each in of_job(claim)] == [(13, 112)]
    assert related(RULE, job(spec=f"volumes: [{{mountPath: /a, volumeClaim: {claim}}}]\n")) == [(13, 192, "the other one")]


def test_null_is_no_storage() -> None:
    assert of_job("{accessModes: [ReadWriteOnce], resources: {requests: {storage: }}}") == [Found(13, 29, "error", *STORAGE)]
