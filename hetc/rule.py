"""What a rule is. Rules never change anything; they yield findings, and the runner stamps code and level on them."""
from __future__ import annotations

from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hetc.diagnostic import Code, Finding, Report
    from hetc.ir import Job
    from hetc.manifest import Manifest
    from hetc.site import Site


class JobRule(Record):
    """A rule over the typed job: what the manifest can no longer show."""

    code: Code
    check: Callable[[Job, Site], Iterator[Finding]]


class ManifestRule(Record):
    """A rule over located Kubernetes data, wherever it came from.

    `across`: what it looks for may lie between the documents of several inputs that become one stream.
    """

    code: Code
    check: Callable[[Manifest, Site], Iterator[Finding]]
    across: bool = False


def stamp(code: Code, findings: Iterable[Finding], report: Report) -> None:
    """Report what a rule found."""
    for finding in findings:
        report.add(code, finding.span, finding.message, finding.help, finding.related, finding.level, finding.fix)
