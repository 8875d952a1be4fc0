"""A pod's volumes have DNS labels as names, each once, and every mount names one of them, as does a variable from a file.

svc and ssh add volumes `<job>-svc` and `<job>-ssh` when the pod is made, after admission has looked; a volume that has
such a name already keeps every pod from coming.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import jobs, mappings, text
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node

#: As many volumes a help line lists.
SHOWN = 10
#: Among more volumes than these no near name is looked for: that takes time for each wrong mount.
MANY = 30


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        of_plugins = {names.svc_volume(job.name): "svc", names.ssh_volume(job.name): "ssh"}
        taken = {name: plugin for name, plugin in of_plugins.items() if plugin in job.plugins}
        for task in job.tasks:
            yield from _volumes(task, taken, manifest.emitted)
            yield from _references(task.containers(), {name: volume for volume in task.volumes if (name := text(volume.get("name")))})


def _references(containers: list[Container], known: dict[str, Mapping]) -> Iterator[Finding]:
    """What names volumes: mounts, and variables that are read from files."""
    mounts: list[Node | None] = []
    files: list[Node | None] = []
    for container in containers:
        mounts += [mount.get("name") for mount in (*container.mounts, *mappings(container.node.get("volumeDevices")))]
        files += [find(each, "valueFrom", "fileKeyRef", "volumeName") for each in container.env if "valueFrom" in each.entries]
    wrong = [(node, name) for node in (*mounts, *files) if node is not None and (name := text(node)) is not None and name not in known]
    volumes = sorted(known) if wrong else []
    for node, name in wrong:
        yield Finding(f"no volume of the pod is called `{names.shorten(name)}`", node.origin.span, _help(name, volumes))
    for file in files:
        volume = known.get(text(file) or "")
        if file is not None and volume is not None and not isinstance(volume.get("emptyDir"), Mapping):
            yield Finding(f"a variable cannot be read from volume `{names.shorten(text(file) or '')}`, which is no `emptyDir`",
                          file.origin.span, "write the file to an `emptyDir` in an init container",
                          (Label(volume.origin.span, "the volume"),))


def _volumes(task: TaskView, taken: dict[str, str], emitted: bool) -> Iterator[Finding]:
    """The names of volumes; `taken`: those of volumes that plugins add, and which plugin does."""
    seen: dict[str, Node] = {}
    for volume in task.volumes:
        node = volume.get("name")
        name = text(node)
        if node is None or name is None:
            continue
        wrong = names.dns1123_label(name)
        if wrong is not None:
            better = names.suggest(name)
            yield Finding(f"no legal volume name: {wrong}", node.origin.span, f"write `{better}`" if better else None)
        if name in taken:
            yield Finding(f"volume `{name}` has the name of the volume that plugin `{taken[name]}` adds to every pod", node.origin.span,
                          "give the volume another name")
        first = seen.get(name)
        seen.setdefault(name, node)
        if first is not None:
            help = "give the mount another name: shm_size makes this one" if emitted and name == "shm" else "give the volume another name"
            yield Finding(f"duplicate volume name `{names.shorten(name)}`", node.origin.span, help,
                          (Label(first.origin.span, "first used here"),))


def _help(name: str, volumes: list[str]) -> str:
    near = names.nearest(name, volumes) if len(volumes) <= MANY else None
    if near is not None:
        return f"did you mean `{near}`?"
    return f"the volumes are {', '.join(f'`{each}`' for each in volumes[:SHOWN])}" if volumes else "add it to the pod's `volumes`"


RULE = ManifestRule(Code("HET109", "volume-name", ERROR, "a volume name that is illegal, used twice or unknown"), check)
