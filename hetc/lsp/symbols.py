"""The outline of a file, and where the things stand that it names."""
from __future__ import annotations

import os

from hetc import discover
from hetc.diagnostic import Report
from hetc.fields import Tasks
from hetc.lsp import place, rows
from hetc.lsp.desk import LAYER
from hetc.names import counted
from hetc.read import het
from hetc.read.yaml import read
from hetc.record import Record
from hetc.source import Source, Span
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Group, Request
    from hetc.lsp.desk import Desk, Looked

GROUP, TASK = "group", "task"


class Symbol(Record):
    """A group of a request, or what an overlay or a template says of a task."""

    name: str
    kind: str
    detail: str
    span: Span


def outline(looked: Looked) -> list[Symbol]:
    """The groups and tasks of a file, in the order written."""
    if looked.kind not in (discover.REQUEST, discover.OVERLAY, LAYER, discover.TEMPLATE):
        return []
    return [*(_group(group) for group in _groups(looked)), *(_task(key) for key in _tasks(looked))]


def _group(group: Group) -> Symbol:
    asked = [f"{name} {value.value.canonical()}" for name, value in (("cpu", group.cpu), ("mem", group.memory)) if value is not None]
    gpus = [f"gpu {group.gpus.value}"] if group.gpus is not None else []
    return Symbol(group.name.value, GROUP, ", ".join([counted(group.replicas.value, "pod"), *asked, *gpus]), group.origin.span)


def _task(key: Scalar) -> Symbol:
    return Symbol(key.text, TASK, "what the task runs", key.origin.span)


def _request(looked: Looked) -> Request | None:
    """The request of a file; None where it does not follow the grammar."""
    if looked.kind != discover.REQUEST:
        return None
    source = Source(looked.source.name, looked.source.text)
    return het.read(source, het.split(source)[0], Report(), devices=[key for key, _ in looked.site.resources])


def _groups(looked: Looked) -> tuple[Group, ...]:
    request = _request(looked)
    return request.groups if request is not None else ()


def _tasks(looked: Looked) -> Iterator[Scalar]:
    """The keys below `tasks`."""
    source = Source(looked.source.name, looked.source.text)
    start = het.split(source)[1] if looked.kind == discover.REQUEST else 0
    below = ("_extra", "volcano", "tasks")
    paths = (below, ("config", *below)) if looked.kind == discover.TEMPLATE else (("tasks",),)
    for document in read(source, Report(), start) or []:
        for path in paths:
            tasks = find(document, *path)
            if isinstance(tasks, Mapping):
                yield from (entry.key for entry in tasks.entries.values())


def definition(desk: Desk, looked: Looked, offset: int) -> Span | None:
    """Where what is named at an offset stands: a task's group, or the start of a file."""
    source, start = looked.source, 0
    if looked.kind == discover.REQUEST:
        end, start = het.split(source)
        if offset < end:
            return _named_in_request(desk, looked, end, offset)
    found = place.standing(source, start, offset) if offset >= start and rows.of(looked) else []
    if not found:
        return None
    path, here = found[-1].path, found[-1]
    if here.is_key and isinstance(rows.along(rows.of(looked), path[:-1])[0], Tasks):
        return _group_of(desk, looked, str(path[-1]))
    return _file(source, here.node.text) if looked.kind == discover.TEMPLATE and path[0] == "base" and not here.is_key else None


def _named_in_request(desk: Desk, looked: Looked, end: int, offset: int) -> Span | None:
    spot = place.spot(looked.source.text, end, offset)
    if spot is None:
        return None
    word = looked.source.text[slice(*spot.word)].strip('"')
    if spot.brackets.inside == "use":
        return _file(looked.source, word)
    if spot.brackets.inside == "gang" and spot.key == "done":
        return _group_of(desk, looked, word)
    return None


def _group_of(desk: Desk, looked: Looked, name: str) -> Span | None:
    """The group of a task: in the file itself, or in an open job that the file is a layer of."""
    for group in _groups(looked):
        if group.name.value == name:
            return group.origin.span
    for _, job in desk.jobs(looked.source):
        for task in job.tasks:
            if task.name.value == name:
                return task.origin.span
    return None


def _file(source: Source, name: str) -> Span | None:
    """The start of a file that another one names, if there is such a file."""
    path = os.path.normpath(os.path.join(os.path.dirname(source.name), name)) if name and "\0" not in name else ""
    return Span(Source(path, ""), 0, 0) if path and os.path.isfile(path) else None
