"""The gang as people draw it: a card for each group, a box for each of its nodes, a square for each GPU.

Dashed nodes may be missing when the gang starts; a dashed blue frame is a network domain. However large the gang is, the
picture stays small: long rows and many groups are drawn in part, and what is left out is counted.
"""
from __future__ import annotations

from hetc import ir
from hetc.names import counted
from hetc.plan.canvas import Canvas, measure, wrapped
from hetc.plan.facts import row, settings, totals, value
from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hetc.emit.description import Description
    from hetc.ir import Job, Pack, Task

#: The page, and how far things stand from what they are in.
WIDTH, EDGE, PAD = 880, 24, 16

#: What is drawn at most, before some is left out: groups, nodes of a group, GPUs of a node, lines about the gang.
GROUPS, NODES, GPUS, LINES = 12, 16, 16, 8

#: Nodes and GPUs beside each other; lengths of their boxes and of the gaps between these.
COLUMNS, NODE, NODE_GAP = 8, 86, 8
GPU_COLUMNS, GPU, GPU_GAP = 4, 12, 6

#: How many kinds of GPU have a colour of their own.
COLORS = 6

CARD = WIDTH - 2 * EDGE - 2 * PAD
INNER = CARD - 2 * PAD


class _Shape(Record):
    """What decides how a group is drawn: `least` of its pods are needed at the start, None where nothing is said by group."""

    task: Task
    least: int | None
    color: str


def render(job: Job, described: Description, origins: bool, build: str) -> str:
    """One SVG document; `origins` and `build` have no place in it."""
    sums = ir.totals(job)
    minimum = ir.gang_minimum(job, sums).value
    shapes = list(_shapes(job, by_group=minimum >= sums.minimum))
    canvas = Canvas(WIDTH)
    _head(canvas, job, described)
    _gang(canvas, job, shapes, f"gang of {counted(sums.pods, 'pod')}: {_some(minimum, sums.pods)} to start")
    _foot(canvas, described, any(shape.least is not None and shape.least < shape.task.replicas.value for shape in shapes))
    return canvas.document(f"Gang job {job.name.value}", _description(job, minimum))


def _shapes(job: Job, by_group: bool) -> Iterator[_Shape]:
    models: dict[tuple[str, str | None], int] = {}
    for task in job.tasks:
        number = models.setdefault((task.gpu_resource, value(task.gpu_model)), len(models)) if task.gpus.value else 0
        yield _Shape(task, task.minimum.value if by_group else None, f"gpu{number % COLORS}")


def _head(canvas: Canvas, job: Job, described: Description) -> None:
    width = WIDTH - 2 * EDGE
    canvas.text(EDGE, EDGE + 18, job.name.value, width, size=20, bold=True)
    canvas.text(EDGE, EDGE + 42, ", ".join(f"{name} {text}" for name, text in settings(job, described)), width, "quiet", 13)
    canvas.text(EDGE, EDGE + 64, totals(job), width, size=13)
    canvas.y = EDGE + 82


def _gang(canvas: Canvas, job: Job, shapes: Sequence[_Shape], label: str) -> None:
    """The frame of the gang and the groups in it."""
    top, pack = canvas.y, job.gang.pack
    taken = canvas.text(EDGE + PAD, top + 22, label, CARD // 2, bold=True)
    if pack is not None:
        _tier(canvas, EDGE + PAD + taken + 16, top + 22, pack.value, CARD - taken - 16)
    canvas.y = top + 36
    if len(shapes) <= GROUPS:
        drawn, left_out = shapes, shapes[:0]
    else:
        drawn, left_out = [*shapes[:GROUPS - 1], shapes[-1]], shapes[GROUPS - 1:-1]
    for number, shape in enumerate(drawn, 1):
        if left_out and number == len(drawn):
            _left_out(canvas, [shape.task for shape in left_out])
        _group(canvas, shape)
    canvas.y += PAD - 12
    canvas.box(EDGE, top, WIDTH - 2 * EDGE, canvas.y - top, "domain" if pack else "gang", dashed=pack is not None, round=8)


def _left_out(canvas: Canvas, tasks: Sequence[Task]) -> None:
    """A line in place of groups."""
    pods = sum(task.replicas.value for task in tasks)
    gpus = sum(task.replicas.value * task.gpus.value for task in tasks)
    text = f"… {counted(len(tasks), 'more group')}: {counted(pods, 'pod')}, {counted(gpus, 'GPU')}"
    canvas.text(EDGE + 2 * PAD, canvas.y + 16, text, INNER, "quiet", 13)
    canvas.y += 36


def _group(canvas: Canvas, shape: _Shape) -> None:
    """A card: the group's name and numbers, what each node has, which nodes will do, the nodes."""
    card = len(canvas.shapes)
    top, left, task = canvas.y, EDGE + PAD, shape.task
    taken = canvas.text(left + CARD - PAD, top + 24, _numbers(task, shape.least), INNER, "quiet", end=True)
    canvas.text(left + PAD, top + 24, task.name.value, INNER - taken - 16, size=15, bold=True)
    canvas.y = top + 46
    start = left + PAD
    if task.gpus.value:
        canvas.squares([(start, canvas.y - 10)], GPU, shape.color)
        start += GPU + 8
    canvas.text(start, canvas.y, _each(task), left + PAD + INNER - start)
    where = _where(task)
    if where:
        canvas.y += 20
        canvas.text(left + PAD, canvas.y, where, INNER, "quiet")
    canvas.y += 12
    _domain(canvas, shape)
    height = canvas.y + PAD - top
    canvas.box(left, top, CARD, height, "card")
    canvas.shapes.insert(card, canvas.shapes.pop())  # below what stands on it
    canvas.y = top + height + 12


def _domain(canvas: Canvas, shape: _Shape) -> None:
    """The nodes, in a frame where they share a network domain."""
    pack = shape.task.pack
    left, top = EDGE + 2 * PAD, canvas.y
    if pack is None:
        _nodes(canvas, shape, left)
        return
    _tier(canvas, left + 12, top + 18, pack.value, INNER - 24)
    canvas.y += 28
    _nodes(canvas, shape, left + 12)
    canvas.y += 12
    canvas.box(left, top, INNER, canvas.y - top, "domain", dashed=True)


def _nodes(canvas: Canvas, shape: _Shape, left: int) -> None:
    """The nodes of a group in rows; of many the first ones and the last."""
    task, top = shape.task, canvas.y
    pods = task.replicas.value
    shown: list[int | None] = [*range(pods)] if pods <= NODES else [*range(COLUMNS - 2), None, pods - 1]
    height = _height(task)
    for slot, index in enumerate(shown):
        x = left + slot % COLUMNS * (NODE + NODE_GAP)
        canvas.y = top + slot // COLUMNS * (height + NODE_GAP)
        if index is None:
            canvas.text(x + 6, canvas.y + height // 2 - 2, f"… {pods - COLUMNS + 1}", NODE - 6, size=10)
            canvas.text(x + 6, canvas.y + height // 2 + 12, "more", NODE - 6, size=10)
        else:
            _node(canvas, shape, x, index, height)
    canvas.y += height


def _height(task: Task) -> int:
    rows = -(-task.gpus.value // GPU_COLUMNS) if 0 < task.gpus.value <= GPUS else 1
    return 26 + rows * (GPU + GPU_GAP) + 4


def _node(canvas: Canvas, shape: _Shape, x: int, index: int, height: int) -> None:
    """A box with the node's rank and its GPUs; dashed where the gang starts without it."""
    task, top = shape.task, canvas.y
    canvas.box(x, top, NODE, height, "node", dashed=shape.least is not None and index >= shape.least)
    last = task.rank + task.replicas.value - 1
    rank = f"rank {task.rank + index}" if measure(f"rank {last}", 11) <= NODE - 12 else str(task.rank + index)
    canvas.text(x + 10, top + 17, rank, NODE - 12, size=11)
    gpus, y = task.gpus.value, top + 26
    if not gpus:
        canvas.text(x + 10, y + 10, "no GPU", NODE - 12, "quiet", 11)
    elif gpus > GPUS:
        canvas.squares([(x + 10, y)], GPU, shape.color)
        canvas.text(x + 10 + GPU + 4, y + 10, f"×{gpus}", NODE - GPU - 16, size=11)
    else:
        step = GPU + GPU_GAP
        corners = [(x + 10 + number % GPU_COLUMNS * step, y + number // GPU_COLUMNS * step) for number in range(gpus)]
        canvas.squares(corners, GPU, shape.color)


def _foot(canvas: Canvas, described: Description, spare: bool) -> None:
    """What the dashes mean, and how the gang starts, fails and ends."""
    canvas.y += 12
    if spare:
        canvas.y += 18
        canvas.box(EDGE, canvas.y - 11, 22, 14, "node", dashed=True, round=3)
        canvas.text(EDGE + 32, canvas.y, "may be missing when the gang starts", WIDTH - 2 * EDGE - 32, "quiet")
    lines = [line for rule in described.gang for line in wrapped(rule, WIDTH - 2 * EDGE, 12, 2)]
    if len(lines) > LINES:
        lines[LINES - 1:] = [f"… {counted(len(lines) - LINES + 1, 'more line')}"]
    for line in lines:
        canvas.y += 18
        canvas.text(EDGE, canvas.y, line, WIDTH - 2 * EDGE, "quiet")
    canvas.y += EDGE


def _tier(canvas: Canvas, x: int, y: int, pack: Pack, width: int) -> None:
    wish = "one network domain" if pack.mode == ir.HARD else "one network domain, where possible"
    canvas.text(x, y, f"{wish}: tier {pack.tier}", width, "tier")


def _numbers(task: Task, least: int | None = None) -> str:
    """How many pods, which ranks they have, how many of them must be there where that is said."""
    pods, last = task.replicas.value, task.rank + task.replicas.value - 1
    ranks = f"rank {task.rank}" if pods == 1 else f"ranks {task.rank}–{last}"
    needed = "" if least is None or pods == 1 else f", {_some(least, pods)} to start"
    return f"{counted(pods, 'pod')}, {ranks}{needed}"


def _each(task: Task) -> str:
    """What one pod asks for."""
    cells = row(task)
    gpus = f"{task.gpus.value} × {cells['model'] if cells['model'] != '-' else 'GPU'}" if task.gpus.value else "no GPU"
    asked = [f"{name} {cells[name]}" for name in ("cpu", "mem", "rdma") if cells[name] != "-"]
    return f"each: {', '.join([gpus, *asked, counted(task.processes.value, 'process', 'processes')])}"


def _where(task: Task) -> str:
    """Which nodes will do; nothing where any will."""
    wanted = [f"{key.value}={label.value}" for key, label in task.node_selector]
    if task.affinity is not None:
        products = ", ".join(each.value for each in task.affinity.values)
        wanted.append(f"{task.affinity.key.value}{' one of ' if len(task.affinity.values) > 1 else '='}{products}")
    return f"on nodes with {', '.join(wanted)}" if wanted else ""


def _description(job: Job, minimum: int) -> str:
    """The picture in words."""
    groups = [f"{task.name.value}: {_numbers(task)}, {_each(task)}" for task in job.tasks[:GROUPS]]
    rest = len(job.tasks) - len(groups)
    more = [f"and {counted(rest, 'more group')}"] if rest else []
    return f"{totals(job)}; {_some(minimum, ir.totals(job).pods)} to start. {'; '.join([*groups, *more])}."


def _some(number: int, whole: int) -> str:
    """How many pods of a whole there must be."""
    return f"{number} of {whole}" if number < whole else f"all {whole}" if whole > 1 else "1"
