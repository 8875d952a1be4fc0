"""Names: what Kubernetes allows, what Volcano derives from them, and what a misspelt one may have meant.

A check returns None, or a sentence that says what is wrong. Letters and digits are ASCII everywhere.
Sources: apimachinery, util/validation/validation.go; for derived names Volcano's controller and job plugins.
"""
from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from hetc.lazy import regex, remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

LABEL_LENGTH = 63
SUBDOMAIN_LENGTH = 253
PORT_LENGTH = 15
#: A CronJob's jobs get up to 11 further characters: `-` and the minutes since 1970.
CRON_LENGTH = 52
#: Among so many names a misspelt one is looked for, and so many are shown.
MANY, SHOWN = 100, 10

_LOWER = regex(r"[^a-z0-9-]")
_LOWER_DOTS = regex(r"[^a-z0-9.-]")
_QUALIFIED = regex(r"[^A-Za-z0-9_.-]")
_QUALIFIED_SET = "letters, digits, `-`, `_` and `.`"
_ALPHANUMERIC = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_RANDOM = "x" * 12
_UID = "x" * 36


@remembered
def dns1123_label(name: str) -> str | None:
    """Pods' hostnames, containers, volumes, namespaces: 1 to 63 of a-z 0-9 `-`, no `-` at either end."""
    return _empty(name) or too_long(name) or _strange(name, _LOWER, "a-z, 0-9 and `-`") or _ends(name)


def dns1035_label(name: str) -> str | None:
    """Groups, jobs and Services: a DNS-1123 label that starts with a letter."""
    wrong = dns1123_label(name)
    if wrong is None and name[0].isdigit():
        return f"`{name}` starts with `{name[0]}`, not with a letter"
    return wrong


@remembered
def dns1123_subdomain(name: str) -> str | None:
    """Most objects: DNS-1123 labels joined by dots, 253 characters in all; a label alone may have more than 63."""
    wrong = _empty(name) or too_long(name, SUBDOMAIN_LENGTH) or _strange(name, _LOWER_DOTS, "a-z, 0-9, `-` and `.`")
    if wrong is not None:
        return wrong
    for part in name.split("."):
        if not part:
            return f"`{shorten(name)}` has a dot without a letter or digit beside it"
        if part[0] == "-" or part[-1] == "-":
            return f"`{shorten(name)}` has a `-` at the start or end of a part"
    return None


@remembered
def qualified_name(name: str) -> str | None:
    """`name` or `prefix/name`: the prefix a DNS-1123 subdomain, the name as a label value but not empty."""
    prefix, slash, own = name.rpartition("/")
    if "/" in prefix:
        return f"`{shorten(name)}` has more than one `/`"
    if slash:
        if not prefix:
            return f"`{shorten(name)}` has nothing before its `/`"
        wrong = dns1123_subdomain(prefix)
        if wrong is not None:
            return wrong
        if not own:
            return f"`{shorten(name)}` has nothing behind its `/`"
    return _empty(own) or label_value(own)


def label_key(name: str) -> str | None:
    """A key of labels and node selectors, and an extended resource: a qualified name."""
    return qualified_name(name)


@remembered
def annotation_key(name: str) -> str | None:
    """A qualified name whose prefix may have capitals too: Kubernetes lowers an annotation's key before it looks."""
    prefix, slash, own = name.rpartition("/")
    lowered = "".join(c.lower() if c.isascii() else c for c in prefix)
    return qualified_name(lowered + slash + own)


@remembered
def label_value(value: str) -> str | None:
    """At most 63 of A-Z a-z 0-9 `-` `_` `.`, a letter or digit at both ends; may be empty."""
    if not value:
        return None
    return too_long(value) or _strange(value, _QUALIFIED, _QUALIFIED_SET) or _ends(value)


@remembered
def env_name(name: str) -> str | None:
    """A variable's name as Volcano's webhook takes it, which is stricter than API servers since 1.34."""
    wrong = _empty(name) or _strange(name, _QUALIFIED, _QUALIFIED_SET)
    if wrong is None and name[0].isdigit():
        return f"`{shorten(name)}` starts with `{name[0]}`, not with a letter or `_`"
    return wrong or _dots(name)


def config_key(name: str) -> str | None:
    """A key of a ConfigMap or Secret."""
    wrong = _empty(name) or too_long(name, SUBDOMAIN_LENGTH) or _strange(name, _QUALIFIED, _QUALIFIED_SET)
    return wrong or _dots(name)


def port_name(name: str) -> str | None:
    """A container port: at most 15 of a-z 0-9 `-`, at least one letter, no `-` at the ends or twice in a row."""
    wrong = _empty(name) or too_long(name, PORT_LENGTH) or _strange(name, _LOWER, "a-z, 0-9 and `-`") or _ends(name)
    if wrong is None and "--" in name:
        return f"`{name}` has two `-` in a row"
    if wrong is None and not any(c.isalpha() for c in name):
        return f"`{name}` has no letter"
    return wrong


def too_long(name: str, limit: int = LABEL_LENGTH) -> str | None:
    """The length of a name beyond `limit` characters, and how much to cut."""
    if len(name) <= limit:
        return None
    return f"`{shorten(name)}` has {len(name)} characters, {len(name) - limit} more than the {limit} allowed"


def shorten(name: str) -> str:
    """A name as a message quotes it: at most 80 characters of one line."""
    short = name if len(name) <= 80 else name[:60] + "..."
    if short.isprintable():
        return short
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in short)


@lru_cache(4096)
def normal(key: str) -> str:
    """A key in one spelling: `host_path`, `hostPath` and `Host-Path` are one."""
    return key.replace("_", "").replace("-", "").replace(" ", "").casefold()


def pod(job: str, task: str, index: int) -> str:
    """A pod, and its hostname with the svc plugin; as a hostname at most 63 characters, no dots."""
    return f"{job}-{task}-{index}"


def last_pod(job: str, task: str, replicas: int) -> str:
    """The pod with the longest name of a task: that of its last replica."""
    return pod(job, task, max(replicas - 1, 0))


def pod_address(job: str, task: str, index: int) -> str:
    """A pod's address inside its namespace, by the headless Service that svc makes with the job's name."""
    return f"{pod(job, task, index)}.{job}"


def admitted(job: str, task: str, position: int) -> str:
    """What Volcano's webhook checks as a qualified name of at most 63: `position` counts tasks, not replicas, from 0."""
    return f"{job}-{task}-{position}"


def svc_volume(job: str) -> str:
    """svc's ConfigMap and the pod volume that mounts it; as a volume a DNS-1123 label, so a job of at most 59."""
    return f"{job}-svc"


def ssh_volume(job: str) -> str:
    """ssh's Secret and the pod volume that mounts it; as a volume a DNS-1123 label, so a job of at most 59."""
    return f"{job}-ssh"


def ray_service(job: str) -> str:
    """ray's Service, a DNS label, so a job of at most 54."""
    return f"{job}-head-svc"


def job_volume(job: str) -> str:
    """A pod volume of `spec.volumes`, with 12 stand-ins for its random end: a DNS-1123 label, so a job of at most 50."""
    return f"{job}-{_RANDOM}"


def pod_group(job: str) -> str:
    """The job's PodGroup, with 36 stand-ins for the job's uid: at most 253."""
    return f"{job}-{_UID}"


def cron_run(cron: str) -> str:
    """A CronJob's job: `-` and the minutes since 1970, eight digits until the year 2160."""
    return f"{cron}-29700000"


def flow_job(flow: str, template: str) -> str:
    """A JobFlow's job."""
    return f"{flow}-{template}"


def flow_label(namespace: str, name: str) -> str:
    """The value of the labels that name a job's JobFlow and JobTemplate: a label value, so at most 63."""
    return f"{namespace}.{name}"


def suggest(name: str) -> str | None:
    """A DNS-1035 label that reads like `name`: `GPU_Worker` is `gpu-worker`. None where nothing close is one."""
    if not name.isascii() or dns1035_label(name) is None:
        return None
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", name)
    plain = re.sub(r"[^a-z0-9]+", "-", spaced.lower()).lstrip("-0123456789")[:LABEL_LENGTH].rstrip("-")
    return plain if dns1035_label(plain) is None else None


def nearest(word: str, candidates: Collection[str], besides: str | None = None, most: int = MANY) -> str | None:
    """The candidate that `word` most likely misspells, or None: at most a third of the letters may be wrong.

    Case does not count, nor `-` against `_`; two letters that changed places are one mistake. Of equals
    one of the same length, then the first by code point. `besides` is no candidate. Among more than `most` none is looked
    for: a file may ask for every name in it.
    """
    if len(word) > LABEL_LENGTH or len(candidates) > most:
        return None
    folded = _fold(word)
    letters = set(folded)
    best: tuple[int, int, str] | None = None
    for candidate in candidates:
        other = _fold(candidate)
        limit = (max(len(folded), len(other)) + 1) // 3
        longer = abs(len(folded) - len(other))
        # One edit changes at most two of the letters that only one of the words has.
        if longer <= limit and candidate != besides and len(letters.symmetric_difference(other)) <= 2 * limit:
            distance = _distance(folded, other)
            if distance <= limit and (best is None or (distance, longer, candidate) < best):
                best = distance, longer, candidate
    return None if best is None else best[2]


def choice(word: str, values: tuple[str, ...]) -> str:
    """What to write for a word that is none of the values: the nearest one, else any."""
    close = nearest(word, values)
    return f"write `{close}`" if close else f"write {', '.join(f'`{each}`' for each in values[:-1])} or `{values[-1]}`"


def some(names: Collection[str]) -> str:
    """Names as a message lists them: `` `a`, `b` ``; of many the first ones."""
    listed = ", ".join(f"`{shorten(name)}`" for name in sorted(islice(names, SHOWN)))
    return listed if len(names) <= SHOWN else f"{listed}, ..."


def counted(number: int, word: str, many: str | None = None) -> str:
    """A number with its word, the plural by `s` where `many` is not given."""
    return f"{number} {word if number == 1 else many or word + 's'}"


def either(names: list[str]) -> str:
    """`a, b or c`, for names that are there and quoted already."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def way(cycle: list[str]) -> str:
    """A cycle of names as a message shows it, from the first back to the first: `` `a` -> `b` -> `a` ``; at most ten of them."""
    steps = [f"`{shorten(name)}`" for name in (*cycle, cycle[0])]
    return " -> ".join(steps if len(steps) <= 10 else [*steps[:8], "...", steps[-1]])


def _fold(word: str) -> str:
    return word.lower().replace("-", "_")


def _distance(a: str, b: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def _empty(name: str) -> str | None:
    return None if name else "the name is empty"


def _strange(name: str, wrong: re.Pattern[str], allowed: str) -> str | None:
    found = wrong.search(name)
    return None if found is None else f"`{shorten(name)}` has `{shorten(found[0])}`, and only {allowed} are allowed"


def _ends(name: str) -> str | None:
    if name[0] not in _ALPHANUMERIC:
        return f"`{shorten(name)}` starts with `{name[0]}`, not with a letter or digit"
    if name[-1] not in _ALPHANUMERIC:
        return f"`{shorten(name)}` ends with `{name[-1]}`, not with a letter or digit"
    return None


def _dots(name: str) -> str | None:
    if name == ".":
        return "`.` names a directory"
    return f"`{shorten(name)}` starts with `..`" if name.startswith("..") else None
