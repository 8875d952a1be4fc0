"""A command of a task that the plugin ray starts: Ray runs in its place, and the shell never sees it.

What the job hands down to such a task is meant for the others, and is a mistake only where there are none.
Source: Volcano's job plugin ray, OnPodCreate.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.names import shorten
from hetc.origin import INHERITED
from hetc.plugins import without_command
from hetc.rule import JobRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job
    from hetc.site import Site


def check(job: Job, site: Site) -> Iterator[Finding]:
    started = without_command(job)
    all_started = started.issuperset(task.name.value for task in job.tasks)
    seen = set()
    for task in job.tasks:
        for key, lines in (("setup", task.setup), ("command", task.command)):
            if task.name.value not in started or not lines or lines[0].span in seen:
                continue
            if lines[0].origin.how != INHERITED or all_started:
                seen.add(lines[0].span)
                yield Finding(f"`{key}` does nothing in task `{shorten(task.name.value)}`: plugin `ray` starts Ray there in its place",
                              lines[0].span, "leave it out, and send work to the cluster with `ray job submit`")


RULE = JobRule(Code("HET629", "unused-command", ERROR, "a command in a task that the plugin ray starts"), check)
