"""One layout for `.het` files and overlays: text in, text out, the meaning untouched.

The request is laid out anew (`hetc.fmt.request`); of the YAML only blanks at the ends of lines and the end of the file are
(`hetc.fmt.overlay`). Line ends stay those of the file's first line.
"""
from __future__ import annotations

import re

from hetc.diagnostic import Report
from hetc.fmt.overlay import overlay
from hetc.fmt.request import request
from hetc.read import het
from hetc.source import Source

#: The files with a layout of their own, by their names' ends.
SUFFIXES = (".het", ".het.yaml", ".het.yml")

_BARE_RETURN = re.compile(r"\r(?!\n)")


def formatted(source: Source, report: Report) -> str | None:
    """The text of a `.het` file, or of an overlay where the source's name says so, in hetc's layout.

    A text with a carriage return inside a line stays as it is: readers of YAML do not agree what it is. None after reports
    of what cannot be read.
    """
    if _BARE_RETURN.search(source.text):
        return source.text
    text = source.text.replace("\r\n", "\n")
    plain = Source(source.name, text)
    new = overlay(plain, 0, report) if source.name.endswith(SUFFIXES[1:]) else _whole(plain, report)
    returns = source.text.partition("\n")[0].endswith("\r")
    return new.replace("\n", "\r\n") if returns and new is not None else new


def _whole(source: Source, report: Report) -> str | None:
    """A `.het` file: its request, the first `---` line, and the overlays behind it."""
    end, start = het.split(source)
    found = Report()
    if het.read(source, end, found) is None:  # what a request says wrongly is for `lint`; it has a layout all the same
        report.diagnostics.extend(found.diagnostics)
        report.failed = True
    layers = overlay(source, start, report)
    if layers is None or report.failed:
        return None
    dashes = source.text[end:start].rstrip()
    return request(source, end) + (f"{dashes}\n{layers}" if dashes else "")
