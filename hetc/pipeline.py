"""The pipeline, from sources to manifests.

    read -> layers -> merge -> lower -> Job -> job rules, emit -> Manifest -> manifest rules -> YAML
"""
from __future__ import annotations

import os
from functools import lru_cache

from hetc import codes
from hetc import site as sites
from hetc.diagnostic import LEVELS, Report
from hetc.inputs import STDIN, Files
from hetc.judging import NOTHING, STAGES, judge, known_codes, settle_levels
from hetc.levels import check as check_levels
from hetc.manifest import Given
from hetc.record import Record, replace
from hetc.source import Source, UsageError
from hetc.system import real_key, relative
from hetc.tree import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic
    from hetc.fields import Field
    from hetc.ir import Job
    from hetc.judging import Rule
    from hetc.origin import Located
    from hetc.read.manifest import Unknown
    from hetc.site import Site

COMMAND_LINE = "<command line>"


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


@lru_cache
def backend(name: str) -> tuple[tuple[Field, ...], object]:
    """The fields of a back end beside everyone's, and its module. Raises UsageError for an unknown one."""
    if name not in BACKENDS:
        raise UsageError(f"no back end is called `{name}`; there is {', '.join(f'`{each}`' for each in BACKENDS)}")
    from hetc.fields import FIELDS

    module = __import__(BACKENDS[name], fromlist=("FIELDS",))
    return (*FIELDS, *module.FIELDS), module


class Compiler:
    """Compiles inputs that share the command line's options.

    Between inputs it holds no state but the site files that it has read, and what the run gives beside each input.
    """

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        #: Folder -> the paths of its site files.
        self.folders: dict[str, tuple[str | None, str | None]] = {}
        self.sites: dict[tuple[str | None, str | None], tuple[Site, Report]] = {}
        #: The objects that all files of the run give.
        self.given: tuple[Mapping, ...] = ()
        #: By the keys of real paths, texts that stand for those of the files that inputs name: what an editor has not saved yet.
        self.buffers: dict[str, str] = {}

    @property
    def fields(self) -> tuple[Field, ...]:
        """The keys of overlays, the back end's among them, which is loaded for the first job: manifests need none."""
        return backend(self.options.backend)[0]

    @property
    def module(self) -> object:
        """The back end."""
        return backend(self.options.backend)[1]

    def job(self, source: Source, ask_command: bool, parent: bool = False) -> Unit:
        """Read, merge, lower, emit and check one input.

        `ask_command`: a task without a command is an error. `parent`: another template of the run has this one as its base.
        """
        from hetc.fronts import Het, Template

        report = Report()
        report.sources.append(source)
        site = self.site(os.path.dirname(source.name) if source.name != STDIN else "", report)
        unit = Unit(source, site, report)
        if source.name.endswith((".yaml", ".yml", ".json")) or not looks_like_request(source):
            Template(self, unit, ask_command, parent).compile()
        else:
            Het(self, unit, ask_command).compile()
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
        source.keys.clear()  # findings keep the source
        shape.report_rest(left, report)
        readable = bool(found.documents or found.unknown)
        settle_levels(report, site, frozenset() if readable else STAGES, whole=readable)
        return Checked(report, len(found.documents) + len(found.unknown) or int(report.failed), found.unknown)

    def beside(self, source: Source) -> Given:
        """What is given beside an input, by other files and as the cluster's."""
        cluster = self.options.cluster.objects
        return (Given((*cluster.documents, *self.given), cluster.listed) if self.given else cluster).without(source.name)

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
        if real_key(path) in [real_key(each) for each in self.site_files(folder) if each is not None]:
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
        from hetc.site_fields import FIELDS

        shown = relative(path) if self.options.config is None else path
        if path != self.options.config and not Files(Source(path, ""), False, report, {}).inside(os.path.realpath(path)):
            # Messages would show lines of whatever it leads to.
            raise UsageError(f"`{shown}` is a link that leads out of its repository; give the file by --config")
        tree = sites.load(path, shown)
        settings = sites.spelt_out(sites.settings(tree))
        Checker(report).fields(settings, FIELDS, "the site file", {}, sites.LAYERS)
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


def _own_rules(names: tuple[Located[str], ...]) -> tuple[Rule, ...]:
    """The rules of a site's packages. Raises UsageError."""
    if not names:
        return ()
    from hetc.extensions import load as load_rules
    from hetc.rules import CATALOG

    return load_rules(names, CATALOG)


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
