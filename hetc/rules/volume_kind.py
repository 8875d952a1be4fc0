"""Pods have volumes of the kinds that reach neither into the node nor past the storage that a cluster's owner set up.

A site file may allow further kinds. `hostPath` has a rule of its own. Source: Pod Security Standards, restricted: volume types.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.rule import ManifestRule
from hetc.security import OTHER_VOLUMES, Setting, entries, pods, reach, volume_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

HELP = {
    "gitRepo": "clone in an init container into an `emptyDir`",
    "image": "copy the files in an init container into an `emptyDir`",
}


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    allowed = {each.value for each in site.policy.volumes}
    banned = tuple(kind for kind in OTHER_VOLUMES if kind not in allowed) if allowed else OTHER_VOLUMES
    for pod in pods(manifest):
        for volume in reach(pod.node, "volumes"):
            for kind, entry in entries(volume, *banned):
                setting = Setting(kind, entry, volume_of(volume, pod))
                help = HELP.get(kind, "mount a PersistentVolumeClaim; the platform's owner can make one of such storage")
                yield Finding(f"{setting.who} is of the kind {setting.shown}, which pods may not have", setting.span, help, setting.related)


RULE = ManifestRule(Code("HET408", "volume-kind", ERROR, "a volume of a kind that pods may not have"), check)
