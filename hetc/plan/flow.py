"""The plan of a flow: its jobs in the order in which Volcano makes them; the form for programs is `schemas/flow-plan.schema.json`."""
from __future__ import annotations

from hetc import ir
from hetc.names import counted
from hetc.plan.facts import printable
from hetc.plan.text import table
from hetc.source import UsageError
from hetc.tree import Scalar, Sequence, find, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hetc.pipeline import Unit
    from hetc.tree import Node


def render(unit: Unit, form: str, build: str) -> str:
    """The plan as `text`, `json` or `markdown`; `build`: the command that makes the manifests. Raises UsageError for another form."""
    data = _data(unit, f"{build} | kubectl apply -f -")
    if form == "json":
        import json

        return json.dumps(data, ensure_ascii=True, indent=2) + "\n"
    if form == "svg":
        raise UsageError("a flow has no picture; `--format` takes `text`, `json`, `markdown` for it")
    lines = _markdown(data) if form == "markdown" else _text(data)
    return "".join(f"{line}\n" for line in lines)


def _data(unit: Unit, submit: str) -> dict[str, Any]:
    """The plan as plain data."""
    spec = find(unit.document, "spec")
    waits = {str(plain(name)): plain(targets) if targets is not None else [] for name, targets in _flows(spec)}
    name, namespace, retain = (_word(find(unit.document, *path)) for path in (
        ("metadata", "name"), ("metadata", "namespace"), ("spec", "jobRetainPolicy")))
    steps = _steps(waits)
    jobs = [{
        "name": part.job.name.value, "step": steps[part.job.name.value], "depends_on": waits[part.job.name.value],
        "makes": f"{name}-{part.job.name.value}", "source": part.source.name, "nodes": sums.pods, "gpus": sums.gpus,
    } for part in unit.parts if part.job is not None for sums in (ir.totals(part.job),)]
    return {
        "version": 1,
        "flow": {"name": name, "namespace": namespace, "retain": retain},
        "jobs": sorted(jobs, key=lambda job: job["step"]), "submit": submit,
    }


def _word(node: Node | None) -> str | None:
    return str(node.value) if isinstance(node, Scalar) else None


def _flows(spec: Node | None) -> Iterator[tuple[Any, Any]]:
    flows = find(spec, "flows")
    for each in flows.items if isinstance(flows, Sequence) else ():
        yield find(each, "name"), find(each, "dependsOn", "targets")


def _steps(waits: dict[str, Any]) -> dict[str, int]:
    """Which step each job is in, from 1: behind all that it waits for. Jobs that wait for each other share one."""
    steps: dict[str, int] = {}
    step, left = 1, list(waits)
    while left:
        ready = [name for name in left if all(target in steps or target not in waits for target in waits[name])] or left
        steps.update(dict.fromkeys(ready, step))
        step, left = step + 1, [name for name in left if name not in steps]
    return steps


def _rows(data: dict[str, Any]) -> list[dict[str, str]]:
    return [{
        "step": str(job["step"]), "job": job["name"], "waits for": ", ".join(job["depends_on"]) or "-", "makes": job["makes"],
        "nodes": str(job["nodes"]), "gpu": str(job["gpus"] or "-"), "source": printable(job["source"]),
    } for job in data["jobs"]]


def _head(data: dict[str, Any]) -> str:
    flow = data["flow"]
    place = f"namespace {flow['namespace']}, " if flow["namespace"] is not None else ""
    kept = "kept" if flow["retain"] == "retain" else "deleted"
    return f"{place}{counted(len(data['jobs']), 'job')}, {kept} once all have completed"


def _text(data: dict[str, Any]) -> Iterator[str]:
    yield f"{data['flow']['name']}: {_head(data)}"
    yield ""
    yield from table(_rows(data))
    yield from ("", "submit", f"  {printable(data['submit'])}")


def _markdown(data: dict[str, Any]) -> Iterator[str]:
    rows = _rows(data)
    yield f"## Flow `{data['flow']['name']}`"
    yield from ("", f"{_head(data)[:1].upper()}{_head(data)[1:]}.", "")
    yield f"| {' | '.join(rows[0])} |"
    yield f"| {' | '.join('---' for _ in rows[0])} |"
    yield from (f"| {' | '.join(value.replace('|', chr(92) + '|') for value in row.values())} |" for row in rows)
