"""Which files a run of `lint` looks at, and what each of them is."""
from __future__ import annotations

import os

from hetc.lazy import regex
from hetc.record import Record
from hetc.source import NotUtf8, UsageError
from hetc.system import real_key, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hetc.diagnostic import Report
    from hetc.source import Source
    from hetc.tree import Mapping

REQUEST = "request"
OVERLAY = "overlay"
TEMPLATE = "template"
FLOW = "flow"
MANIFEST = "manifest"
UNKNOWN = "unknown"

_YAML = (".yaml", ".yml", ".json")
_SCHEMAS = "json-schema.org/"
# A look at the text comes before reading YAML, which is slow, and one for a word before one for a pattern.
_GIVEN = ("Queue", "Node")
_GIVES = regex(r"""\bkind["']?[ \t]*:[ \t]*["']?(?:Queue|HyperNode|Node)\b""")


def expand(paths: Iterable[str]) -> Iterator[str]:
    """The files of the paths, those below a directory in order; a path that is not there is for its reader to report."""
    for path in paths:
        if os.path.isdir(path):
            yield from _below(path)
        else:
            yield path


def _below(folder: str) -> Iterator[str]:
    """`.het` and YAML files below a folder.

    Passed by are hidden folders, links to folders, pipes and devices, and links to files that lie elsewhere: what a repository
    holds must not make a run show a file from outside of it.
    """
    top = os.path.realpath(folder)
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.normpath(os.path.join(root, name))
            if name.endswith((".het", *_YAML)) and _is_own(path, top):
                yield path


def _is_own(path: str, top: str) -> bool:
    """Whether a path below `top` is a file there; a link that leads nowhere is for its reader to report."""
    if not os.path.islink(path):
        return os.path.isfile(path)
    real = os.path.realpath(path)
    return not os.path.exists(path) or (os.path.isfile(real) and within(top, real))


def kind(source: Source) -> str:
    """What a file is, by its name and its first keys."""
    from hetc.pipeline import looks_like_request

    if source.name.endswith((".het.yaml", ".het.yml")):
        return OVERLAY
    if not source.name.endswith(_YAML) and looks_like_request(source):
        return REQUEST
    from hetc.read.manifest import is_manifest, says_so

    if not says_so(source):
        from hetc.read.flow import is_flow
        from hetc.read.template import is_template

        if is_flow(source):
            return FLOW

        if is_template(source):
            return TEMPLATE
    return MANIFEST if is_manifest(source) else UNKNOWN


class Around(Record):
    """What files of a run have to do with each other: the objects that they give, and `bases`, by real path the templates that
    others are built on. `schemas`: the paths of JSON Schemas, in which there is nothing to check.
    """

    objects: tuple[Mapping, ...]
    bases: set[str]
    schemas: set[str]


def around(paths: Iterable[str]) -> Around:
    """What files say of each other; those that cannot be read say nothing."""
    from hetc.diagnostic import Report
    from hetc.inputs import load

    objects: list[Mapping] = []
    bases: set[str] = set()
    schemas: set[str] = set()
    for path in paths:
        if not path.endswith(_YAML) or not os.path.isfile(path):  # a pipe is read once
            continue
        try:
            source = load(path)
        except (UsageError, NotUtf8):
            continue
        objects.extend(given(source, Report()))
        bases.update(_bases(source))
        if _is_schema(source):
            schemas.add(path)
    return Around(tuple(objects), bases, schemas)


def _is_schema(source: Source) -> bool:
    """Whether a file is a JSON Schema: its one document says so, and can be no object or list of objects of Kubernetes, nor of hetc's."""
    if _SCHEMAS not in source.text:
        return False
    from hetc.diagnostic import Report
    from hetc.read.yaml import read
    from hetc.tree import Mapping, Scalar, Sequence

    documents = read(source, Report()) or []
    top = documents[0] if len(documents) == 1 else None
    if not isinstance(top, Mapping) or "apiVersion" in top.entries or "kind" in top.entries or isinstance(top.get("items"), Sequence):
        return False
    says = top.get("$schema")
    return isinstance(says, Scalar) and says.text.partition("://")[2].startswith(_SCHEMAS) and kind(source) in (MANIFEST, UNKNOWN)


def given(source: Source, report: Report) -> Iterator[Mapping]:
    """The objects of a manifest that documents in other files may lean on; mistakes of the text are reported."""
    if any(word in source.text for word in _GIVEN) and _GIVES.search(source.text):
        from hetc.api import api
        from hetc.manifest import GIVEN
        from hetc.read.manifest import every

        yield from (each for each in every(source, report) if api(each) in GIVEN)


def _bases(source: Source) -> Iterator[str]:
    if "base" in source.text:
        from hetc.read.template import named_bases

        own = real_key(source.name)
        found = (real_key(os.path.join(os.path.dirname(source.name), base)) for base in named_bases(source) if "\0" not in base)
        yield from (each for each in found if each != own)
