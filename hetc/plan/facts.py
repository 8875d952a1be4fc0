"""What every form of the plan that people read says in the same words."""
from __future__ import annotations

from hetc import ir
from hetc.names import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.emit.description import Description
    from hetc.ir import Job, Task
    from hetc.origin import Located

#: Columns whose values are numbers, which stand to the right.
NUMBERS = frozenset(("replicas", "min", "cpu", "mem", "gpu", "rdma", "ppn", "rank"))


def settings(job: Job, described: Description) -> list[tuple[str, str]]:
    """What holds for the job as a whole, by name."""
    facts = [("namespace", value(job.namespace)), *described.settings, ("priority", value(job.priority_class)),
             ("sku", value(job.sku)), ("context", value(job.context))]
    return [(name, printable(text)) for name, text in facts if text is not None]


def row(task: Task) -> dict[str, str]:
    """One task by column; `-` is none."""
    return {
        "task": task.name.value,
        "replicas": str(task.replicas.value),
        "min": str(task.minimum.value),
        "cpu": task.cpu.value.canonical() if task.cpu else "-",
        "mem": task.memory.value.canonical() if task.memory else "-",
        "gpu": str(task.gpus.value or "-"),
        "model": value(task.gpu_model) or _device(task),
        "rdma": str(task.rdma.value or "-"),
        "ppn": str(task.processes.value),
        "rank": str(task.rank),
        "image": printable(value(task.image) or "-"),
        "nodes": ", ".join(f"{key.value}={label.value}" for key, label in task.node_selector) or ("by model" if task.affinity else "any"),
    }


def _device(task: Task) -> str:
    """What is counted as GPUs where it is no whole GPU, by its resource."""
    name = task.gpu_resource.rpartition("/")[2].removesuffix("-number")
    return name if task.gpus.value and name != "gpu" else "-"


def totals(job: Job) -> str:
    """The sums, in one line."""
    sums = ir.totals(job)
    nodes = f"{counted(sums.pods, 'node')}, {counted(sums.gpu_pods, 'GPU node')}"
    return f"{nodes}, {counted(sums.gpus, 'GPU')}, {counted(sums.processes, 'process', 'processes')}"


def families(job: Job) -> Iterator[str]:
    """The products of each GPU family that a task leaves the choice of."""
    families = {(value(task.gpu_model), task.affinity.key.value): task.affinity for task in job.tasks if task.affinity}
    for (model, key), affinity in families.items():
        yield f"{model} is one of {', '.join(each.value for each in affinity.values)} ({key})"


def pods(task: Task, described: Description) -> str:
    """The pods' names, and how their last line is run."""
    first, last = described.pods[task.name.value]
    names = first if task.replicas.value == 1 else f"{first} to {last}"
    script = described.scripts[task.name.value]
    if script is None:
        return f"{names}: no command yet"
    if script.exec:
        return f"{names}: the last line is run by exec"
    return f"{names}: the last line is not run by exec: {script.why_not}"


def commands(job: Job) -> Iterator[tuple[str, list[str]]]:
    """A title and the lines of each command that comes from several places, such as a template and the command line."""
    tasks: dict[tuple[str, ...], list[str]] = {}
    for task in job.tasks:
        if len({line.span.source.name for line in task.command}) > 1:
            tasks.setdefault(tuple(line.value for line in task.command), []).append(task.name.value)
    for lines, names in tasks.items():
        yield f"command of {', '.join(names)}", [part for line in lines for part in line.splitlines()]


def value(located: Located[str] | None) -> str | None:
    """A text without its origin."""
    return None if located is None else located.value


def printable(text: str) -> str:
    """Text on one line, without what could disturb a terminal or a reader of XML."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
