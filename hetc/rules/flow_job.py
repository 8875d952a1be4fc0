"""A JobFlow's jobs are called `<flow>-<template>`, and carry labels `<namespace>.<flow>` and `<namespace>.<template>`.

All three have at most 63 characters. Nobody looks at that when the JobFlow or the JobTemplate is applied: the jobs never come.
Where the manifest has no namespace, one character is taken for it.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import documents_of, mappings, text
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Mapping, Node


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for flow in documents_of(manifest.documents, "JobFlow"):
        node = find(flow, "metadata", "name")
        yield from _label(flow, node)
        for each in mappings(find(flow, "spec", "flows")):
            yield from _name(node, each.get("name"))
            yield from _label(flow, each.get("name"))
    for template in documents_of(manifest.documents, "JobTemplate"):
        yield from _label(template, find(template, "metadata", "name"))


def _name(flow: Node | None, template: Node | None) -> Iterator[Finding]:
    """The name of one job."""
    of_flow, of_template = text(flow), text(template)
    if flow is None or template is None or not of_flow or not of_template:
        return
    name = names.flow_job(of_flow, of_template)
    wrong = names.dns1123_subdomain(name) or names.too_long(name)
    if wrong is not None and len(of_template) <= names.LABEL_LENGTH:
        yield Finding(f"the flow's job cannot have its name: {wrong}", template.origin.span, "shorten the JobFlow's name or the template's",
                      (Label(flow.origin.span, "the JobFlow's name"),))


def _label(document: Mapping, node: Node | None) -> Iterator[Finding]:
    name, namespace = text(node) or "", text(find(document, "metadata", "namespace")) or "n"
    excess = len(names.flow_label(namespace, name)) - names.LABEL_LENGTH
    if node is not None and excess > 0:
        yield Finding(f"`{names.shorten(name)}` is too long for a label of the flow's jobs, which has the namespace before it: "
                      f"{excess} more than the {names.LABEL_LENGTH} allowed", node.origin.span, f"cut {excess} from the name")


RULE = ManifestRule(Code("HET532", "flow-job", ERROR, "a JobFlow whose jobs cannot have their name or labels"), check)
