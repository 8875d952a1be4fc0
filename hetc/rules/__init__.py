"""All rules, in the order in which they run. A rule is one module, one page beside it, one test file and one line here."""
from __future__ import annotations

from hetc import codes
from hetc.diagnostic import Code
from hetc.rules import missing_master

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.rule import JobRule, ManifestRule

RULES: tuple[JobRule | ManifestRule, ...] = (
    missing_master.RULE,
)

#: Every code that hetc may print: those of the readers, and those of the rules.
CATALOG: tuple[Code, ...] = tuple(sorted(
    (*(value for value in vars(codes).values() if isinstance(value, Code)), *(rule.code for rule in RULES)),
    key=lambda code: code.code,
))
