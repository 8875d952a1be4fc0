"""Fields of a pod template with a fixed set of values, which the API server checks when Volcano's webhook shows it the template.

A working directory must be absolute: nothing checks it at admission, and the container runtime then refuses to start the container.
"""
from __future__ import annotations

import re

from hetc.diagnostic import ERROR, Code, Finding
from hetc.fields import PULL_POLICIES
from hetc.lazy import regex
from hetc.manifest import number, sequence, tasks, text
from hetc.names import choice, label_key, nearest, shorten
from hetc.rule import ManifestRule
from hetc.tree import Sequence, find, is_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Mapping, Node

#: The fields of a pod and of a container that take one of a few values.
OF_POD = {
    "restartPolicy": ("Always", "Never", "OnFailure"), "preemptionPolicy": ("Never", "PreemptLowerPriority"),
    "dnsPolicy": ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
}
OF_CONTAINER = {"imagePullPolicy": PULL_POLICIES, "terminationMessagePolicy": ("FallbackToLogsOnError", "File")}
LONGEST = 2**31 - 1

#: What a variable may take from its pod, beside one label or one annotation.
PATHS = ("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
         "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs")
_SUBSCRIPT = regex(r"metadata\.(labels|annotations)\['(.*)'\]")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        yield from _pod(task)
        for container in task.containers():
            yield from _choices(container.node, OF_CONTAINER)
            if "workingDir" in container.node.entries:
                yield from _working_dir(container)
            for variable in container.env:
                if "valueFrom" in variable.entries:
                    yield from _path(find(variable, "valueFrom", "fieldRef", "fieldPath"))


def _pod(task: TaskView) -> Iterator[Finding]:
    pod = task.pod
    if pod is not None:
        yield from _choices(pod, OF_POD)
        if "dnsPolicy" in pod.entries:
            yield from _name_servers(pod)
        if "activeDeadlineSeconds" in pod.entries:
            yield from _deadline(pod)
    containers = find(task.node, "template", "spec", "containers")
    if containers is None or is_null(containers) or (isinstance(containers, Sequence) and not containers.items):
        place = pod.key_span("containers") if pod is not None and containers is not None else task.node.origin.span
        yield Finding(f"task `{shorten(task.name)}` has no containers", place, "add `containers:` with one that has a name and an image")


def _name_servers(pod: Mapping) -> Iterator[Finding]:
    policy = pod.get("dnsPolicy")
    if policy is not None and text(policy) == "None" and not sequence(find(pod, "dnsConfig", "nameservers")):
        yield Finding("`dnsPolicy` is `None`, and no name server is given", policy.origin.span,
                      "add `dnsConfig: {nameservers: [ADDRESS]}`, or write `ClusterFirst`")


def _deadline(pod: Mapping) -> Iterator[Finding]:
    node = pod.get("activeDeadlineSeconds")
    seconds = number(node)
    if node is not None and seconds is not None and not 1 <= seconds <= LONGEST:
        yield Finding(f"`activeDeadlineSeconds` is {seconds}, and lies between 1 and {LONGEST}", node.origin.span,
                      "write at least 1, or leave it out for no deadline")


def _choices(node: Mapping, fields: dict[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Values that must be one of a few, letter by letter."""
    for key, values in fields.items():
        value = node.get(key)
        if value is not None and (written := text(value)) and written not in values:
            yield Finding(f"`{shorten(written)}` is no `{key}`", value.origin.span, choice(written, values))


def _working_dir(container: Container) -> Iterator[Finding]:
    value = container.node.get("workingDir")
    written = text(value)
    if value is not None and written and not written.startswith("/"):
        yield Finding(f"working directory `{shorten(written)}` is not absolute, and no container starts in it", value.origin.span,
                      "write the path from `/` on")


def _path(value: Node | None) -> Iterator[Finding]:
    """A field of the pod that a variable takes its value from."""
    written = text(value)
    if value is not None and written is not None and written not in PATHS:
        yield from subscripted(value, written, "a variable can take", _help(written))


def subscripted(value: Node, written: str, use: str, help: str) -> Iterator[Finding]:
    """A path that is no field by itself is one label or one annotation; `use`: what a field is meant for."""
    subscript = _SUBSCRIPT.fullmatch(written)
    wrong = f"is no field that {use}"
    if subscript is not None:
        key = subscript[2] if subscript[1] == "labels" else subscript[2].lower()
        because = label_key(key)
        if because is None:
            return
        wrong = f"has no key of {subscript[1]} in its brackets: {because}"
    yield Finding(f"field path `{shorten(written)}` {wrong}", value.origin.span, help)


def _help(written: str) -> str:
    key = re.search(r"(label|annotation)s?\W*(.*?)\W*\Z", written)
    if key is not None:
        return f"write `metadata.{key[1]}s['{key[2] if label_key(key[2]) is None else 'KEY'}']`"
    close = nearest(written, PATHS)
    return f"write `{close}`" if close else f"write one of {', '.join(f'`{path}`' for path in PATHS)}, `metadata.labels['KEY']`"


RULE = ManifestRule(Code("HET502", "bad-pod-field", ERROR, "a field of a pod template with a value that it does not take"), check)
