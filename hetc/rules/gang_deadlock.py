"""A gang that waits for pods which wait for the gang.

Volcano makes the pods of a task with `dependsOn` only when the tasks it names run, and its gang plugin starts no pod of a job
before `minAvailable` of them exist. A task also counts as running while it has fewer pods than a minimum of zero.
Source: Volcano's job controller, and CheckTaskValid and ValidTaskNum of its scheduler.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.graph import cycles
from hetc.manifest import jobs, number, sequence, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.rules.gang_minimum import minimum
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        awaited = {task.name: _awaited(task) for task in job.tasks}
        known = len(awaited) == len(job.tasks) and all(name in awaited for names in awaited.values() for name in names)
        if known and next(cycles(awaited), None) is None and any(awaited.values()):
            minima = {task.name: minimum(task) for task in job.tasks}
            yield from _deadlock(job, awaited, minima, "gang[min={}]" if manifest.emitted else "minAvailable: {}")
            yield from _ready_at_once(job, minima)


def _awaited(task: TaskView) -> list[str]:
    return [name for node in sequence(find(task.node, "dependsOn", "name")) if (name := text(node)) is not None]


def _deadlock(job: JobView, awaited: dict[str, list[str]], minima: dict[str, int], written_as: str) -> Iterator[Finding]:
    waiting = [task for task in job.tasks if not _starts_at_once(task, awaited[task.name], minima)]
    node, total = job.spec.get("minAvailable"), sum(minima.values())
    written = number(node)
    if not waiting or (node is not None and written is None):
        return
    started = sum(task.replicas for task in job.tasks) - sum(task.replicas for task in waiting)
    late = next((task for task in waiting if minima[task.name] > 0), None)
    gang = written or total
    if gang <= started and (late is None or gang < total):
        return
    most = started if late is None else min(started, total - 1)
    shown = "`minAvailable`" if node is not None else "`minAvailable`, which is not written,"
    if gang > started or late is None:
        what = f"{shown} wants {gang} pods at once, and without those that `dependsOn` holds back there are {started}: the job never starts"
    else:
        what = f"{shown} keeps the minimum of task `{shorten(late.name)}`, whose pods `dependsOn` holds back: the job never starts"
    here = Label((find(waiting[0].node, "dependsOn") or waiting[0].node).origin.span, "held back here")
    help = f"write `{written_as.format(most)}` at most, or leave `dependsOn` out" if most > 0 else "leave `dependsOn` out"
    yield Finding(what, here.span if node is None else node.origin.span, help, () if node is None else (here,))


def _starts_at_once(task: TaskView, names: list[str], minima: dict[str, int]) -> bool:
    ready = [minima[name] <= 0 for name in names]
    one_is_enough = text(find(task.node, "dependsOn", "iteration")) == "any"
    return any(ready) if names and one_is_enough else all(ready)


def _ready_at_once(job: JobView, minima: dict[str, int]) -> Iterator[Finding]:
    by_name = {task.name: task.node for task in job.tasks}
    for task in job.tasks:
        for node in sequence(find(task.node, "dependsOn", "name")):
            name = text(node)
            if name is not None and minima[name] <= 0:
                yield Finding(f"`dependsOn` of task `{shorten(task.name)}` names `{shorten(name)}`, whose `minAvailable` is 0: "
                              "it does not wait", node.origin.span, f"write `minAvailable: 1` or more in task `{shorten(name)}`",
                              _minimum_of(by_name[name]), WARNING)


def _minimum_of(task: Mapping) -> tuple[Label, ...]:
    node = task.get("minAvailable") or task.get("replicas")
    return () if node is None else (Label(node.origin.span, "the minimum"),)


RULE = ManifestRule(Code("HET612", "gang-deadlock", ERROR, "a gang that waits for pods which wait for the gang"), check)
