"""Cycles of a graph, held against the plain definition: a node that can be reached from itself."""
from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hetc.graph import cycles

NODES = st.sampled_from("abcdef")
GRAPHS = st.dictionaries(NODES, st.lists(NODES, max_size=4), max_size=6)


def reachable(edges: dict[str, list[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = list(edges.get(start, []))
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(edges.get(node, []))
    return found


@given(GRAPHS)
def test_there_is_one_where_a_node_leads_back_to_itself(edges: dict[str, list[str]]) -> None:
    assert bool(list(cycles(edges))) == any(node in reachable(edges, node) for node in edges)


@given(GRAPHS)
def test_each_is_a_way_along_edges_without_a_node_twice(edges: dict[str, list[str]]) -> None:
    for cycle in cycles(edges):
        assert len(set(cycle)) == len(cycle) > 0
        assert all(after in edges[before] for before, after in zip(cycle, [*cycle[1:], cycle[0]]))


def test_order() -> None:
    assert list(cycles({"x": ["a"], "a": ["b"], "b": ["c", "a"], "c": ["c"]})) == [["c"], ["a", "b"]]


def test_a_long_way() -> None:
    edges = {str(number): [str((number + 1) % 50_000)] for number in range(50_000)}
    assert [len(cycle) for cycle in cycles(edges)] == [50_000]
