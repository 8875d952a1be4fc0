"""Volcano's job plugins parse their arguments with Go's `flag` package and only log what is wrong with them.

Parsing stops at the first unknown flag, bad value or bare word, and the rest is ignored: the job runs, with other settings than
written. A port that is no number becomes 0, and then no pod can be created. Only the plugins' names are checked at admission.
"""
from __future__ import annotations

import re

from hetc.diagnostic import ERROR, WARNING, Code, Finding
from hetc.lazy import regex
from hetc.manifest import jobs
from hetc.names import nearest, shorten
from hetc.plugins import CONTAINERS, FLAG, IMAGE, NUMBER, PATH, PLUGINS, PORT, PREFIX, TASK, TEXT, WORDS, in_keys
from hetc.record import replace
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, Sequence, is_null, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.diagnostic import Fix
    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.source import Span
    from hetc.tree import Entry, Node

_FLAG = regex(r"--?([^-=][^=]*)(?:=(.*))?", re.DOTALL)
#: What Go's ParseInt takes with base 0.
_INTEGER = regex(r"[+-]?(?:0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0(?:_?[0-7])*|[1-9](?:_?[0-9])*)")
#: What is no number and no flag -> its form; of the rest any text does.
_FORMS = {PATH: r"/.*", WORDS: r"\w+(,\w+)*", PREFIX: r"[A-Za-z_]\w*", CONTAINERS: r"\*|[a-z0-9-]+(,[a-z0-9-]+)*", TEXT: ".*", TASK: ".*"}
_BOOLEANS = frozenset("1 t T TRUE true True 0 f F FALSE false False".split())
_IGNORED = "Volcano ignores it and what follows"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        plugins = job.spec.get("plugins")
        for name, entry in plugins.entries.items() if isinstance(plugins, Mapping) else ():
            if name not in PLUGINS or PLUGINS[name].distribution not in ("", site.distribution):
                yield Finding(f"Volcano has no plugin `{shorten(name)}`", entry.key.origin.span, _known_plugins(name, site))
            elif is_null(entry.value):
                yield Finding(f"plugin `{name}` is null, and Kubernetes drops what is null", entry.key.origin.span, f"write `{name}: []`",
                              fix=_empty(entry))
            elif isinstance(entry.value, Sequence):
                yield from map(_in_keys, _arguments(name, entry.value.items)) if manifest.emitted else _arguments(name, entry.value.items)
            else:
                written = entry.value.text if isinstance(entry.value, Scalar) else "--FLAG=VALUE"
                yield Finding(f"the arguments of plugin `{name}` are {shorten(kind(entry.value))}, not a list of strings",
                              entry.value.origin.span, f"write `{name}: [{shorten(written)}]`")


def _known_plugins(name: str, site: Site) -> str:
    """What to write for a plugin that this site's Volcano has not."""
    own = PLUGINS[name].distribution if name in PLUGINS else None
    if own:
        return f'where it is the distribution `{own}`, which ships it, say `[volcano] distribution = "{own}"` in the site file'
    known = [each for each, plugin in PLUGINS.items() if plugin.distribution in ("", site.distribution)]
    close = nearest(name, known)
    return f"did you mean `{close}`?" if close else f"the plugins are {', '.join(f'`{each}`' for each in known)}"


def _empty(entry: Entry) -> Fix | None:
    from hetc.mend import fill

    return fill(entry, "[]")


def _in_keys(finding: Finding) -> Finding:
    """What is wrong with a flag that hetc wrote, in the words of the overlay."""
    return replace(finding, message=in_keys(finding.message), help=in_keys(finding.help or ""))


def _arguments(plugin: str, items: list[Node]) -> Iterator[Finding]:
    """The first thing that is wrong with a plugin's arguments."""
    other = next((item for item in items if not (isinstance(item, Scalar) and isinstance(item.value, str))), None)
    if other is not None:
        yield Finding(f"an argument of plugin `{plugin}` is {shorten(kind(other))}, not a string", other.origin.span, "quote it")
        return
    for each in _parsed(plugin, items):
        if isinstance(each, Finding):
            yield each


def _flags(plugin: str) -> dict[str, str]:
    """The flags of a plugin, and what they take."""
    return {each.flag: each.takes for each in PLUGINS[plugin].settings}


def settings(plugin: str, arguments: Node | None) -> dict[str, tuple[str, Span]]:
    """What a plugin takes from its arguments, flag -> text and place, up to the first that is wrong; the last of a flag counts."""
    found = {}
    for each in _parsed(plugin, arguments.items if isinstance(arguments, Sequence) else []):
        if not isinstance(each, Finding):
            found[each[0]] = each[1:]
        elif each.level != WARNING:
            break
    return found


def _parsed(plugin: str, items: list[Node]) -> Iterator[tuple[str, str, Span] | Finding]:
    """The flags, texts and places that Go's flag package reads; then what stops it."""
    waiting = iter([(item, item.value) for item in items if isinstance(item, Scalar) and isinstance(item.value, str)])
    for item, word in waiting:
        match = _FLAG.fullmatch(word)
        if word == "--":  # the end of the flags
            after = next(waiting, None)
            if after is not None:
                yield Finding(f"Volcano ignores what follows `--` in the arguments of plugin `{plugin}`", after[0].origin.span,
                              "leave `--` out")
            return
        if match is None:
            yield Finding(f"`{shorten(word)}` is no flag of plugin `{plugin}`: {_IGNORED}", item.origin.span, "write `--FLAG=VALUE`")
            return
        name, value, place = match[1], match[2], item
        takes = _flags(plugin).get(name)
        if takes is None:
            yield Finding(f"plugin `{plugin}` has no flag `--{shorten(name)}`: {_IGNORED}", item.origin.span, _known(plugin, name))
            return
        if value is None and takes != FLAG:
            place, value = next(waiting, (item, None))
        if takes != FLAG and value is None:
            yield Finding(f"flag `--{name}` of plugin `{plugin}` has no value: {_IGNORED}", item.origin.span, f"write `--{name}=VALUE`")
            return
        value = "true" if value is None else value
        if name == "ssh-port" and _fits(NUMBER, value) and not _fits(PORT, value):
            yield Finding(f"`--{name}` of plugin `{plugin}` takes {takes}; Volcano makes 22 of `{shorten(value)}`", place.origin.span,
                          f"write `--{name}=22`", level=WARNING)
        elif not _fits(takes, value):
            yield Finding(f"`--{name}` of plugin `{plugin}` takes {takes}, not `{shorten(value)}`", place.origin.span,
                          f"write `--{name}={_example(takes)}`")
            return
        else:
            yield name, value, place.origin.span


def _known(plugin: str, name: str) -> str:
    flags = _flags(plugin)
    close = nearest(name, flags)
    if close is not None:
        return f"did you mean `--{close}`?"
    return f"its flags are {', '.join(f'`--{flag}`' for flag in flags)}" if flags else "it takes none: write `[]`"


def _fits(takes: str, value: str) -> bool:
    if takes == FLAG:
        return value in _BOOLEANS
    if takes == IMAGE:
        from hetc.image import fault

        return fault(value) is None
    if takes in _FORMS:
        return re.fullmatch(_FORMS[takes], value, re.DOTALL | re.ASCII) is not None
    if not _INTEGER.fullmatch(value) or len(value) > 40:
        return False
    return takes == NUMBER or 1 <= integer(value) <= 65535


def integer(value: str) -> int:
    digits = value.replace("_", "").lower()
    octal = re.fullmatch(r"([+-]?)0([0-7]+)", digits)
    return int(f"{octal[1]}{octal[2]}", 8) if octal else int(digits, 0)


def _example(takes: str) -> str:
    return {PATH: "/home/user/.ssh", FLAG: "true", NUMBER: "300", PORT: "2222", IMAGE: "busybox:1.36.1", WORDS: "retryCount",
            PREFIX: "Job_", CONTAINERS: "*"}[takes]


RULE = ManifestRule(Code("HET505", "plugin-arguments", ERROR, "an unknown plugin, or arguments that it cannot parse"), check)
