"""What changes between two inputs, and what Volcano does with it: `hetc diff`.

Inputs are `.het` files, templates and manifests; their documents are compared as what they compile to, with the places that the
values came from on both sides. Text and JSON (`schemas/diff.schema.json`) say the same.
"""
from __future__ import annotations

from hetc import discover
from hetc.api import api
from hetc.diff.compare import Change, changes
from hetc.diff.effect import effect, is_server
from hetc.diff.live import stored
from hetc.explain import Explained, Layers, manifest
from hetc.explain.path import named
from hetc.record import Record
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from hetc.diagnostic import Report
    from hetc.pipeline import Compiler
    from hetc.source import Source

    Documents = tuple[Mapping, ...]


class Found(Record):
    """A change, and what becomes of it; see `hetc.diff.effect`."""

    change: Change
    effect: str | None


class Pair(Record):
    """A document in both inputs, with what differs; or in one of them alone, then the other one is None."""

    old: Mapping | None
    new: Mapping | None
    found: tuple[Found, ...] = ()

    @property
    def document(self) -> Mapping:
        document = self.old if self.new is None else self.new
        assert document is not None
        return document


class Difference(Record):
    """The documents that differ; `names` and `layers`: of the old input, and of the new one."""

    pairs: tuple[Pair, ...]
    names: tuple[str, str]
    layers: tuple[Layers, Layers]


def read(source: Source, compiler: Compiler, report: Report) -> Explained | None:
    """The documents of an input, of whatever kind; None after an error that is reported. Raises UsageError."""
    if discover.kind(source) != discover.MANIFEST:
        return manifest(source, compiler, report)
    from hetc.read.manifest import every

    documents = every(source, report)
    return None if report.failed else Explained(documents, Layers(source.name, None, {source.name: "the manifest"}))


def difference(old: Explained, new: Explained, live: bool = False) -> Difference:
    """What differs. `live`: one input comes from a cluster; what servers add does not count."""
    pairs = [_pair(*each, live) for each in _matched(old.documents, new.documents)]
    differing = tuple(each for each in pairs if each.found or each.old is None or each.new is None)
    return Difference(differing, (old.layers.main, new.layers.main), (old.layers, new.layers))


def render(found: Difference, form: str, color: bool) -> str:
    """A difference as `text`, which is empty where nothing differs, or as `json`."""
    from hetc.diff import json, text

    return json.render(found) if form == "json" else text.render(found, color)


def is_of_cluster(found: Difference) -> bool:
    """Whether something differs that only a cluster writes."""
    return any(is_server(each.change) for pair in found.pairs for each in pair.found)


def _pair(old: Mapping | None, new: Mapping | None, live: bool) -> Pair:
    if old is None or new is None:
        return Pair(old, new)
    group, kind = api(new)
    different = changes(stored(old), stored(new)) if live else changes(old, new)
    found = (each for each in different if not (live and _is_filled(each, old, new)))
    return Pair(old, new, tuple(Found(each, effect(each, group, kind)) for each in found))


def _is_filled(change: Change, old: Mapping, new: Mapping) -> bool:
    """Whether the cluster chose it: a namespace where the file has none, a name where it has only its beginning."""
    if change.keys == ("metadata", "namespace"):
        return change.old is None or change.new is None
    generated = [named(find(each, "metadata", "generateName")) for each in (old, new)]
    return change.keys == ("metadata", "name") and None in (change.old, change.new) and generated[0] == generated[1] is not None


def _matched(old: Documents, new: Documents) -> Iterator[tuple[Mapping | None, Mapping | None]]:
    """The documents of one object each: of a kind, a namespace and a name; without a namespace on one side by the name alone.

    Two inputs of one document of a kind are compared whatever its names.
    """
    if len(old) == len(new) == 1 and api(old[0]) == api(new[0]):
        yield old[0], new[0]
        return
    pairs, old, new = _same_key(old, new, lambda each: (*_name(each), _namespace(each)))
    anywhere, old, new = _same_key(old, new, _name)
    for one, other in anywhere:
        if _namespace(one) and _namespace(other):
            old, new = (*old, one), (*new, other)
        else:
            pairs.append((one, other))
    yield from pairs
    yield from ((each, None) for each in old)
    yield from ((None, each) for each in new)


def _same_key(
    old: Documents, new: Documents, key: Callable[[Mapping], Hashable],
) -> tuple[list[tuple[Mapping, Mapping]], Documents, Documents]:
    """The documents of either side that have a key in common, in pairs; and the rest of each side."""
    waiting: dict[Hashable, list[Mapping]] = {}
    for each in reversed(new):
        waiting.setdefault(key(each), []).append(each)
    pairs: list[tuple[Mapping, Mapping]] = []
    alone: list[Mapping] = []
    for each in old:
        same = waiting.get(key(each))
        if same:
            pairs.append((each, same.pop()))
        else:
            alone.append(each)
    left = {id(each) for rest in waiting.values() for each in rest}
    return pairs, tuple(alone), tuple(each for each in new if id(each) in left)


def _name(document: Mapping) -> tuple[str | None, ...]:
    metadata = document.get("metadata")
    return (*api(document), named(find(metadata, "name")) or named(find(metadata, "generateName")))


def _namespace(document: Mapping) -> str | None:
    return named(find(document, "metadata", "namespace"))
