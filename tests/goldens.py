"""The golden cases as command lines, for the tests and for whoever tries an installed hetc with them."""
from __future__ import annotations

import shlex
from pathlib import Path

SOURCES = ("job.het", "template.yaml", "flow.yaml")


def arguments(case: Path) -> list[str]:
    """What `hetc build` is told of a case, whose folder is to be the working directory."""
    args = case / "args"
    given = shlex.split(args.read_text(encoding="utf-8")) if args.exists() else []
    source = next(name for name in SOURCES if (case / name).exists())
    return [source, *([] if "--config" in given else ["--isolated"]), *given]
