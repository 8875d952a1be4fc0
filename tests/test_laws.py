"""Laws that hold for any input. Those of one module stand in its own tests: merging, dumping, the layout of texts."""
from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hetc.diagnostic import Report
from hetc.origin import DERIVED, FILE_NAME
from hetc.pipeline import Compiler, Options, Unit
from hetc.quantity import MAX, Quantity, QuantityError, parse
from hetc.read.yaml import read
from hetc.source import Source, Span
from hetc.tree import Mapping, Scalar, Sequence
from tests.test_promise import OVERLAY, REQUEST
from tests.test_quantity import QUANTITIES, exact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.tree import Node

#: What a back end says with words of its own for something in a request or layer: the keys at the end of a leaf's path.
TOLD = {
    "mountPath", "medium",  # of shm_size
    "action", "event", "events",  # of fail and done
    "mode", "highestTierAllowed", "highestTierName",  # of pack
    "ssh", "svc",  # of plugins: the value stands behind a flag
    "command",  # the whole script, at its first line
    "defaultMode",  # octal
}


def compiled(request: str, overlay: dict[str, object]) -> Unit:
    return Compiler(Options(isolated=True)).job(Source("job.het", f"{request}\n---\n{json.dumps(overlay)}\n"), ask_command=True)


def scalars(node: Node, key: str = "") -> Iterator[tuple[str, Scalar]]:
    """The keys and leaves of a tree, each with the nearest key."""
    if isinstance(node, Mapping):
        for name, entry in node.entries.items():
            yield name, entry.key
            yield from scalars(entry.value, name)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item, key)
    else:
        yield key, node


def holds(text: str, leaf: Scalar) -> bool:
    """Whether a text is a value, in whatever spelling."""
    documents = read(Source("value", text), Report()) or []
    node = documents[0] if len(documents) == 1 else None
    spelt = {text, node.text, str(node.value)} if isinstance(node, Scalar) else {text}
    return str(leaf.value) in spelt or any(same_amount(each, str(leaf.value)) for each in spelt)


def same_amount(text: str, value: str) -> bool:
    try:
        return parse(text) == parse(value)
    except QuantityError:
        return False


def inside(span: Span) -> bool:
    return 0 <= span.start <= span.end <= len(span.source.text)


@settings(max_examples=60)
@given(REQUEST, OVERLAY)
def test_every_origin_is_the_text_that_holds_the_value(request_: str, overlay: dict[str, object]) -> None:
    document = compiled(request_, overlay).document
    for key, leaf in scalars(document) if document is not None else ():
        origin = leaf.origin
        assert inside(origin.span) and all(map(inside, origin.beat)), key
        if origin.how not in (DERIVED, FILE_NAME) and key not in TOLD:
            assert holds(origin.span.text(), leaf), (key, leaf.value, origin.span.text())


@settings(max_examples=60)
@given(REQUEST, OVERLAY)
def test_every_diagnostic_is_inside_its_file(request_: str, overlay: dict[str, object]) -> None:
    for each in compiled(request_, overlay).report.diagnostics:
        assert inside(each.span) and all(inside(label.span) for label in each.related), each.message
        assert each.span.start_position() <= each.span.end_position()


@given(QUANTITIES, QUANTITIES)
def test_quantities_are_ordered_by_their_amounts(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    first, second = parse("".join(one)), parse("".join(other))
    assert (first < second, first == second, first > second) == (
        exact(*one) < exact(*other), exact(*one) == exact(*other), exact(*one) > exact(*other))
    assert (first <= second) == (not first > second) and sorted([second, first]) == sorted([first, second])


@given(st.lists(QUANTITIES, min_size=1, max_size=5))
def test_a_sum_of_quantities_is_exact_and_in_the_form_of_the_first(parts: list[tuple[str, str, str]]) -> None:
    quantities = [parse("".join(each)) for each in parts]
    total = Quantity(sum(each.nano for each in quantities), quantities[0].format)
    assume(abs(total.value()) <= MAX)
    assert Fraction(total.nano, 10**9) == sum(exact(*each) for each in parts)
    assert parse(total.canonical()) == total
