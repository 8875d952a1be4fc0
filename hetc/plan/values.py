"""Every value of a job in overlay keys, with where it came from."""
from __future__ import annotations

from hetc import duration, ir
from hetc.origin import FILE_NAME, WRITTEN
from hetc.plan.facts import printable
from hetc.tree import leaves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from hetc.emit.description import Description
    from hetc.ir import Job, Reference, Task
    from hetc.origin import Located, Origin
    from hetc.source import Span

    #: A path in overlay keys, its value as text, and where that came from.
    Value: TypeAlias = tuple[str, str, Origin]


def values(job: Job, described: Description) -> Iterator[Value]:
    """Every value of the job that a source set or hetc worked out, in overlay keys, with its origin."""
    for key in ("name", "namespace", "priority_class", "service_account", "ttl_seconds_after_finished", "context", "sku"):
        yield from _one(key, getattr(job, key))
    yield from ((path, value.value, value.origin) for path, value in described.own if not path.startswith("tasks."))
    for key in ("minimum", "fail", "retries", "done", "pack"):
        yield from _one(f"gang.{key}", getattr(job.gang, key))
    if job.gang.start is not None:
        yield "gang.start", duration.written(job.gang.start.value), job.gang.start.origin
    yield from _named("labels", job.labels)
    yield from _named("annotations", job.annotations)
    for number, secret in enumerate(job.image_pull_secrets):
        yield from _one(f"image_pull_secrets[{number}]", secret)
    yield from _mounts("mounts", job.mounts)
    for task in job.tasks:
        path = f"tasks.{task.name.value}"
        yield from _task_values(path, task)
        yield from ((own, value.value, value.origin) for own, value in described.own if own.startswith(f"{path}."))
        if task.mounts != job.mounts:
            yield from _mounts(f"{path}.mounts", task.mounts)


def _mounts(path: str, mounts: tuple[ir.Mount, ...]) -> Iterator[Value]:
    for mount in mounts:
        for key in ("path", "kind", "source", "size", "sub_path", "read_only"):
            yield from _one(f"{path}.{mount.name.value}.{key}", getattr(mount, key))
        if mount.mode is not None:
            yield f"{path}.{mount.name.value}.mode", f"0{mount.mode.value:o}", mount.mode.origin
        yield from _named(f"{path}.{mount.name.value}.items", mount.items)


def _task_values(path: str, task: Task) -> Iterator[Value]:
    for key in ("replicas", "minimum", "cpu", "memory", "gpus", "gpu_model", "rdma", "disk", "processes", "pack"):
        yield from _one(f"{path}.{key}", getattr(task, key))
    if task.time_limit is not None:
        yield f"{path}.time_limit", duration.written(task.time_limit.value), task.time_limit.origin
    for key in ("memory", "cores", "mode") if task.share is not None else ():
        yield from _one(f"{path}.vgpu.{key}", getattr(task.share, key))
    yield from _named(f"{path}.resource_claims", task.claims)
    yield from _named(f"{path}.node_selector", task.node_selector)
    if task.affinity is not None:
        products = ", ".join(product.value for product in task.affinity.values)
        yield f"{path}.node_affinity.{task.affinity.key.value}", products, task.affinity.values[0].origin
    for key, nodes in (("tolerations", task.tolerations), ("affinity.required", task.required), ("affinity.preferred", task.preferred)):
        for number, node in enumerate(nodes):
            yield from ((where, value.value, value.origin) for where, value in leaves(f"{path}.{key}[{number}]", node))
    for key in ("user", "group", "fs_group") if task.run_as is not None else ():
        yield from _one(f"{path}.run_as.{key}", getattr(task.run_as, key))
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


def came(origin: Origin) -> str:
    """Where a value came from, how unless it was written, and whom it beat."""
    over = f", over {', '.join(_shown(span) for span in origin.beat)}" if origin.beat else ""
    how = "" if origin.how == WRITTEN else " (the file's name)" if origin.how == FILE_NAME else f" ({origin.how})"
    return f"{_shown(origin.span)}{how}{over}"


def _shown(span: Span) -> str:
    line, column = span.start_position()
    return f"{printable(span.source.name)}:{line}:{column}"
