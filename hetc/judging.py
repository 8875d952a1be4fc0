"""Runs the rules over manifests, and gives what was found the levels of the site."""
from __future__ import annotations

from hetc import codes
from hetc.diagnostic import ERROR, Code
from hetc.levels import OFF, owners
from hetc.manifest import Given, Manifest, words
from hetc.record import replace
from hetc.rule import JobRule, ManifestRule, stamp
from hetc.source import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from hetc.diagnostic import Diagnostic, Report
    from hetc.site import Site
    from hetc.source import Source
    from hetc.suppress import Ignore
    from hetc.tree import Mapping

    Rule: TypeAlias = JobRule | ManifestRule

NOTHING = Given()

#: Errors of the stages themselves: without them there would be no job, so that nothing silences them where one is compiled.
STAGES = frozenset(
    code.code for code in vars(codes).values() if isinstance(code, Code) and code.level == ERROR
)


def judge(
    documents: list[Mapping], site: Site, report: Report, emitted: bool, across: bool = False, given: Given = NOTHING,
    parts: bool = False,
) -> None:
    """Run the manifest rules over documents that belong together; with `across`, only those that look between documents.

    `given`: what other files and the cluster have. `parts`: they are parts of objects, for the security rules and the site's policy.
    """
    if not documents:
        return
    from hetc.rules import manifest_rules

    manifest = Manifest(tuple(documents), emitted, given, parts)
    for rule in (*manifest_rules(words(manifest), emitted), *site.rules):
        if isinstance(rule, ManifestRule) and (rule.across or not across) and (not parts or owners(rule.code.code)):
            stamp(rule.code, rule.check(manifest, site), report)


def known_codes(own: tuple[Rule, ...] = ()) -> frozenset[str]:
    """The codes of hetc and of a site's own rules."""
    from hetc.rules import CATALOG

    return frozenset(code.code for code in (*CATALOG, *(rule.code for rule in own)))


def settle_levels(report: Report, site: Site, fixed: frozenset[str] = frozenset(), whole: bool = True) -> None:
    """Give the diagnostics of a report the levels of the site, and part from them what comments silence.

    `fixed`: codes that keep their level whatever a site or a comment says. Without `whole` some rules did not run, so that
    it is not known which comments are of no use.
    """
    shown, suppressed = report.diagnostics, []
    comments = [comment for source in dict.fromkeys(report.sources) if MARK in source.text for comment in _ignores(source)]
    if not shown and not comments:
        return
    if comments:  # before any rule is left out, so that a comment is of use whatever options say
        from hetc.suppress import quiet

        result = quiet(shown, comments, known_codes(site.rules), fixed, whole)
        shown, suppressed = result.shown, result.suppressed
    report.replace([leveled for each in shown if (leveled := _leveled(each, site, fixed)) is not None])
    report.suppressed.extend((leveled, why) for each, why in suppressed if (leveled := _leveled(each, site, fixed)) is not None)
    report.replace(_once(report.diagnostics, [each for each, _ in report.suppressed]))


#: A code -> another that says more of the same mistake where it stands at the same place.
_SAID_BETTER: dict[str, str] = {"HET012": "HET011", "HET014": "HET024", "HET611": "HET015"}


def _once(found: list[Diagnostic], suppressed: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics without those of a mistake of which another one says more."""
    better = {(each.code.code, each.span) for each in (*found, *suppressed) if each.code.code in _SAID_BETTER.values()}
    return [each for each in found if (_SAID_BETTER.get(each.code.code), each.span) not in better] if better else found


def _leveled(found: Diagnostic, site: Site, fixed: frozenset[str]) -> Diagnostic | None:
    """A diagnostic at the site's level, None where that is off."""
    code = found.code
    level = found.level if code.code in fixed else site.levels.level(code.code, code.level, found.level, found.span.source.name)
    return None if level == OFF else found if level == found.level else replace(found, level=level)


def _ignores(source: Source) -> list[Ignore]:
    from hetc.suppress import ignores

    return ignores(source)
