"""No Windows container is a process of its node.

Source: Pod Security Standards, baseline: HostProcess.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.rule import ManifestRule
from hetc.security import below, not_boolean, on, settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for setting in below(settings(manifest, "windowsOptions"), "hostProcess"):
        if on(setting.value):
            yield Finding(f"{setting.who} sets {setting.shown}, which makes a process of the node of it{not_boolean(setting.value)}",
                          setting.span, "leave it out", setting.related)


RULE = ManifestRule(Code("HET414", "windows-host-process", ERROR, "a Windows container that is a process of its node"), check)
