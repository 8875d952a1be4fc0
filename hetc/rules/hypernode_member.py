"""A HyperNode has members, each found in one way: by name, by a pattern of Go's, or, for nodes only, by labels."""
from __future__ import annotations

from hetc import names, pattern
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import documents_of, mappings, present, text
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Sequence, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

SELECTORS = ("exactMatch", "labelMatch", "regexMatch")
_ONE = "write one of `exactMatch: {name: NAME}`, `regexMatch: {pattern: PATTERN}` and `labelMatch: {matchLabels: …}`"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for hypernode in documents_of(manifest.documents, "HyperNode"):
        spec = hypernode.get("spec")
        members = find(spec, "members")
        if isinstance(spec, Mapping) and (members is None or is_null(members) or (isinstance(members, Sequence) and not members.items)):
            place = spec.origin.span if members is None else spec.key_span("members")
            yield Finding("the HyperNode has no members", place, "add `members:` with a `type` and a `selector` each")
        for member in mappings(members):
            yield from _member(member)


def _member(member: Mapping) -> Iterator[Finding]:
    selector = member.get("selector")
    if not isinstance(selector, Mapping):
        return
    given = present(selector, *SELECTORS)
    if not given and not set(selector.entries) - set(SELECTORS):
        yield Finding("the member's selector is empty", member.key_span("selector"), _ONE)
    elif len(given) > 1:
        yield Finding(f"the member has both `{given[0]}` and `{given[1]}`", selector.key_span(given[1]), "make two members of it",
                      (Label(selector.key_span(given[0]), "the other one"),))
    if "labelMatch" in given and text(member.get("type")) == "HyperNode":
        yield Finding("`labelMatch` finds nodes, and the member is a HyperNode", selector.key_span("labelMatch"),
                      "write `type: Node`, or another selector")
    name, expression = find(selector, "exactMatch", "name"), find(selector, "regexMatch", "pattern")
    wrong = names.dns1123_subdomain(text(name) or "")
    if name is not None and text(name) is not None and wrong is not None:
        yield Finding(f"no legal name of a node: {wrong}", name.origin.span)
    written = text(expression)
    if expression is not None and written is not None:
        fault = pattern.fault(written) if written else "is empty"
        if fault is not None:
            yield Finding(f"pattern `{names.shorten(written)}` {fault}", expression.origin.span,
                          "write a regular expression of Go's, such as `^node-[0-9]+$`")


RULE = ManifestRule(Code("HET528", "hypernode-member", ERROR, "a HyperNode without members that can be found"), check)
