"""A job that asks for GPUs and does not say how long it will take.

Acme's scheduler fills gaps with short jobs, and takes a job without `runningEstimate` for one of a week.

Wrong:

    spec:
      tasks: [...]

Right:

    spec:
      runningEstimate: 8h
      tasks: [...]
"""
from __future__ import annotations

from typing import TYPE_CHECKING

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import jobs
from hetc.rule import ManifestRule
from hetc.tree import find, is_null

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        estimate = job.spec.get("runningEstimate")
        if (estimate is None or is_null(estimate)) and _has_gpus(job, site.gpu.resource):
            yield Finding(f"job `{job.written_name}` has GPUs and no `runningEstimate`", job.name_span,
                          "say how long it will take, such as `runningEstimate: 8h`")


def _has_gpus(job: JobView, resource: str) -> bool:
    return any(find(container.node, "resources", "limits", resource) for task in job.tasks for container in task.containers())


RULE = ManifestRule(Code("ACME001", "no-running-estimate", WARNING, "a job with GPUs that does not say how long it takes"), check)
