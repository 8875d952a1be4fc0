"""What to say where a request does not follow the grammar.

A parser knows a token and what could stand in its place; a user needs what is wrong and what to write. Each
function here knows one mistake, and gives its complaint or None; the first one that knows wins.
"""
from __future__ import annotations

import re

from hetc import codes
from hetc.quantity import show
from hetc.read import het_foreign
from hetc.read.het_values import MIG
from hetc.read.lalr import lex
from hetc.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from hetc.diagnostic import Report
    from hetc.read.het_foreign import Complaint
    from hetc.read.lalr import Failure, Token
    from hetc.source import Source

    Explainer: TypeAlias = Callable[["_Stop"], Complaint | None]

_CLOSERS = {"LESSTHAN": ">", "LSQB": "]"}
_READABLE = {
    "$END": "the end", "WORD": "a word", "STRING": "a string", "LESSTHAN": "`<`", "MORETHAN": "`>`", "LSQB": "`[`", "RSQB": "`]`",
    "STAR": "`*`", "PLUS": "`+`", "COMMA": "`,`", "COLON": "`:`", "EQUALS": "`=`",
}
_COUNT = re.compile("[0-9]+")
_SECTIONS = ("use", "gang")

#: How far from the first character outside ASCII others are looked for.
_SWARM = 100_000


class _Stop:
    """Where parsing stopped: before token `at`, or, where that is their number, at `offset` in the text."""

    def __init__(self, source: Source, end: int, tokens: list[Token], offset: int, failure: Failure) -> None:
        self.source = source
        self.end = end
        self.tokens = tokens
        self.at = failure.at
        self.offset = offset if failure.at == len(tokens) else tokens[failure.at][1]
        self.expected = failure.expected
        #: No token fits at the offset.
        self.strange = failure.at == len(tokens) and offset < end
        #: Indexes of the brackets that are open here.
        self.open: list[int] = []
        for index, (kind, _, _) in enumerate(tokens[:failure.at]):
            if kind in _CLOSERS:
                self.open.append(index)
            elif kind in ("MORETHAN", "RSQB"):
                self.open.pop()

    def kind(self, step: int = 0) -> str:
        """The terminal `step` tokens from here; empty beyond either end."""
        at = self.at + step
        return self.tokens[at][0] if 0 <= at < len(self.tokens) else ""

    def text(self, step: int = 0) -> str:
        at = self.at + step
        return self.source.text[self.tokens[at][1]:self.tokens[at][2]] if 0 <= at < len(self.tokens) else ""

    def span(self, first: int = 0, last: int | None = None) -> Span:
        """The place of the tokens from `first` to `last`, steps from here; the end of the text is a place too."""
        start, after = (self._bounds(step)[side] for side, step in enumerate((first, first if last is None else last)))
        return Span(self.source, start, after)

    def _bounds(self, step: int) -> tuple[int, int]:
        at = self.at + step
        return self.tokens[at][1:] if at < len(self.tokens) else (self.end, self.end)

    def inside(self) -> str:
        """The bracket that is open: `<`, `[` or nothing."""
        return self.source.text[self.tokens[self.open[-1]][1]] if self.open else ""

    def ends(self) -> bool:
        return self.at == len(self.tokens) and not self.strange


def explain(source: Source, end: int, tokens: list[Token], offset: int, failure: Failure, report: Report) -> None:
    """Report the first mistake of syntax in `source.text[:end]`, whose tokens end at `offset` and fail to parse."""
    stop = _Stop(source, end, tokens, offset, failure)
    if stop.strange and source.text[offset] > "\x7f":
        _not_ascii(stop, report)
        return
    complaints = (explainer(stop) for explainer in _EXPLAINERS)
    report.add(*next(complaint for complaint in complaints if complaint))


# Characters that are no token.

def _not_ascii(stop: _Stop, report: Report) -> None:
    """Report each kind of foreign character, at its first place: they come in swarms."""
    from hetc.read import het_ascii

    text, at, seen = stop.source.text, stop.offset, set[str]()
    end = min(stop.end, at + _SWARM)
    while at < end and (text[at] > "\x7f" or not seen):
        if text[at] not in seen:
            seen.add(text[at])
            report.add(codes.NOT_ASCII, Span(stop.source, at, at + 1), *het_ascii.explain(text[at]))
        at = lex(text, end, at + 1)[1]


def _command(stop: _Stop) -> Complaint | None:
    """The command line of another scheduler, or its directives in comments where nothing else looks like a group."""
    text = stop.source.text[:stop.end]
    first = stop.tokens[0][1] if stop.tokens else len(text) - len(text.lstrip())
    found = None if any(kind == "STAR" for kind, _, _ in stop.tokens) else het_foreign.directives(text)
    if found is not None:
        return codes.FOREIGN, Span(stop.source, *found[:2]), *het_foreign.command(found[2])
    if not het_foreign.is_command(text[first:first + 80]):
        return None
    start = stop.span(-stop.at) if stop.tokens else Span(stop.source, first, first + len(text[first:].partition("\n")[0]))
    return codes.FOREIGN, start, *het_foreign.command(text[first:])


def _brace(stop: _Stop) -> Complaint | None:
    text, at = stop.source.text, stop.offset
    if not stop.strange or text[at] not in "{}":
        return None
    if stop.text(-1).startswith("---"):
        return _marks(stop)
    if stop.text(-1) in _SECTIONS and stop.kind(-2) != "STAR":
        return _section_brackets(stop, at)
    if text[at] == "}":
        return codes.SYNTAX, Span(stop.source, at, at + 1), "`}` closes nothing", "delete it"
    start, after, message, help = het_foreign.braces(text, at, stop.end)
    return codes.FOREIGN, Span(stop.source, start, after), message, help


def _string(stop: _Stop) -> Complaint | None:
    text, at = stop.source.text, stop.offset
    if not stop.strange or text[at] != '"':
        return None
    closed = re.compile(r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"').match(text, at, stop.end)
    if closed is None:
        return codes.SYNTAX, Span(stop.source, at, at + 1), "the string is not closed", 'write `"` at its end, on the same line'
    bad = re.compile(r'\\(?!["\\/bfnrt]|u[0-9A-Fa-f]{4})|[\x00-\x1f]').search(text, at, closed.end())
    # An escaped backslash is no start of an escape: step over pairs.
    pairs = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*+').match(text, at, stop.end)
    start = pairs.end() if pairs else at
    if bad is not None and text[start] == "\\":
        shown = show(text[start:start + 2])
        return codes.SYNTAX, Span(stop.source, start, start + 2), f"`{shown}` is no escape of a JSON string", "write `\\\\` for a backslash"
    message = f"a string holds the control character U+{ord(text[start]):04X}"
    return codes.SYNTAX, Span(stop.source, start, start + 1), message, "write it as an escape, such as `\\t`"


def _character(stop: _Stop) -> Complaint | None:
    if not stop.strange:
        return None
    char, place = stop.source.text[stop.offset], Span(stop.source, stop.offset, stop.offset + 1)
    if char == "\\":
        return codes.SYNTAX, place, "`\\` stands inside a line", "delete it: it continues a line, as the last character"
    return codes.SYNTAX, place, f"the control character U+{ord(char):04X} stands in the request", "delete it"


# Outside groups.

def _nothing(stop: _Stop) -> Complaint | None:
    if stop.tokens:
        return None
    place = Span(stop.source, 0, 0)
    return codes.SYNTAX, place, "the request is empty", "write at least one group, such as `1*<cpu=16, mem=64Gi>`"


def _alternative(stop: _Stop) -> Complaint | None:
    for step in (0, -1):
        if not stop.inside() and stop.kind(step) == "WORD" and stop.text(step).startswith("||"):
            place = Span(stop.source, stop.span(step).start, stop.span(step).start + 2)
            return codes.FOREIGN, place, "`||`: alternatives of LSF", "write the one request that is meant; hetc has no alternatives"
    return None


def _sign(stop: _Stop) -> Complaint | None:
    """`+2*<...>`: a sign, or a sum without a first group."""
    if stop.kind() != "PLUS" or stop.kind(-1) not in ("", "RSQB") or stop.inside() or _groups_before(stop):
        return None
    if stop.kind(1) == "WORD" and _COUNT.fullmatch(stop.text(1)):
        return codes.COUNT, stop.span(), f"the count `+{show(stop.text(1))}` has a sign", f"write `{show(stop.text(1))}`"
    return codes.SYNTAX, stop.span(), "no group before `+`", "write a group before it, or delete it"


def _groups_before(stop: _Stop) -> bool:
    return any(kind == "MORETHAN" for kind, _, _ in stop.tokens[:stop.at])


def _no_group(stop: _Stop) -> Complaint | None:
    if stop.inside():
        return None
    step = -1 if stop.kind(-1) == "PLUS" else -2 if stop.kind() == "LSQB" and stop.kind(-2) == "PLUS" else 0
    if not step or stop.kind() in ("LESSTHAN", "STAR"):
        return None
    return codes.SYNTAX, stop.span(step), "no group after `+`", "write a group after it, such as `+ 2*worker<gpu=8>`, or delete it"


def _bare_section(stop: _Stop) -> Complaint | None:
    word = stop.text(-1)
    if stop.inside() or word not in _SECTIONS or stop.kind() == "LESSTHAN" or stop.kind(-2) == "STAR":
        return None
    example = 'use["base.yaml"]' if word == "use" else "gang[min=all]"
    return codes.SYNTAX, stop.span(-1), f"nothing in brackets after `{word}`", f"write `{example}`"


def _parenthesis(stop: _Stop) -> Complaint | None:
    """`1*master(cpu=1)`, `1*(cpu=1)` and `gang(fail=restart)`: the parenthesis is part of a word."""
    for step in (-1, 0):
        if stop.inside() or stop.kind(step) != "WORD" or "(" not in stop.text(step):
            continue
        name = stop.text(step).partition("(")[0]
        at = stop.span(step).start + len(name)
        if (name or stop.text(step - 1)) in _SECTIONS and stop.kind(step - 1) != "STAR":
            return _section_brackets(stop, at)
        before = stop.kind(step - 1)
        place = Span(stop.source, at, at + 1)
        if before == "STAR" or (before == "WORD" and stop.kind(step - 2) == "STAR"):
            return codes.SYNTAX, place, "`(` starts no group", f"write `<{_between(stop, at)}>`"
        if before in ("", "PLUS"):
            return codes.SYNTAX, place, "`(` starts no group", f"write `1*{show(name)}<{_between(stop, at)}>`"
    return None


def _angles(stop: _Stop) -> Complaint | None:
    """`gang<fail=restart>`; a group that is called `gang` and has no count asks for something."""
    if stop.inside() or stop.kind() != "LESSTHAN" or stop.text(-1) not in _SECTIONS or stop.kind(-2) == "STAR":
        return None
    keys = re.findall(r"([A-Za-z_]+) *=", _between(stop, stop.offset))
    return None if set(keys) & {"cpu", "mem", "gpu", "rdma", "ppn"} else _section_brackets(stop, stop.offset)


def _section_brackets(stop: _Stop, at: int) -> Complaint:
    """`use` and `gang` before another bracket than `[`, which stands at `at`."""
    name = "gang" if stop.source.text[:at].rstrip().endswith("gang") else "use"
    message = f"`{stop.source.text[at]}` after `{name}`"
    return codes.SYNTAX, Span(stop.source, at, at + 1), message, f"write `{name}[{_between(stop, at)}]`"


def _between(stop: _Stop, at: int) -> str:
    """What stands between the bracket at `at` and the one that closes it; `...` where that is not plain to see."""
    inner = re.compile(r"[(<{]([^()<>{}\[\]]{1,200})[)>}]").match(stop.source.text, at, stop.end)
    words = " ".join(inner[1].split()) if inner else ""
    return words if words.isascii() and words.isprintable() and words else "..."


def _no_dashes(stop: _Stop) -> Complaint | None:
    """YAML behind the groups without a `---` line, found at the colon of `image: x`; and `--` in the line's place."""
    if stop.inside() or stop.kind(-1) != "WORD" or stop.kind(-2) not in ("MORETHAN", "RSQB") or not _groups_before(stop):
        return None
    word, place = stop.text(-1), stop.span(-1)
    first_on_line = not stop.source.text[:place.start].rpartition("\n")[2].strip()
    if stop.kind() == "COLON" and (first_on_line or word in het_foreign.TEXT):
        return codes.SYNTAX, place, f"no `---` line before `{show(word)}:`", "write a line `---` before the YAML"
    if re.fullmatch("-+|_+|~+", word) and (word != "---" or first_on_line):
        message = "the `---` line is indented" if word == "---" else f"`{show(word)}` parts no request from its YAML"
        return codes.SYNTAX, place, message, "write a line `---` before the YAML"
    return None


def _marks(stop: _Stop) -> Complaint | None:
    """`--- text`, and `#` right behind something."""
    for step in (-1, 0):
        if stop.inside() or stop.kind(step) != "WORD":
            continue
        if stop.text(step).startswith("---"):
            return codes.SYNTAX, stop.span(step), f"`{show(stop.text(step))}` on a line with more", "write `---` on a line of its own"
        if stop.text(step).startswith("#"):
            place = Span(stop.source, stop.span(step).start, stop.span(step).start + 1)
            return codes.SYNTAX, place, "`#` right behind a word or sign starts no comment", "write a blank before it"
    return None


def _other_plus(stop: _Stop) -> Complaint | None:
    """`,`, `&&` and the like between two groups."""
    if stop.inside():
        return None
    if stop.kind(-1) == "MORETHAN" and stop.kind() in ("COMMA", "COLON"):
        return codes.SYNTAX, stop.span(), f"`{stop.text()}` between groups", "write `+` in its place"
    if stop.kind(-1) != "WORD" or stop.kind(-2) != "MORETHAN":
        return None
    sign = re.match(r"&&?|;|[|/]|(?:and|plus|with)\Z", stop.text(-1), re.IGNORECASE)
    if sign is None:
        return None
    start = stop.span(-1).start
    return codes.SYNTAX, Span(stop.source, start, start + len(sign[0])), f"`{sign[0]}` between groups", "write `+` in its place"


def _no_plus(stop: _Stop) -> Complaint | None:
    """A group right behind another one, found at its `*` or `<`: a word alone may start a section."""
    if stop.inside():
        return None
    if stop.kind(-1) == "MORETHAN" and stop.kind() in ("LESSTHAN", "STRING", "STAR", "LSQB"):
        step = 0
    elif stop.kind(-1) == "WORD" and stop.kind(-2) == "MORETHAN":
        step = -1
    else:
        return None
    return codes.SYNTAX, stop.span(step), f"no `+` before `{show(stop.text(step))}`", "write `+` between groups"


def _late_group(stop: _Stop) -> Complaint | None:
    if stop.inside() or not _groups_before(stop):
        return None
    step = 0 if stop.kind(-1) == "RSQB" else -1 if stop.kind(-1) == "WORD" and stop.kind(-2) == "RSQB" else None
    if step is None or stop.kind() not in ("PLUS", "STAR", "LESSTHAN"):
        return None
    return codes.SYNTAX, stop.span(step), "a section stands between groups", "write all groups in one sum, and sections before or behind it"


def _no_count(stop: _Stop) -> Complaint | None:
    """`<...>`, `*w<...>`, `w<...>` and `2w<...>`."""
    if stop.inside():
        return None
    if stop.kind() in ("LESSTHAN", "STAR") and stop.kind(-1) in ("", "PLUS", "RSQB"):
        name = stop.text(1) if stop.kind() == "STAR" and stop.kind(1) == "WORD" else ""
        return codes.COUNT, stop.span(), "the group has no count", f"write `1*{show(name)}<...>`"
    if stop.kind() != "LESSTHAN" or stop.kind(-1) != "WORD" or stop.kind(-2) not in ("", "PLUS", "RSQB"):
        return None
    word = stop.text(-1)
    times = re.fullmatch("([0-9]+)[xX]?(.*)", word)
    if times is None:
        return codes.COUNT, stop.span(-1), f"the group `{show(word)}` has no count", f"write `1*{show(word)}<...>`"
    return codes.SYNTAX, stop.span(-1), f"no `*` after the count in `{show(word)}`", f"write `{show(times[1] + '*' + times[2])}<...>`"


def _words(stop: _Stop) -> Complaint | None:
    """Two words in a row, or a word and something that is no `*`, outside groups."""
    if stop.inside() or stop.kind(-1) != "WORD":
        return None
    before, word = stop.text(-1), stop.text()
    if stop.kind(-2) == "STAR":
        return _no_items(stop)
    if stop.kind() == "WORD" and _COUNT.fullmatch(before):
        return codes.SYNTAX, stop.span(), f"no `*` between `{show(before)}` and `{show(word)}`", f"write `{show(before)}*{show(word)}`"
    if stop.kind() == "COMMA" and _COUNT.fullmatch(before) and _COUNT.fullmatch(stop.text(1)):
        return codes.COUNT, stop.span(-1, 1), f"the count `{show(before)},{show(stop.text(1))}` has a comma", "write its digits alone"
    if stop.kind() == "EQUALS":
        return codes.SYNTAX, stop.span(-1), f"`{show(before)}` stands outside a group", f"write `1*<{show(before)}=...>`"
    if _COUNT.fullmatch(before):
        return codes.SYNTAX, stop.span(-1), f"no `*` after the count `{show(before)}`", f"write `{show(before)}*<cpu=16, mem=64Gi>`"
    return codes.SYNTAX, stop.span(-1), f"`{show(before)}` starts no group and no section", f"write groups, such as `{het_foreign.EXAMPLE}`"


def _no_items(stop: _Stop) -> Complaint | None:
    """A count and perhaps a name, and then no `<`."""
    named = stop.kind(-1) == "WORD" and stop.kind(-2) == "STAR"
    if stop.inside() or not (named or stop.kind(-1) == "STAR"):
        return None
    name = stop.text(-1) if named else ""
    if stop.kind() == "STAR":
        return codes.SYNTAX, stop.span(), "a second `*` in one group", "delete it"
    if stop.kind() == "STRING":
        return codes.SYNTAX, stop.span(), f"`{show(stop.text())}`: a name has no quotes", f"write `{show(stop.text()[1:-1])}`"
    if stop.kind() == "LSQB":
        return codes.SYNTAX, stop.span(), "`[` starts no group", "write `<...>`"
    if stop.kind() == "WORD" and named:
        joined = show(f"{name}-{stop.text()}")
        return codes.SYNTAX, stop.span(), f"a name is one word, not `{show(name)} {show(stop.text())}`", f"write `{joined}`"
    place = stop.span(-2) if named else stop.span(-1)
    text = f"{stop.text(-3)}*{name}" if named else f"{stop.text(-2)}*"
    return codes.SYNTAX, place, f"nothing is asked for after `{show(text)}`", f"write `{show(text)}<cpu=16, mem=64Gi>`"


def _stray(stop: _Stop) -> Complaint | None:
    if stop.inside() or stop.kind() not in ("MORETHAN", "RSQB"):
        return None
    return codes.SYNTAX, stop.span(), f"`{stop.text()}` closes nothing", "delete it"


# Inside brackets.

def _compared(stop: _Stop) -> Complaint | None:
    """`<mem>=64Gi>`, `<mem<=64Gi>` and `<mem>1000>`: found behind or at the sign, or behind the value."""
    if stop.kind() == "EQUALS" and stop.kind(-1) == "MORETHAN":
        step = -1
    elif stop.kind() == "LESSTHAN" and stop.inside() == "<":
        step = 0
    elif stop.kind() in ("MORETHAN", "COMMA") and stop.kind(-1) == "WORD" and stop.kind(-2) == "MORETHAN" and not stop.inside():
        step = -2
    else:
        return None
    key = stop.text(step - 1)
    if key not in het_foreign.EXAMPLES or stop.kind(step - 2) not in ("LESSTHAN", "COMMA"):
        return None
    sign = stop.text(step) + ("=" if stop.kind(step + 1) == "EQUALS" else "")
    return codes.FOREIGN, stop.span(step), f"`{sign}` after `{key}`: there are no comparisons", f"write `{het_foreign.EXAMPLES[key]}`"


def _condition(stop: _Stop) -> Complaint | None:
    """LSF's select language in `select[...]`."""
    if stop.inside() != "[":
        return None
    for step in (0, -1):
        text, place = stop.text(step), stop.span(step)
        if stop.kind(step) != "WORD" or stop.at + step <= stop.open[-1]:
            continue
        if text in ("and", "or", "&", "|") and step == 0:
            return codes.FOREIGN, place, *het_foreign.operator(text)
        sign = re.search(r"\|\||&&|[!()~]", text)
        if sign:
            place = Span(stop.source, place.start + sign.start(), place.start + sign.end())
            return codes.FOREIGN, place, *het_foreign.operator(sign[0])
    closes_later = re.compile(r"[^\[<\]]*\]").match(stop.source.text, stop.offset + 1, stop.end)
    if stop.kind() == "LESSTHAN" or (stop.kind() == "MORETHAN" and closes_later):
        sign_text = stop.text() + ("=" if stop.kind(1) == "EQUALS" else "")
        return codes.FOREIGN, stop.span(), *het_foreign.operator(sign_text)
    return None


def _empty(stop: _Stop) -> Complaint | None:
    if stop.kind() != "MORETHAN" or stop.kind(-1) != "LESSTHAN":
        return None
    return codes.SYNTAX, stop.span(-1, 0), "`<>` asks for nothing", "write what one replica needs, such as `<cpu=16, mem=64Gi>`"


def _signed_value(stop: _Stop) -> Complaint | None:
    if not stop.inside() or stop.kind() != "PLUS" or stop.kind(-1) not in ("EQUALS", "COLON"):
        return None
    value = stop.text(1)
    return codes.BAD_VALUE, stop.span(), f"the value `+{show(value)}` has a sign", f"write `{show(value)}`" if value else "delete it"


def _no_value(stop: _Stop) -> Complaint | None:
    """`cpu=,`, `gpu=8:>`, and the same at the end."""
    if not stop.inside() or stop.kind(-1) not in ("EQUALS", "COLON") or stop.kind() not in ("COMMA", "MORETHAN", "RSQB", "EQUALS", "COLON"):
        return None
    sign, before = stop.text(-1), show(stop.text(-2))
    example = het_foreign.EXAMPLES.get(stop.text(-2), f"{before}=...") if sign[0] == "=" else "gpu=8:A100"
    return codes.SYNTAX, stop.span(-1), f"nothing after `{before}{sign}`", f"write a value, such as `{example}`, or delete the `{sign}`"


def _no_item(stop: _Stop) -> Complaint | None:
    if not stop.inside() or stop.kind() not in ("COMMA", "EQUALS", "COLON") or stop.kind(-1) not in ("COMMA", "LESSTHAN", "LSQB"):
        return None
    what = "item" if stop.kind() == "COMMA" else "key"
    return codes.SYNTAX, stop.span(), f"no {what} before `{stop.text()}`", "write it, or delete the sign"


def _nested(stop: _Stop) -> Complaint | None:
    """A group, or a second `[`, inside brackets."""
    if stop.inside() == "<" and stop.kind() == "STAR" and stop.kind(-1) == "WORD" and stop.kind(-2) in ("LESSTHAN", "COMMA"):
        return codes.SYNTAX, stop.span(-1), "a group inside a group's `<...>`", "write groups side by side: `1*<cpu=16>+2*<gpu=8>`"
    if stop.inside() == "<" and stop.kind() == "LESSTHAN":
        return codes.SYNTAX, stop.span(), "`<` inside `<...>`", "write groups side by side: `1*<cpu=16>+2*<gpu=8>`"
    if stop.inside() and stop.kind() == "LSQB":
        where = "inside `[...]`" if stop.inside() == "[" else f"after `{show(stop.text(-1))}`"
        return codes.SYNTAX, stop.span(), f"`[` {where}", "write one level of brackets, as in `select[key=value]`"
    return None


def _blank_in_value(stop: _Stop) -> Complaint | None:
    """`mem=64 Gi`."""
    unit = re.fullmatch("(?:[kKMGTPE]i?[bB]?|m|[mgt]i?b?)", stop.text())
    if not unit or stop.kind(-2) != "EQUALS" or not re.fullmatch("[0-9.]+", stop.text(-1)):
        return None
    text = show(stop.text(-1) + stop.text())
    return codes.QUANTITY, stop.span(-1, 0), f"a blank between `{show(stop.text(-1))}` and its unit `{stop.text()}`", f"write `{text}`"


def _no_comma(stop: _Stop) -> Complaint | None:
    if not stop.inside() or stop.kind() not in ("WORD", "STRING") or stop.kind(-1) not in ("WORD", "STRING", "RSQB"):
        return None
    if stop.kind(1) == "STAR":
        return None
    if stop.text(-1).endswith(";"):
        start = stop.span(-1).end - 1
        return codes.SYNTAX, Span(stop.source, start, start + 1), "`;` between items", "write `,`"
    if stop.text(-3) == "gpu" and stop.kind(-2) == "EQUALS" and stop.kind(1) != "EQUALS" and _COUNT.fullmatch(stop.text(-1)):
        help = f"write `gpu={stop.text(-1)}:{show(stop.text())}`"
        return codes.SYNTAX, stop.span(), f"no `:` before the GPU model `{show(stop.text())}`", help
    if stop.text(-1) in het_foreign.EXAMPLES and stop.kind(-2) in ("LESSTHAN", "COMMA"):
        help = f"write `{stop.text(-1)}={show(stop.text())}`"
        return codes.SYNTAX, stop.span(), f"no `=` between `{stop.text(-1)}` and `{show(stop.text())}`", help
    return codes.SYNTAX, stop.span(), f"no `,` before `{show(stop.text())}`", "write `,` between items"


def _colon_between(stop: _Stop) -> Complaint | None:
    """`cpu=16:mem=64Gi`, as PBS has it; found at the second `=`."""
    if not stop.inside() or stop.kind() != "EQUALS":
        return None
    if stop.kind(-2) == "COLON":
        return codes.SYNTAX, stop.span(-2), f"`:` between items, before `{show(stop.text(-1))}`", "write `,`"
    return codes.SYNTAX, stop.span(), f"a second `=` after `{show(stop.text(-1))}`", "write `key=value` items with `,` between them"


def _bare_mig(stop: _Stop) -> Complaint | None:
    """`mig=1g.10gb+me`, as NVIDIA has it, without quotes."""
    if stop.kind() != "PLUS" or stop.text(-3) != "mig" or stop.kind(2) not in ("MORETHAN", "COMMA", "COLON"):
        return None
    profile = show(stop.span(-1, 1).text())
    if not MIG.fullmatch(profile):
        return None
    return codes.SYNTAX, stop.span(-1, 1), f"the `+` of `{profile}` stands without quotes", f"write `mig={profile.replace('+', '.')}`"


def _unclosed(stop: _Stop) -> Complaint | None:
    """The bracket that is open where it cannot be: at the end, a `+`, another group, or a closing bracket of the other kind."""
    next_group = stop.kind() == "WORD" and stop.kind(1) == "STAR"
    if not stop.open or not (stop.ends() or next_group or stop.kind() in ("PLUS", "MORETHAN", "RSQB")):
        return None
    opening = stop.open[-1]
    kind, start, after = stop.tokens[opening]
    before = "at the end" if stop.ends() else f"before `{show(stop.text())}`"
    place = Span(stop.source, start, after)
    return codes.SYNTAX, place, f"`{stop.source.text[start]}` is not closed", f"write `{_CLOSERS[kind]}` {before}"


def _other(stop: _Stop) -> Complaint:
    other = {"<": {"RSQB"}, "[": {"MORETHAN"}}.get(stop.inside(), set())  # merged states expect both
    names = [_READABLE[name] for name in sorted(stop.expected - other)]
    expected = ", ".join(names[:-1]) + (" or " if names[:-1] else "") + names[-1] if names else "nothing"
    what = "the request ends too early" if stop.ends() else f"`{show(stop.text())}` cannot stand here"
    return codes.SYNTAX, stop.span(), what, f"write {expected}"


#: The order matters: what is foreign before what is missing, and the particular before the general.
_EXPLAINERS: tuple[Explainer, ...] = (
    _command, _no_dashes, _brace, _string, _character, _nothing, _parenthesis, _angles, _compared,
    _alternative, _sign, _no_group, _bare_section, _marks, _other_plus, _no_plus, _late_group, _no_count, _stray,
    _condition, _empty, _signed_value, _no_value, _no_item, _nested, _blank_in_value, _no_comma, _colon_between, _bare_mig, _unclosed,
    _no_items, _words, _other,
)
