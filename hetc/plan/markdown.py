"""The plan as GitHub's Markdown, for reviews and pages.

Nothing of the job can act as markup: names and values stand in code spans, whose text GitHub links to nothing.
"""
from __future__ import annotations

from hetc.plan import facts
from hetc.plan.facts import NUMBERS, printable
from hetc.plan.values import came, values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hetc.emit.description import Description
    from hetc.ir import Job, Task

#: Columns of the tasks' table that hold names rather than words and numbers.
CODES = frozenset(("task", "model", "image"))


def render(job: Job, described: Description, origins: bool, build: str) -> str:
    """Headings from the third level on, tables, lists."""
    return "\n".join([*_parts(job, described, build), *(_origins(job, described) if origins else ())]) + "\n"


def _parts(job: Job, described: Description, build: str) -> Iterator[str]:
    yield f"### {code(job.name.value)}"
    yield ""
    yield ", ".join(f"{name} {code(text)}" for name, text in facts.settings(job, described))
    yield ""
    yield from table([_row(task) for task in job.tasks])
    yield ""
    yield f"**{facts.totals(job)}**"
    yield from _list("", facts.families(job))
    yield from _list("Gang", described.gang)
    yield from _list("Pods", (facts.pods(task, described) for task in job.tasks))
    for title, lines in facts.commands(job):
        yield from block(title[:1].upper() + title[1:], lines)
    yield from _heading(f"{described.backend.capitalize()} adds")
    yield from table([{"kind": each.kind, "name": code(each.name), "what": prose(each.what)} for each in described.additions])
    yield from _list("The cluster must have", (f"{each.kind} {code(each.name)}" for each in described.needs), plain=False)
    yield from block("Submit", [f"{build} | {described.submit}"])
    yield from _list("Notes", described.notes)


def _row(task: Task) -> dict[str, str]:
    row = facts.row(task)
    nodes = [code(f"{key.value}={label.value}") for key, label in task.node_selector]
    cells = {name: code(text) if name in CODES and text != "-" else text for name, text in row.items()}
    return {**cells, "nodes": ", ".join(nodes) or row["nodes"]}


def _origins(job: Job, described: Description) -> Iterator[str]:
    yield from _heading("Origins")
    yield from table([
        {"value": code(path), "is": code(text), "from": code(came(origin))} for path, text, origin in values(job, described)
    ])


def _heading(title: str) -> Iterator[str]:
    yield ""
    yield f"#### {prose(title)}"
    yield ""


def _list(title: str, items: Iterable[str], plain: bool = True) -> Iterator[str]:
    """A list under its heading, without one where there is no title; nothing without items. `plain`: they are sentences."""
    lines = [f"- {prose(item) if plain else item}" for item in items]
    if lines:
        yield from _heading(title) if title else [""]
        yield from lines


def block(title: str, lines: Sequence[str]) -> Iterator[str]:
    """Shell lines under their heading, between fences that are longer than any row of backticks in them."""
    yield from _heading(title)
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    yield f"{fence}sh"
    yield from map(printable, lines)
    yield fence


def table(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    """Rows of ready cells under the names of their columns; numbers to the right."""
    names = list(rows[0])
    rule = {name: "---:" if name in NUMBERS else "---" for name in names}
    for row in ({name: name for name in names}, rule, *rows):
        yield f"| {' | '.join(row[name] for name in names)} |"


def prose(text: str) -> str:
    """A sentence whose parts between backticks are code; nothing else in it is markup."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _escaped(text)
    return "".join(code(part) if number % 2 else _escaped(part) for number, part in enumerate(parts))


def code(text: str) -> str:
    """Text as code: in backticks, or as HTML where a backtick, a bar or a backslash would end or change these in a table."""
    text = printable(text)
    if text and text == text.strip() and not set(text) & set("`|\\"):
        return f"`{text}`"
    return f"<code>{''.join(_entity(character) for character in text)}</code>"


def _escaped(text: str) -> str:
    return "".join(_entity(character) if character in "\\`*_{}[]<>|&#~@$!" else character for character in printable(text))


def _entity(character: str) -> str:
    return character if character.isalnum() or character in " .,:;()'/=-" else f"&#{ord(character)};"
