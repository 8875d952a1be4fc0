"""The command line's options: one table, from which both the quick parser here and the Typer application are built."""
from __future__ import annotations

from hetc.record import Record
from hetc.source import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Value: TypeAlias = "str | int | bool | None | tuple[str, ...]"

TEXT = "text"
NUMBER = "number"
FLAG = "flag"
MANY = "many"

FILES = "files"
FILE = "file"


class Option(Record):
    """One option. `kind`: TEXT, NUMBER, FLAG or MANY (texts, the option may come again); `choices`: the texts it takes."""

    name: str
    flags: tuple[str, ...]
    kind: str
    help: str
    default: Value = None
    choices: tuple[str, ...] = ()
    metavar: str | None = None


class Command(Record):
    """A command: its options, and how many files it takes (FILES, FILE, or the name of an optional argument)."""

    name: str
    help: str
    options: tuple[Option, ...]
    argument: str | None
    takes_command: bool = False


COLOR = Option("color", ("--color",), TEXT, "Colour in messages.", "auto", ("auto", "always", "never"))
OUTPUT_FORMAT = Option("output_format", ("--output-format",), TEXT, "The form of the diagnostics.", "text", ("text", "json"))
FAIL_ON = Option("fail_on", ("--fail-on",), TEXT, "The level that makes the exit status 1.", "error", ("error", "warning"))

#: Options of every command that compiles.
INPUT: tuple[Option, ...] = (
    Option("overlays", ("-f", "--overlay"), MANY, "An overlay above the input's own; again for more.", (), metavar="FILE"),
    Option("name", ("--name",), TEXT, "The job's name.", metavar="NAME"),
    Option("namespace", ("--namespace",), TEXT, "The job's namespace.", metavar="NAME"),
    Option("queue", ("--queue",), TEXT, "The job's queue.", metavar="NAME"),
    Option("config", ("--config",), TEXT, "The site file, in place of the ones found.", metavar="FILE"),
    Option("isolated", ("--isolated",), FLAG, "Read no site file.", False),
    Option("stdin_filename", ("--stdin-filename",), TEXT, "The kind, name and place of standard input.", metavar="NAME"),
    Option("allow_outside", ("--allow-outside",), FLAG, "Let an input name files outside its folder and repository.", False),
    Option("nodes", ("-n", "--nodes"), NUMBER, "Nodes; for templates without tasks.", metavar="N"),
    Option("processes", ("-p", "--processes"), NUMBER, "Processes; for templates without tasks.", metavar="N"),
    Option("ppn", ("--ppn",), NUMBER, "Processes for one node; for templates without tasks.", metavar="N"),
    Option("amlt", ("--amlt",), FLAG, "Refused: Amulet's nodes are all alike.", False),
)

BUILD = Command("build", "Compile .het files or templates to Volcano Jobs.", (
    *INPUT,
    Option("output", ("-o", "--output"), TEXT, "Write here instead of standard output; an old file stays if anything fails.", metavar="FILE"),
    Option("to", ("--to",), TEXT, "The back end.", "volcano", ("volcano",)),
    Option("kind", ("--kind",), TEXT, "The kind to emit.", "job", ("job",)),
    Option("format", ("--format",), TEXT, "The manifest's form.", "yaml", ("yaml", "json")),
    Option("verify", ("--verify",), FLAG, "Also check against the JSON Schemas of Volcano and Kubernetes.", False),
    FAIL_ON, OUTPUT_FORMAT, COLOR,
), FILES, takes_command=True)
LINT = Command("lint", "Check .het files, overlays and templates.", (*INPUT, FAIL_ON, OUTPUT_FORMAT, COLOR), FILES, takes_command=True)
PLAN = Command("plan", "Show the expanded shape: tasks, totals, ranks, what Volcano adds.", (
    *INPUT,
    Option("format", ("--format",), TEXT, "The form of the plan.", "text", ("text", "json")),
    Option("origins", ("--origins",), FLAG, "Also show where each value came from.", False),
    FAIL_ON, OUTPUT_FORMAT, COLOR,
), FILE, takes_command=True)
RULE = Command("rule", "Show a rule's page, or list the rules.",
               (Option("format", ("--format",), TEXT, "The form.", "text", ("text", "json")),), "code")
SCHEMA = Command("schema", "Print a JSON Schema for editors: overlay, template or site.", (), "schema")
INIT = Command("init", "Write a commented NAME.het and NAME.het.yaml to start from.", (), "job")

COMMANDS: dict[str, Command] = {command.name: command for command in (BUILD, LINT, PLAN, RULE, SCHEMA, INIT)}


class Parsed(Record):
    """A parsed command line. `places`: where each given option stands in the joined arguments."""

    values: dict[str, Value]
    arguments: tuple[str, ...]
    words: tuple[str, ...]
    places: dict[str, tuple[int, int]]
    text: str


def split(argv: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """The arguments before the first `--`, and the command after it."""
    if "--" not in argv:
        return argv, ()
    at = argv.index("--")
    return argv[:at], tuple(argv[at + 1:])


def parse(command: Command, argv: list[str]) -> Parsed:
    """Parse what stands behind the command's name, as Typer does. Raises UsageError."""
    before, words = split(argv)
    flags = {flag: option for option in command.options for flag in option.flags}
    values: dict[str, Value] = {option.name: option.default for option in command.options}
    places: dict[str, tuple[int, int]] = {}
    arguments: list[str] = []
    offsets = _offsets(argv)
    index = 0
    while index < len(before):
        start = offsets[index]
        word = before[index]
        index += 1
        if not word.startswith("-") or word == "-":
            arguments.append(word)
            continue
        option, value = _option(command, flags, word)
        if option.kind == FLAG:
            if value is not None:
                raise UsageError(f"option `{word.split('=')[0]}` takes no value")
            values[option.name] = True
        else:
            if value is None:
                if index >= len(before):
                    raise UsageError(f"option `{word}` needs a value")
                value = before[index]
                index += 1
            values[option.name] = _value(option, word.split("=")[0], value, values[option.name])
        places[option.name] = (start, offsets[index] - 1)
    if words and not command.takes_command:
        raise UsageError(f"`{command.name}` takes no command after `--`")
    return Parsed(values, tuple(arguments), words, places, " ".join(argv))


def _offsets(argv: list[str]) -> list[int]:
    offsets = [0]
    for word in argv:
        offsets.append(offsets[-1] + len(word) + 1)
    return offsets


def _option(command: Command, flags: dict[str, Option], word: str) -> tuple[Option, str | None]:
    """The option of a word, and the value that is part of it."""
    if word.startswith("--"):
        flag, equals, value = word.partition("=")
        attached = value if equals else None
    else:
        flag, attached = word[:2], word[2:] or None
    if flag in flags:
        return flags[flag], attached
    from hetc.names import nearest

    close = nearest(flag, sorted(flags)) if flag.startswith("--") else None
    hint = f"; did you mean `{close}`?" if close else f"; see `hetc {command.name} --help`"
    raise UsageError(f"`{command.name}` has no option `{flag}`{hint}")


def _value(option: Option, flag: str, value: str, old: Value) -> Value:
    if option.kind == NUMBER:
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            raise UsageError(f"option `{flag}` takes a number, not `{value}`")
        return int(value)
    if option.choices and value not in option.choices:
        raise UsageError(f"option `{flag}` takes {', '.join(f'`{each}`' for each in option.choices)}, not `{value}`")
    if option.kind == MANY:
        assert isinstance(old, tuple)
        return (*old, value)
    return value
