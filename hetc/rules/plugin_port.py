"""Ports that job plugins open in containers, and that meet others there.

mpi and pytorch open theirs in every container, ray three in its head container, unless the number is declared already. The port
has a fixed name, and two ports of a container may not share one; in the host's network two containers may not share a number.
Nothing of it is seen at admission: the pods are never created.
Source: Volcano's job plugins, OnPodCreate; Kubernetes' validation of pods.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import jobs, mappings, number, text
from hetc.plugins import in_keys
from hetc.record import Record, replace
from hetc.rule import ManifestRule
from hetc.rules.plugin_arguments import integer, settings
from hetc.rules.task_roles import roles
from hetc.tree import Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hetc.manifest import Container, JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.source import Span

#: Plugin -> flag, name and default of each port.
PORTS = {"mpi": (("port", "mpijob-port", 22),), "pytorch": (("port", "pytorchjob-port", 23456),),
         "ray": (("port", "gcs", 6379), ("dashboardPort", "dashboard", 8265), ("clientPort", "client-server", 10001))}


class Port(Record):
    """A port that a plugin opens."""

    plugin: str
    name: str
    number: int
    span: Span | None


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for plugin in (each for each in PORTS if each in job.plugins):
            given, opens = settings(plugin, job.plugin(plugin)), _opener(job, plugin)
            for flag, name, default in PORTS[plugin]:
                port = Port(plugin, name, integer(given[flag][0]) if flag in given else default, job.plugin_span(plugin))
                for task in job.tasks:
                    yield from _task(task, port, [each for each in task.containers() if opens(task, each) and not _has(each, port.number)])
            yield from map(_in_keys, _same(plugin, given)) if manifest.emitted else _same(plugin, given)


def _in_keys(finding: Finding) -> Finding:
    """The same in the words of the overlay."""
    return replace(finding, message=in_keys(finding.message))


def _same(plugin: str, given: dict[str, tuple[str, Span]]) -> Iterator[Finding]:
    """Ports of one plugin with one number, which its Service may have once."""
    seen: dict[int, str] = {}
    for flag, _, default in PORTS[plugin]:
        port = integer(given[flag][0]) if flag in given else default
        first = seen.setdefault(port, flag)
        if first != flag:
            _, place = given.get(flag) or given[first]
            yield Finding(f"plugin `{plugin}` opens port {port} as both `--{first}` and `--{flag}`", place, "give each a port of its own")


def _opener(job: JobView, plugin: str) -> Callable[[TaskView, Container], bool]:
    """Whether the plugin opens its ports in a container of a task."""
    own = roles(job, plugin, ("head", "headContainer") if plugin == "ray" else ("master", "worker"))
    tasks = {each.name for each in job.tasks}
    if plugin == "ray":
        wanted = own["head"].task, own["headContainer"].task
        return lambda task, container: container.list == "containers" and (task.name, container.name) == wanted
    if plugin == "pytorch":
        return lambda task, container: container.list == "containers" and own["master"].task in tasks
    return lambda task, container: task.name != own["master"].task or own["worker"].task in tasks


def _has(container: Container, wanted: int, protocol: str = "") -> bool:
    """Whether a container declares a number, of one protocol or of any."""
    ports = [each for each in mappings(container.node.get("ports")) if number(each.get("containerPort")) == wanted]
    return any(not protocol or (text(each.get("protocol")) or "TCP") == protocol for each in ports)


def _task(task: TaskView, port: Port, opened: list[Container]) -> Iterator[Finding]:
    related = () if port.span is None else (Label(port.span, "the plugin"),)
    for container in opened:
        for each in mappings(container.node.get("ports")):
            node = each.get("name")
            if node is not None and text(node) == port.name:
                yield Finding(f"port name `{port.name}` is the one that plugin `{port.plugin}` gives to port {port.number}, "
                              "which it opens in this container", node.origin.span,
                              f"rename the port, or write `containerPort: {port.number}`", related)
    network = find(task.pod, "hostNetwork")
    added = [each for each in opened if each.list == "containers"]
    count = len(added) + sum(_has(each, port.number, "TCP") for each in task.containers() if each.list == "containers")
    if isinstance(network, Scalar) and network.value is True and added and count > 1:
        yield Finding(f"port {port.number}, which plugin `{port.plugin}` opens, is taken in {count} containers, and the host's network "
                      "has it once", network.origin.span, "leave `hostNetwork` out, or keep one container in the pod", related)


RULE = ManifestRule(Code("HET615", "plugin-port", ERROR, "a port that a job plugin opens beside the same one"), check)
