"""A toleration that the API server refuses. hetc writes those of the site file; a manifest has its own."""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import mappings, tasks, text
from hetc.names import choice, label_key, label_value, shorten
from hetc.rule import ManifestRule
from hetc.tree import is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.source import Span
    from hetc.tree import Mapping, Node

OPERATORS = ("Equal", "Exists")
EFFECTS = ("NoExecute", "NoSchedule", "PreferNoSchedule")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        for toleration in mappings(task.pod and task.pod.get("tolerations")):
            yield from _toleration(toleration)


def _toleration(node: Mapping) -> Iterator[Finding]:
    key, value = text(node.get("key")) or "", text(node.get("value")) or ""
    operator, effect = text(node.get("operator")) or "Equal", text(node.get("effect")) or ""
    if operator not in OPERATORS:
        yield _choice(node.get("operator"), operator, "operator", OPERATORS)
    elif not key and operator != "Exists":
        yield Finding("a toleration without a key needs the operator `Exists`", node.origin.span,
                      "add a `key`, or write `operator: Exists`")
    elif operator == "Exists" and value:
        yield Finding(f"a toleration with the operator `Exists` has the value `{shorten(value)}`", _place(node, "value"),
                      "leave the value out, or write `operator: Equal`")
    if key and (wrong := label_key(key)) is not None:
        yield Finding(f"the key of a toleration is no key of a taint: {wrong}", _place(node, "key"), "write the key of the taint")
    if operator == "Equal" and (wrong := label_value(value)) is not None:
        yield Finding(f"the value of a toleration is no value of a taint: {wrong}", _place(node, "value"), "write the value of the taint")
    if effect and effect not in EFFECTS:
        yield _choice(node.get("effect"), effect, "effect", EFFECTS)
    elif effect != "NoExecute" and "tolerationSeconds" in node.entries and not is_null(node.get("tolerationSeconds")):
        yield Finding("`tolerationSeconds` goes with the effect `NoExecute` only", node.key_span("tolerationSeconds"),
                      "leave it out, or write `effect: NoExecute`")


def _place(node: Mapping, key: str) -> Span:
    return node.entries[key].value.origin.span


def _choice(node: Node | None, written: str, what: str, values: tuple[str, ...]) -> Finding:
    assert node is not None
    return Finding(f"`{shorten(written)}` is no {what} of a toleration", node.origin.span, choice(written, values))


RULE = ManifestRule(Code("HET503", "bad-toleration", ERROR, "a toleration that Kubernetes refuses"), check)
