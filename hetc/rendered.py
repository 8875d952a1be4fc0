"""Manifests that are kept in files: where the one of an input is, and whether it is what `build` would write."""
from __future__ import annotations

import os

from hetc import codes
from hetc.inputs import STDIN, Files, inside
from hetc.report.diff import unified
from hetc.source import MAX_BYTES, Span, UsageError, reason
from hetc.system import key, real_key, relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.pipeline import Unit

_INPUTS = (".het", ".yaml", ".yml", ".json")


def inputs(arguments: Iterable[str]) -> tuple[str, ...]:
    """The inputs; for a directory the `.het` files below it. Raises UsageError for one without any."""
    from hetc.discover import expand

    found: list[str] = []
    for argument in arguments:
        own = [path for path in expand([argument]) if path.endswith(".het")] if os.path.isdir(argument) else [argument]
        if not own:
            raise UsageError(f"there is no .het file below `{argument}`")
        found.extend(own)
    return tuple(dict.fromkeys(found))


def output(unit: Unit, form: str, allow_outside: bool) -> str | None:
    """The file of a unit's manifest: where the site file says, else beside the input, with the suffix of its form.

    None after a report of one outside the input's repository. Raises UsageError for an input that
    has none.
    """
    name = unit.source.name
    if name == STDIN:
        raise UsageError("standard input has no file beside it; name the manifest's by -o FILE")
    stem = os.path.basename(name)
    for suffix in _INPUTS:
        stem = stem.removesuffix(suffix)
    pattern = unit.site.output
    path = os.path.join(os.path.dirname(name), f"{stem}.{form}") if pattern is None else relative(pattern.value.replace("{stem}", stem))
    if pattern is None and key(os.path.normpath(path)) == key(os.path.normpath(name)):
        raise UsageError(f"`{name}` is an input; name its manifest's file by -o FILE, or by `[build] output` in the site file")
    if not allow_outside and not _inside(unit, name if pattern is None else pattern.span.source.name, os.path.realpath(path)):
        span = Span(unit.source, 0, 0) if pattern is None else pattern.span
        where = f"the manifest's file, `{path}`, lies" if pattern is None else f"`build.output` leads to `{path}`,"
        unit.report.add(codes.OUTSIDE, span, f"{where} outside the repository of `{name}`", "name a file inside, or pass --allow-outside")
        return None
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise UsageError(f"`{path}` is no regular file")
    return path


def _inside(unit: Unit, named_by: str, real: str) -> bool:
    """Whether a real path lies in the repository of a unit's input, or below the file that names it: a difference shows what
    is there.
    """
    home = os.path.realpath(os.path.dirname(os.path.abspath(named_by)))
    return Files(unit.source, False, unit.report, {}).inside(real) or inside(home, real)


def outputs(units: list[Unit], form: str, allow_outside: bool) -> list[str | None]:
    """The file of each unit's manifest. Raises UsageError where two have one."""
    paths = [output(unit, form, allow_outside) for unit in units]
    owners: dict[str, str] = {}
    for unit, path in zip(units, paths):
        if path is not None and owners.setdefault(real_key(path), unit.source.name) != unit.source.name:
            raise UsageError(f"`{owners[real_key(path)]}` and `{unit.source.name}` have one output, `{path}`; "
                             "check each with an -o of its own")
    return paths


def difference(path: str, text: str) -> str:
    """What would have to change in a file for it to be `text`; empty where nothing would. How its lines end does not count.

    Raises UsageError where the file is there and cannot be read.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return unified("", text, "/dev/null", path)
    except OSError as error:
        raise UsageError(f"cannot read `{path}`: {reason(error)}") from None
    if len(data) > MAX_BYTES:
        raise UsageError(f"`{path}` is larger than {MAX_BYTES // 2**20} MiB")
    old = data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    return unified(old, text, path, path)
