"""HET307: what volumes show."""
from __future__ import annotations

import pytest

from hetc.rules.volume_content import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job, related


def volume(source: str) -> list[Found]:
    """The source begins at line 13, column 29."""
    return check_manifest(RULE, job(pod=f"volumes: [{{name: v, {source}}}]\n"))


def messages(source: str) -> list[str]:
    return [each.message for each in volume(source)]


@pytest.mark.parametrize(("source", "column", "what", "field"), [
    ("configMap: {}", 29, "ConfigMap", "name"), ("configMap: {name: }", 29, "ConfigMap", "name"), ("secret: {}", 29, "Secret", "secretName"),
    ("secret: {name: a}", 29, "Secret", "secretName"), ("projected: {sources: [{secret: {}}]}", 52, "Secret", "name"),
    ("projected: {sources: [{configMap: {optional: true}}]}", 52, "ConfigMap", "name"),
])
def test_objects_without_a_name(source: str, column: int, what: str, field: str) -> None:
    assert volume(source) == [Found(13, column, "error", f"the volume's {what} has no name", f"add `{field}: NAME`")]


@pytest.mark.parametrize("source", [
    "configMap: {name: a}", "secret: {secretName: a}", "projected: {sources: [{secret: {name: a}}, {configMap: {name: b}}]}", "configMap: ",
    "projected: {sources: [{secret: {name: a}, configMap: }]}", "projected: x", "downwardAPI: {items: [x]}", "emptyDir: {sizeLimit: 1Gi}",
])
def test_objects_with_a_name(source: str) -> None:
    assert volume(source) == []


def test_an_empty_name_of_a_secret() -> None:
    assert volume("secret: {secretName: ''}") == [Found(13, 38, "error", "the volume's Secret has no name", "write `secretName: NAME`")]


def test_two_sources_in_one() -> None:
    text = "projected: {sources: [{secret: {name: a}, configMap: {name: b}}]}"
    assert volume(text) == [
        Found(13, 52, "error", "one source of the volume is both `configMap` and `secret`", "make two items of `sources` of it")]
    assert related(RULE, job(pod=f"volumes: [{{name: v, {text}}}]\n")) == [(13, 71, "the other one")]


ITEMS = "downwardAPI: {items: [{path: a, ITEM}]}"


@pytest.mark.parametrize(("item", "message"), [
    ("mode: 420", "the file has no source"),
    ("fieldRef: {fieldPath: metadata.name}, resourceFieldRef: {containerName: main, resource: limits.cpu}",
     "the file has both `fieldRef` and `resourceFieldRef`"),
    ("fieldRef: {fieldPath: status.podIP}", "field path `status.podIP` is no field that a file can show"),
    ("fieldRef: {fieldPath: spec.nodeName}", "field path `spec.nodeName` is no field that a file can show"),
    ("resourceFieldRef: {resource: limits.cpu}", "the resource is that of no container"),
    ('fieldRef: {fieldPath: "metadata.labels[\'-\']"}',
     "field path `metadata.labels['-']` has no key of labels in its brackets: `-` starts with `-`, not with a letter or digit"),
])
def test_files_of_the_pod(item: str, message: str) -> None:
    assert messages(ITEMS.replace("ITEM", item)) == [message]
    assert messages(f"projected: {{sources: [{{{ITEMS.replace('ITEM', item)}}}]}}") == [message]


@pytest.mark.parametrize("item", [
    *(f"fieldRef: {{fieldPath: {path}}}" for path in ("metadata.name", "metadata.labels", "metadata.annotations", "metadata.uid")),
    'fieldRef: {fieldPath: "metadata.labels[\'a\']"}', "resourceFieldRef: {containerName: main, resource: limits.cpu}",
])
def test_files_that_are_fine(item: str) -> None:
    assert messages(ITEMS.replace("ITEM", item)) == []


@pytest.mark.parametrize(("token", "message"), [
    ("{}", "the token has no path"),
    ("{path: t, expirationSeconds: 599}", "`expirationSeconds` is 599, and must be at least 600"),
    ("{path: t, expirationSeconds: 4294967297}", "`expirationSeconds` is 4294967297, and must be at most 4294967296"),
])
def test_tokens(token: str, message: str) -> None:
    assert messages(f"projected: {{sources: [{{serviceAccountToken: {token}}}]}}") == [message]
    assert messages("projected: {sources: [{serviceAccountToken: {path: t, expirationSeconds: 600}}]}") == []


def test_a_size_below_zero() -> None:
    assert volume("emptyDir: {sizeLimit: -1Gi}") == [
        Found(13, 51, "error", "`sizeLimit` is `-1Gi`, below zero", "write a size above zero, or leave it out")]


@pytest.mark.parametrize(("source", "message"), [
    ("clusterTrustBundle: {path: a}", "the bundle has no `signerName`"),
    ("clusterTrustBundle: {path: a, name: b, signerName: c.d/e}", "the bundle has both `name` and `signerName`"),
    ("clusterTrustBundle: {path: a, name: b, labelSelector: {}}", "a bundle with a name needs no selector"),
    ("podCertificate: {signerName: c.d/e, keyType: ED25519}", "the certificate is written to no file"),
])
def test_certificates(source: str, message: str) -> None:
    assert messages(f"projected: {{sources: [{{{source}}}]}}") == [message]


@pytest.mark.parametrize("source", [
    "clusterTrustBundle: {path: a, name: b}", "clusterTrustBundle: {path: a, signerName: c.d/e, labelSelector: {}}",
    "podCertificate: {signerName: c.d/e, keyType: ED25519, keyPath: a, certificateChainPath: b}",
])
def test_certificates_that_are_fine(source: str) -> None:
    assert messages(f"projected: {{sources: [{{{source}}}]}}") == []


PROJECTED = "projected: {sources: [{SOURCE}]}"


@pytest.mark.parametrize(("source", "help"), [
    (ITEMS.replace("ITEM", "mode: 420"), "add `fieldRef` or `resourceFieldRef`"),
    (ITEMS.replace("ITEM", "fieldRef: {fieldPath: metadata.name}, resourceFieldRef: {containerName: main}"), "keep one of the two"),
    (ITEMS.replace("ITEM", "resourceFieldRef: {resource: limits.cpu}"), "add `containerName: NAME`"),
    *((PROJECTED.replace("SOURCE", source), help) for source, help in (
        ("serviceAccountToken: {}", "add `path: token`, for example"),
        ("serviceAccountToken: {path: t, expirationSeconds: 599}", "write at least 600"),
        ("serviceAccountToken: {path: t, expirationSeconds: 4294967297}", "write at most 4294967296"),
        ("clusterTrustBundle: {path: a}", "write `name`, or `signerName`"),
        ("clusterTrustBundle: {path: a, name: b, labelSelector: {}}", "leave it out, or write `signerName`"),
        ("podCertificate: {signerName: c.d/e}", "add `credentialBundlePath: FILE`"),
    )),
])
def test_what_to_write(source: str, help: str) -> None:
    assert [each.help for each in volume(source)] == [help]


def test_the_longest_life_of_a_token() -> None:
    assert volume(PROJECTED.replace("SOURCE", "serviceAccountToken: {path: t, expirationSeconds: 4294967296}")) == []


def test_the_place_beside_a_file() -> None:
    item = "resourceFieldRef: {containerName: main}, fieldRef: {fieldPath: metadata.name}"
    assert related(RULE, job(pod=f"volumes: [{{name: v, {ITEMS.replace('ITEM', item)}}}]\n")) == [(13, 102, "the other one")]
