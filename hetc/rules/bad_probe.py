"""A probe or a hook does one thing, and its numbers and ports are such as Kubernetes takes.

Source: Kubernetes' validation of containers, which Volcano's webhook calls.
"""
from __future__ import annotations

import re

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import containers, mappings, number, present, sequence, text
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.source import Span
    from hetc.tree import Node

PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
#: What a probe does; a hook cannot use grpc, and may sleep.
CHECKS = ("exec", "grpc", "httpGet", "tcpSocket")
ACTIONS = ("exec", "httpGet", "sleep", "tcpSocket")
HOOKS = ("postStart", "preStop")
SCHEMES = ("HTTP", "HTTPS")
LARGEST = 65535


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for container in containers(manifest):
        for name in PROBES:
            probe = container.node.get(name)
            if isinstance(probe, Mapping):
                yield from _action(name, probe, CHECKS, container.node.key_span(name))
                yield from _successes(name, probe)
                yield from _grace(name, probe)
        lifecycle = container.node.get("lifecycle")
        for name in HOOKS:
            hook = find(lifecycle, name)
            if isinstance(hook, Mapping) and isinstance(lifecycle, Mapping):
                yield from _action(name, hook, ACTIONS, lifecycle.key_span(name))


def _successes(name: str, probe: Mapping) -> Iterator[Finding]:
    node = probe.get("successThreshold")
    if node is not None and name != "readinessProbe" and (number(node) or 1) != 1:
        yield Finding(f"`successThreshold` of a `{name}` is {number(node)}, and only 1 is taken", node.origin.span, "write `1`")


def _grace(name: str, probe: Mapping) -> Iterator[Finding]:
    """Seconds to end in after a failed probe, which ends no container where it is about readiness."""
    node = probe.get("terminationGracePeriodSeconds")
    seconds = number(node)
    if node is None or seconds is None:
        return
    if name == "readinessProbe":
        yield Finding(f"a `{name}` ends no container, and has no grace period", probe.key_span("terminationGracePeriodSeconds"),
                      "leave it out")
    elif seconds < 1:
        yield Finding(f"`terminationGracePeriodSeconds` of a `{name}` is {seconds}, and must be at least 1", node.origin.span, "write `1`")


def _action(name: str, node: Mapping, kinds: tuple[str, ...], place: Span) -> Iterator[Finding]:
    given = present(node, *kinds)
    if not given:
        yield Finding(f"`{name}` does nothing", place, f"write one of {', '.join(f'`{kind}`' for kind in kinds)}")
    elif len(given) > 1:
        yield Finding(f"`{name}` does both `{given[0]}` and `{given[1]}`", node.key_span(given[1]), "keep one of the two",
                      (Label(node.key_span(given[0]), "the other one"),))
    command = find(node, "exec")
    if isinstance(command, Mapping) and not sequence(command.get("command")):
        yield Finding(f"`exec` of `{name}` has no command", node.key_span("exec"), "add `command: [PROGRAM]`")
    for kind in ("grpc", "httpGet", "tcpSocket"):
        yield from _port(find(node, kind, "port"), kind)
    for header in mappings(find(node, "httpGet", "httpHeaders")):
        title = header.get("name")
        if title is not None and text(title) is not None and not re.fullmatch("[-A-Za-z0-9]+", text(title) or ""):
            yield Finding(f"`{names.shorten(text(title) or '')}` is no name of a header", title.origin.span,
                          "write letters, digits and `-`, as in `X-Probe`")
    scheme = find(node, "httpGet", "scheme")
    if scheme is not None and (text(scheme) or "HTTP") not in SCHEMES:
        yield Finding(f"`{names.shorten(text(scheme) or '')}` is no scheme", scheme.origin.span, "write `HTTP` or `HTTPS`")


def _port(node: Node | None, kind: str) -> Iterator[Finding]:
    """A port by number, or, but for grpc, by a name of the container's ports."""
    value, name = number(node), text(node)
    if node is not None and value is not None and not 1 <= value <= LARGEST:
        yield Finding(f"the port is {value}, and ports are from 1 to {LARGEST}", node.origin.span, f"write a number from 1 to {LARGEST}")
    wrong = names.port_name(name) if name is not None and kind != "grpc" else None
    if node is not None and wrong is not None:
        help = f"write `{name}` without quotes" if name and name.isdigit() else "write a number, or the name of one of the ports"
        yield Finding(f"no legal port name: {wrong}", node.origin.span, help)


RULE = ManifestRule(Code("HET517", "bad-probe", ERROR, "a probe or hook that Kubernetes refuses"), check)
