"""Two trees, value by value: what is in one of them alone, and what is another value in each.

Tasks, containers, variables and other items that have names are held against those of the same name; the rest by their place.
"""
from __future__ import annotations

from itertools import zip_longest

from hetc import duration
from hetc.explain.path import NAMES, children, named
from hetc.quantity import QuantityError, parse
from hetc.record import Record
from hetc.tree import Mapping, Scalar, Sequence, find, is_null, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from hetc.tree import Node

    #: What a path calls something one level down, and the thing itself.
    Child: TypeAlias = tuple[str, Node]

#: What stands for the item of a list among the keys of a change.
ITEM = "[]"

#: Keys whose values are amounts, and those whose values are lengths of time: `1Gi` is `1024Mi`, and `30m` is `30m0s`.
_AMOUNTS = frozenset(("limits", "requests", "capability", "deserved", "resource", "minResources"))
_AMOUNT = frozenset(("sizeLimit", "divisor"))
_DURATION = frozenset(("timeout", "runningEstimate"))


class Change(Record):
    """A value that differs. `path`: as hetc writes it; `keys`: the same way in keys, with ITEM for the items of lists.

    `old`, `new`: what is there, None for nothing; `holder`: the mapping or list that it is in. `moved`: the same named items
    in another order.
    """

    path: str
    keys: tuple[str, ...]
    old: Node | None
    new: Node | None
    holder: Node | None = None
    moved: bool = False


def changes(old: Node, new: Node, path: str = "", keys: tuple[str, ...] = (), holder: Node | None = None) -> Iterator[Change]:
    """What differs at and below a path; of what is on one side alone the topmost node. Null counts as nothing in mappings."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        ours, theirs = _entries(old), _entries(new)
        for key in dict.fromkeys((*ours, *theirs)):
            yield from _pair(ours.get(key), theirs.get(key), path, (*keys, key), new)
    elif isinstance(old, Sequence) and isinstance(new, Sequence):
        yield from _lists(old, new, path, keys)
    elif not _same(old, new, keys):
        yield Change(path, keys, old, new, holder)


def _entries(node: Mapping) -> dict[str, Child]:
    return {key: child for key, child in zip(node.entries, children(node)) if not is_null(child[1])}


def _pair(old: Child | None, new: Child | None, path: str, keys: tuple[str, ...], holder: Node) -> Iterator[Change]:
    step, _ = new or old or ("", None)
    if old is not None and new is not None:
        yield from changes(old[1], new[1], path + step, keys, holder)
    else:
        yield Change(path + step, keys, old and old[1], new and new[1], holder)


def _lists(old: Sequence, new: Sequence, path: str, keys: tuple[str, ...]) -> Iterator[Change]:
    below = (*keys, ITEM)
    name = next((each for each in NAMES if _tells_apart(each, old) and _tells_apart(each, new)), None)
    if name is None:
        for one, other in _aligned(list(children(old)), list(children(new))):
            yield from _pair(one, other, path, below, new)
        return
    ours, theirs = _by_name(old, name), _by_name(new, name)
    if [each for each in ours if each in theirs] != [each for each in theirs if each in ours]:
        yield Change(path, keys, old, new, moved=True)
    for each in dict.fromkeys((*ours, *theirs)):
        yield from _pair(ours.get(each), theirs.get(each), path, below, new)


def _tells_apart(key: str, node: Sequence) -> bool:
    """Whether every item has a value under the key that no other one has."""
    names = [named(find(item, key)) for item in node.items]
    return None not in names and len(set(names)) == len(names)


def _by_name(node: Sequence, key: str) -> dict[str, Child]:
    return {named(find(child[1], key)) or "": child for child in children(node)}


def _aligned(old: list[Child], new: list[Child]) -> Iterator[tuple[Child | None, Child | None]]:
    """Items without names in pairs: those alike at both ends are passed over, and what lies between is paired in order."""
    ours, theirs = [repr(plain(node)) for _, node in old], [repr(plain(node)) for _, node in new]
    most = min(len(ours), len(theirs))
    start = next((at for at in range(most) if ours[at] != theirs[at]), most)
    most -= start
    end = next((at for at in range(most) if ours[-1 - at] != theirs[-1 - at]), most)
    yield from zip_longest(old[start:len(old) - end], new[start:len(new) - end])


def _same(old: Node, new: Node, keys: tuple[str, ...]) -> bool:
    """Whether two nodes, at least one of them a scalar, or of two kinds, mean the same."""
    if not isinstance(old, Scalar) or not isinstance(new, Scalar):
        return False
    one, other = old.value, new.value
    if one == other and isinstance(one, bool) == isinstance(other, bool):
        return True
    if (len(keys) > 1 and keys[-2] in _AMOUNTS) or (keys and keys[-1] in _AMOUNT):
        return _amounts_equal(one, other)
    return bool(keys) and keys[-1] in _DURATION and _durations_equal(one, other)


def _amounts_equal(one: object, other: object) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return False
    try:
        return parse(str(one)) == parse(str(other))
    except QuantityError:
        return False


def _durations_equal(one: object, other: object) -> bool:
    if not isinstance(one, str) or not isinstance(other, str) or duration.fault(one) or duration.fault(other):
        return False
    return (one[:1] == "-", duration.count(one)) == (other[:1] == "-", duration.count(other))
