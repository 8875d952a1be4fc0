"""Probes and lifecycle hooks call their own pod, and name no other host.

The kubelet makes these calls from the node, so a host of one's choice is reached with the node's own access. Source: Pod
Security Standards, baseline since Kubernetes 1.34: host probes and lifecycle hooks.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.rule import ManifestRule
from hetc.security import Setting, containers, entries, pods, reach
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.security import Place
    from hetc.site import Site

#: The ways from a container to what calls.
HANDLERS = (("livenessProbe",), ("readinessProbe",), ("startupProbe",), ("lifecycle", "postStart"), ("lifecycle", "preStop"))
CALLS = ("httpGet", "tcpSocket")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for pod in pods(manifest):
        for container in containers(pod):
            for path in HANDLERS:
                for call in CALLS:
                    yield from _host(container, (*path, call))


def _host(container: Place, path: tuple[str, ...]) -> Iterator[Finding]:
    for call in reach(container.node, *path):
        for name, entry in entries(call, "host"):
            if isinstance(entry.value, Scalar) and entry.value.text:
                setting = Setting(name, entry, container, f"{'.'.join(path)}.")
                yield Finding(f"{container.who} has the node call a host of the job's choice: {setting.shown}", setting.span,
                              "leave it out: the pod's own address is called then", setting.related)


RULE = ManifestRule(Code("HET416", "probe-host", ERROR, "a probe or lifecycle hook that names a host"), check)
