"""What makes a finding the same finding after lines have moved."""
from __future__ import annotations

import os
from hashlib import sha256

from hetc.system import relative, repository, slashed, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hetc.diagnostic import Diagnostic


def fingerprints(diagnostics: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, str]]:
    """Each diagnostic with a text of 16 hexadecimal digits, `:` and a count.

    It depends on the file's place in its repository, the code, the message, and the text of the line without the blanks
    around it; findings alike in these are counted in their order.
    """
    seen: dict[str, int] = {}
    homes: dict[str, str] = {}
    for each in diagnostics:
        name = each.span.source.name
        if name not in homes:
            homes[name] = home(name)
        line = each.span.source.line(each.span.start_position()[0]).strip()
        alike = "\0".join((homes[name], each.code.code, each.message, line))
        digest = sha256(alike.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        seen[digest] = seen.get(digest, 0) + 1
        yield each, f"{digest}:{seen[digest]}"


def home(name: str) -> str:
    """A file's path relative to the root of its repository, else to the working directory; outside of both it is absolute.

    With forward slashes, links resolved, and accents as most systems write them. What is no file, as `<stdin>`, stays as it is.
    """
    if name.startswith("<"):
        return name
    real = os.path.realpath(name)
    top = repository(os.path.dirname(real)) or os.path.realpath(".")
    place = slashed(relative(real, top) if within(top, real) else real)
    if place.isascii():
        return place
    from unicodedata import normalize

    return normalize("NFC", place)
