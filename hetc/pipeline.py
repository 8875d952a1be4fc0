"""The pipeline, from sources to manifests.

    read -> layers -> merge -> lower -> Job -> job rules, emit -> Manifest -> manifest rules -> YAML
"""
from __future__ import annotations

import os
import stat

from hetc import codes
from hetc import site as sites
from hetc.diagnostic import ERROR, LEVELS, Code, Report
from hetc.fields import FIELDS as OWN_FIELDS
from hetc.ir import Job
from hetc.levels import OFF, owners
from hetc.levels import check as check_levels
from hetc.lower import Surroundings, complete, lower
from hetc.manifest import Given, Manifest, words
from hetc.merge import Inheritance, Merger, settle
from hetc.origin import FILE_NAME, Located, Origin
from hetc.record import Record, replace
from hetc.rule import JobRule, ManifestRule, stamp
from hetc.site import Site
from hetc.source import MARK, MAX_BYTES, NotUtf8, Source, Span, UsageError, decode, reason
from hetc.tree import Entry, Mapping, Scalar, Sequence, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from hetc.diagnostic import Diagnostic
    from hetc.fields import Field
    from hetc.ir import Request
    from hetc.merge import Settled
    from hetc.read.manifest import Unknown
    from hetc.suppress import Ignore
    from hetc.tree import Node

    Rule: TypeAlias = JobRule | ManifestRule

STDIN = "<stdin>"
COMMAND_LINE = "<command line>"

#: Where an image and a command may be set, by front end.
_HET_PLACES = dict.fromkeys(("image", "command"), "in the overlay behind `---`, for the job or under `tasks`, or in a `-f` file")
_TEMPLATE_PLACES = {
    "image": "under `environment`, of `config` or of the task, or in a `-f` file",
    "command": "in the job of `config.jobs` or in the task, or give it after `--`",
}


NOTHING = Given()


class Cluster(Record):
    """What is known of the cluster: its objects, and what is wrong with the texts that were to say so."""

    objects: Given = NOTHING
    mistakes: tuple[Diagnostic, ...] = ()


#: Back ends by name; each module has FIELDS, its overlay keys, and emit(job, site, kind).
BACKENDS: dict[str, str] = {"volcano": "hetc.emit.volcano"}


class Options(Record):
    """What the command line says about an input. Texts and numbers carry their place in the joined arguments.

    `command`: the arguments after `--`. `nodes`, `processes`, `ppn` and `amlt` are for templates alone. `root`: the folder of
    the kustomization that runs hetc, if one does. `kind`: what is made of a job. `volcano`: the minor
    version of the cluster's Volcano, over the site's.
    """

    overlays: tuple[Source, ...] = ()
    name: Located[str] | None = None
    namespace: Located[str] | None = None
    queue: Located[str] | None = None
    command: tuple[Located[str], ...] = ()
    config: str | None = None
    isolated: bool = False
    allow_outside: bool = False
    nodes: Located[int] | None = None
    processes: Located[int] | None = None
    ppn: Located[int] | None = None
    amlt: Located[bool] | None = None
    backend: str = "volcano"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    root: str | None = None
    kind: str | None = None
    volcano: int | None = None
    cluster: Cluster = Cluster()


class Unit(Record):
    """One input on its way: its job and document once it has them.

    A flow has a document and no job; `parts` are the units of its jobs.
    """

    source: Source
    site: Site
    report: Report
    job: Job | None = None
    document: Mapping | None = None
    parts: tuple[Unit, ...] = ()

    @property
    def documents(self) -> list[Mapping]:
        """All documents: those of the parts, which the unit's own needs, then that one; none where that is not there."""
        return [] if self.document is None else [*(each for part in self.parts for each in part.documents), self.document]


class Checked(Record):
    """A file that was checked, and how many documents it holds.

    `unknown` are those of kinds that hetc does not know; `unit` is there for what compiles to a job.
    """

    report: Report
    documents: int = 1
    unknown: tuple[Unknown, ...] = ()
    unit: Unit | None = None


def backend(name: str) -> tuple[tuple[Field, ...], object]:
    """The fields of a back end beside everyone's, and its module. Raises UsageError for an unknown one."""
    if name not in BACKENDS:
        raise UsageError(f"no back end is called `{name}`; there is {', '.join(f'`{each}`' for each in BACKENDS)}")
    module = __import__(BACKENDS[name], fromlist=("FIELDS",))
    return (*OWN_FIELDS, *module.FIELDS), module


def load(path: str, shown: str | None = None) -> Source:
    """The text of a file that the command line names. Raises UsageError, or NotUtf8 for bytes that are no text."""
    try:
        with open(path, "rb") as file:
            # As many bytes as there seem to be, and one more: room for the most that may come takes longer to get than a file.
            data = file.read(min(os.fstat(file.fileno()).st_size, MAX_BYTES) + 1)
            data += file.read(MAX_BYTES + 1 - len(data)) if data else b""
    except IsADirectoryError:
        raise UsageError(f"`{path}` is a directory; name its files, or check them with `hetc lint {path}`") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read `{path}`: {reason(error)}") from None
    return from_bytes(data, shown or path)


def from_bytes(data: bytes, name: str) -> Source:
    """A source of raw bytes. Raises UsageError when they are too many, NotUtf8 when they are no text."""
    if len(data) > MAX_BYTES:
        raise UsageError(f"`{name}` is larger than {MAX_BYTES // 2**20} MiB")
    return Source(name, decode(data))


class Compiler:
    """Compiles inputs that share the command line's options.

    Between inputs it holds no state but the site files that it has read, and what the run gives beside each input.
    """

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        self.fields, self.module = backend(self.options.backend)
        #: Folder -> the paths of its site files.
        self.folders: dict[str, tuple[str | None, str | None]] = {}
        self.sites: dict[tuple[str | None, str | None], tuple[Site, Report]] = {}
        #: The objects that all files of the run give.
        self.given: tuple[Mapping, ...] = ()
        #: By real path, texts that stand for those of the files that inputs name: what an editor has not saved yet.
        self.buffers: dict[str, str] = {}

    def job(self, source: Source, ask_command: bool, parent: bool = False) -> Unit:
        """Read, merge, lower, emit and check one input.

        `ask_command`: a task without a command is an error. `parent`: another template of the run has this one as its base.
        """
        report = Report()
        report.sources.append(source)
        site = self.site(os.path.dirname(source.name) if source.name != STDIN else "", report)
        unit = Unit(source, site, report)
        if source.name.endswith((".yaml", ".yml", ".json")) or not looks_like_request(source):
            _Template(self, unit, ask_command, parent).compile()
        else:
            _Het(self, unit, ask_command).compile()
        fixed = STAGES if unit.document is not None else STAGES | {codes.OBJECT_SIZE.code}
        settle_levels(report, site, fixed, whole=unit.document is not None)
        return unit

    def overlay(self, source: Source) -> Report:
        """Check an overlay by itself: keys and types, not completeness."""
        from hetc.read.overlay import check_overlay
        from hetc.read.yaml import read

        report = Report()
        report.sources.append(source)
        site = self.site(os.path.dirname(source.name), report)
        documents = read(source, report)
        for document in documents or []:
            check_overlay(document, self.fields, report)
        # The rules of jobs and manifests do not run here, so that a comment for one of them may be of use elsewhere.
        settle_levels(report, site, frozenset() if documents is not None else STAGES, whole=False)
        return report

    def manifest(self, source: Source, patch: bool = False) -> Checked:
        """Read and judge a hand-written manifest. `patch`: its documents are parts of others, as those with directives are."""
        from hetc import shape
        from hetc.read.manifest import read

        report = Report()
        report.sources.append(source)
        site = self.site(os.path.dirname(source.name) if source.name != STDIN else "", report)
        found = read(source, report)
        patches = list(found.documents) if patch else _directed(found.documents, source)
        ids = {id(each) for each in patches}
        whole = [each for each in found.documents if id(each) not in ids]
        left = shape.check(whole, report) + shape.check(patches, report, patch=True)
        judge(whole, site, report, emitted=False, given=self.beside(source))
        judge(patches, site, report, emitted=False, parts=True)
        shape.report_rest(left, report)
        readable = bool(found.documents or found.unknown)
        settle_levels(report, site, frozenset() if readable else STAGES, whole=readable)
        return Checked(report, len(found.documents) + len(found.unknown) or int(report.failed), found.unknown)

    def beside(self, source: Source) -> Given:
        """What is given beside an input, by other files and as the cluster's."""
        cluster = self.options.cluster.objects
        return Given((*cluster.documents, *self.given), cluster.listed).without(source.name)

    def site_files(self, folder: str) -> tuple[str | None, str | None]:
        """The site files for inputs of a folder: the nearest one, and the repository's."""
        options = self.options
        if options.isolated:
            return None, None
        if options.config is not None:
            # In a kustomization it is a file of the jobs' own, and the repository's holds as ever.
            return options.config, options.config if options.root is None else sites.discover(options.root)[1]
        if folder not in self.folders:
            self.folders[folder] = sites.discover(folder or ".")
        return self.folders[folder]

    def site(self, folder: str, report: Report) -> Site:
        """The site settings for inputs of a folder. Mistakes in the files, and in those of the cluster, are reported for each input."""
        paths = self.site_files(folder)
        if paths not in self.sites:
            own = Report()
            self.sites[paths] = (self.read_site(paths, own), own)
        site, own = self.sites[paths]
        mistakes = self.options.cluster.mistakes
        report.diagnostics.extend((*own.diagnostics, *mistakes))
        report.failed = report.failed or own.failed or bool(mistakes)
        return site

    def site_file(self, path: str) -> Report:
        """What is wrong with a site file, as it holds in its folder. One that does not hold there is read by itself.

        It loads no rules then: only a file that holds may name code to run.
        """
        report, folder = Report(), os.path.dirname(path)
        if os.path.realpath(path) in [os.path.realpath(each) for each in self.site_files(folder) if each is not None]:
            self.site(folder, report)
        else:
            self.read_site((path, path), report, own=False)
        return report

    def read_site(self, paths: tuple[str | None, str | None], report: Report, own: bool = True) -> Site:
        """The settings of the nearest site file and the root's. `own`: with the rules that they name."""
        nearest = self.site_tree(paths[0], report)
        root = nearest if paths[0] == paths[1] else self.site_tree(paths[1], report)
        rules = _own_rules(sites.extensions(nearest, root, report)) if own else ()
        for tree in (nearest,) if root is nearest else (nearest, root):
            if tree is not None and ("rules" in tree.entries or "per-path" in tree.entries):
                check_levels(tree, known_codes(rules), report)
        folders = (os.path.dirname(paths[0] or "."), os.path.dirname(paths[1] or "."))
        site = sites.site(nearest, root, report, folders) if not report.failed else sites.site(None, None, report)
        levels = replace(site.levels, select=self.options.select, ignore=self.options.ignore)
        volcano = site.volcano if self.options.volcano is None else self.options.volcano
        return replace(site, levels=levels, rules=rules, volcano=volcano)

    def site_tree(self, path: str | None, report: Report) -> Mapping | None:
        if path is None:
            return None
        from hetc.read.overlay import Checker, check_overlay

        shown = os.path.relpath(path) if self.options.config is None else path
        if path != self.options.config and not Files(Source(path, ""), False, report, {}).inside(os.path.realpath(path)):
            # Messages would show lines of whatever it leads to.
            raise UsageError(f"`{shown}` is a link that leads out of its repository; give the file by --config")
        tree = sites.load(path, shown)
        settings = sites.spelt_out(sites.settings(tree))
        Checker(report).fields(settings, sites.FIELDS, "the site file", {}, sites.LAYERS)
        defaults, profiles = (tree.get(key) for key in sites.LAYERS)
        if defaults is not None:
            check_overlay(defaults, tuple(field for field in self.fields if field.name not in ("tasks", "name", "profiles")), report)
        if profiles is not None:
            check_overlay(Mapping({"profiles": tree.entries["profiles"]}, profiles.origin), self.fields, report)
        layers = {key: tree.entries[key] for key in sites.LAYERS if key in tree.entries}
        return Mapping({**settings.entries, **layers}, tree.origin)


def _directed(documents: Iterable[Mapping], source: Source) -> list[Mapping]:
    """The documents with directives of kustomize's, which are taken out of them."""
    if "$" not in source.text:
        return []
    from hetc.read.patch import bared, has_directives

    return [each for each in documents if bared(each)] if has_directives(source.text) else []


def looks_like_request(source: Source) -> bool:
    """Whether a text without a telling name is a `.het`: it starts with COUNT `*`, `use[` or `gang[`, or has `NAME<KEY=` in
    its first line.

    Or like a request of another scheduler, or is a script for one: of those the reader of requests knows what to say.
    """
    import re

    if source.name.endswith(".het"):
        return True
    text = re.sub(r"\A(?:\s+|#[^\n]*\n)*", "", source.text)
    if re.match(r"[0-9]+\s*\*|(?:use|gang)\s*\[|[^\n:<]*[\w-]\s*<\s*[\w-]+\s*=", text):
        return True
    from hetc.read import het_foreign

    return het_foreign.is_command(text[:80]) or het_foreign.directives(source.text[:len(source.text) - len(text)]) is not None


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
            check_overlay(document, self.compiler.fields, self.report, request, isinstance(self, _Template))
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


class _Het(_Front):
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


class _Template(_Front):
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
        real = os.path.realpath(source.name)
        trees: list[Mapping] = []
        for base in template.bases(tree):
            trees.extend(self.ancestors(source, base, (*above, real)))
        return [*trees, tree]

    def ancestors(self, source: Source, base: Located[str], above: tuple[str, ...]) -> list[Mapping]:
        """The lineage of a parent; nothing after a report, or where it stands further below already."""
        path = self.files.path(source, base)
        real = os.path.realpath(path) if path is not None else None
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


class Files:
    """Reads the files that an input names: only regular files inside the input's own folder or its repository.

    `buffers`: by real path, texts that are read in their place. `root`: the kustomization's folder, in which they lie then.
    """

    def __init__(
        self, source: Source, allow_outside: bool, report: Report, buffers: dict[str, str], root: str | None = None,
    ) -> None:
        self.main = source
        self.report = report
        self.allow_outside = allow_outside
        self.buffers = buffers
        self.root = root
        self.count = 0

    def path(self, source: Source, name: Located[str]) -> str | None:
        """The path of a file that `source` names; None after a report."""
        folder = os.path.dirname(source.name) if source.name != STDIN else ""
        if "\0" in name.value or not name.value:
            self.report.add(codes.NO_FILE, name.span, f"`{name.value}` is no file name".replace("\0", "\\0"))
            return None
        path = os.path.normpath(os.path.join(folder, name.value))
        if not self.allow_outside and not self.inside(os.path.realpath(path)):
            home, option = ("this file's folder and repository", "pass --allow-outside") if self.root is None else (
                "the kustomization's folder", "run kustomize with HETC_ALLOW_OUTSIDE=1")
            self.report.add(codes.OUTSIDE, name.span, f"`{name.value}` lies outside {home}", f"move it inside, or {option}")
            return None
        return path

    def inside(self, real: str) -> bool:
        top = self.tree() if self.root is None else self.root
        return inside(top, real)

    def tree(self) -> str:
        """The folder of the input's repository, else its own."""
        home = os.path.realpath(os.path.dirname(os.path.abspath(self.main.name)) if self.main.name != STDIN else os.getcwd())
        top = home
        while not os.path.exists(os.path.join(top, ".git")):
            parent = os.path.dirname(top)
            if parent == top:
                return home
            top = parent
        return top

    def load(self, name: Located[str], source: Source | None = None) -> Source | None:
        """The file; None after a report at the name."""
        path = self.path(source or self.main, name)
        if path is None:
            return None
        self.count += 1
        if self.count > 100:
            self.report.add(codes.TOO_LARGE, name.span, "more than 100 files are named")
            return None
        try:
            buffer = self.buffers.get(os.path.realpath(path)) if self.buffers else None
            if buffer is None and not stat.S_ISREG(os.stat(path).st_mode):
                self.report.add(codes.NO_FILE, name.span, f"`{name.value}` is no regular file", "name a file of overlays")
                return None
            loaded = load(path) if buffer is None else Source(path, buffer)
            self.report.sources.append(loaded)
            return loaded
        except (OSError, ValueError) as error:
            self.report.add(codes.NO_FILE, name.span, f"cannot read `{name.value}`: {reason(error)}",
                            "check the path; it is relative to the file that names it")
        except UsageError as error:
            self.report.add(codes.NO_FILE, name.span, str(error))
        except NotUtf8 as error:
            add_not_utf8(path, error, self.report)
        return None


def inside(top: str, real: str) -> bool:
    """Whether a real path lies in a folder, and not in what git keeps there, which may hold tokens."""
    return os.path.commonpath([top, real]) == top and ".git" not in os.path.relpath(real, top).split(os.sep)


def add_not_utf8(name: str, error: NotUtf8, report: Report) -> None:
    """Report bytes that are no text at their line and column; the text itself cannot be shown."""
    place = Source(name, "\n" * (error.line - 1) + " " * error.column)
    end = len(place.text)
    report.add(codes.ENCODING, Span(place, end - 1, end), error.reason, "save the file as UTF-8")


def known_codes(own: tuple[Rule, ...] = ()) -> frozenset[str]:
    """The codes of hetc and of a site's own rules."""
    from hetc.rules import CATALOG

    return frozenset(code.code for code in (*CATALOG, *(rule.code for rule in own)))


def _own_rules(names: tuple[Located[str], ...]) -> tuple[Rule, ...]:
    """The rules of a site's packages. Raises UsageError."""
    if not names:
        return ()
    from hetc.extensions import load as load_rules
    from hetc.rules import CATALOG

    return load_rules(names, CATALOG)


#: Errors of the stages themselves: without them there would be no job, so that nothing silences them where one is compiled.
STAGES = frozenset(
    code.code for code in vars(codes).values() if isinstance(code, Code) and code.level == ERROR
)


def settle_levels(report: Report, site: Site, fixed: frozenset[str] = frozenset(), whole: bool = True) -> None:
    """Give the diagnostics of a report the levels of the site, and part from them what comments silence.

    `fixed`: codes that keep their level whatever a site or a comment says. Without `whole` some rules did not run, so that
    it is not known which comments are of no use.
    """
    shown, suppressed = report.diagnostics, []
    comments = [comment for source in dict.fromkeys(report.sources) if MARK in source.text for comment in _ignores(source)]
    if comments:  # before any rule is left out, so that a comment is of use whatever options say
        from hetc.suppress import quiet

        result = quiet(shown, comments, known_codes(site.rules), fixed, whole)
        shown, suppressed = result.shown, result.suppressed
    report.replace([leveled for each in shown if (leveled := _leveled(each, site, fixed)) is not None])
    report.suppressed.extend((leveled, why) for each, why in suppressed if (leveled := _leveled(each, site, fixed)) is not None)
    report.replace(_once(report.diagnostics, [each for each, _ in report.suppressed]))


#: A code -> another that says more of the same mistake where it stands at the same place.
_SAID_BETTER: dict[str, str] = {"HET012": "HET011", "HET014": "HET024", "HET611": "HET015"}


def _once(found: list[Diagnostic], suppressed: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics without those of a mistake of which another one says more."""
    better = {(each.code.code, each.span) for each in (*found, *suppressed) if each.code.code in _SAID_BETTER.values()}
    return [each for each in found if (_SAID_BETTER.get(each.code.code), each.span) not in better] if better else found


def _leveled(found: Diagnostic, site: Site, fixed: frozenset[str]) -> Diagnostic | None:
    """A diagnostic at the site's level, None where that is off."""
    code = found.code
    level = found.level if code.code in fixed else site.levels.level(code.code, code.level, found.level, found.span.source.name)
    return None if level == OFF else found if level == found.level else replace(found, level=level)


def _ignores(source: Source) -> list[Ignore]:
    from hetc.suppress import ignores

    return ignores(source)


def judge(
    documents: list[Mapping], site: Site, report: Report, emitted: bool, across: bool = False, given: Given = NOTHING,
    parts: bool = False,
) -> None:
    """Run the manifest rules over documents that belong together; with `across`, only those that look between documents.

    `given`: what other files and the cluster have. `parts`: they are parts of objects, for the security rules and the site's policy.
    """
    if not documents:
        return
    from hetc.rules import manifest_rules

    manifest = Manifest(tuple(documents), emitted, given, parts)
    for rule in (*manifest_rules(words(manifest), emitted), *site.rules):
        if isinstance(rule, ManifestRule) and (rule.across or not across) and (owners(rule.code.code) or not parts):
            stamp(rule.code, rule.check(manifest, site), report)


def between(units: list[Unit]) -> Report:
    """What only the documents of several inputs together show, when they go into one stream."""
    report = Report()
    documents = [document for unit in units for document in unit.documents]
    if len(documents) > 1:
        judge(documents, units[0].site, report, emitted=True, across=True)
        settle_levels(report, units[0].site, STAGES)
    return report


def reached(found: list[Diagnostic], level: str) -> bool:
    """Whether anything is at or above a level."""
    least = LEVELS.index(level)
    return any(LEVELS.index(each.level) >= least for each in found)


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
