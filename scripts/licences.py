"""Licences of what hetc brings along: what the lock pins, what a bill of materials says of it, what docs/licences.md shows.

The bill is one of CycloneDX as cyclonedx-py makes it, read as plain JSON data.
"""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements-run.lock"
PAGE = ROOT / "docs" / "licences.md"

# Identifiers of SPDX. All of them let anybody use, change and pass on a package, as hetc's own licence does.
ALLOWED = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "PSF-2.0"}

# Packages whose metadata names no licence exactly, what it says instead, and the licence whose text they hold.
CONCLUDED = {
    "colorama": ("License :: OSI Approved :: BSD License", "BSD-3-Clause"),
    "kubernetes-validate": ("", "Apache-2.0"),
}


def normal(name: str) -> str:
    """A package's name as indexes compare names."""
    return re.sub("[-_.]+", "-", name).lower()


def pinned(lock: str) -> dict[str, tuple[str, str]]:
    """The version of each package of a lock, and who asks for it: other packages, or hetc itself."""
    pins = {}
    for name, version, body in re.findall(r"^([\w.-]+)==([^\s\\]+)(.*(?:\n +.*)*)", lock, re.MULTILINE):
        askers = re.findall(r"^ +#(?: via|  ) (?!-c )([\w.-]+)", body, re.MULTILINE)
        pins[normal(name)] = (version, ", ".join(askers))
    return pins


def everywhere(lock: str) -> str:
    """A lock without the conditions under which a package is needed, so that one system's bill names those of all."""
    return re.sub(r"^(\S+==\S+) ;[^\\\n]*", r"\1 ", lock, flags=re.MULTILINE)


def conclude(bill: dict[str, Any]) -> None:
    """Put the licence that a package's text shows into a bill, where its metadata is vague."""
    for component in bill["components"]:
        said, licence = CONCLUDED.get(normal(component["name"]), (None, ""))
        if stated(component) == said:
            component["licenses"] = [{"license": {"id": licence, "acknowledgement": "concluded"}}]


def stated(component: dict[str, Any]) -> str:
    """The licence of a component: an expression of SPDX, or whatever else its metadata says; "" if that is nothing."""
    words = []
    for each in component.get("licenses", []):
        licence = each.get("license", {})
        words.append(each.get("expression") or licence.get("id") or licence["name"])
    return words[0] if len(words) == 1 else " AND ".join(f"({each})" if " OR " in each else each for each in words)


def is_allowed(expression: str) -> bool:
    """Whether one may choose allowed licences only. Parentheses are beyond this: people decide then."""
    return any(all(term in ALLOWED for term in choice.split(" AND ")) for choice in expression.split(" OR "))


def faults(bill: dict[str, Any], lock: str, page: str) -> list[str]:
    """Packages that are in either bill or lock, licences that are not allowed, rows that the page lacks."""
    pins = pinned(lock)
    found = {normal(each["name"]): each["version"] for each in bill["components"]}
    wrong = [f"`{name}` is {found.get(name, 'not there')} in the bill of materials, and {pins.get(name, ('not there',))[0]} in the lock"
             for name in sorted(found.keys() | pins.keys()) if found.get(name) != pins.get(name, (None,))[0]]
    for component in bill["components"]:
        name, licence = normal(component["name"]), stated(component)
        if not is_allowed(licence):
            wrong.append(f"`{name}` has the licence `{licence}`, which is not one of {', '.join(sorted(ALLOWED))}")
        elif name in pins and rows(page).get(name, ("", ""))[1] != licence:
            wrong.append(f"docs/licences.md lacks the row `{row(name, licence, pins[name][1])}`")
    return wrong


def row(name: str, licence: str, askers: str) -> str:
    return f"| {name} | {licence} | {askers} |"


def rows(page: str) -> dict[str, tuple[str, str]]:
    """The packages of the page: by name who asks for each, and its licence."""
    cells = re.findall(r"^\| (\w[\w-]*) \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    return {name: (askers, licence) for name, licence, askers in cells if name != "package"}
