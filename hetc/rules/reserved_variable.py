"""Names with the prefix of the computed variables belong to hetc, the ones of today and those to come."""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.names import shorten
from hetc.rule import JobRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job
    from hetc.site import Site


def check(job: Job, site: Site) -> Iterator[Finding]:
    for task in job.tasks:
        for variable in task.env:
            name = variable.name.value
            if name.startswith(site.prefix):
                yield Finding(f"variable `{shorten(name)}` is reserved: hetc computes those that start with `{site.prefix}`",
                              variable.name.span, "choose another name")


RULE = JobRule(Code("HET602", "reserved-variable", ERROR, "a variable with the prefix of the computed ones"), check)
