"""A variable that a job plugin sets: the plugin's comes later in the container and wins.

Source: Volcano's job plugins, OnPodCreate. env and svc also set theirs in init containers.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import jobs
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.rules.plugin_arguments import settings
from hetc.rules.task_roles import sets_ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest
    from hetc.site import Site

#: Plugin -> the variables of every container but init containers. MPI_HOST is the master's alone, RANK the master's and the workers'.
_FIXED = {"mpi": ("MPI_HOST",), "pytorch": ("MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE"), "tensorflow": ("TF_CONFIG",)}
_FALSE = frozenset("0 f F FALSE false False".split())


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    level = ERROR if manifest.emitted else WARNING
    for job in jobs(manifest):
        everywhere, main = _names(job) if job.variables else ({}, {})
        for name in (each for each in job.variables if each in everywhere or each in main):
            for task, container, variable in job.variables[name]:
                plugin = everywhere.get(name) or (main.get(name) if container.list == "containers" else None)
                if plugin is not None and not _is_spared(job, plugin, task.name, name):
                    place, span = job.plugin_span(plugin), variable.entries["name"].value.origin.span
                    yield Finding(f"variable `{shorten(name)}` is set by the plugin `{plugin}`, whose value wins", span,
                                  "choose another name, or leave it to the plugin",
                                  () if place is None else (Label(place, "the plugin"),), level)


def _names(job: JobView) -> tuple[dict[str, str], dict[str, str]]:
    """Variable -> plugin: those of all containers, and those of containers that are no init containers."""
    everywhere: dict[str, str] = {}
    if "env" in job.plugins:
        everywhere.update({"VC_TASK_INDEX": "env", "VK_TASK_INDEX": "env"})
    of_svc = any(name.startswith("VC_") for name in job.variables)
    if of_svc and "svc" in job.plugins and job.argument("svc", "inject-hosts-env") not in _FALSE:
        for task in job.tasks:
            upper = task.name.upper().replace("-", "_")
            everywhere.update({f"VC_{upper}_HOSTS": "svc", f"VC_{upper}_NUM": "svc"})
    active = [plugin for plugin in _FIXED if plugin in job.plugins and (plugin != "pytorch" or sets_ranks(job))]
    main = {name: plugin for plugin in active for name in _FIXED[plugin]}
    return everywhere, {**main, **dict.fromkeys(_of_status(job), "status-mounter")} if "status-mounter" in job.plugins else main


def _of_status(job: JobView) -> list[str]:
    """The variables that status-mounter makes of fields of the job's status."""
    given = {flag: value for flag, (value, _) in settings("status-mounter", job.plugin("status-mounter")).items()}
    if given.get("addEnv") in _FALSE:
        return []
    return [given.get("prefix", "Job_") + word for word in given.get("values", "retryCount").split(",")]


def _is_spared(job: JobView, plugin: str, task: str, name: str) -> bool:
    """Whether a plugin leaves this task's containers without the variable."""
    master, worker = (job.argument(plugin, role) or role for role in ("master", "worker"))
    if name == "MPI_HOST":
        return task != master
    return name == "RANK" and task not in (master, worker)


RULE = ManifestRule(Code("HET605", "plugin-variable", ERROR, "a variable that a plugin of the job sets"), check)
