"""A volume has one source, its files have relative paths and modes that exist, and `spec.volumes` names a claim each.

A file mode is written in octal and read as a number: `644` is the mode 01204. Two files of one path, or two entries of
`spec.volumes` with one claim, leave one of them out without a word. Volcano puts `spec.volumes` into containers, never
into init containers.
"""
from __future__ import annotations

from hetc import paths
from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import jobs, mappings, number, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node

#: The sources that hold files with items and modes.
FILES = ("configMap", "secret", "downwardAPI")
#: The sources that are files, and the fields with their paths; an empty one of a certificate is none.
SINGLE = {"serviceAccountToken": ("path",), "clusterTrustBundle": ("path",),
          "podCertificate": ("credentialBundlePath", "keyPath", "certificateChainPath")}
#: The sources of which more can be wrong than their number.
_FILED = frozenset(("projected", *FILES, *SINGLE))
LARGEST_MODE = 0o777
#: Decimal numbers that are legal modes, but such as nobody means; as octal digits they are common ones.
MISREAD = (400, 440, 444, 500)

#: As many paths one message names.
SHOWN = 10


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        yield from _job_volumes(job)
        for task in job.tasks:
            for volume in task.volumes:
                yield from _volume(volume, manifest.emitted)
            yield from _init_containers(job, task)


def _job_volumes(job: JobView) -> Iterator[Finding]:
    """The rules of Volcano's webhook, and the claim that would be mounted once only."""
    seen: dict[str, Node] = {}
    for volume in job.volumes:
        name, claim = volume.get("volumeClaimName"), volume.get("volumeClaim")
        given = [each for each in (name, claim) if each is not None and not is_null(each) and text(each) != ""]
        if not given:
            yield Finding("the job's volume has no claim", volume.origin.span, "add `volumeClaimName`, or `volumeClaim` for a new one")
        if len(given) == 2:
            yield Finding("the job's volume has both `volumeClaimName` and `volumeClaim`", volume.key_span("volumeClaim"),
                          "keep `volumeClaimName` for a claim that exists, `volumeClaim` for a new one",
                          (Label(volume.key_span("volumeClaimName"), "the other one"),))
        if name is not None and text(name):
            first = seen.get(text(name) or "")
            seen.setdefault(text(name) or "", name)
            if first is not None:
                yield Finding(f"claim `{text(name)}` stands in two of the job's volumes, and only the first is mounted", name.origin.span,
                              "mount it once, or mount it in the tasks with `volumes` and `volumeMounts`",
                              (Label(first.origin.span, "the other one"),))


def _init_containers(job: JobView, task: TaskView) -> Iterator[Finding]:
    volumes = {path: volume for volume in job.volumes if (path := text(volume.get("mountPath")))}
    for container in task.containers() if volumes else ():
        own = {text(mount.get("mountPath")) for mount in container.mounts}
        missing = [path for path in volumes if path not in own][:SHOWN]
        if container.list == "initContainers" and missing and task.pod is not None:
            yield Finding(
                f"init container `{container.name}` does not see the job's volumes, here {', '.join(f'`{path}`' for path in missing)}",
                task.pod.key_span(container.list), "mount the claim in the init container, with `volumes` and `volumeMounts`",
                tuple(Label(volumes[path].origin.span, "the job's volume") for path in missing), WARNING,
            )


def _volume(volume: Mapping, emitted: bool) -> Iterator[Finding]:
    sources = [entry for key, entry in volume.entries.items() if key != "name" and not is_null(entry.value)]
    if len(sources) == 1 and _FILED.isdisjoint(volume.entries):
        return
    place = volume.get("name") or volume
    shown = f"volume `{text(volume.get('name')) or ''}`"
    if not sources:
        yield Finding(f"{shown} has no source, and becomes an empty directory", place.origin.span, "write `emptyDir: {}` if that is meant",
                      level=WARNING)
    if len(sources) > 1:
        yield Finding(f"{shown} has {len(sources)} sources: {', '.join(f'`{entry.key.text}`' for entry in sources)}",
                      sources[1].key.origin.span, "keep one of them", (Label(sources[0].key.origin.span, "the first one"),))
    yield from _mode(find(volume, "projected", "defaultMode"), "defaultMode", emitted)
    projected = mappings(find(volume, "projected", "sources"))
    yield from _paths([path for source in projected for path in _files(source)], ERROR, emitted)
    yield from _paths(_files(volume), WARNING, emitted)
    for holder in (volume, *projected):
        for kind in FILES:
            yield from _mode(find(holder, kind, "defaultMode"), "defaultMode", emitted)
            for item in mappings(find(holder, kind, "items")):
                yield from _mode(item.get("mode"), "mode", emitted)


def _files(source: Mapping) -> list[Node | None]:
    """Where the paths of the files of one source stand."""
    items = [item.get("path") for kind in FILES for item in mappings(find(source, kind, "items"))]
    single = [(kind, find(source, kind, key)) for kind, keys in SINGLE.items() for key in keys]
    return items + [path for kind, path in single if kind != "podCertificate" or text(path)]


def _paths(nodes: list[Node | None], level: str, emitted: bool) -> Iterator[Finding]:
    """The paths of the files of one volume; `level`: what two of one path are."""
    files: dict[str, Scalar] = {}
    folders: dict[str, Scalar] = {}
    for node in nodes:
        path = text(node)
        if not isinstance(node, Scalar) or path is None:
            continue
        wrong = _no_path(path)
        if wrong is not None:
            yield Finding(f"no legal path of a file in a volume: {wrong}", node.origin.span, "write a path below the volume's root")
            continue
        clean = paths.normalise(path)
        above = list(_folders(clean))
        first = files.get(clean)
        same = f"`{shorten(path)}`" if first is None or first.value == path else f"`{shorten(path)}`, once as `{shorten(str(first.value))}`"
        if first is not None:
            yield Finding(f"two files of the volume have the path {same}", node.origin.span, "give each file a path of its own",
                          (Label(first.origin.span, "the other one"),), ERROR if emitted else level)
        else:
            other = folders.get(clean) or next((files[each] for each in above if each in files), None)
            if other is not None:
                yield Finding(f"one of `{shorten(path)}` and `{shorten(str(other.value))}` is a file where the other needs a directory",
                              node.origin.span, "give each file a path of its own", (Label(other.origin.span, "the other one"),))
        files.setdefault(clean, node)
        for each in above:
            folders.setdefault(each, node)


def _no_path(path: str) -> str | None:
    """Why the kubelet or the API server writes no file of that path, or None."""
    if not path:
        return "the path is empty"
    if paths.leaves(path) is None and path.startswith(".."):
        return f"`{shorten(path)}` starts with `..`"
    if paths.normalise(path) == ".":
        return f"`{path}` is the volume itself"
    long = paths.too_long(path)
    return paths.leaves(path) or (long and f"`{shorten(path)}` has {long}")


def _folders(path: str) -> Iterator[str]:
    """The directories above a file, the nearest first."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _mode(node: Node | None, word: str, emitted: bool) -> Iterator[Finding]:
    mode = number(node)
    if mode is None or not isinstance(node, Scalar):
        return
    word, written = ("mode", f"{mode:#o}") if emitted else (word, node.text)
    octal = node.text if node.plain and node.text.isascii() and node.text.isdigit() and len(node.text) == 3 else ""
    meant = int(octal, 8) if octal and octal.isdigit() and not set(octal) & set("89") else None
    if not 0 <= mode <= LARGEST_MODE:
        yield Finding(f"{word} `{written}` is no file mode, which lies between 0 and 0777", node.origin.span,
                      f"write `0{octal}`, or {meant} in JSON" if meant is not None else "write an octal number, such as `0644`")
    elif mode in MISREAD and meant is not None:
        yield Finding(f"{word} `{written}` is a decimal number, the mode 0{mode:o}", node.origin.span,
                      f"write `0{octal}`, or {meant} in JSON", level=WARNING)


RULE = ManifestRule(Code("HET304", "volume-source", ERROR, "a volume without exactly one sound source"), check)
