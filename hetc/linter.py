"""Checks many files, one at a time or in several processes, and makes their fixes where these are asked for."""
from __future__ import annotations

import os

from hetc import codes
from hetc.api import CONFIG
from hetc.diagnostic import Report
from hetc.discover import FLOW, MANIFEST, OVERLAY, UNKNOWN, kind
from hetc.inputs import STDIN, add_not_utf8, load
from hetc.pipeline import Checked
from hetc.record import Record
from hetc.source import NotUtf8, Source, Span, UsageError, decode, reason
from hetc.system import key, real_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hetc.cache import Cache
    from hetc.diagnostic import Diagnostic
    from hetc.pipeline import Compiler
    from hetc.read.patch import Patches

#: How often a file is checked and fixed again; a fix seldom brings another one into sight.
ROUNDS = 10


class Looked(Record):
    """What came of one file: its report, how many documents it holds, the kinds of those that hetc does not know, and how
    many fixes were made. `complaint`: why it could not be read or written, and then there is nothing else. `key`: what the
    cache knows a clean file by.
    """

    report: Report
    documents: int = 0
    unknown: tuple[str, ...] = ()
    fixes: int = 0
    complaint: str | None = None
    key: str | None = None


class Linter:
    """Checks files.

    `parents`: the real paths of templates that others are built on. `fix`: mend what has one right answer. `known`: the
    findings of a baseline, which are not mended. `strict`: a document of an unknown kind is an error. `read` gives the text
    of a path, `stdin` the name of `-`. `cache`: what earlier runs found clean.
    """

    def __init__(
        self, compiler: Compiler, parents: set[str], fix: bool = False, known: frozenset[str] = frozenset(), strict: bool = False,
        read: Callable[[str], Source] = load, stdin: str = STDIN, cache: Cache | None = None,
    ) -> None:
        self.compiler = compiler
        self.parents = parents
        self.patches: Patches | None = None
        self.fix = fix
        self.known = known
        self.strict = strict
        self.read = read
        self.stdin = stdin
        self.cache = cache
        self.site_texts: dict[tuple[str | None, str | None], str] = {}

    def look(self, path: str) -> Looked:
        """Check one file, and fix it."""
        try:
            return self.checked(path)
        except UsageError as error:
            return Looked(Report(), complaint=str(error))

    def checked(self, path: str) -> Looked:
        try:
            source = self.read(path)
        except NotUtf8 as error:
            return Looked(not_utf8(self.stdin if path == "-" else path, error), 1)
        found = self.check(source, path)
        fixes = 0
        if self.fix:
            found, fixes = self.fixed(source, found, path)
        if self.strict:
            refuse_unknown(found)
        key = self.key(source, path) if self.cache is not None and self.is_clean(source, found) else None
        found.report.sources = []  # the texts of files without findings need not be kept
        return Looked(found.report, found.documents, tuple(each.name for each in found.unknown), fixes, key=key)

    def remembered(self, path: str) -> Looked | None:
        """What the cache knows of a file."""
        if self.cache is None or path == "-" or not os.path.isfile(path):
            return None
        try:
            source = self.read(path)
            key = self.key(source, path)
        except (UsageError, NotUtf8):
            return None
        clean = self.cache.find(key)
        return None if clean is None else Looked(Report(), clean.documents, clean.unknown, key=key)

    def key(self, source: Source, path: str) -> str:
        """What the cache knows a file by. Raises UsageError for site files."""
        assert self.cache is not None
        files = self.compiler.site_files(os.path.dirname(source.name))
        if files not in self.site_texts:
            self.site_texts[files] = "\n".join(load(each).text for each in files if each is not None)
        return self.cache.key(source, repr((files, self.site_texts[files], self.is_patch(path))))

    def is_clean(self, source: Source, found: Checked) -> bool:
        """Whether a file is one for the cache: a manifest that names no other file, without any finding.

        A site's own rules may hang on anything.
        """
        report = found.report
        if report.diagnostics or report.suppressed or found.unit is not None or CONFIG in source.text or kind(source) != MANIFEST:
            return False
        return not self.compiler.site(os.path.dirname(source.name), Report()).rules

    def check(self, source: Source, path: str) -> Checked:
        what = kind(source)
        if what == MANIFEST:
            return with_configs(source, self.compiler.manifest(source, self.is_patch(self.stdin if path == "-" else path)))
        if what == UNKNOWN and path.endswith(".toml") and os.path.isfile(path):
            return Checked(self.compiler.site_file(path))
        if what == UNKNOWN:
            return unknown(source)
        if what == OVERLAY:
            return Checked(self.compiler.overlay(source))
        if what == FLOW:
            from hetc.flow import unit as flow_unit

            unit = flow_unit(self.compiler, source, ask_command=False)
            return Checked(unit.report, unit=unit)
        unit = self.compiler.job(source, ask_command=False, parent=real_key(path) in self.parents)
        return Checked(unit.report, unit=unit)

    def is_patch(self, path: str) -> bool:
        """Whether a kustomization names the file as a patch."""
        from hetc.read.patch import Patches

        self.patches = self.patches or Patches()
        return path in self.patches

    def fixed(self, source: Source, found: Checked, path: str) -> tuple[Checked, int]:
        """What is left after the fixes, and how many there were. The file is written once, at the end."""
        from hetc.fix import fixed

        text, count = source.text, 0
        for _ in range(ROUNDS):
            result = fixed(source, self.wanted(found.report))
            if result.text == source.text:
                break
            count += result.count
            source = Source(source.name, result.text)
            found = self.check(source, path)
        if source.text != text:
            rewrite(path, text, source.text)
        return found, count

    def wanted(self, report: Report) -> list[Diagnostic]:
        """The findings that are to be mended."""
        if not self.known:
            return report.sorted()
        from hetc.baseline import parted

        return parted(report.sorted(), self.known)[0]


def files(arguments: Iterable[str], compiler: Compiler) -> tuple[list[str], set[str]]:
    """The files of a run, each once, and the real paths of the templates that others of them are built on.

    What a run holds beside a file bears on it, so the compiler is told of the objects that all of them give. A JSON Schema below a
    directory is passed by.
    """
    from hetc.discover import around, expand

    arguments = tuple(arguments)
    named = set(map(_written, arguments))
    paths = list({_written(path): path for path in reversed(list(expand(arguments)))}.values())[::-1]
    if len(paths) < 2 and named.issuperset(map(_written, paths)):
        return paths, set()
    found = around(paths)
    compiler.given = found.objects
    return [path for path in paths if path not in found.schemas or _written(path) in named], found.bases


def _written(path: str) -> str:
    """The same for each way to write a path, links aside."""
    return key(os.path.normpath(path))


def each(linter: Linter, paths: Sequence[str], jobs: int) -> Iterator[Looked]:
    """What came of each file, in order, by `jobs` processes. Raises UsageError where one of these is killed."""
    if linter.cache is not None:
        yield from _with_cache(linter, linter.cache, paths, jobs)
        return
    yield from _checked(linter, paths, jobs)


def _with_cache(linter: Linter, cache: Cache, paths: Sequence[str], jobs: int) -> Iterator[Looked]:
    """The same of files that may be in the cache, which has all that are clean at the end."""
    from hetc.cache import Clean

    known = {path: looked for path in paths if (looked := linter.remembered(path)) is not None}
    rest = [path for path in paths if path not in known]
    others = _checked(linter, rest, min(jobs, len(rest)))
    for path in paths:
        looked = known.get(path) or next(others)
        if looked.key is not None:
            cache.put(looked.key, Clean(looked.documents, looked.unknown))
        yield looked
    cache.write()


def _checked(linter: Linter, paths: Sequence[str], jobs: int) -> Iterator[Looked]:
    if jobs < 2:
        yield from map(linter.look, paths)
        return
    from hetc.workers import WorkerDied, in_order

    try:
        yield from in_order(linter.look, paths, jobs)
    except WorkerDied as error:
        raise UsageError(f"a worker process ended with status {error.status} while it checked `{paths[error.index]}`; "
                         "`--jobs 1` does without any") from None


def rewrite(path: str, old: str, new: str) -> None:
    """Write a file anew, if it still is what was read. Raises UsageError."""
    from hetc.files import replace
    from hetc.fix import restored

    real = os.path.realpath(path)
    try:
        with open(real, "rb") as file:
            data = file.read()
        if decode(data) != old:
            raise UsageError(f"`{path}` has changed since it was read, and is left as it is")
        replace(real, restored(data, new))
    except NotUtf8:
        raise UsageError(f"`{path}` has changed since it was read, and is left as it is") from None
    except OSError as error:
        raise UsageError(f"cannot write `{path}`: {reason(error)}") from None


def with_configs(source: Source, found: Checked) -> Checked:
    """The same, with the configs of hetc's plugin for kustomize checked that are among the documents."""
    unknown = tuple(each for each in found.unknown if each.name != CONFIG)
    if len(unknown) == len(found.unknown):
        return found
    from hetc.kustomize_config import check_file

    check_file(source, found.report)
    return Checked(found.report, found.documents, unknown, found.unit)


def not_utf8(shown: str, error: NotUtf8) -> Report:
    """The report of a file whose bytes are no text."""
    report = Report()
    add_not_utf8(shown, error, report)
    return report


def unknown(source: Source) -> Checked:
    """A file of no kind that hetc knows: one document, or none where it is empty."""
    from hetc.read.manifest import Unknown

    if not source.text.strip():
        return Checked(Report(), 0)
    return Checked(Report(), 1, (Unknown("no manifest", Span(source, 0, 1)),))


def refuse_unknown(checked: Checked) -> None:
    for each in checked.unknown:
        checked.report.add(codes.UNKNOWN_KIND, each.span, f"hetc has no rules for this document: {each.name}",
                           "check it with another tool, or leave --strict-kinds out")
