"""What an editor shows of the word under the cursor: its meaning, what it comes to, and where the values in force come from."""
from __future__ import annotations

import os
from importlib import import_module

from hetc import discover
from hetc.fields import MapOf, Tasks
from hetc.gpu import Family, Product
from hetc.lsp import place, rows, words
from hetc.origin import DERIVED, INHERITED
from hetc.pipeline import BACKENDS
from hetc.plan.facts import printable, row
from hetc.plan.values import values
from hetc.read import het
from hetc.read.template_fields import TASKS
from hetc.record import Record
from hetc.source import Span
from hetc.system import relative
from hetc.tree import Scalar, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hetc.emit.description import Description
    from hetc.fields import Field
    from hetc.ir import Job, Task
    from hetc.lsp.desk import Desk, Looked
    from hetc.lsp.place import Found
    from hetc.origin import Origin
    from hetc.pipeline import Unit
    from hetc.site import Site

#: The most values that one hover lists.
MOST = 12


class Hover(Record):
    """Markdown about the half-open range of a text."""

    text: str
    start: int
    end: int


def hover(desk: Desk, looked: Looked, offset: int) -> Hover | None:
    """What there is to say about an offset of an open file."""
    start = 0
    if looked.kind == discover.REQUEST:
        end, start = het.split(looked.source)
        if offset < end:
            return _request(desk, looked, end, offset)
    if offset < start or not rows.of(looked):
        return None
    found = place.standing(looked.source, start, offset)
    return _yaml(desk, looked, found) if found else None


# The request.

def _request(desk: Desk, looked: Looked, end: int, offset: int) -> Hover | None:
    text = looked.source.text
    spot = place.spot(text, end, offset)
    if spot is None or spot.word[0] == spot.word[1]:
        return None
    start, after = spot.word
    word, inside = text[start:after], spot.brackets.inside
    first, last = place.item(text, end, start)
    key = spot.key or word
    paragraphs = [f"**{key}**: {doc}" if (doc := words.meaning(inside, key, looked.site)) else ""]
    if inside == "":
        paragraphs.extend(_cards(desk, looked, lambda task: _group_at(looked, task, start)))
    elif inside == place.GROUP and key == "gpu" and spot.parts == 2:
        paragraphs.append(_model(looked.site, word.strip('"')))
    if inside:
        paragraphs.append(_list(desk, looked, lambda span: first <= span.start and span.end <= last))
    return _hover(paragraphs, start, after)


def _group_at(looked: Looked, task: Task, offset: int) -> bool:
    """Whether the name or the count of the group that a task comes from stands at an offset."""
    return any(_own(looked, span) and span.start <= offset < span.end for span in (task.origin.span, task.replicas.span))


def _cards(desk: Desk, looked: Looked, wanted: Callable[[Task], bool]) -> Iterator[str]:
    """What the tasks come to that are wanted, in each job that a file takes part in."""
    for unit, job in desk.jobs(looked.source):
        described = _described(unit, job)
        yield from (_card(job, task, described) for task in job.tasks if wanted(task))


def _card(job: Job, task: Task, described: Description | None) -> str:
    """A task: its pods, their ranks, what each gets, where they may run, what they run."""
    cells = row(task)
    count = task.replicas.value
    ranks = f"rank {task.rank}" if count == 1 else f"ranks {task.rank} to {task.rank + count - 1}"
    lines = [f"**{task.name.value}**: {count} {'replica' if count == 1 else 'replicas'}, {ranks}", ""]
    amounts = [f"{key} {cells[key]}" for key in ("cpu", "mem", "gpu", "rdma", "ppn") if cells[key] != "-"]
    lines.append(f"- each: {', '.join(amounts)}" + (f" ({task.gpu_resource})" if task.gpus.value else ""))
    lines.append(f"- starts with {'all' if task.minimum.value == count else f'at least {task.minimum.value}'} of them")
    if task.affinity is not None:
        lines.append(f"- nodes: `{task.affinity.key.value}` is one of {_codes(each.value for each in task.affinity.values)}")
    if task.node_selector:
        lines.append(f"- nodes: {_codes(f'{key.value}={value.value}' for key, value in task.node_selector)}")
    if described is not None:
        first, last = described.pods[task.name.value]
        lines.append(f"- pods: `{first}`" + (f" to `{last}`" if count > 1 else ""))
    home = os.path.dirname(job.origin.span.source.name)
    if task.image is not None:
        lines.append(f"- image: `{printable(task.image.value)}` ({_came(task.image.origin, home)})")
    return "\n".join(lines)


def _model(site: Site, model: str) -> str:
    """The nodes that a GPU model means."""
    found = site.gpu.lookup(model)
    if isinstance(found, Family):
        return f"`{found.name}` is a family: nodes whose `{found.label}` is one of {_codes(found.products)}."
    known = "" if isinstance(found, Product) else " No product of this name is known."
    return f"Nodes with `{found.label}={found.product}`.{known}"


# YAML.

def _yaml(desk: Desk, looked: Looked, found: list[Found]) -> Hover | None:
    here = found[-1]
    named = next((each for each in reversed(found) if each.is_key), None)
    if named is None or named.entry is None:
        return None
    type, field = rows.along(rows.of(looked), named.path)
    spans = {node.origin.span for node in walk(named.entry.value) if isinstance(node, Scalar)}
    around, _ = rows.along(rows.of(looked), named.path[:-1])
    name = str(named.path[-1])
    paragraphs = [_doc(field, name)] if field is not None and type is not None else []
    if isinstance(around, Tasks) or (isinstance(around, MapOf) and around.what == TASKS.what):
        paragraphs.extend(_cards(desk, looked, lambda task: task.name.value == name))
    paragraphs.append(_list(desk, looked, lambda span: span in spans))
    span = here.node.origin.span
    return _hover(paragraphs, span.start, span.end)


def _doc(field: Field, key: str) -> str:
    """A row of the field table; below a key of the user's own it is the row around."""
    said = f"**{key}**: {field.doc}" if key == field.name else f"**{key}**, in `{field.name}`: {field.doc}"
    default = f" Default: `{field.default}`." if field.default is not None else ""
    return said + default


# Values.

def _list(desk: Desk, looked: Looked, hit: Callable[[Span], bool]) -> str:
    """The values that come from places of a file, and those that won over them, in the jobs that it takes part in."""
    lines = []
    home = os.path.dirname(looked.source.name)
    for unit, job in desk.jobs(looked.source):
        described = _described(unit, job)
        for path, value, origin in values(job, described) if described is not None else ():
            if _own(looked, origin.span) and hit(origin.span):
                lines.append(f"- `{path}` = `{_short(value)}`{_how(origin, home)}")
            elif any(_own(looked, span) and hit(span) for span in origin.beat):
                lines.append(f"- overridden by `{path}` = `{_short(value)}` ({_came(origin, home)})")
    lines = list(dict.fromkeys(lines))
    more = [f"- and {len(lines) - MOST} more"] if len(lines) > MOST else []
    return "\n".join((["In force:", "", *lines[:MOST], *more]) if lines else ())


def _own(looked: Looked, span: Span) -> bool:
    return span.source.name == looked.source.name


def _described(unit: Unit, job: Job) -> Description | None:
    """What the back end makes of a job; None of one that could not be emitted."""
    if unit.document is None:
        return None
    described: Description = import_module(f"{BACKENDS['volcano']}_plan").describe(job, unit.site)
    return described


def _how(origin: Origin, home: str) -> str:
    how = {INHERITED: ", inherited", DERIVED: ", derived"}.get(origin.how, "")
    return how + (f", over {', '.join(_place(span, home) for span in origin.beat)}" if origin.beat else "")


def _came(origin: Origin, home: str) -> str:
    return _place(origin.span, home) + _how(origin, home)


def _place(span: Span, home: str) -> str:
    """A place by the path from the folder of the file that is looked at."""
    name, (line, column) = span.source.name, span.start_position()
    return f"{relative(name, home or '.') if os.path.isabs(name) else name}:{line}:{column}"


def _short(text: str) -> str:
    text = printable(text).replace("`", "'")
    return text if len(text) <= 60 else f"{text[:59]}…"


def _codes(texts: Iterator[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{text}`" for text in texts)


def _hover(paragraphs: list[str], start: int, end: int) -> Hover | None:
    text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    return Hover(text, start, end) if text else None
