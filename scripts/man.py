"""Write `man/hetc.1`, the manual page, from the option table. Run after every change of a command or an option: `make schemas`.

Of the macros only those of man(7), which every formatter knows.
"""
from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from hetc import __version__, options
from hetc.options import COMMANDS, GROUPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hetc.options import Command, Option

PAGE = Path(__file__).resolve().parent.parent / "man" / "hetc.1"

DATE = "2026-11-29"

DESCRIPTION = """\
hetc compiles a gang job of unlike nodes to a Job of Volcano, the batch system of Kubernetes, and refuses what would not run. A .het file
says which pods a job needs, in a request like those of LSF, and behind a line of three dashes in YAML what they run. A training template
says the same in YAML alone. hetc also checks manifests for Volcano that are written by hand."""

COMMAND = "A command of the job stands behind `--`: it replaces the one of a .het file, and is added to that of a template."

FILES = {
    "*.het": "A request, and overlays behind its first line of three dashes.",
    "*.het.yaml": "An overlay: a layer of what tasks run.",
    "hetc.toml, pyproject.toml": "The site file, in `pyproject.toml` below `tool.hetc`: defaults, GPU models, policy, levels of rules. Two "
                                 "hold: the nearest one upwards from an input, and that of the repository's root, which a nearer one "
                                 "cannot loosen.",
}

ENVIRONMENT = {
    "NO_COLOR": "If it is not empty, messages have no colour.",
    "FORCE_COLOR": "If it is not empty, they have some, unless it is `0` or `NO_COLOR` is set.",
    "GITHUB_ACTIONS": "If it is `true`, messages have the form of GitHub's workflows.",
    "HETC_TRACEBACK": "If it is not empty, a bug in hetc shows where it happened.",
}

STATUSES = {
    "0": "Done.",
    "1": "There are findings, an input was refused, or what was compared differs. `hetc build` has written nothing then.",
    "2": "The command line or a site file is wrong, a file could not be read or written, or `hetc diff` was given an input that is "
         "refused.",
    "70": "A bug in hetc.",
}

#: Signs that a formatter would turn into others.
_SIGNS = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "~": "\\(ti", "^": "\\(ha"}


def page() -> str:
    """The text of the manual page, in lines that diff well."""
    lines = (
        f'.TH HETC 1 {DATE} "hetc {__version__}" "User Commands"',
        ".SH NAME", r"hetc \- compile and check heterogeneous gang jobs for Volcano",
        ".SH SYNOPSIS", *_synopsis(),
        ".SH DESCRIPTION", *_text(DESCRIPTION), ".PP", *_text(COMMAND),
        ".SH COMMANDS", *(line for command in COMMANDS.values() for line in _command(command)),
        *(line for title, group in GROUPS.items() for line in (f".SH OPTIONS OF {title.upper()}", *_options(group))),
        ".SH FILES", *_list(FILES),
        ".SH ENVIRONMENT", *_list(ENVIRONMENT),
        ".SH EXIT STATUS", *_list(STATUSES),
        ".SH EXAMPLES", *_list(dict(example for command in COMMANDS.values() for example in command.examples)),
        ".SH SEE ALSO", r"\fBkubectl\fR(1), \fBkustomize\fR(1), https://volcano.sh",
    )
    return "".join(f"{line}\n" for line in lines)


def _synopsis() -> Iterator[str]:
    for command in COMMANDS.values():
        yield " ".join(_usage(command))
        yield ".br"
    yield r"\fBhetc\fR [\fB\-\-version\fR | \fB\-\-help\fR | \fBhelp\fR \fICOMMAND\fR]"
    yield ".br"
    yield r"\fBhetc\fR [\fB\-\-install\-completion\fR | \fB\-\-show\-completion\fR] [\fBbash\fR | \fBzsh\fR | \fBfish\fR]"


def _usage(command: Command) -> Iterator[str]:
    argument = command.argument
    yield rf"\fBhetc {command.name}\fR"
    if command.options:
        yield r"[\fIOPTIONS\fR]"
    if argument.metavar:
        yield rf"\fI{_plain(argument.metavar)}\fR" if argument.required else rf"[\fI{_plain(argument.metavar)}\fR]"
    if command.takes_command:
        yield r"[\fB\-\-\fR \fICOMMAND\fR...]"


def _command(command: Command) -> Iterator[str]:
    argument = command.argument
    shared = [option for group in GROUPS.values() for option in group if option in command.options]
    yield f'.SS "hetc {command.name}"'
    yield from _text(command.help)
    if argument.metavar:
        yield from _text(f"`{argument.metavar}`: {argument.help}.")
    yield from _options(option for option in command.options if option not in shared)
    if shared:
        yield ".PP"
        yield from _text(f"{', '.join(f'`{option.flags[-1]}`' for option in shared)}: see below.")


def _options(group: Iterable[Option]) -> Iterator[str]:
    for option in group:
        default = f" The default is `{option.default}`." if option.choices and option.default else ""
        value = "" if option.kind == options.FLAG else rf" \fI{_plain('|'.join(option.choices) or str(option.metavar))}\fR"
        yield ".TP"
        yield ", ".join(rf"\fB{_plain(flag)}\fR" for flag in option.flags) + value
        yield from _text(option.help + default)


def _list(rows: dict[str, str]) -> Iterator[str]:
    for name, text in rows.items():
        yield ".TP"
        yield rf"\fB{_plain(name)}\fR"
        yield from _text(text)


def _plain(text: str) -> str:
    """Text as people type it."""
    return "".join(_SIGNS.get(sign, sign) for sign in text)


def _text(text: str) -> list[str]:
    """A paragraph in short lines; what stands in backticks is in bold. None of the lines looks like a macro."""
    marked = "".join(rf"\fB{_plain(part)}\fR" if number % 2 else _plain(part) for number, part in enumerate(text.split("`")))
    lines = wrap(marked, 76, break_long_words=False, break_on_hyphens=False)
    return [rf"\&{line}" if line.startswith((".", "'")) else line for line in lines]


def main() -> None:
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
