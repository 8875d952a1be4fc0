"""Characters that no process or no tool on the way can carry.

NUL ends a string in Linux and a lone surrogate is no UTF-8: with them a manifest cannot be written. Other control characters and a few
more are written exactly, but kustomize damages them.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    if not manifest.emitted and all(source.text.isascii() and "\\" not in source.text for source in manifest.sources):
        return  # no text can be such that it cannot be written
    for document in manifest.documents:
        for node in walk(document):
            if isinstance(node, Scalar):
                yield from _text(node, manifest.emitted)
            elif isinstance(node, Mapping):
                for entry in node.entries.values():
                    yield from _text(entry.key, manifest.emitted)


def _text(node: Scalar, emitted: bool) -> Iterator[Finding]:
    """What is wrong with one text. Only of what hetc writes is it known that other tools will read it."""
    value = node.value
    # Nearly all texts are of this kind, and need no closer look.
    if not isinstance(value, str) or (value not in ("=", "<<") and value.replace("\n", "").isprintable()):
        return
    from hetc.dump import trouble, unwritable

    refused, wrong = unwritable(value), trouble(value)
    if refused is not None:
        yield Finding(f"the text cannot be written: {refused}", node.origin.span, "leave the character out", level=ERROR)
    elif wrong is not None and emitted:
        yield Finding(f"the text is fragile: {wrong}", node.origin.span, "leave it out if the manifest goes through kustomize")


RULE = ManifestRule(Code("HET611", "fragile-text", WARNING, "text that cannot be written, or that kustomize damages"), check)
