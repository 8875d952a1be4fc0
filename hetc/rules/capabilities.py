"""Containers add no Linux capabilities beyond the baseline's.

`IPC_LOCK`, which RDMA asks for, is the root's site file's to allow. Names are written in upper case without `CAP_`;
container runtimes differ in what they make of others. Source: Pod Security Standards, baseline: capabilities.
"""
from __future__ import annotations

from hetc.codes import CAPABILITIES
from hetc.diagnostic import WARNING, Finding
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.security import below, elsewhere, flat, settings
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.security import Place
    from hetc.site import Site

BASELINE = frozenset((
    "AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP",
    "SETUID", "SYS_CHROOT",
))


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    allowed = BASELINE if site.ipc_lock is None else BASELINE | {"IPC_LOCK"}
    for place, item in _added(manifest):
        name = item.text.upper().removeprefix("CAP_")
        related = elsewhere(item.origin.span, place)
        if name not in allowed:
            yield Finding(f"{place.who} adds the capability `{shorten(item.text)}`, which is beyond the baseline", item.origin.span,
                          _help(name), related)
        elif item.text != name:
            yield Finding(f"{place.who} adds the capability `{item.text}`, which Kubernetes knows as `{name}`", item.origin.span,
                          f"write `{name}`", related, WARNING)


def _added(manifest: Manifest) -> Iterator[tuple[Place, Scalar]]:
    """What is added; names that stand where `add` is missing count too."""
    given = list(settings(manifest, "capabilities"))
    for setting in (*given, *below(given, "add")):
        for item in flat(setting.value):
            if isinstance(item, Scalar) and item.text:
                yield setting.place, item


def _help(name: str) -> str:
    if name == "IPC_LOCK":
        return "leave it out, or have `[rdma] ipc_lock` turned on in the site file of the repository's root"
    return "leave it out"


RULE = ManifestRule(CAPABILITIES, check)
