"""Annotations that do nothing unless the scheduler runs a plugin that Volcano's chart leaves out.

By default it runs priority, gang, conformance, overcommit, drf, predicates, proportion, nodeorder and binpack. Where a site has more
of them, its site file turns this rule off.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import jobs
from hetc.rule import ManifestRule
from hetc.rules.bad_annotation import KEYS, pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        seen = set()
        for pair in pairs(job):
            needs = KEYS[pair.name].needs if pair.name in KEYS else ""
            if needs and pair.name not in seen:
                seen.add(pair.name)
                yield Finding(f"{pair.what} `{pair.name}` does nothing without the scheduler's plugin `{needs}`, which is off by default",
                              pair.key.origin.span, "ask whether the cluster's scheduler runs it")


RULE = ManifestRule(Code("HET705", "inactive-annotation", WARNING, "an annotation for a plugin that is off by default"), check)
