"""The parts of the documentation that are made of what hetc knows: the rules' pages, and tables in the pages of docs/reference.

A table stands in a page between `<!-- made: NAME -->` and `<!-- end -->`. Run after every change of a field or option table:
`make schemas`. A test holds pages and tables against each other.
"""
from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from hetc import fields, gpu, options, pages, site_fields
from hetc.emit import volcano
from hetc.fields import Choice, EnvValue, Field, ListOf, MapOf, Shape, Tasks, Text, Whole
from hetc.read import flow, template_fields
from hetc.rules import CATALOG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hetc.fields import Type
    from hetc.options import Command, Option

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
MADE = re.compile(r"(?<=^<!-- made: )([\w-]+)( -->\n).*?(?=^<!-- end -->$)", re.MULTILINE | re.DOTALL)

#: What the codes of each range are about.
RANGES = {
    "HET0": "Reading", "HET1": "Names", "HET2": "Quantities", "HET3": "Mounts", "HET4": "Security", "HET5": "Volcano admission",
    "HET6": "Gang and ranks", "HET7": "Habits", "HET8": "Site policy",
}

RULES_HEAD = """\
# Rules

A finding names its rule, as `HET201` in `job.het:1:22: error HET201: …`. `hetc rule HET201` prints the page that stands here.
An *error* stops a build; a *warning* does not, unless `--fail-on warning` asks for it.
"""

#: What a value of each type without parts is.
SIMPLE: dict[type, str] = {
    fields.Flag: "`true` or `false`",
    fields.Lines: "shell lines: a list, or one text",
    fields.Paths: "a path, or a list of them",
    fields.Mode: "a file mode",
    fields.Amount: "an amount of memory with its unit",
    fields.Cores: "cores: a number, or text such as `500m`",
    fields.Length: "a length of time, such as `90m` or `1h30m`",
    fields.Devices: "`true`, `false` or a number",
    fields.Anything: "anything",
}


def rule_pages() -> dict[str, str]:
    """The pages of the rules by file name, and `index.md`, which lists them by range."""
    return {"index.md": "\n".join([RULES_HEAD, *map(_range, RANGES)]), **{f"{code.code}.md": _rule_page(code.code) for code in CATALOG}}


def filled(page: str) -> str:
    """A page with its tables as they are now."""
    return MADE.sub(lambda match: f"{match[1]}{match[2]}{TABLES[match[1]]()}", page)


def _range(start: str) -> str:
    codes = sorted((code for code in CATALOG if code.code.startswith(start)), key=lambda code: code.code)
    rows = ((f"[{code.code}]({code.code}.md)", code.name, code.level, code.title) for code in codes)
    return f"## {start}xx {RANGES[start]}\n\n{_table(('code', 'name', 'level', 'what it finds'), rows)}"


def _rule_page(code: str) -> str:
    """A rule's page below a line that leads back, its code blocks titled with the file that each is."""
    text = re.sub(r"^```(\w+) ([\w./-]+)[^\n]*$", r'```\1 title="\2"', pages.read(pages.find(code)), flags=re.MULTILINE)
    title, _, rest = text.partition("\n")
    return f"{title}\n\n[Rules](index.md), {code[:4]}xx {RANGES[code[:4]]}\n{rest}"


def overlay_keys() -> str:
    return _keys((*fields.FIELDS, *volcano.FIELDS))


def template_keys() -> str:
    return _keys(template_fields.FIELDS)


def flow_keys() -> str:
    return _keys(flow.FIELDS)


def site_keys() -> str:
    """A section for each table of the site file."""
    return "\n".join(_site_table(row) for row in site_fields.FIELDS)


def _site_table(table: Field) -> str:
    rows = table.type.fields if isinstance(table.type, Shape) else (Field("NAME", table.type.value, table.doc),)  # type: ignore[union-attr]
    return f"### `[{table.name}]`\n\n{table.doc}\n\n{_keys(rows, f'{table.name}.')}"


def _keys(rows: tuple[Field, ...], above: str = "") -> str:
    """A table of keys, and one for each key that has several keys below it, under its path."""
    flat = list(_flat(rows))
    parts = [_table(("key", "value", "what it is for", "example"), (
        (f"`{path}`{_places(row)}", _words(row.type), _use(row), _shown(row.example)) for path, row in flat
    ))]
    for path, row in flat:
        shape, step = _below(row.type)
        if shape is not None and len(shape.fields) > 1:
            parts.append(f"### `{above}{path}{step}`\n\n{_keys(shape.fields, f'{above}{path}{step}.')}")
    return "\n".join(parts)


def _places(row: Field) -> str:
    """The mark of a key that may, or must, stand under a task."""
    return "†" if row.only_task else "*" if row.task else ""


def gpu_families() -> str:
    return _table(("family", "resource", "node label", "products"), (
        (f"`{family.name}`", f"`{family.resource}`", f"`{family.label}`", ", ".join(f"`{each}`" for each in family.products))
        for family in gpu.GpuTable().families()
    ))


def banned_keys() -> str:
    """The rules over raw pod fields, and what each refuses."""
    by_code: dict[str, list[str]] = {}
    for key, code in fields.BANNED.items():
        by_code.setdefault(code.code, []).append(key)
    return _table(("rule", "refused, in any spelling"), (
        (f"[{code}](../rules/{code}.md)", ", ".join(f"`{key}`" for key in sorted(keys))) for code, keys in sorted(by_code.items())
    ))


def grammar() -> str:
    return f"```text\n{(ROOT / 'grammar' / 'het.lark').read_text(encoding='utf-8')}```\n"


def commands() -> str:
    """A section for each command of the option table."""
    return "\n".join(map(_command, options.COMMANDS.values()))


def _command(command: Command) -> str:
    argument = command.argument
    usage = ["hetc", command.name, "[OPTIONS]"]
    if argument.metavar:
        usage.append(argument.metavar if argument.required else f"[{argument.metavar}]")
    if command.takes_command:
        usage.append("[-- COMMAND...]")
    parts = [f"## hetc {command.name}\n", f"{command.help}\n", f"```text\n{' '.join(usage)}\n```\n"]
    if argument.metavar:
        parts.append(f"`{argument.metavar}`: {argument.help}.\n")
    if command.options:
        parts.append(_table(("option", "what it does"), map(_option, command.options)))
    width = max(len(line) for line, _ in command.examples)
    lines = "".join(f"{line:<{width}}  # {what}\n" for line, what in command.examples)
    return "\n".join([*parts, f"{command.exits}.\n", f"```sh\n{lines}```\n"])


def _option(option: Option) -> tuple[str, str]:
    takes = option.metavar or ("" if not option.choices else "WORD")
    words = f" One of {', '.join(f'`{word}`' for word in option.choices)}." if len(option.choices) > 1 else ""
    default = f" Default: `{option.default}`." if option.default else ""
    return f"`{', '.join(option.flags)}{f' {takes}' if takes else ''}`", option.help + words + default


def _flat(rows: Iterable[Field], above: str = "") -> Iterator[tuple[str, Field]]:
    """Each key behind its path, and with it the key below it where there is one alone."""
    for row in rows:
        path = above + row.name
        yield path, row
        shape, step = _below(row.type)
        if shape is not None and len(shape.fields) == 1:
            yield from _flat(shape.fields, f"{path}{step}.")


def _below(type: Type) -> tuple[Shape | None, str]:
    """The mapping with known keys that a value of a type is or holds, and the step to it."""
    if isinstance(type, Shape):
        return type, ""
    if isinstance(type, MapOf):
        return _below(type.value)[0], ".NAME"
    if isinstance(type, ListOf):
        return _below(type.item)[0], "[]"
    return None, ""


def _words(type: Type) -> str:
    """What a value of a type is."""
    if isinstance(type, Tasks):
        return f"a mapping: {type.what} → the keys marked * and †"
    if isinstance(type, Choice):
        return " or ".join(f"`{word}`" for word in type.words)
    if isinstance(type, Text):
        return type.what
    if isinstance(type, Whole):
        return f"a whole number from {type.least}" + (f" to {type.most}" if type.most < 2**31 - 1 else "")
    if isinstance(type, ListOf):
        return f"a list of: {_words(type.item)}"
    if isinstance(type, MapOf):
        return f"a mapping: {type.what} → {_words(type.value)}"
    if isinstance(type, Shape):
        return "a mapping"
    if isinstance(type, EnvValue):
        forms = [f"`{{{', '.join(f'{row.name}: …' for row in shape.fields)}}}`" for shape in type.sources]
        return " or ".join([*(["text"] if type.text else []), *forms])
    return SIMPLE[type.__class__]


def _use(row: Field) -> str:
    """What a key is for, its default, and how a task's goes with the job's."""
    how = {fields.MERGE: " Merged with the task's, which wins.", fields.REPLACE: " A task's replaces it."}
    default = "" if row.default is None else f" Default: {_shown(row.default)}."
    return row.doc + default + how.get(row.inherit or "", "")


def _shown(value: object) -> str:
    """A value as YAML writes it on one line."""
    if value is None or value == ():
        return ""
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value)}`"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


TABLES = {
    "overlay-keys": overlay_keys, "template-keys": template_keys, "flow-keys": flow_keys, "site-keys": site_keys,
    "gpu-families": gpu_families, "banned-keys": banned_keys, "grammar": grammar, "commands": commands,
}


def main() -> None:
    for path in DOCS.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        if filled(text) != text:
            path.write_text(filled(text), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
