"""The pages of the rules, and the list of them."""
from __future__ import annotations

import os

from hetc import rules
from hetc.diagnostic import OwnCode
from hetc.names import nearest
from hetc.source import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.diagnostic import Code


def page(wanted: str, as_json: bool, own: tuple[Code, ...] = ()) -> str:
    """The page of a rule, in Markdown or as JSON. `wanted` is its code or its name in any letter case; `own` are the codes
    of a site's own rules. Raises UsageError.
    """
    code = find(wanted, own)
    text = read(code)
    return _json({**_facts(code), "page": text}) if as_json else text


def listing(as_json: bool, own: tuple[Code, ...] = ()) -> str:
    """All rules by code, a site's own last: code, level, name, title."""
    found = (*rules.CATALOG, *sorted(own, key=lambda code: code.code))
    if as_json:
        return _json([_facts(code) for code in found])
    width, longest = max(len(code.name) for code in found), max(len(code.code) for code in found)
    return "".join(f"{code.code:<{longest}}  {code.level:<7}  {code.name:<{width}}  {code.title}\n" for code in found)


def find(wanted: str, own: tuple[Code, ...] = ()) -> Code:
    """The rule with a code or a name. Raises UsageError with the nearest one."""
    known = {word.lower(): code for code in (*rules.CATALOG, *own) for word in (code.code, code.name)}
    found = known.get(wanted.lower())
    if found is not None:
        return found
    close = nearest(wanted.lower(), known, most=len(known))
    word = None if close is None else known[close].code if close.startswith("het") else close
    raise UsageError(f"no rule is called `{wanted}`; " + (f"did you mean `{word}`?" if word else "`hetc rule` lists them"))


def knows(wanted: str) -> bool:
    """Whether a code or a name is hetc's own."""
    return any(wanted.lower() in (code.code.lower(), code.name) for code in rules.CATALOG)


def path(code: Code) -> str:
    """Where the page of a rule is: beside the rules."""
    return os.path.join(os.path.dirname(os.path.abspath(rules.__file__)), f"{code.name.replace('-', '_')}.md")


def read(code: Code) -> str:
    """A rule's page."""
    if isinstance(code, OwnCode):
        return code.page
    with open(path(code), encoding="utf-8") as file:
        return file.read()


def _facts(code: Code) -> dict[str, str]:
    return {"code": code.code, "name": code.name, "level": code.level, "title": code.title}


def _json(data: object) -> str:
    import json

    return json.dumps(data, ensure_ascii=True, indent=2) + "\n"
