"""Gives a task of a hand-written job another name, with all that names it.

That are `dependsOn`, the plugins' flags, selectors of the task's label, the pods' addresses and the variables of svc. A script
may name it in a way of its own, but no such job has run yet: the old name is refused.
"""
from __future__ import annotations

import re

from hetc import names
from hetc.diagnostic import Edit, Fix
from hetc.manifest import sequence, text
from hetc.mend import is_shared, rewrite
from hetc.source import Span
from hetc.tree import Mapping, Scalar, find, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView

#: Plugin -> the flags that name a task.
FLAGS = {
    "hcclrank": ("master", "worker"), "mpi": ("master", "worker"), "pytorch": ("master", "worker"), "ray": ("head", "worker"),
    "tensorflow": ("ps", "worker", "chief", "evaluator"),
}
LABEL = "volcano.sh/task-spec"
#: Names whose letters, digits and signs say plainly what the lower-case form is.
_READABLE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*", re.ASCII)
_FLAG = re.compile(r"--?([A-Za-z]+)(?:=(.*))?", re.DOTALL)


def lowered(job: JobView) -> dict[str, str]:
    """The tasks' names that are no legal ones -> names that are, and that no other task has or would have."""
    given = [task.name for task in job.tasks]
    wanted = {name: better for name in given if _READABLE.fullmatch(name) and (better := _better(name)) is not None}
    counts: dict[str, int] = {}
    for name in (*given, *wanted.values()):
        counts[name] = counts.get(name, 0) + 1
    return {name: better for name, better in wanted.items() if counts[name] == counts[better] == 1}


def _better(name: str) -> str | None:
    """The name in lower case, nothing of it left out."""
    better = names.suggest(name)
    return better if better is not None and re.sub(r"[_.-]", "", name).lower() == better.replace("-", "") else None


def fixes(job: JobView) -> dict[str, Fix]:
    """Old name -> the edits that give the task its new one; nothing for a task that is named where an edit has no one answer."""
    better = lowered(job)
    edits: dict[str, list[Edit]] = {name: [] for name in better}
    lost = set()
    for name, node, whole in (*_whole(job, better), *_labels(job, better)):
        edit = rewrite(node, whole)
        if edit is None:
            lost.add(name)
        else:
            edits[name].append(edit)
    for name, edit in _inside(job, better):
        if is_shared(edit.span):
            lost.add(name)
        edits[name].append(edit)
    return {name: Fix(f"call it `{better[name]}`", _each_once(edits[name])) for name in better if name not in lost}


def _each_once(edits: list[Edit]) -> tuple[Edit, ...]:
    return tuple({(edit.span.start, edit.span.end): edit for edit in edits}.values())


def _whole(job: JobView, better: dict[str, str]) -> Iterator[tuple[str, Scalar, str]]:
    """The texts that are a task's name, or end with it behind a flag: old name, where it is, and the new text."""
    for task in job.tasks:
        for node in (task.node.get("name"), *sequence(find(task.node, "dependsOn", "name"))):
            name = text(node)
            if name in better and isinstance(node, Scalar):
                yield name, node, better[name]
    for plugin, flags in FLAGS.items():
        items = [item for item in sequence(job.plugin(plugin)) if isinstance(item, Scalar)]
        for item, behind in zip(items, [*items[1:], None]):
            match = _FLAG.fullmatch(text(item) or "")
            if match is None or match[1] not in flags:
                continue
            if match[2] in better:
                yield match[2], item, f"{item.value}".removesuffix(match[2]) + better[match[2]]
            elif match[2] is None and behind is not None and (name := text(behind)) in better:
                yield name, behind, better[name]


def _labels(job: JobView, better: dict[str, str]) -> Iterator[tuple[str, Scalar, str]]:
    """Where pods of a task are selected by its label."""
    for node in walk(job.spec) if better else ():
        if not isinstance(node, Mapping):
            continue
        chosen = sequence(node.get("values")) if text(node.get("key")) == LABEL else []
        for value in (node.get(LABEL), *chosen):
            name = text(value)
            if name in better and isinstance(value, Scalar):
                yield name, value, better[name]


def _inside(job: JobView, better: dict[str, str]) -> Iterator[tuple[str, Edit]]:
    """Addresses of a task's pods and the names of its variables inside longer texts."""
    if not better or not job.name:  # without a name of the job there is no address, and what begins like one is none
        return
    variables = {_variable(name): name for name in better}
    pods = "|".join(re.escape(name) for name in better)
    address = rf"(?<![A-Za-z0-9-]){re.escape(job.name)}-(?P<pod>{pods})-(?=[0-9])"
    variable = rf"(?<![A-Za-z0-9_])VC_(?P<variable>{'|'.join(map(re.escape, variables))})_(?=(?:HOSTS|NUM)\b)"
    found = re.compile(f"{address}|{variable}")
    source = job.node.origin.span.source
    for node in walk(job.spec):
        span = node.origin.span
        for match in found.finditer(source.text, span.start, span.end) if isinstance(node, Scalar) and span.source is source else ():
            group = match.lastgroup or ""
            name = match["pod"] or variables[match["variable"]]
            new = better[name] if group == "pod" else _variable(better[name])
            if new != match[group]:
                yield name, Edit(Span(source, match.start(group), match.end(group)), new)


def _variable(name: str) -> str:
    return name.upper().replace("-", "_")
