"""The typed middle: what is asked for (`Request`), and the job that it and the layers make (`Job`).

Nothing here knows a back end: what only one back end understands stays in `Job.backend`, a tree that the back end types.
"""
from __future__ import annotations

from hetc.origin import Located
from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.origin import Origin
    from hetc.quantity import Quantity
    from hetc.tree import Mapping, Node

MASTER = "master"

HARD = "hard"
SOFT = "soft"

#: What happens when a member fails or is evicted.
FAIL = "fail"
RESTART = "restart"
TOLERATE = "tolerate"

#: `gang[min=all]` and `gang[done=all]`.
ALL = "all"


class Pack(Record):
    """Keep pods inside one network domain of a tier, a number or a name; `mode` is HARD or SOFT."""

    tier: int | str
    mode: str


class Share(Record):
    """A share of each GPU: memory in MiB, percent of its cores, and how the GPU is parted. None: not said."""

    memory: Located[int] | None = None
    cores: Located[int] | None = None
    mode: Located[str] | None = None


class Group(Record):
    """One group of a request: like pods. All amounts are for one replica.

    `origin` is the group's own token: its name, or its count where it has none; then `name` is derived.
    `gpus` 0 is none, `rdma` 0 is none; `device`: what is counted by `gpus` where it is no whole GPU, a MIG profile behind `mig:`,
    `vgpu`, or a key of the site's resource table; `share`: with `vgpu` only; `processes` None means the default.
    """

    origin: Origin
    name: Located[str]
    replicas: Located[int]
    cpu: Located[Quantity] | None = None
    memory: Located[Quantity] | None = None
    gpus: Located[int] | None = None
    gpu_model: Located[str] | None = None
    rdma: Located[int] | None = None
    processes: Located[int] | None = None
    minimum: Located[int] | None = None
    pack: Located[Pack] | None = None
    select: tuple[tuple[Located[str], Located[str]], ...] = ()
    disk: Located[Quantity] | None = None
    device: Located[str] | None = None
    share: Share | None = None


class Gang(Record):
    """The rules of the whole gang. None: not said, the default holds.

    `minimum`: ALL or a number of pods; `fail`: FAIL, RESTART or TOLERATE; `retries`: only with RESTART;
    `done`: ALL or a task's name; `start`: seconds that the gang waits for its place.
    """

    minimum: Located[int | str] | None = None
    fail: Located[str] | None = None
    retries: Located[int] | None = None
    done: Located[str] | None = None
    pack: Located[Pack] | None = None
    start: Located[int] | None = None


class Request(Record):
    """A parsed request: its groups in the order written, the gang's rules, the overlay files it names.

    `origin` is where the request starts.
    """

    origin: Origin
    groups: tuple[Group, ...]
    gang: Gang
    uses: tuple[Located[str], ...] = ()


class Reference(Record):
    """A variable's value that Kubernetes finds: `kind` is `secret`, `config_map` or `field`; `key` None for a field."""

    kind: str
    name: Located[str]
    key: Located[str] | None = None


class Variable(Record):
    """One environment variable; its value is text or a reference."""

    name: Located[str]
    value: Located[str] | Reference


class Mount(Record):
    """A volume and where every container sees it.

    `kind` is `claim`, `config_map`, `secret` or `empty_dir`; `source` the name of the object (None for `empty_dir`); `size`
    only for `empty_dir`; `mode` and `items` (file name, key) only for `config_map` and `secret`.
    """

    name: Located[str]
    path: Located[str]
    kind: Located[str]
    source: Located[str] | None = None
    size: Located[Quantity] | None = None
    sub_path: Located[str] | None = None
    read_only: Located[bool] | None = None
    mode: Located[int] | None = None
    items: tuple[tuple[Located[str], Located[str]], ...] = ()


class Affinity(Record):
    """A node label that must have one of some values, in order."""

    key: Located[str]
    values: tuple[Located[str], ...]


class RunAs(Record):
    """Whom the processes of a pod's containers run as, by number."""

    origin: Origin
    user: Located[int] | None = None
    group: Located[int] | None = None
    fs_group: Located[int] | None = None


class Task(Record):
    """A group with everything that its pods need. All amounts are for one replica; `gpus` and `rdma` 0 are none.

    `setup` and `command` are pieces of shell text. `backend`: the values of the back end's own keys. `gpus` counts what
    `gpu_resource` names. `claims`: name -> ResourceClaimTemplate. `rank` is the node rank of the first replica; `time_limit` is in
    seconds. `tolerations`, `required` and `preferred` (what must hold for a node's labels, and what is better) are as written.
    """

    name: Located[str]
    origin: Origin
    replicas: Located[int]
    minimum: Located[int]
    cpu: Located[Quantity] | None
    memory: Located[Quantity] | None
    gpus: Located[int]
    gpu_model: Located[str] | None
    gpu_resource: str
    rdma: Located[int]
    processes: Located[int]
    pack: Located[Pack] | None
    node_selector: tuple[tuple[Located[str], Located[str]], ...]
    affinity: Affinity | None
    image: Located[str] | None
    image_pull_policy: Located[str] | None
    setup: tuple[Located[str], ...]
    command: tuple[Located[str], ...]
    working_dir: Located[str] | None
    shell: Located[str] | None
    env: tuple[Variable, ...]
    env_from: tuple[Reference, ...]
    labels: tuple[tuple[Located[str], Located[str]], ...]
    annotations: tuple[tuple[Located[str], Located[str]], ...]
    shm_size: Located[Quantity] | None
    backend: dict[str, Node]
    rank: int = 0
    time_limit: Located[int] | None = None
    disk: Located[Quantity] | None = None
    share: Share | None = None
    claims: tuple[tuple[Located[str], Located[str]], ...] = ()
    mounts: tuple[Mount, ...] = ()
    tolerations: tuple[Mapping, ...] = ()
    required: tuple[Mapping, ...] = ()
    preferred: tuple[Mapping, ...] = ()
    run_as: RunAs | None = None


class Job(Record):
    """A gang job, independent of the back end that runs it.

    `tasks` stand in rank order: master, then by name. `backend`: the merged values of the back end's own keys.
    `origin` is where the request or the template's tasks begin.
    """

    origin: Origin
    name: Located[str]
    namespace: Located[str] | None
    tasks: tuple[Task, ...]
    gang: Gang
    labels: tuple[tuple[Located[str], Located[str]], ...]
    annotations: tuple[tuple[Located[str], Located[str]], ...]
    priority_class: Located[str] | None
    image_pull_secrets: tuple[Located[str], ...]
    service_account: Located[str] | None
    ttl_seconds_after_finished: Located[int] | None
    #: Those that tasks take from the job; what a task mounts stands in the task.
    mounts: tuple[Mount, ...]
    backend: dict[str, Node]
    context: Located[str] | None = None
    sku: Located[str] | None = None


class Totals(Record):
    """Sums over the tasks: Σ replicas, Σ replicas with GPUs, Σ replicas × GPUs, Σ replicas × processes, Σ minima."""

    pods: int
    gpu_pods: int
    gpus: int
    processes: int
    minimum: int


def totals(job: Job) -> Totals:
    """The sums of a job; one walk over its tasks."""
    pods = gpu_pods = gpus = processes = minimum = 0
    for task in job.tasks:
        replicas = task.replicas.value
        pods += replicas
        gpu_pods += replicas if task.gpus.value else 0
        gpus += replicas * task.gpus.value
        processes += replicas * task.processes.value
        minimum += task.minimum.value
    return Totals(pods, gpu_pods, gpus, processes, minimum)


def gang_minimum(job: Job, sums: Totals) -> Located[int]:
    """The pods that must be placed together: what the gang says, else the sum of the tasks' minima."""
    said = job.gang.minimum
    if said is not None and isinstance(said.value, int):
        return Located(said.value, said.origin)
    if said is not None:
        return Located(sums.pods, said.origin.derived())
    return Located(sums.minimum, job.origin.derived())
