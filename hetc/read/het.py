"""The request part of a `.het` file: its text in, `ir.Request` out.

The grammar takes any word anywhere; what a word may be is checked here, so that each mistake has its own
message at its own column. All semantic mistakes are reported, but only the first one of syntax.
"""
from __future__ import annotations

import re

from hetc import codes
from hetc.diagnostic import Label
from hetc.fields import REQUEST_KEYS
from hetc.ir import ALL, FAIL, MASTER, RESTART, TOLERATE, Gang, Group, Request, Share
from hetc.origin import Located, Origin
from hetc.quantity import show
from hetc.read import het_values as values
from hetc.read.het_words import Item, Word
from hetc.read.lalr import MOST_CHARACTERS, MOST_TOKENS, Failure, TooMany, lex, parse
from hetc.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    from hetc.diagnostic import Report
    from hetc.ir import Pack
    from hetc.read.lalr import Token, Tree
    from hetc.source import Source

_DASHES = re.compile(r"^---(?:[ \t]*|[ \t]+#[^\n]*)\r?(?:\n|\Z)", re.MULTILINE)

#: `worker-10` would sort before `worker-2`, and change ranks.
_MOST_WORKERS = 9

RULES = ("min", "fail", "retries", "done", "pack", "start")
#: The keys of what a group counts as its GPUs, of which it has one.
ACCELERATORS = ("gpu", "mig", "vgpu")
_READERS = {
    "cpu": ("cpu", values.cpu),
    "mem": ("memory", values.memory),
    "rdma": ("rdma", values.rdma),
    "ppn": ("processes", lambda item, report: values.whole(item, report, least=1)),
    "min": ("minimum", lambda item, report: values.whole(item, report, least=1, example="3")),
    "pack": ("pack", values.pack),
    "disk": ("disk", values.memory),
    "vgpu-mem": ("memory of a vGPU", values.mebibytes),
    "vgpu-cores": ("cores of a vGPU", values.percent),
}


def split(source: Source) -> tuple[int, int]:
    """The end of the request and the start of the overlays: around the first `---` line, the end of the text without one."""
    dashes = _DASHES.search(source.text)
    return dashes.span() if dashes else (len(source.text), len(source.text))


def read(source: Source, end: int, report: Report, limit: int = 10_000, devices: Collection[str] = ()) -> Request | None:
    """The request in `source.text[:end]`, of at most `limit` groups; `devices`: keys of the site's own accelerators.

    Mistakes go to the report; None when the text does not follow the grammar, or is too large. Every group has a name in the
    result, a DERIVED one where the user gave none. That there is one master is not checked here.
    """
    help = "write like replicas as one group with a larger count"
    if end > MOST_CHARACTERS:
        place = Span(source, MOST_CHARACTERS, MOST_CHARACTERS + 1)
        report.add(codes.TOO_LARGE, place, f"the request has more than {MOST_CHARACTERS:,} characters", help)
        return None
    try:
        tokens, stop = lex(source.text, end)
    except TooMany as error:
        report.add(codes.TOO_LARGE, Span(source, error.at, error.at + 1), f"more than {MOST_TOKENS:,} words and signs", help)
        return None
    stars = [at for at, token in enumerate(tokens) if token[0] == "STAR"]
    if len(stars) > limit:
        _, start, after = tokens[max(stars[limit] - 1, 0)]
        report.add(codes.TOO_LARGE, Span(source, start, after), f"more than {limit} groups", help)
        return None
    tree = parse(tokens, whole=stop == end)
    if isinstance(tree, Failure):
        from hetc.read import het_errors

        het_errors.explain(source, end, tokens, stop, tree, report)
        return None
    return _Reader(source, tokens, report, devices).request(tree)


class _Draft:
    """A group on its way: `count` is None after a mistake in it; `fields` are attributes of `ir.Group`."""

    __slots__ = ("count", "fields", "name", "places", "token", "unknown", "written")

    def __init__(self, count: Located[int] | None, token: Word, written: Word | None) -> None:
        self.count = count
        self.token = token
        self.written = written
        self.name = written.located() if written is not None else None
        self.fields: dict[str, Any] = {}
        #: Where each key stands that was given.
        self.places: dict[str, Span] = {}
        #: Whether there was a key that hetc does not know: it may have been meant for one that seems to be missing.
        self.unknown = False

    def least(self) -> int:
        """The replicas that must be there at least."""
        minimum = self.fields.get("minimum") or self.count
        return minimum.value if minimum else 1

    def group(self) -> Group:
        assert self.name is not None
        replicas = self.count or Located(1, Origin(self.token.span))
        return Group(Origin((self.written or self.token).span), self.name, replicas, **self.fields)


class _Reader:
    """Turns a tree into a request."""

    def __init__(self, source: Source, tokens: list[Token], report: Report, devices: Collection[str]) -> None:
        self.source = source
        self.tokens = tokens
        self.report = report
        self.accelerators = (*ACCELERATORS, *devices)
        self.keys = (*REQUEST_KEYS, *devices)

    def request(self, tree: Tree) -> Request:
        drafts = [self._group(child[1]) for child in tree[1] if isinstance(child, tuple) and child[0] == "group"]
        sections = self._sections(tree)
        homogeneous = len(drafts) == 1 and not drafts[0].written and drafts[0].count is not None and drafts[0].count.value > 1
        uses = self._uses(sections.get("use"))
        rules = self._rules(sections.get("gang"))
        self._check_counts(drafts)
        if homogeneous:
            self._check_minimum(drafts[0])
            drafts = self._homogeneous(drafts[0], rules)
        else:
            self._name(drafts)
            for draft in drafts:
                self._check_minimum(draft)
        gang = Gang(**{key: value for key, (_, value) in rules.items()})
        if "fail" not in rules or gang.fail is not None:
            self._check_retries(gang)
        self._check_gang(gang, drafts)
        start = Origin(self._span(0))
        return Request(start, tuple(draft.group() for draft in drafts), gang, uses)

    # Words and items.

    def _span(self, first: int, last: int | None = None) -> Span:
        return Span(self.source, self.tokens[first][1], self.tokens[first if last is None else last][2])

    def _word(self, at: int) -> Word:
        kind, start, end = self.tokens[at]
        text = self.source.text[start:end]
        if kind == "STRING":
            text = text[1:-1]
            if "\\" in text:
                from json import loads

                text = loads(f'"{text}"')
        return Word(text, Span(self.source, start, end))

    def _items(self, pairs: list[int | Tree]) -> Iterator[Item]:
        """The items of a list of pairs; a key in quotes or of several parts is reported and left out."""
        for pair in pairs:
            assert isinstance(pair, tuple)
            key, *value = (part[1] for part in pair[1] if isinstance(part, tuple))
            last = (value or [key])[0][-1]
            assert isinstance(key[0], int) and isinstance(key[-1], int) and isinstance(last, int)
            parts = [self._word(at) for part in value for at in part if isinstance(at, int)]
            item = Item(self._word(key[0]), parts, self._span(key[0], last))
            if len(key) == 1 and self.tokens[key[0]][0] == "STRING":
                self.report.add(codes.SYNTAX, item.key.span, f"the key `{show(item.key.span.text())}` has quotes",
                                f"write `{show(item.key.text)}`")
                continue
            if len(key) == 1:
                yield item
                continue
            text = show(self._span(key[0], key[-1]).text())
            help = "write one word before `=`, as in `cpu=16`" if value else f"write `{text.replace(':', '=', 1)}`"
            self.report.add(codes.SYNTAX, self._span(key[0], key[-1]), f"`{text}` is no key" if value else f"`{text}` has no `=`", help)

    def _repeated(self, what: str, word: Word, seen: dict[str, Span], first: str = "first given here") -> bool:
        """Report a second `word`; note a first one."""
        if word.text not in seen:
            seen[word.text] = word.span
            return False
        related = (Label(seen[word.text], first),)
        self.report.add(codes.DUPLICATE_KEY, word.span, f"duplicate {what} `{show(word.text)}`",
                        "keep one of the two" + (", or rename it" if what == "name" else ""), related)
        return True

    # Groups.

    def _group(self, parts: list[int | Tree]) -> _Draft:
        token = self._word(parts[0])  # type: ignore[arg-type]
        written = self._word(parts[1]) if isinstance(parts[1], int) else None
        swapped = written is not None and values.swapped(token, written, self.report)
        count = None if swapped else values.count(token, self.report)
        if written is not None and not swapped:
            values.name(written, self.report)
        draft = _Draft(count, token, written)
        for part in parts[1:]:
            if isinstance(part, tuple) and part[0] == "section":
                self._select(draft, part[1])
            elif isinstance(part, tuple):
                for item in self._items([part]):
                    self._item(draft, item)
                    break
                else:
                    draft.unknown = True
        self._check_requests(draft)
        self._share(draft)
        return draft

    def _item(self, draft: _Draft, item: Item) -> None:
        key = item.key.text
        if key not in self.keys or key == "select":
            from hetc.read import het_foreign

            draft.unknown = True
            self.report.add(*het_foreign.key(item, self.keys))
        elif self._repeated("key", item.key, draft.places):
            return
        elif key in self.accelerators:
            self._accelerator(draft, item)
        else:
            field, reader = _READERS[key]
            draft.fields[field] = reader(item, self.report)

    def _accelerator(self, draft: _Draft, item: Item) -> None:
        """What the group counts as its GPUs: whole ones, MIG instances, vGPUs, or a device of the site's."""
        key = item.key.text
        other = next((name for name in self.accelerators if name in draft.places and name != key), None)
        if other is not None:
            self.report.add(codes.CONFLICT, item.key.span, f"the group asks for `{other}` and for `{show(key)}`",
                            "keep one of the two: a group has one kind of accelerator", (Label(draft.places[other], "the other one"),))
        elif key == "gpu":
            draft.fields["gpus"], draft.fields["gpu_model"] = values.gpu(item, self.report)
        elif key == "mig":
            draft.fields["device"], draft.fields["gpus"] = values.mig(item, self.report)
        elif key == "vgpu":
            draft.fields["gpus"], draft.fields["mode"] = values.vgpu(item, self.report)
            draft.fields["device"] = item.key.located()
        else:
            draft.fields["gpus"], draft.fields["device"] = values.whole(item, self.report, least=0), item.key.located()

    def _share(self, draft: _Draft) -> None:
        """What is said of each vGPU, as one; it goes with `vgpu` only."""
        taken = [draft.fields.pop(name, None) for name in ("memory of a vGPU", "cores of a vGPU", "mode")]
        alone = next((key for key in ("vgpu-mem", "vgpu-cores") if key in draft.places), None)
        if alone is not None and "vgpu" not in draft.places and not draft.unknown:
            self.report.add(codes.MISSING, draft.places[alone], f"`{alone}` stands without `vgpu`", f"add `vgpu=1` before `{alone}`")
        if "vgpu" in draft.places:
            draft.fields["share"] = Share(*taken)

    def _select(self, draft: _Draft, parts: list[int | Tree]) -> None:
        word = self._word(parts[0])  # type: ignore[arg-type]
        if word.text != "select":
            from hetc.read import het_foreign

            draft.unknown = True
            self.report.add(*het_foreign.section(word, inside=True))
        elif not self._repeated("key", word, draft.places):
            if len(parts) == 1:
                self.report.add(codes.BAD_VALUE, word.span, "`select[]` names no label", "write `select[key=value]`, or delete it")
            draft.fields["select"] = tuple(self._labels(parts[1:]))

    def _labels(self, parts: list[int | Tree]) -> Iterator[tuple[Located[str], Located[str]]]:
        seen: dict[str, Span] = {}
        for item in self._items(parts):
            if any(sign in item.span.text() for sign in ("||", "&&", "!", "(", ")", "~")):
                from hetc.read import het_foreign

                self.report.add(*het_foreign.condition(item))
            elif not self._repeated("label", item.key, seen):
                label = values.label(item, self.report)
                if label is not None:
                    yield label

    def _check_requests(self, draft: _Draft) -> None:
        """Something must be asked for; a group without cpu or mem is legal, and rarely meant."""
        gpus = draft.fields.get("gpus")
        asks_gpus = any(key in draft.places for key in self.accelerators) and (gpus is None or gpus.value > 0)
        missing = [key for key in ("cpu", "mem") if key not in draft.places]
        word = draft.written or draft.token
        if draft.unknown:
            return
        if len(missing) == 2 and not asks_gpus:
            self.report.add(codes.MISSING, word.span, "the group asks for none of cpu, mem and gpu",
                            "write at least one of them, such as `cpu=16`")
        elif missing:
            example = {"cpu": "cpu=16", "mem": "mem=64Gi"}
            self.report.add(codes.NO_REQUEST, word.span, f"the group has no {' and no '.join(missing)}",
                            "write what one replica needs, such as " + " and ".join(f"`{example[key]}`" for key in missing))

    # Names.

    def _homogeneous(self, draft: _Draft, rules: dict[str, tuple[Span, Any]]) -> list[_Draft]:
        """One unnamed group of several replicas: a master and workers of the same shape."""
        assert draft.count is not None
        origin = draft.count.origin.derived()
        if "pack" in draft.fields:
            place = draft.places["pack"]
            if "pack" in rules:
                first, second = sorted((place, rules["pack"][0]), key=lambda span: span.start)
                self.report.add(codes.DUPLICATE_KEY, second, "duplicate `pack`: that of a single group is the whole job's",
                                "keep one of the two", (Label(first, "first given here"),))
            else:
                rules["pack"] = place, draft.fields["pack"]
            del draft.fields["pack"]
        master = _Draft(Located(1, origin), draft.token, None)
        worker = _Draft(Located(draft.count.value - 1, origin), draft.token, None)
        minimum = draft.fields.pop("minimum", None)
        master.fields, worker.fields = draft.fields, dict(draft.fields)
        if minimum is not None:
            worker.fields["minimum"] = Located(max(minimum.value - 1, 0), minimum.origin.derived())
        master.name, worker.name = Located(MASTER, origin), Located("worker", origin)
        return [master, worker]

    def _name(self, drafts: list[_Draft]) -> None:
        """Give names to the groups that have none; report names that are taken."""
        written: dict[str, Span] = {}
        for draft in drafts:
            if draft.written is not None:
                self._repeated("name", draft.written, written)
        unnamed = [draft for draft in drafts if draft.written is None]
        first = drafts[0]
        if first.written is None and first.count is not None and first.count.value == 1 and MASTER not in written:
            self._give(unnamed.pop(0), MASTER, written)
        for number, draft in enumerate(unnamed, 1):
            self._give(draft, f"worker-{number}" if len(unnamed) > 1 else "worker", written)
        if len(unnamed) > _MOST_WORKERS:
            message = f"{len(unnamed)} workers have no name, at most {_MOST_WORKERS} can be numbered"
            self.report.add(codes.NO_NAME, unnamed[_MOST_WORKERS].token.span, message,
                            "give the groups names, such as `2*a100-worker<...>`")

    def _give(self, draft: _Draft, name: str, written: dict[str, Span]) -> None:
        draft.name = Located(name, Origin(draft.token.span).derived())
        if name in written:
            self.report.add(codes.NO_NAME, draft.token.span, f"this group would be `{name}`, a name in use",
                            f"give the group a name, such as `{show(draft.token.text)}*other-{name}<...>`",
                            (Label(written[name], "used here"),))

    # Checks between groups and rules.

    def _check_counts(self, drafts: list[_Draft]) -> None:
        total = 0
        for draft in drafts:
            total += draft.count.value if draft.count else 0
            if total >= values.TOO_MANY:
                self.report.add(codes.TOO_LARGE, draft.token.span, f"the counts add up to more than {values.TOO_MANY - 1}",
                                "write smaller counts")
                return

    def _check_minimum(self, draft: _Draft) -> None:
        minimum, count = draft.fields.get("minimum"), draft.count
        if minimum is None or count is None:
            return
        if minimum.value > count.value:
            self.report.add(codes.BAD_VALUE, minimum.span, f"`min` is {minimum.value}, above the group's count {count.value}",
                            f"write {_up_to(count.value)}", (Label(count.span, "the count"),))
        elif draft.name is not None and draft.name.value == MASTER and minimum.value != 1:
            self.report.add(codes.BAD_VALUE, minimum.span, f"`min` of `{MASTER}` is {minimum.value}, not 1", "write `min=1`, or delete it")
        else:
            return
        draft.fields["minimum"] = None

    def _check_gang(self, gang: Gang, drafts: list[_Draft]) -> None:
        most = sum(draft.least() for draft in drafts)
        sound = all(draft.count for draft in drafts)
        if gang.minimum is not None and isinstance(gang.minimum.value, int) and gang.minimum.value > most and sound:
            message = f"`gang[min]` is {gang.minimum.value}, above {most}, what the groups' `min` add up to"
            self.report.add(codes.BAD_VALUE, gang.minimum.span, message, f"write {_up_to(most)}, or `{ALL}`")
        names = [draft.name.value for draft in drafts if draft.name]
        if gang.done is not None and gang.done.value != ALL and gang.done.value not in names:
            from hetc.read import het_foreign

            help = het_foreign.near(gang.done.value, names) or f"write `{ALL}` or one of {_listed(names)}"
            self.report.add(codes.UNKNOWN_TASK, gang.done.span, f"`done={show(gang.done.value)}` names no task", help)

    def _check_retries(self, gang: Gang) -> None:
        if gang.retries is None or (gang.fail is not None and gang.fail.value == RESTART):
            return
        how = f"`fail={gang.fail.value}`" if gang.fail is not None else f"the default `fail={FAIL}`"
        related = (Label(gang.fail.span, "given here"),) if gang.fail is not None else ()
        self.report.add(codes.BAD_VALUE, gang.retries.span, f"`retries` has no effect with {how}",
                        f"write `fail={RESTART}` beside it, or delete it", related)

    # Sections.

    def _sections(self, tree: Tree) -> dict[str, list[int | Tree]]:
        found: dict[str, list[int | Tree]] = {}
        seen: dict[str, Span] = {}
        for child in tree[1]:
            if not isinstance(child, tuple) or child[0] != "section":
                continue
            word = self._word(child[1][0])  # type: ignore[arg-type]
            if word.text not in ("use", "gang"):
                from hetc.read import het_foreign

                self.report.add(*het_foreign.section(word, inside=False))
            elif not self._repeated("section", word, seen):
                found[word.text] = child[1]
        return found

    def _uses(self, section: list[int | Tree] | None) -> tuple[Located[str], ...]:
        if section is None:
            return ()
        files = []
        for pair in section[1:]:
            assert isinstance(pair, tuple)
            indexes = [at for part in pair[1] for at in (part[1] if isinstance(part, tuple) else [part]) if isinstance(at, int)]
            span = self._span(indexes[0], indexes[-1])
            word = self._word(indexes[0])
            if len(indexes) > 1:
                message = f"`{show(span.text())}` is no file name"
                self.report.add(codes.BAD_VALUE, span, message, 'write `use["base.yaml"]`: a name with `:` or `=` in quotes')
            elif not word.text or not word.text.isprintable():
                self.report.add(codes.BAD_VALUE, span, f"`{show(span.text())}` is no file name", 'write a path, as in `use["base.yaml"]`')
            else:
                files.append(word.located())
        if len(section) == 1:
            span = self._span(section[0])  # type: ignore[arg-type]
            self.report.add(codes.BAD_VALUE, span, "`use[]` names no file", 'write `use["base.yaml"]`, or delete it')
        return tuple(files)

    def _rules(self, section: list[int | Tree] | None) -> dict[str, tuple[Span, Any]]:
        """Attributes of `ir.Gang`, each with the place of its key."""
        if section is not None and len(section) == 1:
            span = self._span(section[0])  # type: ignore[arg-type]
            self.report.add(codes.BAD_VALUE, span, "`gang[]` has no rule", "write `gang[min=all]`, or delete it")
        rules: dict[str, tuple[Span, Any]] = {}
        seen: dict[str, Span] = {}
        for item in self._items(section[1:] if section else []):
            key = item.key.text
            if key not in RULES:
                from hetc.read import het_foreign

                self.report.add(*het_foreign.rule(item, RULES))
            elif not self._repeated("key", item.key, seen):
                rules["minimum" if key == "min" else key] = item.key.span, self._rule(item)
        return rules

    def _rule(self, item: Item) -> Located[int | str] | Located[int] | Located[str] | Located[Pack] | None:
        key = item.key.text
        if key == "pack":
            return values.pack(item, self.report)
        if key == "start":
            return values.length(item, self.report)
        if key == "retries":
            return values.whole(item, self.report, least=1, example="3")
        word = values.single(item, self.report, {"min": ALL, "fail": RESTART, "done": ALL}[key])
        if word is None:
            return None
        if key == "min" and word.text != ALL:
            return values.number(word, "min", self.report, least=1)
        if key == "fail" and word.text not in (FAIL, RESTART, TOLERATE):
            message = f"`fail={show(word.text)}` is none of `{FAIL}`, `{RESTART}` and `{TOLERATE}`"
            self.report.add(codes.BAD_VALUE, word.span, message, f"write `fail={FAIL}`, `fail={RESTART}` or `fail={TOLERATE}`")
            return None
        return word.located()


def _up_to(most: int) -> str:
    return f"a number from 1 to {most}" if most > 1 else "1"


def _listed(names: list[str]) -> str:
    few = [f"`{show(name)}`" for name in names[:9]]
    return ", ".join(few) + (", ..." if len(names) > len(few) else "")
