"""A claim that a job makes says how it is accessed and how large it is, and what it is filled from is said in full.

`volumeClaim` in `spec.volumes` makes one for the job, `volumeClaimTemplate` in an `ephemeral` volume one for each pod. The API
server refuses a claim without access modes or storage: the first only when Volcano's controller makes it, so the job waits for ever.
Source: Kubernetes' core validation, ValidatePersistentVolumeClaimSpec.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import amount, claims, jobs, present, sequence, text
from hetc.names import dns1123_subdomain, shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.source import Span

ALONE = "ReadWriteOncePod"
#: Where a claim says what it is filled from; with both they say the same.
SOURCES = ("dataSource", "dataSourceRef")
CLAIM = "PersistentVolumeClaim"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for holder, key in claims(job):
            spec = holder.get(key)
            if isinstance(spec, Mapping):
                yield from _spec(spec, holder.key_span(key))
        for task in job.tasks:
            for volume in task.volumes:
                yield from _ephemeral(volume)


def _ephemeral(volume: Mapping) -> Iterator[Finding]:
    source = volume.get("ephemeral")
    spec = find(source, "volumeClaimTemplate", "spec")
    if isinstance(source, Mapping) and (spec is None or is_null(spec)):
        yield Finding(f"volume `{shorten(text(volume.get('name')) or '')}` has no template of a claim", volume.key_span("ephemeral"),
                      "add `volumeClaimTemplate: {spec: …}`")


def _spec(spec: Mapping, place: Span) -> Iterator[Finding]:
    modes = sequence(spec.get("accessModes"))
    if not modes:
        yield Finding("the claim has no access mode", place, "add `accessModes: [ReadWriteOnce]`, for example")
    if len({text(mode) for mode in modes}) > 1 and any(text(mode) == ALONE for mode in modes):
        yield Finding(f"access mode `{ALONE}` stands beside others", spec.key_span("accessModes"), "keep it alone, or leave it out")
    storage = find(spec, "resources", "requests", "storage")
    if storage is None or is_null(storage):
        yield Finding("the claim asks for no storage", place, "add `resources: {requests: {storage: 10Gi}}`, for example")
    elif isinstance(storage, Scalar) and (size := amount(storage)) is not None and size.nano <= 0:
        yield Finding(f"the claim asks for `{shorten(storage.text)}` of storage", storage.origin.span, "write an amount above zero")
    yield from _filled(spec)


def _filled(spec: Mapping) -> Iterator[Finding]:
    """What the claim is filled from: another claim, or an object of an API group."""
    given = {key: source for key in present(spec, *SOURCES) if isinstance(source := spec.get(key), Mapping)}
    for key, source in given.items():
        kind, group = text(source.get("kind")) or "", source.get("apiGroup")
        if not text(group) and kind not in ("", CLAIM):
            yield Finding(f"`{key}` is a `{shorten(kind)}` of no API group", source.key_span("kind"),
                          "add `apiGroup: snapshot.storage.k8s.io`" if kind == "VolumeSnapshot" else f"add `apiGroup`, or name a `{CLAIM}`")
        wrong = dns1123_subdomain(text(group) or "") if group is not None and text(group) else None
        if wrong is not None:
            yield Finding(f"`apiGroup` of `{key}` is no API group: {wrong}", source.key_span("apiGroup"))
    if len(given) == 2:
        first, second = ([text(each.get(key)) for key in ("apiGroup", "kind", "name")] for each in given.values())
        if first != second or text(find(spec, *SOURCES[1:], "namespace")):
            yield Finding("`dataSource` is not what `dataSourceRef` is", spec.key_span(SOURCES[0]), "keep `dataSourceRef` alone",
                          (Label(spec.key_span(SOURCES[1]), "the other one"),))


RULE = ManifestRule(Code("HET306", "claim-template", ERROR, "a claim to be made that says too little"), check)
