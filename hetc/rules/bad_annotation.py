"""Annotations of Volcano with a value that it does not read, and keys that it does not know.

Nobody refuses them: a wrong value counts as none, or as another one. With one unknown task in an annotation on task topology all of
these annotations are ignored.
Source: Volcano's scheduler and its plugins, where each annotation is parsed.
"""
from __future__ import annotations

import re

from hetc.diagnostic import WARNING, Code, Finding, Label
from hetc.duration import fault
from hetc.manifest import jobs, texts
from hetc.names import nearest, shorten
from hetc.record import Record, once
from hetc.rule import ManifestRule
from hetc.rules.owned_metadata import OWNERS
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node, Scalar

JOB, POD, BOTH = "job", "pod", "both"


class Key(Record):
    """A key of Volcano's: where it counts, what it takes, an example, whether a value fits, the scheduler plugin that it needs."""

    where: str
    takes: str
    example: str
    fits: Callable[[str], bool]
    needs: str = ""


def _one_of(*values: str) -> Callable[[str], bool]:
    return lambda value: value in values


def _is_positive_duration(value: str) -> bool:
    return fault(value) is None and value[0] != "-" and any(digit in value for digit in "123456789")


def _is_budget(value: str) -> bool:
    return re.fullmatch(r"0*[1-9][0-9]{0,8}|[1-9][0-9]?%", value) is not None


def _is_int32(value: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]{1,40}", value) is not None and -(2**31) <= int(value) < 2**31


def _is_weights(value: str) -> bool:
    """Whether a text is a JSON object of whole numbers."""
    import json

    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and all(type(weight) is int for weight in found.values())


def _is_anything(value: str) -> bool:
    return True


_BOOLEANS = ("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False")
_TASKS = "names of tasks"
MINIMUM, MAXIMUM = "volcano.sh/jdb-min-available", "volcano.sh/jdb-max-unavailable"
STRATEGY, WEIGHT = "volcano.sh/resource-strategy-scoring-type", "volcano.sh/resource-strategy-weight"
TOPOLOGY = tuple(f"volcano.sh/task-topology-{name}" for name in ("affinity", "anti-affinity", "task-order"))
_BUDGET = "a number above 0, or 1% to 99%"

KEYS: dict[str, Key] = {
    "volcano.sh/preemptable": Key(BOTH, "`true` or `false`", "true", _one_of(*_BOOLEANS)),
    "volcano.sh/cooldown-time": Key(BOTH, "a duration", "10m", lambda value: fault(value) is None, "cdp"),
    "volcano.sh/revocable-zone": Key(BOTH, "`*`", "*", _one_of("*"), "tdm"),
    MINIMUM: Key(BOTH, _BUDGET, "1", _is_budget, "tdm"),
    MAXIMUM: Key(BOTH, _BUDGET, "1", _is_budget, "tdm"),
    "volcano.sh/sla-waiting-time": Key(JOB, "a duration above zero", "1h", _is_positive_duration, "sla"),
    "sla-waiting-time": Key(JOB, "a duration above zero", "1h", _is_positive_duration, "sla"),
    **{key: Key(JOB, _TASKS, "", _is_anything, "task-topology") for key in TOPOLOGY},
    "volcano.sh/numa-topology-policy": Key(
        POD, "none, best-effort, restricted or single-numa-node", "best-effort",
        _one_of("none", "best-effort", "restricted", "single-numa-node"), "numa-aware"),
    "volcano.sh/task-priority": Key(POD, "a whole number of 32 bits", "100", _is_int32),
    STRATEGY: Key(POD, "text", "", _is_anything, "resource-strategy-fit"),
    WEIGHT: Key(POD, "a JSON object of whole numbers", '{"cpu": 1}', _is_weights, "resource-strategy-fit"),
    "volcano.sh/vgpu-mode": Key(POD, "hami-core or mig", "hami-core", _one_of("hami-core", "mig", "mps"), "deviceshare"),
    "volcano.sh/vgpu-podgroup-policy": Key(POD, "spread", "spread", _one_of("spread"), "deviceshare"),
    "volcano.sh/vgpu-use-gpuuuid": Key(POD, "GPUs", "", _is_anything, "deviceshare"),
    "volcano.sh/vgpu-nouse-gpuuuid": Key(POD, "GPUs", "", _is_anything, "deviceshare"),
    "nvidia.com/use-gputype": Key(POD, "GPU types", "", _is_anything, "deviceshare"),
    "nvidia.com/nouse-gputype": Key(POD, "GPU types", "", _is_anything, "deviceshare"),
    "huawei.com/vnpu-mode": Key(POD, "hami-core", "hami-core", _one_of("hami-core"), "deviceshare"),
    "hccl/rankIndex": Key(POD, "text", "", _is_anything),
    "volcano.sh/qos-level": Key(POD, "LC, HLS, LS or BE", "LS", _one_of("LC", "HLS", "LS", "BE")),
    "volcano.sh/enable-quota-burst": Key(POD, "`true` or `false`", "true", _one_of("true", "false")),
    "volcano.sh/quota-burst-time": Key(POD, "a whole number", "100000", _is_int32),
    "volcano.sh/resource-group": Key(POD, "text", "", _is_anything),
    "scheduling.volcano.sh/queue-allocation-gate": Key(POD, "`true`", "true", _one_of("true", "false")),
}
#: Keys behind `volcano.sh/` that others than these rules read.
_MORE = ("job-type", "hierarchy", "hierarchy-weights", "network-bandwidth-rate", "network-topology-mode", "network-topology-highest-tier")
PREFIX = "volcano.sh/"


class Pair(Record):
    """A label or annotation of a job or, with `task`, of its pods."""

    what: str
    key: Scalar
    value: Scalar
    task: TaskView | None = None

    @property
    def name(self) -> str:
        return str(self.key.value)


def metadata(job: JobView) -> Node | None:
    """The metadata that a Job has or will have."""
    return find(job.document, "spec", "jobTemplate", "metadata") if job.kind == "CronJob" else find(job.node, "metadata")


@once
def pairs(job: JobView) -> tuple[Pair, ...]:
    """The labels and annotations of a job, and those of its pods."""
    return tuple(_pairs(job))


def _pairs(job: JobView) -> Iterator[Pair]:
    for task in (None, *job.tasks):
        holder = metadata(job) if task is None else find(task.template, "metadata")
        for what, group in (("label", "labels"), ("annotation", "annotations")):
            for key, value in texts(find(holder, group)):
                yield Pair(what, key, value, task)


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        known = {task.name for task in job.tasks}
        for pair in pairs(job):
            yield from _value(pair)
            if pair.name in TOPOLOGY and pair.task is None and pair.what == "annotation":
                yield from _topology(pair, known)
        for task in (None, *job.tasks):
            holder = metadata(job) if task is None else find(task.template, "metadata")
            yield from _couples({str(key.value): key for key, _ in texts(find(holder, "annotations"))}, task)


def _value(pair: Pair) -> Iterator[Finding]:
    key, value = KEYS.get(pair.name), str(pair.value.value)
    if key is not None and not key.fits(value):
        yield Finding(f"{pair.what} `{pair.name}` takes {key.takes}, not `{shorten(value)}`", pair.value.origin.span,
                      f"write `{key.example}`")
    elif key is None and pair.name.startswith(PREFIX) and pair.name not in OWNERS:
        own = pair.name.removeprefix(PREFIX)
        close = nearest(own, [*(each.removeprefix(PREFIX) for each in KEYS if each.startswith(PREFIX)), *_MORE])
        if close is not None and close != own:
            yield Finding(f"Volcano knows no {pair.what} `{shorten(pair.name)}`", pair.key.origin.span, f"did you mean `{PREFIX}{close}`?")


def _topology(pair: Pair, known: set[str]) -> Iterator[Finding]:
    """The first task in groups of tasks, `a,b;c,d`, that makes Volcano ignore them."""
    seen = set()
    for name in re.split("[,;]", str(pair.value.value)):
        if name in seen or name not in known:
            close = nearest(name, known)
            yield Finding(f"annotation `{pair.name}` names task `{shorten(name)}` twice: Volcano ignores it" if name in seen else
                          f"annotation `{pair.name}` names `{shorten(name)}`, which is no task of the job: Volcano ignores it",
                          pair.value.origin.span, "name it once" if name in seen else f"did you mean `{close}`?" if close else
                          "name tasks of the job: `a,b;c,d`")
            return
        seen.add(name)


def _couples(keys: dict[str, Scalar], task: TaskView | None) -> Iterator[Finding]:
    """Keys that exclude each other, or need each other."""
    if MINIMUM in keys and MAXIMUM in keys:
        effect = "and Volcano's webhook for pods refuses them together" if task is not None else f"and only `{MINIMUM}` reaches the pods"
        yield Finding(f"annotation `{MAXIMUM}` stands beside `{MINIMUM}`, {effect}", keys[MAXIMUM].origin.span, "keep one of the two",
                      (Label(keys[MINIMUM].origin.span, "the other one"),))
    for one, other in ((STRATEGY, WEIGHT), (WEIGHT, STRATEGY)):
        if one in keys and other not in keys:
            yield Finding(f"annotation `{one}` does nothing without `{other}`", keys[one].origin.span, "add the other one")


RULE = ManifestRule(Code("HET626", "bad-annotation", WARNING, "an annotation with a value or key that Volcano does not read"), check)
