"""Known findings, kept out until they change: a JSON file of fingerprints that survive moved lines. Security rules stay."""
from __future__ import annotations

import json

from hetc.levels import owners
from hetc.report.fingerprint import fingerprints
from hetc.source import MAX_BYTES, UsageError, reason
from hetc.system import slashed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic


def read(path: str) -> frozenset[str]:
    """The fingerprints of a baseline file. Raises UsageError."""
    try:
        with open(path, "rb") as file:
            data = json.loads(file.read(MAX_BYTES))
        known = data["findings"]
        return frozenset(str(each["fingerprint"]) for each in known)
    except OSError as error:
        raise UsageError(f"cannot read `{path}`: {reason(error)}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"`{path}` is no baseline; `--write-baseline {path}` makes one") from None


def parted(found: Iterable[Diagnostic], known: frozenset[str]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """What is not in the baseline, and what is."""
    new: list[Diagnostic] = []
    old: list[Diagnostic] = []
    for each, fingerprint in fingerprints(found):
        (new if fingerprint not in known or owners(each.code.code) is not None else old).append(each)
    return new, old


def text(found: Iterable[Diagnostic]) -> str:
    """The baseline file of these findings: by file and code, so that two versions of it compare well."""
    findings = [
        {"file": slashed(each.span.source.name), "code": each.code.code, "message": each.message, "fingerprint": fingerprint}
        for each, fingerprint in fingerprints(found) if owners(each.code.code) is None
    ]
    return json.dumps({"version": 1, "findings": findings}, ensure_ascii=True, indent=1) + "\n"
