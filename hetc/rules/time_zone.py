"""A CronJob's time zone is a name of the IANA database, letter by letter, such as `Europe/Berlin` or `UTC`.

Source: Volcano's webhook `/cronjobs/validate`, which loads it; `Local` and an empty text it refuses.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import documents_of, text
from hetc.names import nearest, shorten
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

#: What people call UTC, and what the database calls it.
_ALIASES = {"gmt": "GMT", "local": "UTC", "utc": "UTC", "z": "UTC"}


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for document in documents_of(manifest.documents, "CronJob"):
        node = find(document, "spec", "timeZone")
        zone = text(node)
        if node is None or zone is None:
            continue
        from hetc.zones import NAMES

        if zone not in NAMES:
            message = f"`{shorten(zone)}` is no time zone of the IANA database" if zone else "the time zone is empty"
            yield Finding(message, node.origin.span, _help(zone))


def _help(zone: str) -> str:
    from hetc.zones import NAMES

    close = _ALIASES.get(zone.lower()) or nearest(zone, NAMES, most=len(NAMES))
    return f"write `{close}`" if zone and close else "write a name such as `Europe/Berlin`, or leave the field out for the controller's own"


RULE = ManifestRule(Code("HET522", "time-zone", ERROR, "a time zone that does not exist"), check)
