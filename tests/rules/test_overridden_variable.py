"""HET603: ranks, sizes and addresses by hand."""
from __future__ import annotations

import pytest

from tests.rules.checks import Found, check_het

TEXT = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n---\nname: demo\nimage: b:1\ncommand: [python x.py]\n"
LEAVE = "leave it out, unless another value is meant"
RANKS = "leave it out: hetc computes it for each pod"


@pytest.mark.parametrize(("variable", "message"), [
    ('WORLD_SIZE: "2"', "`WORLD_SIZE` is set to `2`, and hetc would compute `3`"),
    ('WORLD_SIZE: "3"', "`WORLD_SIZE` is set to `3`, and hetc would compute `3`"),
    ("MASTER_ADDR: demo-master-0", "`MASTER_ADDR` is set to `demo-master-0`, and hetc would compute `demo-master-0.demo`"),
    ("MASTER_ADDR: {config_map: a, key: b}",
     "`MASTER_ADDR` is set to a value of config map `a`, and hetc would compute `demo-master-0.demo`"),
])
def test_computed(variable: str, message: str) -> None:
    assert check_het("HET603", TEXT + f"env: {{{variable}}}\n") == [Found(6, 7, "warning", message, LEAVE)]


def test_one_rank_for_all() -> None:
    message = "`NODE_RANK` is set to `0` in 3 pods, which need 3 ranks"
    assert check_het("HET603", TEXT + 'env: {NODE_RANK: "0"}\n') == [Found(6, 7, "warning", message, RANKS)]


def test_one_rank_for_a_task() -> None:
    message = "`NODE_RANK` is set to `7` in 2 pods, which need 2 ranks"
    text = TEXT + 'tasks: {master: {env: {NODE_RANK: "7"}}, w: {env: {NODE_RANK: "7"}}}\n'
    assert check_het("HET603", text) == [Found(6, 52, "warning", message, RANKS)]


@pytest.mark.parametrize("variable", [
    'MASTER_PORT: "29501"', "NODE_RANK: $(AJ_TASK_INDEX)", "NODE_RANK: {field: metadata.name}", 'RANK: "0"', 'WORLD: "2"',
])
def test_free(variable: str) -> None:
    assert check_het("HET603", TEXT + f"env: {{{variable}}}\n") == []


def test_what_stands_beside_a_plugin_s_variable() -> None:
    for first, second in (("VC_W_NUM", "WORLD_SIZE"), ("WORLD_SIZE", "VC_W_NUM")):
        assert len(check_het("HET603", TEXT + f'env: {{{first}: "1", {second}: "7"}}\n')) == 1


def test_what_stands_beside_a_variable_that_a_plugin_sets() -> None:
    text = TEXT + 'plugins: {pytorch: {}}\nenv: {MASTER_ADDR: x, NODE_RANK: "0"}\n'
    assert [each.message for each in check_het("HET603", text)] == ["`NODE_RANK` is set to `0` in 3 pods, which need 3 ranks"]
