"""Counts and seconds have a least value in Volcano's schemas, and all are 32-bit integers."""
from __future__ import annotations

from hetc.api import VOLCANO, api
from hetc.diagnostic import ERROR, WARNING, Code, Finding
from hetc.manifest import documents_of, jobs, mappings, number
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Node

LARGEST = 2**31 - 1

#: Field -> its least value.
JOB = {"maxRetry": 0, "minAvailable": 0, "minSuccess": 1, "ttlSecondsAfterFinished": 0}
TASK = {"maxRetry": 0, "minAvailable": 0, "replicas": 0}
PARTITIONS = {"minPartitions": 0}
TOPOLOGY = {"highestTierAllowed": 0}
SUBGROUP = {"minSubGroups": 0, "subGroupSize": 1}
QUEUE = {"priority": 0, "weight": 0}
#: The same of the `spec` of other kinds.
OTHERS = {
    "CronJob": {"failedJobsHistoryLimit": 0, "startingDeadlineSeconds": 0, "successfulJobsHistoryLimit": 0},
    "PodGroup": {"minMember": 0}, "Queue": QUEUE, "HyperNode": {"tier": 0},
}
MOST = {"weight": 65535, **dict.fromkeys(("highestTierAllowed", "startingDeadlineSeconds", "tier"), 2**63 - 1)}


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for node, fields in _counts(manifest):
        if not isinstance(node, Mapping):
            continue
        for name, least in fields.items():
            value = node.get(name)
            if value is None:
                continue
            count = number(value)
            if isinstance(value, Scalar) and count is not None and not least <= count <= MOST.get(name, LARGEST):
                bound, way = (f"least `{least}`", "less") if count < least else (f"most `{MOST.get(name, LARGEST)}`", "more")
                yield Finding(f"`{name}` is {shorten(value.text)}, {way} than it may be", value.origin.span, f"write at {bound}")
            elif fields is QUEUE and name == "weight" and count == 0:
                yield Finding("a queue of weight 0 is given weight 1", value.origin.span, "write `1`", level=WARNING)


def _counts(manifest: Manifest) -> Iterator[tuple[Node | None, dict[str, int]]]:
    for job in jobs(manifest):
        yield job.spec, JOB
        yield job.spec.get("networkTopology"), TOPOLOGY
        for task in job.tasks:
            yield task.node, TASK
            policy = task.node.get("partitionPolicy")
            if policy is not None:
                yield policy, PARTITIONS
                yield find(policy, "networkTopology"), TOPOLOGY
    for document in manifest.documents:
        group, kind = api(document)
        if group in VOLCANO and kind in OTHERS:
            yield document.get("spec"), OTHERS[kind]
    for pods in documents_of(manifest.documents, "PodGroup"):
        yield find(pods, "spec", "networkTopology"), TOPOLOGY
        for policy in mappings(find(pods, "spec", "subGroupPolicy")):
            yield policy, SUBGROUP
            yield policy.get("networkTopology"), TOPOLOGY


RULE = ManifestRule(Code("HET519", "count-range", ERROR, "a count below or above what Volcano's schemas allow"), check)
