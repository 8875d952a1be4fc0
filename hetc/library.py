"""hetc for Python programs: what `hetc build` and `hetc lint` do, as functions that keep nothing between calls."""
from __future__ import annotations

import os

from hetc import dump
from hetc.cluster import load as load_cluster
from hetc.diagnostic import ERROR, Report, gathered
from hetc.flow import unit
from hetc.inputs import load
from hetc.linter import Linter, files, not_utf8
from hetc.options import KIND
from hetc.origin import Located, Origin, placed
from hetc.pipeline import Cluster, Compiler, Options, Unit, between
from hetc.record import Record
from hetc.report.text import render
from hetc.site import asked_volcano
from hetc.source import NotUtf8, Source, Span, UsageError
from hetc.tree import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Literal, TypeAlias, TypeVar

    from hetc.diagnostic import Diagnostic as OwnDiagnostic

    T = TypeVar("T", str, int)

    #: A path, or a text with the path that it stands for: `Source("train.het", text)`.
    Input: TypeAlias = "str | os.PathLike[str] | Source"

#: What messages call the arguments of a call.
ARGUMENTS = "<arguments>"


class Place(Record):
    """A further place that a diagnostic is about, and what it has to do with it. Lines and columns count from 1."""

    file: str
    line: int
    column: int
    message: str


class Diagnostic(Record):
    """One finding. `level` is `error`, `warning` or `info`; `code` and `name` are its rule's.

    Lines and columns count code points from 1; the end is the first one behind. `text` is what the command prints of it: the
    line with its caret, the related places, the help. `str()` gives its first line.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    level: str
    code: str
    name: str
    message: str
    help: str | None
    related: tuple[Place, ...]
    text: str

    def __str__(self) -> str:
        return self.text.partition("\n")[0]


class Outcome(Record):
    """What came of a compilation.

    `manifests`: the Jobs as plain data, one for each input in the order given (of a flow all its documents), and `yaml` their
    text, the bytes that `hetc build` prints; after an error there are none, and `yaml` is None. `diagnostics` are sorted by place.
    """

    manifests: tuple[dict[str, Any], ...]
    yaml: str | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether there is a manifest of every input."""
        return self.yaml is not None


class Checked(Record):
    """What was found in files.

    `documents`: how many they hold; `unknown`: the kinds of those that hetc has no rules for, each once; `problems`: why
    files could not be read. `diagnostics` are sorted by place.
    """

    documents: int
    unknown: tuple[str, ...]
    problems: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether everything was read, and no error was found in it."""
        return not self.problems and all(each.level != ERROR for each in self.diagnostics)


def compile(
    sources: Input | Iterable[Input], *, overlays: Input | Iterable[Input] = (), name: str | None = None,
    namespace: str | None = None, queue: str | None = None, command: str | Sequence[str] = (),
    config: str | os.PathLike[str] | None = None, isolated: bool = False, allow_outside: bool = False, nodes: int | None = None,
    processes: int | None = None, ppn: int | None = None, kind: Literal["job", "cronjob", "jobtemplate"] | None = None,
    select: Sequence[str] = (), ignore: Sequence[str] = (), cluster: str | os.PathLike[str] | None = None,
    volcano_version: str | None = None,
) -> Outcome:
    """Compile `.het` files, templates or flow files, one or several, to Volcano Jobs, as `hetc build` does.

    `overlays` lie on top of every source. `command`: a shell line, or words that are quoted for the shell. `config`: the site
    file in place of those found; `isolated`: none. `nodes`, `processes`, `ppn`: for templates without tasks. `kind`: what to
    make, in place of what the job says. `select`, `ignore`: beginnings of codes. `cluster`: a file or folder with the cluster's
    Queues, HyperNodes and Nodes; `volcano_version`: its Volcano, such as `1.13`, over the site file's. Raises UsageError where a
    file cannot be read or the arguments do not go together; what is wrong inside a source is a diagnostic.
    """
    inputs = _each(sources)
    if name is not None and len(inputs) != 1:
        raise UsageError("`name` goes with one source: several jobs cannot have one name")
    if kind not in (None, *KIND.choices):
        raise UsageError(f"`kind` is one of {', '.join(f'`{each}`' for each in KIND.choices)}, not `{kind}`")
    compiler = Compiler(Options(
        tuple(map(_overlay, _each(overlays))), _located("name", name), _located("namespace", namespace), _located("queue", queue),
        _words((command,) if isinstance(command, str) else command), None if config is None else os.fspath(config), isolated, allow_outside,
        _located("nodes", nodes), _located("processes", processes), _located("ppn", ppn), kind=kind, select=tuple(select),
        ignore=tuple(ignore), cluster=_cluster(cluster), volcano=_volcano(volcano_version),
    ))
    units = [_compiled(compiler, source) for source in inputs]
    found = gathered([*(unit.report for unit in units), between(units)])
    documents = [document for unit in units for document in unit.documents]
    whole = all(unit.document is not None for unit in units) and all(each.level != ERROR for each in found.diagnostics)
    manifests = tuple(plain(document) for document in documents) if whole else ()
    return Outcome(manifests, dump.dump(list(documents)) if whole else None, _diagnostics(found))  # type: ignore[arg-type]


def lint(
    paths: Input | Iterable[Input], *, overlays: Input | Iterable[Input] = (), namespace: str | None = None,
    queue: str | None = None, config: str | os.PathLike[str] | None = None, isolated: bool = False, allow_outside: bool = False,
    select: Sequence[str] = (), ignore: Sequence[str] = (), cluster: str | os.PathLike[str] | None = None,
    volcano_version: str | None = None,
) -> Checked:
    """Check `.het` files, overlays, templates and manifests, and all of them below directories, as `hetc lint` does.

    The arguments are those of `compile`. A file that cannot be read does not hide the others: it is among the problems.
    """
    compiler = Compiler(Options(
        tuple(map(_overlay, _each(overlays))), namespace=_located("namespace", namespace), queue=_located("queue", queue),
        config=None if config is None else os.fspath(config), isolated=isolated, allow_outside=allow_outside,
        select=tuple(select), ignore=tuple(ignore), cluster=_cluster(cluster), volcano=_volcano(volcano_version),
    ))
    inputs = _each(paths)
    texts = {source.name: source for source in inputs if isinstance(source, Source)}
    named, parents = files([source.name if isinstance(source, Source) else os.fspath(source) for source in inputs], compiler)
    linter = Linter(compiler, parents, read=lambda path: texts.get(path) or load(path))
    looked = [linter.look(path) for path in named]
    return Checked(
        sum(each.documents for each in looked), tuple(sorted({kind for each in looked for kind in each.unknown})),
        tuple(dict.fromkeys(each.complaint for each in looked if each.complaint is not None)),
        _diagnostics(gathered([each.report for each in looked])),
    )


def _each(inputs: Input | Iterable[Input]) -> tuple[Input, ...]:
    """Inputs, where one may stand for a list of one."""
    return (inputs,) if isinstance(inputs, (str, os.PathLike, Source)) else tuple(inputs)


def _compiled(compiler: Compiler, source: Input) -> Unit:
    try:
        return unit(compiler, source if isinstance(source, Source) else load(os.fspath(source)), ask_command=True)
    except NotUtf8 as error:
        return Unit(Source("", ""), compiler.site("", Report()), not_utf8(str(source), error))


def _overlay(source: Input) -> Source:
    try:
        return source if isinstance(source, Source) else load(os.fspath(source))
    except NotUtf8 as error:
        raise UsageError(f"{source}:{error.line}:{error.column}: {error.reason}") from None


def _volcano(version: str | None) -> int | None:
    return None if version is None else asked_volcano("volcano_version", version)


def _cluster(path: str | os.PathLike[str] | None) -> Cluster:
    return Cluster() if path is None else load_cluster(os.fspath(path))


def _located(name: str, value: T | None) -> Located[T] | None:
    """An argument with its place, for diagnostics about it."""
    if value is None:
        return None
    text = f"{name}={value!r}"
    return Located(value, Origin(Span(Source(ARGUMENTS, text), 0, len(text))))


def _words(words: Sequence[str]) -> tuple[Located[str], ...]:
    """The words of a command, each at its place."""
    return placed(words, Source(ARGUMENTS, " ".join(words)))


def _diagnostics(report: Report) -> tuple[Diagnostic, ...]:
    return tuple(map(_diagnostic, report.diagnostics))


def _diagnostic(found: OwnDiagnostic) -> Diagnostic:
    span, code = found.span, found.code
    related = tuple(Place(label.span.source.name, *label.span.start_position(), label.message) for label in found.related)
    return Diagnostic(
        span.source.name, *span.start_position(), *span.end_position(), found.level, code.code, code.name, found.message, found.help,
        related, render([found]),
    )
