"""The queue `root` stands above all queues, and Volcano's webhook admits no job to it."""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import jobs, text
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        queue = job.spec.get("queue")
        if queue is not None and text(queue) == "root":
            yield Finding("no job is admitted to the queue `root`", queue.origin.span, "name a queue below it, such as `default`")


RULE = ManifestRule(Code("HET504", "root-queue", ERROR, "a job in the queue `root`"), check)
