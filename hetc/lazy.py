"""Regular expressions that are compiled when they are first used: most runs use few, and compiling all takes a tenth of a start."""
from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
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
