from __future__ import annotations

import pytest

from hetc.rules.probe_host import RULE
from tests.rules.checks import check_manifest
from tests.rules.helpers import job

HELP = "leave it out: the pod's own address is called then"


@pytest.mark.parametrize("call", ["httpGet", "tcpSocket"])
@pytest.mark.parametrize("path", ["livenessProbe", "readinessProbe", "startupProbe", "lifecycle.postStart", "lifecycle.preStop"])
def test_hosts(path: str, call: str) -> None:
    opened = ": {".join(path.split(".")) + f": {{{call}: {{"
    text = job(container=f"{opened}host: 10.0.0.1{'}' * opened.count('{')}\n")
    message = f"container `main` has the node call a host of the job's choice: `{path}.{call}.host: 10.0.0.1`"
    assert check_manifest(RULE, text) == [(13, 11 + len(opened), "error", message, HELP)]
    assert check_manifest(RULE, text.replace("host: 10.0.0.1", "host: ''")) == check_manifest(RULE, text.replace("host: 10.0.0.1", "port: 80")) == []


def test_a_header_is_no_host() -> None:
    assert check_manifest(RULE, job(container="livenessProbe: {httpGet: {port: 80, httpHeaders: [{name: Host, value: x}]}}\n")) == []
