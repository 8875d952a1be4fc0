"""Texts of inputs: those that a command line names, and those that inputs name, which may not lie just anywhere."""
from __future__ import annotations

import os
import stat

from hetc import codes
from hetc.source import MAX_BYTES, NotUtf8, Source, Span, UsageError, decode, reason
from hetc.system import is_git_folder, is_windows, key, real_key, relative, repository, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.diagnostic import Report
    from hetc.origin import Located

#: What standard input is called.
STDIN = "<stdin>"


def load(path: str, shown: str | None = None) -> Source:
    """The text of a file that the command line names. Raises UsageError, or NotUtf8 for bytes that are no text."""
    try:
        with open(path, "rb") as file:
            # As many bytes as there seem to be, and one more: room for the most that may come takes longer to get than a file.
            data = file.read(min(os.fstat(file.fileno()).st_size, MAX_BYTES) + 1)
            data += file.read(MAX_BYTES + 1 - len(data)) if data else b""
    except (OSError, ValueError) as error:
        if os.path.isdir(path):  # Windows says that it is not permitted
            raise UsageError(f"`{path}` is a directory; name its files, or check them with `hetc lint {path}`") from None
        raise UsageError(f"cannot read `{path}`: {reason(error)}") from None
    return from_bytes(data, shown or path)


def from_bytes(data: bytes, name: str) -> Source:
    """A source of raw bytes. Raises UsageError when they are too many, NotUtf8 when they are no text."""
    if len(data) > MAX_BYTES:
        raise UsageError(f"`{name}` is larger than {MAX_BYTES // 2**20} MiB")
    return Source(name, decode(data))


class Files:
    """Reads the files that an input names: only regular files inside the input's own folder or its repository.

    `buffers`: by the keys of real paths, texts that are read in their place. `root`: the kustomization's folder, in which they lie then.
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
        return repository(home) or home

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
            buffer = self.buffers.get(real_key(path)) if self.buffers else None
            if buffer is None and not stat.S_ISREG(os.stat(path).st_mode):
                self.report.add(codes.NO_FILE, name.span, f"`{name.value}` is no regular file", "name a file of overlays")
                return None
            loaded = load(path) if buffer is None else Source(path, buffer)
            self.report.sources.append(loaded)
            return loaded
        except (OSError, ValueError) as error:
            self.report.add(codes.NO_FILE, name.span, f"cannot read `{name.value}`: {reason(error)}",
                            "check the path; it is relative to the file that names it" if "\\" not in name.value or is_windows() else
                            "write `/` between the names, on every system")
        except UsageError as error:
            self.report.add(codes.NO_FILE, name.span, str(error))
        except NotUtf8 as error:
            add_not_utf8(path, error, self.report)
        return None


def inside(top: str, real: str) -> bool:
    """Whether a real path lies in a folder, and not in what git keeps there, which may hold tokens."""
    return within(top, real) and not any(map(is_git_folder, relative(key(real), key(top)).split(os.sep)))


def add_not_utf8(name: str, error: NotUtf8, report: Report) -> None:
    """Report bytes that are no text at their line and column; the text itself cannot be shown."""
    place = Source(name, "\n" * (error.line - 1) + " " * error.column)
    end = len(place.text)
    report.add(codes.ENCODING, Span(place, end - 1, end), error.reason, "save the file as UTF-8")
