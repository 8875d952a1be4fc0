"""Annotations of pods that Kubernetes itself reads, and refuses when they say what it cannot do.

Most are what older versions had in the place of fields. Volcano's webhook shows the template to Kubernetes' validation, which judges
these annotations too. One more, of a mirror pod, belongs to the kubelet: such a pod must name its node.
Source: Kubernetes' core validation, ValidatePodSpecificAnnotations.
"""
from __future__ import annotations

import re

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import jobs, text, texts
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site

MIRROR = "kubernetes.io/config.mirror"
COST = "controller.kubernetes.io/pod-deletion-cost"
TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations"
SECCOMP = ("seccomp.security.alpha.kubernetes.io/pod", "container.seccomp.security.alpha.kubernetes.io/")
APPARMOR = "container.apparmor.security.beta.kubernetes.io/"
LOCAL = "localhost/"

_INTEGER = re.compile(r"-[0-9]{1,40}|0|[1-9][0-9]{0,40}")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for task in job.tasks:
            for key, value in texts(find(task.template, "metadata", "annotations")):
                wrong = _wrong(key.text, str(value.value), task)
                if wrong is not None:
                    yield Finding(f"annotation `{shorten(key.text)}` {wrong[0]}", key.origin.span, wrong[1])


def _wrong(key: str, value: str, task: TaskView) -> tuple[str, str] | None:
    """What is wrong with an annotation, and what to do; None for most of them."""
    if key == MIRROR and not text(find(task.pod, "nodeName")):
        return "is the kubelet's own, and makes the pod one that must have a `nodeName`", "leave it out"
    if key == COST and not (_INTEGER.fullmatch(value) and -(2**31) <= int(value) < 2**31):
        return f"takes a whole number of 32 bits, not `{shorten(value)}`", "write a number without leading zeros, such as `100`"
    if key == TOLERATIONS and not _is_list(value):
        return "takes a JSON list of tolerations", "leave it out, and write `tolerations:` in the pod"
    if key == SECCOMP[0] or key.startswith(SECCOMP[1]):
        return None if _is_seccomp(value) else (f"takes a seccomp profile, not `{shorten(value)}`", "write `runtime/default`")
    if key.startswith(APPARMOR):
        return _apparmor(key.removeprefix(APPARMOR), value, task)
    return None


def _apparmor(container: str, value: str, task: TaskView) -> tuple[str, str] | None:
    if all(container != each.name for each in task.containers()):
        return f"names container `{shorten(container)}`, which the task does not have", "name one of its containers"
    if value not in ("", "runtime/default", "unconfined") and not value.startswith(LOCAL):
        return f"takes an AppArmor profile, not `{shorten(value)}`", "write `runtime/default`"
    return None


def _is_seccomp(value: str) -> bool:
    if value.startswith(LOCAL):
        path = value.removeprefix(LOCAL)
        return not path.startswith("/") and ".." not in path.split("/")
    return value in ("runtime/default", "docker/default", "unconfined")


def _is_list(value: str) -> bool:
    """Whether a text is a JSON list of objects; an empty one counts as no annotation."""
    import json

    try:
        found = json.loads(value or "[]")
    except (ValueError, RecursionError):
        return False
    return found is None or (isinstance(found, list) and all(each is None or isinstance(each, dict) for each in found))


RULE = ManifestRule(Code("HET110", "pod-annotation", ERROR, "an annotation of a pod that Kubernetes reads and refuses"), check)
