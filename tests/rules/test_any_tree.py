"""Rules on names, volumes and mounts take any tree: hand-written manifests have anything anywhere."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from hetc.manifest import Manifest
from hetc.origin import Origin
from hetc.rule import ManifestRule
from hetc.rules import RULES
from hetc.source import Source, Span
from hetc.tree import Entry, Mapping, Scalar, Sequence
from tests.rules.checks import NO_SITE, manifest

if TYPE_CHECKING:
    from hetc.tree import Node

#: Something for each rule to look at, all of it sound.
FULL = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: demo, namespace: ns, labels: {a: b}, annotations: {a: b}}
spec:
  queue: default
  priorityClassName: high
  plugins: {svc: [], ssh: [--ssh-key-file-path=/keys]}
  volumes: [{mountPath: /corpus, volumeClaimName: corpus}]
  tasks:
  - name: worker
    replicas: 2
    template:
      metadata: {labels: {a: b}, annotations: {a: b}}
      spec:
        hostname: h
        automountServiceAccountToken: true
        serviceAccountName: sa
        imagePullSecrets: [{name: reg}]
        nodeSelector: {a: b}
        resources: {limits: {memory: 9Gi}}
        affinity: {nodeAffinity: {x: [{matchExpressions: [{key: a, operator: In, values: [b]}]}]}}
        initContainers:
        - {name: prep, volumeMounts: [{name: shm, mountPath: /dev/shm}, {name: p, mountPath: /corpus}]}
        containers:
        - name: main
          env: [{name: A, value: x}, {name: B, valueFrom: {secretKeyRef: {name: s, key: k}}}]
          envFrom: [{prefix: P_, secretRef: {name: s}}]
          resources: {limits: {memory: 8Gi}}
          volumeMounts:
          - {name: shm, mountPath: /dev/shm}
          - {name: p, mountPath: /p, subPathExpr: $(A)}
        volumes:
        - {name: shm, emptyDir: {medium: Memory, sizeLimit: 1Gi}}
        - {name: p, projected: {defaultMode: 256, sources: [{secret: {name: s, items: [{key: k, path: f, mode: 256}]}}]}}
        - {name: c, configMap: {name: c, defaultMode: 0400, items: [{key: k, path: f}]}}
---
apiVersion: v1
kind: Service
metadata: {name: other}
"""

ORIGIN = Origin(Span(Source("job.yaml", ""), 0, 0))


def strange() -> list[Node]:
    values = (None, True, -1, 10**30, 1.5, float("nan"), "", " ", "/", "..", "\ud800\n")
    leaves: list[Node] = [Scalar(value, ORIGIN, plain=True) for value in values]
    item = Mapping({"": Entry(Scalar("", ORIGIN), Scalar(None, ORIGIN)), "name": Entry(Scalar("name", ORIGIN), Scalar(3, ORIGIN))}, ORIGIN)
    return [*leaves, item, Mapping({}, ORIGIN), Sequence([], ORIGIN), Sequence([*leaves, item], ORIGIN)]


def replacements(node: Node) -> Iterator[None]:
    """Each node below in turn is something else; the tree is as before in the end."""
    if isinstance(node, Mapping):
        for entry in node.entries.values():
            old = entry.value
            for entry.value in strange():
                yield
            entry.value = old
            yield from replacements(old)
    elif isinstance(node, Sequence):
        for index, old in enumerate(node.items):
            for node.items[index] in strange():
                yield
            node.items[index] = old
            yield from replacements(old)


@pytest.mark.parametrize("rule", [rule for rule in RULES if isinstance(rule, ManifestRule)], ids=lambda rule: rule.code.name)
def test_no_tree_makes_a_rule_raise(rule: ManifestRule) -> None:
    whole = manifest(FULL)
    for document in whole.documents:
        for _ in replacements(document):
            for emitted in (False, True):
                for finding in rule.check(Manifest(whole.documents, emitted), NO_SITE):
                    assert finding.message


def test_the_tree_itself_is_sound() -> None:
    ours = ("HET10", "HET30")
    rules = [rule for rule in RULES if isinstance(rule, ManifestRule) and rule.code.code.startswith(ours)]
    assert not [finding for rule in rules for finding in rule.check(manifest(FULL), NO_SITE)]
