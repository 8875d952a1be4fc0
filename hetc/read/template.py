"""The training template: which file is one, its parents, and the door to its check and its conversion.

A template's tasks, or without them its `target`, say the shape, which becomes the request. Everything else becomes one
layer, so that inheritance, rules and emission are those of a `.het` file. Nodes are passed on as they are: each value
leads back to its line of the template.
"""
from __future__ import annotations

import re

from hetc import codes
from hetc.diagnostic import Label, Report
from hetc.origin import Located
from hetc.read.template_check import check
from hetc.read.template_convert import Converted, Flags, convert
from hetc.read.template_fields import FIELDS
from hetc.source import Span
from hetc.tree import Entry, Mapping, Scalar, Sequence, find, is_null, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.source import Source
    from hetc.tree import Node

__all__ = ["FIELDS", "Converted", "Flags", "bases", "check", "convert", "document", "is_parent", "is_template", "named_bases"]

# A look at the text comes before a reader of YAML, which is slow: most YAML files of a repository are no templates.
_MENTIONS = re.compile(r"""^[ \t{,?]*["']?(?:config|_extra)["']?[ \t]*:|^[ \t]*(?:<<|\{|\?)""", re.MULTILINE)
_LOOKS_LIKE = re.compile(r"""^["']?(?:config|_extra)["']?[ \t]*:""", re.MULTILINE)
_MANIFEST = re.compile(r"""^(?:\{[ \t]*)?["']?apiVersion["']?[ \t]*:""", re.MULTILINE)
_BASE = re.compile(r"""^[ \t{,?]*["']?base["']?[ \t]*:""", re.MULTILINE)

_FORM = "write `config:`, and below it `target:`, `environment:` and `jobs:`"


def is_template(source: Source) -> bool:
    """Whether the text is a mapping with `config` or `_extra.volcano` and no `apiVersion`.

    Reports nothing. Text that is no YAML is a template when its lines look like one: its mistakes are then reported as such.
    """
    if _MANIFEST.search(source.text) or not _MENTIONS.search(source.text):
        return False
    from hetc.read.yaml import read

    documents = read(source, Report())
    return _looks_like_template(source.text) if documents is None else _is_template(_first(documents))


def _looks_like_template(text: str) -> bool:
    """Whether a text that is no YAML, or no JSON, was meant as a template."""
    return _LOOKS_LIKE.search(text) is not None or (text.lstrip().startswith("{") and '"config"' in text)


def _first(documents: list[Node]) -> Node | None:
    return next((each for each in documents if not is_null(each)), None)


def _is_template(tree: Node | None) -> bool:
    if not isinstance(tree, Mapping) or "apiVersion" in tree.entries:
        return False
    return "config" in tree.entries or find(tree, "_extra", "volcano") is not None


def named_bases(source: Source) -> list[str]:
    """The paths that a template names as its base, as they are written there; none for another file. Reports nothing."""
    if not _BASE.search(source.text):
        return []
    from hetc.read.yaml import read

    tree = _first(read(source, Report()) or [])
    return [base.value for base in bases(tree)] if isinstance(tree, Mapping) and _is_template(tree) else []


def document(documents: list[Node], source: Source, report: Report) -> Mapping | None:
    """The one template of a file, its `_extra` under `config` wherever it stood; None after a report."""
    given = [each for each in documents if not is_null(each)]
    start = Span(source, 0, min(1, len(source.text)))
    if not given:
        report.add(codes.WRONG_TYPE, start, "the template is empty", _FORM)
        return None
    if len(given) > 1:
        report.add(codes.WRONG_TYPE, given[1].origin.span, "a second document, and a template is one document",
                   "remove the `---` line, or what follows it")
        return None
    tree = given[0]
    if not isinstance(tree, Mapping):
        report.add(codes.WRONG_TYPE, tree.origin.span, f"a template is a mapping, not {kind(tree)}", _FORM)
        return None
    if not any(field.name in tree.entries for field in FIELDS):
        if "apiVersion" in tree.entries:
            report.add(codes.WRONG_TYPE, start, "this is a Kubernetes manifest, not a template", "check it with `hetc lint`")
        else:
            report.add(codes.WRONG_TYPE, start, "this is no template: it has neither `config` nor `_extra`",
                       f"{_FORM}; an overlay is given by -f, and its name ends in `.het.yaml`")
        return None
    return _with_extra_inside(tree, report)


def _with_extra_inside(tree: Mapping, report: Report) -> Mapping:
    """The template with `_extra` under `config`, so that parents and children merge wherever each of them has it."""
    beside, config = tree.entries.get("_extra"), tree.get("config")
    if beside is None or not (config is None or is_null(config) or isinstance(config, Mapping)):
        return tree
    entries = {key: entry for key, entry in tree.entries.items() if key != "_extra"}
    inside = dict(config.entries) if isinstance(config, Mapping) else {}
    if "_extra" in inside and not is_null(inside["_extra"].value) and not is_null(beside.value):
        first, second = sorted((beside.key.origin.span, inside["_extra"].key.origin.span), key=lambda span: span.start)
        report.add(codes.CONFLICT, second, "`_extra` stands under `config` and beside it", "keep one of the two",
                   [Label(first, "the other one")])
    inside.setdefault("_extra", beside)
    key = tree.entries["config"].key if config is not None else Scalar("config", beside.key.origin.derived(), "config")
    origin = config.origin if config is not None else beside.value.origin
    entries["config"] = Entry(key, Mapping(inside, origin))
    return Mapping(entries, tree.origin)


def bases(tree: Mapping) -> list[Located[str]]:
    """The parent templates that a file names, lowest first."""
    node = tree.get("base")
    items = node.items if isinstance(node, Sequence) else [] if node is None else [node]
    return [Located(item.value, item.origin) for item in items if isinstance(item, Scalar) and isinstance(item.value, str)]


def is_parent(tree: Mapping) -> bool:
    """Whether a template, merged over its own parents, has no job: others are built on it, and complete it."""
    jobs = find(tree, "config", "jobs")
    return jobs is None or is_null(jobs)
