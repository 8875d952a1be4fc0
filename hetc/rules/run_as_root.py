"""No pod or container asks to run as root, and none takes back that it does not.

An image may still bring its own user. Source: Pod Security Standards, restricted: running as non-root, of which the
explicit user 0 is a loosening. `runAsNonRoot: false` says what holds anyway, except under a pod that says `true`.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.rule import ManifestRule
from hetc.security import Setting, containers, entries, pods, reach, settings
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.security import Pod
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for setting in settings(manifest, "runAsUser"):
        if _is(setting, 0):
            yield Finding(f"{setting.who} sets {setting.shown}, which is root", setting.span,
                          "leave it out, or give the number of another user", setting.related)
    for pod in pods(manifest):
        yield from _taken_back(pod)


def _taken_back(pod: Pod) -> Iterator[Finding]:
    above = [Setting(name, entry, pod) for each in reach(pod.node, "securityContext") for name, entry in entries(each, "runAsNonRoot")]
    asked = next((setting for setting in above if _is(setting, True)), None)
    for container in containers(pod) if asked is not None else ():
        for context in reach(container.node, "securityContext"):
            for name, entry in entries(context, "runAsNonRoot"):
                setting = Setting(name, entry, container)
                if asked is not None and _is(setting, False):
                    yield Finding(f"{container.who} sets {setting.shown}, and may run as root where its pod may not", setting.span,
                                  "leave it out", (Label(asked.span, "the pod's own setting"), *setting.related))


def _is(setting: Setting, value: int) -> bool:
    """Whether a number or boolean is written, with or without quotes."""
    if not isinstance(setting.value, Scalar):
        return False
    return setting.value.value == value or setting.value.text.lower() == str(value).lower()


RULE = ManifestRule(Code("HET413", "run-as-root", ERROR, "a pod or container that asks to run as root"), check)
