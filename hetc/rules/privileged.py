"""A privileged container has its node's own rights; `allowPrivilegeEscalation: true` lets processes gain more than they start with.

Source: Pod Security Standards, baseline (privileged containers) and restricted (privilege escalation).
"""
from __future__ import annotations

from hetc.codes import PRIVILEGED
from hetc.diagnostic import Finding
from hetc.rule import ManifestRule
from hetc.security import not_boolean, on, settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

BECAUSE = {
    "privileged": "the node's own rights",
    "allowPrivilegeEscalation": "which lets its processes gain rights that they did not start with",
}


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for setting in settings(manifest, *BECAUSE):
        if on(setting.value):
            message = f"{setting.who} sets {setting.shown}, {BECAUSE[setting.name]}{not_boolean(setting.value)}"
            yield Finding(message, setting.span, "leave it out", setting.related)


RULE = ManifestRule(PRIVILEGED, check)
