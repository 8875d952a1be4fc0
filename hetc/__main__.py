"""The entry point: `build`, `lint`, `fmt`, `explain`, `diff` and `--version` start at once; all else goes through the Typer application."""
from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Run the command line and exit."""
    finish(run)


def finish(program: Callable[[list[str]], int]) -> None:
    """Run a program on its arguments, and exit with the status that it gives."""
    # Nearly all that a run makes lives to its end, so that looking for garbage often only walks through it again and again.
    gc.set_threshold(100_000, 50, 100)
    try:
        status = program(sys.argv[1:])
        if sys.stdout is not None:  # a shell can start a program with it closed
            sys.stdout.flush()
    except BrokenPipeError:
        status = 1  # the reader has gone
        _forget_output()
    except OSError:
        status = 2  # said already; what could not be written stays in the buffer
        _forget_output()
    except KeyboardInterrupt:
        status = 130
    if sys.gettrace() is None and sys.getprofile() is None:
        _leave(status)
    sys.exit(status)


def _leave(status: int) -> None:
    """End the process at once: to take apart all that a run has made, only to throw it away, takes a sixth of a start."""
    import os

    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        pass
    os._exit(status)


def _forget_output() -> None:
    """Nothing more can be written, not even what Python flushes at exit."""
    import os

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def show_version(version: str) -> int:
    """Print the version; 2 where nothing can be printed."""
    if sys.stdout is None:
        return 2
    try:
        print(f"hetc {version}", flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        return 2
    return 0


def run(argv: list[str]) -> int:
    """The exit status of a command line: 0 done, 1 findings or refused, 2 usage or unreadable input, 70 a bug in hetc."""
    return guarded("hetc", _dispatched, argv)


def _dispatched(argv: list[str]) -> int:
    if argv[:1] == ["--version"]:
        from hetc import __version__

        return show_version(__version__)
    before = argv[:argv.index("--")] if "--" in argv else argv
    if argv[:1] and argv[0] in ("build", "lint", "fmt", "explain", "diff") and not {"-h", "--help"} & set(before):
        from hetc import commands, options

        command = options.COMMANDS[argv[0]]
        return commands.run(command, options.parse(command, argv[1:]))
    from hetc.cli import run as run_typer

    return run_typer(argv)


def guarded(name: str, program: Callable[[list[str]], int], argv: list[str]) -> int:
    """The exit status of a program called `name`; 2 after what its user did wrong, 70 after a bug in it, each said."""
    from hetc.source import UsageError

    try:
        return program(argv)
    except UsageError as error:
        from hetc.report.text import complain

        complain(str(error))
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        if isinstance(error, FileNotFoundError) and not _has_folder():
            from hetc.report.text import complain

            complain("the current folder is not there any more")
            return 2
        return bug(error, [name, *argv])


def _has_folder() -> bool:
    """Whether the folder that the program stands in is still there."""
    import os

    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def bug(error: Exception, words: list[str]) -> int:
    """Say that hetc itself failed; 70. The traceback is shown where HETC_TRACEBACK asks for it."""
    import os
    from traceback import print_exception

    from hetc.report.text import printable

    sys.stderr.write(f"hetc: internal error ({type(error).__name__}) while running `{printable(' '.join(words[:7]))}`; this is a bug in "
                     "hetc, not in your input. HETC_TRACEBACK=1 shows where it happened.\n")
    if os.environ.get("HETC_TRACEBACK"):
        print_exception(error)
    return 70


if __name__ == "__main__":
    main()
