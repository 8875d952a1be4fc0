"""HET610: labels and annotations that are not the user's."""
from __future__ import annotations

import pytest

from hetc.rules.owned_metadata import OWNERS
from tests.rules.checks import Found, check_het

TEXT = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: [python x.py]\n"
HELP = "leave it out, or choose another key"


@pytest.mark.parametrize(("key", "owner"), sorted(OWNERS.items()))
@pytest.mark.parametrize("where", ["labels", "annotations"])
def test_owned(key: str, owner: str, where: str) -> None:
    message = f"{where[:-1]} `{key}` is {owner}'s own"
    assert check_het("HET610", TEXT + f"{where}: {{{key}: x}}\n") == [Found(5, len(where) + 4, "error", message, HELP)]


def test_in_a_task() -> None:
    text = TEXT + "tasks: {w: {labels: {volcano.sh/task-index: '0'}}}\n"
    assert check_het("HET610", text) == [Found(5, 22, "error", "label `volcano.sh/task-index` is Volcano's own", HELP)]


@pytest.mark.parametrize("key", [
    "team", "volcano.sh/preemptable", "volcano.sh/job-type", "volcano.sh/vgpu-mode", "app.kubernetes.io/name", "hccl/rankIndex",
    "task-index",
])
def test_the_users(key: str) -> None:
    assert check_het("HET610", TEXT + f"annotations: {{{key}: x}}\nlabels: {{{key}: x}}\n") == []
