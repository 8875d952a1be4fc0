"""Labels and annotations that Volcano writes itself, in a manifest by hand: it overwrites them, or is misled by them.

They come along when a job is copied from a cluster.
Source: what Volcano's controllers set on jobs and pods, and what its scheduler keeps in annotations.
"""
from __future__ import annotations

from hetc.api import MANAGED_BY
from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import jobs
from hetc.rule import ManifestRule
from hetc.rules.bad_annotation import pairs
from hetc.rules.owned_metadata import OWNERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest) if not manifest.emitted else ():
        for pair in pairs(job):
            if pair.name in OWNERS and pair.name != MANAGED_BY:
                yield Finding(f"{pair.what} `{pair.name}` is Volcano's own", pair.key.origin.span, "leave it out")


RULE = ManifestRule(Code("HET627", "controller-metadata", WARNING, "a label or annotation that Volcano writes itself"), check)
