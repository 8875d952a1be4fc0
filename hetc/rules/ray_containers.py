"""The plugin ray starts Ray in one container of two tasks, found by their names, in place of that container's own command.

Without its head task no pod of the job can be created. In a container of another name Ray is not started, and nobody says so.
Source: Volcano's job plugin ray, OnPodCreate.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import jobs, present
from hetc.names import nearest, shorten
from hetc.plugins import in_keys
from hetc.record import replace
from hetc.rule import ManifestRule
from hetc.rules.task_roles import roles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.rules.task_roles import Role
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        if "ray" in job.plugins and job.tasks:
            own = roles(job, "ray", ("head", "headContainer", "worker", "workerContainer"))
            found = [*_tasks(job, own["head"], own["worker"], manifest.emitted)]
            for task in job.tasks:
                for name in ("head", "worker"):
                    if task.name == own[name].task:
                        found.extend(_containers(task, name, own[f"{name}Container"]))
            yield from map(_in_keys, found) if manifest.emitted else found


def _in_keys(finding: Finding) -> Finding:
    """The same about what hetc would emit: always an error, in the words of the overlay."""
    return replace(finding, help=in_keys(finding.help or ""), level=ERROR)


def _tasks(job: JobView, head: Role, worker: Role, emitted: bool) -> Iterator[Finding]:
    names = [task.name for task in job.tasks]
    if head.task not in names:
        close = nearest(head.task, [name for name in names if name != worker.task])
        yield Finding(f"plugin `ray` takes task `{shorten(head.task)}` as its head, and the job has none of that name: no pod is created",
                      head.span, f"write `--head={close}`" if close else f"write `--head=TASK`, or call a task `{shorten(head.task)}`")
    if worker.task not in names and (worker.given or (emitted and len(names) > 1)):
        yield Finding(f"plugin `ray` takes task `{shorten(worker.task)}` as its worker, and the job has none of that name", worker.span,
                      "write `--worker=TASK`", level=WARNING)
    for task in job.tasks:
        node = task.node.get("replicas")
        if task.name == head.task and node is not None and task.replicas > 1:
            yield Finding(f"task `{shorten(task.name)}`, the head of plugin `ray`, has {task.replicas} replicas: each starts a cluster of "
                          "its own", node.origin.span, "write `replicas: 1`", (Label(head.span, "the plugin"),), WARNING)


def _containers(task: TaskView, name: str, wanted: Role) -> Iterator[Finding]:
    containers = [each for each in task.containers() if each.list == "containers"]
    found = [each for each in containers if each.name == wanted.task]
    if containers and not found:
        place = containers[0].node.get("name") or containers[0].node
        yield Finding(f"no container of task `{shorten(task.name)}` is called `{shorten(wanted.task)}`, so plugin `ray` does not start Ray",
                      place.origin.span, f"rename it, or write `--{name}Container={shorten(containers[0].name)}`",
                      (Label(wanted.span, "the plugin"),), WARNING)
    for container in found:
        for key in present(container.node, "command", "args"):
            effect = "is replaced by plugin `ray`" if key == "command" else "does nothing: plugin `ray` puts `sh -c` before it"
            yield Finding(f"`{key}` of container `{shorten(container.name)}` {effect}", container.node.key_span(key),
                          "leave it out, and send work to the cluster with `ray job submit`", (Label(wanted.span, "the plugin"),), WARNING)


RULE = ManifestRule(Code("HET614", "ray-containers", ERROR, "tasks and containers that the plugin ray does not find"), check)
