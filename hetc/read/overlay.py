"""Checks a YAML tree against the field table: keys, types, banned fields. What passes, later stages may trust."""
from __future__ import annotations

import re

from hetc import codes
from hetc.diagnostic import WARNING, Label
from hetc.fields import (
    BANNED,
    SHAPE_KEYS,
    Amount,
    Choice,
    EnvValue,
    Flag,
    Length,
    Lines,
    ListOf,
    MapOf,
    Mode,
    Shape,
    Tasks,
    Text,
    Whole,
    job_fields,
    profile_fields,
    task_fields,
)
from hetc.names import nearest, normal, shorten
from hetc.scalars import differs
from hetc.tree import Mapping, Scalar, Sequence, is_null, kind, quoted, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from hetc.diagnostic import Report
    from hetc.fields import Field, Type
    from hetc.source import Span
    from hetc.tree import Node

_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\Z", re.ASCII)
_ZERO = re.compile(r"[-+]?0[0-9_]+\Z", re.ASCII)
_OCTAL = re.compile(r"0o?[0-7]{1,4}\Z", re.ASCII)

#: Other words for keys of an overlay, and the keys that each may stand for, by blanks.
ALIASES: dict[str, str] = {
    "cmd": "command", "commands": "command", "run": "command", "script": "command", "environment": "env", "envs": "env", "vars": "env",
    "variables": "env", "shm": "container_args", "shm_size": "container_args", "storage": "mounts", "volume_mounts": "mounts",
    "claims": "mounts", "workdir": "working_dir", "cwd": "working_dir", "nodeselector": "node_selector", "selector": "node_selector",
    "ttl": "ttl_seconds_after_finished", "pull_policy": "image_pull_policy", "serviceaccountname": "service_account",
    "service_account_name": "service_account", "priority": "priority_class", "job_name": "name", "docker_image": "image",
    "container_image": "image", "envfrom": "env_from", "env_file": "env_from", "pvc": "claim mounts", "claimname": "claim",
    "persistentvolumeclaim": "claim", "mountpath": "path", "mount_dir": "path", "dir": "path", "secretname": "secret",
    "configmapname": "config_map", "defaultmode": "mode", "secretref": "secret", "configmapref": "config_map",
}


def _either(words: tuple[str, ...]) -> str:
    return f"one of {', '.join(f'`{word}`' for word in words)}"


def check_overlay(node: Node, fields: tuple[Field, ...], report: Report, request: Span | None = None, template: bool = False) -> None:
    """Check one layer written in overlay keys. `request`: where shape belongs; `template`: shape stands in a template instead."""
    if is_null(node):
        return
    if not isinstance(node, Mapping):
        report.add(codes.WRONG_TYPE, node.origin.span, f"an overlay is a mapping, not {kind(node)}",
                   "write keys such as `image:` and `command:`")
        return
    known = {field.name for field in job_fields(fields)}
    misplaced = {field.name for field in fields if field.only_task and field.name not in known} & set(node.entries)
    for key in misplaced:
        report.add(codes.MISPLACED, node.key_span(key), f"`{key}` is a task's key", f"write it in a task: `tasks: {{TASK: {{{key}: …}}}}`")
    rest = Mapping({key: entry for key, entry in node.entries.items() if key not in misplaced}, node.origin)
    Checker(report, fields, request, template).fields(rest, job_fields(fields), "an overlay", SHAPE_KEYS)


class Checker:
    """The walk over one tree."""

    def __init__(self, report: Report, fields: tuple[Field, ...] = (), request: Span | None = None, template: bool = False) -> None:
        self.report = report
        self.all = fields
        self.request = request
        self.template = template

    def fields(
        self, node: Mapping, fields: tuple[Field, ...], where: str, misplaced: dict[str, str], beside: tuple[str, ...] = (),
    ) -> None:
        """Check the keys of a mapping and their values. `beside`: keys that it may have too, checked elsewhere."""
        known = {field.name: field for field in fields}
        for key, entry in node.entries.items():
            field = known.get(key)
            if field is None:
                self.unknown(entry.key, entry.value, (*known, *beside), where, misplaced)
            elif not is_null(entry.value):
                self.value(entry.value, field.type, f"`{key}`")
            elif field.stays:
                from hetc.mend import fill

                self.report.add(codes.NULL, entry.key.origin.span, f"`{key}` is null, and Kubernetes drops what is null",
                                f"write `{key}: {{}}`", fix=fill(entry, "{}"))

    def unknown(self, key: Scalar, value: Node, known: Collection[str], where: str, misplaced: dict[str, str]) -> None:
        """An unknown key: banned, misplaced, or mistyped, in that order."""
        name = key.text
        span = key.origin.span
        if self.banned(key, value):
            return
        if name in misplaced and name not in known:
            related = () if self.request is None else (Label(self.request, "the request"),)
            home = "the template" if self.template else "the request"
            help = "write it in the template's task" if self.template else f"write it in the request: `{misplaced[name]}`"
            self.report.add(codes.MISPLACED, span, f"`{name}` is shape, and shape stands in {home} only", help, related)
            return
        self.report.add(codes.UNKNOWN_KEY, span, f"unknown key `{name}` in {where}", self.meant(name, value, known))

    def meant(self, name: str, value: Node, known: Collection[str]) -> str:
        """What may have been meant by an unknown key."""
        folded = name.lower().replace("-", "_")
        if normal(name) in ("shm", "shmsize") and "container_args" in known and isinstance(value, Scalar):
            return f"write `container_args: {{shm_size: {value.text}}}`"
        aliases = (ALIASES.get(folded) or ALIASES.get(normal(name)) or "").split()
        same = [word for word in known if normal(word) == normal(name)]
        close = next((word for word in (*same, *aliases) if word in known), None) or nearest(name, sorted(known))
        return f"did you mean `{close}`?" if close else f"known keys: {', '.join(f'`{word}`' for word in sorted(known))}"

    def banned(self, key: Scalar, value: Node) -> bool:
        """Report a raw pod field, here or anywhere below an unknown key."""
        code = BANNED.get(normal(key.text))
        if code is None:
            return self.banned_below(value)
        help = _INSTEAD.get(code.code) or self.instead(key.text)
        self.report.add(code, key.origin.span, f"`{key.text}` is not allowed: {_BECAUSE[code.code]}", help)
        return True

    def instead(self, key: str) -> str:
        """What to write in place of a raw pod field."""
        from hetc.read.overlay_foreign import instead

        return instead(key, self.template)

    def banned_below(self, value: Node) -> bool:
        found = False
        for node in walk(value):
            if isinstance(node, Mapping):
                for entry in node.entries.values():
                    code = BANNED.get(normal(entry.key.text))
                    if code is not None:
                        found = self.banned(entry.key, Scalar(None, entry.key.origin)) or found
        return found

    def value(self, node: Node, type: Type, what: str) -> None:
        """Check a value; `what` is its name in messages."""
        if isinstance(type, Text):
            self.text(node, what)
        elif isinstance(type, Choice):
            self.choice(node, type, what)
        elif isinstance(type, Length):
            self.length(node, what)
        elif isinstance(type, Whole):
            self.whole(node, type, what)
        elif isinstance(type, Flag):
            self.flag(node, what)
        elif isinstance(type, Lines):
            self.lines(node, what)
        elif isinstance(type, Mode):
            self.mode(node, what)
        elif isinstance(type, Amount):
            self.amount(node, what)
        elif isinstance(type, ListOf):
            self.list(node, type, what)
        elif isinstance(type, MapOf):
            self.map(node, type, what)
        elif isinstance(type, Shape):
            self.shape(node, type, what)
        elif isinstance(type, EnvValue):
            self.env_value(node, type, what)
        elif isinstance(type, Tasks):
            self.tasks(node, type)

    def text(self, node: Node, what: str) -> None:
        """A string as kubectl reads it; a string that other readers take for something else is a warning."""
        if not isinstance(node, Scalar):
            self.wrong(node, what, "text")
        elif node.value is None:
            self.report.add(codes.NULL, node.origin.span, f"{what} is null where text is meant", 'write `""` for the empty text')
        elif not isinstance(node.value, str):
            self.not_text(node, f"{what} is {kind(node)}, which YAML reads as a {_name(node.value)}, not as a string")
        elif node.plain and differs(node.text):
            self.not_text(node, f"{what} is {kind(node)}, which some YAML readers do not take for a string", WARNING)

    def choice(self, node: Node, type: Choice, what: str) -> None:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            self.wrong(node, what, type.what, f"write {_either(type.words)}")
        elif node.value not in type.words:
            close = nearest(normal(node.value), {normal(word): word for word in type.words})
            meant = next((word for word in type.words if normal(word) == close), None)
            self.report.add(codes.BAD_VALUE, node.origin.span, f"{what} is `{shorten(node.value)}`, which is not {type.what}",
                            f"write `{meant}`" if meant else f"write {_either(type.words)}")

    def length(self, node: Node, what: str) -> None:
        """A length of time with its unit, in whole seconds."""
        from hetc.duration import complaint

        if not isinstance(node, Scalar) or node.value is None or isinstance(node.value, bool):
            self.wrong(node, what, "a length of time such as `90m`")
            return
        wrong = complaint(node.text)
        if wrong is not None:
            self.report.add(codes.BAD_VALUE, node.origin.span, f"{what}: {wrong[0]}", wrong[1])

    def not_text(self, node: Scalar, message: str, level: str | None = None) -> None:
        from hetc.mend import quote

        self.report.add(codes.NOT_TEXT, node.origin.span, message, f"quote it: `{quoted(node.text)}`", level=level, fix=quote(node))

    def whole(self, node: Node, type: Whole, what: str) -> None:
        number = self.integer(node, what)
        if number is not None and not type.least <= number <= type.most:
            bound = f"at least {type.least}" if number < type.least else f"at most {type.most}"
            self.report.add(codes.BAD_VALUE, node.origin.span, f"{what} is {number}, and must be {bound}",
                            f"write a number that is {bound}")

    def integer(self, node: Node, what: str) -> int | None:
        """The whole number that a scalar writes; None after a report."""
        if not isinstance(node, Scalar) or isinstance(node.value, (bool, str)) or node.value is None:
            quoted_number = isinstance(node, Scalar) and not node.plain and _DECIMAL.match(node.text)
            help = f"write {node.text} without quotes" if quoted_number and isinstance(node, Scalar) else None
            self.wrong(node, what, "an integer", help)
            return None
        if _ZERO.match(node.text):
            plain = node.text.lstrip("+0_") or "0"
            self.report.add(codes.LEADING_ZERO, node.origin.span,
                            f"{what} is `{node.text}`, whose leading zero some readers take for octal", f"write `{plain}`")
            return None
        if isinstance(node.value, float):
            self.wrong(node, what, "an integer")
            return None
        if not _DECIMAL.match(node.text) and not node.text.replace(".", "").isdigit():
            self.wrong(node, what, "a plain integer", f"write `{node.value}`")
            return None
        return node.value

    def flag(self, node: Node, what: str) -> None:
        if isinstance(node, Scalar) and isinstance(node.value, bool) and node.text.lower() in ("true", "false"):
            return
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            from hetc.mend import put

            word = "true" if node.value else "false"
            self.report.add(codes.NOT_TEXT, node.origin.span,
                            f"{what} is `{node.text}`, a boolean to some YAML readers and text to others", f"write `{word}`",
                            fix=put(node, word))
            return
        self.wrong(node, what, "`true` or `false`")

    def lines(self, node: Node, what: str) -> None:
        if isinstance(node, Sequence):
            for item in node.items:
                self.text(item, f"a line of {what}")
            if _odd_lines(node.items):
                self.other_lists(node, what)
        elif isinstance(node, Mapping):
            self.wrong(node, what, "a list of shell lines or one string")
        else:
            self.text(node, what)

    def other_lists(self, node: Sequence, what: str) -> None:
        """Warn of a list that was meant as the words of one command, or as one line."""
        from hetc.read.overlay_lines import complaint

        found = complaint(node, what)
        if found is not None:
            self.report.add(codes.SHELL_ITEM, *found)

    def mode(self, node: Node, what: str) -> None:
        """A file mode in octal; a number that would be read as decimal is shown in octal."""
        if isinstance(node, Scalar) and _OCTAL.match(node.text):
            return
        number = node.value if isinstance(node, Scalar) else None
        if isinstance(node, Scalar) and isinstance(number, int) and _DECIMAL.match(node.text) and 0 < number <= 0o7777:
            octal = f"`0{number:o}`"
            meant = f"`0{node.text}`, or {octal} if the decimal number is meant" if _OCTAL.match(f"0{node.text}") else octal
            self.report.add(codes.BAD_VALUE, node.origin.span, f"{what} is the decimal number `{node.text}`, which is mode 0{number:o}",
                            f"write the octal form: {meant}")
            return
        self.wrong(node, what, "a file mode in octal", "write it like `0400`")

    def amount(self, node: Node, what: str) -> None:
        from hetc.quantity import QuantityError, memory

        if not isinstance(node, Scalar) or node.value is None or isinstance(node.value, bool):
            self.wrong(node, what, "an amount such as `64Gi`")
            return
        try:
            memory(node.text)
        except QuantityError as error:
            self.report.add(codes.QUANTITY, node.origin.span, f"{what}: {error.args[0]}", error.help)

    def list(self, node: Node, type: ListOf, what: str) -> None:
        if not isinstance(node, Sequence):
            if isinstance(node, Scalar) and isinstance(type.item, Text):
                help: str | None = f"write `[{node.text if node.plain else quoted(node.text)}]`"
            else:
                help = self.form(node, type, what)
            self.wrong(node, what, "a list", help)
            return
        seen: dict[str, Span] = {}
        for item in node.items:
            if isinstance(item, Mapping) and isinstance(type.item, Text):
                from hetc.read.overlay_foreign import name_alone

                name = name_alone(item)
                self.wrong(item, f"an item of {what}", "text", f"write the name alone: `[{name}]`" if name else None)
            else:
                self.value(item, type.item, f"an item of {what}")
                if isinstance(item, Mapping) and isinstance(type.item, Shape):
                    self.item(item, type.item, f"an item of {what}")
            if type.once and isinstance(item, Scalar):
                first = seen.setdefault(item.text, item.origin.span)
                if first is not item.origin.span:
                    self.report.add(codes.DUPLICATE_KEY, item.origin.span, f"`{item.text}` stands twice in {what}", "keep one of the two",
                                    [Label(first, "first given here")])

    def item(self, node: Mapping, type: Shape, what: str) -> None:
        """A mapping in a list is whole: since lists replace, no other layer gives it a key, and a `null` removes nothing."""
        for key, entry in node.entries.items():
            if is_null(entry.value):
                self.report.add(codes.NULL, entry.key.origin.span, f"`{key}` of {what} is null, and lists have nothing below them",
                                f"leave `{key}` out")
        fields = {field.name: field for field in type.fields}
        for each in type.needs:
            if not any(key in node.entries for key in each):
                self.report.add(codes.MISSING, node.origin.span, f"{what} has no `{each[0]}`",
                                f"add `{each[0]}: {fields[each[0]].example}`, for example")

    def map(self, node: Node, type: MapOf, what: str) -> None:
        if not isinstance(node, Mapping):
            self.wrong(node, what, f"a mapping of {type.what} to value", self.form(node, type, what))
            return
        for key, entry in node.entries.items():
            if not is_null(entry.value):
                self.value(entry.value, type.value, f"{type.what} `{key}`")

    def shape(self, node: Node, type: Shape, what: str) -> None:
        if not isinstance(node, Mapping):
            self.wrong(node, what, "a mapping", self.form(node, type, what))
            return
        self.fields(node, type.fields, what, {})

    def env_value(self, node: Node, type: EnvValue, what: str) -> None:
        forms = " or ".join("`{" + ", ".join(f"{field.name}: …" for field in shape.fields) + "}`" for shape in type.sources)
        if not isinstance(node, Mapping):
            if type.text:
                self.text(node, what)
            else:
                self.wrong(node, what, "a mapping", f"write {forms}")
            return
        keys = set(node.entries)
        for shape in type.sources:
            names = {field.name for field in shape.fields}
            if keys == names:
                for key, entry in node.entries.items():
                    self.text(entry.value, f"`{key}` of {what}")
                return
        if not any(self.banned(entry.key, entry.value) for entry in node.entries.values()):
            from hetc.read.overlay_foreign import env

            given = ", ".join(f"`{key}`" for key in node.entries) or "(none)"
            form = env(node, type.text)
            self.report.add(codes.BAD_VALUE, node.origin.span, f"{what} has the keys {given}",
                            f"write `{form}`" if form else f"write {'text, or ' if type.text else ''}{forms}")

    def tasks(self, node: Node, type: Tasks) -> None:
        if not isinstance(node, Mapping):
            self.wrong(node, f"`{type.what}s`", f"a mapping by {type.what} name", f"write `{type.what}s: {{NAME: {{image: …}}}}`")
            return
        for name, entry in node.entries.items():
            if is_null(entry.value):
                continue
            if not isinstance(entry.value, Mapping):
                self.wrong(entry.value, f"{type.what} `{name}`", "a mapping")
            else:
                self.task(f"{type.what} `{name}`", entry.value, type.what == "profile")

    def task(self, whose: str, node: Mapping, profile: bool) -> None:
        """The fields of one task or profile; a job-level key there is said to be one."""
        fields = task_fields(self.all) if not profile else profile_fields(self.all)
        known = {field.name: field for field in fields}
        only_tasks = {field.name for field in self.all if field.only_task}
        job_level = {field.name for field in job_fields(self.all)} - set(known)
        for key, entry in node.entries.items():
            if key in only_tasks and key not in known:
                self.report.add(codes.MISPLACED, entry.key.origin.span, f"`{key}` is a task's key, and {whose} is none",
                                f"write `{key}` in the task")
            elif key in job_level:
                self.report.add(codes.MISPLACED, entry.key.origin.span, f"`{key}` belongs to the whole job, not to {whose}",
                                f"write `{key}` at the top of the overlay")
            elif key not in known:
                self.unknown(entry.key, entry.value, known, whose, SHAPE_KEYS)
            elif not is_null(entry.value):
                self.value(entry.value, known[key].type, f"`{key}` of {whose}")

    def form(self, node: Node, type: Type, what: str) -> str | None:
        """The help for a value in the form that Kubernetes has it; None where it is no such."""
        from hetc.read.overlay_foreign import form

        made = form(node, type, what.split("`")[1])
        return f"write `{made}`" if made else None

    def wrong(self, node: Node, what: str, wanted: str, help: str | None = None) -> None:
        self.report.add(codes.WRONG_TYPE, node.origin.span, f"{what} is {kind(node)}, not {wanted}", help or f"write {wanted}")


def _odd_lines(items: list[Node]) -> bool:
    """Whether shell lines begin or end as those of a list do that was meant as one line; the answer that is worth a closer look."""
    lines = [item for item in items if isinstance(item, Scalar)]
    if len(lines) < 2:
        return False
    return len(lines[0].text.split()) == 1 or any(line.text.startswith("-") or _before_comma(line) for line in lines)


def _before_comma(line: Scalar) -> bool:
    """Whether unquoted text ends at a comma without a blank behind it."""
    span = line.origin.span
    return line.plain and span.source.text.startswith(",", span.end) and not span.source.text[span.end + 1:span.end + 2].isspace()


def _name(value: object) -> str:
    return "boolean" if isinstance(value, bool) else "number"


_BECAUSE = {
    codes.SECURITY_CONTEXT.code: "a security context loosens what the platform set",
    codes.HOST_PATH.code: "it opens the node's own files to the pod",
    codes.PRIVILEGED.code: "it gives the container the node's own rights",
    codes.RAW_VOLUMES.code: "raw volumes pass by the checks of `mounts`",
    codes.HOST_NAMESPACE.code: "it puts the pod into the node's own namespaces",
    codes.CAPABILITIES.code: "capabilities are the platform's to give",
    codes.PASSTHROUGH.code: "raw pod fields pass by every check",
}
_INSTEAD = {
    codes.SECURITY_CONTEXT.code: "leave it out: `run_as: {user: 1000}` says whom processes run as; a platform owner sets what pods "
                                 "may do in the site file or the cluster",
    codes.HOST_PATH.code: "mount a PersistentVolumeClaim: `mounts: {data: {path: /data, claim: NAME}}`",
    codes.PRIVILEGED.code: "leave it out",
    codes.RAW_VOLUMES.code: "use `mounts` with a claim, config_map, secret or empty_dir",
    codes.HOST_NAMESPACE.code: "leave it out; pods of the job reach each other by name",
    codes.CAPABILITIES.code: "leave it out; `[rdma] ipc_lock` of the root's site file adds IPC_LOCK where RDMA needs it",
}
