"""The pages of the documentation that are made of what hetc knows: the rules' pages."""
from __future__ import annotations

import re

from hetc import pages
from hetc.rules import CATALOG

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


def rule_pages() -> dict[str, str]:
    """The pages of the rules by file name, and `index.md`, which lists them by range."""
    return {"index.md": "\n".join([RULES_HEAD, *map(_range, RANGES)]), **{f"{code.code}.md": _rule_page(code.code) for code in CATALOG}}


def _range(start: str) -> str:
    codes = sorted((code for code in CATALOG if code.code.startswith(start)), key=lambda code: code.code)
    rows = [f"| [{code.code}]({code.code}.md) | {code.name} | {code.level} | {code.title} |\n" for code in codes]
    return "".join([f"## {start}xx {RANGES[start]}\n\n| code | name | level | what it finds |\n| --- | --- | --- | --- |\n", *rows])


def _rule_page(code: str) -> str:
    """A rule's page below a line that leads back, its code blocks titled with the file that each is."""
    text = re.sub(r"^```(\w+) ([\w./-]+)[^\n]*$", r'```\1 title="\2"', pages.read(pages.find(code)), flags=re.MULTILINE)
    title, _, rest = text.partition("\n")
    return f"{title}\n\n[Rules](index.md), {code[:4]}xx {RANGES[code[:4]]}\n{rest}"
