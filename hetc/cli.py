"""The Typer application: help, completion, and the commands that need not start at once.

Built from the table in `hetc.options`, as the quick parser there is. Typer parses only: what a command does is in
`hetc.commands`, and where each option stands in the command line is the quick parser's to say.
"""
from __future__ import annotations

import inspect
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
import typer.core

from hetc import __version__, commands, options
from hetc.options import COMMANDS, FLAG, MANY, NOTHING, NUMBER, Command, Option, Parsed
from hetc.source import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Typer's error about a command line, a base of the one that it exports.
Refused: Any = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "UsageError")

#: The shells that commands can be completed in.
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")

_ZSH = """\
#compdef %(prog_name)s

%(complete_func)s() {
  eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" %(autocomplete_var)s=complete_zsh %(prog_name)s)
}

compdef %(complete_func)s %(prog_name)s
[ "$funcstack[1]" = "_%(prog_name)s" ] && %(complete_func)s
"""

#: The options of many commands, and from how many options on a command's help only names those.
SHARED = tuple(option for group in options.GROUPS.values() for option in group)
FEW = 10

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 80}


def run(argv: list[str]) -> int:
    """Parse with Typer and run the command; its exit status. Raises UsageError."""
    parsed = parse(argv)
    return parsed if isinstance(parsed, int) else commands.run(*parsed)


def parse(argv: list[str]) -> tuple[Command, Parsed] | int:
    """The command and its options; or an exit status after `--help` and the like. Raises UsageError."""
    before, words = options.split(argv)
    if before == ["help", "options"]:
        print(_option_help(), end="")
        return 0
    if before[:1] == ["help"]:
        before = [*before[1:2], "--help"]
    _completion_options(before)
    if not before and not words and "_HETC_COMPLETE" not in os.environ:
        return _invite()
    application = typer.main.get_command(app())
    try:
        result = application.main(before, prog_name="hetc", standalone_mode=False)
    except Refused as error:
        raise _usage(before, error) from None
    except typer.Abort:
        raise KeyboardInterrupt from None
    if not isinstance(result, tuple):
        return int(result or 0)
    command, values, arguments = result
    own = argv[argv.index(command.name) + 1:]
    places = options.parse(command, own).places  # refuses what Typer lets pass, such as `٣` for a number
    return command, Parsed(values, arguments, words, places, " ".join(own))


def _completion_options(before: list[str]) -> None:
    """Make ready for `--install-completion` and `--show-completion`. Raises UsageError.

    Typer takes a shell's name there only where it looks for none itself, and zsh loads its script at the first TAB, which
    then has to complete too.
    """
    if before[:1] not in (["--install-completion"], ["--show-completion"]):
        return
    from typer._completion_shared import Shells, _completion_scripts

    _completion_scripts["zsh"] = _ZSH
    Shells.__str__ = str.__str__  # type: ignore[method-assign]  # or it tells of `Shells.bash`
    if len(before) == 2 and before[1] not in SHELLS:
        raise UsageError(f"`{before[0]}` takes {', '.join(f'`{shell}`' for shell in SHELLS)}, not `{before[1]}`")
    if len(before) == 2:
        os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"


def app() -> typer.Typer:
    """The application, with every command of the table."""
    result = typer.Typer(
        name="hetc", rich_markup_mode=None, context_settings=SETTINGS, suggest_commands=False,
        epilog=f"\b\n{options.EXITS}",
    )
    result.callback()(_root)
    for command in COMMANDS.values():
        decorate = result.command(command.name, cls=_Command, help=_help(command), short_help=command.help, epilog=_examples(command),
                                  context_settings=SETTINGS)
        decorate(_callback(command))
    return result


class _Command(typer.core.TyperCommand):
    """A command whose usage line says what goes behind `--`, and whose help tells its own options from those of many."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        command = COMMANDS[str(self.name)]
        if command.argument is NOTHING:
            return ["[OPTIONS]"]
        metavar = command.argument.metavar if command.argument.required else f"[{command.argument.metavar}]"
        return ["[OPTIONS]", metavar, *(["[-- COMMAND...]"] if command.takes_command else [])]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        own = COMMANDS[str(self.name)].options
        shared = [] if len(own) <= FEW else [option for option in own if option in SHARED]
        with formatter.section("Options"):
            formatter.write_dl([parameter.get_help_record(ctx) for parameter, option in zip(self.get_params(ctx)[1:], [*own, None])
                                if option not in shared])
        names = []
        for title, group in options.GROUPS.items():
            whole = all(option in shared for option in group)
            names += [f"{title.lower()} options"] if whole else [option.flags[-1] for option in group if option in shared]
        if shared:
            formatter.write(f"  And {', '.join(names)}: `hetc help options` has them.\n")


def _option_help() -> str:
    """What the options of many commands mean."""
    return "\n".join(
        f"{title}:\n" + "".join(f"  {options.written(option)}\n      {option.help}\n" for option in group)
        for title, group in options.GROUPS.items()
    )


def _version(on: bool) -> None:
    if on:
        print(f"hetc {__version__}")
        raise typer.Exit


_VERSION = typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)


def _root(version: Annotated[bool, _VERSION] = False) -> None:
    """Compile and check heterogeneous gang jobs for Volcano."""


def _invite() -> int:
    """Without any argument: the help, as an error; 2."""
    context = typer.main.get_command(app()).make_context("hetc", ["--help"], resilient_parsing=True)
    sys.stderr.write(context.get_help() + "\n")
    return 2


def _usage(before: list[str], error: Any) -> UsageError:
    """What Typer refused, in the words of the quick parser where it refuses it too."""
    name = next((word for word in before if not word.startswith("-")), None)
    if name in COMMANDS:
        try:
            options.parse(COMMANDS[name], before[before.index(name) + 1:])
        except UsageError as own:
            return own
    elif name is not None:
        return _no_command(name)
    message = error.format_message().rstrip(".")
    return UsageError(f"{message[:1].lower()}{message[1:]}; see `hetc --help`")


def _no_command(name: str) -> UsageError:
    from hetc.names import nearest

    if name.endswith((".het", ".yaml", ".yml")):
        return UsageError(f"`{name}` is no command; did you mean `hetc build {name}`?")
    close = nearest(name, sorted(COMMANDS))
    return UsageError(f"hetc has no command `{name}`; " + (f"did you mean `{close}`?" if close else "see `hetc --help`"))


def _help(command: Command) -> str:
    argument = command.argument
    return f"{command.help} {argument.metavar}: {argument.help}." if argument.metavar else command.help


def _examples(command: Command) -> str:
    """The examples and the exit statuses, in a paragraph that is not filled."""
    return "\n".join(["\b", "Examples:", *(f"  {line}  # {what}" for line, what in command.examples), command.exits])


def _callback(command: Command) -> Callable[..., tuple[Command, dict[str, Any], tuple[str, ...]]]:
    """What Typer calls with parsed options, its signature made of the table."""
    def callback(arguments: list[str] | None, **values: Any) -> tuple[Command, dict[str, Any], tuple[str, ...]]:
        for option in command.options:
            if option.kind == MANY:
                values[option.name] = tuple(values[option.name] or ())
        return command, values, tuple(arguments or ())

    parameters = list(_parameters(command))
    callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    callback.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return callback


def _parameters(command: Command) -> Iterator[inspect.Parameter]:
    kind = inspect.Parameter.KEYWORD_ONLY
    argument = typer.Argument(metavar=command.argument.metavar, show_default=False, hidden=True, autocompletion=_completion(command))
    none = inspect.Parameter.empty if command.argument.required else None
    yield inspect.Parameter("arguments", kind, default=none, annotation=Annotated[list[str], argument])
    for option in command.options:
        type_, default = _type(option)
        info = typer.Option(*option.flags, help=option.help, metavar=option.metavar, show_default=bool(option.choices))
        yield inspect.Parameter(option.name, kind, default=default, annotation=Annotated[type_, info])


def _type(option: Option) -> tuple[Any, Any]:
    """Typer's type for an option, and its default."""
    if option.kind == FLAG:
        return bool, option.default
    if option.kind == MANY:
        return list[str] | None, None
    if option.kind == NUMBER:
        return int | None, None
    if option.choices:
        return Literal[option.choices], option.default
    return str | None, option.default


def _completion(command: Command) -> Callable[..., list[str]] | None:
    """The names that a shell may offer; None leaves it at file names."""
    if command.name == "rule":
        def codes(incomplete: str) -> list[str]:
            from hetc.rules import CATALOG

            return [word for code in CATALOG for word in (code.code, code.name) if word.lower().startswith(incomplete.lower())]

        return codes
    if command.name == "explain":
        def paths(ctx: typer.Context, incomplete: str) -> list[str]:
            from hetc.explain import candidates

            files: list[str] = ctx.params.get("arguments") or []
            return candidates(files[0], incomplete) if len(files) == 1 else []

        return paths
    if command.argument.choices:
        return lambda incomplete: [word for word in command.argument.choices if word.startswith(incomplete)]
    return None
