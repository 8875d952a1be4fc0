"""How grave each rule is: what site files and the command line make of the rules' own levels.

The repository root's file holds: a nearer one may make a rule graver, never milder, where the root's says something.
Security rules (HET4xx) are lowered by the root's file or `--config` alone, never by a nearer file or an option.
"""
from __future__ import annotations

import os
import re

from hetc import codes
from hetc.diagnostic import LEVELS, Label
from hetc.lazy import regex
from hetc.record import Record
from hetc.system import key, relative, slashed, within
from hetc.tree import Mapping, Scalar, Sequence, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.diagnostic import Report
    from hetc.tree import Node

OFF = "off"
#: From the mildest to the gravest.
_GRAVITY = (OFF, *LEVELS)
_CODE = regex(r"(?:HET[0-9]{1,3}|(?!HET)[A-Z]{2,16}[0-9]{0,3})\Z")
_OWN = regex(r"(?!HET)[A-Z]{2,16}[0-9]{3}\Z")


class PerPath(Record):
    """Codes that are off for the files of `folder` whose path in it matches."""

    folder: str
    matches: re.Pattern[str]
    codes: tuple[str, ...]


class Levels(Record):
    """`rules`: code -> level or OFF; `select` and `ignore`: beginnings of codes, from the command line."""

    rules: dict[str, str]
    per_path: tuple[PerPath, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def level(self, code: str, default: str, given: str, path: str) -> str:
        """The level of a diagnostic of a file, OFF to leave it out; `default` is the rule's level, `given` this case's.

        A level that a site sets is that of the rule's own cases; those that the rule calls milder stay as they are, unless
        they would be graver than what was set.
        """
        level = self.rules.get(code, given)
        if given != default and level != OFF:
            level = min(level, given, key=_GRAVITY.index)
        if owners(code) is None and (
            (self.select and not code.startswith(self.select)) or (self.ignore and code.startswith(self.ignore))
        ):
            return OFF
        if self.per_path and any(code in each.codes and _inside(each, path) for each in self.per_path):
            return OFF
        return level


def is_security(code: str) -> bool:
    return code.startswith("HET4")


def owners(code: str) -> str | None:
    """What a rule is that only the owners of the platform may lower, and no file or option of a job; None for the others."""
    if is_security(code):
        return "a security rule"
    return "the site's policy" if code.startswith("HET8") else None


def is_code(text: str) -> bool:
    """Whether a text can be a code or the beginning of some, hetc's or a site's own."""
    return _CODE.match(text) is not None


def is_own(text: str) -> bool:
    """Whether a text can be a code of a site's own rules: `HET` and what begins with it is hetc's."""
    return _OWN.match(text) is not None


def levels(nearest: Mapping | None, root: Mapping | None, folders: tuple[str, str], report: Report) -> Levels:
    """What `[rules]` and `[per-path]` of the site files come to; `folders` are those of the nearest file and of the root's.

    A table that loosens what the root's sets is an error, and so is a security rule that a nearer file lowers.
    """
    upper = dict(_rules(root))
    rules = {code: node.text for code, node in upper.items()}
    per_path = list(_per_path(root, folders[1]))
    if nearest is not None and nearest is not root:
        for code, node in _rules(nearest):
            if _milder(code, node, upper.get(code), report):
                rules[code] = node.text
        for each in _per_path(nearest, folders[0]):
            per_path.append(PerPath(each.folder, each.matches, _allowed(nearest, each, upper, report)))
    return Levels(rules, tuple(per_path))


def check(tree: Mapping, known: frozenset[str], report: Report) -> None:
    """Report the levels and codes of `[rules]` and `[per-path]` that there are not."""
    for code, node in list(_rules(tree)):
        if code not in known:
            _unknown(code, tree.entries["rules"].value, code, report)
        elif node.text not in _GRAVITY:
            words = ", ".join(f"`{level}`" for level in _GRAVITY)
            report.add(codes.BAD_VALUE, node.origin.span, f"`{node.text}` is no level", f"write one of {words}")
    table = find(tree, "per-path")
    for pattern, entry in table.entries.items() if isinstance(table, Mapping) else ():
        if "\\" in pattern:
            report.add(codes.BAD_VALUE, entry.key.origin.span, f"`{pattern}` has a backslash, which no path has here",
                       "write `/` between the names, on every system")
    for each in _per_path(tree, "."):
        for code in each.codes:
            if code not in known:
                _unknown(code, tree.entries["per-path"].value, None, report)


def _unknown(code: str, table: Node, key: str | None, report: Report) -> None:
    place = table.key_span(key) if key is not None and isinstance(table, Mapping) else table.origin.span
    help = "`hetc rule` lists them" if is_code(code) else "write a code such as `HET702`; `hetc rule` lists them"
    report.add(codes.UNKNOWN_KEY, place, f"there is no rule `{code}`", help)


def _rules(tree: Mapping | None) -> Iterator[tuple[str, Scalar]]:
    table = find(tree, "rules")
    if isinstance(table, Mapping):
        for key, entry in table.entries.items():
            if isinstance(entry.value, Scalar):
                yield key, entry.value


def _milder(code: str, node: Scalar, upper: Scalar | None, report: Report) -> bool:
    """Whether a nearer file's level may stand; what may not is reported."""
    what = owners(code)
    if what is not None and node.text != LEVELS[-1]:
        report.add(codes.LOOSER, node.origin.span, f"`{code}` is {what}, and `{node.text}` would lower it",
                   "set it in the site file beside `.git`, or give the file by --config")
        return False
    if upper is not None and _GRAVITY.index(node.text) < _GRAVITY.index(upper.text):
        report.add(codes.LOOSER, node.origin.span,
                   f"`{code}` is `{upper.text}` in the repository root's site file, and `{node.text}` is milder",
                   f"write `{upper.text}` or a graver level", [Label(upper.origin.span, "the root's level")])
        return False
    return True


def _per_path(tree: Mapping | None, folder: str) -> Iterator[PerPath]:
    table = find(tree, "per-path")
    if isinstance(table, Mapping):
        for pattern, entry in table.entries.items():
            items = entry.value.items if isinstance(entry.value, Sequence) else []
            yield PerPath(os.path.realpath(folder), glob(key(pattern)), tuple(item.text for item in items if isinstance(item, Scalar)))


def _allowed(tree: Mapping, each: PerPath, upper: dict[str, Scalar], report: Report) -> tuple[str, ...]:
    """The codes that a nearer file may switch off for a path."""
    kept = []
    for code in each.codes:
        root = upper.get(code)
        what = owners(code)
        if what is not None or (root is not None and root.text != OFF):
            place = find(tree, "per-path")
            assert place is not None
            why = f"is {what}" if what is not None else "is set in the repository root's site file"
            report.add(codes.LOOSER, place.origin.span, f"`{code}` in `per-path` {why}, and a nearer file cannot switch it off",
                       "set it in the site file beside `.git`")
        else:
            kept.append(code)
    return tuple(kept)


def glob(pattern: str) -> re.Pattern[str]:
    """A path pattern: `**` is any folders, `*` and `?` stay inside one name."""
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(parts.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*\*|\*|\?)", pattern)) + r"\Z")


def _inside(each: PerPath, path: str) -> bool:
    real = os.path.realpath(path)
    return within(each.folder, real) and each.matches.match(slashed(relative(key(real), key(each.folder)))) is not None
