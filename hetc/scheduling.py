"""How Volcano's scheduler treats a job and its pods, beyond what the fields of a Job say: the overlay's `scheduling`.

Source: Volcano's scheduler and its plugins, where each annotation is parsed.
"""
from __future__ import annotations

from hetc import duration
from hetc.fields import MERGE, Choice, Field, Flag, Length, ListOf, MapOf, Shape, Text, Whole
from hetc.tree import Entry, Mapping, Scalar, Sequence, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job, Task
    from hetc.tree import Node

_NAMES = ListOf(Text("a task"))
_TEXTS = ListOf(Text("text"))

_OF_JOBS = (
    Field("preemptable", Flag(), "Whether other jobs may take the job's place.", True, False),
    Field("cooldown_time", Length(), "How long a pod that just started is spared; plugin cdp.", "10m"),
    Field("revocable_zone", Flag(), "Whether pods may run on nodes that are taken back; plugin tdm.", True, False),
    Field("sla_waiting_time", Length(), "How long the job may wait before it goes first; plugin sla.", "2h"),
    Field("jdb_min_available", Text("a number or a percentage"), "Pods that must be left running; plugin tdm.", "50%"),
    Field("jdb_max_unavailable", Text("a number or a percentage"), "Pods that may be taken at once; plugin tdm.", "20%"),
    Field("task_topology", Shape((
        Field("affinity", ListOf(_NAMES), "Groups of tasks that belong on one node.", [["ps", "worker"]]),
        Field("anti_affinity", ListOf(_NAMES), "Groups of tasks that belong on several nodes.", [["ps"]]),
        Field("order", _NAMES, "Which tasks are placed first.", ["ps", "worker"]),
    )), "Which tasks belong together; plugin task-topology.", {"affinity": [["ps", "worker"]]}),
)
_OF_TASKS = (
    Field("topology_policy", Choice("a NUMA policy", ("none", "best-effort", "restricted", "single-numa-node")),
          "How the cores of a pod lie together; plugin numa-aware.", "single-numa-node"),
    Field("task_priority", Whole(), "Which pods of the job are placed first.", 100),
    Field("resource_strategy", Shape((
        Field("type", Choice("a strategy", ("LeastAllocated", "MostAllocated")), "Whether nodes are filled or spread over.",
              "MostAllocated"),
        Field("weights", MapOf(Whole(), "resource"), "Resource -> how much it counts.", {"nvidia.com/gpu": 10}),
    )), "How nodes are chosen by what is free on them; plugin resource-strategy-fit.",
          {"type": "MostAllocated", "weights": {"nvidia.com/gpu": 10}}),
    Field("qos_level", Choice("a level", ("LC", "HLS", "LS", "BE")), "What the pod may take from others on its node.", "LS"),
    Field("quota_burst", Flag(), "Whether the pod may save up and burst its cpu quota.", True, False),
    Field("quota_burst_time", Whole(1), "Microseconds of cpu that it may save up.", 200000),
    Field("queue_allocation_gate", Flag(), "Whether the pod is gated until its queue has room.", True, False),
    Field("vgpu", Shape((
        Field("spread", Flag(), "Whether no two pods of the job share a GPU.", True, False),
        Field("use_types", _TEXTS, "Types of GPUs that may be shared.", ["A100"]),
        Field("avoid_types", _TEXTS, "Types that may not.", ["T4"]),
        Field("use_uuids", _TEXTS, "The GPUs that may be shared.", ["GPU-1"]),
        Field("avoid_uuids", _TEXTS, "GPUs that may not.", ["GPU-2"]),
    )), "Which GPUs are shared; plugin deviceshare.", {"spread": True}),
)
_DOC = "How Volcano's scheduler treats the job."

FIELDS: tuple[Field, ...] = (
    Field("scheduling", Shape((*_OF_JOBS, *_OF_TASKS)), _DOC, {"preemptable": True}),
    Field("scheduling", Shape(_OF_TASKS), "How Volcano's scheduler treats the task's pods.", {"task_priority": 100},
          task=True, inherit=MERGE, only_task=True),
)

VGPU_MODE = "volcano.sh/vgpu-mode"
_GPUS = {"use_types": "nvidia.com/use-gputype", "avoid_types": "nvidia.com/nouse-gputype", "use_uuids": "volcano.sh/vgpu-use-gpuuuid",
         "avoid_uuids": "volcano.sh/vgpu-nouse-gpuuuid"}


def of_job(job: Job) -> dict[str, Entry]:
    """The annotations of the job."""
    return dict(_job(job.backend.get("scheduling")))


def of_pod(task: Task) -> dict[str, Entry]:
    """The annotations of a task's pods, the way in which its GPUs are parted among them."""
    mode = task.share.mode if task.share is not None else None
    parted = {} if mode is None else {VGPU_MODE: Entry(Scalar(VGPU_MODE, mode.origin.derived()), Scalar(mode.value, mode.origin))}
    return {**parted, **dict(_pod(task.backend.get("scheduling")))}


def topology_policy(task: Task) -> Scalar | None:
    """The task's NUMA policy, a field of its own."""
    return _scalar(task.backend.get("scheduling"), "topology_policy")


def _job(given: Node | None) -> Iterator[tuple[str, Entry]]:
    yield from _flag(given, "preemptable", "volcano.sh/preemptable")
    zone = _scalar(given, "revocable_zone")
    if zone is not None and zone.value is True:
        yield _entry("volcano.sh/revocable-zone", "*", zone)
    for key in ("cooldown_time", "sla_waiting_time"):
        node = _scalar(given, key)
        if node is not None:
            yield _entry(f"volcano.sh/{key.replace('_', '-')}", duration.written(duration.seconds(node.text)), node)
    for key in ("jdb_min_available", "jdb_max_unavailable"):
        yield from _text(given, key, f"volcano.sh/{key.replace('_', '-')}")
    topology = find(given, "task_topology")
    for key, name in (("affinity", "affinity"), ("anti_affinity", "anti-affinity")):
        groups = find(topology, key)
        if isinstance(groups, Sequence) and groups.items:
            yield _entry(f"volcano.sh/task-topology-{name}", ";".join(map(_words, groups.items)), groups)
    order = find(topology, "order")
    if isinstance(order, Sequence) and order.items:
        yield _entry("volcano.sh/task-topology-task-order", _words(order), order)


def _pod(given: Node | None) -> Iterator[tuple[str, Entry]]:
    yield from _text(given, "task_priority", "volcano.sh/task-priority")
    yield from _text(given, "qos_level", "volcano.sh/qos-level")
    yield from _flag(given, "quota_burst", "volcano.sh/enable-quota-burst")
    yield from _text(given, "quota_burst_time", "volcano.sh/quota-burst-time")
    gate = _scalar(given, "queue_allocation_gate")
    if gate is not None and gate.value is True:
        yield _entry("scheduling.volcano.sh/queue-allocation-gate", "true", gate)
    strategy = find(given, "resource_strategy")
    yield from _text(strategy, "type", "volcano.sh/resource-strategy-scoring-type")
    weights = find(strategy, "weights")
    if isinstance(weights, Mapping) and weights.entries:
        from hetc.tree import plain

        yield _entry("volcano.sh/resource-strategy-weight", _json(plain(weights)), weights)
    yield from _shared(find(given, "vgpu"))


def _shared(given: Node | None) -> Iterator[tuple[str, Entry]]:
    spread = _scalar(given, "spread")
    if spread is not None and spread.value is True:
        yield _entry("volcano.sh/vgpu-podgroup-policy", "spread", spread)
    for key, annotation in _GPUS.items():
        words = find(given, key)
        if isinstance(words, Sequence) and words.items:
            yield _entry(annotation, _words(words), words)


def _json(value: object) -> str:
    import json

    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _scalar(node: Node | None, key: str) -> Scalar | None:
    found = find(node, key)
    return found if isinstance(found, Scalar) else None


def _words(node: Node) -> str:
    return ",".join(str(item.value) for item in node.items if isinstance(item, Scalar)) if isinstance(node, Sequence) else ""


def _text(given: Node | None, key: str, annotation: str) -> Iterator[tuple[str, Entry]]:
    node = _scalar(given, key)
    if node is not None:
        yield _entry(annotation, str(node.value), node)


def _flag(given: Node | None, key: str, annotation: str) -> Iterator[tuple[str, Entry]]:
    node = _scalar(given, key)
    if node is not None:
        yield _entry(annotation, str(node.value).lower(), node)


def _entry(annotation: str, value: str, node: Node) -> tuple[str, Entry]:
    told = node.origin.derived()
    return annotation, Entry(Scalar(annotation, told), Scalar(value, told))
