"""A CronJob's name has at most 52 characters: its jobs have 11 more, and those are a pod label of at most 63."""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import documents_of, text
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for document in documents_of(manifest.documents, "CronJob"):
        node = find(document, "metadata", "name")
        name = text(node) or ""
        excess = len(name) - names.CRON_LENGTH
        if node is not None and excess > 0:
            yield Finding(f"CronJob `{names.shorten(name)}` has {len(name)} characters, {excess} more than the {names.CRON_LENGTH} allowed",
                          node.origin.span, f"cut {excess} from the name: that of its jobs is longer by up to 11")


RULE = ManifestRule(Code("HET523", "cron-name", ERROR, "a CronJob's name beyond 52 characters"), check)
