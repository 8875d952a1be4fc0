"""Writing files so that nobody ever sees half of one."""
from __future__ import annotations

import os


def create(path: str, text: str) -> None:
    """A file that was not there. Raises OSError, which leaves none."""
    file = open(path, "x", encoding="utf-8", newline="\n")  # noqa: SIM115
    try:
        with file:  # Windows neither renames nor removes a file that is open
            file.write(text)
    except BaseException:
        os.unlink(path)
        raise


def replace(path: str, text: str) -> None:
    """A file with new contents, its mode kept: written beside it, then renamed. Raises OSError."""
    temporary = f"{path}.{os.getpid()}.tmp"
    file = open(temporary, "x", encoding="utf-8", newline="\n")  # noqa: SIM115
    try:
        with file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(path):
            os.chmod(temporary, os.stat(path).st_mode & 0o7777)
        os.replace(temporary, path)
    except BaseException:
        os.chmod(temporary, 0o600)  # nor does it remove one that is only to be read
        os.unlink(temporary)
        raise
