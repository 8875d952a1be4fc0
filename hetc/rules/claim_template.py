"""A claim that a job makes says how it is accessed and how large it is.

`volumeClaim` in `spec.volumes` makes one for the job, `volumeClaimTemplate` in an `ephemeral` volume one for each pod. The API
server refuses a claim without access modes or storage: the first only when Volcano's controller makes it, so the job waits for ever.
Source: Kubernetes' core validation, ValidatePersistentVolumeClaimSpec.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import jobs, mappings, sequence, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.source import Span

ALONE = "ReadWriteOncePod"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for volume in mappings(job.spec.get("volumes")):
            claim = volume.get("volumeClaim")
            if isinstance(claim, Mapping):
                yield from _spec(claim, volume.key_span("volumeClaim"))
        for task in job.tasks:
            for volume in task.volumes:
                yield from _ephemeral(volume)


def _ephemeral(volume: Mapping) -> Iterator[Finding]:
    source = volume.get("ephemeral")
    if not isinstance(source, Mapping):
        return
    spec = find(source, "volumeClaimTemplate", "spec")
    if spec is None or is_null(spec):
        yield Finding(f"volume `{shorten(text(volume.get('name')) or '')}` has no template of a claim", volume.key_span("ephemeral"),
                      "add `volumeClaimTemplate: {spec: …}`")
    elif isinstance(spec, Mapping):
        yield from _spec(spec, find(source, "volumeClaimTemplate").key_span("spec"))  # type: ignore[union-attr]


def _spec(spec: Mapping, place: Span) -> Iterator[Finding]:
    modes = sequence(spec.get("accessModes"))
    if not modes:
        yield Finding("the claim has no access mode", place, "add `accessModes: [ReadWriteOnce]`, for example")
    if len({text(mode) for mode in modes}) > 1 and any(text(mode) == ALONE for mode in modes):
        yield Finding(f"access mode `{ALONE}` stands beside others", spec.key_span("accessModes"), "keep it alone, or leave it out")
    storage = find(spec, "resources", "requests", "storage")
    if storage is None or is_null(storage):
        yield Finding("the claim asks for no storage", place, "add `resources: {requests: {storage: 10Gi}}`, for example")


RULE = ManifestRule(Code("HET306", "claim-template", ERROR, "a claim to be made that says too little"), check)
