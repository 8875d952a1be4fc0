"""HET705: annotations for plugins that are off by default."""
from __future__ import annotations

import pytest

from hetc.rules.inactive_annotation import RULE
from tests.rules.checks import Found, check_het, check_manifest, job, task

HELP = "ask whether the cluster's scheduler runs it; `[volcano] plugins` of the site file says so"


def annotated(key: str) -> str:
    return job(task(), task(name="b")).replace("  name: demo\n", f"  name: demo\n  annotations: {{{key}: x}}\n", 1)


@pytest.mark.parametrize(("key", "plugin"), [
    ("volcano.sh/cooldown-time", "cdp"), ("volcano.sh/revocable-zone", "tdm"), ("volcano.sh/jdb-min-available", "tdm"),
    ("volcano.sh/sla-waiting-time", "sla"), ("volcano.sh/task-topology-affinity", "task-topology"),
    ("volcano.sh/numa-topology-policy", "numa-aware"), ("volcano.sh/resource-strategy-scoring-type", "resource-strategy-fit"),
    ("volcano.sh/vgpu-mode", "deviceshare"), ("nvidia.com/use-gputype", "deviceshare"), ("huawei.com/vnpu-mode", "deviceshare"),
])
def test_off_by_default(key: str, plugin: str) -> None:
    message = f"annotation `{key}` does nothing without the scheduler's plugin `{plugin}`, which is off by default"
    assert check_manifest(RULE, annotated(key)) == [Found(5, 17, "warning", message, HELP)]


@pytest.mark.parametrize("key", ["volcano.sh/preemptable", "volcano.sh/task-priority", "team", "volcano.sh/qos-level"])
def test_fine(key: str) -> None:
    assert check_manifest(RULE, annotated(key)) == []


def test_each_key_is_named_once_a_job() -> None:
    pod = "    metadata: {annotations: {volcano.sh/vgpu-mode: mig}}\n    spec:\n"
    text = job(task().replace("    spec:\n", pod, 1), task(name="b").replace("    spec:\n", pod, 1))
    assert [found.line for found in check_manifest(RULE, text)] == [10]
    assert len(check_manifest(RULE, text + "---\n" + text)) == 2


def test_het() -> None:
    text = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: [python x.py]\nannotations: {volcano.sh/cooldown-time: 10m}\n"
    assert [found[:3] for found in check_het("HET705", text)] == [(5, 15, "warning")]
    assert check_het("HET705", text, '[rules]\nHET705 = "off"\n') == []


def test_the_field_of_a_plugin() -> None:
    text = job(task("image: b:1").replace("  template:", "  topologyPolicy: restricted\n  template:", 1))
    message = "`topologyPolicy` does nothing without the scheduler's plugin `numa-aware`, which is off by default"
    assert [found[2:] for found in check_manifest(RULE, text)] == [("warning", message, HELP)]
    assert check_manifest(RULE, text.replace("restricted", "none")) == []
    both = [task("image: b:1", name).replace("  template:", "  topologyPolicy: restricted\n  template:", 1) for name in ("a", "b")]
    assert [found.line for found in check_manifest(RULE, job(*both))] == [9]


def test_what_the_site_runs() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: x\nscheduling: {sla_waiting_time: 1h, topology_policy: restricted}\n"
    assert len(check_het("HET705", text)) == 2
    assert [found.message[:30] for found in check_het("HET705", text, '[volcano]\nplugins = ["sla"]\n')] == ["`topologyPolicy` does nothing "]
    assert check_het("HET705", text, '[volcano]\nplugins = ["numa-aware", "sla"]\n') == []
