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
        if written is not None and (wrong := image.fault(written)) is not None:
            yield Finding(f"image `{shorten(written)}` {wrong}", node.origin.span, _help(written))


def _help(written: str) -> str:
    """The reference that is meant, where small repairs lead to one."""
    bare = "".join(written.split()).rpartition("://")[2]
    host, slash, last = bare.rpartition("/")
    name, colon, tag = last.partition(":")
    for repaired in (bare, f"{host.lower()}{slash}{name.lower()}{colon}{tag}"):
        if repaired != written and image.parse(repaired) is not None:
            return f"write `{shorten(repaired)}`"
    return "write `REGISTRY/NAME:TAG`, the repository without capitals"


RULE = ManifestRule(Code("HET501", "bad-image", ERROR, "an image that is no image reference"), check)
