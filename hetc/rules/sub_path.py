"""A subPath names something inside its volume: relative, without `..`; subPathExpr too, once its variables are replaced.

The API server and Volcano's webhook check the text. What the variables of a subPathExpr make of it only the kubelet sees,
when it refuses to start the container.
"""
from __future__ import annotations

import re

from hetc import paths
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import containers, text
from hetc.names import shorten
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest
    from hetc.site import Site
    from hetc.tree import Mapping

_REFERENCE = re.compile(r"\$(?:\$|\(([^()]*)\))")
#: What a variable whose value nobody knows yet stands for.
UNKNOWN = "x"
#: No path is longer; values that grow by referring to each other end here.
LONGEST = 4096
HELP = "write a relative path below the volume's root"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    word = "sub_path" if manifest.emitted else "subPath"
    for container in containers(manifest):
        values: dict[str, str] | None = None
        for mount in container.mounts:
            plain, expression = mount.get("subPath"), mount.get("subPathExpr")
            path = text(plain) or ""
            wrong = _wrong(path)
            if plain is not None and wrong is not None:
                yield Finding(f"{word} `{shorten(path)}` {wrong}", plain.origin.span, HELP)
            if expression is not None and text(expression):
                values = _values(container) if values is None else values
                yield from _expression(mount, values)


def _expression(mount: Mapping, values: dict[str, str]) -> Iterator[Finding]:
    plain, expression = mount.get("subPath"), mount.entries["subPathExpr"].value
    written = text(expression) or ""
    if plain is not None and text(plain):
        yield Finding("subPath and subPathExpr exclude each other", mount.key_span("subPathExpr"), "keep one of the two",
                      (Label(mount.key_span("subPath"), "the other one"),))
    expanded = _expand(written, values)
    wrong = _wrong(written)
    if wrong is None and (wrong := _wrong(expanded)) is not None:
        wrong = f"becomes `{shorten(expanded)}`, which {wrong}"
    if wrong is not None:
        yield Finding(f"subPathExpr `{shorten(written)}` {wrong}", expression.origin.span, HELP)


def _wrong(path: str) -> str | None:
    """Why a path is none below the volume's root, or None."""
    leaves, long = paths.leaves(path), paths.too_long(path)
    return leaves.removeprefix(f"`{path}` ") if leaves is not None else long and f"has {long}"


def _values(container: Container) -> dict[str, str]:
    """The variables whose values stand in the manifest, as the kubelet reads them: each sees those before it."""
    values: dict[str, str] = {}
    for variable in container.env:
        name, value = text(variable.get("name")), text(variable.get("value"))
        if name is not None:
            values[name] = UNKNOWN if value is None and "valueFrom" in variable.entries else _expand(value or "", values)
    return values


def _expand(written: str, values: dict[str, str]) -> str:
    return _REFERENCE.sub(lambda match: "$" if match[1] is None else values.get(match[1], UNKNOWN), written)[:LONGEST]


RULE = ManifestRule(Code("HET303", "sub-path", ERROR, "a subPath that leaves its volume"), check)
