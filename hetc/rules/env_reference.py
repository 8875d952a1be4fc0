"""`$(NAME)` in the value of a variable that Kubernetes does not replace, because no variable of that name stands before it.

The kubelet takes a container's variables in their order; what it does not know it leaves as it is written, without a word. Known are
the variables above, those of `envFrom`, and the addresses of Services (`KUBERNETES_SERVICE_HOST`, `NAME_SERVICE_PORT`).
Source: Kubernetes, kubelet, makeEnvironmentVariables.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding, Label
from hetc.lazy import regex
from hetc.manifest import containers, sequence, text
from hetc.names import nearest, shorten
from hetc.rule import ManifestRule
from hetc.script import env_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest
    from hetc.site import Site
    from hetc.tree import Node

_SERVICE = regex(r"KUBERNETES_PORT(?:_.*)?|[A-Z0-9_]+_(?:SERVICE_(?:HOST|PORT(?:_[A-Z0-9_]+)?)|PORT_[0-9]+_(?:TCP|UDP|SCTP)[A-Z_]*)")
_PLUGIN = regex(r"VC_[A-Z0-9_]+_(?:HOSTS|NUM)|V[CK]_TASK_INDEX")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for container in containers(manifest) if manifest.refers else ():
        yield from _Variables(container, site.prefix, manifest.emitted).check()


class _Variables:
    """The variables of one container."""

    def __init__(self, container: Container, prefix: str, emitted: bool) -> None:
        self.prefix = prefix
        self.emitted = emitted
        self.open = bool(sequence(container.node.get("envFrom")))
        #: Name -> its value node and the names that it refers to; of equal names the last.
        self.values: dict[str, tuple[Node | None, tuple[str, ...]]] = {}
        self.order: list[tuple[str, Node, tuple[str, ...]]] = []
        for variable in container.env:
            name, node = text(variable.get("name")), variable.get("value")
            if name is not None:
                value = text(node) or ""
                names = env_value(value, ()).names if "$(" in value else ()
                self.values[name] = (node, names)
                if node is not None and names:
                    self.order.append((name, node, names))
        self.position = {text(variable.get("name")): index for index, variable in reversed(list(enumerate(container.env)))}

    def check(self) -> Iterator[Finding]:
        circle: set[str] | None = None
        for name, node, names in self.order:
            for other in names:
                if other in self.values:
                    if self.position[other] < self.position[name]:
                        continue
                    circle = self.circle() if circle is None else circle
                    yield self.too_early(name, other, node, {name, other} <= circle)
                elif not (self.open and not self.of_script(other)) and not _SERVICE.fullmatch(other):
                    yield self.unknown(other, node)

    def too_early(self, name: str, other: str, node: Node, circle: bool) -> Finding:
        """A reference to a variable that stands at or behind the place of the reference."""
        reference = f"`$({shorten(other)})`"
        if name == other:
            return Finding(f"{reference} stands in the value of `{shorten(name)}` itself, and stays as it is written", node.origin.span,
                           f"extend it in the shell: `export {shorten(name)}=\"${shorten(name)}…\"` in `setup`")
        later = self.values[other][0]
        related = () if later is None else (Label(later.origin.span, f"`{shorten(other)}`"),)
        if circle:
            return Finding(f"{reference} in `{shorten(name)}` closes a circle of references, and stays as it is written", node.origin.span,
                           "write one of the values without a reference", related)
        return Finding(f"{reference} stands before `{shorten(other)}` is defined, and stays as it is written", node.origin.span,
                       f"move `{shorten(other)}` above `{shorten(name)}`", related)

    def unknown(self, other: str, node: Node) -> Finding:
        reference, span = f"`$({shorten(other)})`", node.origin.span
        if self.of_script(other):
            return Finding(f"{reference} is known only in the shell, and stays as it is written", span, f"write `${other}` in the command")
        if _PLUGIN.fullmatch(other):
            return Finding(f"{reference} names a plugin's variable, which comes behind the container's own, and stays as it is written",
                           span, f"write `${other}` in the command")
        close = nearest(other, self.values)
        help = f"did you mean `$({close})`?" if close else f"define it, or write `$$({shorten(other)})` if the text itself is meant"
        return Finding(f"{reference} names no variable of this container, and stays as it is written", span, help)

    def of_script(self, name: str) -> bool:
        """Whether hetc's own shell lines define it."""
        return self.emitted and name in ("NODE_RANK", f"{self.prefix}NODE_RANK")

    def circle(self) -> set[str]:
        """The names in circles of references, and those between two circles."""
        pairs = [(name, other) for name, (_, names) in self.values.items() for other in names]
        left = _on_the_way(pairs)
        return _on_the_way([(other, name) for name, other in pairs if name in left and other in left])


def _on_the_way(pairs: list[tuple[str, str]]) -> set[str]:
    """The names from which one can go on for ever, each step from the first of a pair to its second."""
    ways: dict[str, int] = {}
    back: dict[str, list[str]] = {}
    for first, second in pairs:
        ways[first] = ways.get(first, 0) + 1
        ways.setdefault(second, 0)
        back.setdefault(second, []).append(first)
    ends = [name for name, count in ways.items() if not count]
    while ends:
        name = ends.pop()
        del ways[name]
        for first in back.get(name, ()):
            ways[first] -= 1
            if not ways[first]:
                ends.append(first)
    return set(ways)


RULE = ManifestRule(Code("HET604", "env-reference", WARNING, "a `$(NAME)` that Kubernetes does not replace"), check)
