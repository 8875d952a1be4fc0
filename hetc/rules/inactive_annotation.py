"""Annotations that do nothing unless the scheduler runs a plugin that Volcano's chart leaves out.

By default it runs priority, gang, conformance, overcommit, drf, predicates, proportion, nodeorder and binpack. Where a site has more
of them, `[volcano] plugins` of its site file names them.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import jobs, text
from hetc.rule import ManifestRule
from hetc.rules.bad_annotation import KEYS, pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


_HELP = "ask whether the cluster's scheduler runs it; `[volcano] plugins` of the site file says so"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        seen = set()
        for pair in pairs(job):
            needs = KEYS[pair.name].needs if pair.name in KEYS else ""
            if needs and needs not in site.plugins and pair.name not in seen:
                seen.add(pair.name)
                yield Finding(f"{pair.what} `{pair.name}` does nothing without the scheduler's plugin `{needs}`, which is off by default",
                              pair.key.origin.span, _HELP)
        for task in job.tasks:
            node = task.node.get("topologyPolicy")
            if node is not None and text(node) not in ("", "none", None) and "numa-aware" not in site.plugins and "numa" not in seen:
                seen.add("numa")
                yield Finding("`topologyPolicy` does nothing without the scheduler's plugin `numa-aware`, which is off by default",
                              node.origin.span, _HELP)


RULE = ManifestRule(Code("HET705", "inactive-annotation", WARNING, "an annotation for a plugin that is off by default"), check)
