"""A network topology bounds the tier by number or by name. Volcano's webhooks refuse both, in jobs, tasks and PodGroups."""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import present, text
from hetc.rule import ManifestRule
from hetc.topology import NAME, NUMBER, topologies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for topology in topologies(manifest):
        if len(present(topology, NUMBER, NAME)) == 2 and text(topology.get(NAME)) != "":
            yield Finding(f"the topology has both `{NUMBER}` and `{NAME}`", topology.key_span(NAME), "keep one of the two",
                          (Label(topology.key_span(NUMBER), "the other one"),))


RULE = ManifestRule(Code("HET510", "two-tiers", ERROR, "a network topology bounded by number and by name"), check)
