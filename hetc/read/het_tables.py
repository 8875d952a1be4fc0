# generated from grammar/het.lark by scripts/tables.py
"""The tokens, rules and LALR actions of the request."""
from __future__ import annotations

#: One named group a terminal.
PATTERN = (
    '(?P<COMMENT>(?<![^ \t\r\n])#[^\n]*)|'
    '(?P<BLANK>[ \t\r\n]+)|'
    '(?P<COLON>:)|'
    '(?P<COMMA>,)|'
    '(?P<CONTINUATION>\\\\[ \t]*\r?\n)|'
    '(?P<EQUALS>==?)|'
    '(?P<LESSTHAN><)|'
    '(?P<LSQB>\\[)|'
    '(?P<MORETHAN>>)|'
    '(?P<PLUS>\\+)|'
    '(?P<RSQB>\\])|'
    '(?P<STAR>\\*)|'
    '(?P<STRING>"[^"\\\\\x00-\x1f]*(?:\\\\(?:["\\\\\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\\\x00-\x1f]*)*")|'
    "(?P<WORD>[!#$%&'()\\-.\\/0-9;?@A-Z^_`a-z|~]+)"
)
IGNORED = ('BLANK', 'COMMENT', 'CONTINUATION')

#: Name, number of symbols, and which of them the tree keeps. What starts with `_` gives its parts to its parent.
RULES: tuple[tuple[str, int, tuple[int, ...]], ...] = (
    ('__group_star_2', 2, (1,)),
    ('__group_star_2', 3, (0, 2)),
    ('__section_star_3', 2, (1,)),
    ('__section_star_3', 3, (0, 2)),
    ('__start_star_0', 1, (0,)),
    ('__start_star_0', 2, (0, 1)),
    ('__start_star_1', 2, (1,)),
    ('__start_star_1', 3, (0, 2)),
    ('__value_star_4', 2, (1,)),
    ('__value_star_4', 3, (0, 2)),
    ('_item', 1, (0,)),
    ('group', 5, (0, 3)),
    ('group', 6, (0, 2, 4)),
    ('group', 6, (0, 3)),
    ('group', 6, (0, 3, 4)),
    ('group', 7, (0, 2, 4)),
    ('group', 7, (0, 2, 4, 5)),
    ('group', 7, (0, 3, 4)),
    ('group', 8, (0, 2, 4, 5)),
    ('pair', 1, (0,)),
    ('pair', 3, (0, 1, 2)),
    ('section', 3, (0,)),
    ('section', 4, (0, 2)),
    ('section', 5, (0, 2)),
    ('section', 5, (0, 2, 3)),
    ('section', 6, (0, 2, 3)),
    ('start', 1, (0,)),
    ('start', 2, (0, 1)),
    ('start', 3, (0, 1, 2)),
    ('start', 4, (0, 1, 2, 3)),
    ('value', 1, (0,)),
    ('value', 2, (0, 1)),
)

#: For each state what a symbol does: shift to state N, or, where negative, reduce by rule -1-N.
STATES: tuple[dict[str, int], ...] = (
    {'WORD': 1, '__start_star_0': 2, 'group': 3, 'section': 4, 'start': 5},
    {'LSQB': 6, 'STAR': 7},
    {'WORD': 1, 'group': 8, 'section': 9},
    {'$END': -27, 'PLUS': 10, 'WORD': 11, '__start_star_0': 12, '__start_star_1': 13, 'section': 4},
    {'$END': -5, 'WORD': -5},
    {},
    {'RSQB': 14, 'STRING': 15, 'WORD': 16, 'pair': 17, 'value': 18},
    {'LESSTHAN': 19, 'WORD': 20},
    {'$END': -28, 'PLUS': 10, 'WORD': 11, '__start_star_0': 21, '__start_star_1': 22, 'section': 4},
    {'$END': -6, 'WORD': -6},
    {'WORD': 23, 'group': 24},
    {'LSQB': 6},
    {'$END': -28, 'WORD': 11, 'section': 9},
    {'$END': -28, 'PLUS': 25, 'WORD': 11, '__start_star_0': 26, 'section': 4},
    {'$END': -22, 'COMMA': -22, 'MORETHAN': -22, 'WORD': -22},
    {'COLON': 27, 'COMMA': -31, 'EQUALS': -31, 'MORETHAN': -31, 'RSQB': -31, '__value_star_4': 28},
    {'COLON': 27, 'COMMA': -31, 'EQUALS': -31, 'MORETHAN': -31, 'RSQB': -31, '__value_star_4': 29},
    {'COMMA': 30, 'RSQB': 31, '__section_star_3': 32},
    {'COMMA': -20, 'EQUALS': 33, 'MORETHAN': -20, 'RSQB': -20},
    {'STRING': 15, 'WORD': 34, '_item': 35, 'pair': 36, 'section': 37, 'value': 18},
    {'LESSTHAN': 38},
    {'$END': -29, 'WORD': 11, 'section': 9},
    {'$END': -29, 'PLUS': 25, 'WORD': 11, '__start_star_0': 39, 'section': 4},
    {'STAR': 7},
    {'$END': -7, 'PLUS': -7, 'WORD': -7},
    {'WORD': 23, 'group': 40},
    {'$END': -29, 'WORD': 11, 'section': 9},
    {'STRING': 41, 'WORD': 42},
    {'COLON': 43, 'COMMA': -32, 'EQUALS': -32, 'MORETHAN': -32, 'RSQB': -32},
    {'COLON': 43, 'COMMA': -32, 'EQUALS': -32, 'MORETHAN': -32, 'RSQB': -32},
    {'RSQB': 44, 'STRING': 15, 'WORD': 16, 'pair': 45, 'value': 18},
    {'$END': -23, 'COMMA': -23, 'MORETHAN': -23, 'WORD': -23},
    {'COMMA': 46, 'RSQB': 47},
    {'STRING': 15, 'WORD': 16, 'value': 48},
    {'COLON': 27, 'COMMA': -31, 'EQUALS': -31, 'LSQB': 6, 'MORETHAN': -31, '__value_star_4': 29},
    {'COMMA': 49, 'MORETHAN': 50, '__group_star_2': 51},
    {'COMMA': -11, 'MORETHAN': -11},
    {'COMMA': -11, 'MORETHAN': -11},
    {'STRING': 15, 'WORD': 34, '_item': 52, 'pair': 36, 'section': 37, 'value': 18},
    {'$END': -30, 'WORD': 11, 'section': 9},
    {'$END': -8, 'PLUS': -8, 'WORD': -8},
    {'COLON': -9, 'COMMA': -9, 'EQUALS': -9, 'MORETHAN': -9, 'RSQB': -9},
    {'COLON': -9, 'COMMA': -9, 'EQUALS': -9, 'MORETHAN': -9, 'RSQB': -9},
    {'STRING': 53, 'WORD': 54},
    {'$END': -24, 'COMMA': -24, 'MORETHAN': -24, 'WORD': -24},
    {'COMMA': -3, 'RSQB': -3},
    {'RSQB': 55, 'STRING': 15, 'WORD': 16, 'pair': 56, 'value': 18},
    {'$END': -25, 'COMMA': -25, 'MORETHAN': -25, 'WORD': -25},
    {'COMMA': -21, 'MORETHAN': -21, 'RSQB': -21},
    {'MORETHAN': 57, 'STRING': 15, 'WORD': 34, '_item': 58, 'pair': 36, 'section': 37, 'value': 18},
    {'$END': -12, 'PLUS': -12, 'WORD': -12},
    {'COMMA': 59, 'MORETHAN': 60},
    {'COMMA': 61, 'MORETHAN': 62, '__group_star_2': 63},
    {'COLON': -10, 'COMMA': -10, 'EQUALS': -10, 'MORETHAN': -10, 'RSQB': -10},
    {'COLON': -10, 'COMMA': -10, 'EQUALS': -10, 'MORETHAN': -10, 'RSQB': -10},
    {'$END': -26, 'COMMA': -26, 'MORETHAN': -26, 'WORD': -26},
    {'COMMA': -4, 'RSQB': -4},
    {'$END': -14, 'PLUS': -14, 'WORD': -14},
    {'COMMA': -1, 'MORETHAN': -1},
    {'MORETHAN': 64, 'STRING': 15, 'WORD': 34, '_item': 65, 'pair': 36, 'section': 37, 'value': 18},
    {'$END': -15, 'PLUS': -15, 'WORD': -15},
    {'MORETHAN': 66, 'STRING': 15, 'WORD': 34, '_item': 58, 'pair': 36, 'section': 37, 'value': 18},
    {'$END': -13, 'PLUS': -13, 'WORD': -13},
    {'COMMA': 67, 'MORETHAN': 68},
    {'$END': -18, 'PLUS': -18, 'WORD': -18},
    {'COMMA': -2, 'MORETHAN': -2},
    {'$END': -16, 'PLUS': -16, 'WORD': -16},
    {'MORETHAN': 69, 'STRING': 15, 'WORD': 34, '_item': 65, 'pair': 36, 'section': 37, 'value': 18},
    {'$END': -17, 'PLUS': -17, 'WORD': -17},
    {'$END': -19, 'PLUS': -19, 'WORD': -19},
)
END = 5
