"""Records are made as dataclasses are, and say so where they cannot be."""
from __future__ import annotations

import pytest

from hetc.record import Record, kept, once, replace


class Point(Record):
    x: int
    y: int = 2


class Named(Point):
    name: str = ""

    @kept
    def long(self) -> str:
        return f"{self.name} {self.x} {self.y}"


def test_fields_come_by_place_by_name_and_by_default() -> None:
    assert [(each.x, each.y) for each in (Point(1), Point(1, 2), Point(1, y=2), Point(y=2, x=1))] == [(1, 2)] * 4
    assert Named(1, name="a") == Named(1, 2, "a") != Named(1, 2, "b")
    assert replace(Named(1, 2, "a"), y=3) == Named(1, 3, "a")
    assert repr(Named(1)) == "Named(x=1, y=2, name='')"


@pytest.mark.parametrize(("values", "named", "message"), [
    ((), {"y": 1}, "Point needs `x`"), ((1, 2, 3), {}, "Point takes 2 values, not 3"), ((1,), {"z": 1}, "Point has no `z`"),
    ((1,), {"x": 1}, "Point has no `x`"), ((1, 2), {"y": 3}, "Point has no `y`"),
])
def test_wrong_fields(values: tuple[int, ...], named: dict[str, int], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Point(*values, **named)


def test_what_is_kept_is_computed_once() -> None:
    named = Named(1, name="a")
    assert named.long == "a 1 2"
    named.name = "b"
    assert (named.long, Named(1, name="b").long) == ("a 1 2", "b 1 2")


def test_a_function_is_asked_once_for_each_record() -> None:
    asked = []

    @once
    def double(named: Named) -> int:
        """Twice the first field."""
        asked.append(named.x)
        return 2 * named.x

    first, second = Named(1), Named(2)
    assert [double(each) for each in (first, second, first)] == [2, 4, 2]
    assert (asked, double.__doc__) == ([1, 2], "Twice the first field.")
    assert first == Named(1)
