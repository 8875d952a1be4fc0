"""What the playground asks of hetc, in the browser: one call for what stands in the text areas, plain data for an answer."""
from __future__ import annotations

import json
import os
from typing import Any

import hetc
from hetc.discover import REQUEST, TEMPLATE, kind
from hetc.emit.volcano_plan import describe
from hetc.pipeline import Compiler, Options
from hetc.plan import render

OVERLAY, SITE = "overlay.yaml", "hetc.toml"


def answer(name: str, text: str, overlay: str, site: str) -> dict[str, Any]:
    """What comes of a file, below an overlay and a site file where these are not blank.

    `manifest` is what `hetc build` prints and `picture` what `hetc plan --format svg` does, None where nothing was built: then
    `diagnostics` say why. What `compiles` to nothing is checked as by `hetc lint`. `problem`: why nothing could be done.
    The overlay and the site file are written in the current directory, where `use[…]` finds them.
    """
    for path, content in ((OVERLAY, overlay), (SITE, site)):
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
    source = hetc.Source(name, text)
    compiles = kind(source) in (REQUEST, TEMPLATE)
    result: dict[str, Any] = {"compiles": compiles, "problem": None, "manifest": None, "picture": None, "diagnostics": []}
    try:
        result.update((_compiled if compiles else _checked)(source, overlay, SITE if site.strip() else None))
    except hetc.UsageError as error:
        result["problem"] = str(error)
    return result


def answer_json(name: str, text: str, overlay: str, site: str) -> str:
    """The same as one text, which crosses to JavaScript as it is."""
    return json.dumps(answer(name, text, overlay, site))


def _compiled(source: hetc.Source, overlay: str, config: str | None) -> dict[str, Any]:
    options = Options((hetc.Source(OVERLAY, overlay),) if overlay.strip() else (), config=config, isolated=config is None)
    outcome = hetc.compile(source, overlays=options.overlays, config=config, isolated=options.isolated)
    picture = None
    if outcome.ok:
        unit = Compiler(options).job(source, ask_command=True)
        picture = render(unit.job, describe(unit.job, unit.site), "svg", False)
    return {"manifest": outcome.yaml, "picture": picture, "diagnostics": _plain(outcome.diagnostics)}


def _checked(source: hetc.Source, overlay: str, config: str | None) -> dict[str, Any]:
    found = hetc.lint(source, config=config, isolated=config is None)
    unknown = f"hetc has no rules for this: {', '.join(found.unknown)}" if found.unknown else None
    return {"problem": unknown, "diagnostics": _plain(found.diagnostics)}


def _plain(diagnostics: tuple[hetc.Diagnostic, ...]) -> list[dict[str, Any]]:
    names = ("file", "line", "column", "end_line", "end_column", "level", "code", "text")
    return [{name: getattr(each, name) for name in names} for each in diagnostics]


def main(folder: str) -> None:
    """Work in a folder of its own."""
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
