"""How far a long run has come: a line on a terminal that is taken away again."""
from __future__ import annotations

import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    Item = TypeVar("Item")

WIDTH = 30
#: Seconds before a line is shown, and between two of them.
PATIENCE, PAUSE = 0.5, 0.1
_CLEAR = "\r\x1b[K"


def shown(items: Iterable[Item], total: int) -> Iterator[Item]:
    """The items, with a line on standard error of how many of the `total` there have been."""
    begin = last = time.monotonic()
    drawn = False
    try:
        for count, item in enumerate(items, 1):
            yield item
            now = time.monotonic()
            if now - begin >= PATIENCE and now - last >= PAUSE:
                last, drawn = now, True
                sys.stderr.write(_CLEAR + line(count, total))
                sys.stderr.flush()
    finally:
        if drawn:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()


def line(count: int, total: int) -> str:
    """`[####      ] 40 of 100 files`."""
    filled = WIDTH * count // total
    return f"[{'#' * filled}{' ' * (WIDTH - filled)}] {count} of {total} files"
