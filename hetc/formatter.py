"""Lays out many files anew, one after the other."""
from __future__ import annotations

import os

from hetc.diagnostic import Report
from hetc.discover import expand
from hetc.fmt import SUFFIXES, formatted
from hetc.linter import not_utf8, rewrite
from hetc.record import Record
from hetc.source import NotUtf8, UsageError
from hetc.system import key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hetc.source import Source


class Layout(Record):
    """What came of one file: its text before and behind, or the report of why it has no layout, or why it could not be read
    or written.
    """

    path: str
    name: str
    old: str = ""
    new: str = ""
    report: Report | None = None
    complaint: str | None = None

    @property
    def changed(self) -> bool:
        return self.new != self.old


def files(arguments: Iterable[str]) -> list[str]:
    """The files to lay out, each once; below a directory those with a layout. Raises UsageError for one that has none."""
    found: dict[str, str] = {}
    for argument in arguments:
        below = os.path.isdir(argument)
        for path in expand([argument]):
            if path.endswith(SUFFIXES):
                path = os.path.normpath(path)
                found.setdefault(key(path), path)
            elif path.endswith((".yaml", ".yml", ".json")) and not below:
                raise UsageError(f"`{path}` is neither a .het file nor an overlay (`*.het.yaml`), and other files have no layout of hetc's")
            elif not below:
                found[path] = path
    return list(found.values())


def lay_out(path: str, name: str, read: Callable[[str], Source], write: bool) -> Layout:
    """Lay out a file that messages call `name`; with `write`, put the result in its place where it differs."""
    try:
        source = read(path)
        report = Report()
        new = formatted(source, report)
        if new is None:
            return Layout(path, name, report=report)
        if write and new != source.text:
            rewrite(path, source.text, new)
        return Layout(path, name, source.text, new)
    except NotUtf8 as error:
        return Layout(path, name, report=not_utf8(name, error))
    except UsageError as error:
        return Layout(path, name, complaint=str(error))
