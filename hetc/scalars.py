"""What YAML readers make of a plain scalar.

kubectl's reading decides in hetc; `differs` tells where PyYAML (YAML 1.1) or ruamel.yaml (YAML 1.2) read a string of
kubectl's as something else. Source: the table of plain scalars that was measured with each of those programs.
"""
from __future__ import annotations

import re

from hetc.lazy import regex

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys("y Y yes Yes YES on On ON true True TRUE".split(), True),
    **dict.fromkeys("n N no No NO off Off OFF false False FALSE".split(), False),
    **dict.fromkeys(("~", "null", "Null", "NULL", ""), None),
}
_INTEGER = regex(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|([1-9][0-9]*|0))\Z", re.ASCII)
_FLOAT = regex(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z", re.ASCII)
#: An underscore that stands between no digits, which makes a string of what begins with a point: `.5_`, but not `5_`.
_LOOSE = regex(r"(?<![0-9])_|_(?![0-9])")
_SPECIAL = regex(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
_SEXAGESIMAL = regex(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z", re.ASCII)
_DATE = regex(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}.*)?\Z", re.ASCII)

#: What a float ends with: most texts that begin like a number end with a unit.
_FLOAT_END = tuple("0123456789.")

#: Python refuses to convert longer digit strings; no number that is meant has so many.
_LONGEST = 400


def reading(text: str) -> str | int | float | bool | None:
    """The value that kubectl reads a plain scalar as; a whole float is an int, as in its JSON."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "0123456789+-." or len(text) > _LONGEST:
        return text
    if text[-1] in "fFnN" and _SPECIAL.match(text):
        return float(text.replace(".", "", 1))
    digits = text.replace("_", "") if text[0] != "." or not _LOOSE.search(text) else text
    match = _INTEGER.match(digits)
    if match:
        sign, hexadecimal, binary, octal, decimal = match.groups()
        number = int(hexadecimal or binary or octal or decimal, 16 if hexadecimal else 2 if binary else 8 if octal else 10)
        number = -number if sign == "-" else number
        if -2**63 <= number < 2**64:
            return number
    if digits[-1:] in _FLOAT_END and _FLOAT.match(digits):
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            return text
        return int(value) if value.is_integer() and abs(value) < 1e21 else value
    return text


def differs(text: str) -> bool:
    """Whether a plain scalar that is a string to kubectl is none to another reader, or is rewritten by kustomize."""
    if text[:1] == ".":
        return "_" in text and bool(_FLOAT.match(text.replace("_", "")))
    if text[:1] not in "0123456789+-":
        return text in ("=", "<<")
    return bool((":" in text and _SEXAGESIMAL.match(text)) or (text[4:5] == "-" and _DATE.match(text)))
