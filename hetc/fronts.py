"""The front ends: one input, a `.het` file or a template, from its text to a checked document."""
from __future__ import annotations

import os

from hetc import codes
from hetc.fields import FIELDS as OWN_FIELDS
from hetc.inputs import STDIN, Files
from hetc.judging import judge
from hetc.lower import Surroundings, complete, lower
from hetc.merge import Inheritance, Merger, settle
from hetc.origin import FILE_NAME, Located, Origin
from hetc.rule import JobRule, stamp
from hetc.source import Source, Span, UsageError
from hetc.system import real_key
from hetc.tree import Entry, Mapping, Scalar, Sequence, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.ir import Job, Request
    from hetc.merge import Settled
    from hetc.pipeline import Compiler, Unit
    from hetc.tree import Node

#: Where an image and a command may be set, by front end.
_HET_PLACES = dict.fromkeys(("image", "command"), "in the overlay behind `---`, for the job or under `tasks`, or in a `-f` file")
_TEMPLATE_PLACES = {
    "image": "under `environment`, of `config` or of the task, or in a `-f` file",
    "command": "in the job of `config.jobs` or in the task, or give it after `--`",
}


class _Front:
    """What both front ends do: gather layers, merge, lower, judge."""

    def __init__(self, compiler: Compiler, unit: Unit, ask_command: bool) -> None:
        self.compiler = compiler
        self.options = compiler.options
        self.unit = unit
        self.report = unit.report
        self.ask_command = ask_command
        self.files = Files(unit.source, compiler.options.allow_outside, unit.report, compiler.buffers, compiler.options.root)

    def layer(self, source: Source, start: int = 0, request: Span | None = None) -> list[Mapping]:
        """The overlay documents of a text, checked; empty ones are nothing."""
        from hetc.read.overlay import check_overlay
        from hetc.read.yaml import read

        documents = read(source, self.report, start) or []
        for document in documents:
            check_overlay(document, self.compiler.fields, self.report, request, isinstance(self, Template))
        return [document for document in documents if isinstance(document, Mapping)]

    def layers(self, own: list[Mapping]) -> list[Mapping]:
        """All layers, lowest first: the site's defaults, the input's own, `-f` files, the command line."""
        layers = [self.unit.site.defaults] if self.unit.site.defaults is not None else []
        layers.extend(own)
        for source in self.options.overlays:
            self.report.sources.append(source)
            layers.extend(self.layer(source))
        flags = {key: value for key in ("name", "namespace", "queue") if (value := getattr(self.options, key)) is not None}
        if flags:
            layers.append(_mapping({key: Scalar(value.value, value.origin) for key, value in flags.items()}))
        return layers

    def merged(self, layers: list[Mapping]) -> Mapping:
        tree = Merger(self.compiler.fields, self.report).layers(layers)
        return tree if tree is not None else Mapping({}, Origin(Span(self.unit.source, 0, 0)))

    def finish(
        self, request: Request, tree: Mapping, places: dict[str, str],
        around: tuple[Located[str] | None, Located[str] | None] = (None, None),
    ) -> None:
        """From a request and a merged tree to a checked document; `places` says where images and commands may be set."""
        if not self.report.sound():
            return
        settled = settle(tree, self.report, self.compiler.fields)
        job = self.lowered(request, settled, around)
        if job is None:
            return
        commanded = self.compiler.module.without_command(job)  # type: ignore[attr-defined]
        complete(job, settled, self.report, places, self.ask_command, commanded)
        stamp(codes.ACCEPTED, self.compiler.module.without_effect(settled.job, self.options.kind), self.report)  # type: ignore[attr-defined]
        self.unit.job = job
        self.emitted(job)

    def lowered(self, request: Request, settled: Settled, around: tuple[Located[str] | None, Located[str] | None]) -> Job | None:
        inheritance = Inheritance(settled.job, self.compiler.fields, self.report)
        backend_keys = tuple(field.name for field in self.compiler.fields if field not in OWN_FIELDS)
        devices = {**self.compiler.module.DEVICES, **dict(self.unit.site.resources)}  # type: ignore[attr-defined]
        surroundings = Surroundings(self.default_name(settled.job), self.unit.site.gpu, backend_keys, devices, *around)
        return lower(request, settled, inheritance, surroundings, self.report) if self.report.sound() else None

    def emitted(self, job: Job) -> None:
        """Judge the job, emit it, judge the manifest. Job rules do not stop emission: one run shows all findings."""
        if self.report.failed:
            return
        from hetc.rules import job_rules

        for rule in (*job_rules(), *self.unit.site.rules):
            if isinstance(rule, JobRule):
                stamp(rule.code, rule.check(job, self.unit.site), self.report)
        document = self.compiler.module.emit(job, self.unit.site, self.options.kind)  # type: ignore[attr-defined]
        judge([document], self.unit.site, self.report, emitted=True, given=self.compiler.beside(self.unit.source))
        self.unit.document = document

    def default_name(self, job: Mapping) -> Located[str]:
        """The stem of the file, for a job that no layer names; a stem that is no legal name says so at 1:1."""
        from hetc.names import dns1035_label

        source = self.unit.source
        start = Origin(Span(source, 0, min(1, len(source.text))))
        if source.name == STDIN and not self.ask_command:
            return Located("job", start)
        stem = os.path.basename(source.name)
        for suffix in (".het", ".yaml", ".yml", ".json"):
            stem = stem.removesuffix(suffix)
        if job.get("name") is None:
            wrong = "standard input has no name" if source.name == STDIN else dns1035_label(stem)
            if wrong is not None:
                what = "the job has no name" if source.name == STDIN else f"the file's name gives no job name: {wrong}"
                self.report.add(codes.NO_NAME, start.span, what, "write `name: NAME` in an overlay, or give --name NAME")
        return Located(stem, Origin(start.span, FILE_NAME))


class Het(_Front):
    """A `.het` file."""

    def compile(self) -> None:
        from hetc.read import het

        source, report, options = self.unit.source, self.report, self.options
        for option in ("nodes", "processes", "ppn", "amlt"):
            if getattr(options, option) is not None:
                raise UsageError(f"`--{option}` is for templates; a .het file says its shape itself")
        end, start = het.split(source)
        request = het.read(source, end, report, devices=dict(self.unit.site.resources))
        own: list[Mapping] = []
        for use in request.uses if request is not None else ():
            used = self.files.load(use)
            if used is not None:
                own.extend(self.layer(used, request=request.origin.span if request else None))
        own.extend(self.layer(source, start, request.origin.span if request is not None else None))
        layers = self.layers(own)
        if options.command:
            layers.append(_mapping({"command": _command(options.command)}))
        if request is None:
            return
        self.finish(request, self.merged(layers), _HET_PLACES)


class Template(_Front):
    """A training template. `parent`: others are built on it, so keys and types are checked, and completeness is not."""

    def __init__(self, compiler: Compiler, unit: Unit, ask_command: bool, parent: bool) -> None:
        super().__init__(compiler, unit, ask_command)
        self.parent = parent
        #: Whether all files of the lineage could be read; of what is missing nothing is said without one of them.
        self.whole = True
        self.seen: set[str] = set()

    def compile(self) -> None:
        from hetc.read import template

        tree = Merger(template.FIELDS, self.report).layers(self.lineage(self.unit.source, ()))
        if tree is None or not self.whole or self.parent or (not self.ask_command and template.is_parent(tree)):
            return
        options = self.options
        flags = template.Flags(options.nodes, options.processes, options.ppn, options.amlt)
        converted = template.convert(tree, flags, self.report)
        if converted is None:
            return
        merged = self.merged(self.layers([converted.layer]))
        if self.options.command:
            merged = _with_command(merged, self.options.command)
        self.finish(converted.request, merged, _TEMPLATE_PLACES, (converted.context, converted.sku))

    def lineage(self, source: Source, above: tuple[str, ...]) -> list[Mapping]:
        """A template behind all that it is built on, lowest first, each once and checked.

        What several of the parents are built on stands below all of them. A template that is its own ancestor is refused.
        """
        from hetc.read import template
        from hetc.read.yaml import read

        documents = read(source, self.report)
        tree = template.document(documents, source, self.report) if documents is not None else None
        if tree is None:
            self.whole = False
            return []
        template.check(tree, self.report)
        real = real_key(source.name)
        trees: list[Mapping] = []
        for base in template.bases(tree):
            trees.extend(self.ancestors(source, base, (*above, real)))
        return [*trees, tree]

    def ancestors(self, source: Source, base: Located[str], above: tuple[str, ...]) -> list[Mapping]:
        """The lineage of a parent; nothing after a report, or where it stands further below already."""
        path = self.files.path(source, base)
        real = real_key(path) if path is not None else None
        if real in self.seen:
            return []
        if real in above:
            self.report.add(codes.ALIAS, base.span, f"`{base.value}` is this template or one that is built on it",
                            "a template cannot be its own base")
        elif real is not None:
            parent = self.files.load(base, source)
            if parent is not None:
                trees = self.lineage(parent, above)
                self.seen.add(real)
                return trees
        self.whole = False
        return []


def _mapping(values: dict[str, Node]) -> Mapping:
    origin = next(iter(values.values())).origin
    return Mapping({key: Entry(Scalar(key, value.origin, key), value) for key, value in values.items()}, origin)


def _command(words: tuple[Located[str], ...]) -> Sequence:
    """The command after `--` as one shell line: a single word as it stands, several with shell quoting."""
    line = words[0].value
    if len(words) > 1:
        from shlex import join

        line = join([word.value for word in words])
    first, last = words[0].origin.span, words[-1].origin.span
    origin = Origin(Span(first.source, first.start, last.end))
    return Sequence([Scalar(line, origin)], origin)


def _with_command(tree: Mapping, words: tuple[Located[str], ...]) -> Mapping:
    """The job-level command with the command line's lines behind it."""
    own = tree.get("command")
    added = _command(words)
    lines: list[Node] = list(own.items) if isinstance(own, Sequence) else [own] if isinstance(own, Scalar) and not is_null(own) else []
    command = Sequence([*lines, *added.items], added.origin)
    key = tree.entries["command"].key if own is not None else Scalar("command", added.origin, "command")
    return Mapping({**tree.entries, "command": Entry(key, command)}, tree.origin)
