"""A task's name is a DNS label, and no other task of the job has it.

The CRD refuses any other name. The webhook gives a task without a name `default<place in the list>`, which can meet a
written name. Two tasks of one name would have the same pods.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import jobs, text
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.diagnostic import Fix
    from hetc.manifest import JobView, Manifest
    from hetc.site import Site
    from hetc.source import Span


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        wrong = list(_wrong(job))
        if wrong:
            yield from _syntax(wrong, _fixes(job) if not manifest.emitted else {})
        yield from _duplicates(job)


def _wrong(job: JobView) -> Iterator[tuple[str, str, Span]]:
    """Names that are none, what is wrong with them, and where they are."""
    for task in job.tasks:
        name = text(task.node.get("name"))
        if name is None or (not name and job.kind == "Job"):  # the webhook names it, but not where jobs are only described
            continue
        wrong = names.dns1123_label(name)
        if wrong is not None:
            yield name, wrong, task.name_span


def _syntax(found: list[tuple[str, str, Span]], mended: dict[str, Fix]) -> Iterator[Finding]:
    for name, wrong, span in found:
        better = names.suggest(name)
        yield Finding(f"no legal task name: {wrong}", span,
                      f"write `{better}`: task names are in lower case" if better else "write lower-case letters, digits and `-`",
                      fix=mended.get(name))


def _fixes(job: JobView) -> dict[str, Fix]:
    from hetc.rename import fixes

    return fixes(job)


def _duplicates(job: JobView) -> Iterator[Finding]:
    seen: dict[str, Span] = {}
    for task in job.tasks:
        first = seen.get(task.name)
        seen.setdefault(task.name, task.name_span)
        if first is not None:
            yield Finding(f"duplicate task name `{names.shorten(task.name)}`", task.name_span, "give each task a name of its own",
                          (Label(first, "first used here"),))


RULE = ManifestRule(Code("HET107", "task-name", ERROR, "a task name that is no DNS label, or is used twice"), check)
