"""Objects that the tools or the API server cannot hold.

A plain `kubectl apply` keeps a copy of the object in an annotation, and all annotations together may have 256 KiB; etcd takes
requests of 1.5 MiB. Both count compact JSON in UTF-8.
"""
from __future__ import annotations

from hetc import codes
from hetc.bound import MAX_OBJECT
from hetc.diagnostic import ERROR, Finding
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, plain, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

MAX_APPLY = 256 * 1024

#: Bytes of JSON that one character may need (`\\u0000`), and those about a value: quotes, colon, comma, brackets.
_CHARACTER = 6
_AROUND = 8


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for document in manifest.documents:
        if not manifest.emitted and _written(document) <= MAX_APPLY:
            continue
        size = _size(document) if _bound(document) > MAX_APPLY else 0
        if size > MAX_OBJECT:
            yield Finding(f"the object has {size:,} bytes, and the API server stores at most {MAX_OBJECT:,}", document.origin.span,
                          "move long scripts into the image, or into a ConfigMap that is mounted", level=ERROR)
        elif size > MAX_APPLY:
            yield Finding(f"the object has {size:,} bytes, and a plain `kubectl apply` takes at most {MAX_APPLY:,}", document.origin.span,
                          "use `kubectl apply --server-side`, or `kubectl create`")


def _written(document: Mapping) -> int:
    """The same of a document by hand, by its text: a node has a character at least. What aliases repeat is not in it."""
    span = document.origin.span
    return MAX_APPLY + 1 if span.source.shared else (_CHARACTER + _AROUND) * (span.end - span.start + 1)


def _bound(document: Mapping) -> int:
    """A size that the JSON cannot have more than, without making it."""
    size = 0
    for node in walk(document):
        size += _AROUND + (_CHARACTER * len(str(node.value)) if isinstance(node, Scalar) else 0)
        if isinstance(node, Mapping):
            size += sum(_CHARACTER * len(key) for key in node.entries)
    return size


def _size(document: Mapping) -> int:
    import json

    return len(json.dumps(plain(document), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))


RULE = ManifestRule(codes.OBJECT_SIZE, check)
