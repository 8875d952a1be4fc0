"""A difference for people."""
from __future__ import annotations

import json
import re
from collections import Counter

from hetc.diff.effect import APPLIED, BESIDE, EFFECTS, IN_PLACE, RECREATE
from hetc.explain import LONGEST, OWN, title
from hetc.explain.path import NAMES, children, leaves, named, shown
from hetc.origin import Origin
from hetc.plan.values import came
from hetc.report.diff import unified
from hetc.report.text import printable
from hetc.tree import Scalar, Sequence, find, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.diff import Difference, Found, Pair
    from hetc.explain import Layers
    from hetc.tree import Node

_WORDS = {
    IN_PLACE: "applied in place", RECREATE: "refused until the job is made anew", APPLIED: "applied", BESIDE: "makes another object",
}
_REFUSED = "Volcano refuses an update of a job as a whole: delete the job, then create it"
_TASK = re.compile(r"(?<=\.spec\.tasks)\[[^\]]*\]")
_COLORS = {"-": "\x1b[31m", "+": "\x1b[32m"}
_RESET = "\x1b[0m"


def render(found: Difference, color: bool = False) -> str:
    """The values that differ with their places, and what becomes of them; nothing where nothing differs."""
    if not found.pairs:
        return ""
    several = len(found.pairs) > 1
    lines = [line for pair in found.pairs for line in _pair(pair, found, several)]
    if any(each.effect == RECREATE for pair in found.pairs for each in pair.found):
        lines.append(_REFUSED)
    return "".join(f"{_colored(line, color)}\n" for line in (*lines, _summary(found)))


def _colored(line: str, color: bool) -> str:
    return f"{_COLORS[line[0]]}{line}{_RESET}" if color and line[:1] in _COLORS else line


def _pair(pair: Pair, found: Difference, several: bool) -> Iterator[str]:
    old, new = found.layers
    if pair.old is None or pair.new is None:
        name, layers = (found.names[1], new) if pair.old is None else (found.names[0], old)
        yield f"{title(pair.document)}: only in {printable(name)}"
        yield f"{'+' if pair.old is None else '-'} {_value(pair.document)}  {_place(pair.document, layers)}"
        yield ""
        return
    if several:
        yield f"{title(pair.document)}:"
    for path, each in _once(pair):
        yield from _change(path, each, old, new)
        yield ""


def _once(pair: Pair) -> Iterator[tuple[str, Found]]:
    """The changes with their paths; one that every task has alike only once, for `spec.tasks[*]`."""
    alike: dict[tuple[str, ...], list[Found]] = {}
    for each in pair.found:
        values = ("" if node is None else repr(plain(node)) for node in (each.change.old, each.change.new))
        alike.setdefault((_TASK.sub("[*]", each.change.path), *values), []).append(each)
    tasks = min(len(list(children(find(document, "spec", "tasks") or document))) for document in (pair.old, pair.new) if document)
    for (path, *_), group in alike.items():
        if len(group) == tasks > 1:
            yield path, group[0]
        else:
            yield from ((each.change.path, each) for each in group)


def _change(path: str, found: Found, old: Layers, new: Layers) -> Iterator[str]:
    change = found.change
    what = f": {_WORDS[found.effect]}" if found.effect is not None else ""
    yield f"{printable(shown(path)) or 'the whole document'}{' (order)' if change.moved else ''}{what}"
    one, other = change.old, change.new
    if one is not None and other is not None and _has_lines(one, other):
        end = "" if _text(one).endswith("\n") or _text(other).endswith("\n") else "\n"  # else it would be said of both that they have none
        yield from map(printable, unified(_text(one) + end, _text(other) + end, _place(one, old), _place(other, new)).split("\n")[:-1])
        return
    for sign, node, layers in (("-", one, old), ("+", other, new)):
        if node is not None:
            yield f"{sign} {_names(node) if change.moved else _value(node)}  {_place(node, layers)}"


def _has_lines(one: Node, other: Node) -> bool:
    return all(isinstance(each, Scalar) and isinstance(each.value, str) for each in (one, other)) and "\n" in _text(one) + _text(other)


def _text(node: Node) -> str:
    return str(node.value) if isinstance(node, Scalar) else ""


def _names(node: Node) -> str:
    """What the items of a list are called, in their order."""
    items = node.items if isinstance(node, Sequence) else []
    return ", ".join(printable(next(name for key in NAMES if (name := named(find(item, key))))) for item in items)


def _value(node: Node) -> str:
    """A scalar as JSON; a list or mapping too where it is short, else how much is in it."""
    text = json.dumps(plain(node), ensure_ascii=False)
    if isinstance(node, Scalar) or len(text) <= LONGEST:
        return printable(text)
    return f"{len(list(leaves(node, '')))} values"


def _place(node: Node, layers: Layers) -> str:
    origin = node.origin
    return "hetc" if layers.how(origin) == OWN else came(Origin(origin.span, origin.how))


def _summary(found: Difference) -> str:
    counts = Counter(each.effect for pair in found.pairs for each in pair.found)
    total = sum(counts.values())
    effects = ", ".join(f"{counts[each]} {_WORDS[each]}" for each in EFFECTS if counts[each])
    parts = [f"{total} value{'s differ' if total != 1 else ' differs'}{f': {effects}' if effects else ''}"] if total else []
    for number, name in enumerate(found.names):
        alone = sum((pair.old, pair.new)[1 - number] is None for pair in found.pairs)
        if alone:
            parts.append(f"{alone} document{'s' if alone != 1 else ''} only in {printable(name)}")
    return "; ".join(parts)
