"""WORLD_SIZE by hand that is not the number of the job's pods, nor of its devices, one process for each.

Processes wait for each other until all of WORLD_SIZE have come: with too many the job hangs, with too few the rest is turned away.
"""
from __future__ import annotations

import re

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import jobs, number, text
from hetc.rule import ManifestRule
from hetc.rules.task_roles import sets_ranks
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site

VARIABLE = "WORLD_SIZE"
_NUMBER = re.compile(r"[0-9]{1,9}")
#: Resources of which one process takes one.
_DEVICE = re.compile(r".+/(gpu|npu|tpu|vgpu-number|mig-.+|Ascend[0-9A-Za-z]+)")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        if VARIABLE in job.variables and not manifest.emitted:
            yield from _job(job)


def _job(job: JobView) -> Iterator[Finding]:
    pods, ranked = job.replicas, sets_ranks(job)
    devices = sum(task.replicas * _devices(task) for task in job.tasks)
    for _, container, variable in job.variables[VARIABLE]:
        if ranked and container.list == "containers":
            continue  # the plugin's own wins
        node = variable.get("value")
        value = text(node) or ""
        if node is not None and _NUMBER.fullmatch(value) and int(value) not in (pods, devices or pods):
            and_devices = f" and {devices} GPUs" if devices else ""
            yield Finding(f"`{VARIABLE}` is `{value}`, and the job has {pods} pods{and_devices}", node.origin.span,
                          f"write `{pods}`, or `{devices}` with a process for each GPU" if devices else f"write `{pods}`")


def _devices(task: TaskView) -> int:
    """The devices of one pod."""
    limits = [find(each.node, "resources", "limits") for each in task.containers() if each.list == "containers"]
    entries = [(key, entry.value) for each in limits if isinstance(each, Mapping) for key, entry in each.entries.items()]
    return sum(_amount(value) for key, value in entries if _DEVICE.fullmatch(key) and isinstance(value, Scalar))


def _amount(value: Scalar) -> int:
    written = text(value) or ""
    return number(value) or (int(written) if _NUMBER.fullmatch(written) else 0)


RULE = ManifestRule(Code("HET617", "world-size", WARNING, "a WORLD_SIZE that the job's pods do not make up"), check)
