"""Pods set kernel parameters only of the safe ones, which concern the pod alone.

Source: Pod Security Standards, baseline: sysctls, as of Kubernetes 1.32. A name may be written with `/` for `.`.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.security import below, settings
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

SAFE = frozenset((
    "kernel.shm_rmid_forced",
    *(f"net.ipv4.{name}" for name in (
        "ip_local_port_range", "ip_local_reserved_ports", "ip_unprivileged_port_start", "ping_group_range", "tcp_fin_timeout",
        "tcp_keepalive_intvl", "tcp_keepalive_probes", "tcp_keepalive_time", "tcp_rmem", "tcp_syncookies", "tcp_wmem",
    )),
))


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for setting in below(settings(manifest, "sysctls"), "name"):
        if isinstance(setting.value, Scalar) and setting.value.text.replace("/", ".") not in SAFE:
            yield Finding(f"{setting.who} sets the kernel parameter `{shorten(setting.value.text)}`, which is none of the safe ones",
                          setting.value.origin.span, "leave it out; a node's owner sets what holds for the whole node",
                          setting.related)


RULE = ManifestRule(Code("HET409", "unsafe-sysctl", ERROR, "a kernel parameter that reaches beyond its pod"), check)
