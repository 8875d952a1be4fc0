"""A tag that moves gives the pods of one gang, or of a restart, different software; no tag means `latest`."""
from __future__ import annotations

from hetc import image
from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import containers, text
from hetc.names import shorten
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for container in containers(manifest):
        node = container.node.get("image")
        written = text(node) or ""
        parsed = image.parse(written)
        if node is None or parsed is None or parsed.digest is not None or parsed.tag not in (None, "latest"):
            continue
        wrong = "has no tag, which means `latest`" if parsed.tag is None else "has the tag `latest`, which moves"
        yield Finding(f"image `{shorten(written)}` {wrong}", node.origin.span,
                      f"pin a version, such as `{shorten(written.removesuffix(':latest'))}:1.0`, or a digest")


RULE = ManifestRule(Code("HET702", "floating-image", WARNING, "an image whose tag is `latest` or missing"), check)
