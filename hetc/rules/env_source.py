"""A variable has a value, or one place that it is taken from; a source of variables is one ConfigMap or one Secret.

The API server refuses anything else; an empty `value` beside `valueFrom` it lets pass. What may be taken from a container's
resources is the same for a variable and for a file of a volume.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import amount, containers, mappings, present, tasks, text
from hetc.names import choice, shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Node

SOURCES = ("configMapKeyRef", "fieldRef", "fileKeyRef", "resourceFieldRef", "secretKeyRef")
FROM = ("configMapRef", "secretRef")
#: What a variable may take from its container's resources, beside huge pages.
RESOURCES = tuple(f"{part}.{name}" for part in ("limits", "requests") for name in ("cpu", "ephemeral-storage", "memory"))
_HUGE = ("limits.hugepages-", "requests.hugepages-")
#: The units that a resource can be counted in, in thousandths.
CPU_UNITS = (1, 1000)
UNITS = tuple(1000 * each for power in range(7) for each in (1000**power, 1024**power))


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for container in containers(manifest):
        for variable in container.env:
            yield from _variable(variable)
        for source in mappings(container.node.get("envFrom")):
            given = present(source, *FROM)
            if not given:
                yield Finding("the source of variables is neither a ConfigMap nor a Secret", source.origin.span,
                              "write `configMapRef: {name: NAME}` or `secretRef: {name: NAME}`")
            elif len(given) > 1:
                yield Finding("the source of variables is both a ConfigMap and a Secret", source.key_span(given[1]),
                              "make two sources of it", (Label(source.key_span(given[0]), "the other one"),))
            for kind in given:
                yield from _named(source, kind)
    for task in tasks(manifest):
        for volume in task.volumes:
            for holder in (volume, *mappings(find(volume, "projected", "sources"))):
                for item in mappings(find(holder, "downwardAPI", "items")):
                    yield from _resource(find(item, "resourceFieldRef", "resource"), "a file can show")
                    yield from _divisor(item, "a file")


def _variable(variable: Mapping) -> Iterator[Finding]:
    shown, source = f"variable `{shorten(text(variable.get('name')) or '')}`", variable.get("valueFrom")
    if not isinstance(source, Mapping):
        return
    if text(variable.get("value")):
        yield Finding(f"{shown} has both `value` and `valueFrom`", variable.key_span("valueFrom"), "keep one of the two",
                      (Label(variable.key_span("value"), "the other one"),))
    given = present(source, *SOURCES)
    if not given and not set(source.entries) - set(SOURCES):
        yield Finding(f"`valueFrom` of {shown} says nothing", variable.key_span("valueFrom"),
                      f"write one of {', '.join(f'`{each}`' for each in SOURCES)}")
    elif len(given) > 1:
        yield Finding(f"{shown} is taken from both `{given[0]}` and `{given[1]}`", source.key_span(given[1]), "keep one of the two",
                      (Label(source.key_span(given[0]), "the other one"),))
    for kind in ("configMapKeyRef", "secretKeyRef"):
        yield from _named(source, kind)
    version = find(source, "fieldRef", "apiVersion")
    if version is not None and text(version) not in (None, "", "v1"):
        yield Finding(f"`{shorten(text(version) or '')}` is no version of pods", version.origin.span, "leave it out, or write `v1`")
    yield from _divisor(source, "a variable")
    yield from _resource(find(source, "resourceFieldRef", "resource"), "a variable can take")


def _resource(node: Node | None, use: str) -> Iterator[Finding]:
    resource = text(node)
    if node is not None and resource is not None and resource not in RESOURCES and not resource.startswith(_HUGE):
        yield Finding(f"`{shorten(resource)}` is no resource that {use}", node.origin.span, choice(resource, RESOURCES))


def _named(holder: Mapping, kind: str) -> Iterator[Finding]:
    """The ConfigMap or Secret has a name; an empty one is the rule's on names."""
    reference = holder.get(kind)
    if isinstance(reference, Mapping) and not present(reference, "name"):
        yield Finding(f"`{kind}` names no {'ConfigMap' if kind.startswith('c') else 'Secret'}", holder.key_span(kind), "add `name: NAME`")


def _divisor(source: Mapping, what: str) -> Iterator[Finding]:
    """The unit in which a variable or file counts a resource; none and zero are 1."""
    node, resource = find(source, "resourceFieldRef", "divisor"), text(find(source, "resourceFieldRef", "resource")) or ""
    unit = amount(node)
    if node is None or unit is None or not unit.nano:
        return
    is_cpu = resource.endswith(".cpu")
    if unit.milli() not in (CPU_UNITS if is_cpu else UNITS):
        yield Finding(f"{what} cannot count `{shorten(resource)}` in that unit", node.origin.span,
                      "write `1` or `1m`" if is_cpu else "write `1`, or one of a unit, such as `1Mi`")


RULE = ManifestRule(Code("HET514", "env-source", ERROR, "a variable with two sources, or none"), check)
