"""An image that is no reference can never be pulled: the API server refuses an empty one, the kubelet says InvalidImageName to others."""
from __future__ import annotations

from hetc import image
from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import containers, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for container in containers(manifest):
        node = container.node.get("image")
        if node is None or is_null(node):
            yield Finding(f"container `{shorten(container.name)}` has no image", container.node.origin.span,
                          "add `image: REGISTRY/NAME:TAG`")
            continue
        written = text(node)
        wrong = None if written is None else image.fault(written)
        if written is not None and wrong is not None:
            yield Finding(f"image `{shorten(written)}` {wrong}", node.origin.span, _help(written))


def _help(written: str) -> str:
    """The reference that is meant, where small repairs lead to one."""
    bare = "".join(written.split()).partition("://")
    name, colon, rest = (bare[2] or bare[0]).partition(":")
    for repaired in (f"{name}{colon}{rest}", f"{name.lower()}{colon}{rest}"):
        if repaired != written and image.parse(repaired) is not None:
            return f"write `{shorten(repaired)}`"
    return "write `REGISTRY/NAME:TAG`, the repository without capitals"


RULE = ManifestRule(Code("HET501", "bad-image", ERROR, "an image that is no image reference"), check)
