"""Job plugins know tasks by their names: those of other tasks get no rank, and with a wrong name nobody does.

pytorch counts a master and a worker task and no other; hcclrank ranks the same two; tensorflow lists four roles in TF_CONFIG;
mpi gives its master the hosts of its worker task. None of them says a word about the rest.
Source: Volcano's job plugins, OnPodCreate.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import jobs, text
from hetc.names import nearest, shorten
from hetc.plugins import in_keys
from hetc.record import Record
from hetc.rule import ManifestRule
from hetc.rules.plugin_arguments import settings
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.source import Span

#: The roles of each plugin, by the names of their flags.
ROLES = {"hcclrank": ("master", "worker"), "mpi": ("master", "worker"), "pytorch": ("master", "worker"),
         "tensorflow": ("ps", "worker", "chief", "evaluator")}
_INDEX = "`metadata.labels['volcano.sh/task-index']`"


class Role(Record):
    """What a plugin calls a task, and where it is said; `given`: by a flag."""

    task: str
    span: Span
    given: bool


def roles(job: JobView, plugin: str, names: tuple[str, ...]) -> dict[str, Role]:
    """The tasks of a plugin's roles, as its arguments say, or called like the role; so are the containers of ray's roles."""
    place = job.plugin_span(plugin) or job.spec.origin.span
    given = settings(plugin, job.plugin(plugin))
    return {name: Role(*given[name], True) if name in given else Role(name.removesuffix("Container"), place, False) for name in names}


def sets_ranks(job: JobView) -> bool:
    """Whether the plugin pytorch gives MASTER_ADDR, WORLD_SIZE and ranks to the containers that are no init containers."""
    return "pytorch" in job.plugins and roles(job, "pytorch", ("master",))["master"].task in {task.name for task in job.tasks}


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    level = ERROR if manifest.emitted else WARNING
    for job in jobs(manifest):
        for plugin in (each for each in ROLES if each in job.plugins and job.tasks):
            own = roles(job, plugin, ROLES[plugin])
            for finding in (*_missing(job, plugin, own), *_several(job, plugin, own), *_others(job, plugin, own)):
                help = _in_keys(plugin, finding.help or "") if manifest.emitted else finding.help
                yield Finding(finding.message, finding.span, help, finding.related, level)


def _in_keys(plugin: str, help: str) -> str:
    """What to do in an overlay, where hetc has the flags and ranks of its own."""
    if "by hand" not in help:
        return in_keys(help)
    if plugin == "pytorch":
        return "leave the plugin out: hetc's own `NODE_RANK` and `WORLD_SIZE` count unlike nodes"
    return "make one group of the tasks that need ranks"


def _missing(job: JobView, plugin: str, own: dict[str, Role]) -> Iterator[Finding]:
    """Roles that no task has: by a wrong flag, or those that the plugin does nothing without."""
    tasks = [task.name for task in job.tasks]
    if plugin == "mpi" and own["master"].task not in tasks:
        return  # refused at admission, and the rest follows from it
    for name, role in own.items():
        if role.task in tasks:
            continue
        needed = {("pytorch", "master"): "no pod gets MASTER_ADDR, WORLD_SIZE or RANK", ("mpi", "worker"): "nobody gets MPI_HOST"}
        effect = needed.get((plugin, name))
        if effect or role.given:
            close = nearest(role.task, [task for task in tasks if task not in {each.task for each in own.values()}])
            yield Finding(f"plugin `{plugin}` takes task `{shorten(role.task)}` as its {name}, and the job has none of that name"
                          + (f": {effect}" if effect else ""), role.span,
                          f"write `--{name}={close}`" if close else f"write `--{name}=TASK`, or call a task `{shorten(role.task)}`")


def _several(job: JobView, plugin: str, own: dict[str, Role]) -> Iterator[Finding]:
    effects = {("pytorch", "master"): "each of them gets RANK 0", ("mpi", "master"): "each of them runs `mpirun`",
               ("tensorflow", "chief"): "TensorFlow takes one chief"}
    for task in job.tasks:
        name = next((name for name, role in own.items() if role.task == task.name), "")
        effect, node = effects.get((plugin, name)), task.node.get("replicas")
        if effect and node is not None and task.replicas > 1:
            yield Finding(f"task `{shorten(task.name)}`, the {name} of plugin `{plugin}`, has {task.replicas} replicas: {effect}",
                          node.origin.span, "write `replicas: 1`", (Label(own[name].span, "the plugin"),))


def _others(job: JobView, plugin: str, own: dict[str, Role]) -> Iterator[Finding]:
    """Tasks that have no role."""
    known = {role.task for role in own.values()}
    if plugin == "mpi" or (plugin == "pytorch" and own["master"].task not in {task.name for task in job.tasks}):
        return
    size = sum(task.replicas for task in job.tasks if task.name in known)
    for task in job.tasks:
        if task.name in known or task.replicas <= 0 or _has_own(task, plugin):
            continue
        what = {"pytorch": f"gets no RANK from plugin `pytorch`, whose WORLD_SIZE is {size} without it",
                "hcclrank": "gets no rank from plugin `hcclrank`",
                "tensorflow": "has no role in plugin `tensorflow`, whose TF_CONFIG does not list it"}[plugin]
        by_hand = f"set its rank by hand from {_INDEX}, or merge the tasks"
        help = "name the task in the plugin's flags" if plugin == "tensorflow" else by_hand
        yield Finding(f"task `{shorten(task.name)}` {what}", task.name_span, help, (Label(next(iter(own.values())).span, "the plugin"),))


def _has_own(task: TaskView, plugin: str) -> bool:
    """Whether the task says its rank itself."""
    variable = "TF_CONFIG" if plugin == "tensorflow" else "RANK"
    if plugin == "hcclrank" and find(task.node, "template", "metadata", "annotations", "hccl/rankIndex") is not None:
        return True
    return any(text(each.get("name")) == variable for container in task.containers() for each in container.env)


RULE = ManifestRule(Code("HET613", "task-roles", WARNING, "tasks that a job plugin does not know"), check)
