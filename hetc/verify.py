"""The schemas as a second judge of a manifest: hetc's own for a Volcano Job, kubernetes-validate's for its pods.

Rules say what is wrong and what to do; this stage asks whether the API server would take the object at all. Both
libraries are optional and heavy, so nothing here is imported before `verify` is called.
"""
from __future__ import annotations

import json
import re

from hetc import data
from hetc.codes import POD_SCHEMA, SCHEMA
from hetc.diagnostic import Label
from hetc.names import either
from hetc.record import Record, replace
from hetc.source import UsageError
from hetc.tree import Mapping, Scalar, Sequence, find, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from hetc.diagnostic import Code, Report
    from hetc.source import Span
    from hetc.tree import Node

    Path: TypeAlias = tuple[str | int, ...]

JOB_SCHEMA = "schemas/volcano-job.schema.json"

#: Any version counts as a Job here, so that a wrong one is told and not passed over.
GROUP = "batch.volcano.sh/"

#: The longest value that a message repeats whole, in characters.
LONGEST = 60

TYPES = {
    "string": "a string", "integer": "an integer", "number": "a number", "boolean": "a boolean", "array": "a list", "object": "a mapping",
}


class Fault(Record):
    """One way in which data do not fit a schema.

    `path` leads from the root to the value. `key` is a key of the mapping there that is itself at fault, `first` the
    path of an item that a duplicate repeats.
    """

    path: Path
    message: str
    key: str | None = None
    help: str | None = None
    first: Path | None = None


def verify(documents: list[Node], report: Report, kubernetes_version: str | None = None) -> None:
    """Report what the schemas refuse in each Volcano Job among `documents`; other kinds are passed over.

    The items of a `kind: List` count as documents. `kubernetes_version`, such as `1.34`, is the release whose Pod
    schema is used; None is the newest that the installed kubernetes-validate has. It names one mistake a pod template
    at a time, and it is left out where the Job's schema has reported the place already.

    Raises UsageError where a library is not installed or does not know the version.
    """
    job_errors = _job_errors()
    release, pod_error = _pod_error(kubernetes_version)
    for job in _jobs(documents):
        reported: set[Span] = set()
        values = plain(job)
        for fault in _faults(job_errors(values), values, job):
            reported.add(_report(job, fault, SCHEMA, report))
        tasks = find(job, "spec", "tasks")
        for task in tasks.items if isinstance(tasks, Sequence) else []:
            template = find(task, "template")
            if template is None or not isinstance(find(template, "spec"), Mapping):
                continue  # the Job's schema has said so
            values = plain(template)
            for fault in _faults(pod_error(values), values, template):
                if _span(template, fault) not in reported:
                    told = replace(fault, message=f"{fault.message} (Kubernetes {release})")
                    _report(template, told, POD_SCHEMA, report)


def job_schema_errors(job: object) -> list[Fault]:
    """What hetc's schema of a Volcano Job refuses in plain data, by path.

    Raises UsageError where jsonschema is not installed.
    """
    return _faults(_job_errors()(job), job)


def _jobs(documents: list[Node]) -> Iterator[Mapping]:
    for document in documents:
        if not isinstance(document, Mapping):
            continue
        kind, version, items = (find(document, key) for key in ("kind", "apiVersion", "items"))
        if not isinstance(kind, Scalar) or not isinstance(version, Scalar):
            continue
        if kind.value == "List" and isinstance(items, Sequence):
            yield from _jobs(items.items)
        elif kind.value == "Job" and str(version.value).startswith(GROUP):
            yield document


def _missing(library: str) -> UsageError:
    return UsageError(f"checking against the schemas needs {library}: pip install 'hetc[verify]'")


def _job_errors() -> Callable[[object], list[Any]]:
    try:
        from jsonschema import Draft7Validator
        from jsonschema.exceptions import ValidationError
        from jsonschema.validators import extend
    except ImportError:
        raise _missing("jsonschema") from None

    def pattern(validator: Any, wanted: str, value: object, schema: Any) -> Iterator[ValidationError]:
        # The library searches, and there Python's `$` lets a newline at the end pass, which Kubernetes does not.
        if isinstance(value, str) and not re.fullmatch(wanted, value):
            yield ValidationError("no match")

    def unique_by(validator: Any, keys: dict[str, object], value: object, schema: Any) -> Iterator[ValidationError]:
        for index, first in _duplicates(keys, value):
            # `cause` is the library's field for whatever led to an error.
            yield ValidationError("duplicate", path=[index], cause=IndexError(first))

    with open(data.path(JOB_SCHEMA), encoding="utf-8") as file:
        schema = json.load(file)
    validator = extend(Draft7Validator, {"pattern": pattern, "x-unique-by": unique_by})(schema)  # type: ignore[no-untyped-call]
    return lambda job: list(validator.iter_errors(job))


def _duplicates(keys: dict[str, object], items: object) -> Iterator[tuple[int, int]]:
    """The index of each item that repeats an earlier one in all `keys`, and the index of that one.

    A key's value in `keys` is what an absent one counts as; None: an item without it is no duplicate of any.
    Source: list-map keys of structural schemas, which a CustomResourceDefinition checks after its defaults.
    """
    seen: dict[tuple[object, ...], int] = {}
    for index, item in enumerate(items if isinstance(items, list) else []):
        if not isinstance(item, dict):
            continue
        values = tuple(default if item.get(key) is None else item[key] for key, default in keys.items())
        if any(value is None or isinstance(value, (dict, list)) for value in values):
            continue
        first = seen.setdefault(values, index)
        if first != index:
            yield index, first


def _pod_error(wanted: str | None) -> tuple[str, Callable[[Any], list[Any]]]:
    try:
        from kubernetes_validate import utils  # type: ignore[import-untyped]
    except ImportError:
        raise _missing("kubernetes-validate") from None

    known = [utils.major_minor(version) for version in utils.all_versions()]
    release = known[-1] if wanted is None else utils.major_minor(wanted.removeprefix("v"))
    # Asked for one that it lacks, the library takes an older one, or fails in ways of its own.
    if release not in known:
        raise UsageError(f"kubernetes-validate knows Kubernetes {known[0]} to {known[-1]}, not {wanted}")

    def error(template: Any) -> list[Any]:
        parts = {key: template[key] for key in ("metadata", "spec") if key in template}
        try:
            utils.validate({"apiVersion": "v1", "kind": "Pod", **parts}, release, strict=True)
        except utils.ValidationError as refusal:
            return [refusal]
        return []

    return release, error


def _faults(errors: list[Any], values: object, root: Node | None = None) -> list[Fault]:
    """The library's errors in hetc's words, in the order of the paths, each once.

    `values` are the data checked. `root`, where there is one, knows how their source spells them.
    """
    faults = {fault: None for error in errors for fault in _fault(error, values, root)}
    return sorted(faults, key=lambda fault: ([step if isinstance(step, str) else f"{step:09}" for step in fault.path], fault.message))


def _fault(error: Any, values: object, root: Node | None) -> Iterator[Fault]:
    while error.parent is not None:  # the branch of an `anyOf` that the library liked best: only the whole is true
        error = error.parent
    path: Path = tuple(error.absolute_path)
    keyword, wanted, value = error.validator, error.validator_value, error.instance
    inside = f" in {_subject(path)}" if path else ""
    if keyword == "type" and "enum" in error.schema:
        return  # the values to choose from say it better
    if "propertyNames" in error.absolute_schema_path:
        yield Fault(path, f"key `{_short(value)}`{inside} {_mismatch(error)}", key=value)
    elif keyword == "additionalProperties":
        for key in value:
            if key not in error.schema.get("properties", {}):
                yield Fault(path, f"unknown key `{_short(key)}`{inside}", key=key)
    elif keyword == "required":
        for key in wanted:
            if key not in value:
                yield Fault(path, f"`{key}` is missing{inside}")
    elif keyword == "anyOf" and all("required" in branch for branch in wanted):
        names = either([f"`{key}`" for branch in wanted for key in branch["required"]])
        yield Fault(path, f"{names} is missing{inside}")
    elif keyword == "x-unique-by":
        yield _duplicate(path, error)
    else:
        message, help = _value_message(error, _spelled(root, path, value))
        yield Fault(path, f"{_subject(path)}{_owner(values, path)} {message}", help=help)


def _duplicate(path: Path, error: Any) -> Fault:
    first, item, defaults = error.cause.args[0], error.instance[path[-1]], error.validator_value
    written = [key for key in defaults if key in item]
    keys = written or list(defaults)
    repeated = " and ".join(f"`{_short(str(item.get(key, defaults[key])))}`" for key in keys)
    names = " and ".join(f"`{key}`" for key in keys)
    message = f"duplicate {repeated} in {_subject(path[:-1])}: each {names} may stand there once"
    return Fault((*path, *written[:1]), message, first=(*path[:-1], first, keys[0]))


def _value_message(error: Any, shown: str) -> tuple[str, str | None]:
    """What the value must be, not what it is, and what to do about it if that is plain."""
    keyword, wanted, value = error.validator, error.validator_value, error.instance
    if keyword in ("type", "oneOf", "anyOf"):
        branches = [wanted] if isinstance(wanted, str) else wanted
        return _type_message([branch.get("type", "null") if isinstance(branch, dict) else branch for branch in branches], value, shown)
    if keyword == "enum":
        return f"must be {either([f'`{one}`' for one in wanted if one])}, not {shown}", None
    if keyword == "const":
        return f"must be `{wanted}`, not {shown}", None
    if keyword == "pattern":
        return f"{_mismatch(error)}, not {shown}", None
    if keyword in ("minimum", "maximum"):
        return f"must be at {'least' if keyword == 'minimum' else 'most'} {wanted}, not {shown}", None
    if keyword in ("minLength", "minItems"):
        return "must not be empty", None
    if keyword == "maxLength":
        return f"may have at most {wanted} characters, not {len(value)}", None
    if keyword == "not":
        return f"must not be {shown}", None
    return f"does not fit the schema: {error.message}", None


def _type_message(types: list[str], value: object, shown: str) -> tuple[str, str | None]:
    names = either([TYPES.get(name, name) for name in types if name != "null"])
    if isinstance(value, bool):
        got = f"the boolean {shown}"
    elif isinstance(value, (int, float)):
        got = f"the number {shown}"
    elif isinstance(value, str):
        got = f"the string {shown}"
    else:
        got = shown
    help = None
    if isinstance(value, (bool, int, float)) and "string" in types:
        help = f"quote it: `\"{shown.strip('`')}\"`"
    elif isinstance(value, str) and (re.fullmatch(r"-?(0|[1-9][0-9]*)", value) if "integer" in types else value in ("true", "false")):
        help = "write it without quotes"
    return f"must be {names}, not {got}", help


def _mismatch(error: Any) -> str:
    """What a pattern asks for; the schema says so beside it."""
    return str(error.schema.get("patternErrorMessage", f"must match `{error.validator_value}`"))


def _subject(path: Path) -> str:
    """What a message calls the value at a path: `image`, or item 2 of `args`, counted from 1."""
    if not path:
        return "the document"
    last = path[-1]
    if isinstance(last, str):
        return f"`{_short(last)}`"
    return f"item {last + 1} of {_subject(path[:-1])}"


def _owner(values: object, path: Path) -> str:
    """The name of the mapping that holds a value, if it has one: the `value` of `MODE`."""
    if not path or path[-1] == "name" or isinstance(path[-1], int):
        return ""
    for step in path[:-1]:
        values = values[step]  # type: ignore[index]
    name = values.get("name") if isinstance(values, dict) else None
    return f" of `{_short(name)}`" if isinstance(name, str) and name else ""


def _short(text: str) -> str:
    """The text in one line that is not too long, control characters escaped."""
    text = "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "null"
    return f"`{_short(value if isinstance(value, str) else json.dumps(value))}`"


def _spelled(root: Node | None, path: Path, value: object) -> str:
    """A value as its source spells it: `no`, where the data say false."""
    node = None if root is None else _deepest(root, path)
    if isinstance(node, Scalar) and node.value is not None and node.value == value:
        return f"`{_short(node.text)}`"
    return _shown(value)


def _deepest(root: Node, path: Path) -> Node:
    """The node at the end of a path, or the last one on the way to it."""
    node = root
    for step in path:
        below = None
        if isinstance(node, Mapping) and isinstance(step, str):
            below = node.get(step)
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            below = node.items[step]
        if below is None:
            break
        node = below
    return node


def _span(root: Node, fault: Fault) -> Span:
    """The key at fault or the value; a mapping or a list, and with it what is missing there, stands at its key."""
    node = _deepest(root, fault.path)
    if fault.key is not None and isinstance(node, Mapping) and fault.key in node.entries:
        return node.key_span(fault.key)
    if not isinstance(node, Scalar) and fault.path and isinstance(last := fault.path[-1], str):
        above = _deepest(root, fault.path[:-1])
        if isinstance(above, Mapping) and last in above.entries:
            return above.key_span(last)
    return node.origin.span


def _report(root: Node, fault: Fault, code: Code, report: Report) -> Span:
    span = _span(root, fault)
    related = [] if fault.first is None else [Label(_deepest(root, fault.first).origin.span, "the first one")]
    report.add(code, span, fault.message, fault.help, related)
    return span
