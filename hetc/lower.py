"""A request and settled layers to a typed `Job`.

Everything a task needs is worked out here: what it inherits, its default command, its nodes. What makes a job wrong as a
whole is the rules' business; here stands only what cannot be lowered.
"""
from __future__ import annotations

from hetc import bound, codes
from hetc.diagnostic import ERROR, Label
from hetc.duration import seconds
from hetc.fields import MOUNT_SOURCES
from hetc.gpu import Family, Product
from hetc.ir import MASTER, Affinity, Job, Mount, Reference, RunAs, Task, Variable
from hetc.manifest import mappings
from hetc.names import nearest, some
from hetc.origin import DERIVED, Located, Origin
from hetc.quantity import memory
from hetc.record import Record
from hetc.script import is_idle
from hetc.tree import Entry, Mapping, Scalar, Sequence, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Report
    from hetc.gpu import GpuTable
    from hetc.ir import Group, Request
    from hetc.merge import Inheritance, Settled
    from hetc.quantity import Quantity
    from hetc.source import Span
    from hetc.tree import Node

Pairs = tuple[tuple[Located[str], Located[str]], ...]
#: Node labels by key, each with the place of its key.
Selected = dict[str, tuple[Located[str], Located[str]]]


class Surroundings(Record):
    """What the job is lowered with: its default name, the GPU table, the RDMA resource, the back end's own keys."""

    name: Located[str]
    gpu: GpuTable
    backend_keys: tuple[str, ...]
    #: Device of a group that is no whole GPU -> its resource; a MIG profile stands behind `mig:`.
    devices: dict[str, str]
    context: Located[str] | None = None
    sku: Located[str] | None = None


def lower(request: Request, settled: Settled, inheritance: Inheritance, around: Surroundings, report: Report) -> Job:
    """The job of a request. After an error in the report the result must not be emitted, and may lack tasks."""
    _known_tasks(request, settled, report)
    job = settled.job
    mounts = _Mounts(report)
    groups = sorted(request.groups, key=lambda group: (group.name.value != MASTER, group.name.value))
    tasks: list[Task] = []
    rank = size = 0
    for group in groups:
        values = inheritance.task(settled.tasks.get(group.name.value))
        task = _Lowering(group, values, around, mounts, report).task(rank)
        rank += task.replicas.value
        tasks.append(task)
        size += bound.of_task(task, mounts.size(values.get("mounts")))
        if size > bound.MAX_OBJECT:
            _too_large(request, len(tasks), report)
            break
    ttl = job.get("ttl_seconds_after_finished")
    return Job(
        request.origin,
        _text(job.get("name")) or around.name,
        _text(job.get("namespace")),
        tuple(tasks),
        request.gang,
        _pairs(job.get("labels")),
        _pairs(job.get("annotations")),
        _text(job.get("priority_class")),
        _texts(job.get("image_pull_secrets")),
        _text(job.get("service_account")),
        Located(int(ttl.value), ttl.origin) if isinstance(ttl, Scalar) and isinstance(ttl.value, (int, float)) else None,
        mounts.read(job.get("mounts")),
        {key: node for key in around.backend_keys if (node := job.get(key)) is not None},
        around.context,
        around.sku,
    )


def _too_large(request: Request, tasks: int, report: Report) -> None:
    """Refuse a job before it is made: what all tasks share stands in each of them."""
    what = "its task" if len(request.groups) == 1 else f"{tasks:,} of its {len(request.groups):,} tasks"
    report.add(codes.OBJECT_SIZE, request.origin.span,
               f"{what} alone would have more than {bound.MAX_OBJECT:,} bytes, and the API server stores at most that",
               "write fewer groups of more replicas, and put long texts into the image or into a ConfigMap that is mounted", level=ERROR)


def _known_tasks(request: Request, settled: Settled, report: Report) -> None:
    """Refuse overlays for tasks that are not there, or whose name hetc made up and may change."""
    groups = {group.name.value: group for group in request.groups}
    for name, place in settled.places.items():
        group = groups.get(name)
        if group is None:
            close = nearest(name, groups)
            help = f"did you mean `{close}`?" if close else f"the tasks are {some(groups)}"
            report.add(codes.UNKNOWN_TASK, place.origin.span, f"no task is called `{name}`", help,
                       [Label(request.origin.span, "the tasks")])
        elif group.name.origin.how == DERIVED and name not in (MASTER, "worker"):
            report.add(codes.UNKNOWN_TASK, place.origin.span, f"`{name}` is a name that hetc gave, and it changes when groups do",
                       f"give the group a name: `{group.replicas.value}*NAME<…>`", [Label(group.origin.span, "the unnamed group")])


class _Lowering:
    """One group to its task."""

    def __init__(self, group: Group, values: dict[str, Node], around: Surroundings, mounts: _Mounts, report: Report) -> None:
        self.group = group
        self.values = values
        self.around = around
        self.mounts = mounts
        self.report = report

    def task(self, rank: int) -> Task:
        group, values = self.group, self.values
        nothing = group.origin.derived()
        gpus = group.gpus or Located(0, nothing)
        selector, affinity, resource = self.nodes(gpus)
        shm = values.get("container_args")
        required = _expressions(values.get("affinity"), "required")
        self.matched(selector, affinity, required)
        return Task(
            group.name,
            group.origin,
            group.replicas,
            group.minimum or Located(1 if group.name.value == MASTER else group.replicas.value, group.replicas.origin.derived()),
            group.cpu,
            group.memory,
            gpus,
            group.gpu_model,
            resource,
            group.rdma or Located(0, nothing),
            group.processes or Located(gpus.value or 1, gpus.origin.derived()),
            group.pack,
            selector,
            affinity,
            _text(values.get("image")),
            _text(values.get("image_pull_policy")),
            _lines(values.get("setup")),
            _lines(values.get("command")),
            _text(values.get("working_dir")),
            _text(values.get("shell")),
            _variables(values.get("env")),
            _references(values.get("env_from")),
            _pairs(values.get("labels")),
            _pairs(values.get("annotations")),
            _amount(shm.get("shm_size")) if isinstance(shm, Mapping) else None,
            {key: values[key] for key in self.around.backend_keys if key in values},
            rank,
            _length(values.get("time_limit")),
            group.disk,
            group.share,
            _pairs(values.get("resource_claims")),
            self.mounts.read(values.get("mounts")),
            tuple(mappings(values.get("tolerations"))),
            required,
            _expressions(values.get("affinity"), "preferred"),
            _run_as(values.get("run_as")),
        )

    def nodes(self, gpus: Located[int]) -> tuple[Pairs, Affinity | None, str]:
        """The node selector, the affinity of a GPU family, and the GPU resource."""
        selected: Selected = {key.value: (key, value) for key, value in _pairs(self.values.get("node_selector"))}
        for key, value in self.group.select:
            self.select(selected, key, value)
        model = self.group.gpu_model
        affinity = None
        device = self.group.device
        resource = self.selected_resource(selected) if device is None else self.device(device.value)
        if model is not None and gpus.value:
            found = self.around.gpu.lookup(model.value)
            resource = found.resource
            label = Located(found.label, model.origin.derived())
            if isinstance(found, Family):
                affinity = self.family(selected, found, label, model)
            else:
                if not isinstance(found, Product):
                    near = f"the nearest known one is `{found.nearest}`" if found.nearest else "the site file's `[gpu.models]` can add it"
                    self.report.add(codes.GPU_MODEL, model.span, f"no product label is known for GPU model `{model.value}`", near)
                self.select(selected, label, Located(found.product, model.origin))
        return tuple(selected[key] for key in sorted(selected)), affinity, resource

    def device(self, name: str) -> str:
        """The resource of what is no whole GPU."""
        kind, colon, profile = name.partition(":")
        return self.around.devices[kind + colon] + profile

    def selected_resource(self, selected: Selected) -> str:
        """The resource of a product that the node selector names by its label, else the table's default."""
        for key, (_, value) in selected.items():
            found = self.around.gpu.lookup(value.value)
            if isinstance(found, Product) and found.label == key:
                return found.resource
        return self.around.gpu.resource

    def select(self, selected: Selected, key: Located[str], value: Located[str]) -> None:
        """Add a label; one key with two values is an error at both places."""
        old = selected.get(key.value)
        if old is not None and old[1].value != value.value:
            self.conflict(key.value, old[1], value)
        selected[key.value] = (key, value)

    def family(self, selected: Selected, family: Family, label: Located[str],
               model: Located[str]) -> Affinity | None:
        """The affinity of a family, unless the node selector narrows it to one of its products."""
        narrowed = selected.get(label.value)
        if narrowed is None:
            return Affinity(label, tuple(Located(product, model.origin.derived()) for product in family.products))
        if narrowed[1].value not in family.products:
            self.conflict(label.value, narrowed[1], model)
        return None

    def matched(self, selector: Pairs, family: Affinity | None, required: tuple[Mapping, ...]) -> None:
        """Refuse conditions on one label that no node matches together."""
        left = {key.value: (frozenset((value.value,)), value.span) for key, value in selector}
        if family is not None:
            left[family.key.value] = frozenset(value.value for value in family.values), family.values[0].span
        for key, operator, values, span in _conditions(required):
            if operator == "In" and values:
                known, place = left.get(key, (values, span))
                if known & values:
                    left[key] = known & values, place
                else:
                    self.unmatched(key, span, place)
            elif operator == "Exists":
                left.setdefault(key, (frozenset(), span))
        for key, operator, values, span in _conditions(required):
            known, place = left.get(key, (frozenset(), span))
            if key in left and (operator == "DoesNotExist" or (operator == "NotIn" and known and known <= values)):
                self.unmatched(key, span, place)

    def unmatched(self, key: str, span: Span, other: Span) -> None:
        self.report.add(codes.CONFLICT, span, f"no node matches all conditions on label `{key}` of `{self.group.name.value}`",
                        "keep one of the two", [Label(other, "the other condition")])

    def conflict(self, key: str, first: Located[str], second: Located[str]) -> None:
        low, high = sorted((first, second), key=lambda each: (each.span.source.name, each.span.start))
        self.report.add(codes.CONFLICT, high.span,
                        f"node label `{key}` of `{self.group.name.value}` is `{first.value}` and `{second.value}`",
                        "keep one of the two", [Label(low.span, "the other value")])


def _text(node: Node | None) -> Located[str] | None:
    return Located(node.text if not isinstance(node.value, str) else node.value, node.origin) if isinstance(node, Scalar) else None


def _texts(node: Node | None) -> tuple[Located[str], ...]:
    return tuple(text for item in node.items if (text := _text(item)) is not None) if isinstance(node, Sequence) else ()


def _length(node: Node | None) -> Located[int] | None:
    return Located(seconds(node.text), node.origin.derived()) if isinstance(node, Scalar) else None


def _lines(node: Node | None) -> tuple[Located[str], ...]:
    """Shell text: a list's items, or one string."""
    if isinstance(node, Scalar):
        text = _text(node)
        return (text,) if text is not None else ()
    return _texts(node)


def _entries(node: Node | None) -> Iterable[Entry]:
    return node.entries.values() if isinstance(node, Mapping) else ()


def _key(entry: Entry) -> Located[str]:
    return Located(entry.key.text, entry.key.origin)


def _pairs(node: Node | None) -> Pairs:
    return tuple((_key(entry), text) for entry in _entries(node) if (text := _text(entry.value)) is not None)


def _amount(node: Node | None) -> Located[Quantity] | None:
    return Located(memory(node.text), node.origin) if isinstance(node, Scalar) else None


def _variables(node: Node | None) -> tuple[Variable, ...]:
    result = []
    for entry in _entries(node):
        value = _text(entry.value) or _reference(entry.value)
        if value is not None:
            result.append(Variable(_key(entry), value))
    return tuple(result)


def _reference(node: Node) -> Reference | None:
    for kind in ("secret", "config_map", "field"):
        name = _text(node.get(kind)) if isinstance(node, Mapping) else None
        if name is not None and isinstance(node, Mapping):
            return Reference(kind, name, _text(node.get("key")))
    return None


def _references(node: Node | None) -> tuple[Reference, ...]:
    """Each source once, where it stands last: of two sources with one variable Kubernetes takes the later."""
    items = node.items if isinstance(node, Sequence) else []
    references = [reference for item in reversed(items) if (reference := _reference(item)) is not None]
    return tuple(reversed(dict.fromkeys(references)))


class _Mounts:
    """The mounts of tasks. Those that tasks share are read once, so that a mistake in one is told once."""

    def __init__(self, report: Report) -> None:
        self.report = report
        #: By the identity of the node, which is kept beside what was made of it.
        self.single: dict[int, tuple[Node, Mount | None]] = {}
        self.whole: dict[int, tuple[Node, tuple[Mount, ...], int]] = {}

    def read(self, node: Node | None) -> tuple[Mount, ...]:
        return self._all(node)[0]

    def size(self, node: Node | None) -> int:
        """The bytes that they make in a task at least."""
        return self._all(node)[1]

    def _all(self, node: Node | None) -> tuple[tuple[Mount, ...], int]:
        if node is None:
            return (), 0
        if id(node) not in self.whole:
            found = [mount for entry in _entries(node) if (mount := self._one(entry)) is not None]
            mounts = tuple(sorted(found, key=lambda mount: mount.name.value))
            self.whole[id(node)] = node, mounts, bound.of_mounts(mounts)
        return self.whole[id(node)][1:]

    def _one(self, entry: Entry) -> Mount | None:
        node = entry.value
        if not isinstance(node, Mapping):
            return None
        if id(node) not in self.single:
            self.single[id(node)] = node, _mount(_key(entry), node, self.report)
        return self.single[id(node)][1]


def _expressions(node: Node | None, key: str) -> tuple[Mapping, ...]:
    return tuple(mappings(find(node, key)))


def _conditions(required: tuple[Mapping, ...]) -> Iterable[tuple[str, str, frozenset[str], Span]]:
    """Label, operator, values and place of each condition."""
    for condition in required:
        key, operator = _text(condition.get("key")), _text(condition.get("operator"))
        if key is not None and operator is not None:
            yield key.value, operator.value, frozenset(value.value for value in _texts(condition.get("values"))), condition.origin.span


def _run_as(node: Node | None) -> RunAs | None:
    if not isinstance(node, Mapping) or not node.entries:
        return None
    numbers = {key: Located(int(value.value), value.origin) for key in ("user", "group", "fs_group")
               if isinstance(value := node.get(key), Scalar) and isinstance(value.value, int)}
    return RunAs(node.origin, **numbers)


def _mount(name: Located[str], node: Mapping, report: Report) -> Mount | None:
    """One mount with exactly one source; None after a report."""
    path = _text(node.get("path"))
    kinds = [node.entries[key] for key in MOUNT_SOURCES if key in node.entries]
    if path is None:
        report.add(codes.MISSING, name.span, f"mount `{name.value}` has no path", "add `path: /DIRECTORY`", _gave(name.origin))
    if len(kinds) != 1:
        what = "no source" if not kinds else f"{len(kinds)} sources: {', '.join(f'`{entry.key.text}`' for entry in kinds)}"
        places = [Label(entry.key.origin.span, "a source") for entry in kinds[1:]] + _gave(name.origin)
        report.add(codes.MISSING if not kinds else codes.CONFLICT, kinds[0].key.origin.span if kinds else name.span,
                   f"mount `{name.value}` has {what}", "give it one of `claim`, `config_map`, `secret`, `empty_dir`", places)
    if path is None or len(kinds) != 1:
        return None
    source = kinds[0]
    if source.key.text not in ("config_map", "secret"):
        for key in ("mode", "items"):
            if key in node.entries:
                report.add(codes.CONFLICT, node.key_span(key), f"`{key}` of mount `{name.value}` goes with `config_map` and `secret` only",
                           f"leave `{key}` out", [Label(source.key.origin.span, "the mount's source")])
    size = source.value.get("size") if isinstance(source.value, Mapping) else None
    read_only, mode = node.get("read_only"), node.get("mode")
    return Mount(
        name, path, _key(source), _text(source.value), _amount(size), _text(node.get("sub_path")),
        Located(bool(read_only.value), read_only.origin) if isinstance(read_only, Scalar) else None,
        Located(int(mode.text.lower().replace("o", ""), 8), mode.origin) if isinstance(mode, Scalar) else None,
        tuple(sorted(_pairs(node.get("items")), key=lambda pair: pair[0].value)),
    )


def _gave(origin: Origin) -> list[Label]:
    return [Label(span, "a lower layer's part of it") for span in origin.beat]


def complete(
    job: Job, settled: Settled, report: Report, places: dict[str, str], command: bool, commanded: frozenset[str] = frozenset(),
) -> None:
    """Every task has an image and, with `command`, a command. `places` says where each of the two may be set.

    `commanded`: the tasks whose command the back end writes.
    """
    for task in job.tasks:
        if task.image is None:
            _lacks(task, "image", settled, places, report)
        if task.name.value in commanded:
            continue
        if command and not task.command:
            _lacks(task, "command", settled, places, report)
        elif command and is_idle([line.value for line in task.command]):
            report.add(codes.MISSING, task.command[0].span, "`command` has nothing for the shell to run",
                       f"set `command` {places['command']}")


def _lacks(task: Task, what: str, settled: Settled, places: dict[str, str], report: Report) -> None:
    """Report what a task has not got, where it was taken away, else at the task."""
    own = settled.tasks.get(task.name.value)
    written = own.get(what) if own is not None else None
    written = written or settled.removed.get(what) or settled.job.get(what)
    place = written.origin.span if written is not None else task.name.span
    removed = [Label(span, "what the null removes") for span in written.origin.beat[:1]] if is_null(written) and written is not None else []
    report.add(codes.MISSING, place, f"task `{task.name.value}` has no {what}", f"set `{what}` {places[what]}", removed)
