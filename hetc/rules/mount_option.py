"""How a volume is mounted: propagation, read-only mounts below it, or as a device.

Source: Kubernetes' core validation of volumeMounts and volumeDevices, which Volcano's webhook calls for the pod template.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import mappings, present, tasks, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Mapping

#: The sources of volumes that can be devices.
BLOCK = ("persistentVolumeClaim", "ephemeral")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        for container in task.containers():
            for mount in container.mounts:
                yield from _mount(mount, container)
            yield from _devices(container, task)


def _mount(mount: Mapping, container: Container) -> Iterator[Finding]:
    node, recursive = mount.get("mountPropagation"), mount.get("recursiveReadOnly")
    if node is not None and text(node) == "Bidirectional" and not _is_true(find(container.node, "securityContext", "privileged")):
        yield Finding("mount propagation `Bidirectional` is for privileged containers only", node.origin.span, "leave it out")
    if recursive is not None and text(recursive) in ("Enabled", "IfPossible"):
        if not _is_true(mount.get("readOnly")):
            yield Finding(f"`recursiveReadOnly` is `{text(recursive)}`, and the mount is not read-only", recursive.origin.span,
                          "add `readOnly: true`")
        if node is not None and text(node) not in (None, "", "None"):
            yield Finding(f"`recursiveReadOnly` is `{text(recursive)}`, and mounts are propagated", recursive.origin.span,
                          "leave `mountPropagation` out", (Label(node.origin.span, "the propagation"),))


def _is_true(node: object) -> bool:
    return isinstance(node, Scalar) and node.value is True


def _devices(container: Container, task: TaskView) -> Iterator[Finding]:
    """Block devices: of claims only, each volume and each path once, and not mounted as well."""
    kinds = {text(volume.get("name")): volume for volume in task.volumes}
    names = {name: mount for mount in container.mounts if (name := text(mount.get("name")))}
    paths = {path: mount for mount in container.mounts if (path := text(mount.get("mountPath")))}
    for device in mappings(container.node.get("volumeDevices")):
        name, path = text(device.get("name")), text(device.get("devicePath"))
        shown, place = f"volume `{shorten(name or '')}`", device.get("name") or device
        volume = kinds.get(name)
        if volume is not None and not present(volume, *BLOCK):
            yield Finding(f"{shown} is no claim, and cannot be a device", place.origin.span, "mount it, or write a claim for it")
        other = names.get(name or "", paths.get(path or ""))
        if other is not None:
            yield Finding(f"{shown} is a device at `{shorten(path or '')}`, and the same volume or path is mounted too",
                          place.origin.span, "keep one of the two", (Label(other.origin.span, "the mount"),))
        where = device.get("devicePath")
        if where is not None and path is not None and ".." in path.split("/"):
            yield Finding(f"device path `{shorten(path)}` has a `..` part", where.origin.span, "write the path from `/` on")
        if name:
            names.setdefault(name, device)


RULE = ManifestRule(Code("HET308", "mount-option", ERROR, "a way to mount a volume that Kubernetes refuses"), check)
