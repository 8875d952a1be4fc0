"""Characters outside ASCII that get into requests, and what was meant by them."""
from __future__ import annotations

import unicodedata

#: Look-alikes that Unicode does not decompose to ASCII: the characters of a row have the ASCII twin before it.
_LOOKS = (
    ("*", "×✕✖⨯∗⋅·•∙"),
    ("-", "‐‑‒–—―−﹘"),
    ('"', "“”„‟«»″〝〞"),
    ("'", "‘’‚‛′`´"),
    ("<", "‹〈《⟨≤"),
    (">", "›〉》⟩≥"),
    (",", "、‚"),
    (":", "∶ː"),
    ("/", "∕⁄"),
    ("aAcCeEoOpPxXyiIjJsSBHKMTNZgv", "аАсСеЕоОрРхХуіІјЈѕЅВНКМТΝΖɡν"),
    ("ABEHIKMOPTXYov", "ΑΒΕΗΙΚΜΟΡΤΧΥον"),
)


def explain(char: str) -> tuple[str, str]:
    """Message and help for a character outside ASCII: its code point, its name, its twin."""
    name = unicodedata.name(char, "").lower()
    point = f"U+{ord(char):04X}" + (f" {name}" if name else "")
    message = f"`{char}` ({point}) is not ASCII" if char.isprintable() else f"{point} is not ASCII"
    twin = _twin(char)
    if twin == " ":
        return message, "write a plain blank"
    if twin:
        return message, f"write `{twin}`"
    if unicodedata.category(char) in ("Cf", "Mn", "Cc", "Cs", "Co", "Cn"):
        return message, "delete it"
    return message, "write ASCII; other characters stand in comments and strings only"


def _twin(char: str) -> str | None:
    if unicodedata.category(char) in ("Zs", "Zl", "Zp"):
        return " "
    digit = unicodedata.digit(char, None)
    if digit is not None:
        return str(digit)
    for ascii, looks in _LOOKS:
        if char in looks:
            return ascii if len(ascii) == 1 else ascii[looks.index(char)]
    plain = "".join(part for part in unicodedata.normalize("NFKD", char) if unicodedata.category(part) != "Mn")
    return plain if plain and plain.isascii() and plain.isprintable() else None
