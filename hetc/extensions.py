"""A site's own rules: entry points in the group `hetc.rules` of packages that are installed beside hetc.

They are loaded by name, when the site file of the repository's root (or `--config`) names them, and never otherwise: what is
installed does not run by itself, and a job's folder loads no code.
"""
from __future__ import annotations

import os
import re
import sys

from hetc.diagnostic import LEVELS, Code, Finding, OwnCode
from hetc.levels import is_own
from hetc.origin import Located
from hetc.record import replace
from hetc.rule import JobRule, ManifestRule
from hetc.source import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from importlib.metadata import EntryPoint
    from typing import Any, TypeAlias

    from hetc.site import Site

    Rule: TypeAlias = JobRule | ManifestRule

GROUP = "hetc.rules"

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")


def load(names: Iterable[Located[str]], taken: Iterable[Code]) -> tuple[Rule, ...]:
    """The rules of the entry points with these names; their codes carry their pages. `taken` are hetc's own codes.

    Raises UsageError, which names the package, where there is no such entry point, it cannot be loaded, or it is no rule.
    """
    used = {word: "hetc" for code in taken for word in (code.code, code.name)}
    rules: list[Rule] = []
    for name in dict.fromkeys(each.value for each in names):
        point = _point(name)
        package = _package(point)
        for rule in _rules(point, package):
            _judge(rule.code, package, used)
            used.update({rule.code.code: package, rule.code.name: package})
            code = rule.code
            rules.append(replace(
                rule, code=OwnCode(code.code, code.name, code.level, code.title, _page(rule)), check=_guarded(rule, package),
            ))
    return tuple(rules)


def _point(name: str) -> EntryPoint:
    from importlib.metadata import entry_points

    found = list(dict.fromkeys(entry_points(group=GROUP, name=name)))
    if not found:
        raise UsageError(f"`extensions.rules` names `{name}`, and no installed package has an entry point of this name in the group "
                         f"`{GROUP}`")
    if len(found) > 1:
        packages = " and ".join(sorted(_package(each) for each in found))
        raise UsageError(f"`extensions.rules` names `{name}`, which is an entry point of {packages}")
    return found[0]


def _package(point: EntryPoint) -> str:
    """What a message calls the package of an entry point."""
    return f"package `{point.dist.name}` {point.dist.version}" if point.dist is not None else f"`{point.value}`"


def _rules(point: EntryPoint, package: str) -> tuple[Rule, ...]:
    """What an entry point leads to: a rule, or several in a tuple or list."""
    try:
        loaded = point.load()
    except Exception as error:
        if os.environ.get("HETC_TRACEBACK"):
            raise
        raise UsageError(f"the rules `{point.name}` of {package} cannot be loaded: {type(error).__name__}: {error}") from error
    rules = tuple(loaded) if isinstance(loaded, (tuple, list)) else (loaded,)
    for rule in rules:
        if not isinstance(rule, (JobRule, ManifestRule)):
            raise UsageError(f"`{point.value}` of {package} is no rule: a `{type(rule).__name__}`, not a JobRule or ManifestRule")
    return rules


def _judge(code: Any, package: str, used: dict[str, str]) -> None:
    """Refuse a code that is not a site's to give."""
    if not isinstance(code, Code) or not all(isinstance(each, str) for each in (code.code, code.name, code.level, code.title)):
        raise UsageError(f"a rule of {package} has no code of four texts")
    if not is_own(code.code):
        raise UsageError(f"`{code.code}` of {package} is no code of a site's own: capitals, which are not `HET`, and three digits, "
                         "such as `ACME001`")
    if not _NAME.match(code.name):
        raise UsageError(f"`{code.name}`, the name of `{code.code}` of {package}, is not of lower case, such as `no-team-label`")
    if code.level not in LEVELS:
        raise UsageError(f"`{code.level}`, the level of `{code.code}` of {package}, is none of {', '.join(LEVELS)}")
    for word in (code.code, code.name):
        if word in used:
            raise UsageError(f"`{word}` of {package} is taken by {used[word]}")


def _page(rule: Rule) -> str:
    """The page of a rule: PAGE of the module that checks, else the module's docstring, under the rule's title."""
    from inspect import cleandoc

    module = sys.modules.get(getattr(rule.check, "__module__", None) or "")
    text = cleandoc(str(getattr(module, "PAGE", None) or getattr(module, "__doc__", None) or rule.code.title)) + "\n"
    return text if text.startswith("# ") else f"# {rule.code.code} {rule.code.name}\n\n{text}"


def _guarded(rule: Rule, package: str) -> Callable[[Any, Site], Iterator[Finding]]:
    """The check of a rule, whose failure is its package's fault and says so."""

    def check(subject: Any, site: Site) -> Iterator[Finding]:
        try:
            for found in rule.check(subject, site):
                if not isinstance(found, Finding):
                    raise TypeError(f"a finding is a Finding, not a {type(found).__name__}")
                yield found
        except Exception as error:
            if os.environ.get("HETC_TRACEBACK"):
                raise
            raise UsageError(f"rule `{rule.code.code}` of {package} failed: {type(error).__name__}: {error}") from error

    return check
