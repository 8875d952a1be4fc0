"""Fields of Volcano's kinds that take one of a few words, letter by letter."""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import documents_of, jobs, mappings, text
from hetc.names import choice, shorten
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Node

    #: A field's name, where it stands if it is there, and what it may say.
    Choices: TypeAlias = "Iterator[tuple[str, Node | None, tuple[str, ...]]]"

MODES = ("hard", "soft")
NUMA = ("none", "best-effort", "restricted", "single-numa-node")
CONCURRENCY = ("Allow", "Forbid", "Replace")
RETAIN = ("delete", "retain")
DEQUEUE = ("fifo", "traverse")
STATES = ("Open", "Closed")
MEMBERS = ("HyperNode", "Node")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for name, node, values in _choices(manifest):
        word = text(node)
        if node is not None and word is not None and word not in values:
            yield Finding(f"`{shorten(word)}` is no `{name}`", node.origin.span, choice(word, values))


def _choices(manifest: Manifest) -> Choices:
    for job in jobs(manifest):
        yield from _mode(job.spec)
        for task in job.tasks:
            if text(task.node.get("topologyPolicy")) != "":
                yield "topologyPolicy", task.node.get("topologyPolicy"), NUMA
            yield from _mode(task.node.get("partitionPolicy"))
    documents = manifest.documents
    for cron in documents_of(documents, "CronJob"):
        yield "concurrencyPolicy", find(cron, "spec", "concurrencyPolicy"), CONCURRENCY
    for flow in documents_of(documents, "JobFlow"):
        yield "jobRetainPolicy", find(flow, "spec", "jobRetainPolicy"), RETAIN
    for queue in documents_of(documents, "Queue"):
        yield "dequeueStrategy", find(queue, "spec", "dequeueStrategy"), DEQUEUE
        yield "state", find(queue, "status", "state"), STATES
    for group in documents_of(documents, "PodGroup"):
        yield from _mode(group.get("spec"))
        for policy in mappings(find(group, "spec", "subGroupPolicy")):
            yield from _mode(policy)
    for hypernode in documents_of(documents, "HyperNode"):
        for member in mappings(find(hypernode, "spec", "members")):
            yield "type", member.get("type"), MEMBERS


def _mode(holder: Node | None) -> Choices:
    yield "mode", find(holder, "networkTopology", "mode"), MODES


RULE = ManifestRule(Code("HET524", "volcano-choice", ERROR, "a word that a field of Volcano's does not take"), check)
