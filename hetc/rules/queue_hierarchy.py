"""The annotations that put a Queue into a hierarchy are a path and its weights, part by part, and no queue lies on another's way.

Where a path does not begin with `root`, Volcano's webhook puts `root/` before it and `1/` before the weights.
"""
from __future__ import annotations

import re

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import documents_of, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Node

PATH, WEIGHTS = "volcano.sh/hierarchy", "volcano.sh/hierarchy-weights"
_NUMBER = re.compile(r"\+?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    paths = [path for queue in manifest.objects("Queue").values()
             if isinstance(path := find(queue, "metadata", "annotations", PATH), Scalar) and text(path)]
    for queue in documents_of(manifest.documents, "Queue"):
        annotations = find(queue, "metadata", "annotations")
        if isinstance(annotations, Mapping):
            yield from _annotations(annotations)
            yield from _on_the_way(annotations.get(PATH), paths)


def _annotations(annotations: Mapping) -> Iterator[Finding]:
    nodes = annotations.get(PATH), annotations.get(WEIGHTS)
    path, weights = (text(node) or "" for node in nodes)
    place = next((node for node in reversed(nodes) if node is not None and text(node)), None)
    if place is None:
        return
    parts, numbers = path.split("/"), weights.split("/")
    if not path or not weights or len(parts) != len(numbers):
        counts = len(parts) if path else 0, len(numbers) if weights else 0
        yield Finding(f"the hierarchy has {_plural(counts[0], 'part')} and {_plural(counts[1], 'weight')}",
                      place.origin.span, f"write as many in `{WEIGHTS}` as in `{PATH}`, such as `root/a/b` and `1/2/3`")
        return
    for number in numbers:
        if not _NUMBER.fullmatch(number) or not 0 < float(number) < float("inf"):
            yield Finding(f"`{shorten(number)}` is no weight above zero", place.origin.span, "write numbers, such as `1/2/3`")


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _on_the_way(node: Node | None, paths: list[Scalar]) -> Iterator[Finding]:
    """Whether a queue's path is the way to another's. The webhook sees that where the other was there before."""
    path = text(node) or ""
    other = next((each for each in paths if _full(text(each) or "").startswith(_full(path) + "/")), None)
    if node is not None and path and other is not None:
        here, there = node.origin.span, other.origin.span
        before = here.source is there.source and there.start < here.start
        yield Finding(f"path `{shorten(path)}` of this queue leads to that of another, `{shorten(text(other) or '')}`", here,
                      "give it a path that ends beside the others", (Label(there, "the other one"),), ERROR if before else WARNING)


def _full(path: str) -> str:
    return path if path.startswith("root") else f"root/{path}"


RULE = ManifestRule(Code("HET526", "queue-hierarchy", ERROR, "a queue's hierarchy without weights that fit, or on another's way"), check)
