"""Claims of devices: the pod names each and says which it is, and a container uses only those.

Source: Kubernetes' core validation of resourceClaims, which Volcano's webhook calls for the pod template.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import mappings, present, tasks, text
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.tree import Mapping, Node

KINDS = ("resourceClaimName", "resourceClaimTemplateName")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        claims = mappings(find(task.pod, "resourceClaims"))
        for claim in claims:
            yield from _claim(claim)
        known = {text(claim.get("name")) for claim in claims}
        for container in task.containers():
            for use in mappings(find(container.node, "resources", "claims")):
                name = use.get("name")
                if name is not None and (written := text(name)) is not None and written not in known:
                    close = names.nearest(written, [each for each in known if each])
                    yield Finding(f"the pod has no claim `{names.shorten(written)}`", name.origin.span,
                                  f"did you mean `{close}`?" if close else "add it to `resourceClaims` of the pod")
                yield from _label(use.get("request"), "request of a claim")


def _claim(claim: Mapping) -> Iterator[Finding]:
    name = claim.get("name")
    if name is not None and text(name) == "":
        yield Finding("the claim of the pod has no name", name.origin.span, "give it one, such as `gpus`")
    yield from _label(name, "claim of the pod")
    given = present(claim, *KINDS)
    if not given:
        yield Finding("the claim of the pod is none", claim.origin.span, f"add `{KINDS[0]}` or `{KINDS[1]}`")
    if len(given) == 2:
        yield Finding(f"the claim of the pod has both `{KINDS[0]}` and `{KINDS[1]}`", claim.key_span(KINDS[1]), "keep one of the two",
                      (Label(claim.key_span(KINDS[0]), "the other one"),))
    for kind in given:
        node = claim.get(kind)
        wrong = names.dns1123_subdomain(text(node) or "")
        if node is not None and text(node) is not None and wrong is not None:
            yield Finding(f"no legal resource claim: {wrong}", node.origin.span)


def _label(node: Node | None, what: str) -> Iterator[Finding]:
    wrong = names.dns1123_label(text(node) or "")
    if node is not None and text(node) and wrong is not None:
        yield Finding(f"no legal {what}: {wrong}", node.origin.span)


RULE = ManifestRule(Code("HET582", "device-claim", ERROR, "a claim of devices that is none, or that the pod does not have"), check)
