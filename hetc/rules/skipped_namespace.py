"""Volcano's webhooks pass over two namespaces: jobs there get no defaults and no checks."""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import text
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

#: `kube-system`, and the namespace that the chart is usually installed in.
SKIPPED = ("kube-system", "volcano-system")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for document in manifest.documents:
        group = (text(document.get("apiVersion")) or "").partition("/")[0]
        namespace = find(document, "metadata", "namespace")
        if namespace is not None and text(namespace) in SKIPPED and group.endswith(".volcano.sh"):
            yield Finding(f"Volcano's webhooks skip the namespace `{text(namespace)}`: nothing is checked or filled in there",
                          namespace.origin.span, "choose another namespace")


RULE = ManifestRule(Code("HET703", "skipped-namespace", WARNING, "a namespace that Volcano's webhooks skip"), check)
