"""The check of one template file: keys, types, banned fields. Completeness and conflicts are `hetc.read.template`'s."""
from __future__ import annotations

import re

from hetc import codes
from hetc.fields import BANNED, Anything, Cores, Devices, Paths, Tasks, Whole, by_name
from hetc.names import dns1035_label, nearest, normal, suggest
from hetc.quantity import QuantityError, cpu
from hetc.read.overlay import Checker
from hetc.read.template_fields import FIELDS, RESOURCES, SERVICE, TARGET, TASK, TASKS, WORDS
from hetc.tree import Mapping, Scalar, Sequence, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Report
    from hetc.fields import Type
    from hetc.tree import Node

_ZERO = re.compile(r"[-+]?0[0-9_]")
_WITH_MODEL = re.compile(r"([0-9]+):([A-Za-z][-A-Za-z0-9_. ]*)\Z", re.ASCII)

#: Keys that a later version may allow in a task, in their normal spelling.
_UNSUPPORTED = {
    "storage": "write it under `config.storage`, for all tasks",
    "mounts": "write it under `config.storage`, for all tasks",
    **dict.fromkeys(("code", "codes", "codedir", "codearchive", "codearchives", "archive", "archives"),
                    "leave it out: hetc uploads nothing, and code is the whole job's"),
    "affinity": "leave it out: `node_selector` picks nodes by their labels",
    "tolerations": "leave it out: a platform owner sets `[gpu] tolerations` in the site file",
}
_RESOURCE_NAMES = frozenset(field.name for field in RESOURCES)


class TemplateChecker(Checker):
    """The walk over one template."""

    def __init__(self, report: Report, has_tasks: bool) -> None:
        super().__init__(report, template=True)
        self.has_tasks = has_tasks

    def value(self, node: Node, type: Type, what: str) -> None:
        if type is TASKS:
            self.tasks(node, Tasks())
        elif isinstance(type, Cores):
            self.cores(node, what)
        elif isinstance(type, Devices):
            self.devices(node, what)
        elif isinstance(type, Paths):
            self.paths(node, what)
        elif isinstance(type, Anything):
            self.banned_below(node)
        else:
            super().value(node, type, what)
        if type is TARGET:
            self.service(find(node, "service"))

    def cores(self, node: Node, what: str) -> None:
        if not isinstance(node, Scalar) or node.value is None or isinstance(node.value, bool):
            self.wrong(node, what, "an amount of cpu such as `16` or `500m`")
        elif _ZERO.match(node.text):
            message = f"{what} is `{node.text}`, whose leading zero some readers take for octal"
            self.report.add(codes.LEADING_ZERO, node.origin.span, message, f"write `{node.text.lstrip('+-0_') or '1'}`")
        else:
            try:
                cpu(node.text)
            except QuantityError as error:
                self.report.add(codes.QUANTITY, node.origin.span, f"{what}: {error.args[0]}", error.help)

    def devices(self, node: Node, what: str) -> None:
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            self.flag(node, what)
        elif isinstance(node, Scalar) and isinstance(node.value, (int, float)):
            self.whole(node, Whole(), what)
        else:
            self.wrong(node, what, "`true`, `false` or a number of devices")

    def paths(self, node: Node, what: str) -> None:
        if isinstance(node, Sequence):
            for item in node.items:
                self.text(item, f"an item of {what}")
        elif isinstance(node, Scalar):
            self.text(node, what)
        else:
            self.wrong(node, what, "a path or a list of paths")

    def service(self, node: Node | None) -> None:
        if isinstance(node, Scalar) and isinstance(node.value, str) and node.value != SERVICE:
            self.report.add(codes.BAD_VALUE, node.origin.span, f"`service` is `{node.value}`, and hetc compiles for `{SERVICE}` alone",
                            f"write `service: {SERVICE}`")

    def tasks(self, node: Node, type: Tasks) -> None:
        if not isinstance(node, Mapping):
            self.wrong(node, "`tasks`", "a mapping by task name", "write `tasks: {NAME: {replicas: 1, …}}`")
            return
        for name, entry in node.entries.items():
            wrong = dns1035_label(name)
            if wrong is not None:
                better = suggest(name)
                self.report.add(codes.NO_NAME, entry.key.origin.span, f"the name of a task: {wrong}",
                                "write a DNS-1035 label" + (f": `{better}`" if better else ", such as `a100-worker`"))
            if isinstance(entry.value, Mapping):
                self.one(name, entry.value)
            elif not is_null(entry.value):
                self.wrong(entry.value, f"task `{name}`", "a mapping")

    def one(self, name: str, node: Mapping) -> None:
        known = by_name(TASK.fields)
        for key, entry in node.entries.items():
            field = known.get(key)
            if field is not None and not is_null(entry.value):
                self.value(entry.value, field.type, f"`{key}` of task `{name}`")
            elif field is None and not self.unsupported(name, entry.key, entry.value):
                self.unknown(entry.key, entry.value, known, f"task `{name}`", {})

    def unsupported(self, task: str, key: Scalar, value: Node) -> bool:
        """Report what a task cannot have and the job can, or nobody yet."""
        help = _UNSUPPORTED.get(normal(key.text))
        if help is None:
            return False
        code = codes.PASSTHROUGH if normal(key.text) in ("affinity", "tolerations") else codes.MISPLACED
        self.report.add(code, key.origin.span, f"`{key.text}` of task `{task}` is not supported in a task", help)
        self.banned_below(value)
        return True

    def whole(self, node: Node, type: Whole, what: str) -> None:
        model = _WITH_MODEL.match(node.text) if isinstance(node, Scalar) else None
        if model is None:
            super().whole(node, type, what)
        else:
            self.wrong(node, what, "an integer", f"write `{model[1]}`, and under `node_selector` the product label: "
                                                 f"`nvidia.com/gpu.product: {model[2]}`")

    def banned(self, key: Scalar, value: Node) -> bool:
        code = BANNED.get(normal(key.text))
        if code not in (codes.HOST_PATH, codes.RAW_VOLUMES):
            return super().banned(key, value)
        because = "it opens the node's own files to the pod" if code == codes.HOST_PATH else "raw volumes pass by the checks of `storage`"
        self.report.add(code, key.origin.span, f"`{key.text}` is not allowed: {because}",
                        "mount a PersistentVolumeClaim: `storage: {data: {claim: NAME, mount_dir: /data}}` under `config`")
        return True

    def unknown(self, key: Scalar, value: Node, known: Iterable[str], where: str, misplaced: dict[str, str]) -> None:
        """An unknown key: banned, or mistyped."""
        if self.banned(key, value):
            return
        close = meant(key.text, known)
        if close in _RESOURCE_NAMES and where == "`target`" and self.has_tasks:
            help = f"write `{close}` in each task, and none in `target`"
        elif close is not None:
            help = f"did you mean `{close}`?"
        elif "base" in WORDS.get(normal(key.text), (normal(key.text),)):
            help = "`base` stands at the top of the file, beside `config`"
        else:
            help = f"known keys: {', '.join(f'`{word}`' for word in sorted(known))}"
        self.report.add(codes.UNKNOWN_KEY, key.origin.span, f"unknown key `{key.text}` in {where}", help)


def meant(name: str, known: Iterable[str]) -> str | None:
    """The known key, or the path to one from here, that a word most likely stands for."""
    words = sorted(known)
    same = next((word for word in words if normal(word) == normal(name)), None)
    paths = WORDS.get(normal(name), ())
    return same or next((path for path in paths if path.split(".")[0] in words), None) or nearest(name, words)


def check(tree: Mapping, report: Report) -> None:
    """Report wrong keys and types of one file, a parent or a child; that something is missing is not looked at."""
    tasks = find(tree, "config", "_extra", "volcano", "tasks")
    TemplateChecker(report, isinstance(tasks, Mapping)).fields(tree, FIELDS, "a template", {})
    for holder in (tree, tree.get("config")):
        if isinstance(holder, Mapping) and "code" in holder.entries and not is_null(holder.get("code")):
            report.add(codes.ACCEPTED, holder.key_span("code"), "`code` has no effect: hetc uploads nothing",
                       "put the code into the image or on a claim, or fetch it in `setup`")
