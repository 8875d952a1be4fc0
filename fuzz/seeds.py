"""What a fuzzer starts from: the golden cases, the examples of the rules' pages, the literals of the tests, and their words."""
from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent

_BLOCK = re.compile(r"^```(?:het|yaml)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_REQUEST = re.compile(r"\s*(?:[0-9]+\s*\*|use\s*\[|gang\s*\[)")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9./_-]{1,30}")

#: Longer ones would slow the fuzzer down.
LONGEST = 2_500
#: What breaks readers of YAML, beside words.
SIGNS = (
    "---\n", "- ", ": ", "? ", "<<: *a", "&a ", "*a", "!!str ", "!x ", "|\n", ">-\n", "{", "}", "[", "]", "\t", "\\u00a0", "\ufeff",
    "\u00a0", "\r\n", "# hetc: ignore[HET702] x", "$(", "$$", "\u2028", "\U0001f600", "0x1F", "1e999", "-0", ".nan", "~", "2026-08-01",
    "9223372036854775808",
)


def seeds(target: str) -> list[bytes]:
    """The texts that a target starts from, each once."""
    return sorted({text.encode("utf-8", "surrogatepass") for text in _texts() if len(text) <= LONGEST and _is_for(target, text)})


def words(target: str) -> list[bytes]:
    """Words of those texts and signs of YAML: what a fuzzer puts together."""
    found = {word.encode() for seed in seeds(target) for word in _WORD.findall(seed.decode("utf-8", "replace"))}
    return sorted(found | {sign.encode() for sign in SIGNS})


def _is_for(target: str, text: str) -> bool:
    if target == "request":
        return _REQUEST.match(text) is not None
    if target == "overlay":
        return "apiVersion" not in text and _REQUEST.match(text) is None and re.search(r"^[a-z_]+:", text, re.MULTILINE) is not None
    return "apiVersion" in text


def _texts() -> Iterator[str]:
    for path in sorted((ROOT / "golden").rglob("*")):
        if path.suffix in (".het", ".yaml"):
            text = path.read_text(encoding="utf-8", errors="replace")
            yield text
            yield text.partition("---\n")[2]  # an overlay behind its request
    for page in sorted((ROOT / "hetc" / "rules").glob("*.md")):
        yield from _BLOCK.findall(page.read_text(encoding="utf-8"))
    for test in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(test.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value:
                yield node.value
