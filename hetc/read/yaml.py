"""YAML text to positioned trees: by the reader of its plain part where that is enough, else by the one of the whole."""
from __future__ import annotations

from hetc.read.plain_yaml import read_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.diagnostic import Report
    from hetc.source import Source
    from hetc.tree import Node


def read(source: Source, report: Report, start: int = 0, tabs: bool = False) -> list[Node] | None:
    """The documents of `source` from the offset `start` on; an empty document is a null scalar.

    None after an error that leaves no tree. Mistakes that leave one (a duplicate key, a foreign tag) are reported too, and
    the caller must not use the result for output then. `tabs`: those between words, and invisible blanks in unquoted text, are
    warnings, since kubectl takes them.
    """
    documents = read_plain(source, start)
    if documents is not None:
        source.shared = []
        return documents
    from hetc.read.whole_yaml import read_whole

    return read_whole(source, report, start, tabs)
