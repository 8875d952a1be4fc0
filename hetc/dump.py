"""Kubernetes data as YAML that every reader reads alike, or as JSON.

YAML's readers disagree on what a scalar without quotes is: to kubectl `y` is a boolean and `0o17` a number, to PyYAML
`12:30` is 750. So a string stands plain only in a narrow form that PyYAML, ruamel.yaml (YAML 1.1 and 1.2), kubectl and
kustomize read unchanged, else in double quotes, or as a literal block where that keeps every character. The forms are
judged in tests/test_dump.py by those programs.
"""
from __future__ import annotations

import re

from hetc.tree import Mapping, Scalar, Sequence, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.tree import Node

# Words, paths, images and binary quantities.
_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9_./@-]*(?::[A-Za-z0-9_./@-]+)*|[0-9]+[KMGTPE]i", re.ASCII)
_WORDS = frozenset("y n yes no on off true false null".split())

# What may stand in a literal block: no character that a reader takes for a line break, and no line that ends in a blank.
_LITERAL = re.compile(
    "[\t\n\\x20-\\x7e\u00a1-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\ud7ff\uf900-\ufdcf\ufdf0-\ufefe\uff01-\uffef\U00010000-\U0001fffd]+"
)
_BLANK_END = re.compile("[ \t](?:\n|\\Z)")

_ESCAPED = re.compile('[\\x00-\\x1f"\\\\\\x7f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]')
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}

# YAML allows a key before a `:` only 1024 characters; some readers count bytes.
_LONGEST_KEY = 1000

_REFUSED = re.compile("[\\x00\ud800-\udfff]")
_FRAGILE = re.compile("[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def dump(documents: list[Node]) -> str:
    """The documents as YAML, `---` between them; ends with one newline.

    Trees hold strings, integers of 64 bits and booleans. Anything else, or a string that `unwritable` names, is a bug
    of the caller and an AssertionError.
    """
    lines: list[str] = []
    for index, document in enumerate(documents):
        if index:
            lines.append("---")
        _write(document, lines)
    return "".join(line + "\n" for line in lines)


def dump_json(documents: list[Node]) -> str:
    """The documents as JSON in their own order of keys: one as it is, several in a v1 List; ends with one newline."""
    import json

    for document in documents:
        _write(document, [])
    data = [plain(document) for document in documents]
    whole = data[0] if len(data) == 1 else {"apiVersion": "v1", "kind": "List", "items": data}
    return json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def unwritable(text: str) -> str | None:
    """Why no manifest can carry a string, or None."""
    found = _REFUSED.search(text)
    if found is None:
        return None
    if found[0] == "\0":
        return "it has the character U+0000, which no process can receive"
    return f"it has half a character, the lone surrogate {_code(found[0])}"


def trouble(text: str) -> str | None:
    """Why a string is `unwritable`, or else why a tool that writes the manifest again may damage it, or None.

    Source: tries with kustomize 5.8.1. It leaves the quotes of `=` and `<<` out, makes a blank of U+0085, fails on DEL,
    the other C1 characters, U+FFFE and U+FFFF, and writes U+2028 and U+2029 so that ruamel.yaml ends a line there.
    """
    wrong = unwritable(text)
    if wrong is not None:
        return wrong
    if text in ("=", "<<"):
        return f"it is `{text}`, which kustomize writes without quotes, so that other readers fail"
    found = _FRAGILE.search(text)
    return None if found is None else f"it has the character {_code(found[0])}, which not every YAML tool keeps"


def scalar(value: str | int | bool) -> str:
    """A value on one line: a string plain or in double quotes."""
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        assert -(2**63) <= value < 2**63, f"{value:x} has more than 64 bits: kubectl would read a float"
        return str(value)
    assert isinstance(value, str), f"{value!r} in a manifest"
    if _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    wrong = unwritable(value)
    assert wrong is None, wrong
    return '"' + _ESCAPED.sub(_escape, value) + '"'


def _write(document: Node, lines: list[str]) -> None:
    """Append the lines of a document.

    Each waiting node comes with what its line begins with and the columns at which its entries and its items would
    stand. Behind a dash the first of them follows on the same line; behind a key all stand on lines of their own.
    """
    waiting: list[tuple[Node, str, int, int, bool]] = [(document, "", 0, 0, True)]
    while waiting:
        node, head, entries, items, joins = waiting.pop()
        column = items if isinstance(node, Sequence) else entries
        if isinstance(node, Scalar):
            _leaf(node.value, head, column, lines)
            continue
        children = node.entries if isinstance(node, Mapping) else node.items
        if not children:
            lines.append(head + ("{}" if isinstance(node, Mapping) else "[]"))
            continue
        if not joins:
            lines.append(head.rstrip())
        margin = " " * column
        below: list[tuple[Node, str, int, int, bool]] = []
        if isinstance(node, Mapping):
            for key, entry in node.entries.items():
                start = head if joins and not below else margin
                text = scalar(key)
                if len(text.encode()) > _LONGEST_KEY:
                    below.append((entry.value, f"{start}? {text}\n{margin}: ", column + 2, column + 2, True))
                else:
                    below.append((entry.value, f"{start}{text}: ", column + 2, column, False))
        else:
            for item in node.items:
                start = head if joins and not below else margin
                below.append((item, f"{start}- ", column + 2, column + 2, True))
        waiting.extend(reversed(below))


def _leaf(value: object, head: str, column: int, lines: list[str]) -> None:
    assert isinstance(value, (str, int)), f"{value!r} in a manifest"
    if not (isinstance(value, str) and _literal(value)):
        lines.append(head + scalar(value))
        return
    margin = " " * max(column, 2)
    lines.append(head + ("|" if value.endswith("\n") else "|-"))
    lines.extend(margin + line if line else "" for line in value.removesuffix("\n").split("\n"))


def _literal(text: str) -> bool:
    """Whether a literal block keeps every character of a text of several lines."""
    return (
        "\n" in text and text[0] not in " \t\n" and not text.endswith("\n\n")
        and _LITERAL.fullmatch(text) is not None and _BLANK_END.search(text) is None
    )


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _SHORT.get(character) or (f"\\x{ord(character):02x}" if character <= "\xff" else f"\\u{ord(character):04x}")


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
