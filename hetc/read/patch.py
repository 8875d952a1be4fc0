"""Patches of kustomize: manifests of which only a part is there, with directives among their keys.

A file is one where a kustomization beside or above it names it, a document where one of its mappings has a directive.
Source: kustomize's fields `patches` and `patchesStrategicMerge`; the strategic merge patches of Kubernetes.
"""
from __future__ import annotations

import os

from hetc import system
from hetc.diagnostic import Report
from hetc.lazy import regex
from hetc.read.yaml import read
from hetc.source import MAX_BYTES, NotUtf8, Source, decode
from hetc.tree import Mapping, Scalar, Sequence, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.tree import Node

KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_DIRECTIVES = ("$patch", "$retainKeys", "$deleteFromPrimitiveList", "$setElementOrder")
_DIRECTIVE = regex(r"\$(?:patch|retainKeys|deleteFromPrimitiveList|setElementOrder)\b")


class Patches:
    """The files that kustomizations name as patches. Each kustomization is read once; one that cannot be read names none."""

    def __init__(self) -> None:
        self.named: dict[str, frozenset[str]] = {}
        #: Where folders really are.
        self.real: dict[str, str] = {}
        #: By real folder, what the kustomizations that bear on its files name together.
        self.around: dict[str, frozenset[str]] = {}

    def __contains__(self, path: str) -> bool:
        """Whether a kustomization names a file: one in its folder, or in one above up to the repository's root."""
        folder, name = os.path.split(os.path.realpath(path) if os.path.islink(path) else path)
        if folder not in self.real:
            self.real[folder] = os.path.realpath(folder)
        real = self.real[folder]
        if real not in self.around:
            self.around[real] = frozenset().union(*map(self.of, system.above(real)))
        return system.key(os.path.join(real, name)) in self.around[real]

    def of(self, folder: str) -> frozenset[str]:
        """The keys of the real paths of the patches that the kustomization of a folder names."""
        if folder not in self.named:
            files = (os.path.join(folder, name) for name in KUSTOMIZATIONS)
            found = (os.path.join(folder, each) for file in files if os.path.isfile(file) for each in _named(file))
            self.named[folder] = frozenset(system.real_key(each) for each in found if "\0" not in each)
        return self.named[folder]


def _named(file: str) -> Iterator[str]:
    """The paths in a kustomization. A patch may also stand there itself, on lines of its own: that is no path."""
    try:
        with open(file, "rb") as opened:
            source = Source(file, decode(opened.read(MAX_BYTES)))
    except (OSError, NotUtf8):
        return
    for document in read(source, Report()) or ():
        for key in ("patches", "patchesStrategicMerge"):
            items = find(document, key)
            for item in items.items if isinstance(items, Sequence) else ():
                path = find(item, "path") if isinstance(item, Mapping) else item
                if isinstance(path, Scalar) and isinstance(path.value, str) and "\n" not in path.value:
                    yield path.value


def has_directives(text: str) -> bool:
    """Whether a text may hold a directive."""
    return any(word in text for word in _DIRECTIVES)


def bared(document: Mapping) -> bool:
    """Remove the directives of a document, and the items of lists that are nothing else; whether there were any."""
    found = False
    todo: list[Node] = [document]
    seen: set[int] = set()
    while todo:
        node = todo.pop()
        if isinstance(node, Scalar) or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Mapping):
            before = len(node.entries)
            for key in [key for key in node.entries if _DIRECTIVE.match(key)]:
                del node.entries[key]
            found = found or len(node.entries) < before
            todo.extend(entry.value for entry in node.entries.values())
        else:
            before = len(node.items)
            node.items[:] = [item for item in node.items if not _is_directive(item)]
            found = found or len(node.items) < before
            todo.extend(node.items)
    return found


def _is_directive(item: Node) -> bool:
    """Whether an item is a directive about its list."""
    return isinstance(item, Mapping) and bool(item.entries) and all(_DIRECTIVE.match(key) for key in item.entries)
