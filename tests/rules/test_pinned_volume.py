from __future__ import annotations

import pytest

from hetc.rules.pinned_volume import RULE
from tests.rules.checks import check_manifest
from tests.rules.helpers import job

HELP = "leave it out, and name a `storageClassName`"
META = "metadata: {name: data}\n"


@pytest.mark.parametrize(("text", "line", "column", "who"), [
    (job(spec="volumes:\n- mountPath: /data\n  volumeClaim: {volumeName: pv}\n"), 15, 19, "the job's volume at `/data`"),
    (job(pod="volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {volumeName: pv}}}}]\n"), 13, 70, "volume `v` of task `worker`"),
    (f"apiVersion: v1\nkind: PersistentVolumeClaim\n{META}spec: {{volumeName: pv}}\n", 4, 8, "PersistentVolumeClaim `data`"),
    (f"apiVersion: apps/v1\nkind: StatefulSet\n{META}spec: {{volumeClaimTemplates: [{{spec: {{volumeName: pv}}}}]}}\n", 4, 39, "StatefulSet `data`"),
])
def test_pinned(text: str, line: int, column: int, who: str) -> None:
    message = f"{who} is pinned to one PersistentVolume, whatever that is: `volumeName: pv`"
    assert check_manifest(RULE, text) == [(line, column, "warning", message, HELP)]
    assert check_manifest(RULE, text.replace("volumeName: pv", "volumeName: ''")) == []
    assert check_manifest(RULE, text.replace("volumeName: pv", "storageClassName: pv")) == []


def test_other_things_of_that_name() -> None:
    assert check_manifest(RULE, f"apiVersion: v1\nkind: ConfigMap\n{META}spec: {{volumeName: pv}}\ndata: {{volumeName: pv}}\n") == []
    assert check_manifest(RULE, job(spec="volumes: [{mountPath: /data, volumeClaimName: pv}]\n")) == []
