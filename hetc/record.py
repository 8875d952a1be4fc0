"""Small immutable-by-habit classes without the start-up cost of `dataclasses`.

A subclass of `Record` lists annotated fields, defaults allowed, and gets `__slots__`, `__init__`,
`__repr__` and equality over all fields. Type checkers see it as a dataclass.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, TypeVar, dataclass_transform

    R = TypeVar("R")
    T = TypeVar("T", bound="Record")
    kept = property
else:

    class kept:
        """A property of a record that is computed once: what it comes to hides it in the record's own `__dict__`."""

        def __init__(self, compute):
            self.compute = compute
            self.name = compute.__name__
            self.__doc__ = compute.__doc__

        def __get__(self, record, owner=None):
            value = record.__dict__[self.name] = self.compute(record)
            return value

    def dataclass_transform(**_):
        return lambda cls: cls


def once(look: Callable[[T], R]) -> Callable[[T], R]:
    """A function of a record that keeps something, computed once for each: a `kept` property for what another module knows of it."""
    name = f"{look.__module__}.{look.__name__}"

    def known(record: T) -> R:
        found = record.__dict__
        if name not in found:
            found[name] = look(record)
        return found[name]  # type: ignore[no-any-return]

    known.__doc__ = look.__doc__
    return known


@dataclass_transform()
class _Meta(type):
    _fields: tuple[str, ...]
    _defaults: dict[str, object]

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _Meta:
        own = tuple(space.get("__annotations__", ()))
        inherited = tuple(field for base in bases for field in getattr(base, "_fields", ()))
        defaults = {key: value for base in bases for key, value in getattr(base, "_defaults", {}).items()}
        defaults.update({field: space.pop(field) for field in own if field in space})
        keeps = any(type(value) is kept for value in space.values()) and not any(base.__dictoffset__ for base in bases)
        space.update(__slots__=(*own, "__dict__") if keeps else own, _fields=inherited + own, _defaults=defaults)
        return super().__new__(mcs, name, bases, space)


class Record(metaclass=_Meta):
    """The base of every plain data class in hetc."""

    if TYPE_CHECKING:
        # What the metaclass sets; type checkers do not look for it there on instances.
        _fields: ClassVar[tuple[str, ...]]
        _defaults: ClassVar[dict[str, object]]

    def __init__(self, *values: Any, **named: Any) -> None:
        if named or len(values) != len(self._fields):
            values = _completed(type(self), values, named)
        for field, value in zip(self._fields, values):
            setattr(self, field, value)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in self._fields)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, field) for field in self._fields))

    def __repr__(self) -> str:
        inside = ", ".join(f"{field}={getattr(self, field)!r}" for field in self._fields)
        return f"{type(self).__name__}({inside})"


def _completed(record: type[Record], values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """The values of all fields, those that are named and the defaults among them."""
    fields, who = record._fields, record.__name__
    if len(values) > len(fields):
        raise TypeError(f"{who} takes {len(fields)} values, not {len(values)}")
    given = {**record._defaults, **named}
    rest = fields[len(values):]
    for field in rest:
        if field not in given:
            raise TypeError(f"{who} needs `{field}`")
    for field in named:
        if field not in rest:
            raise TypeError(f"{who} has no `{field}`")
    return (*values, *(given[field] for field in rest))


def replace(record: T, **changes: Any) -> T:
    """A copy of `record` with some fields changed."""
    values = {field: getattr(record, field) for field in record._fields}
    return type(record)(**{**values, **changes})
