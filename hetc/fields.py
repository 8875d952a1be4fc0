"""The field table: every key of an overlay, its type, how it reaches tasks, what it is for.

The type check, merging, lowering, the JSON Schema and the documentation read these same rows. A back end adds rows of its
own through `hetc.pipeline`.
"""
from __future__ import annotations

from hetc import codes
from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from hetc.diagnostic import Code

    Type: TypeAlias = ("Text | Choice | Length | Whole | Flag | Lines | Mode | Amount | ListOf | MapOf | Shape | EnvValue | Tasks"
                       " | Cores | Devices | Paths | Anything")


class Text(Record):
    """A string. `what` names the kind of string in messages; `choices`: the only ones that rules let pass, "" where it is none."""

    what: str = "text"
    choices: tuple[str, ...] = ()


class Choice(Record):
    """One of a few words. `what` names them in messages."""

    what: str
    words: tuple[str, ...]


class Length(Record):
    """A length of time in whole seconds, at least one: `90m` or `1h30m`."""


class Whole(Record):
    """A whole number from `least` to `most`."""

    least: int = 0
    most: int = 2**31 - 1


class Flag(Record):
    """`true` or `false`."""


class Lines(Record):
    """Shell lines: a list of strings, or one string."""


class Mode(Record):
    """A file mode: `0400`, `0o400` or `"0400"`."""


class Amount(Record):
    """An amount of memory with its unit, `64Gi`."""


class Cores(Record):
    """An amount of cpu: `16`, `0.5` or `500m`. In templates only."""


class Devices(Record):
    """`true` for one device, `false` for none, or their number. In templates only."""


class Paths(Record):
    """A path of a file, or a list of them. In templates only."""


class Anything(Record):
    """A value that hetc does not read. In templates only."""


class ListOf(Record):
    """A list; a higher layer replaces it as a whole. `once`: no item may stand in it twice."""

    item: Type
    once: bool = False


class MapOf(Record):
    """A mapping with free keys, merged by key. `what` names a key in messages."""

    value: Type
    what: str = "name"


class Shape(Record):
    """A mapping with known keys, merged by key.

    Of the fields in `source` those that one layer gives replace all of a lower layer's. `whole`: a higher layer replaces
    the mapping as a whole. `needs`: sets of keys, of each of which one must be there in the end.
    """

    fields: tuple[Field, ...]
    source: tuple[str, ...] = ()
    whole: bool = False
    needs: tuple[tuple[str, ...], ...] = ()


class EnvValue(Record):
    """A string, or where Kubernetes finds one; replaced as a whole. `text`: whether a string may stand there."""

    sources: tuple[Shape, ...]
    text: bool = True


class Tasks(Record):
    """Name -> the fields that a task may have; `what` names the names in messages."""

    what: str = "task"


class Field(Record):
    """One key.

    `task`: it may also stand under `tasks.<name>`. `inherit`: how a task without or with its own value takes the job's:
    "replace" (its own wins as a whole), "merge" (by key, its own wins), or None. `stays`: `null` does not remove it but is
    an error that says `NAME: {}`. `bare`: `NAME: {}` says something, so that a `null` that removes nothing is an error too.
    `only_task`: it stands under `tasks.<name>` and nowhere else.
    """

    name: str
    type: Type
    doc: str
    example: object = None
    default: object = None
    task: bool = False
    inherit: str | None = None
    stays: bool = False
    bare: bool = False
    only_task: bool = False


PULL_POLICIES = ("Always", "IfNotPresent", "Never")

REPLACE = "replace"
MERGE = "merge"

SECRET_KEY = Shape((Field("secret", Text("a Secret's name"), "Name of a Secret.", "wandb"),
                    Field("key", Text("a key"), "A key in it.", "api-key")), whole=True)
CONFIG_MAP_KEY = Shape((Field("config_map", Text("a ConfigMap's name"), "Name of a ConfigMap.", "settings"),
                        Field("key", Text("a key"), "A key in it.", "log-level")), whole=True)
POD_FIELD = Shape((Field("field", Text("a field path"), "A field of the pod, such as `metadata.name` or `status.podIP`.",
                         "status.podIP"),), whole=True)

SECRET_SOURCE = Shape((Field("secret", Text("a Secret's name"), "Name of a Secret; each of its keys becomes a variable.",
                             "wandb"),), whole=True)
CONFIG_MAP_SOURCE = Shape((Field("config_map", Text("a ConfigMap's name"), "Name of a ConfigMap; each key becomes a variable.",
                                 "settings"),), whole=True)

TOLERATION = Shape((
    Field("key", Text("a taint's key"), "The taint's key.", "nvidia.com/gpu"),
    Field("operator", Text("Equal or Exists", ("Equal", "Exists", "")), "Equal or Exists.", "Exists"),
    Field("value", Text("a taint's value"), "The taint's value, with Equal.", "present"),
    Field("effect", Text("an effect", ("NoSchedule", "PreferNoSchedule", "NoExecute", "")), "NoSchedule, PreferNoSchedule or NoExecute.",
          "NoSchedule"),
    Field("tolerationSeconds", Whole(), "How long, with NoExecute.", 300),
))

_LABEL_TEST = (
    Field("key", Text("a node label"), "A node label.", "topology.kubernetes.io/zone"),
    Field("operator", Choice("an operator", ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")), "How it is compared.", "In"),
    Field("values", ListOf(Text("a label value")), "What it is compared with.", ["eu-west-1a"]),
)
_TESTS = (("key",), ("operator",))
AFFINITY = Shape((
    Field("required", ListOf(Shape(_LABEL_TEST, needs=_TESTS)), "What must hold for a node, all of it.",
          [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["eu-west-1a"]}]),
    Field("preferred", ListOf(Shape((Field("weight", Whole(1, 100), "How much it counts.", 10, 1), *_LABEL_TEST), needs=_TESTS)),
          "What is better where it holds.", [{"weight": 10, "key": "local-nvme", "operator": "Exists"}]),
))
#: The largest user and group of Linux that Kubernetes takes; 0 is root.
_SOMEBODY = Whole(1, 2**31 - 1)
RUN_AS = Shape((
    Field("user", _SOMEBODY, "The user that containers run as.", 1000),
    Field("group", _SOMEBODY, "The group that they run as.", 1000),
    Field("fs_group", _SOMEBODY, "The group that owns the files of volumes.", 1000),
))

MOUNT_SOURCES = ("claim", "config_map", "secret", "empty_dir")
MOUNT = Shape(
    (
        Field("path", Text("a path"), "Where the container sees it: an absolute path.", "/data"),
        Field("claim", Text("a claim's name"), "Name of a PersistentVolumeClaim.", "datasets"),
        Field("config_map", Text("a ConfigMap's name"), "Name of a ConfigMap.", "settings"),
        Field("secret", Text("a Secret's name"), "Name of a Secret.", "credentials"),
        Field("empty_dir", Shape((Field("size", Amount(), "Largest size.", "10Gi"),), whole=True),
              "Scratch space that lives as long as the pod.", {}, bare=True),
        Field("sub_path", Text("a path"), "Only this relative path inside the volume.", "imagenet"),
        Field("read_only", Flag(), "Whether writing is refused.", True, False),
        Field("mode", Mode(), "File mode of the files; with `secret` and `config_map` only.", "0400"),
        Field("items", MapOf(Text("a key"), "file name"), "File name -> key; with `secret` and `config_map` only.",
              {"config.yaml": "config"}),
    ),
    source=(*MOUNT_SOURCES, "mode", "items"),
    needs=(("path",), MOUNT_SOURCES),
)

#: Overlay keys that every back end knows. Order is the documentation's.
FIELDS: tuple[Field, ...] = (
    Field("name", Text("a job name"), "The job's name. Default: the stem of the file.", "train"),
    Field("namespace", Text("a namespace"), "The namespace of the job.", "training"),
    Field("priority_class", Text("a PriorityClass"), "The PriorityClass of the gang and its pods.", "high"),
    Field("labels", MapOf(Text("a label value"), "label"), "Labels of the job and its pods.", {"team": "vision"}, task=True, inherit=MERGE),
    Field("annotations", MapOf(Text("text"), "annotation"), "Annotations of the job and its pods.", {"example.com/owner": "ml"},
          task=True, inherit=MERGE),
    Field("image", Text("an image"), "The container image.", "registry.example/train:1.0", task=True, inherit=REPLACE),
    Field("image_pull_policy", Text("Always, IfNotPresent or Never", (*PULL_POLICIES, "")), "When the image is pulled.", "IfNotPresent",
          task=True, inherit=REPLACE),
    Field("setup", Lines(), "Shell lines that run before the command.", ["python -m pip install -e ."], task=True, inherit=REPLACE),
    Field("command", Lines(), "Shell lines; the last is the process that the pod is about.", ["python train.py"],
          task=True, inherit=REPLACE),
    Field("working_dir", Text("a path"), "The working directory.", "/workspace", task=True, inherit=REPLACE),
    Field("shell", Text("a path"), "The POSIX shell that runs setup and command.", "/bin/bash", "/bin/sh", task=True, inherit=REPLACE),
    Field("env", MapOf(EnvValue((SECRET_KEY, CONFIG_MAP_KEY, POD_FIELD)), "variable"), "Environment variables.",
          {"LOG_LEVEL": "INFO"}, task=True, inherit=MERGE),
    Field("env_from", ListOf(EnvValue((SECRET_SOURCE, CONFIG_MAP_SOURCE), text=False)),
          "Secrets and ConfigMaps whose keys become variables.",
          [{"secret": "wandb"}], task=True, inherit=MERGE),
    Field("time_limit", Length(), "How long a pod may run; one that runs longer is ended, and counts as failed.", "36h",
          task=True, inherit=REPLACE),
    Field("resource_claims", MapOf(Text("a ResourceClaimTemplate"), "claim"),
          "Devices by dynamic resource allocation: a name in the pod -> the ResourceClaimTemplate that each pod gets a claim from.",
          {"gpus": "eight-h100"}, task=True, inherit=MERGE),
    Field("container_args", Shape((Field("shm_size", Amount(), "Size of /dev/shm; counts against the pod's memory.", "64Gi"),)),
          "Settings of the container.", {"shm_size": "64Gi"}, task=True, inherit=MERGE),
    Field("node_selector", MapOf(Text("a label value"), "label"), "Labels that a node must have.", {"node-type": "cpu"},
          task=True, inherit=MERGE),
    Field("tolerations", ListOf(TOLERATION), "Taints that pods may be placed in spite of; the site file has to allow their keys.",
          [{"key": "dedicated", "operator": "Equal", "value": "training", "effect": "NoSchedule"}], task=True, inherit=MERGE),
    Field("affinity", AFFINITY, "Nodes that pods need or prefer; the site file has to allow the labels.",
          {"required": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["eu-west-1a"]}]}, task=True, inherit=MERGE),
    Field("run_as", RUN_AS, "The user and the groups of the containers' processes; never root.", {"user": 1000, "group": 1000},
          task=True, inherit=MERGE),
    Field("mounts", MapOf(MOUNT, "mount"), "Volumes mounted into containers.", {"data": {"path": "/data", "claim": "datasets"}},
          task=True, inherit=MERGE),
    Field("image_pull_secrets", ListOf(Text("a Secret's name"), once=True), "Secrets with registry credentials.", ["registry"]),
    Field("service_account", Text("a service account"), "The service account of the pods.", "trainer"),
    Field("ttl_seconds_after_finished", Whole(), "Seconds after which the finished job is deleted.", 86400),
    Field("profiles", Tasks("profile"), "Profile name -> what tasks that name it have, below what they say themselves.",
          {"gpu-node": {"node_selector": {"pool": "gpu"}}}),
    Field("profiles", ListOf(Text("a profile"), once=True), "The profiles of the task, later ones over earlier ones.", ["gpu-node"],
          task=True, only_task=True),
    Field("tasks", Tasks(), "Task name -> what differs in that task.", {"master": {"command": ["python lead.py"]}}),
)

#: The keys of a group in a request.
REQUEST_KEYS = ("cpu", "mem", "gpu", "rdma", "ppn", "min", "pack", "select", "disk", "mig", "vgpu", "vgpu-mem", "vgpu-cores")

#: Keys that belong to the request, and the form to write there.
SHAPE_KEYS: dict[str, str] = {
    "replicas": "2*NAME<…>", "count": "2*NAME<…>", "nodes": "2*NAME<…>",
    "cpu": "<cpu=16>", "cpus": "<cpu=16>", "cpus_per_node": "<cpu=16>",
    "mem": "<mem=64Gi>", "memory": "<mem=64Gi>",
    "gpu": "<gpu=8:MODEL>", "gpus": "<gpu=8:MODEL>", "gpus_per_node": "<gpu=8:MODEL>",
    "disk": "<disk=100Gi>", "ephemeral_storage": "<disk=100Gi>", "vgpu": "<vgpu=1, vgpu-mem=16Gi>", "mig": "<mig=3g.40gb:1>",
    "rdma": "<rdma>", "ppn": "<ppn=8>", "processes_per_node": "<ppn=8>",
    "min": "<min=3>", "pack": "<pack=TIER>", "resources": "<cpu=16, mem=64Gi>", "select": "<select[KEY=VALUE]>",
    "gang": "gang[fail=restart]", "use": 'use["base.yaml"]', "min_available": "gang[min=N]", "retries": "gang[retries=N]",
    "max_retry": "gang[retries=N]",
}


#: Raw pod fields in their normal spelling, and the rule that refuses each.
BANNED: dict[str, Code] = {
    "securitycontext": codes.SECURITY_CONTEXT, "podsecuritycontext": codes.SECURITY_CONTEXT,
    **dict.fromkeys(("runasuser", "runasgroup", "runasnonroot", "fsgroup", "supplementalgroups", "selinuxoptions", "selinux",
                     "seccompprofile", "seccomp", "apparmor", "apparmorprofile", "procmount", "sysctls", "windowsoptions",
                     "hostprocess", "readonlyrootfilesystem"), codes.SECURITY_CONTEXT),
    **dict.fromkeys(("hostpath", "hostpaths"), codes.HOST_PATH),
    **dict.fromkeys(("privileged", "allowprivilegeescalation", "privilegeescalation"), codes.PRIVILEGED),
    **dict.fromkeys(("volumes", "volume", "volumemounts", "volumemount", "volumedevices", "nfs", "csi", "gitrepo",
                     "iscsi", "volumeclaimtemplates"),
                    codes.RAW_VOLUMES),
    **dict.fromkeys(("hostnetwork", "hostpid", "hostipc", "hostports", "hostport", "hostusers", "shareprocessnamespace"),
                    codes.HOST_NAMESPACE),
    **dict.fromkeys(("capabilities", "capadd", "capdrop", "caps", "ipclock"), codes.CAPABILITIES),
    **dict.fromkeys(("podspec", "podtemplate", "template", "spec", "containers", "container", "initcontainers", "ephemeralcontainers",
                     "sidecars", "nodename", "schedulername", "dnspolicy", "dnsconfig", "hostaliases",
                     "hostname",
                     "subdomain", "lifecycle", "livenessprobe", "readinessprobe", "startupprobe", "ports", "args", "entrypoint",
                     "priorityclassname", "runtimeclassname", "restartpolicy", "terminationgraceperiodseconds", "activedeadlineseconds",
                     "resourceclaims", "topologyspreadconstraints", "automountserviceaccounttoken", "overhead", "patch", "rawpodspec"),
                    codes.PASSTHROUGH),
}


def task_fields(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """The rows that may stand under `tasks.<name>`."""
    return tuple(field for field in fields if field.task)


def profile_fields(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """The rows that several tasks may have in common; what a task has by itself alone, such as whom it waits for, is none of them."""
    return tuple(field for field in task_fields(fields) if field.inherit or not field.only_task)


def job_fields(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """The rows that may stand at the root."""
    return tuple(field for field in fields if not field.only_task)


def by_name(fields: tuple[Field, ...]) -> dict[str, Field]:
    return {field.name: field for field in fields}
