"""Ports of containers: numbers, short names and protocols that Kubernetes takes, each name and number once.

The Job's CRD takes number and protocol together as the key of the list. Ports of the host are shared by the containers of a pod,
init containers apart, which run one by one; and in the host's network every port is one of the host.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import mappings, number, tasks, text
from hetc.record import Record
from hetc.rule import ManifestRule
from hetc.tree import Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest
    from hetc.site import Site
    from hetc.tree import Mapping, Node

PROTOCOLS = ("TCP", "UDP", "SCTP")
LARGEST = 65535


class Port(Record):
    """A port of a container."""

    node: Mapping
    container: Container

    def value(self, key: str) -> tuple[int, Scalar] | None:
        """A number and where it stands."""
        node = self.node.get(key)
        value = number(node)
        return None if value is None or not isinstance(node, Scalar) else (value, node)

    @property
    def protocol(self) -> str:
        return text(self.node.get("protocol")) or "TCP"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        shared: list[Port] = []
        network = find(task.pod, "hostNetwork")
        host = network if isinstance(network, Scalar) and network.value is True else None
        for container in task.containers():
            ports = [Port(node, container) for node in mappings(container.node.get("ports"))]
            for port in ports:
                yield from _port(port, host)
            yield from _repeated(ports)
            if container.list == "containers":
                shared.extend(ports)
            else:
                yield from _of_host(ports, host)
        yield from _of_host(shared, host)


def _port(port: Port, host: Scalar | None) -> Iterator[Finding]:
    for key, least in (("containerPort", 1), ("hostPort", 0)):
        found = port.value(key)
        if found is not None and not least <= found[0] <= LARGEST:
            yield Finding(f"`{key}` is {found[0]}, and ports are from 1 to {LARGEST}", found[1].origin.span,
                          f"write a number from 1 to {LARGEST}")
    inside, outside = port.value("containerPort"), port.value("hostPort")
    if host is not None and inside is not None and outside is not None and outside[0] not in (0, inside[0]):
        yield Finding(f"`hostPort` is {outside[0]} and `containerPort` {inside[0]}, which are one in the host's network",
                      outside[1].origin.span, f"write `{inside[0]}`, or leave it out", (Label(host.origin.span, "the host's network"),))
    node = port.node.get("name")
    name = text(node)
    wrong = names.port_name(name) if name else None
    if node is not None and wrong is not None:
        yield Finding(f"no legal port name: {wrong}", node.origin.span, f"write at most {names.PORT_LENGTH} of a-z, 0-9 and `-`")
    node = port.node.get("protocol")
    if node is not None and port.protocol not in PROTOCOLS:
        yield Finding(f"`{names.shorten(port.protocol)}` is no protocol of a port", node.origin.span,
                      names.choice(port.protocol, PROTOCOLS))


def _repeated(ports: list[Port]) -> Iterator[Finding]:
    """Names, and numbers of one protocol, that two ports of a container have."""
    seen: dict[object, Node] = {}
    for port in ports:
        name, found = port.node.get("name"), port.value("containerPort")
        if name is not None and text(name) and seen.setdefault(text(name), name) is not name:
            yield Finding(f"duplicate port name `{names.shorten(text(name) or '')}`", name.origin.span, "give each port a name of its own",
                          (Label(seen[text(name)].origin.span, "first used here"),))
        key = (found[0], port.protocol) if found is not None else None
        if found is not None and seen.setdefault(key, found[1]) is not found[1]:
            yield Finding(f"duplicate port {found[0]} of protocol {names.shorten(port.protocol)}", found[1].origin.span,
                          "keep one of the two", (Label(seen[key].origin.span, "first given here"),))


def _of_host(ports: list[Port], host: Scalar | None) -> Iterator[Finding]:
    """Ports of the host that two containers want; where one container has a port twice, that says enough."""
    seen: dict[object, Port] = {}
    for port in ports:
        inside, outside = port.value("containerPort"), port.value("hostPort")
        found = inside if host is not None and (outside is None or outside[0] == 0) else outside
        if found is None or found[0] == 0:
            continue
        first = seen.setdefault((found[0], port.protocol, text(port.node.get("hostIP")) or ""), port)
        if first is port or (first.container is port.container and _number(inside) == _number(first.value("containerPort"))):
            continue
        why = " in the host's network" if host is not None else ""
        yield Finding(f"port {found[0]} of the host is taken twice{why}", found[1].origin.span, "give each a port of its own",
                      (Label(first.node.origin.span, "the other one"),))


def _number(found: tuple[int, Scalar] | None) -> int | None:
    return None if found is None else found[0]


RULE = ManifestRule(Code("HET513", "bad-port", ERROR, "a port that Kubernetes refuses, or that is taken twice"), check)
