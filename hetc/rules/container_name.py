"""A container's name is a DNS label, and no other container or init container of the pod has it."""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import tasks, text
from hetc.rule import ManifestRule
from hetc.tree import is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest
    from hetc.site import Site
    from hetc.source import Span


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        yield from _containers(task.containers())


def _containers(containers: list[Container]) -> Iterator[Finding]:
    seen: dict[str, Span] = {}
    for container in containers:
        node = container.node.get("name")
        name = text(node)
        if node is None or is_null(node) or name == "":
            yield Finding("the container has no name", (node or container.node).origin.span, "add `name: main`")
        if node is None or not name:
            continue
        wrong = names.dns1123_label(name)
        if wrong is not None:
            better = names.suggest(name)
            yield Finding(f"no legal container name: {wrong}", node.origin.span,
                          f"write `{better}`" if better else "write lower-case letters, digits and `-`")
        first = seen.setdefault(name, node.origin.span)
        if first is not node.origin.span:
            yield Finding(f"duplicate container name `{names.shorten(name)}`", node.origin.span, "give each container a name of its own",
                          (Label(first, "first used here"),))


RULE = ManifestRule(Code("HET515", "container-name", ERROR, "a container name that is no DNS label, or is used twice"), check)
