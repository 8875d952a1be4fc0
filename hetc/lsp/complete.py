"""The words that may stand at a cursor."""
from __future__ import annotations

import os

from hetc import discover, ir
from hetc.diagnostic import Report
from hetc.fields import Choice, Flag, Lines, ListOf, MapOf, Shape, Tasks, Text
from hetc.lsp import place, rows, words
from hetc.lsp.desk import same
from hetc.read import het
from hetc.read.het_values import VGPU_MODES
from hetc.read.yaml import read
from hetc.record import Record
from hetc.rules.bad_pod_field import PATHS
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.fields import Field, Type
    from hetc.lsp.desk import Desk, Looked
    from hetc.lsp.place import Slot, Spot
    from hetc.site import Site
    from hetc.source import Source
    from hetc.tree import Node

KEY, VALUE, TASK, MODEL, FILE = "key", "value", "task", "model", "file"


class Offer(Record):
    """One word: what it is, what replaces the half-open range `word` of the text, and what it means."""

    label: str
    kind: str
    word: tuple[int, int]
    text: str
    doc: str = ""


def offers(desk: Desk, looked: Looked, offset: int) -> list[Offer]:
    """What may stand at an offset of an open file, each once."""
    return list({offer.label: offer for offer in _offers(desk, looked, offset)}.values())


def _offers(desk: Desk, looked: Looked, offset: int) -> Iterator[Offer]:
    source = looked.source
    end, start = het.split(source) if looked.kind == discover.REQUEST else (-1, 0)
    if offset <= end:
        spot = place.spot(source.text, end, offset)
        yield from _request(looked, spot) if spot is not None else ()
    elif offset >= start and rows.of(looked):
        for slot in place.slots(source, start, offset):
            yield from _yaml(desk, looked, slot)


# The request.

def _request(looked: Looked, spot: Spot) -> Iterator[Offer]:
    inside = spot.brackets.inside
    if spot.key is None:
        yield from _keys(looked, spot, inside)
    elif inside == place.GROUP:
        yield from _group_value(looked.site, spot)
    elif inside == "gang":
        yield from _gang_value(looked, spot)
    elif inside == "select" and spot.parts == 1 and spot.key in looked.site.gpu.labels():
        yield from (Offer(product, MODEL, spot.word, product) for product in _products(looked.site, spot.key))


def _keys(looked: Looked, spot: Spot, inside: str) -> Iterator[Offer]:
    given = spot.brackets.keys
    if inside == place.GROUP:
        for key, doc in {**words.GROUP, **words.own(looked.site)}.items():
            if key not in given:
                yield Offer(key, KEY, spot.word, "select[" if key == "select" else key if key == "rdma" else f"{key}=", doc)
    elif inside == "gang":
        yield from (Offer(key, KEY, spot.word, f"{key}=", doc) for key, doc in words.GANG.items() if key not in given)
    elif inside == "select":
        yield from (Offer(label, KEY, spot.word, f"{label}=") for label in _node_labels(looked.site) if label not in given)
    elif inside == "use":
        yield from _files(looked, spot)
    elif inside == "" and spot.before in (None, "MORETHAN", "RSQB", "PLUS"):
        yield from (Offer(word, KEY, spot.word, f"{word}[", doc) for word, doc in words.SECTIONS.items() if word not in given)


def _group_value(site: Site, spot: Spot) -> Iterator[Offer]:
    if spot.key == "gpu" and spot.parts == 2:
        families = site.gpu.families()
        yield from (Offer(each.name, MODEL, spot.word, each.name, f"Any of {', '.join(each.products)}.") for each in families)
        for each in families:
            yield from (Offer(product, MODEL, spot.word, product, f"Nodes with `{each.label}={product}`.") for product in each.products)
    elif spot.parts == 2:
        yield from (Offer(mode, VALUE, spot.word, mode) for mode in {"pack": words.MODES, "vgpu": VGPU_MODES}.get(str(spot.key), ()))


def _gang_value(looked: Looked, spot: Spot) -> Iterator[Offer]:
    if spot.parts == 1:
        yield from (Offer(word, VALUE, spot.word, word) for word in words.CHOICES.get(str(spot.key), ()))
        if spot.key == "done":
            yield from (Offer(name, TASK, spot.word, name) for name in task_names(looked))
    elif spot.key == "pack":
        yield from (Offer(mode, VALUE, spot.word, mode) for mode in words.MODES)


def _files(looked: Looked, spot: Spot) -> Iterator[Offer]:
    """The overlays beside a file, in quotes."""
    folder = os.path.dirname(looked.source.name) or "."
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    start, end = spot.word
    text = looked.source.text
    start -= text[start - 1:start] == '"'
    end += text[end:end + 1] == '"' and text[start:start + 1] == '"' and end > start
    for name in names:
        if name.endswith((".yaml", ".yml")):
            yield Offer(name, FILE, (start, end), f'"{name}"')


# YAML.

def _yaml(desk: Desk, looked: Looked, slot: Slot) -> Iterator[Offer]:
    type, row = rows.along(rows.of(looked), slot.path)
    if slot.is_key:
        yield from _yaml_keys(desk, looked, slot, type, row)
    elif not isinstance(type, (Shape, MapOf, ListOf, Tasks)):
        yield from (Offer(word, kind, slot.word, word) for word, kind in _yaml_values(desk, looked, slot, type, row))


def _yaml_keys(desk: Desk, looked: Looked, slot: Slot, type: Type | None, row: Field | None) -> Iterator[Offer]:
    def offer(word: str, kind: str, below: Type | None, doc: str = "") -> Offer:
        behind = "" if slot.colon else ":" if isinstance(below, (Shape, MapOf, ListOf, Tasks, Lines)) else ": "
        return Offer(word, kind, slot.word, word + behind, doc)

    for key in rows.keys(type):
        if key.name not in slot.beside:
            yield offer(key.name, KEY, key.type, key.doc)
    if isinstance(type, Tasks) and type.what == "task":
        yield from (offer(name, TASK, type) for name in known_tasks(desk, looked) if name not in slot.beside)
    elif isinstance(type, MapOf) and row is not None:
        labels = {"node_selector": _node_labels(looked.site), "labels": [each.value for each in looked.site.policy.required_labels]}
        yield from (offer(label, KEY, None) for label in labels.get(row.name, ()) if label not in slot.beside)


def _yaml_values(desk: Desk, looked: Looked, slot: Slot, type: Type | None, row: Field | None) -> Iterator[tuple[str, str]]:
    if row is None:
        return
    policy = looked.site.policy
    allowed = {"queue": policy.queues, "namespace": policy.namespaces}.get(row.name)
    if isinstance(type, Flag):
        yield from (("true", VALUE), ("false", VALUE))
    elif row.name == "node_selector":
        yield from ((product, MODEL) for product in _products(looked.site, str(slot.path[-1])))
    elif row.name == "field":
        yield from ((field, VALUE) for field in PATHS)
    elif allowed:
        yield from ((each.value, VALUE) for each in allowed)
    elif isinstance(type, Text) and type.what == "a task":
        yield from ((name, TASK) for name in known_tasks(desk, looked))
    elif isinstance(type, Text) and type.what == "a profile":
        yield from ((name, VALUE) for name in _profiles(desk, looked, slot.document))
    elif isinstance(type, Text) and type.choices:
        yield from ((word, VALUE) for word in type.choices if word)
    elif isinstance(type, Choice):
        yield from ((word, VALUE) for word in type.words)
    elif type is row.type and isinstance(row.example, (str, int)) and not isinstance(row.example, bool):
        yield str(row.example), VALUE


def known_tasks(desk: Desk, looked: Looked) -> list[str]:
    """The tasks of a file, or of the open jobs that it is a layer of."""
    return list(dict.fromkeys(name for each in desk.users(looked.source) for name in task_names(each)))


def task_names(looked: Looked) -> list[str]:
    """The names of the groups of a request as far as it is written, with those that hetc gives."""
    if looked.unit is not None and looked.unit.job is not None:
        return [task.name.value for task in looked.unit.job.tasks]
    if looked.kind != discover.REQUEST:
        return []
    text = looked.source.text
    found = place.tokens(text, het.split(looked.source)[0])
    kinds = [kind for kind, _, _ in found]
    names = [text[found[at + 2][1]:found[at + 2][2]] for at in range(len(found) - 2) if kinds[at:at + 3] == ["WORD", "STAR", "WORD"]]
    return names if ir.MASTER in names else [ir.MASTER, *names]


def _profiles(desk: Desk, looked: Looked, document: Node) -> Iterator[str]:
    """The profiles that the site file, a document and the other layers of the open jobs that it belongs to define."""
    own = looked.source
    others = [source for each in desk.users(own) for source in (each.source, *each.report.sources) if not same(source.name, own.name)]
    layers = (layer for source in others for layer in read(source, Report(), _start(source)) or ())
    for layer in (looked.site.defaults, document, *layers):
        profiles = find(layer, "profiles")
        yield from profiles.entries if isinstance(profiles, Mapping) else ()


def _start(source: Source) -> int:
    """Where the YAML of a file starts."""
    return het.split(source)[1] if source.name.endswith(".het") else 0


def _node_labels(site: Site) -> list[str]:
    """Node labels that the site lets jobs select by, else those of GPU products."""
    allowed = site.policy.node_labels
    return [each.value for each in allowed] if allowed is not None else sorted(site.gpu.labels())


def _products(site: Site, label: str) -> list[str]:
    return [product for family in site.gpu.families() if family.label == label for product in family.products]
