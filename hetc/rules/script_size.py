"""A command and variables that are longer than Linux takes, each string for itself or all together.

One string may have 128 KiB with its final NUL; all of them, each with a pointer to it, a quarter of the stack's limit, which
is 8 MiB unless somebody sets another. They count as they are once the kubelet has put in the values of `$(NAME)`.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import containers, sequence, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.script import MAX_SCRIPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest
    from hetc.site import Site
    from hetc.tree import Mapping

#: A quarter of the stack of 8 MiB, and what each string costs beside its bytes: a NUL and a pointer.
MAX_TOTAL = 2 * 1024 * 1024
_AROUND = 9

#: Bytes that a character has at most.
_CHARACTER = 4

#: References to references can double without end; beyond this nobody needs to count.
_ENOUGH = 2**40


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    if not manifest.refers and all(map(_is_short, manifest.documents)):
        return
    for container in containers(manifest):
        values = _values(container)
        words = [(key, item, _size(text(item) or "", values)) for key in ("command", "args") for item in sequence(container.node.get(key))]
        yield from _total(container, [len(name) + len("=") + size for name, size in values.items()], [size for _, _, size in words])
        for key, item, size in words:
            if size > MAX_SCRIPT:
                yield Finding(f"a string of `{key}` has {size:,} bytes, and Linux takes {MAX_SCRIPT:,}", item.origin.span,
                              "move the script into the image, or into a ConfigMap that is mounted")
        for variable in container.env:
            name, node = text(variable.get("name")) or "", variable.get("value")
            size = len(name) + len("=") + values.get(name, 0)
            if node is not None and size > MAX_SCRIPT:
                yield Finding(f"variable `{shorten(name)}` has {size:,} bytes, and Linux takes {MAX_SCRIPT:,}", node.origin.span,
                              "put the text into a file that is mounted")


def _is_short(document: Mapping) -> bool:
    """Whether all of a document by hand, which aliases do not make longer, is no longer than one string may be."""
    span = document.origin.span
    return not span.source.shared and _CHARACTER * (span.end - span.start) < MAX_SCRIPT


def _total(container: Container, variables: list[int], words: list[int]) -> Iterator[Finding]:
    """Whether all strings together are too long; of one that is too long for itself more is said."""
    size = sum(variables) + sum(words) + _AROUND * (len(variables) + len(words))
    node = container.node.get("env")
    if node is not None and size > MAX_TOTAL and max((*variables, *words)) <= MAX_SCRIPT:
        yield Finding(f"the variables and the command of `{shorten(container.name)}` have {size:,} bytes together, and Linux takes "
                      f"{MAX_TOTAL:,}", node.origin.span, "put long texts into a file that is mounted")


def _values(container: Container) -> dict[str, int]:
    """Variable -> the bytes of its value, where it is written out."""
    values: dict[str, int] = {}
    for variable in container.env:
        name, value = text(variable.get("name")), text(variable.get("value"))
        if name is not None and value is not None:
            values[name] = min(_size(value, values), _ENOUGH)
    return values


def _size(written: str, values: dict[str, int]) -> int:
    """The bytes of a text after the kubelet's expansion."""
    size = at = 0
    last = written.rfind(")")
    while (dollar := written.find("$", at)) >= 0:
        size += _bytes(written[at:dollar])
        behind = written[dollar + 1:dollar + 2]
        if behind == "$":
            size, at = size + 1, dollar + 2
        elif behind == "(" and dollar < last:
            at = written.index(")", dollar) + 1
            known = values.get(written[dollar + 2:at - 1])
            size += _bytes(written[dollar:at]) if known is None else known
        else:
            size, at = size + 1, dollar + 1
    return size + _bytes(written[at:])


def _bytes(written: str) -> int:
    return len(written) if written.isascii() else len(written.encode("utf-8", "surrogatepass"))


RULE = ManifestRule(Code("HET609", "script-size", ERROR, "a command or variable that Linux does not take"), check)
