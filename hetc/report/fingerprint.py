"""What makes a finding the same finding after lines have moved."""
from __future__ import annotations

from hashlib import sha256
from os.path import normpath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hetc.diagnostic import Diagnostic


def fingerprints(diagnostics: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, str]]:
    """Each diagnostic with a text of 16 hexadecimal digits, `:` and a count.

    It depends on the file's name, the code and the text of the line without the blanks around it; findings alike in these
    are counted in their order.
    """
    seen: dict[str, int] = {}
    for each in diagnostics:
        line = each.span.source.line(each.span.start_position()[0]).strip()
        digest = sha256("\0".join((normpath(each.span.source.name), each.code.code, line)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        seen[digest] = seen.get(digest, 0) + 1
        yield each, f"{digest}:{seen[digest]}"
