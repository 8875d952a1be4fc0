"""HET602: variables with the prefix of the computed ones."""
from __future__ import annotations

import pytest

from tests.rules.checks import Found, check_het

TEXT = '1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: [python x.py]\nenv: {{{}: "1"}}\n'


@pytest.mark.parametrize("name", ["AJ_NODE_RANK", "AJ_", "AJ_ANYTHING"])
def test_reserved(name: str) -> None:
    message = f"variable `{name}` is reserved: hetc computes those that start with `AJ_`"
    assert check_het("HET602", TEXT.format(name)) == [Found(5, 7, "error", message, "choose another name")]


@pytest.mark.parametrize("name", ["AJ", "AJX_Y", "aj_node_rank", "MY_AJ_NODE_RANK"])
def test_free(name: str) -> None:
    assert check_het("HET602", TEXT.format(name)) == []


def test_a_task_has_its_own_place() -> None:
    text = TEXT.format("A") + 'tasks: {w: {env: {AJ_GPUS: "1"}}}\n'
    assert [found[:3] for found in check_het("HET602", text)] == [(6, 19, "error")]


def test_the_sites_prefix() -> None:
    config = '[variables]\nprefix = "X_"\n'
    assert check_het("HET602", TEXT.format("AJ_NODE_RANK"), config) == []
    assert [found[:3] for found in check_het("HET602", TEXT.format("X_A"), config)] == [(5, 7, "error")]
