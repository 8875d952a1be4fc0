"""What a pod's resolver is told: addresses are addresses, and host names are DNS names.

Source: Kubernetes' core validation of hostAliases and dnsConfig, which Volcano's webhook calls for the pod template.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import mappings, sequence, tasks, text
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node

MOST_SERVERS, MOST_SEARCHES, MOST_CHARACTERS = 3, 32, 2048
LONGEST_HOST = 64


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        for alias in mappings(find(task.pod, "hostAliases")):
            yield from _address(alias.get("ip"))
            for host in sequence(alias.get("hostnames")):
                yield from _name(host, "host name")
        yield from _config(task)
        override = find(task.pod, "hostnameOverride")
        yield from _name(override, "host name")
        long = names.too_long(text(override) or "", LONGEST_HOST)
        if override is not None and long is not None:
            yield Finding(f"no legal host name: {long}", override.origin.span)


def _config(task: TaskView) -> Iterator[Finding]:
    servers, searches = (find(task.pod, "dnsConfig", key) for key in ("nameservers", "searches"))
    for node, most, what in ((servers, MOST_SERVERS, "name servers"), (searches, MOST_SEARCHES, "search domains")):
        if node is not None and len(sequence(node)) > most:
            yield Finding(f"{len(sequence(node))} {what} are given, and at most {most} are taken", node.origin.span, "leave some out")
    if searches is not None and len(" ".join(text(each) or "" for each in sequence(searches))) > MOST_CHARACTERS:
        yield Finding(f"the search domains have more than {MOST_CHARACTERS:,} characters in all", searches.origin.span, "leave some out")
    for server in sequence(servers):
        yield from _address(server)
    for search in sequence(searches):
        yield from _search(search)
    for option in mappings(find(task.pod, "dnsConfig", "options")):
        if not text(option.get("name")):
            yield Finding("the resolver's option has no name", option.origin.span, "add `name: ndots`, for example")


def _search(node: Node) -> Iterator[Finding]:
    """A search domain may end with a dot."""
    domain = text(node)
    if domain is None:
        return
    wrong = names.dns1123_subdomain(domain.removesuffix("."))
    if wrong is not None:
        yield Finding(f"no legal search domain: {wrong}", node.origin.span)


def _name(node: Node | None, what: str) -> Iterator[Finding]:
    name = text(node)
    wrong = names.dns1123_subdomain(name) if name is not None else None
    if node is not None and wrong is not None:
        yield Finding(f"no legal {what}: {wrong}", node.origin.span)


def _address(node: Node | None) -> Iterator[Finding]:
    written = text(node)
    if node is None or written is None:
        return
    from ipaddress import ip_address

    try:
        ip_address(written)
    except ValueError:
        yield Finding(f"`{names.shorten(written)}` is no IP address", node.origin.span, "write one, such as `10.0.0.7`")


RULE = ManifestRule(Code("HET581", "name-lookup", ERROR, "a host name, address or search domain that is none"), check)
