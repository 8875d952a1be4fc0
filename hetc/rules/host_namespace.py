"""Pods stay out of their node's network, process and IPC namespaces, and open no port of it.

Source: Pod Security Standards, baseline: host namespaces and host ports. The port 0 means that none is opened.
"""
from __future__ import annotations

from hetc.codes import HOST_NAMESPACE
from hetc.diagnostic import Finding
from hetc.rule import ManifestRule
from hetc.security import Setting, containers, entries, not_boolean, on, pods, reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.security import Place, Pod
    from hetc.site import Site

NAMESPACES = {"hostNetwork": "the node's own network", "hostPID": "the node's own processes", "hostIPC": "the node's own memory and queues"}


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for pod in pods(manifest):
        yield from _namespaces(pod)
        for container in containers(pod):
            yield from _ports(container)


def _namespaces(pod: Pod) -> Iterator[Finding]:
    for name, entry in entries(pod.node, *NAMESPACES):
        setting = Setting(name, entry, pod)
        if on(setting.value):
            message = f"{pod.who} sets {setting.shown}, {NAMESPACES[name]}{not_boolean(setting.value)}"
            yield Finding(message, setting.span, "leave it out; pods of a job reach each other by name", setting.related)


def _ports(container: Place) -> Iterator[Finding]:
    for port in reach(container.node, "ports"):
        for name, entry in entries(port, "hostPort"):
            setting = Setting(name, entry, container)
            if on(setting.value):
                yield Finding(f"{container.who} sets {setting.shown}, a port of the node itself", setting.span,
                              "leave it out; other pods reach the `containerPort` by the pod's name", setting.related)


RULE = ManifestRule(HOST_NAMESPACE, check)
