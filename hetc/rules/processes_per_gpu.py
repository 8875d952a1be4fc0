"""Processes that cannot share the GPUs of their pod evenly: some process has no GPU, or a GPU has no process.

Fine are as many processes as GPUs, one for all of them, and GPUs that are a multiple of the processes. Without GPUs any number is.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding, Label
from hetc.rule import JobRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job
    from hetc.site import Site


def check(job: Job, site: Site) -> Iterator[Finding]:
    for task in job.tasks:
        processes, gpus = task.processes.value, task.gpus.value
        if gpus and gpus % processes:
            message = f"`ppn` (`processes_per_node`) {processes} does not divide its {gpus} GPU{'s' if gpus > 1 else ''}"
            yield Finding(f"task `{task.name.value}`: {message}", task.processes.span,
                          f"write {_fitting(processes, gpus)}", (Label(task.gpus.span, "the GPUs"),))


def _fitting(processes: int, gpus: int) -> str:
    """The numbers that fit, `gpus` itself among them: the two about what was written."""
    if gpus < processes:
        return f"{gpus}, one for each GPU"
    # GPUs of one pod are few, but nothing bounds what is written.
    tried = range(1, min(gpus, 1024) + 1)
    lower = max(number for number in tried if number < processes and gpus % number == 0)
    higher = min((number for number in tried if number > processes and gpus % number == 0), default=gpus)
    return f"{lower} or {higher}"


RULE = JobRule(Code("HET204", "processes-per-gpu", WARNING, "processes that do not divide the GPUs of their pod"), check)
