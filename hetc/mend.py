"""Edits of YAML scalars that have one right result; None where the source's way of writing leaves more than one.

An edit is no answer for what an alias repeats, since its other places may want the old value, nor behind a tag.
"""
from __future__ import annotations

import re

from hetc.diagnostic import Edit, Fix
from hetc.dump import scalar
from hetc.lazy import regex
from hetc.paths import normalise
from hetc.scalars import differs, reading
from hetc.source import Span, inside
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.tree import Entry

_COLON = regex(r"[ \t]*:")
_ANCHOR = regex(r"&\S+\s+")
#: Text that stands plain in a block and in a flow collection, if YAML reads a string there.
_PLAIN = regex(r"[A-Za-z0-9_./=@-]*[A-Za-z0-9_/]", re.ASCII)


def quote(node: Scalar) -> Fix | None:
    """Quotes around a plain scalar, so that every reader takes its text for a string."""
    span = _body(node)
    if not node.plain or not node.text or span is None or " ".join(span.text().split()) != " ".join(node.text.split()):
        return None
    return Fix("quote it", (Edit(span, scalar(node.text)),))


def put(node: Scalar, text: str) -> Fix | None:
    """A plain scalar in the place of a plain one."""
    span = _body(node)
    if not node.plain or not node.text or span is None or span.text() != node.text:
        return None
    return Fix(f"write `{text}`", (Edit(span, text),))


def fill(entry: Entry, text: str) -> Fix | None:
    """A value for an entry whose value is null, written or not."""
    value, key = entry.value, entry.key.origin.span
    if not isinstance(value, Scalar) or value.text:
        return put(value, text) if isinstance(value, Scalar) else None
    colon = _COLON.match(key.source.text, key.end)
    if colon is None or is_shared(key) or value.origin.span.text().startswith(("&", "!")):
        return None
    return Fix(f"write `{text}`", (Edit(Span(key.source, colon.end(), colon.end()), f" {text}"),))


def rewrite(node: Scalar, text: str) -> Edit | None:
    """Another text for a string, in the quotes that it has; one that would be misread without any gets some."""
    span = _body(node)
    if span is None:
        return None
    raw = span.text()
    for mark in ('"', "'"):
        if raw == f"{mark}{node.text}{mark}" and not {'"', "'", "\\"} & {*node.text, *text}:
            return Edit(span, f"{mark}{text}{mark}")
    if raw != node.text:
        return None
    stays = _PLAIN.fullmatch(text) is not None and reading(text) == text and not differs(text)
    return Edit(span, text if stays else scalar(text))


def plainly(node: Scalar, path: str) -> Fix | None:
    """A mount path at the end of a string, without its detours."""
    plain = normalise(path)
    whole = str(node.value)
    edit = rewrite(node, whole.removesuffix(path) + plain) if plain != path and whole.endswith(path) else None
    return None if edit is None else Fix(f"write `{plain}`", (edit,))


def is_shared(span: Span) -> bool:
    """Whether aliases repeat the text at a place."""
    return inside(span.start, span.source.shared)


def _body(node: Scalar) -> Span | None:
    """The place of a scalar's own text, an anchor before it left out."""
    span = node.origin.span
    if is_shared(span):
        return None
    anchor = _ANCHOR.match(span.text())
    return Span(span.source, span.start + anchor.end(), span.end) if anchor else span
