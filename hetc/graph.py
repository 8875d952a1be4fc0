"""Cycles in a directed graph."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def cycles(edges: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Nodes that lead back to the first of them, one list for each way back that a walk in the given order meets.

    There is none exactly where the graph has no cycle. A node without edges of its own need not be a key.
    """
    done: set[str] = set()
    for root in edges:
        path: list[str] = []
        on_path: set[str] = set()
        waiting: list[tuple[str, int]] = [(root, 0)] if root not in done else []
        while waiting:
            node, number = waiting.pop()
            if number == 0:
                path.append(node)
                on_path.add(node)
            following = edges.get(node, ())
            if number == len(following):
                done.add(path.pop())
                on_path.discard(node)
                continue
            waiting.append((node, number + 1))
            target = following[number]
            if target in on_path:
                yield path[path.index(target):]
            elif target not in done:
                waiting.append((target, 0))
