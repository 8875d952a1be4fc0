"""What users of Kubernetes write in overlays and templates, and what hetc's form of it is.

Loaded only when there is something to complain about.
"""
from __future__ import annotations

import re

from hetc.fields import MOUNT, EnvValue, ListOf, MapOf, Shape, Text
from hetc.names import normal
from hetc.scalars import differs, reading
from hetc.tree import Mapping, Scalar, Sequence, find, is_null, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.fields import Field, Type
    from hetc.tree import Node

#: The longest form that a help shows.
LONGEST = 200

_PLAIN = re.compile(r"[A-Za-z0-9_./$-][A-Za-z0-9_./:@$-]*\Z")

_SITE = "leave it out: a platform owner sets `{}` in the site file"
_SETUP = "write its lines in `setup`: they run before the command"
_NODES = "write node labels as `select[KEY=VALUE]` in the request or as `node_selector`, and `pack=TIER` to keep a group together"
_FAIL = "write `gang[fail=restart]` in the request, or another of the gang's rules: hetc sets the pods' own"

#: Raw pod fields in their normal spelling, and what hetc has in their place.
_INSTEAD = {
    "restartpolicy": _FAIL,
    "priorityclassname": "write `priority_class: NAME`",
    "args": "write the whole line in `command`",
    "entrypoint": "write the whole line in `command`",
    "schedulername": _SITE.format("[volcano] scheduler"),
    "topologyspreadconstraints": _NODES,
    "nodename": "write `node_selector: {kubernetes.io/hostname: NODE}`",
    **dict.fromkeys(("initcontainers", "lifecycle"), _SETUP),
    **dict.fromkeys(("podspec", "podtemplate", "template", "spec", "containers", "container", "rawpodspec", "patch"),
                    "write `image`, `command`, `env` and `mounts` for the job, and what differs under `tasks`"),
    "ports": "leave it out: pods of the job reach each other on any port",
    "hostname": "leave it out: a pod is called JOB-TASK-INDEX, and its address is that name and `.JOB`",
    "subdomain": "leave it out: a pod is called JOB-TASK-INDEX, and its address is that name and `.JOB`",
}
#: The same where a template says the shape.
_IN_TEMPLATE = {
    "restartpolicy": "leave it out: hetc sets it so that a failed pod ends the job",
    "priorityclassname": "write `priority: NAME` under `config.target`",
    "topologyspreadconstraints": "write node labels as `node_selector` of the task",
    "nodename": "write `node_selector: {kubernetes.io/hostname: NODE}` in the task",
    **dict.fromkeys(("podspec", "podtemplate", "template", "spec", "containers", "container", "rawpodspec", "patch"),
                    "write `environment`, `command` and `env`, for all tasks or in one"),
}


def instead(key: str, template: bool) -> str:
    """What to write in place of a raw pod field."""
    known = {**_INSTEAD, **_IN_TEMPLATE} if template else _INSTEAD
    return known.get(normal(key)) or f"leave it out, or use a key that `hetc schema {'template' if template else 'overlay'}` lists"


def form(node: Node, type: Type, name: str) -> str | None:
    """`NAME: VALUE` as hetc has it, for a value of another type; None where it cannot be told."""
    made = _form(node, type, name)
    return None if made is None or len(made) > LONGEST else f"{name}: {made}"


def _form(node: Node, type: Type, name: str) -> str | None:
    if isinstance(type, MapOf) and isinstance(node, Sequence) and node.items:
        return _entries(node, type)
    if isinstance(type, Shape) and not isinstance(node, Mapping):
        return _switches(node, type.fields) if _has_switches(type) else _flags(node, type, name)
    if isinstance(type, ListOf) and isinstance(node, Mapping):
        item = _item(node, type.item)
        return None if item is None else f"[{item}]"
    return None


# A list in a mapping's place.

def _entries(node: Sequence, type: MapOf) -> str | None:
    """`[{name: A, value: b}]` and `[A=b]` as `{A: b}`."""
    pairs = [pair for item in node.items if (pair := _entry(item, type)) is not None]
    if len(pairs) < len(node.items):
        return None
    return "{" + ", ".join(f"{_scalar(key)}: {value}" for key, value in pairs) + "}"


def _entry(item: Node, type: MapOf) -> tuple[str, str] | None:
    if isinstance(item, Scalar) and isinstance(type.value, (EnvValue, Text)):
        key, sign, value = item.text.partition("=")
        return (key, _scalar(value)) if sign and key else None
    if type.what == "file name":
        path, source = _text(item, "path"), _text(item, "key")
        return (path, _scalar(source)) if path and source else None
    name = _text(item, "name") or _text(item, "key")
    if name is None or not isinstance(item, Mapping):
        return None
    if type.value is MOUNT:
        return name, _mount(item)
    written = env(item) if isinstance(type.value, EnvValue) else None
    given = _text(item, "value")
    return (name, written) if written else (name, _scalar(given)) if given is not None else None


#: Keys of a mount by the words of others, in their normal spelling.
MOUNT_WORDS = {
    "mountpath": "path", "mountdir": "path", "dir": "path", "target": "path",
    "pvc": "claim", "claimname": "claim", "persistentvolumeclaim": "claim",
    "secretname": "secret", "configmapname": "config_map", "defaultmode": "mode",
}


def _mount(item: Mapping) -> str:
    """An entry of `volumeMounts`; its volume stands elsewhere, so its claim may have to be named."""
    known = {normal(field.name): field.name for field in MOUNT.fields}
    parts: dict[str, str] = {}
    for key, entry in item.entries.items():
        field = MOUNT_WORDS.get(normal(key)) or known.get(normal(key))
        value = entry.value
        inner = find(value, "claimName") or find(value, "secretName") or find(value, "name") or value
        if field == "empty_dir":
            parts[field] = "{}"
        elif field is not None and isinstance(inner, Scalar):
            parts[field] = _scalar(inner.text, not isinstance(inner.value, str))
    parts.setdefault("path", "/DIRECTORY")
    if not {"claim", "config_map", "secret", "empty_dir"} & set(parts):
        parts["claim"] = "NAME"
    order = [field.name for field in MOUNT.fields if field.name in parts]
    return "{" + ", ".join(f"{field}: {parts[field]}" for field in order) + "}"


# Values of variables.

_REFERENCES = {"secretkeyref": "secret", "configmapkeyref": "config_map", "secretref": "secret", "configmapref": "config_map"}


def env(node: Node, keyed: bool = True) -> str | None:
    """`valueFrom: {secretKeyRef: …}` and its like as `{secret: NAME, key: KEY}`; `{value: b}` as `b`; None for anything else.

    Not `keyed`: all keys of a Secret or ConfigMap become variables.
    """
    if not isinstance(node, Mapping):
        return None
    for key, entry in node.entries.items():
        word = normal(key)
        if word == "valuefrom":
            return env(entry.value, keyed)
        if word in _REFERENCES and isinstance(entry.value, Mapping):
            source = _scalar(_text(entry.value, "name") or "NAME")
            return f"{{{_REFERENCES[word]}: {source}" + (f", key: {_scalar(_text(entry.value, 'key') or 'KEY')}}}" if keyed else "}")
        if word == "fieldref":
            return f"{{field: {_scalar(_text(entry.value, 'fieldPath') or 'PATH')}}}"
    value = _text(node, "value")
    return _scalar(value) if value is not None and set(node.entries) <= {"name", "value"} else None


# A mapping in a list's place.

def _item(node: Mapping, type: Type) -> str | None:
    """The mapping as one item of a list."""
    if isinstance(type, EnvValue):
        names = [{field.name for field in shape.fields} for shape in type.sources]
        return _flow(node) if set(node.entries) in names else env(node, keyed=False)
    return name_alone(node) if isinstance(type, Text) else None


def name_alone(node: Node) -> str | None:
    """`{name: x}` as `x`."""
    name = _text(node, "name")
    return _scalar(name) if name is not None and isinstance(node, Mapping) and len(node.entries) == 1 else None


# Plugins.

def _has_switches(type: Shape) -> bool:
    return bool(type.fields) and all(isinstance(field.type, Shape) for field in type.fields)


def _switches(node: Node, fields: tuple[Field, ...]) -> str | None:
    """`[ssh]` and `ssh` as `{ssh: {}}`."""
    items = node.items if isinstance(node, Sequence) else [node]
    words = [item.value for item in items if isinstance(item, Scalar)]
    known = {field.name for field in fields}
    if not words or len(words) < len(items) or not all(word in known for word in words):
        return None
    return "{" + ", ".join(f"{word}: {{}}" for word in words) + "}"


def _flags(node: Node, type: Shape, name: str) -> str | None:
    """`[]` as `{}`, and `["--ssh-port=22"]` as `{port: 22}`; of a mapping without required keys."""
    if not isinstance(node, Sequence) or type is MOUNT:
        return "{}" if is_true(node) and not type.source else None
    known = {normal(field.name): field.name for field in type.fields}
    made = []
    for item in node.items:
        flag, _, value = item.text.partition("=") if isinstance(item, Scalar) else ("", "", "")
        field = known.get(normal(flag)) or known.get(normal(flag).removeprefix(name))
        if field is None:
            return None
        made.append(f"{field}: {_scalar(value or 'true', True)}")
    return "{" + ", ".join(made) + "}"


def is_true(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is True


# YAML on one line.

def _text(node: Node | None, key: str) -> str | None:
    """The text of a scalar at a key in any spelling."""
    if not isinstance(node, Mapping):
        return None
    entry = next((entry for word, entry in node.entries.items() if normal(word) == normal(key)), None)
    return entry.value.text if entry is not None and isinstance(entry.value, Scalar) and not is_null(entry.value) else None


def _scalar(text: str, as_it_is: bool = False) -> str:
    """A string, quoted where it has to be; `as_it_is`: a number or a boolean."""
    plain = _PLAIN.match(text) and (as_it_is or (isinstance(reading(text), str) and not differs(text)))
    return text if plain else quoted(text)


def _flow(node: Mapping) -> str:
    parts = (f"{_scalar(key)}: {_scalar(entry.value.text)}" for key, entry in node.entries.items() if isinstance(entry.value, Scalar))
    return "{" + ", ".join(parts) + "}"
