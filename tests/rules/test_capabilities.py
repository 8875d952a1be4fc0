from __future__ import annotations

import pytest

from hetc.origin import Origin
from hetc.record import replace
from hetc.rules.capabilities import BASELINE, RULE
from hetc.source import Source, Span
from tests.rules.checks import NO_SITE, Found, check_het, check_manifest
from tests.rules.helpers import job

LOCKING = replace(NO_SITE, ipc_lock=Origin(Span(Source("hetc.toml", ""), 0, 0)))
LOCK_HELP = "leave it out, or have `[rdma] ipc_lock` turned on in the site file of the repository's root"


def added(value: str) -> list[Found]:
    return check_manifest(RULE, job(container=f"securityContext: {{capabilities: {{add: {value}}}}}\n"))


@pytest.mark.parametrize(("name", "help"), [
    ("SYS_ADMIN", "leave it out"), ("ALL", "leave it out"), ("NET_RAW", "leave it out"), ("cap_sys_ptrace", "leave it out"),
    ("IPC_LOCK", LOCK_HELP), ("CAP_IPC_LOCK", LOCK_HELP),
])
def test_beyond_the_baseline(name: str, help: str) -> None:
    assert added(f"[CHOWN, {name}]") == [(13, 57, "error", f"container `main` adds the capability `{name}`, which is beyond the baseline", help)]


def test_the_baseline_is_fine() -> None:
    assert len(BASELINE) == 13
    assert added(f"[{', '.join(sorted(BASELINE))}]") == added("[]") == added("null") == []
    assert check_manifest(RULE, job(container="securityContext: {capabilities: {drop: [ALL, SYS_ADMIN]}}\n")) == []


@pytest.mark.parametrize("name", ["CAP_CHOWN", "chown", "cap_chown"])
def test_another_spelling(name: str) -> None:
    assert added(f"[{name}]") == [
        (13, 50, "warning", f"container `main` adds the capability `{name}`, which Kubernetes knows as `CHOWN`", "write `CHOWN`"),
    ]


@pytest.mark.parametrize("value", ["[SYS_ADMIN]", "SYS_ADMIN", "{ADD: SYS_ADMIN}", "{add: [[SYS_ADMIN]]}"])
def test_shapes_that_a_reader_understands(value: str) -> None:
    for text in (job(container=f"securityContext: {{capabilities: {value}}}\n"), job(pod=f"securityContext: {{capabilities: {value}}}\n")):
        assert [found.line for found in check_manifest(RULE, text)] == [13]


def test_the_site_may_allow_the_lock() -> None:
    text = job(container="securityContext: {capabilities: {add: [IPC_LOCK, SYS_ADMIN]}}\n")
    assert [found.column for found in check_manifest(RULE, text)] == [50, 60]
    assert [found.column for found in check_manifest(RULE, text, LOCKING)] == [60]


def test_what_hetc_adds_by_the_site_file_passes() -> None:
    text = "1*master<cpu=1, mem=1Gi, rdma>\n---\nimage: a.example/b:1\ncommand: [x]\n"
    assert check_het("HET406", text, "[rdma]\nipc_lock = true\n") == []
