"""Durations are read by Go, which knows hours, minutes and seconds: no days, no bare numbers, no blanks.

A policy's `timeout` and a job's `runningEstimate` have no pattern in the CRD. Volcano's webhook fails to decode a wrong one,
and so refuses the job.
"""
from __future__ import annotations

from hetc import duration
from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import jobs, mappings, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest
    from hetc.site import Site
    from hetc.tree import Node


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for name, node in _fields(job):
            yield from _duration(name, node)


def _fields(job: JobView) -> Iterator[tuple[str, Node | None]]:
    yield "runningEstimate", job.spec.get("runningEstimate")
    for owner in (job.spec, *(task.node for task in job.tasks)):
        for policy in mappings(owner.get("policies")):
            yield "timeout", policy.get("timeout")


def _duration(name: str, node: Node | None) -> Iterator[Finding]:
    if not isinstance(node, Scalar) or node.value is None:
        return
    written = text(node)
    wrong = f"`{shorten(node.text)}` is no string" if written is None else duration.fault(written)
    if wrong is not None:
        better = duration.rewrite(node.text)
        yield Finding(f"`{name}` is no duration of Go's: {wrong}", node.origin.span,
                      f"write `{better}`" if better else "write a number and `h`, `m` or `s`, such as `10m`")


RULE = ManifestRule(Code("HET518", "bad-duration", ERROR, "a duration that Go cannot read"), check)
