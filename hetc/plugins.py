"""Volcano's job plugins: the flags that each takes, and the overlay's keys for them.

Emission, the rules over manifests and the field table read these same rows.
Source: Volcano's job plugins; status-mounter: the documentation of Huawei's Cloud Container Engine, which alone ships it.
"""
from __future__ import annotations

from hetc import ir
from hetc.fields import Choice, Field, Flag, ListOf, Shape, Text, Whole
from hetc.manifest import IMPLIED
from hetc.origin import Located
from hetc.record import Record
from hetc.tree import Mapping, Scalar, Sequence, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.fields import Type
    from hetc.ir import Job
    from hetc.tree import Node

#: What a flag takes.
TEXT, TASK, PATH, FLAG, NUMBER, PORT, WORDS, IMAGE, PREFIX, CONTAINERS = (
    "text", "a task", "an absolute path", "`true` or `false`", "an integer", "a port from 1 to 65535", "words and commas",
    "an image reference", "the beginning of a variable's name", "names of containers, or `*`")

#: The distribution of Volcano that ships a plugin, where only one does.
CCE = "cce"
#: The container of hetc's pods.
CONTAINER = "main"


class Setting(Record):
    """One flag of a plugin. `key` is the overlay's, "" where only manifests may have the flag."""

    flag: str
    takes: str
    key: str = ""
    doc: str = ""
    example: object = None
    default: object = None


class Plugin(Record):
    """One plugin. `sets`: the variables that it gives to containers, so that hetc leaves them out."""

    doc: str
    settings: tuple[Setting, ...] = ()
    sets: tuple[str, ...] = ()
    distribution: str = ""


def _role(name: str, doc: str, key: str = "") -> Setting:
    return Setting(name, TASK, key or name, doc, name, None)


PLUGINS: dict[str, Plugin] = {
    "env": Plugin("The replica index as VC_TASK_INDEX."),
    "hcclrank": Plugin("Ranks of Ascend NPUs as the annotation hccl/rankIndex.", (
        _role("master", "The task of rank 0."),
        _role("worker", "The task of the further ranks."),
    )),
    "mpi": Plugin("The hosts of one task as MPI_HOST in another, and ssh between them.", (
        _role("master", "The task that runs mpirun."),
        _role("worker", "The task whose hosts it gets."),
        Setting("port", PORT, "port", "The port that the ssh servers listen on.", 2222, 22),
    )),
    "pytorch": Plugin("MASTER_ADDR, MASTER_PORT, WORLD_SIZE and RANK for jobs of at most two tasks.", (
        _role("master", "The task of rank 0."),
        _role("worker", "The task of the further ranks."),
        Setting("port", PORT, "port", "MASTER_PORT.", 23456, 23456),
        Setting("wait-master-enabled", FLAG, "wait_master_enabled", "Whether workers wait until the master's port answers.", True, False),
        Setting("wait-master-timeout", NUMBER, "wait_master_timeout", "Seconds to wait.", 600, 300),
        Setting("wait-master-image", IMAGE, "wait_master_image", "The image of the init container that waits.",
                "registry.example/busybox:1.36.1", "busybox:1.36.1"),
    ), ("MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE")),
    "ray": Plugin("A Ray cluster: its head and its workers run in place of a command.", (
        _role("head", "The task of the head."),
        Setting("headContainer", TEXT, "head_container", "The head's container; hetc's pods have one.", CONTAINER, CONTAINER),
        _role("worker", "The task of the workers."),
        Setting("workerContainer", TEXT, "worker_container", "The workers' container; hetc's pods have one.", CONTAINER, CONTAINER),
        Setting("port", PORT, "port", "The port of Ray's head.", 6379, 6379),
        Setting("dashboardPort", PORT, "dashboard_port", "The port of the dashboard.", 8265, 8265),
        Setting("clientPort", PORT, "client_port", "The port for Ray clients.", 10001, 10001),
    )),
    "ssh": Plugin("A key pair for ssh between the pods.", (
        Setting("ssh-key-file-path", PATH, "key_file_path", "Where the key pair is mounted.", "/home/user/.ssh", "/root/.ssh"),
        Setting("ssh-private-key", TEXT),
        Setting("ssh-public-key", TEXT),
        Setting("ssh-port", PORT, "port", "The port written to the ssh client's configuration.", 2222, 22),
    )),
    "status-mounter": Plugin("The job's status in its containers, on Huawei's Cloud Container Engine.", (
        Setting("statusJson", FLAG, "status_json", "Whether all of the status is written, as JSON.", True, False),
        Setting("mountPoint", PATH, "mount_point", "The directory of the files; without it there are none.", "/status"),
        Setting("values", WORDS, "values", "The fields of the status.", ["retryCount", "pending", "running"], ["retryCount"]),
        Setting("addEnv", FLAG, "add_env", "Whether the fields become variables.", False, True),
        Setting("prefix", PREFIX, "prefix", "How the variables' names begin.", "Job_", "Job_"),
        Setting("containers", CONTAINERS, "containers", "The containers that get it; `*` is all.", CONTAINER, "*"),
    ), distribution=CCE),
    "svc": Plugin("A headless Service; always on.", (
        Setting("publish-not-ready-addresses", FLAG, "publish_not_ready_addresses", "Whether names of pods that are not ready resolve.",
                True, False),
        Setting("disable-network-policy", FLAG, "disable_network_policy", "Whether pods of other jobs may connect.", True, False),
        Setting("inject-hosts-env", FLAG, "inject_hosts_env",
                "Whether pods get the host lists as variables; `false` for very large jobs.", False, True),
    )),
    "tensorflow": Plugin("TF_CONFIG for the tasks of TensorFlow's roles.", (
        _role("ps", "The task of the parameter servers."),
        _role("worker", "The task of the workers."),
        _role("chief", "The task of the chief; `master` where no other is named."),
        _role("evaluator", "The task of the evaluator."),
        Setting("port", PORT, "port", "The port that all roles listen on.", 2222, 2222),
    )),
}

#: The roles that the task `master` has where no other is named.
_MASTER_ROLES = frozenset(("master", "head", "chief"))


def field() -> Field:
    """The overlay's key `plugins`."""
    return Field("plugins", Shape(tuple(_plugin_field(name, plugin) for name, plugin in PLUGINS.items())), "Volcano's job plugins.",
                 {"ssh": {}})


def _plugin_field(name: str, plugin: Plugin) -> Field:
    keys = tuple(Field(each.key, _type(each), each.doc, each.example, each.default) for each in plugin.settings if each.key)
    return Field(name, Shape(keys), plugin.doc, {}, stays=name == "svc", bare=name != "svc")


def _type(setting: Setting) -> Type:
    takes = setting.takes
    if takes == FLAG:
        return Flag()
    if takes == PORT:
        return Whole(1, 65535)
    if takes == NUMBER:
        return Whole()
    if takes == CONTAINERS:
        return Choice("a container of the pods", ("*", CONTAINER))
    return ListOf(Text("a field of the status")) if takes == WORDS else Text("a path" if takes == PATH else takes)


def asked(job: Job) -> dict[str, tuple[Located[str], Mapping]]:
    """The plugins of a job by name, with those that Volcano adds for them: where each was asked for, and its settings.

    svc is always there: ranks need the names of its Service.
    """
    given = job.backend.get("plugins")
    nothing = job.origin.derived()
    found = {"svc": (Located("svc", nothing), Mapping({}, nothing))}
    for name, entry in given.entries.items() if isinstance(given, Mapping) else ():
        key = Located(name, entry.key.origin)
        for other in IMPLIED.get(name, ()):
            found.setdefault(other, (Located(other, key.origin.derived()), Mapping({}, key.origin.derived())))
        if isinstance(entry.value, Mapping):
            found[name] = key, entry.value
    return {name: found[name] for name in sorted(found)}


def arguments(job: Job, name: str, settings: Mapping) -> Iterator[Scalar]:
    """A plugin's flags as `--FLAG=VALUE`, those with another value than Volcano's own, and those that were given."""
    for setting in PLUGINS[name].settings:
        node = settings.get(setting.key) if setting.key else None
        if node is None:
            node = _filled(job, name, setting, settings)
        if node is not None:
            yield Scalar(f"--{setting.flag}={_written(node)}", node.origin.derived())


def _filled(job: Job, name: str, setting: Setting, settings: Mapping) -> Node | None:
    """What hetc says for a setting that was not given."""
    nothing = settings.origin.derived()
    if setting.takes == TASK:
        task = role(job, name, setting.key)
        return Scalar(task, nothing) if task not in (None, setting.flag) else None
    return Scalar(CONTAINER, nothing) if setting.default == CONTAINER else None


def _written(node: Node) -> str:
    if isinstance(node, Sequence):
        return ",".join(str(item.value) for item in node.items if isinstance(item, Scalar))
    value = node.value if isinstance(node, Scalar) else None
    return str(value).lower() if isinstance(value, bool) else str(value)


def role(job: Job, plugin: str, key: str) -> str | None:
    """The task that has a role of a plugin: the one that the overlay names, else the one that is meant; None without one.

    The master has the first role; the worker is the task called so, or else the only one that is left.
    """
    node = find(job.backend.get("plugins"), plugin, key)
    if isinstance(node, Scalar):
        return str(node.value)
    tasks = [task.name.value for task in job.tasks]
    if key in _MASTER_ROLES:
        return ir.MASTER
    if key in tasks or key != "worker":
        return key if key in tasks else None
    others = {role(job, plugin, each.key) for each in PLUGINS[plugin].settings if each.takes == TASK and each.key != key}
    left = [task for task in tasks if task not in others]
    return left[0] if len(left) == 1 else None


def without_command(job: Job) -> frozenset[str]:
    """The tasks whose command a plugin writes: those of ray's two roles."""
    if "ray" not in asked(job):
        return frozenset()
    return frozenset(task for key in ("head", "worker") if (task := role(job, "ray", key)) is not None)


def variables(job: Job) -> frozenset[str]:
    """The computed variables that a plugin of the job sets in hetc's place."""
    return frozenset(name for plugin in asked(job) for name in PLUGINS[plugin].sets)


def in_keys(said: str) -> str:
    """What is said of a flag that hetc wrote, in the words of the overlay: `--ssh-key-file-path=…` is `key_file_path: …`."""
    import re

    keys = {each.flag: each.key for plugin in PLUGINS.values() for each in plugin.settings if each.key}

    def key(match: re.Match[str]) -> str:
        return keys.get(match[1], match[1]) + (": " if match[2] else "")

    return re.sub("--([A-Za-z-]+)(=?)", key, said)
