"""A checked template, merged over its parents, as a request and a layer of overlay keys."""
from __future__ import annotations

import re

from hetc import codes
from hetc.diagnostic import Label
from hetc.ir import MASTER, Gang, Group, Request
from hetc.origin import Located, Origin
from hetc.quantity import Quantity, QuantityError, cpu, memory
from hetc.read.template_check import meant
from hetc.read.template_fields import REQUIRED, RESOURCES, SERVICE, STORAGE, TARGET, TASK
from hetc.record import Record
from hetc.source import Span
from hetc.tree import Entry, Mapping, Scalar, Sequence, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hetc.diagnostic import Report
    from hetc.fields import Shape
    from hetc.tree import Node

#: The name of all nodes but the first of a template without tasks.
WORKER = "worker"

#: Replicas of a job stay below this: Kubernetes keeps them in 32 bits.
_TOO_MANY = 2**31

#: The largest number that an option takes.
MOST_OPTION = 999_999_999

_PLACEHOLDER = re.compile(r"\{(nodes|processes)\}")
_DECIMAL = re.compile(r"([0-9.]+)([kMGTPE])")

#: Keys of a template that overlays call otherwise.
_OVERLAY_KEYS = {"priority": "priority_class", "mount_dir": "path"}


class Flags(Record):
    """The options for templates without tasks; each knows its place on the command line."""

    nodes: Located[int] | None = None
    processes: Located[int] | None = None
    ppn: Located[int] | None = None
    amlt: Located[bool] | None = None


class Converted(Record):
    """A template as the rest of hetc sees it: a request, and one layer in overlay keys.

    `context` is the kubectl context, `sku` the label of the shape; neither is in the manifest.
    """

    request: Request
    layer: Mapping
    context: Located[str] | None = None
    sku: Located[str] | None = None


def convert(tree: Mapping, flags: Flags, report: Report) -> Converted | None:
    """The request and the layer of a checked template, merged over its parents; None after an error.

    Reports what is missing and what cannot stand together. Looks away from what the check has refused.
    """
    result = _Conversion(tree, flags, report).result()
    return None if report.failed else result


class _Conversion:
    def __init__(self, tree: Mapping, flags: Flags, report: Report) -> None:
        self.tree = tree
        self.flags = flags
        self.report = report
        self.config = _mapping(tree, "config")
        self.target = _mapping(self.config, "target")
        #: Whether `target` is absent or a mapping; else the check has said all there is to say.
        self.sound = isinstance(self.config.get("target") or self.target, Mapping) or is_null(self.config.get("target"))
        self.job = Mapping({}, tree.origin)

    def result(self) -> Converted | None:
        self.service()
        self.job = self.only_job()
        tasks = find(self.config, "_extra", "volcano", "tasks")
        # A null that takes a parent's tasks away leaves a template without tasks; any other null was meant to be tasks.
        if tasks is None or (is_null(tasks) and tasks.origin.beat):
            return self.homogeneous()
        if isinstance(tasks, Mapping) and tasks.entries:
            return self.heterogeneous(tasks)
        if not isinstance(tasks, Mapping) and not is_null(tasks):
            return None  # the check has said so
        self.report.add(codes.MISSING, self.place("config", "_extra", "volcano", "tasks").span, "`tasks` names no task",
                        "write a task, or leave `tasks` out and give `target` what one node needs")
        return None

    def place(self, *path: str) -> Origin:
        """The deepest key of a path that is there, else the start of the file."""
        source = self.tree.origin.span.source
        origin = Origin(Span(source, 0, min(1, len(source.text))))
        node: Node | None = self.tree
        for key in path:
            if not isinstance(node, Mapping) or key not in node.entries:
                break
            origin = node.entries[key].key.origin
            node = node.get(key)
        return origin

    def service(self) -> None:
        if self.sound and _lacks(self.target, "service", TARGET):
            self.report.add(codes.MISSING, self.place("config", "target").span, "the template names no `service`",
                            f"write `service: {SERVICE}` under `config.target`")

    def only_job(self) -> Mapping:
        """The one entry of `jobs`; an empty one where there is none."""
        jobs = self.config.get("jobs")
        items = jobs.items if isinstance(jobs, Sequence) else []
        if isinstance(jobs, Sequence) and not items:
            self.report.add(codes.MISSING, self.place("config", "jobs").span, "`jobs` names no job", "write `jobs: [{name: NAME}]`")
        if len(items) > 1:
            self.report.add(codes.CONFLICT, items[1].origin.span, f"`jobs` has {len(items)} entries, and a template is one job",
                            "keep one entry, and write each other job into a template of its own",
                            [Label(items[0].origin.span, "the first entry")])
        return items[0] if items and isinstance(items[0], Mapping) else Mapping({}, self.tree.origin)

    # With tasks.

    def heterogeneous(self, tasks: Mapping) -> Converted | None:
        place = self.place("config", "_extra", "volcano", "tasks")
        self.refuse_options(place)
        self.refuse_target_resources(place)
        sku = _text(self.job.get("sku"))
        self.refuse_placeholders(sku, place)
        groups, layers = [], {}
        for name, entry in tasks.entries.items():
            if isinstance(entry.value, Mapping):
                group = self.group(Located(name, entry.key.origin), entry.value)
                if group is not None:
                    groups.append(group)
                layers[name] = Entry(entry.key, _task_layer(entry.value))
            elif is_null(entry.value) and not entry.value.origin.beat:
                self.report.add(codes.NULL, entry.key.origin.span, f"task `{name}` is null, and no parent has a task of that name",
                                f"give `{name}` its fields, or leave it out")
        if not layers and not self.report.failed:
            self.report.add(codes.MISSING, place.span, "`tasks` names no task", "write a task `master` with one replica")
        if not self.report.failed:
            self.check_total(groups)
        return self.converted(groups, layers, place, sku)

    def refuse_options(self, place: Origin) -> None:
        flags = self.flags
        for option, shown in ((flags.nodes, "-n/--nodes"), (flags.processes, "-p/--processes"), (flags.ppn, "--ppn")):
            if option is not None:
                self.report.add(codes.OPTION_CONFLICT, place.span, f"{shown} is given, and the template's tasks say their own shape",
                                f"leave {shown} out, and change `replicas` or `processes_per_node` of a task",
                                [Label(option.span, "given here")])
        if flags.amlt is not None:
            self.refuse_amlt(flags.amlt, place)

    def refuse_amlt(self, amlt: Located[bool], place: Origin) -> None:
        related = [Label(amlt.span, "given here")] if amlt.span != place.span else []
        self.report.add(codes.OPTION_CONFLICT, place.span, "--amlt is given: Amulet's nodes are all alike, and its jobs no Volcano Jobs",
                        "leave --amlt out", related)

    def refuse_target_resources(self, place: Origin) -> None:
        for field in RESOURCES:
            if _given(self.target, field.name) is not None:
                span = self.target.key_span(field.name)
                self.report.add(codes.MISPLACED, span, f"`{field.name}` of `target` is not allowed beside tasks",
                                f"write `{field.name}` in each task, and leave it out here", [Label(place.span, "the tasks")])

    def refuse_placeholders(self, sku: Located[str] | None, place: Origin) -> None:
        for name in dict.fromkeys(_PLACEHOLDER.findall(sku.value)) if sku is not None else ():
            assert sku is not None
            self.report.add(codes.MISPLACED, sku.span, f"`sku` holds `{{{name}}}`, and with tasks there is no one number for it",
                            f"leave `{{{name}}}` out, for example `sku: heterogeneous`", [Label(place.span, "the tasks")])

    def group(self, name: Located[str], task: Mapping) -> Group | None:
        for key in REQUIRED:
            if _lacks(task, key, TASK):
                self.missing(name, key, task)
        replicas = _whole(task.get("replicas"))
        return None if replicas is None else self.shape(name, replicas, task, f" of task `{name.value}`")

    def missing(self, name: Located[str], key: str, task: Mapping) -> None:
        shown = _example(key, task)
        null = task.entries.get(key)
        span, related = name.span, []
        if null is not None:
            span, related = null.key.origin.span, [Label(name.span, "the task")]
        self.report.add(codes.MISSING, span, f"task `{name.value}` has no `{key}`", f"write `{key}: {shown}`, for example", related)

    def shape(self, name: Located[str], replicas: Located[int], node: Mapping, whose: str) -> Group:
        """A group of nodes: `node` is a task, or `target`; `whose` names it behind a field."""
        return Group(
            name.origin, name, replicas,
            _amount(node.get("cpus_per_node"), cpu), self.memory(node.get("memory"), whose),
            _whole(node.get("gpus_per_node")), None, _devices(node.get("rdma")), _whole(node.get("processes_per_node")),
        )

    def memory(self, node: Node | None, whose: str) -> Located[Quantity] | None:
        amount = _amount(node, memory)
        decimal = _DECIMAL.fullmatch(node.text) if amount is not None and isinstance(node, Scalar) else None
        if amount is not None and decimal is not None:
            number, suffix = decimal.groups()
            smaller = 100 * (1 - (1000 / 1024) ** (" kMGTPE".index(suffix)))
            binary = f"{number}{suffix.upper()}i"
            message = f"`memory`{whose} is `{number}{suffix}`, {smaller:.1f} % less than `{binary}`"
            self.report.add(codes.DECIMAL_SUFFIX, amount.span, message, f"write `{binary}` if the unit is meant to be binary")
        return amount

    def check_total(self, groups: list[Group]) -> None:
        total = 0
        for group in groups:
            total += group.replicas.value
            if total >= _TOO_MANY:
                message = f"the replicas add up to more than {_TOO_MANY - 1}"
                self.report.add(codes.TOO_LARGE, group.replicas.span, message, "write smaller numbers")
                return

    # Without tasks.

    def homogeneous(self) -> Converted | None:
        place = self.place("config", "target")
        if self.flags.amlt is not None:
            self.refuse_amlt(self.flags.amlt, self.flags.amlt.origin)
        self.check_requests(place)
        ppn = self.ppn(place)
        nodes = self.nodes(ppn, place)
        if self.report.failed:
            return None
        sku = _text(self.job.get("sku"))
        if sku is not None and _PLACEHOLDER.search(sku.value):
            numbers = {"nodes": str(nodes.value), "processes": str(nodes.value * ppn.value)}
            sku = Located(_PLACEHOLDER.sub(lambda match: numbers[match[1]], sku.value), sku.origin.derived())
        counts = [(MASTER, Located(1, place.derived()))]
        if nodes.value > 1:
            counts.append((WORKER, Located(nodes.value - 1, nodes.origin.derived())))
        groups = [self.shape(Located(name, place.derived()), count, self.target, " of `target`") for name, count in counts]
        for group in groups:
            group.processes = ppn
        return self.converted(groups, {}, place, sku)

    def check_requests(self, place: Origin) -> None:
        """As in a request: something must be asked for; nodes without cpu or memory are legal, and rarely meant.

        Not after an error: a misspelt key may be where the tasks or the resources are.
        """
        if self.report.failed:
            return
        gpus = _whole(self.target.get("gpus_per_node"))
        has_gpus = gpus is not None and gpus.value > 0
        missing = [key for key in ("cpus_per_node", "memory") if _lacks(self.target, key, TARGET)]
        if len(missing) == 2 and not has_gpus:
            message = "there are no tasks, and `target` asks for no `cpus_per_node`, `memory` or `gpus_per_node`"
            self.report.add(codes.MISSING, place.span, message,
                            "write `_extra.volcano.tasks`, or give `target` what one node needs, such as `cpus_per_node: 16`")
            return
        for key in missing:
            example = "64Gi" if key == "memory" else "16"
            self.report.add(codes.NO_REQUEST, place.span, f"`target` has no `{key}`", f"write what one node needs: `{key}: {example}`")

    def ppn(self, place: Origin) -> Located[int]:
        """Processes of one node: the option, the field, the GPUs, or 1."""
        option = self.flags.ppn
        if option is not None and option.value < 1:
            self.report.add(codes.BAD_VALUE, option.span, f"--ppn is {option.value}, and must be at least 1", "pass a number from 1")
        gpus = _whole(self.target.get("gpus_per_node"))
        default = Located(gpus.value, gpus.origin.derived()) if gpus is not None and gpus.value else Located(1, place.derived())
        return option or _whole(self.target.get("processes_per_node")) or default

    def nodes(self, ppn: Located[int], place: Origin) -> Located[int]:
        """Nodes by -n, or by -p and the processes of one node; 1 without either."""
        nodes, processes = self.flags.nodes, self.flags.processes
        if nodes is not None and processes is not None:
            self.report.add(codes.OPTION_CONFLICT, processes.span, "-n/--nodes and -p/--processes both say how many nodes there are",
                            "pass one of the two", [Label(nodes.span, "the other one")])
            return nodes
        for option, shown in ((nodes, "-n/--nodes"), (processes, "-p/--processes")):
            if option is not None and option.value < 1:
                self.report.add(codes.BAD_VALUE, option.span, f"{shown} is {option.value}, and must be at least 1", "pass a number from 1")
                return Located(1, option.origin)
        if processes is None:
            return nodes or Located(1, place.derived())
        count, rest = divmod(processes.value, max(ppn.value, 1))
        if rest:
            near = " or ".join(str(each * ppn.value) for each in (count, count + 1) if each and each * ppn.value <= MOST_OPTION)
            self.report.add(codes.BAD_VALUE, processes.span, f"-p/--processes is {processes.value}, and one node has {ppn.value} processes",
                            f"pass a multiple of {ppn.value}{f', such as {near}' if near else ''}",
                            [Label(ppn.span, "the processes of one node")])
        return Located(max(count, 1), processes.origin.derived())

    # The rest of the template, in overlay keys.

    def converted(self, groups: list[Group], tasks: dict[str, Entry], place: Origin, sku: Located[str] | None) -> Converted:
        entries = self.job_layer()
        if tasks:
            origin = Origin(place.span)
            entries["tasks"] = Entry(Scalar("tasks", origin, "tasks"), Mapping(tasks, origin))
        request = Request(place, tuple(groups), Gang())
        return Converted(request, Mapping(entries, self.tree.origin), _text(self.target.get("context")), sku)

    def job_layer(self) -> dict[str, Entry]:
        submit = _mapping(self.job, "submit_args")
        entries: dict[str, Entry] = {}
        for holder, keys in (
            (self.job, ("name", "command")),
            (self.target, ("namespace", "queue", "priority", "labels", "annotations")),
            (_mapping(self.config, "environment"), ("image", "setup")),
            (submit, ("env", "container_args")),
        ):
            entries.update((_OVERLAY_KEYS.get(key, key), holder.entries[key]) for key in keys if key in holder.entries)
        storage = self.config.entries.get("storage")
        if storage is not None and isinstance(storage.value, Mapping):
            entries["mounts"] = Entry(storage.key, self.mounts(storage.value))
        return entries

    def mounts(self, storage: Mapping) -> Mapping:
        mounts: dict[str, Entry] = {}
        for name, entry in storage.entries.items():
            mount = entry.value
            if isinstance(mount, Mapping):
                for key, example in (("claim", "NAME"), ("mount_dir", "/DIRECTORY")):
                    if _lacks(mount, key, STORAGE):
                        message = f"storage `{name}` has no `{key}`"
                        self.report.add(codes.MISSING, entry.key.origin.span, message, f"write `{key}: {example}`")
                parts = {_OVERLAY_KEYS.get(key, key): below for key, below in mount.entries.items()}
                mount = Mapping(parts, mount.origin, mount.cleared)
            mounts[name] = Entry(entry.key, mount)
        return Mapping(mounts, storage.origin, storage.cleared)


def _example(key: str, task: Mapping) -> str:
    """A value for a key that a task lacks, after what it says of GPUs and processes."""
    gpus, processes = _whole(task.get("gpus_per_node")), _whole(task.get("processes_per_node"))
    count = gpus.value if gpus is not None else 0
    examples = {
        "gpus_per_node": str(processes.value if processes is not None and processes.value > 1 else 0),
        "processes_per_node": str(max(count, 1)),
        "rdma": "true" if count else "false",
    }
    return examples.get(key) or str(next((field.example for field in RESOURCES if field.name == key), 1))


def _task_layer(task: Mapping) -> Mapping:
    """What a task says beside its shape. Its nulls stay: they remove what the job hands down."""
    keys = ("command", "env", "container_args", "node_selector")
    entries: dict[str, Entry] = {key: entry for key, entry in task.entries.items() if key in keys}
    entries.update(_mapping(task, "environment").entries)
    return Mapping(entries, task.origin)


def _mapping(node: Mapping, key: str) -> Mapping:
    """The mapping at a key; an empty one where there is none."""
    value = node.get(key)
    return value if isinstance(value, Mapping) else Mapping({}, node.origin)


def _given(node: Mapping, key: str) -> Node | None:
    """The value of a key; None where it is null, too."""
    value = node.get(key)
    return None if value is None or is_null(value) else value


def _lacks(node: Mapping, key: str, shape: Shape) -> bool:
    """Whether a key is missing or null. One that is there in another spelling has been reported, and is not missing too."""
    known = [field.name for field in shape.fields]
    return _given(node, key) is None and all(meant(word, known) != key for word in node.entries if word not in known)


def _text(node: Node | None) -> Located[str] | None:
    return Located(node.value, node.origin) if isinstance(node, Scalar) and isinstance(node.value, str) else None


def _whole(node: Node | None) -> Located[int] | None:
    if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return Located(node.value, node.origin)
    return None


def _devices(node: Node | None) -> Located[int] | None:
    """RDMA devices: `true` is one, `false` none."""
    return Located(int(node.value), node.origin) if isinstance(node, Scalar) and isinstance(node.value, int) else None


def _amount(node: Node | None, read: Callable[[str], Quantity]) -> Located[Quantity] | None:
    """A quantity; None where the check has refused it."""
    if not isinstance(node, Scalar) or node.value is None:
        return None
    try:
        return Located(read(node.text), node.origin)
    except QuantityError:
        return None
