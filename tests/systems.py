"""hetc on a system that is not there: a program that makes Python see files as Windows or macOS shows them, and then runs hetc.

`python tests/systems.py windows|macos ROOT ARGUMENT...`, in a folder below ROOT, which is the drive `C:` on Windows; `ROOT.d` is `D:`.
What counts is done by hand: on Windows paths are those of ntpath, names are without case and lose dots and blanks at their end, an open
file is neither renamed nor removed, nor is one that is only to be read, a folder cannot be opened, text has CRLF and cp1252 where
nothing else is asked for, and the modules and functions of POSIX are not there. On macOS names are without case, and accents count the
same in both their forms.
"""
from __future__ import annotations

import builtins
import errno
import io
import ntpath
import os
import stat
import sys
import unicodedata
import weakref

SYSTEM, ROOT = sys.argv[1:3]
WINDOWS = SYSTEM == "windows"
DRIVES = {"c:": ROOT, "d:": f"{ROOT}.d"}
#: The folders that lead to hetc's own files, which are where they are on every drive.
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))).split("/")
GONE = ("fork", "forkpty", "mkfifo", "mknod", "geteuid", "getuid", "getgid", "getegid", "O_NOFOLLOW", "O_NONBLOCK", "fchmod", "fchown",
        "chown", "lchown", "chroot", "sched_getaffinity", "wait", "wait3", "wait4", "WNOHANG", "setsid", "getpgid", "killpg", "nice",
        "statvfs", "posix_spawn", "uname", "sync", "openpty", "register_at_fork")
GONE_SIGNALS = ("pthread_sigmask", "pthread_kill", "SIGALRM", "SIGKILL", "SIGHUP", "SIGPIPE", "SIGCHLD", "SIGUSR1", "alarm", "setitimer",
                "sigwait", "SIG_BLOCK", "SIG_SETMASK", "SIG_UNBLOCK")
GONE_MODULES = ("fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "syslog", "readline", "_posixsubprocess")

real = {name: getattr(os, name) for name in (
    "stat", "lstat", "listdir", "scandir", "access", "unlink", "replace", "chmod", "mkdir", "open", "getcwd", "chdir", "readlink")}
real_open = builtins.open
opened: list[weakref.ref[io.IOBase]] = []


def folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).lower()


def there(folder: str, name: str) -> str:
    """The name that a file really has."""
    if WINDOWS:
        name = name.rstrip(". ") or name
    try:
        found = [each for each in real["listdir"](folder) if folded(each) == folded(name)]
    except OSError:
        found = []
    return found[0] if found else name


def found(path: object) -> object:
    """The path where the machine that runs this has a file."""
    if not isinstance(path, str):
        return path
    if WINDOWS:
        if path.lower() == "nul":
            return "/dev/null"
        drive, rest = ntpath.splitdrive(ntpath.join(os.getcwd(), path))
        if drive and drive.lower() not in DRIVES:
            raise FileNotFoundError(errno.ENOENT, "The system cannot find the path specified", path)
        top, names = DRIVES.get(drive.lower(), ""), ntpath.normpath(rest).split("\\")
        if names[:len(HERE)] == HERE:
            top = ""
    else:
        path = os.path.join(real["getcwd"](), path)
        if not path.lower().startswith(f"{ROOT}/".lower()):
            return path
        top, names = ROOT, path[len(ROOT):].split("/")
    for name in names:
        if name:
            top = f"{top}/{there(top or '/', name)}"
    return top or "/"


def shown(path: str) -> str:
    """A path of the machine as Windows names it."""
    for drive, top in DRIVES.items():
        if path == top or path.startswith(f"{top}/"):
            return drive.upper() + (path[len(top):].replace("/", "\\") or "\\")
    return path.replace("/", "\\")


def patched(name: str) -> None:
    def call(path: object = ".", *args: object, **options: object) -> object:
        return real[name](found(path), *args, **options)

    setattr(os, name, call)


def is_open(path: str) -> bool:
    return any((file := each()) is not None and not file.closed and file.name == path for each in opened)


def unlink(path: str) -> None:
    path = str(found(path))
    refuse(path)
    real["unlink"](path)


def refuse(path: str) -> None:
    """Windows keeps a file that is open or only to be read."""
    if WINDOWS and real["access"](path, os.F_OK) and (is_open(path) or not real["stat"](path).st_mode & stat.S_IWUSR):
        raise PermissionError(errno.EACCES, "The process cannot access the file", path)


def replace(old: str, new: str) -> None:
    old, new = str(found(old)), str(found(new))
    if is_open(old) and WINDOWS:
        raise PermissionError(errno.EACCES, "The process cannot access the file", old)
    refuse(new)
    real["replace"](old, new)


def open_file(path: object, mode: str = "r", buffering: int = -1, encoding: str | None = None, errors: str | None = None,
              newline: str | None = None, closefd: bool = True, opener: object = None) -> io.IOBase:
    place = found(path)
    if WINDOWS and isinstance(place, str) and stat.S_ISDIR(real["stat"](place).st_mode if real["access"](place, os.F_OK) else 0):
        raise PermissionError(errno.EACCES, "Permission denied", path)
    if WINDOWS and "b" not in mode:
        encoding = encoding or "cp1252"
        newline = "\r\n" if newline is None and "r" not in mode else newline
    file = real_open(place, mode, buffering, encoding, errors, newline, closefd, opener)
    opened.append(weakref.ref(file))
    return file


def real_path(path: str, *, strict: bool = False) -> str:
    """Windows gives the name that a file really has."""
    path = os.path.abspath(path)
    return shown(str(found(path))) if ntpath.splitdrive(path)[0].lower() in DRIVES else path


class Hidden:
    """Modules that are not there."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name in GONE_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def windows() -> None:
    import signal

    for module, names in ((os, GONE), (signal, GONE_SIGNALS)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    for name in GONE_MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Hidden())  # type: ignore[arg-type]
    os.getcwd = lambda: shown(real["getcwd"]())
    os.name, os.sep, os.altsep, os.pathsep, os.devnull = "nt", "\\", "/", ";", "nul"
    os.path = ntpath
    sys.modules["os.path"] = ntpath
    ntpath.realpath = real_path
    for stream in ("stdout", "stderr"):
        setattr(sys, stream, io.TextIOWrapper(getattr(sys, stream).buffer, encoding="cp1252", newline="\r\n",
                                              errors="strict" if stream == "stdout" else "backslashreplace"))


def main() -> None:
    import shutil  # noqa: F401 (these look at the system, and need the one that runs this)
    from multiprocessing import connection  # noqa: F401

    import typer  # noqa: F401

    import hetc.__main__

    for name in ("stat", "lstat", "listdir", "scandir", "access", "chmod", "mkdir", "open", "chdir", "readlink"):
        patched(name)
    os.unlink, os.replace, builtins.open, io.open = unlink, replace, open_file, open_file
    if WINDOWS:
        windows()
    else:
        sys.platform = "darwin"
    sys.argv[:] = ["hetc", *sys.argv[3:]]
    hetc.__main__.main()


if __name__ == "__main__":
    main()
