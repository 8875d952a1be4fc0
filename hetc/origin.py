"""Where a value came from."""
from __future__ import annotations

from hetc.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Generic, TypeVar

    from hetc.source import Source

    T = TypeVar("T", covariant=True)

    class Base(Generic[T]):
        __slots__ = ()
else:

    class Base:
        """At run time a plain base that may be subscripted."""

        __slots__ = ()

        def __class_getitem__(cls, _):
            return cls

    T = None

#: The text at the span holds the value itself.
WRITTEN = "written"
#: The value was handed down from the job to a task.
INHERITED = "inherited"
#: hetc computed the value from the text at the span.
DERIVED = "derived"
#: The value is the name of the file.
FILE_NAME = "file-name"

#: How many places a value remembers that it won over; nobody reads more, and a file may have any number of layers.
MOST_BEATEN = 16


class Origin:
    """The place of a value, how it got its value from there, and the nearest of the places that it won over."""

    __slots__ = ("beat", "how", "span")

    def __init__(self, span: Span, how: str = WRITTEN, beat: tuple[Span, ...] = ()) -> None:
        self.span = span
        self.how = how
        self.beat = beat

    def __repr__(self) -> str:
        return f"Origin({self.span!r}, {self.how})"

    def derived(self) -> Origin:
        """The origin of a value that hetc computes from this one."""
        return Origin(self.span, DERIVED, self.beat)

    def inherited(self) -> Origin:
        """The origin of this value in a task that takes it from the job."""
        return Origin(self.span, INHERITED, self.beat)

    def over(self, *lower: Origin) -> Origin:
        """This origin, having won over `lower` ones, nearest first."""
        spans = tuple(span for origin in lower for span in (origin.span, *origin.beat))
        return Origin(self.span, self.how, (self.beat + spans)[:MOST_BEATEN])


class Located(Base[T]):
    """A value with its origin. Equality looks at the value alone."""

    __slots__ = ("origin", "value")

    def __init__(self, value: T, origin: Origin) -> None:
        self.value = value
        self.origin = origin

    def __repr__(self) -> str:
        return f"Located({self.value!r}, {self.origin!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Located) and bool(self.value == other.value)

    def __hash__(self) -> int:
        return hash(self.value)

    @property
    def span(self) -> Span:
        return self.origin.span


def placed(words: Iterable[str], source: Source, at: int = 0) -> tuple[Located[str], ...]:
    """Words that stand in a text from `at` on, a blank between each two, with their places."""
    found = []
    for word in words:
        found.append(Located(word, Origin(Span(source, at, at + len(word)))))
        at += len(word) + 1
    return tuple(found)
