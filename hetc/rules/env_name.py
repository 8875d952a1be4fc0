"""A variable's name is letters, digits, `_`, `-` and `.`, no digit first; and each name stands once in a container.

Volcano's webhook applies the rule of API servers before 1.34. Duplicates are legal in a pod, where the last one wins, but
the Job's CRD makes `name` the key of the list and refuses them.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import containers, mappings, text
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest
    from hetc.site import Site
    from hetc.tree import Node


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for container in containers(manifest):
        yield from _variables(container)
        for source in mappings(container.node.get("envFrom")):
            prefix = source.get("prefix")
            wrong = names.env_name(text(prefix) or "_")
            if prefix is not None and wrong is not None:
                yield Finding(f"no legal prefix of variables: {wrong}", prefix.origin.span)


def _variables(container: Container) -> Iterator[Finding]:
    seen: dict[str, Node] = {}
    for variable in container.env:
        node = variable.get("name")
        name = text(node)
        if node is None or name is None:
            continue
        wrong = names.env_name(name)
        if wrong is not None:
            yield Finding(f"no legal variable name: {wrong}", node.origin.span, _better(name))
        first = seen.get(name)
        seen.setdefault(name, node)
        if first is not None:
            yield Finding(f"duplicate variable `{names.shorten(name)}`", node.origin.span, "keep one of the two",
                          (Label(first.origin.span, "first given here"),))


def _better(name: str) -> str | None:
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "_.-") else "_" for c in name)
    plain = f"_{plain}" if plain[:1].isdigit() else plain
    return f"write `{plain}`" if names.env_name(plain) is None else None


RULE = ManifestRule(Code("HET106", "env-name", ERROR, "a variable name that is illegal or used twice"), check)
