"""Hand-written manifests: which documents of a file hetc knows, and which it does not.

A file may hold many documents, and a `List` holds further ones; each keeps its place. Source: kubectl takes any object with
a list of `items` apart, whatever its kind.
"""
from __future__ import annotations

import re

from hetc.api import KUBERNETES, api, intended
from hetc.codes import TOO_LARGE
from hetc.diagnostic import Report
from hetc.lazy import regex
from hetc.manifest import TEMPLATES
from hetc.read.yaml import read as read_yaml
from hetc.record import Record
from hetc.tree import Mapping, Sequence, find, is_null, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.source import Source, Span
    from hetc.tree import Node

#: Kinds of Kubernetes without pods that stand beside jobs: rules look at them, or there is nothing in them to look at.
_BESIDE = frozenset(
    "ConfigMap LimitRange Namespace Node PersistentVolume PersistentVolumeClaim ResourceQuota Secret Service ServiceAccount".split()
)

#: Where Volcano's kinds have tasks, and how many of them are looked at.
_TASKS = (("spec", "tasks"), ("spec", "jobTemplate", "spec", "tasks"))
MOST_TASKS = 10_000

# A look at the text comes before a reader of YAML, which is slow.
_CERTAIN = regex(r"""^["']?apiVersion["']?[ \t]*:""", re.MULTILINE)
_TEMPLATED = regex(r"^[ \t]*\{\{", re.MULTILINE)
_MENTIONS = regex(r"""(?:^|[\s{,?])["']?(?:apiVersion|kind)["']?\s*:""")


class Unknown(Record):
    """A document that hetc has no rules for; `name` is its kind, or what it is instead of a manifest."""

    name: str
    span: Span


class Read(Record):
    """The documents of a file that hetc knows, and the others."""

    documents: tuple[Mapping, ...] = ()
    unknown: tuple[Unknown, ...] = ()


def says_so(source: Source) -> bool:
    """Whether a line of the text begins with `apiVersion`, which no line of a template does."""
    return _CERTAIN.search(source.text) is not None


def is_manifest(source: Source) -> bool:
    """Whether the text holds a document with `apiVersion` or `kind`. Reports nothing.

    Text that is no YAML is a manifest when a line of it begins with `apiVersion`: its mistakes are then reported as such. But
    with lines that begin with `{{` it is a template of Helm's or another program's, and becomes YAML only there.
    """
    if says_so(source):
        return "{{" not in source.text or not _TEMPLATED.search(source.text) or read_yaml(source, Report(), tabs=True) is not None
    if not _MENTIONS.search(source.text):
        return False
    documents = read_yaml(source, Report(), tabs=True)
    if documents is None:
        return source.text.lstrip().startswith(("{", "[")) and '"apiVersion"' in source.text
    return any(isinstance(each, Mapping) and ("apiVersion" in each.entries or "kind" in each.entries) for each in documents)


def read(source: Source, report: Report) -> Read:
    """The documents of a file; mistakes of the text are reported. Empty documents do not count."""
    known: list[Mapping] = []
    unknown: list[Unknown] = []
    for node in _unwrapped(read_yaml(source, report, tabs=True) or []):
        if isinstance(node, Mapping) and _is_known(node):
            _bound(node, report)
            known.append(node)
        else:
            unknown.append(_unknown(node))
    return Read(tuple(known), tuple(unknown))


def _bound(document: Mapping, report: Report) -> None:
    """Refuse a job of more tasks than anybody has, and leave the rest of them out: every rule looks at each."""
    for path in _TASKS:
        tasks = find(document, *path)
        if isinstance(tasks, Sequence) and len(tasks.items) > MOST_TASKS:
            report.add(TOO_LARGE, tasks.items[MOST_TASKS].origin.span, f"more than {MOST_TASKS:,} tasks in one job",
                       "give tasks of one kind `replicas`")
            del tasks.items[MOST_TASKS:]


def every(source: Source, report: Report) -> tuple[Mapping, ...]:
    """All documents of a file that are mappings, of whatever kind; mistakes of the text are reported."""
    return tuple(node for node in _unwrapped(read_yaml(source, report, tabs=True) or []) if isinstance(node, Mapping))


def _unwrapped(documents: list[Node]) -> Iterator[Node]:
    for document in documents:
        items = document.get("items") if isinstance(document, Mapping) else None
        if isinstance(items, Sequence):
            yield from _unwrapped(items.items)
        is_list = isinstance(items, Sequence) and isinstance(document, Mapping) and api(document)[1].endswith("List")
        if not is_list and not is_null(document):
            yield document


def _is_known(document: Mapping) -> bool:
    """Whether there are rules for a document. One that is meant for Volcano, and not of its API, has one that says so."""
    group, kind = api(document)
    return intended(document) is not None or (group in KUBERNETES and (kind in TEMPLATES or kind in _BESIDE))


def _unknown(node: Node) -> Unknown:
    name = api(node)[1] if isinstance(node, Mapping) else kind(node)
    place = node.entries.get("kind") if isinstance(node, Mapping) else None
    start = node.origin.span
    return Unknown(name or "no kind", place.value.origin.span if place is not None else type(start)(start.source, start.start, start.start))
