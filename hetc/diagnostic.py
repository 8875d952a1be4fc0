"""What hetc has to say about a text: diagnostics, and the report that collects them."""
from __future__ import annotations

from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.source import Source, Span

ERROR = "error"
WARNING = "warning"
INFO = "info"

#: Levels from the mildest to the gravest.
LEVELS = (INFO, WARNING, ERROR)


class Code(Record):
    """A kind of diagnostic: a stable code, a kebab-case name for the bad thing, a default level, one line of text."""

    code: str
    name: str
    level: str
    title: str


class OwnCode(Code):
    """A code of a site's own rules, with its page."""

    page: str


class Label(Record):
    """A secondary place and what it has to do with the diagnostic."""

    span: Span
    message: str


class Edit(Record):
    """Put `text` in place of what the span covers."""

    span: Span
    text: str


class Fix(Record):
    """Edits of one file that mend a finding and have no other effect; only where there is one right answer."""

    message: str
    edits: tuple[Edit, ...]


class Finding(Record):
    """What a rule found; the runner stamps the rule's code and level on it.

    `level` is given only where a case is milder or graver than the rule's own level.
    """

    message: str
    span: Span
    help: str | None = None
    related: tuple[Label, ...] = ()
    level: str | None = None
    fix: Fix | None = None


class Diagnostic(Record):
    """A finding with its code and level. `message` says what is wrong, only `help` says what to do."""

    code: Code
    level: str
    message: str
    span: Span
    help: str | None = None
    related: tuple[Label, ...] = ()
    fix: Fix | None = None


class Report:
    """Collects diagnostics while a stage goes on."""

    __slots__ = ("diagnostics", "failed", "known", "sources", "suppressed")

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        #: Whether an error has been reported.
        self.failed = False
        #: The texts that were read, whose comments may silence findings.
        self.sources: list[Source] = []
        #: What comments silenced, and their reasons.
        self.suppressed: list[tuple[Diagnostic, str]] = []
        #: What a baseline knows.
        self.known: list[Diagnostic] = []

    def add(
        self, code: Code, span: Span, message: str, help: str | None = None,
        related: Iterable[Label] = (), level: str | None = None, fix: Fix | None = None,
    ) -> None:
        level = level or code.level
        self.diagnostics.append(Diagnostic(code, level, message, span, help, tuple(related), fix))
        self.failed = self.failed or level == ERROR

    def replace(self, diagnostics: list[Diagnostic]) -> None:
        """Put other diagnostics in place of those that are there."""
        self.diagnostics = diagnostics
        self.failed = any(each.level == ERROR for each in diagnostics)

    def sound(self) -> bool:
        """Whether no error has been reported, so that the next stage may run."""
        return not self.failed

    def sorted(self) -> list[Diagnostic]:
        """The diagnostics by path, line, column and code, each once."""
        unique = {order(each): each for each in self.diagnostics}
        return [unique[key] for key in sorted(unique)]

    def sorted_suppressed(self) -> list[tuple[Diagnostic, str]]:
        """The same of what comments silenced."""
        unique = {order(each): (each, why) for each, why in self.suppressed}
        return [unique[key] for key in sorted(unique)]


#: How many findings of one rule in one file are shown.
MOST_SHOWN = 200


def shown(found: list[Diagnostic]) -> list[Diagnostic]:
    """Sorted diagnostics without those of a rule that a file has too many of; one in their place says how many they are."""
    counts: dict[tuple[str, str], int] = {}
    left_out: dict[tuple[str, str], list[Diagnostic]] = {}
    result = []
    for each in found:
        kind = (each.span.source.name, each.code.code)
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= MOST_SHOWN:
            result.append(each)
        else:
            left_out.setdefault(kind, []).append(each)
    for rest in left_out.values():
        level = max((each.level for each in rest), key=LEVELS.index)
        message = f"{len(rest):,} more findings of this rule from here on"
        help = "mend those that are shown, and check the file again"
        result.extend(rest if len(rest) == 1 else [Diagnostic(rest[0].code, level, message, rest[0].span, help)])
    return sorted(result, key=order) if left_out else found


def order(each: Diagnostic) -> tuple[str, int, str, str]:
    """What sorts diagnostics by path, line, column and code; equal for what is said twice."""
    return each.span.source.name, each.span.start, each.code.code, each.message


def gathered(reports: Iterable[Report]) -> Report:
    """What all reports say, sorted, and no more of one thing than anybody reads."""
    together = Report()
    for report in reports:
        together.diagnostics.extend(report.diagnostics)
        together.suppressed.extend(report.suppressed)
    together.replace(shown(together.sorted()))
    together.suppressed = together.sorted_suppressed()
    return together
