"""The command line's options: one table, from which both the quick parser here and the Typer application are built."""
from __future__ import annotations

from hetc.record import Record
from hetc.source import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Value: TypeAlias = "str | int | bool | None | tuple[str, ...]"

TEXT = "text"
NUMBER = "number"
FLAG = "flag"
MANY = "many"


class Option(Record):
    """One option. `kind`: TEXT, NUMBER, FLAG or MANY (texts, the option may come again); `choices`: the texts it takes."""

    name: str
    flags: tuple[str, ...]
    kind: str
    help: str
    default: Value = None
    choices: tuple[str, ...] = ()
    metavar: str | None = None


class Argument(Record):
    """What a command takes beside options.

    `needs` says in messages what is missing; None: it may be left out. `most`: how many at most, None for any number.
    """

    metavar: str
    help: str
    needs: str | None = None
    most: int | None = 1
    choices: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        return self.needs is not None


#: What a command has that takes options only.
NOTHING = Argument("", "", most=0)


EXITS = "Exit status: 0 done, 1 findings or refused, 2 usage or unreadable, 70 a bug"


class Command(Record):
    """A command. `examples`: a command line and what it does; `takes_command`: arguments after `--` are the job's command;
    `exits`: what its exit statuses say.
    """

    name: str
    help: str
    argument: Argument
    options: tuple[Option, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    takes_command: bool = False
    exits: str = EXITS


COLOR = Option("color", ("--color",), TEXT, "Colour in messages.", "auto", ("auto", "always", "never"))
FORMATS = ("text", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit")
OUTPUT_FORMAT = Option("output_format", ("--output-format",), TEXT, "Form of the messages; `github` by itself in its workflows.", None,
                       FORMATS)
FAIL_ON = Option("fail_on", ("--fail-on",), TEXT, "Level that gives exit 1.", "error", ("error", "warning"))

#: Options of what is found.
CHECKS: tuple[Option, ...] = (
    Option("select", ("--select",), MANY, "Only rules whose codes begin so; security rules stay.", (), metavar="CODES"),
    Option("ignore", ("--ignore",), MANY, "Leave rules out whose codes begin so; security rules stay.", (), metavar="CODES"),
    Option("baseline", ("--baseline",), TEXT, "Leave out the findings that this file knows.", metavar="FILE"),
    FAIL_ON, OUTPUT_FORMAT, COLOR,
)

CONFIG = Option("config", ("--config",), TEXT, "Site file, in place of the ones found.", metavar="FILE")
ISOLATED = Option("isolated", ("--isolated",), FLAG, "Read no site file.", False)
STDIN_FILENAME = Option("stdin_filename", ("--stdin-filename",), TEXT, "Kind, name and place of standard input.", metavar="NAME")

KIND = Option("kind", ("--kind",), TEXT, "What to make; default: cronjob where there is a `schedule`, else job.", None,
              ("job", "cronjob", "jobtemplate"))

#: Options of every command that compiles.
INPUT: tuple[Option, ...] = (
    Option("overlays", ("-f", "--overlay"), MANY, "Overlay on top; may come again.", (), metavar="FILE"),
    Option("name", ("--name",), TEXT, "The job's name.", metavar="NAME"),
    Option("namespace", ("--namespace",), TEXT, "The job's namespace.", metavar="NAME"),
    Option("queue", ("--queue",), TEXT, "The job's queue.", metavar="NAME"),
    KIND,
    Option("volcano_version", ("--volcano-version",), TEXT, "The cluster's Volcano, over the site file's.", metavar="1.N"),
    Option("cluster", ("--cluster",), TEXT, "Its Queues, HyperNodes and Nodes: a file or folder.", metavar="PATH"),
    CONFIG,
    ISOLATED,
    STDIN_FILENAME,
    Option("allow_outside", ("--allow-outside",), FLAG, "Let inputs name files outside their tree.", False),
    Option("nodes", ("-n", "--nodes"), NUMBER, "Nodes; templates without tasks only.", metavar="N"),
    Option("processes", ("-p", "--processes"), NUMBER, "Processes; templates without tasks only.", metavar="N"),
    Option("ppn", ("--ppn",), NUMBER, "Processes per node; as above.", metavar="N"),
    Option("amlt", ("--amlt",), FLAG, "Refused: Amulet's nodes are all alike.", False),
)

#: The options of many commands, under what they are about.
GROUPS = {"Input": INPUT, "Findings": CHECKS}

BUILD = Command(
    "build", "Compile .het files or templates to Volcano Jobs.",
    Argument("FILE...", "inputs, or - for standard input", "a file or `-`", None),
    (
        *INPUT,
        Option("output", ("-o", "--output"), TEXT, "Write here; after an error nothing.", metavar="FILE"),
        Option("to", ("--to",), TEXT, "The back end.", "volcano", ("volcano",)),
        Option("format", ("--format",), TEXT, "The manifest's form.", "yaml", ("yaml", "json")),
        Option("verify", ("--verify",), FLAG, "Also check against the JSON Schemas.", False),
        Option("check", ("--check",), FLAG, "Show what is stale in the manifest's file.", False),
        *CHECKS,
    ),
    (
        ("hetc build train.het | kubectl create -f -", "compile and submit"),
        ("hetc build train.het -f prod.yaml -o job.yaml", "one more layer, to a file"),
        ("hetc build train.het -- python train.py --lr 0.1", "with a command"),
        ("hetc build --check jobs", "is what it would write there?"),
    ),
    takes_command=True,
)
LINT = Command(
    "lint", "Check .het files, overlays, templates and Volcano manifests.",
    Argument("PATH...", "files, directories, or - for standard input", "a file, a directory or `-`", None),
    (
        *INPUT,
        Option("strict_kinds", ("--strict-kinds",), FLAG, "Refuse documents of kinds that hetc does not know.", False),
        Option("fix", ("--fix",), FLAG, "Make the fixes that have one right answer.", False),
        Option("jobs", ("--jobs",), NUMBER, "How many processes check the files.", None, metavar="N"),
        Option("cache", ("--cache",), FLAG, "Pass over manifests that an earlier run found clean.", False),
        Option("cache_dir", ("--cache-dir",), TEXT, "The folder of that memory; implies --cache.", metavar="DIR"),
        Option("passthrough", ("--passthrough",), FLAG, "Copy standard input on, unless it fails.", False),
        Option("write_baseline", ("--write-baseline",), TEXT, "Write what is found to a baseline.", metavar="FILE"),
        *CHECKS,
    ),
    (
        ("hetc lint .", "all that is below this directory"),
        ("helm template c | hetc lint --passthrough - | kubectl apply -f-", "in a pipe"),
    ),
    takes_command=True,
)
FMT = Command(
    "fmt", "Lay out .het files and overlays, comments and meaning kept.",
    Argument("PATH...", "files, directories, or - for standard input", "a file, a directory or `-`", None),
    (
        Option("check", ("--check",), FLAG, "Only name the files that would change; exit 1.", False),
        Option("diff", ("--diff",), FLAG, "Only show what would change; exit 1.", False),
        STDIN_FILENAME, OUTPUT_FORMAT, COLOR,
    ),
    (
        ("hetc fmt .", "all that is below this directory"),
        ("hetc fmt --diff train.het", "what would change"),
        ("hetc fmt - < train.het", "for an editor"),
    ),
)
PLAN = Command(
    "plan", "Show the expanded shape: tasks, totals, ranks, what Volcano adds.",
    Argument("FILE", "one input, or - for standard input", "a file or `-`"),
    (
        *INPUT,
        Option("format", ("--format",), TEXT, "The plan's form; `svg` is a picture.", "text", ("text", "json", "markdown", "svg")),
        Option("origins", ("--origins",), FLAG, "Show where each value came from.", False),
        *CHECKS,
    ),
    (
        ("hetc plan train.het", "what the file comes to"),
        ("hetc plan --origins -f prod.yaml train.het", "and which line said so"),
        ("hetc plan --format svg train.het > train.svg", "as a picture"),
    ),
    takes_command=True,
)
EXPLAIN = Command(
    "explain", "Show where a value of the manifest came from, layer by layer.",
    Argument("FILE [PATH]", "one input, or - for standard input; then a path in the manifest, else those at its top", "a file or `-`", 2),
    (
        *INPUT,
        Option("format", ("--format",), TEXT, "The answer's form.", "text", ("text", "json")),
        OUTPUT_FORMAT, COLOR,
    ),
    (
        ("hetc explain train.het 'spec.tasks[worker].replicas'", "one value"),
        ("hetc explain train.het 'spec.tasks[*].replicas'", "those of all tasks"),
        ("hetc explain job.yaml", "the paths at the top"),
    ),
    takes_command=True,
)
DIFF = Command(
    "diff", "Show what changes between two inputs, and what Volcano does with it.",
    Argument("OLD NEW", "two .het files, templates or manifests; - is standard input", "two files, or a file and `-`", 2),
    (
        *INPUT,
        Option("live", ("--live",), FLAG, "One is from a cluster: leave out what it added.", False),
        Option("format", ("--format",), TEXT, "The answer's form.", "text", ("text", "json")),
        OUTPUT_FORMAT, COLOR,
    ),
    (
        ("kubectl get vcjob a -o yaml | hetc diff --live - a.het", "what is new"),
        ("hetc diff old.het new.het", "two versions"),
        ("hetc diff job.yaml train.het", "is it the manifest by hand?"),
    ),
    takes_command=True,
    exits="Exit status: 0 the same, 1 different, 2 usage, unreadable, refused, 70 a bug",
)
RULE = Command(
    "rule", "Show a rule's page, or list the rules.",
    Argument("CODE", "a rule's code or name"),
    (CONFIG, ISOLATED, Option("format", ("--format",), TEXT, "The form.", "text", ("text", "json"))),
    (("hetc rule HET601", "one page"), ("hetc rule", "the list")),
)
SCHEMA = Command(
    "schema", "Print a JSON Schema, for editors and programs.",
    Argument("NAME", "overlay, template, flow, site, plan, flow-plan, explain, diff or diagnostics", "a name", 1,
             ("overlay", "template", "flow", "site", "plan", "flow-plan", "explain", "diff", "diagnostics")),
    (),
    (("hetc schema overlay > overlay.schema.json", "for an editor"),),
)
INIT = Command(
    "init", "Write a commented NAME.het and NAME.het.yaml to start from.",
    Argument("NAME", "the job's name; `job` if none is given"),
    (),
    (("hetc init train", "writes train.het, train.het.yaml and the schema"),),
)
KUSTOMIZE = Command(
    "kustomize", "Install the plugin for kustomize, or write its component.",
    Argument("ACTION", "install; or component DIR: how kustomize merges and names in Volcano's kinds", "`install` or `component DIR`", 2),
    (
        Option("path", ("--path",), TEXT, "Install in this folder of plugins.", metavar="DIR"),
        Option("yes", ("--yes",), FLAG, "Do it; else only show it.", False),
    ),
    (
        ("hetc kustomize install", "show where the plugin would go"),
        ("hetc kustomize install --yes", "put it there"),
        ("hetc kustomize component volcano --yes", "write the component to volcano/"),
    ),
)

LSP = Command(
    "lsp", "Serve editors over standard input and output (Language Server Protocol).",
    NOTHING,
    (CONFIG, ISOLATED, Option("stdio", ("--stdio",), FLAG, "How it serves in any case; some clients say so.", False)),
    (("hetc lsp", "editors start it; docs/editors.md has their settings"),),
)

COMMANDS: dict[str, Command] = {
    command.name: command for command in (BUILD, LINT, FMT, PLAN, EXPLAIN, DIFF, RULE, SCHEMA, INIT, KUSTOMIZE, LSP)
}


def written(option: Option) -> str:
    """An option as a help names it."""
    value = "" if option.kind == FLAG else f" {'|'.join(option.choices) or option.metavar}"
    return ", ".join(option.flags) + value


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
    values: dict[str, Value] = {option.name: option.default for option in command.options}
    places: dict[str, tuple[int, int]] = {}
    arguments: list[str] = []
    for option, flag, text, place in _given(command, before):
        if option is None:
            arguments.append(text)
        else:
            values[option.name] = _value(option, flag, text, values[option.name])
            places[option.name] = place
    parsed = Parsed(values, tuple(arguments), words, places, " ".join(argv))
    check(command, parsed)
    return parsed


def check(command: Command, parsed: Parsed) -> None:
    """Refuse less and more than the command takes. Raises UsageError."""
    argument, count = command.argument, len(parsed.arguments)
    if argument.required and not count:
        raise UsageError(f"`{command.name}` needs {argument.needs}; see `hetc {command.name} --help`")
    if argument.most is not None and count > argument.most:
        words = [text for text in parsed.arguments[argument.most:] if not text.endswith((".het", ".yaml", ".yml", ".json"))]
        hint = "; a command goes behind `--`" if command.takes_command and words and not parsed.words else ""
        takes = f"one {argument.metavar}, not {count}" if argument.most else f"options only, not `{parsed.arguments[0]}`"
        raise UsageError(f"`{command.name}` takes {takes}{hint}")
    for text in parsed.arguments:
        if argument.choices and text not in argument.choices:
            raise UsageError(f"`{command.name}` takes {', '.join(f'`{each}`' for each in argument.choices)}, not `{text}`")
    if parsed.words and not command.takes_command:
        raise UsageError(f"`{command.name}` takes no command after `--`")


def _given(command: Command, words: list[str]) -> Iterator[tuple[Option | None, str, str, tuple[int, int]]]:
    """Each option with its flag as written and its text, each argument as a text without option; their places."""
    flags = {flag: option for option in command.options for flag in option.flags}
    index = start = arguments = 0
    while index < len(words):
        word = words[index]
        index += 1
        end = start + len(word)
        option, flag, text = None, "", word
        if word.startswith("-") and word != "-":
            option, flag, attached = _option(command, flags, word, command.takes_command and arguments > 1)
            if option.kind == FLAG:
                if attached is not None:
                    raise UsageError(f"option `{flag}` takes no value")
            elif attached is not None:
                text = attached
            elif index < len(words):
                text = words[index]
                index += 1
                end += 1 + len(text)
            else:
                raise UsageError(f"option `{flag}` needs a value")
        arguments += option is None
        yield option, flag, text, (start, end)
        start = end + 1


def _option(command: Command, flags: dict[str, Option], word: str, in_command: bool) -> tuple[Option, str, str | None]:
    """The option of a word, its flag, and the value that is part of the word: `--flag=VALUE` or `-fVALUE`.

    `in_command`: so much stands before it that it may be an option of the job's command.
    """
    if word.startswith("--"):
        flag, equals, value = word.partition("=")
        attached = value if equals else None
    else:
        flag, attached = word[:2], word[2:] or None
    if flag in flags:
        return flags[flag], flag, attached
    from hetc.names import nearest

    # Without the dashes, which would count as letters that are right.
    close = nearest(flag[2:], sorted(known[2:] for known in flags if known.startswith("--"))) if flag.startswith("--") else None
    hint = f"; did you mean `--{close}`?" if close else f"; see `hetc {command.name} --help`"
    if in_command:
        hint = "; a command goes behind `--`"
    raise UsageError(f"`{command.name}` has no option `{flag}`{hint}")


def _value(option: Option, flag: str, text: str, old: Value) -> Value:
    if option.kind == FLAG:
        return True
    if option.kind == NUMBER:
        if not (text.isascii() and text.isdigit() and len(text) < 10):  # int() takes far more
            raise UsageError(f"option `{flag}` takes a number, not `{text}`")
        if text.startswith("0") and text != "0":
            raise UsageError(f"option `{flag}` takes a number without a leading zero, not `{text}`")
        return int(text)
    if option.choices and text not in option.choices:
        raise UsageError(f"option `{flag}` takes {', '.join(f'`{each}`' for each in option.choices)}, not `{text}`")
    if option.kind == MANY:
        assert isinstance(old, tuple)
        return (*old, text)
    return text
