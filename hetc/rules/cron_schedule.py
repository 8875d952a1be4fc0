"""A CronJob's schedule has five fields or is a word behind `@`, and names no time zone: that is a field of its own.

Source: Volcano's webhook `/cronjobs/validate`, which asks the library robfig/cron.
"""
from __future__ import annotations

from hetc import cron
from hetc.diagnostic import ERROR, WARNING, Code, Finding
from hetc.manifest import documents_of, present, text
from hetc.names import shorten
from hetc.record import replace
from hetc.rule import ManifestRule
from hetc.tree import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

EXAMPLE = "write one, such as `0 3 * * *` for three o'clock every night"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for document in documents_of(manifest.documents, "CronJob"):
        spec = document.get("spec")
        if isinstance(spec, Mapping):
            yield from map(_in_keys, _schedule(spec)) if manifest.emitted else _schedule(spec)


def _in_keys(finding: Finding) -> Finding:
    """The same in the words of the overlay."""
    said = (finding.help or "").replace("write one, such as `0 3 * * *`", 'write `schedule: {cron: "0 3 * * *"}` in an overlay')
    said = said.replace("`schedule: ", "`cron: ").replace("`cron: {", "`schedule: {")
    return replace(finding, help=said.replace("timeZone", "time_zone"))


def _schedule(spec: Mapping) -> Iterator[Finding]:
    node = spec.get("schedule")
    schedule = text(node)
    if node is None or not present(spec, "schedule") or schedule == "":
        yield Finding("the CronJob has no schedule", (node or spec).origin.span, EXAMPLE)
        return
    if schedule is None:
        return
    zone, _, rest = schedule.partition(" ")
    if "TZ" in schedule:
        place = zone.partition("=")[2]
        yield Finding(f"schedule `{shorten(schedule)}` has a time zone in it", node.origin.span,
                      f"write `schedule: {rest.strip()}` and `timeZone: {place}`" if place and rest.strip() else "write `timeZone` instead")
    elif (wrong := cron.fault(schedule)) is not None:
        yield Finding(f"the schedule is none: {wrong[0]}", node.origin.span, wrong[1])
    elif cron.never(schedule):
        yield Finding(f"schedule `{shorten(schedule)}` names days that its months do not have, and never comes", node.origin.span,
                      "choose another day or month", level=WARNING)


RULE = ManifestRule(Code("HET521", "cron-schedule", ERROR, "a schedule that is none"), check)
