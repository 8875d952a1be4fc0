"""A mount path is absolute, says plainly where it is, and leaves the system's directories alone.

Kubernetes takes almost any text. A relative path means what the container runtime makes of it, `..` hides where the mount
is, `:` parts source from target in a runtime's own notation, a blank at the end is part of the directory's name. A mount
over `/usr` or `/etc` hides what the image has there, and one below `/proc`, `/sys` or `/dev` fails or breaks the container.
The plugin ssh mounts its keys where its argument says, so that is a mount path too.
"""
from __future__ import annotations

from hetc import paths
from hetc.diagnostic import ERROR, WARNING, Code, Finding
from hetc.lazy import remembered
from hetc.manifest import jobs, sequence, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.diagnostic import Fix
    from hetc.manifest import JobView, Manifest
    from hetc.site import Site


#: The plugins that mount something where a flag says.
_PLUGINS = (("ssh", "ssh-key-file-path"), ("status-mounter", "mountPoint"))


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for path, node, whose in _mounts(job):
            wrong = _wrong(path)
            if wrong is not None:
                what, help, level = wrong
                shown = f"mount path `{shorten(path)}`" if path.strip() else "the mount path"
                yield Finding(f"{shown}{whose} {what}", node.origin.span, help, level=level, fix=None if whose else _fix(path, node))


def _fix(path: str, node: Scalar) -> Fix | None:
    """The path without its `..`, where that is all that is wrong with it."""
    if not path.startswith("/") or _wrong(paths.normalise(path)) is not None:
        return None
    from hetc.mend import plainly

    return plainly(node, path)


def _mounts(job: JobView) -> Iterator[tuple[str, Scalar, str]]:
    """Each mount path, where it is written, and whose it is where that is no container's."""
    containers = [container for task in job.tasks for container in task.containers()]
    for mount in (*job.volumes, *(mount for container in containers for mount in container.mounts)):
        node = mount.get("mountPath")
        if isinstance(node, Scalar) and isinstance(node.value, str):
            yield node.value, node, ""
    for plugin, flag in _PLUGINS:
        path = job.argument(plugin, flag)
        if path is not None and path.startswith("/"):  # of others `plugin-arguments` speaks
            holders = [item for item in sequence(job.plugin(plugin)) if isinstance(item, Scalar) and (text(item) or "").endswith(path)]
            if holders:
                yield path, holders[-1], f" of plugin `{plugin}`"


@remembered
def _wrong(path: str) -> tuple[str, str | None, str | None] | None:
    """What is wrong with a path, help and level (None: the rule's); or None."""
    if not path.strip():
        return "is empty", "write an absolute path, such as `/data`", None
    if not path.startswith("/"):
        rewrite = "" if path[0] in "~$. " else f": `{paths.normalise('/' + path)}`"
        return "is relative", f"write an absolute path{rewrite}", None
    if ".." in path.split("/"):
        return "has a `..` part", f"write `{paths.normalise(path)}`", None
    if ":" in path:
        return "has a `:`", "write a path without `:`", None
    long = paths.too_long(path)
    if long is not None:
        return f"has {long}", "write a shorter path", None
    system = paths.system_directory(path)
    if system is not None:
        where = f"is the system directory `{system}`" if paths.normalise(path) == system else f"lies in the system directory `{system}`"
        return where, "mount it at a directory of its own, such as `/data`", None
    if path != path.rstrip():
        return "ends with a blank, which belongs to the directory's name", f"write `{path.rstrip()}`", WARNING
    return None


RULE = ManifestRule(Code("HET302", "mount-path", ERROR, "a mount path that is relative, unclear or the system's"), check)
