"""The open files of an editor, and what hetc finds in them. Texts that are not saved yet stand for their files."""
from __future__ import annotations

import os
import re

from hetc import discover
from hetc.diagnostic import Report, shown
from hetc.inputs import STDIN
from hetc.linter import Linter
from hetc.pipeline import Compiler, Options
from hetc.record import Record
from hetc.source import MAX_BYTES, Source, UsageError
from hetc.system import real_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.diagnostic import Diagnostic
    from hetc.ir import Job
    from hetc.pipeline import Unit
    from hetc.site import Site
    from hetc.tree import Mapping

#: A layer of an open job whose name does not say what it is.
LAYER = "layer"

#: Halves of characters, which an editor can send and no file can hold.
_HALVES = re.compile("[\ud800-\udfff]")


class Looked(Record):
    """What came of one open file: `kind` is one of `discover`'s or LAYER, `unit` there for what compiles to a job.

    `complaint`: why it could not be checked at all, such as a site file that is no TOML.
    """

    source: Source
    kind: str
    report: Report
    site: Site
    unit: Unit | None = None
    complaint: str | None = None

    def uses(self, path: str) -> bool:
        """Whether a file takes part in what came of this one, or is this one."""
        return any(same(each.name, path) for each in (self.source, *self.report.sources))


class Beside(Record):
    """What a folder says of its files: by real path the templates that others are built on, and objects that jobs lean on."""

    parents: set[str]
    objects: tuple[Mapping, ...]


class Desk:
    """The open files by the editor's names for them.

    `options` are those of every check. A file has the name of its path, or `pipeline.STDIN` where it has none yet.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.open: dict[str, Source] = {}
        self.looked: dict[str, Looked] = {}
        #: What the folders of open files hold beside them.
        self.beside: dict[str, Beside] = {}

    def put(self, key: str, name: str, text: str) -> None:
        """Take the new text of a file; what it takes part in is to be looked at again."""
        if key not in self.open:
            self.forget()
        self.open[key] = Source(name, _HALVES.sub("\ufffd", text))
        self.looked = {other: looked for other, looked in self.looked.items() if not looked.uses(name)}

    def drop(self, key: str) -> None:
        """Forget a file that was closed; from then on what is on the disk counts."""
        self.open.pop(key, None)
        self.forget()

    def forget(self) -> None:
        """Have all files looked at again: what is on the disk has changed, or what is open."""
        self.looked = {}
        self.beside = {}

    def check(self) -> None:
        """Look at the open files that nothing is known of."""
        compiler = Compiler(self.options)
        compiler.buffers = {real_key(source.name): source.text for source in self.open.values()}
        for key, source in self.open.items():
            if key not in self.looked:
                self.looked[key] = self.look(compiler, source)
        for looked in self.looked.values():
            if looked.kind in (discover.UNKNOWN, LAYER):
                used = any(each.kind == discover.REQUEST for each in self.users(looked.source))
                looked.kind = LAYER if used else discover.UNKNOWN

    def look(self, compiler: Compiler, source: Source) -> Looked:
        """Check one text as `hetc lint` does. What goes wrong in hetc itself is said of the text, and the editor is served on."""
        what, folder = discover.UNKNOWN, os.path.dirname(source.name) if source.name != STDIN else ""
        try:
            if len(source.text) > MAX_BYTES:
                raise UsageError(f"the file is larger than {MAX_BYTES // 2**20} MiB")
            what = discover.kind(source)
            site = compiler.site(folder, Report())
            if what in (discover.REQUEST, discover.TEMPLATE, discover.MANIFEST) and folder not in self.beside:
                self.beside[folder] = _beside(folder)
            beside = self.beside.get(folder, Beside(set(), ()))
            compiler.given = beside.objects
            checked = Linter(compiler, beside.parents).check(source, source.name)
        except Exception as error:
            internal = f"internal error ({type(error).__name__}) while this file was checked; this is a bug in hetc, not in the file"
            nothing = Compiler(Options(isolated=True)).site("", Report())
            return Looked(source, what, Report(), nothing, complaint=str(error) if isinstance(error, UsageError) else internal)
        return Looked(source, what, checked.report, site, checked.unit)

    def found(self, key: str) -> dict[str, list[Diagnostic]]:
        """What was found in an open file and in those that it names, by the names of the files."""
        by_name: dict[str, list[Diagnostic]] = {}
        looked = self.looked.get(key)
        for each in shown(looked.report.sorted()) if looked is not None else ():
            by_name.setdefault(each.span.source.name, []).append(each)
        return by_name

    def users(self, source: Source) -> list[Looked]:
        """The open files that a file takes part in, itself first."""
        users = [looked for looked in self.looked.values() if looked.uses(source.name)]
        return sorted(users, key=lambda each: each.source.name != source.name)

    def jobs(self, source: Source) -> list[tuple[Unit, Job]]:
        """What these came to, as far as they compile."""
        units = [looked.unit for looked in self.users(source) if looked.unit is not None]
        return [(unit, unit.job) for unit in units if unit.job is not None]


def _beside(folder: str) -> Beside:
    """What the YAML files of a folder say."""
    try:
        names = sorted(os.listdir(folder)) if folder else []
    except OSError:
        names = []
    paths = [os.path.join(folder, name) for name in names if name.endswith((".yaml", ".yml"))]
    files = [path for path in paths if os.path.isfile(path)]
    found = discover.around(files)
    return Beside(found.bases, found.objects)


def same(first: str, second: str) -> bool:
    """Whether two names are of one file."""
    return first == second or real_key(first) == real_key(second)
