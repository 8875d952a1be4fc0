"""The words that may stand at a cursor."""
from __future__ import annotations

import os

from hetc import discover, ir
from hetc.fields import Flag, Lines, ListOf, MapOf, Shape, Tasks, Text
from hetc.lsp import place, rows, words
from hetc.read import het
from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.fields import Field, Type
    from hetc.lsp.desk import Desk, Looked
    from hetc.lsp.place import Slot, Spot
    from hetc.site import Site

KEY, VALUE, TASK, MODEL, FILE = "key", "value", "task", "model", "file"

#: Fields of a pod that a variable can have: those of Kubernetes' downward API that mean something in a job.
POD_FIELDS = ("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP",
              "status.podIP")


class Choice(Record):
    """One word: what it is, what replaces the half-open range `word` of the text, and what it means."""

    label: str
    kind: str
    word: tuple[int, int]
    text: str
    doc: str = ""


def choices(desk: Desk, looked: Looked, offset: int) -> list[Choice]:
    """What may stand at an offset of an open file, each once."""
    source, start = looked.source, 0
    found: Iterator[Choice] = iter(())
    if looked.kind == discover.REQUEST or source.name.endswith(".het"):
        end, start = het.split(source)
        if offset <= end:
            spot = place.spot(source.text, end, offset)
            return list(_once(_request(looked, spot))) if spot is not None else []
    if offset >= start and rows.of(looked):
        found = (choice for slot in place.slots(source, start, offset) for choice in _yaml(desk, looked, slot))
    return list(_once(found))


def _once(found: Iterator[Choice]) -> Iterator[Choice]:
    yield from {choice.label: choice for choice in found}.values()


# The request.

def _request(looked: Looked, spot: Spot) -> Iterator[Choice]:
    inside = spot.brackets.inside
    if spot.key is None:
        yield from _keys(looked, spot, inside)
    elif inside == place.GROUP:
        yield from _group_value(looked.site, spot)
    elif inside == "gang":
        yield from _gang_value(looked, spot)
    elif inside == "select" and spot.parts == 1 and spot.key in looked.site.gpu.labels():
        yield from (Choice(product, MODEL, spot.word, product) for product in _products(looked.site, spot.key))


def _keys(looked: Looked, spot: Spot, inside: str) -> Iterator[Choice]:
    given = spot.brackets.keys
    if inside == place.GROUP:
        for key, doc in words.GROUP.items():
            if key not in given:
                yield Choice(key, KEY, spot.word, "select[" if key == "select" else key if key == "rdma" else f"{key}=", doc)
    elif inside == "gang":
        yield from (Choice(key, KEY, spot.word, f"{key}=", doc) for key, doc in words.GANG.items() if key not in given)
    elif inside == "select":
        yield from (Choice(label, KEY, spot.word, f"{label}=") for label in _node_labels(looked.site) if label not in given)
    elif inside == "use":
        yield from _files(looked, spot)
    elif inside == "" and spot.before in (None, "MORETHAN", "RSQB", "PLUS"):
        yield from (Choice(word, KEY, spot.word, f"{word}[", doc) for word, doc in words.SECTIONS.items() if word not in given)


def _group_value(site: Site, spot: Spot) -> Iterator[Choice]:
    if spot.key == "gpu" and spot.parts == 2:
        families = site.gpu.families()
        yield from (Choice(each.name, MODEL, spot.word, each.name, f"Any of {', '.join(each.products)}.") for each in families)
        for each in families:
            yield from (Choice(product, MODEL, spot.word, product, f"Nodes with `{each.label}={product}`.") for product in each.products)
    elif spot.key == "pack" and spot.parts == 2:
        yield from (Choice(mode, VALUE, spot.word, mode) for mode in words.MODES)


def _gang_value(looked: Looked, spot: Spot) -> Iterator[Choice]:
    if spot.parts == 1:
        yield from (Choice(word, VALUE, spot.word, word) for word in words.CHOICES.get(str(spot.key), ()))
        if spot.key == "done":
            yield from (Choice(name, TASK, spot.word, name) for name in task_names(looked))
    elif spot.key == "pack":
        yield from (Choice(mode, VALUE, spot.word, mode) for mode in words.MODES)


def _files(looked: Looked, spot: Spot) -> Iterator[Choice]:
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
            yield Choice(name, FILE, (start, end), f'"{name}"')


# YAML.

def _yaml(desk: Desk, looked: Looked, slot: Slot) -> Iterator[Choice]:
    type, row = rows.along(rows.of(looked), slot.path)
    if slot.is_key:
        yield from _yaml_keys(desk, looked, slot, type, row)
    elif not isinstance(type, (Shape, MapOf, ListOf, Tasks)):
        yield from (Choice(word, kind, slot.word, word) for word, kind in _yaml_values(desk, looked, slot, type, row))


def _yaml_keys(desk: Desk, looked: Looked, slot: Slot, type: Type | None, row: Field | None) -> Iterator[Choice]:
    def choice(word: str, kind: str, below: Type | None, doc: str = "") -> Choice:
        behind = "" if slot.colon else ":" if isinstance(below, (Shape, MapOf, ListOf, Tasks, Lines)) else ": "
        return Choice(word, kind, slot.word, word + behind, doc)

    for key in rows.keys(type):
        if key.name not in slot.beside:
            yield choice(key.name, KEY, key.type, key.doc)
    if isinstance(type, Tasks):
        yield from (choice(name, TASK, type) for name in known_tasks(desk, looked) if name not in slot.beside)
    elif isinstance(type, MapOf) and row is not None:
        labels = {"node_selector": _node_labels(looked.site), "labels": [each.value for each in looked.site.policy.required_labels]}
        yield from (choice(label, KEY, None) for label in labels.get(row.name, ()) if label not in slot.beside)


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
        yield from ((field, VALUE) for field in POD_FIELDS)
    elif allowed:
        yield from ((each.value, VALUE) for each in allowed)
    elif isinstance(type, Text) and type.what == "a task":
        yield from ((name, TASK) for name in known_tasks(desk, looked))
    elif isinstance(type, Text) and type.choices:
        yield from ((word, VALUE) for word in type.choices)
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


def _node_labels(site: Site) -> list[str]:
    """Node labels that the site lets jobs select by, else those of GPU products."""
    allowed = site.policy.node_labels
    return [each.value for each in allowed] if allowed is not None else sorted(site.gpu.labels())


def _products(site: Site, label: str) -> list[str]:
    return [product for family in site.gpu.families() if family.label == label for product in family.products]
