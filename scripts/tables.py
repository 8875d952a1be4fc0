"""Write `hetc/read/het_tables.py`, the parser tables of the request, from `grammar/het.lark`.

Run after every change of the grammar: `python scripts/tables.py`. Needs lark, which hetc itself does not import.
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from lark import Lark
from lark.parsers.lalr_analysis import Shift

ROOT = Path(__file__).resolve().parent.parent
GRAMMAR = ROOT / "grammar" / "het.lark"
TABLES = ROOT / "hetc" / "read" / "het_tables.py"

HEAD = '''# generated from grammar/het.lark by scripts/tables.py
"""The tokens, rules and LALR actions of the request."""
from __future__ import annotations

'''


def parser() -> Lark:
    """The grammar as lark reads it. Strict: a conflict in it raises."""
    return Lark(GRAMMAR.read_text(encoding="utf-8"), parser="lalr", strict=True, maybe_placeholders=False)


def tables() -> str:
    """The text of the generated module. The same grammar gives the same text, whatever lark's own numbering is."""
    lark = parser()
    table = lark.parser.parser._parse_table
    start, end = table.start_states["start"], table.end_states["start"]
    numbers = _numbered(table.states, start)
    rules = sorted({_rule(rule) for rule in lark.rules})
    rows = []
    for state in numbers:
        actions = sorted(table.states[state].items())
        rows.append({name: _action(action, numbers, rules) for name, action in actions})
    return "".join((
        HEAD, "#: One named group a terminal.\nPATTERN = (\n", *(f"    {part!r}\n" for part in _patterns(lark)), ")\n",
        f"IGNORED = {tuple(sorted(lark.ignore_tokens))!r}\n\n",
        "#: Name, number of symbols, and which of them the tree keeps. What starts with `_` gives its parts to its parent.\n",
        "RULES: tuple[tuple[str, int, tuple[int, ...]], ...] = (\n", *(f"    {rule!r},\n" for rule in rules), ")\n\n",
        "#: For each state what a symbol does: shift to state N, or, where negative, reduce by rule -1-N.\n",
        "STATES: tuple[dict[str, int], ...] = (\n", *(f"    {row!r},\n" for row in rows), ")\n",
        f"END = {numbers[end]}\n",
    ))


def _numbered(states: dict[int, dict[str, tuple[Any, Any]]], start: int) -> dict[int, int]:
    """States in the order of a walk that takes symbols by name, the start state first."""
    order = {start: 0}
    queue = [start]
    for state in queue:
        for _, (action, target) in sorted(states[state].items(), key=lambda item: item[0]):
            if action is Shift and target not in order:
                order[target] = len(order)
                queue.append(target)
    return order


def _rule(rule: Any) -> tuple[str, int, tuple[int, ...]]:
    kept = (at for at, symbol in enumerate(rule.expansion) if not (symbol.is_term and symbol.filter_out))
    return str(rule.origin.name), len(rule.expansion), tuple(kept)


def _action(action: tuple[Any, Any], numbers: dict[int, int], rules: list[tuple[str, int, tuple[int, ...]]]) -> int:
    kind, target = action
    return numbers[target] if kind is Shift else -1 - rules.index(_rule(target))


def _patterns(lark: Lark) -> list[str]:
    ordered = sorted(lark.terminals, key=lambda terminal: (-terminal.priority, terminal.name))
    parts = [f"(?P<{terminal.name}>{terminal.pattern.to_regexp()})" for terminal in ordered]
    return [part + "|" for part in parts[:-1]] + parts[-1:]


if __name__ == "__main__":
    TABLES.write_text(tables(), encoding="utf-8")
