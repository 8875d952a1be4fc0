"""The field table of a training template: its keys, their types, what each is for.

The type check, the merging of a template over its parents, the JSON Schema and the documentation read these rows. Types of
keys that overlays have too are the overlays' own.
"""
from __future__ import annotations

from hetc import fields
from hetc.fields import Amount, Anything, Cores, Devices, Field, ListOf, MapOf, Paths, Shape, Text, Whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.fields import Type

#: The one value of `config.target.service`.
SERVICE = "volcano"


def _type(name: str) -> Type:
    return fields.by_name(fields.FIELDS)[name].type


#: What one node gets. Required in every task; in `target` for templates without tasks.
RESOURCES: tuple[Field, ...] = (
    Field("cpus_per_node", Cores(), "CPU cores of one node.", 96),
    Field("memory", Amount(), "Memory of one node, with its unit.", "512Gi"),
    Field("gpus_per_node", Whole(), "Whole GPUs of one node; 0 for none.", 8),
    Field("rdma", Devices(), "Whether a node gets an RDMA device, or how many.", True),
    Field("processes_per_node", Whole(1), "Processes that the command starts on one node.", 8),
)

ENVIRONMENT = Shape((
    Field("image", Text("an image"), "The container image.", "common-runtime:1.4"),
    Field("setup", _type("setup"), "Shell lines that run before the command.", ["python -m pip install -e ."]),
))

TASK = Shape((
    Field("replicas", Whole(1), "How many nodes the task has; 1 for `master`.", 2),
    *RESOURCES,
    Field("node_selector", _type("node_selector"), "Labels that a node must have.", {"nvidia.com/gpu.product": "A100-SXM4-80GB"}),
    Field("environment", ENVIRONMENT, "Image and setup of this task; a setup list replaces the shared one.", {"image": "h100-runtime:1.4"}),
    Field("command", _type("command"), "Shell lines of this task, in place of the shared command.", ["python h100_train.py"]),
    Field("env", _type("env"), "Environment variables, over the shared ones.", {"SERVICE_PORT": "9000"}),
    Field("container_args", _type("container_args"), "Settings of the container, over the shared ones.", {"shm_size": "64Gi"}),
))

#: Fields that every task must have in the end.
REQUIRED: tuple[str, ...] = ("replicas", *(field.name for field in RESOURCES))

TASKS = MapOf(TASK, "task")

EXTRA = Shape((
    Field("volcano", Shape((
        Field("tasks", TASKS, "Task name -> its nodes and what they run. One task is `master`, with one replica.",
              {"master": {"replicas": 1}}),
    )), "What only Volcano understands."),
))

TARGET = Shape((
    Field("service", Text("a service", (SERVICE,)), "The service that runs the job: `volcano`.", SERVICE),
    Field("namespace", Text("a namespace"), "The namespace of the job.", "training"),
    Field("queue", Text("a queue"), "The queue of the job.", "default"),
    Field("context", Text("a context"), "The kubectl context to use; not part of the manifest.", "gpu-cluster"),
    Field("priority", Text("a PriorityClass"), "The PriorityClass of the gang and its pods.", "high"),
    Field("labels", _type("labels"), "Labels of the job and its pods.", {"team": "vision"}),
    Field("annotations", _type("annotations"), "Annotations of the job and its pods.", {"example.com/owner": "ml"}),
    *RESOURCES,
))

STORAGE = Shape((
    Field("claim", Text("a claim's name"), "Name of a PersistentVolumeClaim.", "datasets"),
    Field("mount_dir", Text("a path"), "Where the containers see it: an absolute path.", "/data"),
))

JOB = Shape((
    Field("name", Text("a job name"), "The job's name. Default: the stem of the file.", "train"),
    Field("sku", Text("text"), "A label of the shape for people; `{nodes}` and `{processes}` only without tasks.", "heterogeneous"),
    Field("command", _type("command"), "Shell lines; the command after `--` is added to them.", ["python -m pip list"]),
    Field("submit_args", Shape((
        Field("env", _type("env"), "Environment variables of all tasks.", {"LOG_LEVEL": "INFO"}),
        Field("container_args", _type("container_args"), "Settings of all containers.", {"shm_size": "64Gi"}),
    )), "What all tasks share.", {"env": {"LOG_LEVEL": "INFO"}}),
))

_CODE = Field("code", Anything(), "Accepted and not used: hetc uploads nothing.", {"local_dir": "."})
_EXTRA = Field("_extra", EXTRA, "What belongs to one service alone; under `config` or beside it, not both.")

#: A child is merged over its parents by these rows: mappings by key, so tasks by name; lists, `jobs` among them, as a whole.
FIELDS: tuple[Field, ...] = (
    Field("base", Paths(), "Parent templates, relative to this file; later ones win, and this file over all of them. "
                           "One that several parents are built on counts once, below them.", "base.yaml"),
    Field("config", Shape((
        Field("target", TARGET, "Where the job runs."),
        Field("environment", ENVIRONMENT, "What all tasks run in."),
        Field("storage", MapOf(STORAGE, "storage"), "Claims mounted into every container.",
              {"data": {"claim": "datasets", "mount_dir": "/data"}}),
        Field("jobs", ListOf(JOB), "The job: a list of one entry. A child's list replaces the parent's.", [{"name": "train"}]),
        _CODE,
        _EXTRA,
    )), "The template itself."),
    _CODE,
    _EXTRA,
)

#: Other words for the keys of a template, in their normal spelling, and the paths that they may stand for.
WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("cpu", "cpus", "cores", "ncpus", "numcpus", "vcpus", "cpupernode", "cpucount", "cpurequest"), ("cpus_per_node",)),
    **dict.fromkeys(("mem", "ram", "memorypernode", "mempernode", "memorygb", "memorylimit"), ("memory",)),
    **dict.fromkeys(("gpu", "gpus", "ngpus", "numgpus", "gpupernode", "gpucount", "accelerators"), ("gpus_per_node",)),
    **dict.fromkeys(("infiniband", "ib", "rdmadevices", "rdmapernode", "enablerdma"), ("rdma",)),
    **dict.fromkeys(("ppn", "processes", "procs", "nproc", "nprocpernode", "procspernode", "processpernode"), ("processes_per_node",)),
    **dict.fromkeys(("count", "nodes", "nnodes", "numnodes", "nodecount", "replica", "instances", "instancecount"), ("replicas",)),
    **dict.fromkeys(("selector", "nodelabels", "nodeselectors", "gpumodel", "gputype", "gpuproduct"), ("node_selector",)),
    **dict.fromkeys(("image", "dockerimage", "containerimage"), ("image", "environment.image", "config.environment.image")),
    "setup": ("setup", "environment.setup", "config.environment.setup"),
    **dict.fromkeys(("cmd", "commands", "run", "script"), ("command",)),
    **dict.fromkeys(("env", "envs", "vars", "variables", "envvars"), ("env", "submit_args.env")),
    "containerargs": ("container_args", "submit_args.container_args"),
    **dict.fromkeys(("shm", "shmsize"), ("shm_size", "container_args.shm_size", "submit_args.container_args.shm_size")),
    **dict.fromkeys(("ns", "kubenamespace"), ("namespace",)),
    **dict.fromkeys(("priorityclass", "prio"), ("priority",)),
    **dict.fromkeys(("cluster", "kubecontext", "kubectlcontext"), ("context",)),
    **dict.fromkeys(("pvc", "claimname", "persistentvolumeclaim"), ("claim",)),
    **dict.fromkeys(("path", "mountpath", "mount", "dir", "mountpoint"), ("mount_dir",)),
    **dict.fromkeys(("mounts", "datastores"), ("storage", "config.storage")),
    "job": ("jobs", "config.jobs"),
    **dict.fromkeys(("tasks", "task", "groups"), ("tasks", "volcano.tasks", "_extra.volcano.tasks")),
    "volcano": ("volcano", "_extra.volcano"),
    "target": ("config.target",),
    "environment": ("config.environment",),
    "storage": ("config.storage",),
    "jobs": ("config.jobs",),
    **dict.fromkeys(("bases", "extends", "inherits", "parent", "parents"), ("base",)),
    "extra": ("_extra",),
}
