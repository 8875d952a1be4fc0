"""The plan for programs; the form is `schemas/plan.schema.json`."""
from __future__ import annotations

import json

from hetc import ir
from hetc.plan.facts import value
from hetc.plan.values import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from hetc.emit.description import Description
    from hetc.ir import Job, Task
    from hetc.source import Span

    Json: TypeAlias = "str | int | bool | None | list[Json] | dict[str, Json]"


def render(job: Job, described: Description, origins: bool, build: str) -> str:
    """One JSON object."""
    return json.dumps(data(job, described, origins, build), ensure_ascii=True, indent=2) + "\n"


def data(job: Job, described: Description, origins: bool, build: str) -> dict[str, Json]:
    """The plan as plain data."""
    sums = ir.totals(job)
    result: dict[str, Json] = {
        "version": 1,
        "job": {
            "name": job.name.value, "namespace": value(job.namespace), "priority_class": value(job.priority_class),
            "sku": value(job.sku), "context": value(job.context),
        },
        "backend": {"name": described.backend, **dict(described.settings)},
        "tasks": [_task(task, described) for task in job.tasks],
        "totals": {"nodes": sums.pods, "gpu_nodes": sums.gpu_pods, "gpus": sums.gpus, "processes": sums.processes},
        "gang": {"minimum": ir.gang_minimum(job, sums).value, **_gang(job), "rules": list(described.gang)},
        "adds": [{"kind": each.kind, "name": each.name, "what": each.what} for each in described.additions],
        "needs": [{"kind": each.kind, "name": each.name} for each in described.needs],
        "build": build,
        "submit": described.submit,
        "notes": list(described.notes),
    }
    if origins:
        result["origins"] = [
            {"path": path, "value": text, "how": origin.how, **_place(origin.span), "beat": [_place(span) for span in origin.beat]}
            for path, text, origin in values(job, described)
        ]
    return result


def _task(task: Task, described: Description) -> dict[str, Json]:
    script = described.scripts[task.name.value]
    affinity = task.affinity
    return {
        "name": task.name.value,
        "replicas": task.replicas.value,
        "minimum": task.minimum.value,
        "cpu": task.cpu.value.canonical() if task.cpu else None,
        "memory": task.memory.value.canonical() if task.memory else None,
        "gpus": task.gpus.value,
        "gpu_resource": task.gpu_resource if task.gpus.value else None,
        "gpu_model": value(task.gpu_model),
        "rdma": task.rdma.value,
        "processes": task.processes.value,
        "rank": task.rank,
        "pods": list(described.pods[task.name.value]),
        "node_selector": {key.value: label.value for key, label in task.node_selector},
        "node_affinity": {"key": affinity.key.value, "values": [each.value for each in affinity.values]} if affinity else None,
        "pack": {"tier": task.pack.value.tier, "mode": task.pack.value.mode} if task.pack else None,
        "image": value(task.image),
        "command": [line.value for line in task.command],
        "exec": script.exec if script else None,
        "why_not_exec": script.why_not if script else None,
    }


def _gang(job: Job) -> dict[str, Json]:
    gang = job.gang
    return {
        "fail": gang.fail.value if gang.fail else ir.FAIL,
        "retries": gang.retries.value if gang.retries else None,
        "done": gang.done.value if gang.done else ir.ALL,
        "pack": {"tier": gang.pack.value.tier, "mode": gang.pack.value.mode} if gang.pack else None,
    }


def _place(span: Span) -> dict[str, Json]:
    line, column = span.start_position()
    return {"file": span.source.name, "line": line, "column": column}
