"""Containers keep one of the SELinux types that are made for containers, and the user and role of their node.

Source: Pod Security Standards, baseline: SELinux. `level` is free.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.rule import ManifestRule
from hetc.security import below, settings
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

TYPES = ("container_t", "container_init_t", "container_kvm_t", "container_engine_t")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for setting in below(settings(manifest, "seLinuxOptions"), "type", "user", "role"):
        if not isinstance(setting.value, Scalar) or not setting.value.text:
            continue
        if setting.name == "type":
            if setting.value.text in TYPES:
                continue
            why, help = "which is no type for containers", f"leave it out; {', '.join(f'`{each}`' for each in TYPES)} are allowed"
        else:
            why, help = "which is the node's to say", "leave it out"
        yield Finding(f"{setting.who} sets {setting.shown}, {why}", setting.span, help, setting.related)


RULE = ManifestRule(Code("HET411", "selinux-options", ERROR, "SELinux options that loosen a container's confinement"), check)
