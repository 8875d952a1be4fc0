"""Paths into a manifest, in the ways that people write them, and where they lead.

    spec.tasks[worker].replicas                       spec.tasks.1.replicas
    {.spec.tasks[?(@.name=="worker")].replicas}       $['spec']['tasks'][1]['replicas']
    spec.tasks.[name=worker].replicas                 /spec/tasks/1/replicas

An item of a list is meant by its number or its name; `*` means every item or key.
"""
from __future__ import annotations

import re
from collections import Counter

from hetc.names import nearest
from hetc.record import Record
from hetc.source import UsageError
from hetc.tree import Mapping, Scalar, Sequence, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.tree import Node

EVERY = "*"

#: A filter of JSONPath, a quoted key, `[key=value]`, anything else in brackets, a key.
_STEP = re.compile(r"""
    \[\s*\?\(\s*@\.(?P<field>[\w.-]+)\s*==?\s*(?P<quote>['"]?)(?P<wanted>[^'"\]]*)(?P=quote)\s*\)\s*\] |
    \[\s*(?P<mark>['"])(?P<quoted>.*?)(?P=mark)\s*\] |
    \[(?P<key>[\w./-]+)=(?P<value>[^\]]*)\] |
    \[(?P<bare>[^\]\[]+)\] |
    (?P<word>(?:\\.|[^.\[\]\\])+)
""", re.VERBOSE)

#: What names the items of Kubernetes' lists, the likeliest first.
NAMES = ("name", "mountPath", "key")

#: The most names that a message lists.
MOST = 8


class Step(Record):
    """One part of a path: the key or the item of that `text`; with a `field`, the items whose value there is the text.

    `loose`: it was written between dots, so that it may be a piece of a key with dots in it.
    """

    text: str
    field: str | None = None
    loose: bool = False


class Place(Record):
    """A path as hetc writes it, and what is there."""

    path: str
    node: Node


def parse(text: str) -> tuple[Step, ...]:
    """The steps of a path. Raises UsageError."""
    if text.startswith("/"):
        return tuple(Step(part.replace("~1", "/").replace("~0", "~")) for part in text[1:].split("/"))
    inner = text[1:-1] if text.startswith("{") and text.endswith("}") else text
    inner = inner.removeprefix("$")
    steps: list[Step] = []
    at = 0
    while at < len(inner):
        at += inner[at] == "."
        found = _STEP.match(inner, at)
        if found is None:
            raise UsageError(f"`{text}` is no path; write one like `spec.tasks[worker].replicas`")
        steps.append(_step(found))
        at = found.end()
    return tuple(steps)


def _step(found: re.Match[str]) -> Step:
    if found["field"] is not None:
        return Step(found["wanted"], found["field"])
    if found["key"] is not None:
        return Step(found["value"].strip("'\""), found["key"])
    if found["word"] is not None:
        return Step(re.sub(r"\\(.)", r"\1", found["word"]), loose=True)
    return Step(found["quoted"] if found["bare"] is None else found["bare"].strip())


def places(node: Node, steps: tuple[Step, ...], path: str = "") -> Iterator[Place]:
    """Where the steps lead from a node; nothing where they lead nowhere."""
    if not steps:
        yield Place(path, node)
        return
    for count, name, below in _taken(node, steps):
        yield from places(below, steps[count:], path + name)


def _taken(node: Node, steps: tuple[Step, ...]) -> Iterator[tuple[int, str, Node]]:
    """How many steps lead one level down, the name of what is there as a path has it, and the node itself."""
    step = steps[0]
    every = step.text == EVERY and step.field is None
    if isinstance(node, Sequence):
        for name, item in _items(node):
            if every or _meant(step, name, item, node):
                yield 1, name, item
    elif isinstance(node, Mapping) and every:
        yield from ((1, _key(key), entry.value) for key, entry in node.entries.items())
    elif isinstance(node, Mapping) and step.field is None:
        for count in range(1, len(steps) + 1):
            key = ".".join(each.text for each in steps[:count])
            if key in node.entries:
                yield count, _key(key), node.entries[key].value
                return
            if not all(each.loose for each in steps[:count + 1]):
                return


def _meant(step: Step, name: str, item: Node, among: Sequence) -> bool:
    if step.field is not None:
        return named(find(item, *step.field.split("."))) == step.text
    if step.text.isascii() and step.text.isdigit() and int(step.text) < len(among.items):
        return among.items[int(step.text)] is item
    return step.text in (named(item), *(named(find(item, key)) for key in NAMES))


def named(node: Node | None) -> str | None:
    """A scalar as a path names it."""
    return str(node.value) if isinstance(node, Scalar) else None


def _items(node: Sequence) -> Iterator[tuple[str, Node]]:
    """The items of a list with what a path calls each: its name where no other item has it, else its number."""
    names = [next((name for key in NAMES if (name := named(find(item, key)))), None) for item in node.items]
    counts = Counter(names)
    for number, (name, item) in enumerate(zip(names, node.items)):
        plain = name is not None and counts[name] == 1 and not name.isdigit() and re.fullmatch(r"[\w./-]+", name)
        yield f"[{name if plain else number}]", item


def _key(key: str) -> str:
    if re.fullmatch(r"[\w/-]+", key):
        return f".{key}"
    return f'["{key}"]' if "'" in key else f"['{key}']"


def children(node: Node) -> Iterator[tuple[str, Node]]:
    """What stands one level down, by what a path calls it."""
    if isinstance(node, Mapping):
        yield from ((_key(key), entry.value) for key, entry in node.entries.items())
    elif isinstance(node, Sequence):
        yield from _items(node)


def leaves(node: Node, path: str) -> Iterator[Place]:
    """The scalars, and the empty lists and mappings, at and below a node."""
    below = list(children(node))
    if not below:
        yield Place(path, node)
    for name, child in below:
        yield from leaves(child, path + name)


def near(document: Node, text: str, steps: tuple[Step, ...]) -> str:
    """The message on a path that leads nowhere: where it stops, and what stands there or is called alike."""
    node, path = document, ""
    rest = steps
    while taken := next(_taken(node, rest), None) if rest else None:
        count, name, node = taken
        path, rest = path + name, rest[count:]
    found = {_bare(name): path + name for name, _ in children(node)}
    close = nearest(rest[0].text, found, most=len(found))
    if close is not None:
        better = next(places(document, (*steps[:len(steps) - len(rest)], Step(close), *rest[1:])), None)
        return f"`{text}` is not in the manifest; did you mean `{shown(better.path if better is not None else found[close])}`?"
    alike = [place.path for place in leaves(document, "") if _ends(place.path, steps)]
    if alike:
        return f"`{text}` is not in the manifest; did you mean {_listed(alike, 'or')}?"
    if not found:
        return f"`{text}` is not in the manifest: `{shown(path)}` has no parts"
    where = f"in `{shown(path)}`" if path else "in it"
    return f"`{text}` is not in the manifest; {where} there are {_listed([_bare(name) for name, _ in children(node)], 'and')}"


def shown(path: str) -> str:
    """A path without the dot at its start."""
    return path.removeprefix(".")


def _bare(name: str) -> str:
    """A key or an item without the signs of a path."""
    return name.removeprefix(".").strip("[]").strip("'\"")


def _ends(path: str, steps: tuple[Step, ...]) -> bool:
    """Whether a path ends as the steps do, and has all their names in it."""
    parts = [_bare(part) for part in re.findall(r"\[[^\]]*\]|\.[^.\[]*", path)]
    wanted = [step.text for step in steps]
    return parts[-1:] == wanted[-1:] and all(word in parts for word in wanted if not word.isdigit() and word not in ("spec", "tasks"))


def _listed(names: list[str], word: str) -> str:
    """Some names, the last behind a word such as `or`; no more of them than anybody reads."""
    few = [f"`{shown(name)}`" for name in names[:MOST]]
    if len(names) > MOST:
        return ", ".join(few) + ", ..."
    return " ".join([*([", ".join(few[:-1]), word] if few[1:] else []), few[-1]])
