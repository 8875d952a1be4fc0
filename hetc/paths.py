"""Mount paths: when two of them meet, which are the system's, and what leaves a volume. Pure text, nothing is looked up."""
from __future__ import annotations

SAME = "same"
EQUAL = "equal"
INSIDE = "inside"
AROUND = "around"

_SYSTEM = frozenset("/ /bin /boot /dev /etc /lib /lib64 /proc /sbin /sys /usr".split())
_KERNEL = ("/dev", "/proc", "/sys")
_SHM = "/dev/shm"
#: Bytes of a name, and of a path.
LONGEST_NAME = 255
LONGEST = 4095


def normalise(path: str) -> str:
    """The path without empty and `.` parts, `..` resolved, no `/` at the end.

    `..` above the root is the root, as in a file system; of a relative path it stays. An empty path is `.`.
    """
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".." or not path.startswith("/"):
            parts.append(part)
    if path.startswith("/"):
        return "/" + "/".join(parts)
    return "/".join(parts) or "."


def overlap(a: str, b: str) -> str | None:
    """How `a` meets `b`: SAME text, EQUAL once normalised, `a` INSIDE `b`, `a` AROUND `b`, or None."""
    if a == b:
        return SAME
    return _meeting(normalise(a), normalise(b))


def weak_overlap(a: str, b: str) -> str | None:
    """How paths that do not overlap as they stand meet when blanks at their ends are dropped and /var/run is /run.

    EQUAL, INSIDE, AROUND, or None. Images usually link /var/run to /run; who writes a blank at the end means none.
    """
    return _meeting(_blurred(a), _blurred(b)) if overlap(a, b) is None else None


def system_directory(path: str) -> str | None:
    """The directory of the system that a mount there would hide or disturb, or None.

    The top directories themselves, and all below /proc, /sys and /dev but /dev/shm.
    """
    path = normalise(path)
    if path in _SYSTEM:
        return path
    if path == _SHM or path.startswith(_SHM + "/"):
        return None
    return next((top for top in _KERNEL if path.startswith(top + "/")), None)


def too_long(path: str) -> str | None:
    """What of a path is too long for a file on Linux, or None: a part, or all of it with the final NUL."""
    if any(_bytes(part) > LONGEST_NAME for part in path.split("/")):
        return f"a part of more than {LONGEST_NAME} bytes, the most that Linux takes"
    return f"more than {LONGEST:,} bytes, the most that Linux takes" if _bytes(path) > LONGEST else None


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def leaves(sub_path: str) -> str | None:
    """Why a subPath may leave its volume, or None: it starts at the root, or has a `..` part, even a harmless one.

    Kubernetes refuses both. Source: validateLocalDescendingPath of core validation.
    """
    if sub_path.startswith("/"):
        return f"`{sub_path}` starts with `/`"
    return f"`{sub_path}` has a `..` part" if ".." in sub_path.split("/") else None


def _meeting(a: str, b: str) -> str | None:
    if a == b:
        return EQUAL
    if a.startswith(_below(b)):
        return INSIDE
    return AROUND if b.startswith(_below(a)) else None


def _below(path: str) -> str:
    return path if path == "/" else path + "/"


def _blurred(path: str) -> str:
    path = normalise(normalise(path).rstrip())
    return path.removeprefix("/var") if path == "/var/run" or path.startswith("/var/run/") else path
