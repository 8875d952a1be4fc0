"""The entry point: `build`, `lint` and `--version` start at once; all else goes through the Typer application."""
from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and exit."""
    # Nearly all that a run makes lives to its end, so that looking for garbage often only walks through it again and again.
    gc.set_threshold(100_000, 50, 100)
    try:
        status = run(sys.argv[1:])
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
    sys.exit(status)


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
    from hetc.source import UsageError

    try:
        if argv[:1] == ["--version"]:
            from hetc import __version__

            return show_version(__version__)
        before = argv[:argv.index("--")] if "--" in argv else argv
        if argv[:1] and argv[0] in ("build", "lint") and not {"-h", "--help"} & set(before):
            from hetc import commands, options

            command = options.COMMANDS[argv[0]]
            return commands.run(command, options.parse(command, argv[1:]))
        from hetc.cli import run as run_typer

        return run_typer(argv)
    except UsageError as error:
        from hetc.report.text import complain

        complain(str(error))
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        return bug(error, argv)


def bug(error: Exception, argv: list[str]) -> int:
    """Say that hetc itself failed; 70. The traceback is shown where HETC_TRACEBACK asks for it."""
    import os
    from traceback import print_exception

    sys.stderr.write(f"hetc: internal error ({type(error).__name__}) while running `hetc {' '.join(argv[:6])}`; this is a bug in hetc, "
                     "not in your input. HETC_TRACEBACK=1 shows where it happened.\n")
    if os.environ.get("HETC_TRACEBACK"):
        print_exception(error)
    return 70


if __name__ == "__main__":
    main()
