"""An API version or a kind that Volcano does not have: the API server knows no such object, and refuses it.

It is told of documents that are meant for Volcano: by their group, a misspelt one included, by a kind that only Volcano
has, or by a Job's `spec.tasks`. Source: the CustomResourceDefinitions of Volcano 1.16.
"""
from __future__ import annotations

from hetc.api import VOLCANO, api, intended
from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import text
from hetc.names import shorten
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Mapping


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for document in manifest.documents:
        meant = intended(document)
        if meant is not None:
            yield from _document(document, *meant)


def _document(document: Mapping, group: str, kind: str) -> Iterator[Finding]:
    right = f"{group}/{VOLCANO[group][0]}"
    version, written = text(document.get("apiVersion")), text(document.get("kind"))
    if version == right and written and written == kind:
        return
    places = [document.get(key) or document for key in ("apiVersion", "kind")]
    where, what = (place.origin.span for place in places)
    if not written:
        yield Finding(f"a document of `{shorten(version or '')}` without a `kind`", where, f"add `kind: {VOLCANO[group][1][0]}`")
    elif written != kind:
        help = f"did you mean `{kind}`?" if kind else f"write {' or '.join(f'`{each}`' for each in VOLCANO[group][1])}"
        yield Finding(f"`{shorten(written)}` is no kind of Volcano's", what, help)
    if not version:
        yield Finding(f"a `{shorten(written or '')}` of Volcano's without an `apiVersion`", what, f"add `apiVersion: {right}`")
    elif version != right:
        yield Finding(_wrong_version(version, api(document)[0] == group, kind), where, f"write `{right}`")


def _wrong_version(version: str, right_group: bool, kind: str) -> str:
    group, slash, number = (shorten(part) for part in version.partition("/"))
    if right_group:
        return f"`{group}` has no version `{number}`" if slash else f"`{group}` stands without a version"
    whose = f"Volcano's {kind}" if kind else "any kind of Volcano's"
    return f"`{shorten(version)}` is not the API of {whose}"


RULE = ManifestRule(Code("HET506", "unknown-api", ERROR, "an API version or kind that Volcano does not have"), check)
