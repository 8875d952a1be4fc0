"""Writing files so that nobody ever sees half of one."""
from __future__ import annotations

import os


def create(path: str, text: str) -> None:
    """A file that was not there. Raises OSError, which leaves none."""
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        try:
            file.write(text)
            file.flush()
        except BaseException:
            os.unlink(path)
            raise


def replace(path: str, text: str) -> None:
    """A file with new contents, its mode kept: written beside it, then renamed. Raises OSError."""
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "x", encoding="utf-8", newline="\n") as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            if os.path.exists(path):
                os.chmod(temporary, os.stat(path).st_mode & 0o7777)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
