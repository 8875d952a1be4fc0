"""Tasks that start behind other tasks: each name is another task of the job, given once, and no task waits for itself in the end.

Volcano's webhook refuses all of that with one sentence, that the graph is not acyclic. An `iteration` other than `any` means all.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.graph import cycles
from hetc.manifest import jobs, sequence, text
from hetc.names import nearest, shorten, way
from hetc.rule import ManifestRule
from hetc.tree import Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site

    #: Task -> the tasks that it waits for, each where it is written.
    Waits: TypeAlias = "dict[str, dict[str, Scalar]]"

ITERATIONS = ("all", "any")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        waits: Waits = {}
        known = {task.name for task in job.tasks}
        for task in job.tasks:
            own = waits.setdefault(task.name, {})
            yield from _names(task, known, own)
            yield from _iteration(task, manifest.emitted)
        yield from _cycles(waits)


def _names(task: TaskView, known: set[str], own: dict[str, Scalar]) -> Iterator[Finding]:
    """The names that a task waits for; those that make edges of the graph join `own`."""
    first: dict[str, Scalar] = {}
    for node in sequence(find(task.node, "dependsOn", "name")):
        name = text(node)
        if not isinstance(node, Scalar) or name is None:
            continue
        if first.setdefault(name, node) is not node:
            yield Finding(f"task `{shorten(task.name)}` waits for `{shorten(name)}` twice", node.origin.span, "name it once",
                          (Label(first[name].origin.span, "the other one"),))
        elif name not in known:
            close = nearest(name, known, task.name)
            yield Finding(f"task `{shorten(task.name)}` waits for `{shorten(name)}`, and the job has no such task", node.origin.span,
                          f"did you mean `{close}`?" if close else "name a task of the job")
        elif name == task.name:
            yield Finding(f"task `{shorten(name)}` waits for itself", node.origin.span, "take it out of its own `dependsOn`")
        else:
            own.setdefault(name, node)


def _iteration(task: TaskView, emitted: bool) -> Iterator[Finding]:
    node = find(task.node, "dependsOn", "iteration")
    written = text(node)
    if node is not None and not sequence(find(task.node, "dependsOn", "name")):
        what, names = ("depends_on_any", "depends_on") if emitted else ("iteration", "name")
        yield Finding(f"`{what}` of task `{shorten(task.name)}` stands without `{names}`, and the task waits for none", node.origin.span,
                      f"add `{names}: [TASK]`, or leave `{what}` out", level=ERROR if emitted else WARNING)
        return
    if node is not None and written and written not in ITERATIONS:
        yield Finding(f"`{shorten(written)}` is no iteration, and counts as `all`", node.origin.span, "write `all` or `any`",
                      level=WARNING)


def _cycles(waits: Waits) -> Iterator[Finding]:
    for cycle in cycles({name: list(own) for name, own in waits.items()}):
        places = [waits[waiting][awaited] for waiting, awaited in zip(cycle, [*cycle[1:], cycle[0]])]
        yield Finding(f"the tasks wait for each other in a cycle: {way(cycle)}", places[0].origin.span,
                      "take one of these dependencies out",
                      tuple(Label(node.origin.span, f"waits for `{shorten(str(node.value))}`") for node in places[1:9]))


RULE = ManifestRule(Code("HET512", "depends-on", ERROR, "tasks that wait for no task, or for each other in a cycle"), check)
