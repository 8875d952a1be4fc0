"""HET610: labels and annotations that are not the user's."""
from __future__ import annotations

import pytest

from hetc.rules.owned_metadata import OWNED
from tests.rules.checks import Found, check_het, compile_het

TEXT = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: [python x.py]\n"
HELP = "leave it out, or choose another key"


ALL = [(kind, key, owner) for kind, keys in OWNED.items() for key, owner in keys.items()]


@pytest.mark.parametrize(("kind", "key", "owner"), ALL)
def test_owned(kind: str, key: str, owner: str) -> None:
    assert check_het("HET610", TEXT + f"{kind}s: {{{key}: x}}\n") == [
        Found(5, len(kind) + 5, "error", f"{kind} `{key}` is {owner}'s own", HELP)]


def test_the_lists_hold_what_they_should() -> None:
    assert "volcano.sh/task-index" in OWNED["label"] and "volcano.sh/task-index" in OWNED["annotation"]
    assert "volcano.sh/partition-id" in OWNED["label"] and "volcano.sh/template-uid" in OWNED["annotation"]
    assert OWNED["annotation"]["kubectl.kubernetes.io/last-applied-configuration"] == "kubectl"


@pytest.mark.parametrize(("kind", "key", "owner"), [each for each in ALL if sum(each[1] in keys for keys in OWNED.values()) == 1])
def test_as_the_other_kind(kind: str, key: str, owner: str) -> None:
    other, article = ("annotation", "an") if kind == "label" else ("label", "a")
    message = f"`{key}` is {owner}'s own {kind}, and as {article} {other} nobody reads it"
    assert check_het("HET610", TEXT + f"{other}s: {{{key}: x}}\n") == [Found(5, len(other) + 5, "warning", message, HELP)]


def test_in_a_task() -> None:
    text = TEXT + "tasks: {w: {labels: {volcano.sh/task-index: '0'}}}\n"
    assert check_het("HET610", text) == [Found(5, 22, "error", "label `volcano.sh/task-index` is Volcano's own", HELP)]


@pytest.mark.parametrize("key", [
    "team", "volcano.sh/preemptable", "volcano.sh/job-type", "volcano.sh/vgpu-mode", "app.kubernetes.io/name", "hccl/rankIndex",
    "task-index",
])
def test_the_users(key: str) -> None:
    assert check_het("HET610", TEXT + f"annotations: {{{key}: x}}\nlabels: {{{key}: x}}\n") == []


def test_what_hetc_writes_for_scheduling() -> None:
    text = TEXT + "annotations: {volcano.sh/preemptable: 'false', volcano.sh/qos-level: LS}\nscheduling: {preemptable: true, qos_level: LS}\n"
    assert check_het("HET610", text) == [Found(5, 15, "error", "annotation `volcano.sh/preemptable` is `false`, and hetc writes `true`", "leave it out")]
    [diagnostic] = [each for each in compile_het(text) if each.code.code == "HET610"]
    assert [(*label.span.start_position(), label.message) for label in diagnostic.related] == [(6, 27, "what hetc writes it for")]


def test_what_hetc_writes_for_a_vgpu() -> None:
    text = "1*master<cpu=1, mem=1Gi, vgpu=1:hami-core>\n---\nimage: b:1\ncommand: x\nannotations: {volcano.sh/vgpu-mode: mig}\n"
    assert [each.message for each in check_het("HET610", text)] == ["annotation `volcano.sh/vgpu-mode` is `mig`, and hetc writes `hami-core`"]
