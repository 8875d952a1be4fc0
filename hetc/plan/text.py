"""The plan for people, on a terminal."""
from __future__ import annotations

from hetc.plan import facts
from hetc.plan.facts import NUMBERS, printable
from hetc.plan.values import came, values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hetc.emit.description import Description
    from hetc.ir import Job

#: The longest value that `--origins` repeats whole, in characters.
LONGEST = 60


def render(job: Job, described: Description, origins: bool, build: str) -> str:
    """Tables and sections of lines; no line ends in a blank."""
    lines = [*_text(job, described, build), *(_origins(job, described) if origins else ())]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _text(job: Job, described: Description, build: str) -> Iterator[str]:
    yield f"{job.name.value}: {', '.join(f'{name} {text}' for name, text in facts.settings(job, described))}"
    yield ""
    yield from table([facts.row(task) for task in job.tasks])
    yield ""
    yield facts.totals(job)
    yield from facts.families(job)
    yield from _section("gang", described.gang)
    yield from _section("pods", (facts.pods(task, described) for task in job.tasks))
    for title, lines in facts.commands(job):
        yield from _section(title, lines)
    yield from _section(f"{described.backend} adds", _pairs([(f"{each.kind} {each.name}", each.what) for each in described.additions]))
    yield from _section("the cluster must have", [f"{each.kind} {each.name}" for each in described.needs])
    yield from _section("submit", [f"{build} | {described.submit}"])
    yield from _section("notes", described.notes)


def table(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    """Rows under the names of their columns; numbers to the right, text to the left."""
    names = list(rows[0])
    widths = {name: max(len(name), *(len(row[name]) for row in rows)) for name in names}
    for row in ({name: name for name in names}, *rows):
        cells = (row[name].rjust(widths[name]) if name in NUMBERS else row[name].ljust(widths[name]) for name in names)
        yield "  ".join(cells).rstrip()


def _pairs(pairs: Sequence[tuple[str, str]]) -> list[str]:
    width = max((len(left) for left, _ in pairs), default=0)
    return [f"{left:<{width}}  {right}" for left, right in pairs]


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    body = [f"  {printable(line)}" for line in lines]
    if body:
        yield ""
        yield title
        yield from body


def _origins(job: Job, described: Description) -> Iterator[str]:
    """A table of the values and their places."""
    yield ""
    yield from table([{"value": f"{path} = {_short(text)}", "from": came(origin)} for path, text, origin in values(job, described)])


def _short(text: str) -> str:
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST - 1]}…"
