"""The quick parser and the Typer application are made of one table, and read every command line alike."""
from __future__ import annotations

import contextlib
import io
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hetc import cli, options
from hetc.options import COMMANDS, FLAG, NUMBER, UsageError
from tests.conftest import ROOT

WORDS = st.sampled_from(["a.het", "-", "", " ", "b c", "-3", "-x", "=", "-o", "é", "\ud800", "x=y", "---", "-=", "--=1", "--nope", "--nam"])
NUMBERS = st.sampled_from(["0", "1", "007", "+5", "-3", " 5 ", "1_000", "٣", "", "1.0", "999999999", "9999999999", "x"])


def values(option):
    if option.kind == NUMBER:
        return NUMBERS
    return st.one_of(st.sampled_from([*option.choices, "json", ""]), WORDS)


@st.composite
def given_options(draw, command):
    """One option in one of the ways to write it, or its flag alone."""
    option = draw(st.sampled_from(command.options))
    flag, value = draw(st.sampled_from(option.flags)), draw(values(option))
    forms = [[flag], [f"{flag}={value}"]]
    if option.kind != FLAG:
        forms += [[flag, value]] * 3
        if not flag.startswith("--"):
            forms.append([flag + value])
    return draw(st.sampled_from(forms))


@st.composite
def command_lines(draw):
    command = draw(st.sampled_from(list(COMMANDS.values())))
    pieces = [WORDS.map(lambda word: [word]), st.sampled_from([["a.het"], ["b.het"]])]
    if command.options:
        pieces += [given_options(command)] * 3
    argv = [word for piece in draw(st.lists(st.one_of(pieces), max_size=6)) for word in piece]
    if draw(st.booleans()):
        argv += ["--", *draw(st.lists(st.sampled_from(["python", "--name", "--", "-o", "a b"]), max_size=3))]
    return [command.name, *argv]


def outcome(parse):
    try:
        return parse()
    except UsageError as error:
        return str(error)


@given(command_lines())
@example(["build", "-oout.yaml", "a.het", "--name=x", "-", "-f", "a", "-fb", "--overlay", "c"])
@example(["build", "a.het", "-o=x"])
@example(["lint", "--name", "--isolated", "."])
@example(["plan", "-n", "-3", "a.yaml"])
@example(["build", "a.het", "--name="])
@example(["plan", "--color", "never", "--color", "always", "a.het"])
@example(["schema", "overlay", "--", "x"])
def test_typer_and_quick_parser_agree(argv):
    command = COMMANDS[argv[0]]
    quick = outcome(lambda: options.parse(command, argv[1:]))
    typer = outcome(lambda: cli.parse(argv))
    assert typer == (quick if isinstance(quick, str) else (command, quick))


def test_every_option_reaches_both_parsers():
    for command in COMMANDS.values():
        for option in command.options:
            for flag in option.flags:
                value = [] if option.kind == FLAG else ["7" if option.kind == NUMBER else option.choices[-1] if option.choices else "x"]
                argv = [*(["x"] if command.argument.required and not command.argument.choices else []), flag, *value]
                quick = options.parse(command, argv)
                assert (command, quick) == cli.parse([command.name, *argv])
                assert quick.values[option.name] not in (None, False, ())


def test_places_are_offsets_in_the_joined_arguments():
    parsed = options.parse(COMMANDS["build"], ["a.het", "--name", "lid", "-fa", "-n=3".replace("=", ""), "--queue=q", "--", "x"])
    assert {name: parsed.text[start:end] for name, (start, end) in parsed.places.items()} == {
        "name": "--name lid", "overlays": "-fa", "nodes": "-n3", "queue": "--queue=q",
    }


@pytest.mark.parametrize(("argv", "message"), [
    (["build"], "`build` needs a file or `-`; see `hetc build --help`"),
    (["plan", "a", "b"], "`plan` takes one FILE, not 2; a command goes behind `--`"),
    (["build", "--nam", "x"], "`build` has no option `--nam`; did you mean `--name`?"),
    (["build", "-x"], "`build` has no option `-x`; see `hetc build --help`"),
    (["build", "-n3x", "a"], "option `-n` takes a number, not `3x`"),
    (["build", "-n", "01", "a"], "option `-n` takes a number without a leading zero, not `01`"),
    (["build", "-p", "00", "a"], "option `-p` takes a number without a leading zero, not `00`"),
    (["build", "--format=xml", "a"], "option `--format` takes `yaml`, `json`, not `xml`"),
    (["build", "a", "-o"], "option `-o` needs a value"),
    (["build", "--isolated=yes", "a"], "option `--isolated` takes no value"),
    (["schema", "job"], "`schema` takes `overlay`, `template`, `flow`, `site`, `plan`, `flow-plan`, `explain`, `diff`, `diagnostics`, not `job`"),
    (["rule", "--", "x"], "`rule` takes no command after `--`"),
    (["buidl", "a"], "hetc has no command `buidl`; did you mean `build`?"),
    (["train.het"], "`train.het` is no command; did you mean `hetc build train.het`?"),
    (["--foo"], "no such option: --foo; see `hetc --help`"),
])
def test_refusals_say_what_is_wrong(argv, message):
    assert outcome(lambda: cli.parse(argv)) == message


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_screen(name):
    command = COMMANDS[name]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert cli.parse([name, "--help"]) == 0
    lines = out.getvalue().splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    for option in command.options:
        groups = [title for title, group in options.GROUPS.items() if option in group]
        assert any(option.flags[-1] in line or any(f"{title.lower()} options" in line for title in groups) for line in lines)
    for line, _ in command.examples:
        assert any(line in shown for shown in lines)
    assert command.help in out.getvalue()


def test_help_of_the_options_that_many_commands_share():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert cli.parse(["help", "options"]) == 0
    lines = out.getvalue().splitlines()
    assert [line for line in lines if len(line) > 80] == []
    for group in options.GROUPS.values():
        for option in group:
            at = lines.index(f"  {options.written(option)}")
            assert lines[at + 1].strip() == option.help


@pytest.mark.parametrize("argv", [["--help"], ["help"], ["build", "--help"], ["help", "fmt"]])
def test_the_module_calls_itself_hetc(argv):
    done = subprocess.run([sys.executable, "-m", "hetc", *argv], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: hetc ")
    assert done.stdout.endswith(f"{options.EXITS}\n")


def test_examples_of_the_help_parse():
    for command in COMMANDS.values():
        for line, _ in command.examples:
            part = next(part for part in line.split("|") if part.split()[0] == "hetc")
            words = part.split("<")[0].split(">")[0].split()
            assert not isinstance(outcome(lambda words=words: cli.parse(words[1:])), str)
