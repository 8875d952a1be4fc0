"""No two mounts of a container meet: not in one directory, and not one inside the other.

Judged is what the pod will have: the container's own mounts, those that plugins add (svc at /etc/volcano, ssh at its key path,
status-mounter at its mount point), the job's `spec.volumes`, and the service account's token. Kubernetes compares texts only,
and Volcano's webhook does so before the plugins and `spec.volumes` have added theirs. Where paths are one directory only in
most images (/var/run is /run), or if a blank at the end is not meant, it is a warning.
"""
from __future__ import annotations

from hetc import paths
from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.lazy import remembered
from hetc.manifest import jobs, text
from hetc.record import Record
from hetc.rule import ManifestRule
from hetc.tree import Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hetc.diagnostic import Fix
    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.source import Span
    from hetc.tree import Mapping

TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount"
SVC = "/etc/volcano"
SSH = "/root/.ssh"
VOLUMES = "`spec.volumes`"
#: The system knows no longer paths.
LONGEST = 4096


class Mount(Record):
    """A mount path and where it is written (None: nowhere). `owner`: what mounts it where the container itself does not.

    `node` holds the path, where it is written as such.
    """

    path: str
    span: Span | None
    owner: str = ""
    node: Scalar | None = None


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        plugins = _plugins(job)
        for task in job.tasks:
            token = [] if _has_no_token(task) else [TOKEN]
            for container in task.containers():
                common = _paths(job.volumes) if container.list == "containers" else []
                own = _paths(container.mounts)
                if _may_meet([*plugins.values(), *token, *(path for path, _ in (*common, *own))]):
                    added = [Mount(path, job.plugin_span(name), f"plugin `{name}`") for name, path in plugins.items()]
                    added += [Mount(path, None, "the service account's token") for path in token]
                    yield from _meetings([*added, *_written(common, VOLUMES), *_written(own)])


def _paths(mounts: Iterable[Mapping]) -> list[tuple[str, Scalar]]:
    """Paths that can meet another's, and where they are written."""
    nodes = [node for mount in mounts if isinstance(node := mount.get("mountPath"), Scalar)]
    return [(path, node) for node in nodes if (path := text(node)) and _is_judged(path)]


def _is_judged(path: str) -> bool:
    """Whether a path can meet another; relative and endless ones are other rules'."""
    return path.startswith("/") and len(path) <= LONGEST


def _written(paths: list[tuple[str, Scalar]], owner: str = "") -> list[Mount]:
    return [Mount(path, node.origin.span, owner, node) for path, node in paths]


def _may_meet(paths: list[str]) -> bool:
    """Whether two paths have their first directory in common, as nearly none have; then it is worth a closer look."""
    tops = set(map(_top, paths))
    return len(tops) < len(paths) or "" in tops


@remembered
def _top(path: str) -> str:
    """The first directory of a path; empty for the root."""
    return f"{_key(path)}/".split("/")[1]


def _plugins(job: JobView) -> dict[str, str]:
    """The plugins that mount something, and where."""
    added = {}
    if "svc" in job.plugins:
        added["svc"] = SVC
    if "ssh" in job.plugins:
        added["ssh"] = job.argument("ssh", "ssh-key-file-path") or SSH
    added["status-mounter"] = job.argument("status-mounter", "mountPoint") or ""
    return {plugin: path for plugin, path in added.items() if _is_judged(path)}


def _has_no_token(task: TaskView) -> bool:
    switch = find(task.pod, "automountServiceAccountToken")
    return isinstance(switch, Scalar) and switch.value is False


def _meetings(mounts: list[Mount]) -> Iterator[Finding]:
    """Each mount against one of the same directory, else against the nearest one around it."""
    same: dict[str, Mount] = {}
    alike: dict[str, Mount] = {}
    for mount in sorted(mounts, key=lambda mount: (len(_key(mount.path)), mount.path != _key(mount.path))):
        key = _key(mount.path)
        other = same.get(mount.path) or alike.get(key) or next((alike[above] for above in _above(key) if above in alike), None)
        same.setdefault(mount.path, mount)
        alike.setdefault(key, mount)
        finding = _finding(other, mount) if other is not None else None
        if finding is not None:
            yield finding


def _key(path: str) -> str:
    """What any two paths that may be one directory have in common."""
    path = paths.normalise(path.rstrip())
    return path.removeprefix("/var") if path == "/var/run" or path.startswith("/var/run/") else path


def _above(key: str) -> Iterator[str]:
    while key != "/":
        key = key.rpartition("/")[0] or "/"
        yield key


def _finding(one: Mount, two: Mount) -> Finding | None:
    """What two mounts that meet do, said of the one that the user wrote, and of two such the later one."""
    first, last = sorted((one, two), key=_place)
    outer = min(one, two, key=lambda mount: len(_key(mount.path)))
    how = paths.overlap(last.path, first.path) or paths.weak_overlap(last.path, first.path)
    nested = how in (paths.INSIDE, paths.AROUND)
    if last.span is None or how is None or (nested and paths.system_directory(outer.path) == paths.normalise(outer.path)):
        return None  # over a system directory everything is nested: mount-path has said so
    weak = paths.overlap(last.path, first.path) is None
    labels = (Label(first.span, "the other mount"),) if first.span is not None else ()
    help = "move one out of the other: the outer mount may hide the inner one" if nested else "mount it elsewhere"
    return Finding(f"mount path `{last.path}` {_meeting(how, first)}{_unless(first, last) if weak else ''}", last.span, help, labels,
                   WARNING if weak else None, _fix(last))


def _fix(mount: Mount) -> Fix | None:
    """The path written plainly, which says better what it meets."""
    if mount.node is None or paths.normalise(mount.path) == mount.path:
        return None
    from hetc.mend import plainly

    return plainly(mount.node, mount.path)


def _place(mount: Mount) -> tuple[int, str, int]:
    """What others add comes first; then by place."""
    rank = 2 if not mount.owner else 1 if mount.owner == VOLUMES else 0
    return (rank, mount.span.source.name, mount.span.start) if mount.span is not None else (rank, "", 0)


def _meeting(how: str, other: Mount) -> str:
    taken = f", which {other.owner} takes" if other.owner else ""
    if how == paths.SAME:
        return f"is the one that {other.owner} takes" if other.owner else "is used twice"
    words = {paths.EQUAL: "is the same directory as", paths.INSIDE: "lies inside", paths.AROUND: "holds"}
    return f"{words[how]} `{other.path}`{taken}"


def _unless(a: Mount, b: Mount) -> str:
    return ", but for blanks at the end" if paths.overlap(a.path.rstrip(), b.path.rstrip()) else ", where `/var/run` is `/run`"


RULE = ManifestRule(Code("HET301", "mount-overlap", ERROR, "two mounts of a container in one directory"), check)
