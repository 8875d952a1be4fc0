"""A claim that names its PersistentVolume takes that one, whatever it is: also one that somebody made of a node's directory.

It runs, and a cluster's owner may mean it so; whoever reads the job cannot see what it mounts.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding
from hetc.rule import ManifestRule
from hetc.security import Setting, claims, entries
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for place, claim in claims(manifest):
        for name, entry in entries(claim, "volumeName"):
            if isinstance(entry.value, Scalar) and entry.value.text:
                setting = Setting(name, entry, place)
                yield Finding(f"{place.who} is pinned to one PersistentVolume, whatever that is: {setting.shown}", setting.span,
                              "leave it out, and name a `storageClassName`", setting.related)


RULE = ManifestRule(Code("HET415", "pinned-volume", WARNING, "a claim that names its PersistentVolume"), check)
