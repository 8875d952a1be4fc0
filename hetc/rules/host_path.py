"""No volume of a pod is a directory of its node, whether or not a container mounts it, and no PersistentVolume is one.

Source: Pod Security Standards, baseline: host path volumes.
"""
from __future__ import annotations

from hetc.api import api
from hetc.codes import HOST_PATH
from hetc.diagnostic import Finding
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.security import Place, Setting, document_name, entries, pods, reach, volume_of
from hetc.tree import Mapping, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Node


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for pod in pods(manifest):
        for volume in reach(pod.node, "volumes"):
            yield from _volume(volume, volume_of(volume, pod))
    for document in (each for each in manifest.documents if api(each) == ("", "PersistentVolume")):
        for spec in reach(document, "spec"):
            yield from _volume(spec, Place(f"PersistentVolume `{document_name(document)}`", document))


def _volume(volume: Node, place: Place) -> Iterator[Finding]:
    for name, entry in entries(volume, "hostPath"):
        setting = Setting(name, entry, place)
        yield Finding(f"{place.who} is {_path(entry.value)} of the node: {setting.shown}", setting.span,
                      "mount a PersistentVolumeClaim, or an `emptyDir` for scratch space", setting.related)


def _path(source: Node) -> str:
    path = next((each for each in reach(source, "path") if isinstance(each, Scalar)), source)
    return f"`{shorten(path.text)}`" if isinstance(path, Scalar) else "a directory" if isinstance(path, Mapping) else "a path"


RULE = ManifestRule(HOST_PATH, check)
