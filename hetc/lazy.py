"""What is done at its first use, and kept.

Regular expressions are compiled then: most runs use few, and compiling all takes a tenth of a start. Judgements on short texts are
remembered: the same names, keys and images stand in one file again and again, and in the next one.
"""
from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")
    regex = re.compile
else:

    class regex:
        """Stands for `re.compile` of its arguments."""

        def __init__(self, pattern, flags=0):
            self._arguments = pattern, flags

        def __getattr__(self, name):
            found = getattr(re.compile(*self._arguments), name)
            setattr(self, name, found)
            return found


#: Texts beyond this length are not kept: there are files of 16 MiB.
SHORT = 128


def remembered(judge: Callable[[str], T]) -> Callable[[str], T]:
    """A pure function of a text that keeps what it said of the last thousand short ones."""
    known = lru_cache(1024)(judge)

    def judged(text: str) -> T:
        return known(text) if len(text) <= SHORT else judge(text)

    judged.__doc__ = judge.__doc__
    return judged
