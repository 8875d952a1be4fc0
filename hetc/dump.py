"""Kubernetes data as YAML that every reader reads alike, or as JSON.

YAML's readers disagree on what a scalar without quotes is: to kubectl `y` is a boolean and `0o17` a number, to PyYAML
`12:30` is 750. So a string stands plain only in a narrow form that PyYAML, ruamel.yaml (YAML 1.1 and 1.2), kubectl and
kustomize read unchanged, else in double quotes, or as a literal block where that keeps every character. The forms are
judged in tests/test_dump.py by those programs.
"""
from __future__ import annotations

import re

from hetc.lazy import regex
from hetc.tree import Mapping, Scalar, Sequence, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.tree import Node

# Words, paths, images and binary quantities.
_PLAIN = regex(r"[A-Za-z/][A-Za-z0-9_./@-]*(?::[A-Za-z0-9_./@-]+)*|[0-9]+[KMGTPE]i", re.ASCII)
_WORDS = frozenset("y n yes no on off true false null".split())

# Characters that readers refuse, or take for a line's end or a blank, unless they are escaped in double quotes.
_ODD = frozenset(map(chr, (*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA1), 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)))
_ESCAPES = str.maketrans({
    **{c: f"\\x{ord(c):02x}" if c <= "\xff" else f"\\u{ord(c):04x}" for c in _ODD},
    "\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\",
})
# Those that are damaged even so when another tool writes the manifest again.
_FRAGILE = _ODD - frozenset("\0\r\u00a0")
_BLANK_END = regex("[ \t](?:\n|\\Z)")

# YAML allows a key before a `:` only 1024 characters; some readers count bytes.
_LONGEST_KEY = 1000


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
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def unwritable(text: str) -> str | None:
    """Why no manifest can carry a string, or None."""
    if "\0" in text:
        return "it has the character U+0000, which no process can receive"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"it has half a character, the lone surrogate {_code(text[error.start])}"
    return None


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
    found = next((c for c in text if c in _FRAGILE), None)
    return None if found is None else f"it has the character {_code(found)}, which not every YAML tool keeps"


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
    assert unwritable(value) is None, unwritable(value)
    return f'"{value.translate(_ESCAPES)}"'


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
    assert unwritable(value) is None, unwritable(value)
    margin = " " * max(column, 2)
    lines.append(head + ("|" if value.endswith("\n") else "|-"))
    lines.extend(margin + line if line else "" for line in value.removesuffix("\n").split("\n"))


def _literal(text: str) -> bool:
    """Whether a literal block keeps every character of a text of several lines."""
    return (
        "\n" in text and text[0] not in " \t\n" and not text.endswith("\n\n")
        and _BLANK_END.search(text) is None and _ODD.isdisjoint(text)
    )


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
