"""The expanded shape of a job, for people and as JSON (`schemas/plan.schema.json`). Both forms say the same.

Nothing here knows a back end: what one makes of the job comes as its `Description`.
"""
from __future__ import annotations

from hetc import ir
from hetc.origin import FILE_NAME, WRITTEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from hetc.emit.description import Description
    from hetc.ir import Job, Reference, Task
    from hetc.origin import Located, Origin
    from hetc.source import Span

    Json: TypeAlias = "str | int | bool | None | list[Json] | dict[str, Json]"
    #: A path in overlay keys, its value as text, and where that came from.
    Value: TypeAlias = tuple[str, str, Origin]

#: Columns whose values are numbers, which stand to the right.
NUMBERS = frozenset(("replicas", "min", "cpu", "mem", "gpu", "rdma", "ppn", "rank"))

#: The longest value that `--origins` repeats whole, in characters.
LONGEST = 60


def render(job: Job, described: Description, form: str, origins: bool, build: str = "hetc build …") -> str:
    """The plan as `text` or `json`; `origins`: with the place of every value; `build`: the command that makes the manifest."""
    if form == "json":
        import json

        return json.dumps(data(job, described, origins, build), ensure_ascii=True, indent=2) + "\n"
    lines = [*_text(job, described, build), *(_origins(job, described) if origins else ())]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def data(job: Job, described: Description, origins: bool, build: str) -> dict[str, Json]:
    """The plan for programs."""
    sums = ir.totals(job)
    result: dict[str, Json] = {
        "version": 1,
        "job": {
            "name": job.name.value, "namespace": _value(job.namespace), "priority_class": _value(job.priority_class),
            "sku": _value(job.sku), "context": _value(job.context),
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
            {"path": path, "value": value, "how": origin.how, **_place(origin.span), "beat": [_place(span) for span in origin.beat]}
            for path, value, origin in values(job, described)
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
        "gpu_model": _value(task.gpu_model),
        "rdma": task.rdma.value,
        "processes": task.processes.value,
        "rank": task.rank,
        "pods": list(described.pods[task.name.value]),
        "node_selector": {key.value: value.value for key, value in task.node_selector},
        "node_affinity": {"key": affinity.key.value, "values": [each.value for each in affinity.values]} if affinity else None,
        "pack": {"tier": task.pack.value.tier, "mode": task.pack.value.mode} if task.pack else None,
        "image": _value(task.image),
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


def _value(value: Located[str] | None) -> str | None:
    return None if value is None else value.value


def _text(job: Job, described: Description, build: str) -> Iterator[str]:
    sums = ir.totals(job)
    yield _title(job, described)
    yield ""
    yield from table([_row(task) for task in job.tasks])
    yield ""
    nodes = f"{_count(sums.pods, 'node')}, {_count(sums.gpu_pods, 'GPU node')}"
    yield f"{nodes}, {_count(sums.gpus, 'GPU')}, {_count(sums.processes, 'process', 'processes')}"
    yield from _families(job)
    yield from _section("gang", described.gang)
    yield from _section("pods", (_pods(task, described) for task in job.tasks))
    yield from _commands(job)
    yield from _section(f"{described.backend} adds", _pairs([(f"{each.kind} {each.name}", each.what) for each in described.additions]))
    yield from _section("the cluster must have", [f"{each.kind} {each.name}" for each in described.needs])
    yield from _section("submit", [f"{build} | {described.submit}"])
    yield from _section("notes", described.notes)


def _title(job: Job, described: Description) -> str:
    facts = [("namespace", _value(job.namespace)), *described.settings, ("priority", _value(job.priority_class)),
             ("sku", _value(job.sku)), ("context", _value(job.context))]
    return f"{job.name.value}: {', '.join(f'{name} {printable(value)}' for name, value in facts if value is not None)}"


def _row(task: Task) -> dict[str, str]:
    return {
        "task": task.name.value,
        "replicas": str(task.replicas.value),
        "min": str(task.minimum.value),
        "cpu": task.cpu.value.canonical() if task.cpu else "-",
        "mem": task.memory.value.canonical() if task.memory else "-",
        "gpu": str(task.gpus.value or "-"),
        "model": _value(task.gpu_model) or "-",
        "rdma": str(task.rdma.value or "-"),
        "ppn": str(task.processes.value),
        "rank": str(task.rank),
        "image": printable(_value(task.image) or "-"),
        "nodes": ", ".join(f"{key.value}={value.value}" for key, value in task.node_selector) or ("by model" if task.affinity else "any"),
    }


def table(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    """Rows under the names of their columns; numbers to the right, text to the left."""
    names = list(rows[0])
    widths = {name: max(len(name), *(len(row[name]) for row in rows)) for name in names}
    for row in ({name: name for name in names}, *rows):
        cells = (row[name].rjust(widths[name]) if name in NUMBERS else row[name].ljust(widths[name]) for name in names)
        yield "  ".join(cells).rstrip()


def _families(job: Job) -> Iterator[str]:
    """The products of each GPU family that a task leaves the choice of."""
    families = {(_value(task.gpu_model), task.affinity.key.value): task.affinity for task in job.tasks if task.affinity}
    for (model, key), affinity in families.items():
        yield f"{model} is one of {', '.join(each.value for each in affinity.values)} ({key})"


def _pods(task: Task, described: Description) -> str:
    first, last = described.pods[task.name.value]
    names = first if task.replicas.value == 1 else f"{first} to {last}"
    script = described.scripts[task.name.value]
    if script is None:
        return f"{names}: no command yet"
    if script.exec:
        return f"{names}: the last line is run by exec"
    return f"{names}: the last line is not run by exec: {script.why_not}"


def _commands(job: Job) -> Iterator[str]:
    """The lines of commands that come from several places, such as a template and the command line."""
    tasks: dict[tuple[str, ...], list[str]] = {}
    for task in job.tasks:
        if len({line.span.source.name for line in task.command}) > 1:
            tasks.setdefault(tuple(line.value for line in task.command), []).append(task.name.value)
    for lines, names in tasks.items():
        yield from _section(f"command of {', '.join(names)}", [part for line in lines for part in line.splitlines()])


def _pairs(pairs: Sequence[tuple[str, str]]) -> list[str]:
    width = max((len(left) for left, _ in pairs), default=0)
    return [f"{left:<{width}}  {right}" for left, right in pairs]


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    body = [f"  {printable(line)}" for line in lines]
    if body:
        yield ""
        yield title
        yield from body


def _origins(job: Job, described: Description) -> Iterator[str]:
    """A table of the values and their places."""
    yield ""
    rows = [{"value": f"{path} = {_short(value)}", "from": _came(origin)} for path, value, origin in values(job, described)]
    yield from table(rows)


def _came(origin: Origin) -> str:
    over = f", over {', '.join(_shown(span) for span in origin.beat)}" if origin.beat else ""
    how = "" if origin.how == WRITTEN else " (the file's name)" if origin.how == FILE_NAME else f" ({origin.how})"
    return f"{_shown(origin.span)}{how}{over}"


def values(job: Job, described: Description) -> Iterator[Value]:
    """Every value of the job that a source set or hetc worked out, in overlay keys, with its origin."""
    for key in ("name", "namespace", "priority_class", "service_account", "ttl_seconds_after_finished", "context", "sku"):
        yield from _one(key, getattr(job, key))
    yield from ((path, value.value, value.origin) for path, value in described.own)
    for key in ("minimum", "fail", "retries", "done", "pack"):
        yield from _one(f"gang.{key}", getattr(job.gang, key))
    yield from _named("labels", job.labels)
    yield from _named("annotations", job.annotations)
    for number, secret in enumerate(job.image_pull_secrets):
        yield from _one(f"image_pull_secrets[{number}]", secret)
    for mount in job.mounts:
        for key in ("path", "kind", "source", "size", "sub_path", "read_only"):
            yield from _one(f"mounts.{mount.name.value}.{key}", getattr(mount, key))
        if mount.mode is not None:
            yield f"mounts.{mount.name.value}.mode", f"0{mount.mode.value:o}", mount.mode.origin
        yield from _named(f"mounts.{mount.name.value}.items", mount.items)
    for task in job.tasks:
        yield from _task_values(f"tasks.{task.name.value}", task)


def _task_values(path: str, task: Task) -> Iterator[Value]:
    for key in ("replicas", "minimum", "cpu", "memory", "gpus", "gpu_model", "rdma", "processes", "pack"):
        yield from _one(f"{path}.{key}", getattr(task, key))
    yield from _named(f"{path}.node_selector", task.node_selector)
    if task.affinity is not None:
        products = ", ".join(product.value for product in task.affinity.values)
        yield f"{path}.node_affinity.{task.affinity.key.value}", products, task.affinity.values[0].origin
    for key in ("image", "image_pull_policy", "working_dir", "shell", "shm_size"):
        yield from _one(f"{path}.{key}", getattr(task, key))
    for key, lines in (("setup", task.setup), ("command", task.command)):
        for number, line in enumerate(lines):
            yield from _one(f"{path}.{key}[{number}]", line)
    for variable in task.env:
        value = variable.value
        where = f"{path}.env.{variable.name.value}"
        yield from _reference(where, value) if isinstance(value, ir.Reference) else _one(where, value)
    for number, reference in enumerate(task.env_from):
        yield from _reference(f"{path}.env_from[{number}]", reference)
    yield from _named(f"{path}.labels", task.labels)
    yield from _named(f"{path}.annotations", task.annotations)


def _one(path: str, value: Located[object] | None) -> Iterator[Value]:
    if value is not None:
        yield path, _written(value.value), value.origin


def _written(value: object) -> str:
    """A value as an overlay or a request writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, ir.Pack):
        return f"{value.tier}:{value.mode}"
    canonical = getattr(value, "canonical", None)
    return str(value) if canonical is None else str(canonical())


def _named(path: str, pairs: Iterable[tuple[Located[str], Located[str]]]) -> Iterator[Value]:
    for key, value in pairs:
        yield from _one(f"{path}.{key.value}", value)


def _reference(path: str, reference: Reference) -> Iterator[Value]:
    yield from _one(f"{path}.{reference.kind}", reference.name)
    yield from _one(f"{path}.key", reference.key)


def _place(span: Span) -> dict[str, Json]:
    line, column = span.start_position()
    return {"file": span.source.name, "line": line, "column": column}


def _shown(span: Span) -> str:
    line, column = span.start_position()
    return f"{printable(span.source.name)}:{line}:{column}"


def _short(text: str) -> str:
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST - 1]}…"


def printable(text: str) -> str:
    """Text on one line, without what could disturb a terminal."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def _count(number: int, word: str, many: str | None = None) -> str:
    return f"{number} {word if number == 1 else many or word + 's'}"
