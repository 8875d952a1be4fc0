"""What a run found clean, kept for the next one: digests of files, with all that their findings depend on.

Only manifests without any finding are kept, with how many documents they have: a file of which there is something to say, or
in which others take part, is read again each time. Whoever can write to the cache can have a file passed over, so it belongs
where only those write who may change the files.
"""
from __future__ import annotations

import os
from hashlib import blake2b

from hetc import __version__
from hetc.files import replace
from hetc.record import Record
from hetc.source import UsageError, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.source import Source

#: How many files one cache remembers beside those of the run.
MOST = 100_000
#: How large a file of the cache may be.
MAX_BYTES = 64 * 2**20


class Clean(Record):
    """A file without findings: how many documents it holds, and the kinds of those that hetc does not know."""

    documents: int
    unknown: tuple[str, ...]


def default_folder() -> str:
    """Where the user's programs keep what they can make again."""
    home = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or home, "hetc")


def digest(*texts: str) -> str:
    """One digest of texts; where one ends and the next begins counts too."""
    found = blake2b(digest_size=16)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        found.update(b"%d:" % len(data))
        found.update(data)
    return found.hexdigest()


class Cache:
    """The clean files of runs with the same settings. `settings`: whatever bears on the findings of every file.

    Raises UsageError where the folder cannot be made.
    """

    def __init__(self, folder: str, settings: Iterable[str]) -> None:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the folder `{folder}` of the cache: {reason(error)}") from None
        self.path = os.path.join(folder, f"lint-{digest(__version__, *settings)}")  # no name that a run looks at
        self.known = _read(self.path)
        self.used: dict[str, Clean] = {}

    def key(self, source: Source, around: str) -> str:
        """What a file is known by; `around`: what bears on it beside its place and text."""
        return digest(os.path.abspath(source.name), around, source.text)

    def find(self, key: str) -> Clean | None:
        return self.known.get(key)

    def put(self, key: str, clean: Clean) -> None:
        self.used[key] = clean

    def write(self) -> None:
        """Keep what was used in this run, and of the rest as much as there is room for. Raises UsageError."""
        if self.used.keys() <= self.known.keys():
            return
        import json

        rest = {key: clean for key, clean in self.known.items() if key not in self.used}
        kept = {**dict(list(rest.items())[-MOST:]), **self.used}
        try:
            replace(self.path, json.dumps({key: [clean.documents, *clean.unknown] for key, clean in kept.items()}))
        except OSError as error:
            raise UsageError(f"cannot write the cache `{self.path}`: {reason(error)}") from None


def _read(path: str) -> dict[str, Clean]:
    """The entries of a file; none of one that is not there or is broken."""
    import json

    if not os.path.isfile(path):  # a pipe would be waited for
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            found = json.loads(file.read(MAX_BYTES))
        return {key: _clean(value) for key, value in found.items()}
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return {}


def _clean(value: list[object]) -> Clean:
    documents, *unknown = value
    if type(documents) is not int or documents < 0 or not all(isinstance(kind, str) for kind in unknown):
        raise ValueError("no entry of a cache")
    return Clean(documents, tuple(map(str, unknown)))
