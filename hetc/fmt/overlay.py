"""The YAML of an overlay: only blanks that no reader of YAML sees are taken away.

Edits of the text, not a dump of its data: quotes, comments, flow and block style are the author's.
"""
from __future__ import annotations

import re

from hetc.diagnostic import Report
from hetc.read.yaml import read
from hetc.source import Source, inside
from hetc.tree import Mapping, Scalar, plain, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.tree import Node

_BLANKS = re.compile(r"[ \t]+$", re.MULTILINE)


def overlay(source: Source, start: int, report: Report) -> str | None:
    """The text of `source` from `start` on, without blanks at the ends of lines, and with one line break at its own end.

    What stands inside a text of several lines stays, as does whatever a reader of YAML would miss. None after reports of
    what is no YAML.
    """
    found = Report()
    documents = read(source, found, start)
    if documents is None or found.failed:
        report.diagnostics.extend(found.diagnostics)
        report.failed = True
        return None
    text = source.text[start:]
    stripped = _stripped(source, start, documents)
    data = repr([plain(each) for each in documents])
    whole = stripped.rstrip("\n")
    return next(each for each in (f"{whole}\n" if whole else "", stripped, text) if each == text or _data(each) == data)


def _stripped(source: Source, start: int, documents: list[Node]) -> str:
    """The text without the blanks at the ends of its lines, but for those inside a text of several lines."""
    spans = {each.origin.span for each in _scalars(documents)}  # aliases repeat some
    held = sorted((span.start, span.end) for span in spans if "\n" in span.text())
    return _BLANKS.sub(lambda found: found[0] if inside(found.start() + start, held) else "", source.text[start:])


def _scalars(documents: list[Node]) -> Iterator[Scalar]:
    for document in documents:
        for node in walk(document):
            if isinstance(node, Scalar):
                yield node
            elif isinstance(node, Mapping):
                yield from (entry.key for entry in node.entries.values())


def _data(text: str) -> str | None:
    """What a text says as YAML, in a form to compare."""
    report = Report()
    documents = read(Source("", text), report)
    return None if documents is None or report.failed else repr([plain(each) for each in documents])
