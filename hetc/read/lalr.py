"""A driver for generated LALR tables: text to tokens, tokens to a plain tree.

It does what lark does with the same grammar, at a fraction of the start-up cost; a test holds the two together.
"""
from __future__ import annotations

import re

from hetc.read import het_tables as tables
from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    #: A terminal's name, and the half-open range of the text.
    Token: TypeAlias = tuple[str, int, int]
    #: A rule's name and what it kept: tokens by index, and trees.
    Tree: TypeAlias = "tuple[str, list[int | Tree]]"

_TOKEN = re.compile(tables.PATTERN)
_RULES = [(name, size, kept, name.startswith("_")) for name, size, kept in tables.RULES]
_LAST = "$END"


#: Tokens of a text, and half as many as there may be with blanks and comments: 10,000 groups of a dozen items have fewer.
MOST_TOKENS = 500_000


#: Characters of a text, which bound what one token may cost.
MOST_CHARACTERS = 2 * 2**20


class TooMany(Exception):
    """A text with more than MOST_TOKENS; `at` is the offset where they are exceeded."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Failure(Record):
    """Where a parse stopped: the index of the token (their number, at the end), what could stand there, the parser's state."""

    at: int
    expected: frozenset[str]
    state: int


def lex(text: str, end: int, at: int = 0) -> tuple[list[Token], int]:
    """The tokens of `text[at:end]`, and the offset where no token fits: `end` when all is read. Raises TooMany."""
    tokens: list[Token] = []
    match = _TOKEN.match
    for _ in range(2 * MOST_TOKENS):
        found = match(text, at, end) if at < end else None
        if found is None:
            break
        name = str(found.lastgroup)
        if name not in tables.IGNORED:
            tokens.append((name, at, found.end()))
        at = found.end()
    else:
        raise TooMany(at)
    if len(tokens) > MOST_TOKENS:
        raise TooMany(tokens[MOST_TOKENS][1])
    return tokens, at


def parse(tokens: list[Token], whole: bool = True) -> Tree | Failure:
    """The tree of the tokens. Where they are not the `whole` text, the failure is at their end if not before."""
    states = [0]
    values: list[int | Tree | list[int | Tree]] = []
    for at in range(len(tokens) + whole):
        symbol = tokens[at][0] if at < len(tokens) else _LAST
        while True:
            action = tables.STATES[states[-1]].get(symbol)
            if action is None:
                return _failure(at, states[-1])
            if action >= 0:
                break
            name, size, kept, inlined = _RULES[-1 - action]
            children = _children([values[index - size] for index in kept])
            del states[-size:], values[-size:]
            states.append(tables.STATES[states[-1]][name])
            values.append(children if inlined else (name, children))
            if symbol == _LAST and states[-1] == tables.END:
                return (name, children)
        states.append(action)
        values.append(at)
    return _failure(len(tokens), states[-1])


def _children(parts: list[int | Tree | list[int | Tree]]) -> list[int | Tree]:
    # A repetition is left-recursive: growing its first part in place keeps long sums linear.
    first = parts[0] if parts and isinstance(parts[0], list) else []
    for part in parts[bool(first):]:
        first.extend(part) if isinstance(part, list) else first.append(part)
    return first


def _failure(at: int, state: int) -> Failure:
    return Failure(at, frozenset(name for name in tables.STATES[state] if name.isupper()), state)
