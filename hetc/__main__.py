"""The entry point: `build`, `lint` and `--version` start at once; all else goes through the Typer application."""
from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit."""
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone. Nothing more can be written, not even at exit.
        import os

        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        status = 1
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


def run(argv: list[str]) -> int:
    """The exit status of a command line: 0 done, 1 findings or refused, 2 usage or unreadable input, 70 a bug in hetc."""
    from hetc.source import UsageError

    try:
        if argv[:1] == ["--version"]:
            from hetc import __version__

            print(f"hetc {__version__}")
            return 0
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
