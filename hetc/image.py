"""Container images: what a reference names, as the kubelet reads it.

`[REGISTRY/]PATH[:TAG][@DIGEST]`. A first part without `.`, `:` or a capital that is not `localhost` is no registry: the image is
Docker Hub's then, and a path of one part there is in `library/`. Source: github.com/distribution/reference.
"""
from __future__ import annotations

from hetc.lazy import regex, remembered
from hetc.record import Record

HUB = "docker.io"
#: The longest REGISTRY/PATH.
LONGEST = 255

_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOST = regex(rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9a-fA-F:]+\])(?::[0-9]+)?")
_PART = regex(r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*")
#: What tells a registry from the first part of a path.
_OF_HOST = regex("[.:A-Z]")
_TAG = regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")
_DIGEST = regex(r"sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}")
_ID = regex(r"[0-9a-f]{64}")


class Image(Record):
    """A reference in full: `registry` and `path` are there even where they are not written."""

    registry: str
    path: str
    tag: str | None = None
    digest: str | None = None

    @property
    def name(self) -> str:
        """`docker.io/library/busybox` for `busybox:1.37`."""
        return f"{self.registry}/{self.path}"


def parse(text: str) -> Image | None:
    """The image that a reference names; None where it is no reference, and `fault` says why."""
    return None if fault(text) is not None else _take_apart(text)


@remembered
def fault(text: str) -> str | None:
    """A clause that says why the kubelet can never pull `text`; None for a good reference."""
    if not text:
        return "is empty"
    if text.split() != [text]:
        return "has a blank"
    if "://" in text:
        return f"has the scheme `{text[:text.index('://')]}`"
    image = _take_apart(text)
    if not _HOST.fullmatch(image.registry):
        return "has a registry that is no host name"
    if image.path.lower() != image.path:
        return "has a capital in its repository"
    if not all(map(_PART.fullmatch, image.path.split("/"))):
        return "has a repository that is no path of a-z, 0-9 and single `.`, `_`, `-` inside its parts"
    if image.tag is not None and not _TAG.fullmatch(image.tag):
        return "has a tag that is not at most 128 letters, digits, `_`, `.` and `-`"
    if image.digest is not None and not _DIGEST.fullmatch(image.digest):
        return "has a digest that is no `sha256:` with 64 hexadecimal digits"
    if len(image.name) > LONGEST:
        return f"has a name of {len(image.name)} characters, {LONGEST} are allowed"
    if _ID.fullmatch(text):
        return "is an image's ID, which no registry knows"
    return None


def covers(prefix: str, name: str) -> bool:
    """Whether a full name, or a longer prefix, lies under a prefix; one without `/` is a whole registry, not the beginning of its host."""
    return _closed(name).startswith(_closed(prefix))


def _closed(prefix: str) -> str:
    return prefix if "/" in prefix else f"{prefix}/"


@remembered
def _take_apart(text: str) -> Image:
    rest, at, digest = text.partition("@")
    first, slash, path = rest.partition("/")
    if not slash or not (_OF_HOST.search(first) or first == "localhost"):
        first, path = HUB, rest
    path, colon, tag = path.partition(":")
    if first == "index.docker.io":
        first = HUB
    if first == HUB and "/" not in path:
        path = f"library/{path}"
    return Image(first, path, tag if colon else None, digest if at else None)
