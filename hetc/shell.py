"""Whether the last line of a shell script may be run by `exec`.

What follows reads the grammar of POSIX sh (IEEE 1003.1, Shell Command Language) and some of bash's, so far as to know where
commands begin and end and what they are called. Where shells differ, or where it is not sure, it gives up with a reason,
and the line is left alone: that costs a SIGTERM, the other mistake would change what a job does.

Known to change with `exec`, and accepted: the process id and the signals, which are its purpose; SHLVL and `_` in the
environment under bash; the wording of the shell's message when the program is missing; traces of `set -x` and `set -v`, and
whatever else shows the script's own text; dash searches PATH anew for a program that it has run before, and so finds one
installed meanwhile in an earlier directory. Nobody can see here what the image brings along, such as functions in BASH_ENV.

There are no regular expressions: compiling those that this takes would be a good part of hetc's start.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

_KEYWORDS = frozenset("if then elif else fi for while until do done case esac in { } ! [[ ]] function select time coproc".split())

#: Builtins of POSIX sh and bash, then those that dash, busybox ash, ksh and zsh add.
_BUILTINS = frozenset("""
    . : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable
    eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile newgrp popd printf pushd
    pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias
    unset wait
    autoload bindkey chdir emulate float foreach functions integer limit nameref nocorrect noglob print rehash repeat
    sched setopt unfunction unhash unlimit unsetopt whence where which zle zmodload
""".split())

#: Commands after which a name may mean another thing, or after which the shell still has something to do at its end.
_TAMPERING = {
    "trap": "a line sets a trap",
    "eval": "a line calls `eval`",
    ".": "a line sources a file",
    "source": "a line sources a file",
    "alias": "a line defines an alias",
    "autoload": "a line defines a function",
    "enable": "a line changes the builtins of the shell",
    "zmodload": "a line changes the builtins of the shell",
    "coproc": "a line starts a background process",
    "function": "a line defines a function",
    "select": "a line uses `select`",
}

#: Commands that run the command named by their first operand.
_PREFIXES = frozenset(["command", "builtin", "exec", "time", "noglob", "nocorrect"])

#: Options of `set` that touch neither jobs nor how commands are found or run.
_SET_FLAGS = "aefhuvxCET"
_SET_NAMES = frozenset("allexport errexit errtrace functrace noclobber noglob nounset pipefail verbose xtrace".split())

_DIGITS = frozenset("0123456789")
_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") | _DIGITS
_PLAIN = _NAME | frozenset("./+@:%,-")

#: What ends a word, and what ends the ordinary part of one.
_ENDS = frozenset(" \t\n;|&()<>")
_SPECIAL = _ENDS | frozenset("$`\\\"'")

#: What may be expanded without a `$`: patterns, braces, a home directory.
_PATTERN = frozenset("*?[{~")

_REDIRECTIONS = ("<<<", "<<-", "<<", "<>", "<&", "<", ">>", ">|", ">&", ">")

_IN_ARITHMETIC = frozenset("()$`\\\"'\n")
_IN_BRACES = frozenset("}$`\\\"'{<>\n")
_NOT_ESCAPED = frozenset("}$`\\\"'{\n")

_MAX_DEPTH = 40


class _Unsure(Exception):
    """The text is not, or not surely, what `exec` needs; the message is the reason."""


def exec_refusal(text: str) -> str | None:
    """Why the last line of the shell script `text` must not be run by `exec`; None if that changes nothing else.

    The reason is a clause for people, such as ``"`echo` is a builtin or keyword of the shell"``.
    """
    try:
        _check_last(text, _Reader(text).program())
    except _Unsure as reason:
        return str(reason)
    return None


class _Word:
    """A word of a command.

    `raw`: as written. `literal`: without quotes and without what is expanded. `fixed`: nothing is expanded. `splits`: it may
    become several words, or none.
    """

    __slots__ = ("fixed", "literal", "raw", "splits")

    def __init__(self) -> None:
        self.raw = ""
        self.literal = ""
        self.fixed = True
        self.splits = False

    def add(self, literal: str, fixed: bool) -> None:
        """Add a quoted piece."""
        self.literal += literal
        self.fixed = self.fixed and fixed


class _Command:
    """A command at the top of a script: where it starts and ends, and its words if it is a simple one without more."""

    __slots__ = ("assigns", "end", "simple", "start", "words")

    def __init__(self) -> None:
        self.start = 0
        self.end = 0
        self.simple = False
        self.assigns = False
        self.words: list[_Word] = []


def _check_last(text: str, last: _Command) -> None:
    """Raises _Unsure unless the last line is the simple command `last`, and names a program."""
    line = text.rfind("\n") + 1
    if not text[line:].strip(" \t"):
        raise _Unsure("the last line is empty")
    if last.start < line:
        if text[line:].lstrip(" \t").startswith("#"):
            raise _Unsure("the last line is a comment")
        raise _Unsure("the last line belongs to a command that begins before it")
    if text.endswith("\\\n", 0, line):
        raise _Unsure("the line before the last one ends in a backslash")
    if not last.simple or text[line:last.start].strip(" \t"):
        raise _Unsure("the last line is more than one simple command")
    if last.end < len(text):
        raise _Unsure("the last line has a comment" if text[last.end] == "#" else "the last line ends in `;`")
    if last.assigns:
        raise _Unsure("the last line begins with a variable assignment")
    if not last.words:
        raise _Unsure("the last line is only a redirection")
    first = last.words[0].raw
    if first == "exec":
        raise _Unsure("the last line runs `exec` itself")
    if first in _BUILTINS or first in _KEYWORDS:
        raise _Unsure(f"`{first}` is a builtin or keyword of the shell")
    if not _PLAIN.issuperset(first) or first[0] in "+@:%,-":
        raise _Unsure(f"`{_shown(first)}` is not a plain command name")


def _shown(text: str) -> str:
    """Text of the user as a reason shows it: short, and without control characters."""
    text = text if len(text) <= 40 else f"{text[:39]}…"
    return "".join(character if character.isprintable() else "?" for character in text)


def _check_command(words: list[_Word]) -> None:
    """Raises _Unsure if a simple command may change what a later line means, or what the shell does at its end."""
    while words:
        name = _name(words[0])
        if name in _TAMPERING:
            raise _Unsure(_TAMPERING[name])
        if words[0].raw in _KEYWORDS and name != "time":
            raise _Unsure(f"`{name}` stands where a command is expected")
        if name == "set":
            _check_set(words[1:])
        if name not in _PREFIXES:
            return
        words = words[1:]
        while words and (words[0].literal.startswith("-") or _assigns(words[0].raw)):
            words = words[1:]


def _name(word: _Word) -> str:
    """The name of the command that `word` calls, so far as it is no builtin; a path may have parts that are expanded."""
    if word.fixed or ("/" in word.literal and not word.splits and "@" not in word.raw):
        return word.literal
    raise _Unsure(f"`{_shown(word.raw)}` may be any command, such as `eval`")


def _assigns(raw: str) -> bool:
    """Whether a word is an assignment where one can stand: `NAME=…`, `NAME+=…` or `NAME[…]=…`."""
    left, equals, _ = raw.partition("=")
    left, bracket, subscript = left.removesuffix("+").partition("[")
    return bool(equals) and _is_name(left) and (not bracket or subscript.endswith("]"))


def _is_name(text: str) -> bool:
    return bool(text) and text[0] not in _DIGITS and _NAME.issuperset(text)


def _check_set(options: list[_Word]) -> None:
    named = False
    for word in options:
        if not word.fixed:
            raise _Unsure(f"`set {_shown(word.raw)}` may turn on any option")
        if named:
            if word.literal not in _SET_NAMES:
                raise _Unsure(f"`set -o {_shown(word.raw)}` may change how commands run")
            named = False
            continue
        if word.literal == "--" or word.literal[:1] not in ("-", "+"):
            return
        flags = word.literal[1:]
        named = flags.endswith("o")
        if flags.removesuffix("o").strip(_SET_FLAGS):
            raise _Unsure(f"`set {_shown(word.raw)}` may change how commands run")


class _Reader:
    """Reads shell text from left to right; raises _Unsure where it cannot go on."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text = text
        self.at = 0
        self.depth = depth
        #: Here-documents whose bodies begin behind the next newline: delimiter, whether it was quoted, whether tabs go.
        self.pending: list[tuple[str, bool, bool]] = []
        self.blocks: dict[str, Callable[[], None]] = {
            "if": self._if, "while": self._while, "until": self._while, "for": self._for, "case": self._case,
            "{": self._braces, "[[": self._test,
        }

    # Characters and tokens

    def _next(self) -> str:
        """The character here, `""` at the end."""
        return self.text[self.at:self.at + 1]

    def _is(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    def _skip(self, text: str) -> bool:
        """Whether `text` stood here; it is then behind."""
        found = self._is(text)
        if found:
            self.at += len(text)
        return found

    def _before(self, stop: frozenset[str]) -> str:
        """The text from here to the first character in `stop`; it is not read."""
        end, size, text = self.at, len(self.text), self.text
        while end < size and text[end] not in stop:
            end += 1
        return text[self.at:end]

    def _run(self, stop: frozenset[str]) -> str:
        """Read to the first character in `stop`."""
        text = self._before(stop)
        self.at += len(text)
        return text

    def _keyword(self) -> str:
        """The keyword that stands here, or whatever else does up to a blank or an operator."""
        return self._before(_ENDS)

    def _skip_keyword(self, word: str) -> bool:
        return self._keyword() == word and self._skip(word)

    def _expect(self, word: str) -> None:
        if not (self._skip_keyword(word) if word != ")" else self._skip(word)):
            raise _Unsure(f"`{word}` is missing")

    def _give_up(self) -> NoReturn:
        raise _Unsure(f"`{self._next()}` is unexpected" if self._next().strip() else "a command is not complete")

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _Unsure("commands are nested too deeply")

    def _blank(self) -> None:
        """Go over blanks and continued lines. A line continued inside a token is not understood."""
        while True:
            if self._next() in (" ", "\t"):
                self.at += 1
            elif self._is("\\\n") and (self.text[self.at - 1:self.at] in (" ", "\t") or self._blank_at(self.at + 2)):
                self.at += 2
            else:
                return

    def _blank_at(self, at: int) -> bool:
        return self.text[at:at + 1] in (" ", "\t")

    def _linebreak(self) -> None:
        """Go over blanks, comments and newlines, with the here-documents behind them."""
        while True:
            self._blank()
            if self._is("#"):
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            if not self._skip("\n"):
                return
            for document in self.pending:
                self._here_document(*document)
            self.pending = []

    def _here_document(self, delimiter: str, quoted: bool, tabs: bool) -> None:
        start = self.at
        while True:
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            line = self.text[self.at:end]
            line = line.lstrip("\t") if tabs else line
            if line == delimiter:
                break
            # Inside `$(…)` some shells take `EOF)` for the end.
            if end == len(self.text) or line.startswith(delimiter):
                raise _Unsure("a here-document has no clear end")
            self.at = end + 1
        if not quoted:
            body = self.text[start:self.at]
            if "\\\n" in body:
                raise _Unsure("a line of a here-document ends in a backslash")
            _Reader(body, self.depth + 1)._quoted("")
        self.at = min(end + 1, len(self.text))

    # Words

    def _word(self) -> _Word | None:
        """The word that begins here, or None."""
        start, word = self.at, _Word()
        while self._piece(start, word):
            pass
        word.raw = self.text[start:self.at]
        if word.raw in ("[", "[[", "{"):
            word.fixed, word.splits = True, False
        if self.pending and "\n" in word.raw:
            raise _Unsure("a word goes over the line that a here-document begins on")
        if self._next() in ("<", ">") and word.raw.startswith("{"):
            raise _Unsure(f"`{_shown(word.raw)}{self._next()}` is not understood")
        return word if word.raw else None

    def _piece(self, start: int, word: _Word) -> bool:
        """Read one piece of the word that began at `start`; whether there was one."""
        ordinary = self._run(_SPECIAL)
        if ordinary:
            word.literal += ordinary
            if not _PATTERN.isdisjoint(ordinary):
                word.fixed = False
                word.splits = word.splits or "{" in ordinary
        elif self._skip("'"):
            word.add(self._to_single_quote(), True)
        elif self._skip('"'):
            word.add(*self._quoted('"'))
        elif self._is("\\"):
            return self._escape(word)
        elif self._is("$'") or self._is('$"'):
            self._foreign_quote()
            word.add("", False)
        elif self._is("$") or self._is("`"):
            expands = self._expansion(False)
            word.literal += "" if expands else "$"
            word.fixed = word.fixed and not expands
            word.splits = word.splits or expands
        elif self._is("(") and self._before_array(start):
            self._array()
            word.fixed = False
        else:
            return False
        return True

    def _before_array(self, start: int) -> bool:
        word = self.text[start:self.at]
        return word.endswith("=") and _is_name(word[:-1].removesuffix("+"))

    def _to_single_quote(self) -> str:
        end = self.text.find("'", self.at)
        if end < 0:
            raise _Unsure("a quote has no end")
        inside = self.text[self.at:end]
        self.at = end + 1
        return inside

    def _escape(self, word: _Word) -> bool:
        escaped = self.text[self.at + 1:self.at + 2]
        if not escaped:
            raise _Unsure("the last line ends in a backslash")
        if escaped == "\n":
            if not self._blank_at(self.at + 2):
                raise _Unsure("a line is continued inside a word")
            return False
        self.at += 2
        word.add(escaped, True)
        return True

    def _foreign_quote(self) -> None:
        """Read `$'…'` or `$"…"`, which only some shells know, where all find the same end."""
        self.at += 1
        if self._skip('"'):
            self._quoted('"')
        else:
            self.at += 1
            if self._to_single_quote().endswith("\\"):
                raise _Unsure("`\\'` inside `$'…'` is not understood alike by all shells")

    def _quoted(self, end: str) -> tuple[str, bool]:
        """Read to the double quote `end`, or to the end of the text; what is literal, and whether all of it is."""
        literal, fixed = "", True
        stop = frozenset("$`\\" + end)
        while True:
            literal += self._run(stop)
            if not self._next() and end:
                raise _Unsure("a quote has no end")
            if not self._next() or (end and self._skip(end)):
                return literal, fixed
            if self._skip("\\"):
                literal += self._next().strip("\n")
                self.at += 1
            elif self._expansion(True):
                fixed = False
            else:
                literal += "$"

    def _array(self) -> None:
        """Read `(…)` of an array assignment."""
        if self.pending:
            raise _Unsure("an array stands in the line that a here-document begins on")
        self._deeper()
        self.at += 1
        self._linebreak()
        while self._word() is not None:
            self._linebreak()
        self._expect(")")
        self.depth -= 1

    # Expansions

    def _expansion(self, quoted: bool) -> bool:
        """Read what begins with the `$` or backquote here; False for a `$` that means itself."""
        self._deeper()
        expands = True
        if self._skip("`"):
            self._backquotes(quoted)
        elif self._skip("$(("):
            self._arithmetic()
        elif self._skip("$("):
            self._substitution()
        elif self._skip("${"):
            self._parameter()
        elif self._is("$[") or self._is("$\\\n"):
            raise _Unsure(f"`${self.text[self.at + 1]}` is not understood")
        else:
            self.at += 1
            name = self._next()
            expands = name in _NAME or name in tuple("@*#?$!-")
            while expands and self._next() in _NAME:
                self.at += 1
            if expands and name not in _NAME:
                self.at += 1
        self.depth -= 1
        return expands

    def _backquotes(self, quoted: bool) -> None:
        end = self.text.find("`", self.at)
        if end < 0:
            raise _Unsure("a backquote has no end")
        inside = self.text[self.at:end]
        if "\\" in inside or (quoted and '"' in inside):
            raise _Unsure("a quote inside backquotes is not understood alike by all shells")
        _Reader(inside, self.depth + 1).program()
        self.at = end + 1

    def _arithmetic(self) -> None:
        """Read to the `))` of `$((…))`. Where single ones balance earlier, it may be a command: not understood."""
        opened = 2
        while opened:
            self._run(_IN_ARITHMETIC)
            if self._is("$"):
                self._expansion(True)
            elif self._skip("("):
                opened += 1
            elif self._skip(")"):
                opened -= 1
                if opened == 1:
                    self._expect(")")
                    return
            else:
                raise _Unsure("`$((` has no clear end")

    def _parameter(self) -> None:
        """Read to the `}` of `${…}`. Shells differ about quotes in it: not understood."""
        if self._next() in (" ", "\t", "\n", "|"):
            raise _Unsure("`${` is not followed by a name")
        while not self._skip("}"):
            if self._next() in ("", "\n"):
                raise _Unsure("`${` has no end in its line")
            if self._is("$"):
                self._expansion(True)
            elif self._is("\\") and self.text[self.at + 1:self.at + 2] not in _NOT_ESCAPED:
                self.at += 2
            elif not self._run(_IN_BRACES):
                raise _Unsure(f"`{self._next()}` inside `${{…}}` is not understood alike by all shells")

    def _substitution(self) -> None:
        """Read commands to the `)` of a command substitution, which has here-documents of its own."""
        outer, self.pending = self.pending, []
        self._commands(")")
        if self.pending:
            raise _Unsure("a here-document has no clear end")
        self.pending = outer
        self._expect(")")

    # Commands

    def program(self) -> _Command:
        """Read the whole text; its last command. One whose `start` is 0 and that has no words if there is none."""
        last = _Command()
        self._linebreak()
        while self._next():
            last = _Command()
            last.start = self.at
            self._list(last)
            self._blank()
            last.end = self.at
            self._separator()
            self._linebreak()
        if self.pending:
            raise _Unsure("a here-document has no clear end")
        return last

    def _commands(self, *closers: str) -> None:
        """Read commands up to one of `closers` where a command could begin; the closer is not read."""
        self._linebreak()
        while not self._closed(closers):
            if not self._next():
                raise _Unsure(f"`{closers[-1]}` is missing")
            self._list(_Command())
            self._separator(*closers)
            self._linebreak()

    def _closed(self, closers: tuple[str, ...]) -> bool:
        if self._is(")"):
            return ")" in closers
        if self._is(";;") or self._is(";&"):
            return ";;" in closers
        return self._keyword() in closers

    def _separator(self, *closers: str) -> None:
        """Read what ends a list of commands."""
        self._blank()
        if self._is("&"):
            raise _Unsure("a line starts a background process")
        if self._next() in ("", "\n", "#") or self._closed(closers):
            return
        if self._is(";;") or not self._skip(";"):
            self._give_up()

    def _list(self, command: _Command) -> None:
        """Read pipelines joined by `&&` and `||`."""
        self._pipeline(command)
        self._blank()
        while self._skip("&&") or self._skip("||"):
            command.simple = False
            self._linebreak()
            self._pipeline(_Command())
            self._blank()

    def _pipeline(self, command: _Command) -> None:
        negated = False
        while self._skip_keyword("!"):
            negated = True
            self._blank()
        self._command(command)
        self._blank()
        while self._is("|") and not self._is("||"):
            self.at += 1
            if self._is("&"):
                raise _Unsure("`|&` is not understood alike by all shells")
            negated = True
            self._linebreak()
            self._command(_Command())
            self._blank()
        command.simple = command.simple and not negated

    def _command(self, command: _Command) -> None:
        self._deeper()
        block = self.blocks.get(self._keyword())
        if block is not None:
            self.at += len(self._keyword())
            block()
        elif self._is("(("):
            raise _Unsure("`((` is not understood alike by all shells")
        elif self._skip("("):
            self._commands(")")
            self._expect(")")
        else:
            self._simple(command)
        self._blank()
        while not command.simple and self._redirection():
            self._blank()
        self.depth -= 1

    def _simple(self, command: _Command) -> None:
        start = self.at
        while True:
            self._blank()
            if self._redirection():
                continue
            word = None if self._is("#") else self._word()
            if word is None:
                break
            if not command.words and _assigns(word.raw):
                command.assigns = True
                if word.raw.startswith("BASH_"):
                    raise _Unsure(f"a line sets `{_shown(word.raw)}`")
            else:
                command.words.append(word)
        if self._is("("):
            raise _Unsure("a line defines a function" if len(command.words) == 1 else "a `(` is not understood")
        if self.at == start:
            self._give_up()
        _check_command(command.words)
        command.simple = True

    def _redirection(self) -> bool:
        """Read a redirection; whether there was one."""
        start = self.at
        while self._next() in _DIGITS:
            self.at += 1
        operator = next(filter(self._skip, _REDIRECTIONS), "")
        if not operator:
            self.at = start
            return False
        if self._is("("):
            raise _Unsure("a line starts a background process")
        self._blank()
        if operator in ("<<", "<<-"):
            self._delimiter(operator == "<<-")
        elif operator in ("<&", ">&"):
            descriptor = self._run(_ENDS)
            if not descriptor or not (descriptor == "-" or _DIGITS.issuperset(descriptor)):
                raise _Unsure(f"`{operator}` without a number is not understood alike by all shells")
        elif self._word() is None:
            self._give_up()
        return True

    def _delimiter(self, tabs: bool) -> None:
        written = self._run(_ENDS)
        name = written.strip("'\"\\")
        if not name or not _NAME.issuperset(name) or written not in (name, f"'{name}'", f'"{name}"', f"\\{name}"):
            raise _Unsure("the delimiter of a here-document is not plain")
        self.pending.append((name, written != name, tabs))

    # Blocks

    def _if(self) -> None:
        more = True
        while more:
            self._commands("then")
            self._expect("then")
            self._commands("elif", "else", "fi")
            more = self._skip_keyword("elif")
        if self._skip_keyword("else"):
            self._commands("fi")
        self._expect("fi")

    def _while(self) -> None:
        self._commands("do")
        self._loop()

    def _loop(self) -> None:
        self._expect("do")
        self._commands("done")
        self._expect("done")

    def _for(self) -> None:
        self._blank()
        if self._word() is None:
            self._give_up()
        self._linebreak()
        if self._skip_keyword("in"):
            self._blank()
            while not self._is("#") and self._word() is not None:
                self._blank()
        self._blank()
        self._skip(";")
        self._linebreak()
        self._loop()

    def _case(self) -> None:
        self._blank()
        if self._word() is None:
            self._give_up()
        self._linebreak()
        self._expect("in")
        self._linebreak()
        while not self._skip_keyword("esac"):
            self._patterns()
            self._commands(";;", "esac")
            if self._skip(";;"):
                self._skip("&")
            else:
                self._skip(";&")
            self._linebreak()

    def _patterns(self) -> None:
        """Read `PATTERN | PATTERN)` of a case."""
        self._skip("(")
        more = True
        while more:
            self._blank()
            if self._is("#") or self._word() is None:
                self._give_up()
            self._blank()
            more = self._skip("|")
        self._expect(")")

    def _braces(self) -> None:
        self._commands("}")
        self._expect("}")

    def _test(self) -> None:
        """Read `[[ … ]]` on one line. Shells that do not know it see words, redirections and `&&`: the same end."""
        self._blank()
        while not self._skip_keyword("]]"):
            if self._is("<(") or self._is(">(") or self._is("#"):
                self._give_up()
            if not (self._skip("&&") or any(map(self._skip, "|()<>"))):
                word = self._word()
                if word is None:
                    raise _Unsure("`[[` has no clear end")
                if word.literal in _TAMPERING:
                    raise _Unsure(_TAMPERING[word.literal])
            self._blank()
