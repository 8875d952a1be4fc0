"""Layers to one tree, and the job's values down to its tasks.

Mappings merge by key; scalars and lists replace; what the field table calls whole replaces as a whole. `null` removes what
lower layers set. How layers are grouped does not matter: a `null` stays in the merged tree until `settle`.
"""
from __future__ import annotations

from hetc import codes
from hetc.diagnostic import Label
from hetc.fields import MERGE, MapOf, Shape, Tasks, job_fields, task_fields
from hetc.names import nearest, shorten, some
from hetc.record import Record
from hetc.tree import Entry, Mapping, Scalar, Sequence, is_null, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Report
    from hetc.fields import Field, Type
    from hetc.origin import Origin
    from hetc.tree import Node


class Settled(Record):
    """The merged layers: the job's own values, and for each task named in a layer what it says itself."""

    job: Mapping
    tasks: dict[str, Mapping]
    #: Where each such task is named in a layer.
    places: dict[str, Scalar]
    #: The nulls that took values away from the job, by key.
    removed: dict[str, Node]


class Merger:
    """Merges trees of one field table."""

    def __init__(self, fields: tuple[Field, ...], report: Report) -> None:
        self.root = Shape(job_fields(fields))
        self.task = Shape(task_fields(fields))
        self.report = report

    def layers(self, layers: Iterable[Mapping]) -> Mapping | None:
        """All layers, lowest first, as one tree; None without any.

        Neighbours are merged first: how layers are grouped does not matter, and one after the other would copy the tree
        once for each.
        """
        trees = list(layers)
        while len(trees) > 1:
            pairs = [self.mapping(lower, upper, self.root) for lower, upper in zip(trees[::2], trees[1::2], strict=False)]
            trees = pairs + trees[2 * len(pairs):]
        return trees[0] if trees else None

    def node(self, lower: Node | None, upper: Node, type: Type | None) -> Node:
        if lower is None:
            return upper
        if isinstance(upper, Mapping) and is_null(lower):
            return Mapping(upper.entries, upper.origin.over(lower.origin), cleared=True)
        if self.keyed(type) and not is_null(upper) and not is_null(lower):
            if isinstance(lower, Mapping) and isinstance(upper, Mapping):
                return self.mapping(lower, upper, type)
            if isinstance(lower, Mapping):  # of a lower one that is none the check has said so
                self.report.add(codes.KIND_CLASH, upper.origin.span, f"{kind(upper)} stands over {kind(lower)} of a lower layer",
                                "write the same kind of value in both layers, or `null` between them",
                                [Label(lower.origin.span, "the lower layer")])
                return upper
        return _over(upper, lower.origin)

    def keyed(self, type: Type | None) -> bool:
        """Whether values of the type merge by key."""
        return isinstance(type, (MapOf, Tasks)) or (isinstance(type, Shape) and not type.whole)

    def mapping(self, lower: Mapping, upper: Mapping, type: Type | None) -> Mapping:
        origin = upper.origin.over(lower.origin)
        if upper.cleared:
            return Mapping(upper.entries, origin, cleared=True)
        source = type.source if isinstance(type, Shape) else ()
        given = any(key in upper.entries for key in source)
        entries = {key: entry for key, entry in lower.entries.items() if not (given and key in source and key not in upper.entries)}
        for key, entry in upper.entries.items():
            old = lower.entries.get(key)
            value = self.node(None if old is None else old.value, entry.value, self.below(type, key))
            entries[key] = Entry(entry.key if old is None else Scalar(key, entry.key.origin.over(old.key.origin), key), value)
        return Mapping(entries, origin, lower.cleared)

    def below(self, type: Type | None, key: str) -> Type | None:
        return self.task if isinstance(type, Tasks) else _below(type, key)


def _below(type: Type | None, key: str) -> Type | None:
    """The type of the value at a key of a mapping of a type."""
    if isinstance(type, MapOf):
        return type.value
    field = _field(type, key)
    return field.type if field is not None else None


def _field(type: Type | None, key: str) -> Field | None:
    return next((field for field in type.fields if field.name == key), None) if isinstance(type, Shape) else None


def _over(node: Node, lower: Origin) -> Node:
    origin = node.origin.over(lower)
    if isinstance(node, Mapping):
        return Mapping(node.entries, origin, node.cleared)
    if isinstance(node, Sequence):
        return Sequence(node.items, origin)
    return Scalar(node.value, origin, node.text, node.plain)


def settle(tree: Mapping, report: Report, fields: tuple[Field, ...]) -> Settled:
    """Take the `null`s out of a merged tree of a field table and part the tasks from the job.

    A `null` that removed nothing is a warning, and an error where `{}` may have been meant; a task that is `null` in every
    layer is an error. A task's `null`s stay in it: they also remove what the job hands down (`Inheritance`).
    """
    job: dict[str, Entry] = {}
    tasks: dict[str, Mapping] = {}
    places: dict[str, Scalar] = {}
    removed: dict[str, Node] = {}
    for key, entry in tree.entries.items():
        if key == "profiles":
            continue
        if key != "tasks":
            value = _without_nulls(entry, Shape(job_fields(fields)), report)
            if value is not None:
                job[key] = Entry(entry.key, value)
            else:
                removed[key] = entry.value
        elif is_null(entry.value) and not entry.value.origin.beat:
            _warn_nothing_removed(entry, report)
        elif isinstance(entry.value, Mapping):
            for name, task in entry.value.entries.items():
                if isinstance(task.value, Mapping):
                    tasks[name], places[name] = task.value, task.key
                elif not task.value.origin.beat:
                    report.add(codes.NULL, task.key.origin.span, f"task `{name}` is null in every layer",
                               f"leave `{name}` out of `tasks`, or give it values; a group is removed in the request")
    profiles = _Profiles(tree.get("profiles"), fields, report)
    return Settled(Mapping(job, tree.origin), {name: profiles.below(task) for name, task in tasks.items()}, places, removed)


class _Profiles:
    """What several tasks may have in common, below what each says itself."""

    def __init__(self, node: Node | None, fields: tuple[Field, ...], report: Report) -> None:
        self.known = {name: entry.value for name, entry in node.entries.items() if isinstance(entry.value, Mapping)} if isinstance(
            node, Mapping) else {}
        self.merger = Merger(fields, report)
        self.report = report

    def below(self, task: Mapping) -> Mapping:
        """A task over the profiles that it names, later ones over earlier ones."""
        names = task.get("profiles")
        layers = [profile for name in (names.items if isinstance(names, Sequence) else []) if (profile := self.profile(name)) is not None]
        own = Mapping({key: entry for key, entry in task.entries.items() if key != "profiles"}, task.origin, task.cleared)
        result = own
        for profile in reversed(layers):
            result = self.merger.mapping(profile, result, self.merger.task)
        return result

    def profile(self, name: Node) -> Mapping | None:
        text = name.text if isinstance(name, Scalar) else ""
        if text in self.known:
            return self.known[text]
        close = nearest(text, self.known)
        known = f"the profiles are {some(self.known)}" if self.known else "define it in `profiles`, in an overlay or the site file"
        self.report.add(codes.UNKNOWN_PROFILE, name.origin.span, f"no profile is called `{shorten(text)}`",
                        f"did you mean `{close}`?" if close else known)
        return None


def _without_nulls(entry: Entry, inside: Type | None, report: Report, beside: Mapping | None = None) -> Node | None:
    """The value of an entry of a mapping of type `inside`, `beside`; None where it is null."""
    node, key = entry.value, entry.key.text
    if is_null(node):
        field = _field(inside, key)
        if field is not None and field.bare and not node.origin.beat:
            report.add(codes.NULL, entry.key.origin.span, f"`{key}` is null, and there is nothing below that it could remove",
                       f"write `{key}: {{}}`, or leave it out")
        elif field is not None and not node.origin.beat and beside is not None and _needed(inside, key, beside):
            report.add(codes.NULL, entry.key.origin.span, f"`{key}` is null, and there is nothing below that it could remove",
                       f"write `{key}: {field.example or 'NAME'}`, for example")
        elif not node.origin.beat:
            _warn_nothing_removed(entry, report)
        return None
    if not isinstance(node, Mapping):
        return node
    kept: dict[str, Entry] = {}
    type = _below(inside, key)
    for name, below in node.entries.items():
        value = _without_nulls(below, type, report, node)
        if value is not None:
            kept[name] = Entry(below.key, value)
    return Mapping(kept, node.origin)


def _needed(inside: Type | None, key: str, beside: Mapping) -> bool:
    """Whether a mapping lacks what it needs as long as the key is null."""
    needs = inside.needs if isinstance(inside, Shape) else ()
    return any(key in each and all(is_null(beside.get(other)) or beside.get(other) is None for other in each) for each in needs)


def _warn_nothing_removed(entry: Entry, report: Report) -> None:
    report.add(codes.NOTHING_REMOVED, entry.key.origin.span, f"`{entry.key.text}: null` removes what nobody set", "leave the key out")


class Inheritance:
    """Hands the job's values down to tasks. What a task does not touch is shared between tasks, not copied."""

    def __init__(self, job: Mapping, fields: tuple[Field, ...], report: Report) -> None:
        self.fields = task_fields(fields)
        self.report = report
        self.merger = Merger(fields, report)
        self.job: dict[str, Entry] = {
            field.name: Entry(entry.key, _handed(entry.value))
            for field in self.fields
            if field.inherit and (entry := job.entries.get(field.name)) is not None
        }

    def task(self, own: Mapping | None) -> dict[str, Node]:
        """The values in force in a task, by field name."""
        result: dict[str, Node] = {name: entry.value for name, entry in self.job.items()}
        if own is None:
            return result
        for field in self.fields:
            entry = own.entries.get(field.name)
            if entry is None:
                continue
            value = self.value(field, result.get(field.name), entry)
            if value is None:
                result.pop(field.name, None)
            else:
                result[field.name] = value
        return result

    def value(self, field: Field, inherited: Node | None, entry: Entry) -> Node | None:
        own = entry.value
        if is_null(own):
            if inherited is None and not own.origin.beat:
                _warn_nothing_removed(entry, self.report)
            return None
        if field.inherit == MERGE and isinstance(own, Mapping):
            return self.mapping(inherited if isinstance(inherited, Mapping) and not own.cleared else None, own, field.type)
        if field.inherit == MERGE and isinstance(own, Sequence) and isinstance(inherited, Sequence):
            return Sequence([*inherited.items, *own.items], own.origin.over(inherited.origin))
        return own if inherited is None else _over(own, inherited.origin)

    def mapping(self, inherited: Mapping | None, own: Mapping, type: Type) -> Mapping:
        entries = dict(inherited.entries) if inherited is not None else {}
        for key, entry in own.entries.items():
            old = entries.get(key)
            if is_null(entry.value):
                if old is None and not entry.value.origin.beat:
                    _warn_nothing_removed(entry, self.report)
                entries.pop(key, None)
            elif self.merger.keyed(inside := _below(type, key)):
                merged = entry.value if old is None else self.merger.node(old.value, entry.value, inside)
                entries[key] = Entry(entry.key, _without_nulls(Entry(entry.key, merged), type, self.report) or merged)
            else:
                entries[key] = entry if old is None else Entry(entry.key, _over(entry.value, old.value.origin))
        return Mapping(entries, own.origin)


def _handed(node: Node) -> Node:
    """The node as a task sees it that takes it from the job."""
    origin = node.origin.inherited()
    if isinstance(node, Scalar):
        return Scalar(node.value, origin, node.text, node.plain)
    if isinstance(node, Sequence):
        return Sequence([_handed(item) for item in node.items], origin)
    return Mapping({key: Entry(entry.key, _handed(entry.value)) for key, entry in node.entries.items()}, origin)
