"""What a volume shows of the pod and of other objects: each file has one source, and each source is one object with a name.

Source: Kubernetes' core validation of volumes, which Volcano's webhook calls for the pod template.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import mappings, number, present, tasks, text
from hetc.names import choice, shorten
from hetc.rule import ManifestRule
from hetc.rules.bad_pod_field import subscripted
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

#: The fields of a pod that a file may hold, beside one label or one annotation.
FIELDS = ("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid")
SOURCES = ("clusterTrustBundle", "configMap", "downwardAPI", "podCertificate", "secret", "serviceAccountToken")
SHORTEST, LONGEST = 600, 2**32
#: The files of a pod's certificate.
CERTIFICATE = ("credentialBundlePath", "keyPath", "certificateChainPath")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        for volume in task.volumes:
            yield from _named(volume, "secretName")
            yield from _size(volume)
            yield from _files(volume)
            for source in mappings(find(volume, "projected", "sources")):
                yield from _one(source)
                yield from _named(source, "name")
                yield from _files(source)
                yield from _token(source)
                yield from _certificates(source)


def _named(holder: Mapping, secret: str) -> Iterator[Finding]:
    """The ConfigMap or Secret of a volume has a name; `secret` is the field that has a Secret's."""
    for kind, field, what in (("configMap", "name", "ConfigMap"), ("secret", secret, "Secret")):
        source = holder.get(kind)
        if isinstance(source, Mapping) and not present(source, field):
            yield Finding(f"the volume's {what} has no name", holder.key_span(kind), f"add `{field}: NAME`")
        elif isinstance(source, Mapping) and text(source.get(field)) == "" and kind == "secret":
            yield Finding(f"the volume's {what} has no name", source.key_span(field), f"write `{field}: NAME`")


def _size(volume: Mapping) -> Iterator[Finding]:
    limit = find(volume, "emptyDir", "sizeLimit")
    if isinstance(limit, Scalar) and str(limit.value).startswith("-"):
        yield Finding(f"`sizeLimit` is `{shorten(limit.text)}`, below zero", limit.origin.span, "write a size above zero, or leave it out")


def _one(source: Mapping) -> Iterator[Finding]:
    given = present(source, *SOURCES)
    if len(given) > 1:
        yield Finding(f"one source of the volume is both `{given[0]}` and `{given[1]}`", source.key_span(given[1]),
                      "make two items of `sources` of it", (Label(source.key_span(given[0]), "the other one"),))


def _files(holder: Mapping) -> Iterator[Finding]:
    for item in mappings(find(holder, "downwardAPI", "items")):
        given = present(item, "fieldRef", "resourceFieldRef")
        if not given:
            yield Finding("the file has no source", item.origin.span, "add `fieldRef` or `resourceFieldRef`")
        if len(given) == 2:
            yield Finding("the file has both `fieldRef` and `resourceFieldRef`", item.key_span(given[1]), "keep one of the two",
                          (Label(item.key_span(given[0]), "the other one"),))
        path = find(item, "fieldRef", "fieldPath")
        written = text(path)
        if path is not None and written is not None and written not in FIELDS:
            yield from subscripted(path, written, "a file can show", choice(written, FIELDS))
        resource = item.get("resourceFieldRef")
        if isinstance(resource, Mapping) and not text(resource.get("containerName")):
            yield Finding("the resource is that of no container", item.key_span("resourceFieldRef"), "add `containerName: NAME`")


def _token(source: Mapping) -> Iterator[Finding]:
    token = source.get("serviceAccountToken")
    if not isinstance(token, Mapping):
        return
    if not present(token, "path"):
        yield Finding("the token has no path", source.key_span("serviceAccountToken"), "add `path: token`, for example")
    node = token.get("expirationSeconds")
    seconds = number(node)
    if node is not None and seconds is not None and not SHORTEST <= seconds <= LONGEST:
        bound = f"at least {SHORTEST}" if seconds < SHORTEST else f"at most {LONGEST}"
        yield Finding(f"`expirationSeconds` is {seconds}, and must be {bound}", node.origin.span, f"write {bound}")


def _certificates(source: Mapping) -> Iterator[Finding]:
    """Certificates that the cluster trusts come by name or by signer, and the pod's own go to one file or to two."""
    bundle, own = source.get("clusterTrustBundle"), source.get("podCertificate")
    if isinstance(bundle, Mapping):
        given = present(bundle, "name", "signerName")
        if len(given) != 1:
            yield Finding(f"the bundle has {'no' if not given else 'both `name` and'} `signerName`", source.key_span("clusterTrustBundle"),
                          "write `name`, or `signerName`")
        elif given == ["name"] and present(bundle, "labelSelector"):
            yield Finding("a bundle with a name needs no selector", bundle.key_span("labelSelector"), "leave it out, or write `signerName`")
    if isinstance(own, Mapping) and not any(text(own.get(path)) for path in CERTIFICATE):
        yield Finding("the certificate is written to no file", source.key_span("podCertificate"), "add `credentialBundlePath: FILE`")


RULE = ManifestRule(Code("HET307", "volume-content", ERROR, "a file or source of a volume that says too little, or too much"), check)
