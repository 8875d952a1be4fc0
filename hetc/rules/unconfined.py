"""Containers keep the seccomp and AppArmor profiles of their node, or take another one, and never run without.

Source: Pod Security Standards, baseline: seccomp and AppArmor; both also as the annotations of older versions.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.rule import ManifestRule
from hetc.security import Setting, below, flat, pods, settings
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.security import Pod
    from hetc.site import Site

FIELDS = ("seccompProfile", "appArmorProfile")
#: In lower case: a slip in the letters is no loosening, and the API server refuses it anyway.
TYPES = ("runtimedefault", "localhost")
#: The beginnings of the annotations' keys.
ANNOTATIONS = (
    "container.apparmor.security.beta.kubernetes.io/",
    "container.seccomp.security.alpha.kubernetes.io/",
    "seccomp.security.alpha.kubernetes.io/pod",
)
VALUES = ("", "runtime/default", "docker/default")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    profiles = list(settings(manifest, *FIELDS))
    for setting in below(profiles, "type"):
        if isinstance(setting.value, Scalar) and setting.value.text.lower() not in TYPES:
            yield _finding(setting, "leave it out, or write `type: RuntimeDefault`")
    for setting in profiles:
        if any(isinstance(each, Scalar) for each in flat(setting.value)):  # the profile's name where its mapping belongs
            yield _finding(setting, "leave it out, or write `{type: RuntimeDefault}`")
    for pod in pods(manifest):
        yield from _annotations(pod)


def _annotations(pod: Pod) -> Iterator[Finding]:
    for mapping in pod.annotations:
        for entry in (*mapping.entries.values(), *(mapping.shadowed or ())):
            key, value = entry.key.text, entry.value
            if key.lower().startswith(ANNOTATIONS) and isinstance(value, Scalar) and not _confines(value):
                yield _finding(Setting(key, entry, pod), "leave it out, or write `runtime/default`")


def _confines(value: Scalar) -> bool:
    text = value.text.lower()
    return value.value is None or text in VALUES or text.startswith("localhost/")


def _finding(setting: Setting, help: str) -> Finding:
    return Finding(f"{setting.who} runs without the confinement of its node: {setting.shown}", setting.span, help, setting.related)


RULE = ManifestRule(Code("HET410", "unconfined", ERROR, "a container without a seccomp or AppArmor profile"), check)
