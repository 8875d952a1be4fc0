"""The config of `hetc-kustomize`: an object of kind HetcJob, in the words of `hetc build` and its options."""
from __future__ import annotations

import os
import re

from hetc import codes
from hetc.api import CONFIG as KIND
from hetc.diagnostic import LEVELS, Label, Report
from hetc.fields import FIELDS as OVERLAY_FIELDS
from hetc.fields import Field, ListOf, Text, Whole
from hetc.inputs import Files
from hetc.levels import is_code
from hetc.names import choice, nearest, normal
from hetc.objects import title
from hetc.origin import Located
from hetc.pipeline import Cluster, Options
from hetc.read.overlay import Checker
from hetc.record import Record
from hetc.site import KNOWN_VOLCANOS, volcano_minor, wrong_volcano
from hetc.source import Source, UsageError
from hetc.tree import Mapping, Scalar, Sequence, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.tree import Node

API_VERSION = "hetc.dev/v1alpha1"

GENERATE, VALIDATE, TRANSFORM = "generate", "validate", "transform"
MODES = (GENERATE, VALIDATE, TRANSFORM)

#: Where a job comes from; a config that generates has one of these.
SOURCES = ("source", "sources", "request")

#: What a config says beside `apiVersion`, `kind` and `metadata`. Paths start at the kustomization's folder.
FIELDS: tuple[Field, ...] = (
    Field("mode", Text("a mode"), "`generate` jobs, `validate` all resources, or check and pass them on: `transform`.", VALIDATE, GENERATE),
    Field("source", Text("a path"), "A `.het` file, template or flow file.", "train.het"),
    Field("sources", ListOf(Text("a path"), once=True), "Several of them, in one process.", ["train.het", "eval.het"]),
    Field("request", Text("a request"), "The text of a `.het` file itself; the job is called as the config, unless the text names it."),
    Field("overlays", ListOf(Text("a path")), "Overlays on top, later ones win.", ["prod.het.yaml"]),
    Field("command", Text("a shell line"), "The job's command, as behind `--`.", "python train.py"),
    Field("name", Text("a job name"), "The job's name; with one source only.", "train"),
    Field("namespace", Text("a namespace"), "The job's namespace.", "training"),
    Field("queue", Text("a queue"), "The job's queue.", "research"),
    Field("nodes", Whole(1), "Nodes; templates without tasks only.", 4),
    Field("processes", Whole(1), "Processes; templates without tasks only.", 32),
    Field("ppn", Whole(1), "Processes per node; as above.", 8),
    Field("volcano_version", Text("a version"), "The cluster's Volcano, over the site file's.", "1.13"),
    Field("cluster", Text("a path"), "Its Queues, HyperNodes and Nodes: a file or folder.", "cluster.yaml"),
    Field("config", Text("a path"), "Site file, in place of the nearest; the repository root's holds all the same.", "hetc.toml"),
    Field("select", ListOf(Text("a code")), "Only rules whose codes begin so; security rules stay.", ["HET7"]),
    Field("ignore", ListOf(Text("a code")), "Leave rules out whose codes begin so; security rules stay.", ["HET702"]),
    Field("fail_on", Text("a level"), "Level that fails the build: `error` or `warning`.", "warning", "error"),
)

#: The variable by which whoever runs kustomize lets config and inputs name files outside the kustomization's folder. No config
#: can: what a repository holds must not make a run read, and show in messages, what lies elsewhere on the machine.
OUTSIDE = "HETC_ALLOW_OUTSIDE"

#: Keys that every mode has.
_ALWAYS = frozenset(("mode", "volcano_version", "cluster", "config", "select", "ignore", "fail_on"))


class Config(Record):
    """A config that was read. `sources` are there when it generates; what is wrong with it is in the report."""

    report: Report
    mode: str
    fail_on: str
    options: Options
    sources: tuple[Source, ...]


class Inline(Source):
    """The `request` of a config: a file of the config's name in the kustomization's folder, as far as names and paths go."""

    __slots__ = ("title",)

    def __init__(self, folder: str, config: Mapping, text: str) -> None:
        name = find(config, "metadata", "name")
        stem = re.sub(r"[/\\:]", "_", name.text) if isinstance(name, Scalar) else ""  # else it would lie elsewhere, on some system
        super().__init__(os.path.join(folder, f"{stem}.het"), text)
        self.title = title(config)

    def place(self, start: int, end: int) -> str:
        line, column = self.position(start)
        return f"{self.title}: request:{line}:{column}"


def is_config(node: Node) -> bool:
    """Whether an object is a config of hetc's."""
    version, kind = find(node, "apiVersion"), find(node, "kind")
    return isinstance(version, Scalar) and version.value == API_VERSION and isinstance(kind, Scalar) and kind.value == KIND


def read_config(config: Mapping, root: str) -> Config:
    """What a config says, checked; `root`: the kustomization's folder."""
    report = Report()
    reader = _Reader(config, root, report)
    mode, fail_on = reader.check()
    if report.failed:
        return Config(report, mode, fail_on, Options(), ())
    sources, options = reader.sources(), reader.options()
    if len(sources) > 1 and options.name is not None:
        report.add(codes.CONFLICT, options.name.span, "several jobs cannot have one name",
                   "leave `name` out, or give each job a config of its own")
    return Config(report, mode, fail_on, options, sources)


def check_file(source: Source, report: Report) -> None:
    """Check the configs among the documents of a file; not whether the files are there that they name."""
    from hetc.read.yaml import read

    for each in read(source, Report(), tabs=True) or []:
        if isinstance(each, Mapping) and is_config(each):
            _Reader(each, os.path.dirname(source.name), report).check()


def _check_keys(config: Mapping, report: Report) -> None:
    """Keys and types."""
    if not is_config(config):
        report.add(codes.BAD_VALUE, config.origin.span, f"this is no {KIND} of `{API_VERSION}`",
                   f"write `apiVersion: {API_VERSION}` and `kind: {KIND}`")
    checker = Checker(report)
    known = {field.name: field for field in FIELDS}
    for key, entry in config.entries.items():
        if key in known:
            if not is_null(entry.value):
                checker.value(entry.value, known[key].type, f"`{key}`")
        elif key not in ("apiVersion", "kind", "metadata"):
            report.add(codes.UNKNOWN_KEY, entry.key.origin.span, f"unknown key `{key}` in a {KIND}", _meant(key, known))


def _meant(key: str, known: dict[str, Field]) -> str:
    if normal(key) == "allowoutside":
        return f"whoever runs kustomize says so, by {OUTSIDE}=1"
    if any(field.name == key for field in OVERLAY_FIELDS):
        return f"`{key}` is a key of overlays: write it in a file of `overlays`, or behind the `---` of the request"
    close = nearest(key, sorted(known))
    return f"did you mean `{close}`?" if close else f"known keys: {', '.join(f'`{word}`' for word in known)}"


class _Reader:
    """Checks a config, and makes options of it."""

    def __init__(self, config: Mapping, root: str, report: Report) -> None:
        self.config = config
        self.root = root
        self.report = report
        self.home = config.origin.span.source
        self.outside = os.environ.get(OUTSIDE) == "1"
        self.files = Files(self.home, self.outside, report, {}, root)

    def check(self) -> tuple[str, str]:
        """Keys, types, and whether they go together; the mode and the level that fails."""
        _check_keys(self.config, self.report)
        mode, fail_on = self.word("mode", GENERATE, MODES), self.word("fail_on", "error", LEVELS[1:])
        if self.report.sound():
            self.volcano()
            self.codes("select")
            self.codes("ignore")
            self.judge(mode)
        return mode, fail_on

    def get(self, key: str) -> Node | None:
        """The value of a key, None where it is null too."""
        value = self.config.get(key)
        return None if is_null(value) else value

    def located(self, key: str) -> Located | None:  # type: ignore[type-arg]
        value = self.get(key)
        return Located(value.value, value.origin) if isinstance(value, Scalar) else None

    def items(self, key: str) -> Iterator[Located[str]]:
        value = self.get(key)
        for item in value.items if isinstance(value, Sequence) else ():
            if isinstance(item, Scalar):
                yield Located(item.text, item.origin)

    def word(self, key: str, default: str, words: tuple[str, ...]) -> str:
        """One of several words."""
        given = self.located(key)
        if given is None:
            return default
        if given.value not in words:
            self.report.add(codes.BAD_VALUE, given.span, f"`{key}` is `{given.value}`", choice(str(given.value), words))
            return default
        return str(given.value)

    def judge(self, mode: str) -> None:
        """Whether the keys go together."""
        given = [key for key in SOURCES if self.get(key) is not None]
        if mode != GENERATE:
            for key in (field.name for field in FIELDS if field.name not in _ALWAYS and self.get(field.name) is not None):
                self.report.add(codes.CONFLICT, self.config.key_span(key), f"`{key}` has no use with `mode: {mode}`",
                                f"leave it out, or write it in a config with `mode: {GENERATE}`")
        elif not given:
            self.report.add(codes.MISSING, self.config.origin.span, "the config names no job",
                            "write `source: FILE.het`, `sources: [...]` or `request: |` with the text itself; to check resources: "
                            f"`mode: {VALIDATE}`")
        elif len(given) > 1:
            first, second = (self.config.key_span(key) for key in given[:2])
            self.report.add(codes.CONFLICT, second, f"`{given[0]}` and `{given[1]}` both name the job", "keep one of the two",
                            [Label(first, f"`{given[0]}`")])

    def sources(self) -> tuple[Source, ...]:
        """The inputs; what cannot be read is reported."""
        request, source = self.located("request"), self.located("source")
        if request is not None:
            return (Inline(os.path.dirname(self.home.name), self.config, request.value),)
        return self.loaded([source] if source is not None else self.items("sources"))

    def loaded(self, names: Iterator[Located[str]] | list[Located[str]]) -> tuple[Source, ...]:
        return tuple(source for name in names if (source := self.files.load(name)) is not None)

    def options(self) -> Options:
        config, command = self.located("config"), self.located("command")
        return Options(
            self.loaded(self.items("overlays")), self.located("name"), self.located("namespace"), self.located("queue"),
            () if command is None else (command,), None if config is None else self.files.path(self.home, config),
            False, self.outside, self.located("nodes"), self.located("processes"), self.located("ppn"),
            select=self.codes("select"), ignore=self.codes("ignore"), root=self.root, volcano=self.volcano(), cluster=self.cluster(),
        )

    def volcano(self) -> int | None:
        """The minor version of the cluster's Volcano."""
        given = self.located("volcano_version")
        if given is None:
            return None
        wrong = wrong_volcano(given.value)
        if wrong is not None:
            self.report.add(codes.BAD_VALUE, given.span, wrong, KNOWN_VOLCANOS)
        return volcano_minor(given.value)

    def cluster(self) -> Cluster:
        """What is known of the cluster; what cannot be read is reported."""
        given = self.located("cluster")
        path = None if given is None else self.files.path(self.home, given)
        if given is None or path is None:
            return Cluster()
        if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
            self.report.add(codes.NO_FILE, given.span, f"`{given.value}` is no regular file", "name a file or a folder of manifests")
            return Cluster()
        from hetc.cluster import load

        try:
            return load(path)
        except UsageError as error:
            self.report.add(codes.NO_FILE, given.span, str(error))
            return Cluster()

    def codes(self, key: str) -> tuple[str, ...]:
        """The beginnings of codes."""
        found = tuple(self.items(key))
        for code in found:
            if not is_code(code.value):
                self.report.add(codes.BAD_VALUE, code.span, f"`{code.value}` is no code", "write codes such as `HET7` or `HET702`")
        return tuple(code.value for code in found)
