"""Containers keep the default view of `/proc`, which hides what belongs to the node.

Source: Pod Security Standards, baseline: /proc mount type.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.rule import ManifestRule
from hetc.security import settings
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for setting in settings(manifest, "procMount"):
        if isinstance(setting.value, Scalar) and setting.value.text.lower() not in ("", "default"):
            yield Finding(f"{setting.who} sets {setting.shown}, which shows what `/proc` hides of the node", setting.span, "leave it out",
                          setting.related)


RULE = ManifestRule(Code("HET412", "unmasked-proc", ERROR, "a container that sees all of `/proc`"), check)
