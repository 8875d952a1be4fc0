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

#: The same for what Volcano's webhooks look at.
ADMITTED = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: demo, annotations: {volcano.sh/cooldown-time: 1h}}
spec:
  minAvailable: 1
  runningEstimate: 1h
  plugins: {mpi: [--master=a]}
  policies: [{event: PodFailed, action: RestartJob, timeout: 1m}, {exitCode: 3, action: AbortJob}, {events: [PodEvicted], action: AbortJob}]
  networkTopology: {mode: hard, highestTierAllowed: 1}
  tasks:
  - name: a
    replicas: 1
    topologyPolicy: restricted
    dependsOn: {name: [b], iteration: any}
    partitionPolicy: {totalPartitions: 1, partitionSize: 1, networkTopology: {highestTierName: rack}}
    template:
      spec:
        hostNetwork: true
        dnsPolicy: None
        dnsConfig: {nameservers: [10.0.0.1]}
        activeDeadlineSeconds: 3
        resources: {requests: {cpu: 3}, limits: {cpu: 4}}
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b]}]}]}
          podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {labelSelector: {}, topologyKey: a}}]}
        topologySpreadConstraints: [{labelSelector: {matchExpressions: [{key: a, operator: Exists}]}}]
        initContainers:
        - {name: prep, image: "a:1", restartPolicy: Always, lifecycle: {preStop: {exec: {command: [a]}}}, resources: {limits: {cpu: 1}}}
        containers:
        - name: main
          image: a:1
          ports: [{name: a, containerPort: 1, hostPort: 1, protocol: TCP, hostIP: 10.0.0.1}, {containerPort: 2}]
          env: [{name: A, value: x}, {name: B, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]
          livenessProbe: {httpGet: {port: 80, scheme: HTTP}, successThreshold: 1}
          resources: {requests: {cpu: 2}}
  - {name: b, replicas: 1}
---
apiVersion: batch.volcano.sh/v1alpha1
kind: CronJob
metadata: {name: nightly}
spec: {schedule: "0 3 * * *", timeZone: UTC, concurrencyPolicy: Forbid, failedJobsHistoryLimit: 1, jobTemplate: {spec: {tasks: [{name: a}]}}}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: a}
spec: {queue: a, networkTopology: {mode: soft}, subGroupPolicy: [{subGroupSize: 1, networkTopology: {highestTierName: a}}]}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: a, annotations: {volcano.sh/hierarchy: root/a, volcano.sh/hierarchy-weights: 1/2}}
spec: {weight: 1, capability: {cpu: 3}, deserved: {cpu: 2}, guarantee: {resource: {cpu: 1}}, dequeueStrategy: fifo}
status: {state: Open}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: b}
spec: {parent: a, capability: {cpu: 3}, deserved: {cpu: 2}}
---
apiVersion: topology.volcano.sh/v1alpha1
kind: HyperNode
metadata: {name: a}
spec: {tier: 1, members: [{type: Node, selector: {regexMatch: {pattern: a+}}}, {type: Node, selector: {exactMatch: {name: a}}}]}
---
apiVersion: flow.volcano.sh/v1alpha1
kind: JobFlow
metadata: {name: a, namespace: ns}
spec: {jobRetainPolicy: retain, flows: [{name: a}, {name: b, dependsOn: {targets: [a]}}]}
---
apiVersion: flow.volcano.sh/v1alpha1
kind: JobTemplate
metadata: {name: a}
spec: {tasks: [{name: a, replicas: 1}]}
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


MANIFEST_RULES = [rule for rule in RULES if isinstance(rule, ManifestRule)]
PAIRS = [*((rule, FULL) for rule in MANIFEST_RULES), *((rule, ADMITTED) for rule in MANIFEST_RULES if rule.code.code.startswith("HET5"))]


@pytest.mark.parametrize(("rule", "text"), PAIRS, ids=lambda each: each.code.name if isinstance(each, ManifestRule) else "")
def test_no_tree_makes_a_rule_raise(rule: ManifestRule, text: str) -> None:
    whole = manifest(text)
    for document in whole.documents:
        for _ in replacements(document):
            for emitted in (False, True):
                for finding in rule.check(Manifest(whole.documents, emitted), NO_SITE):
                    assert finding.message


def test_the_tree_itself_is_sound() -> None:
    ours = ("HET10", "HET30")
    rules = [rule for rule in RULES if isinstance(rule, ManifestRule) and rule.code.code.startswith(ours)]
    assert not [finding for rule in rules for finding in rule.check(manifest(FULL), NO_SITE)]


def test_the_other_tree_is_sound() -> None:
    rules = [rule for rule in RULES if isinstance(rule, ManifestRule) and "HET507" <= rule.code.code <= "HET559"]
    found = [finding for rule in rules for finding in rule.check(manifest(ADMITTED), NO_SITE)]
    assert not [finding.message for finding in found if finding.level is None]
