"""HET527: parents of queues."""
from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hetc.manifest import Given, Manifest
from hetc.rules.queue_parent import RULE
from tests.rules.checks import NO_SITE, Found, check_manifest, manifest, queue
from tests.rules.helpers import related

if TYPE_CHECKING:
    from hetc.diagnostic import Finding


def test_itself() -> None:
    assert check_manifest(RULE, queue("a", "parent: a")) == [
        Found(7, 11, "error", "queue `a` is its own parent", "name another queue, such as `root`"),
    ]


def test_cycle() -> None:
    assert check_manifest(RULE, queue("a", "parent: b") + queue("b", "parent: a")) == [
        Found(7, 11, "error", "the queues are each other's parents in a cycle: `a` -> `b` -> `a`", "let one of them be a child of `root`"),
        Found(14, 11, "error", "the queues are each other's parents in a cycle: `b` -> `a` -> `b`", "let one of them be a child of `root`"),
    ]


def test_too_deep() -> None:
    assert check_manifest(RULE, "".join(queue(f"q{i}", f"parent: q{i - 1}") if i else queue("q0") for i in range(6))) == [
        Found(41, 11, "error", "queue `q5` lies 6 levels deep, and Volcano allows 5", "choose a parent further up"),
    ]


def test_not_given() -> None:
    assert check_manifest(RULE, queue("a", "parent: visoin") + queue("vision")) == [
        Found(7, 11, "warning", "parent `visoin` is none of the queues given here", "did you mean `vision`?"),
    ]


def test_not_given_at_all() -> None:
    assert check_manifest(RULE, queue("a", "parent: zzzz")) == [
        Found(7, 11, "warning", "parent `zzzz` is none of the queues given here", "check that it is in the cluster, or give it here too"),
    ]


def test_behind() -> None:
    assert check_manifest(RULE, queue("a", "parent: b") + queue("b")) == [
        Found(7, 11, "warning",
              "parent `b` is given behind its child, which is refused as long as it is not there",
              "move the parent before it"),
    ]


def test_capability() -> None:
    assert check_manifest(RULE, queue("a", "capability: {cpu: 4}") + queue("b", "parent: a") + queue("c", "parent: b", "capability: {cpu: 5, memory: 1Gi}")) == [
        Found(22, 21, "error", "capability `5` of `cpu` is above that of a queue above it, `4`", "write at most `4`"),
    ]


def test_each_resource_of_a_capability() -> None:
    text = queue("a", "capability: {cpu: 4, memory: 1Gi}") + queue("b", "parent: a", "capability: {cpu: 4, memory: 2Gi}")
    assert check_manifest(RULE, text) == [
        Found(15, 32, "error", "capability `2Gi` of `memory` is above that of a queue above it, `1Gi`", "write at most `1Gi`"),
    ]


def test_sums() -> None:
    assert check_manifest(RULE, queue("a", "deserved: {cpu: 4}") + queue("b", "parent: a", "deserved: {cpu: 3}") + queue("c", "parent: a", "deserved: {cpu: 1500m, memory: 1Gi}")) == [
        Found(5, 9, "error",
              "the queues below `a` have `1Gi` of `memory` in their `deserved`, and it has none",
              "give it at least `1Gi`, or the queues below less"),
        Found(7, 19, "error",
              "the queues below `a` have `4500m` of `cpu` in their `deserved`, and it has `4`",
              "give it at least `4500m`, or the queues below less"),
    ]


def test_guarantees() -> None:
    assert check_manifest(RULE, queue("a") + queue("b", "parent: a", "guarantee: {resource: {cpu: 3}}")) == [
        Found(5, 9, "error",
              "the queues below `a` have `3` of `cpu` in their `guarantee`, and it has none",
              "give it at least `3`, or the queues below less"),
    ]


def test_root() -> None:
    assert check_manifest(RULE, queue("root", "capability: {cpu: 3}")) == [
        Found(7, 3, "warning", "`capability` of the queue `root` is Volcano's, which refuses to change it", "leave it out"),
    ]


@pytest.mark.parametrize("text", [
    queue("a") + queue("b", "parent: a") + queue("c", "parent: root") + queue("d", 'parent: ""'),
    "".join(queue(f"q{i}", f"parent: q{i - 1}") if i else queue("q0") for i in range(5)),
    queue("a", "deserved: {cpu: 4}", "capability: {cpu: 4}") + queue("b", "parent: a", "deserved: {cpu: 3}", "capability: {cpu: 4}") + queue("c", "parent: a", "deserved: {cpu: 1}"),
    queue("a", "parent: default"),
    queue("a", "parent: [x]", "capability: x"),
    queue("root", "weight: 1"),
    queue("b", "parent: root", "deserved: {cpu: 4}") + queue("root"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_the_places_beside() -> None:
    assert related(RULE, queue("a", "parent: b") + queue("b")) == [(9, 1, "the parent")]
    assert related(RULE, queue("a", "capability: {cpu: 4}") + queue("b", "parent: a", "capability: {cpu: 5}")) == [(7, 21, "the queue above")]
    children = "".join(queue(f"b{number}", "parent: a", "deserved: {cpu: 1}") for number in range(9))
    assert related(RULE, queue("a", "deserved: {cpu: 8}") + children) == [(8 + 8 * number + 7, 19, "a queue below") for number in range(8)]


def test_a_cycle_of_three() -> None:
    found = check_manifest(RULE, queue("a", "parent: b") + queue("b", "parent: c") + queue("c", "parent: a"))
    assert found[0].message == "the queues are each other's parents in a cycle: `a` -> `b` -> `c` -> `a`"


def test_levels_are_counted_up_to_fifty() -> None:
    deep = "".join(queue(f"q{number}", f"parent: q{number - 1}") if number else queue("q0") for number in range(60))
    assert [each.message for each in check_manifest(RULE, deep)][-1] == "queue `q59` lies 51 levels deep, and Volcano allows 5"


def test_the_least_amounts() -> None:
    assert len(check_manifest(RULE, queue("a", "capability: {cpu: 1n}") + queue("b", "parent: a", "capability: {cpu: 1}"))) == 1
    assert len(check_manifest(RULE, queue("a") + queue("b", "parent: a", "deserved: {cpu: 1n}"))) == 1


def test_bounds() -> None:
    assert check_manifest(RULE, queue("a", "deserved: {cpu: 2}") + queue("b", "parent: a", "deserved: {cpu: 2}")) == []
    assert check_manifest(RULE, queue("a", "deserved: {cpu: 0}") + queue("b", "parent: a", "deserved: {cpu: 0}")) == []
    zero = queue("a", "capability: {cpu: 9}") + queue("b", "parent: a", "capability: {cpu: 0}") + queue("c", "parent: b", "capability: {cpu: 5}")
    assert check_manifest(RULE, zero) == []
    own = queue("a", "parent: b", "capability: {cpu: 1}") + queue("b", "parent: a", "capability: {cpu: 1}")
    assert {each.message.partition(":")[0] for each in check_manifest(RULE, own)} == {"the queues are each other's parents in a cycle"}


@pytest.mark.parametrize("key", ["capability", "deserved", "guarantee"])
def test_what_root_has_is_volcano_s(key: str) -> None:
    assert [each.message for each in check_manifest(RULE, queue("root", f"{key}: {{}}"))] == [
        f"`{key}` of the queue `root` is Volcano's, which refuses to change it"]


def test_no_queue_is_meant_as_its_own_parent() -> None:
    assert [each.help for each in check_manifest(RULE, queue("vision", "parent: visoin"))] == [
        "check that it is in the cluster, or give it here too"]


def test_parents_of_other_files() -> None:
    first, second = queue("a", "parent: b"), queue("b")
    whole = Manifest((*manifest(second).documents, *manifest(first).documents), False)
    assert list(RULE.check(whole, NO_SITE)) == []
    whole = Manifest((*manifest(first).documents, *manifest(second).documents), False)
    assert list(RULE.check(whole, NO_SITE)) == []
    assert [finding.message for finding in RULE.check(Manifest(manifest(first).documents, False), NO_SITE)] == [
        "parent `b` is none of the queues given here"]


def beside(here: str, cluster: str) -> list[Finding]:
    """What is found in Queues beside a cluster's."""
    others = tuple(manifest(cluster.replace("kind: Queue", "kind: Queue  # cluster")).documents)
    return list(RULE.check(Manifest(manifest(here).documents, False, Given(others, frozenset(("Queue",)))), NO_SITE))


def given(here: str, cluster: str) -> list[tuple[str, int, str | None, str, list[tuple[str, int]]]]:
    """The same in short: file and line, level, message, the places beside."""
    return [(*place(each.span), each.level, each.message, [place(label.span) for label in each.related]) for each in beside(here, cluster)]


def advice(here: str, cluster: str) -> list[tuple[str | None, list[str]]]:
    """The help for what is found beside a cluster, and what is said of the places beside."""
    return [(each.help, [label.message for label in each.related]) for each in beside(here, cluster)]


def place(span) -> tuple[str, int]:
    return "cluster" if "# cluster" in span.source.text else "here", span.start_position()[0]


def test_children_here_of_a_parent_there() -> None:
    above = queue("a", "deserved: {cpu: 4}") + queue("b", "parent: a", "deserved: {cpu: 3}")
    assert given(queue("c", "parent: a", "deserved: {cpu: 2}"), above) == [
        ("here", 8, None, "the queues below `a` have `5` of `cpu` in their `deserved`, and it has `4`", [("cluster", 7), ("cluster", 15)]),
    ]


def test_a_parent_here_of_children_there() -> None:
    below = queue("a", "deserved: {cpu: 4}") + queue("b", "parent: a", "deserved: {cpu: 3}", "capability: {cpu: 8}")
    assert given(queue("a", "deserved: {cpu: 2}", "capability: {cpu: 7}"), below) == [
        ("here", 8, None, "capability `8` of `cpu` is above that of a queue above it, `7`", [("cluster", 16)]),
        ("here", 7, None, "the queues below `a` have `3` of `cpu` in their `deserved`, and it has `2`", [("cluster", 15)]),
    ]


def test_what_is_wrong_in_the_cluster_alone() -> None:
    above = queue("a", "capability: {cpu: 1}", "deserved: {cpu: 1}") + queue("b", "parent: a", "capability: {cpu: 2}", "deserved: {cpu: 2}")
    assert given(queue("c", "parent: a", "capability: {memory: 1Gi}"), above) == []


def test_a_parent_with_pods() -> None:
    above = queue("a", more="status: {allocated: {pods: '3'}}\n") + queue("b", "parent: d") + queue("d", more="status: {allocated: {pods: '3'}}\n")
    assert given(queue("c", "parent: a") + queue("e", "parent: d") + queue("f", "parent: b"), above) == [
        ("here", 7, "warning", "parent `a` has `3` pods, and may have none when its first child comes", [("cluster", 6)]),
    ]
    assert advice(queue("c", "parent: a"), above) == [("choose another parent, or wait until they have ended", ["its pods"])]
    assert given(queue("c", "parent: a"), above.replace("'3'", "'0'")) == []


def test_what_to_do_beside_a_cluster() -> None:
    assert advice(queue("a", "capability: {cpu: 7}"), queue("a") + queue("b", "parent: a", "capability: {cpu: 8}")) == [
        ("write at least `8`", ["the queue below"])]
    assert advice(queue("c", "parent: a", "deserved: {cpu: 2}"), queue("a", "deserved: {cpu: 4}") + queue("b", "parent: a", "deserved: {cpu: 3}")) == [
        ("give it at least `5`, or the queues below less", ["the queue above", "a queue below"])]


def test_a_child_here_that_the_cluster_has_too() -> None:
    above = queue("a", "deserved: {cpu: 4}") + queue("c", "parent: a") + queue("b", "parent: a", "deserved: {cpu: 3}")
    assert given(queue("c", "parent: a", "deserved: {cpu: 2}"), above) == [
        ("here", 8, None, "the queues below `a` have `5` of `cpu` in their `deserved`, and it has `4`", [("cluster", 7), ("cluster", 22)]),
    ]


def test_of_many_children_the_first_are_shown() -> None:
    above = queue("a", "deserved: {cpu: 4}") + "".join(queue(f"b{number}", "parent: a", "deserved: {cpu: 1}") for number in range(9))
    [(_, labels)] = advice(queue("c", "parent: a", "deserved: {cpu: 1}"), above)
    assert labels == ["the queue above"] + ["a queue below"] * 7
