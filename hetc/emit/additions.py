"""What Volcano's job plugins add to a job's pods: for `hetc plan`.

Source: Volcano's job plugins, OnPodCreate; for status-mounter, Huawei's documentation.
"""
from __future__ import annotations

from hetc import plugins
from hetc.emit.description import Addition
from hetc.tree import Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job
    from hetc.tree import Mapping


class _Plugin:
    """A plugin of a job: the texts of its settings, and the tasks of its roles."""

    def __init__(self, job: Job, name: str, settings: Mapping) -> None:
        self.job = job
        self.name = name
        self.settings = settings

    def text(self, key: str) -> str:
        """A setting, Volcano's default where it was not given."""
        node = self.settings.get(key)
        if isinstance(node, Scalar):
            return str(node.value)
        return next(str(each.default) for each in plugins.PLUGINS[self.name].settings if each.key == key)

    def is_on(self, key: str) -> bool:
        return self.text(key) == "True"

    def task(self, key: str) -> str:
        return plugins.role(self.job, self.name, key) or "no task"

    def named(self) -> str:
        """The tasks that have a role."""
        keys = [each.key for each in plugins.PLUGINS[self.name].settings if each.takes == plugins.TASK]
        return " and ".join(task for key in keys if (task := plugins.role(self.job, self.name, key)) is not None)


def by_plugins(job: Job) -> Iterator[Addition]:
    """What each plugin adds, svc and ssh left out: those add objects."""
    for name, (_, settings) in plugins.asked(job).items():
        if name in _ADDS:
            yield from _ADDS[name](_Plugin(job, name, settings))


def _env(plugin: _Plugin) -> Iterator[Addition]:
    yield Addition("variables", "VC_TASK_INDEX, VK_TASK_INDEX", "the replica's index")


def _hcclrank(plugin: _Plugin) -> Iterator[Addition]:
    yield Addition("annotation", "hccl/rankIndex", f"the rank of the pods of {plugin.named()}")


def _mpi(plugin: _Plugin) -> Iterator[Addition]:
    yield Addition("variable", "MPI_HOST", f"hosts of {plugin.task('worker')}, in {plugin.task('master')}")
    yield Addition("port", plugin.text("port"), "mpijob-port, in every container")


def _pytorch(plugin: _Plugin) -> Iterator[Addition]:
    yield Addition("variables", "MASTER_ADDR, MASTER_PORT, WORLD_SIZE, RANK", f"of the pods of {plugin.named()}, in place of hetc's")
    yield Addition("port", plugin.text("port"), "pytorchjob-port, in every container")
    if plugin.is_on("wait_master_enabled"):
        yield Addition("init container", "wait-for-master", f"in {plugin.task('worker')}: waits until the master's port answers")


def _ray(plugin: _Plugin) -> Iterator[Addition]:
    yield Addition("command", "ray start", f"of {plugin.named()}, in place of a shell, so that `NODE_RANK` is not set there")
    ports = ", ".join(plugin.text(key) for key in ("port", "dashboard_port", "client_port"))
    yield Addition("ports", ports, f"gcs, dashboard and client-server, in {plugin.task('head')}")


def _tensorflow(plugin: _Plugin) -> Iterator[Addition]:
    yield Addition("variable", "TF_CONFIG", f"the hosts of {plugin.named()}, port {plugin.text('port')}")


def _status_mounter(plugin: _Plugin) -> Iterator[Addition]:
    values = plugin.settings.get("values")
    words = [str(item.value) for item in values.items if isinstance(item, Scalar)] if isinstance(values, Sequence) else ["retryCount"]
    if plugin.is_on("add_env"):
        yield Addition("variables", ", ".join(plugin.text("prefix") + word for word in words), "of the job's status")
    if plugin.settings.get("mount_point") is not None:
        yield Addition("files", plugin.text("mount_point"), f"the job's status: {', '.join(words)}")


_ADDS = {"env": _env, "hcclrank": _hcclrank, "mpi": _mpi, "pytorch": _pytorch, "ray": _ray, "status-mounter": _status_mounter,
         "tensorflow": _tensorflow}
