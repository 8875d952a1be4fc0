"""The files of the machine that hetc runs on, where systems differ about them: which names are of one file, what lies in a folder or
around it, how a path is written for other programs and systems. Paths inside of pods are none of these, and have forward slashes
everywhere.
"""
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: What HFS+ passes over in a name.
_IGNORED = dict.fromkeys((*range(0x200c, 0x2010), *range(0x202a, 0x202f), *range(0x206a, 0x2070), 0xfeff))
#: What Windows takes for a device, whatever its suffix.
_DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))))


def is_windows() -> bool:
    return os.name == "nt"


def key(path: str) -> str:
    """What a path is compared by: Windows and macOS make no difference between cases, and macOS none between letters with an accent
    and the two characters that they can be written by.
    """
    if not is_windows() and sys.platform != "darwin":
        return path
    from unicodedata import normalize

    return normalize("NFC", path).lower()


def real_key(path: str) -> str:
    """The same for every path of a file, links resolved."""
    return key(os.path.realpath(path))


def above(folder: str) -> Iterator[str]:
    """A folder and those above it, up to its repository's root, or to the file system's where there is no repository."""
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder or is_root(folder):
            return
        folder = parent


def is_root(folder: str) -> bool:
    """Whether a folder is the root of a repository."""
    return os.path.exists(os.path.join(folder, ".git"))


def repository(folder: str) -> str | None:
    """The root of the repository that a folder lies in; None where it lies in none."""
    *_, top = above(folder)
    return top if is_root(top) else None


def within(top: str, real: str) -> bool:
    """Whether a real path is that of a folder, or of something below it."""
    top, real = key(top), key(real)
    try:
        return os.path.commonpath([top, real]) == os.path.commonpath([top])
    except ValueError:  # on another drive
        return False


def relative(path: str, start: str = os.curdir) -> str:
    """A path as it is from a folder; from another drive there is no way, and the path stays as it is."""
    try:
        return os.path.relpath(path, start)
    except ValueError:
        return path


def slashed(path: str) -> str:
    """A path as other programs and other systems write it."""
    return path.replace(os.sep, "/")


def is_git_folder(name: str) -> bool:
    """Whether some system takes a name for `.git`: in another case, with dots or blanks behind, as Windows' short name for it, as a
    stream of it, or with characters that count for nothing.
    """
    return name.partition(":")[0].translate(_IGNORED).rstrip(". ").lower() in (".git", "git~1")


def is_device(name: str) -> bool:
    """Whether the system takes a file's name for that of a device."""
    return is_windows() and name.partition(".")[0].rstrip().lower() in _DEVICES


def has_escapes() -> bool:
    """Whether terminals take colours and the like: the old console of Windows prints them."""
    return not is_windows() or any(os.environ.get(name) for name in ("WT_SESSION", "TERM", "ANSICON", "ConEmuANSI"))
