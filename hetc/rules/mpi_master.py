"""The plugin mpi runs `mpirun` in its master task: no task of that name, and Volcano's webhook refuses the job.

The name is that of the flag `--master`, as far as Go's flag package reads the plugin's arguments, and `master` without it.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import jobs
from hetc.names import nearest, shorten
from hetc.plugins import in_keys
from hetc.rule import ManifestRule
from hetc.rules.plugin_arguments import settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest
    from hetc.site import Site
    from hetc.source import Span


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        if "mpi" not in job.plugins or not job.tasks:
            continue
        name, place = settings("mpi", job.plugin("mpi")).get("master", ("master", _place(job)))
        tasks = [task.name for task in job.tasks]
        if name not in tasks:
            close = nearest(name, tasks)
            help = f"write `--master={close or tasks[0]}`, or rename a task"
            yield Finding(f"plugin `mpi` takes task `{shorten(name)}` as its master, and the job has none of that name", place,
                          in_keys(help) if manifest.emitted else help)


def _place(job: JobView) -> Span:
    return job.plugin_span("mpi") or job.spec.origin.span


RULE = ManifestRule(Code("HET509", "mpi-master", ERROR, "an mpi job without its master task"), check)
