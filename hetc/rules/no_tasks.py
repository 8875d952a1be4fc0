"""A job has at least one task: without any, or without a spec, Volcano's webhook refuses it before it looks at anything else."""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import jobs
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Sequence, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        if not isinstance(job.node.get("spec") or job.spec, Mapping):
            continue  # another rule refuses what is no mapping
        tasks = job.spec.get("tasks")
        if tasks is None or is_null(tasks) or (isinstance(tasks, Sequence) and not tasks.items):
            place = job.spec.origin.span if tasks is None else job.spec.key_span("tasks")
            yield Finding("the job has no tasks", place, "add `tasks:` with one that has a name, `replicas` and a `template`")


RULE = ManifestRule(Code("HET508", "no-tasks", ERROR, "a job without tasks"), check)
