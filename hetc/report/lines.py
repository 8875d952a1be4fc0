"""Diagnostics for programs that read line by line: one JSON object a line, with the keys of `json`."""
from __future__ import annotations

import json

from hetc.report.json import finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One line for each diagnostic; nothing where there is none."""
    return "".join(json.dumps({"schema_version": 1, **finding(each)}, ensure_ascii=True) + "\n" for each in diagnostics)
