"""HET524: words that fields take."""
from __future__ import annotations

import pytest

from hetc.rules.volcano_choice import RULE
from tests.rules.checks import Found, check_manifest, job, task

SCHEDULING = "scheduling.volcano.sh/v1beta1"
OTHERS = (
    ("batch.volcano.sh/v1alpha1", "CronJob", "spec: {concurrencyPolicy: forbid}"),
    ("flow.volcano.sh/v1alpha1", "JobFlow", "spec: {jobRetainPolicy: keep}"),
    (SCHEDULING, "Queue", "spec: {dequeueStrategy: lifo}\nstatus: {state: Closing}"),
    (SCHEDULING, "PodGroup", "spec: {networkTopology: {mode: x}, subGroupPolicy: [{networkTopology: {mode: Soft}}]}"),
    ("topology.volcano.sh/v1alpha1", "HyperNode", "spec: {members: [{type: node}]}"),
)
SOUND = (
    ("batch.volcano.sh/v1alpha1", "CronJob", "spec: {concurrencyPolicy: Forbid}"),
    ("flow.volcano.sh/v1alpha1", "JobFlow", "spec: {jobRetainPolicy: retain}"),
    (SCHEDULING, "Queue", "spec: {dequeueStrategy: fifo}\nstatus: {state: Closed}"),
    (SCHEDULING, "PodGroup", "spec: {networkTopology: {mode: hard}, subGroupPolicy: [{networkTopology: {mode: soft}}]}"),
    ("topology.volcano.sh/v1alpha1", "HyperNode", "spec: {members: [{type: Node}, {type: HyperNode}]}"),
)


def test_job() -> None:
    assert check_manifest(RULE, job(task() + "  topologyPolicy: best_effort\n  partitionPolicy: {networkTopology: {mode: strict}}\n", spec="networkTopology: {mode: Hard}")) == [
        Found(6, 27, "error", "`Hard` is no `mode`", "write `hard`"),
        Found(15, 21, "error", "`best_effort` is no `topologyPolicy`", "write `best-effort`"),
        Found(16, 47, "error", "`strict` is no `mode`", "write `hard` or `soft`"),
    ]


def test_others() -> None:
    assert check_manifest(RULE, "".join(f"apiVersion: {group}\nkind: {kind}\n{rest}\n---\n" for group, kind, rest in OTHERS)) == [
        Found(3, 27, "error", "`forbid` is no `concurrencyPolicy`", "write `Forbid`"),
        Found(7, 25, "error", "`keep` is no `jobRetainPolicy`", "write `delete` or `retain`"),
        Found(11, 25, "error", "`lifo` is no `dequeueStrategy`", "write `fifo`"),
        Found(12, 17, "error", "`Closing` is no `state`", "write `Open` or `Closed`"),
        Found(16, 32, "error", "`x` is no `mode`", "write `hard` or `soft`"),
        Found(16, 78, "error", "`Soft` is no `mode`", "write `soft`"),
        Found(20, 25, "error", "`node` is no `type`", "write `Node`"),
    ]


@pytest.mark.parametrize("text", [
    job(task() + "  topologyPolicy: single-numa-node\n", spec="networkTopology: {mode: soft}"),
    job(task() + "  topologyPolicy: \"\"\n", spec="networkTopology: {mode: }"),
    job(task() + "  topologyPolicy: [x]\n", spec="networkTopology: x"),
    "".join(f"apiVersion: {group}\nkind: {kind}\n{rest}\n---\n" for group, kind, rest in SOUND),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []
