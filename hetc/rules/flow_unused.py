"""Fields of a JobFlow that are in its API and that Volcano's controller does not read: `probe` and `patch`."""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import documents_of, mappings, present
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for document in documents_of(manifest.documents, "JobFlow"):
        for flow in mappings(find(document, "spec", "flows")):
            depends = flow.get("dependsOn")
            if isinstance(depends, Mapping) and present(depends, "probe"):
                yield Finding("`probe` has no effect: Volcano waits until the jobs of all targets have completed",
                              depends.key_span("probe"), "leave it out")
            if present(flow, "patch"):
                yield Finding("`patch` has no effect: Volcano makes the job as its JobTemplate says", flow.key_span("patch"),
                              "make a JobTemplate of its own")


RULE = ManifestRule(Code("HET530", "flow-unused", WARNING, "a field of a JobFlow that Volcano does not read"), check)
