"""A network topology bounds the tier by number or by name. Volcano's webhooks refuse both, in jobs, tasks and PodGroups."""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import documents_of, jobs, mappings, present, text
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Node

NUMBER, NAME = "highestTierAllowed", "highestTierName"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for topology in _topologies(manifest):
        if isinstance(topology, Mapping) and len(present(topology, NUMBER, NAME)) == 2 and text(topology.get(NAME)) != "":
            yield Finding(f"the topology has both `{NUMBER}` and `{NAME}`", topology.key_span(NAME), "keep one of the two",
                          (Label(topology.key_span(NUMBER), "the other one"),))


def _topologies(manifest: Manifest) -> Iterator[Node | None]:
    for job in jobs(manifest):
        yield job.spec.get("networkTopology")
        for task in job.tasks:
            yield find(task.node, "partitionPolicy", "networkTopology")
    for group in documents_of(manifest.documents, "PodGroup"):
        yield find(group, "spec", "networkTopology")
        for policy in mappings(find(group, "spec", "subGroupPolicy")):
            yield policy.get("networkTopology")


RULE = ManifestRule(Code("HET510", "two-tiers", ERROR, "a network topology bounded by number and by name"), check)
