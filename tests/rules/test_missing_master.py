"""HET601: exactly one master of one replica."""
from __future__ import annotations

import pytest

from tests.rules.checks import check_het, compile_het

LAYER = "\n---\nimage: registry.example/a:1\ncommand: python a.py\n"


@pytest.mark.parametrize(("request_", "place", "message", "help"), [
    ("1*launcher<cpu=1,mem=1Gi>+2*worker<cpu=1,mem=1Gi>", (1, 3), "no task is named `master`", "rename `launcher` to `master`"),
    ("1*a<cpu=1,mem=1Gi>+1*b<cpu=1,mem=1Gi>", (1, 1), "no task is named `master`",
     "rename the one that coordinates to `master`: `a` or `b`"),
    ("2*b<cpu=1,mem=1Gi>+3*a<cpu=1,mem=1Gi>", (1, 1), "no task is named `master`",
     "add a group `1*master<…>`, or make one replica of `a` it: `1*master<…> + 2*a<…>`"),
    ("2*<cpu=1,mem=1Gi>+1*<cpu=1,mem=1Gi>", (1, 19), "no task is named `master`", "give the group the name `master`: `1*master<…>`"),
    ("2*a<cpu=1,mem=1Gi>+1*<cpu=1,mem=1Gi>", (1, 20), "no task is named `master`", "give the group the name `master`: `1*master<…>`"),
    ("2*<cpu=1,mem=1Gi>+1*<cpu=1,mem=1Gi>+1*a<cpu=1,mem=1Gi>", (1, 1), "no task is named `master`",
     "give the one that coordinates the name `master`: `1*master<…>`"),
    ("2*<cpu=1,mem=1Gi>+3*<cpu=1,mem=1Gi>", (1, 1), "no task is named `master`",
     "add a group `1*master<…>`, or make one replica of the first group it: `1*master<…> + 1*<…>`"),
    ("4 * node<cpu=1,mem=1Gi>", (1, 1), "no task is named `master`",
     "write `4*<…>`, whose first replica becomes `master`, or `1*master<…> + 3*node<…>`"),
    ("2*master<cpu=1,mem=1Gi,min=1>+2*b<cpu=1,mem=1Gi>", (1, 1), "`master` must have 1 replica, not 2",
     "scale another task: the address of `master` names one pod"),
])
def test_fires(request_: str, place: tuple[int, int], message: str, help: str) -> None:
    assert check_het("HET601", request_ + LAYER) == [(*place, "error", message, help)]


@pytest.mark.parametrize("request_", [
    "1*master<cpu=1,mem=1Gi>", "1*<cpu=1,mem=1Gi>+2*<cpu=1,mem=1Gi>", "4*<cpu=1,mem=1Gi>", "2*a<cpu=1,mem=1Gi>+1*master<cpu=1,mem=1Gi>",
])
def test_does_not_fire(request_: str) -> None:
    assert check_het("HET601", request_ + LAYER) == []


def test_a_template_is_told_in_its_own_words() -> None:
    task = "replicas: 2, cpus_per_node: 1, memory: 1Gi, gpus_per_node: 0, rdma: false, processes_per_node: 1"
    text = ("config: {target: {service: volcano}, environment: {image: 'registry.example/a:1'}, jobs: [{name: train, command: [a]}]}\n"
            f"_extra: {{volcano: {{tasks: {{node: {{{task}}}}}}}}}\n")
    assert check_het("HET601", text, name="template.yaml") == [
        (2, 20, "error", "no task is named `master`", "add a task `master` with `replicas: 1`, or make one replica of `node` that task"),
    ]


def test_the_tasks_are_shown_beside() -> None:
    [found] = [each for each in compile_het("1*launcher<cpu=1,mem=1Gi>+2*worker<cpu=1,mem=1Gi>" + LAYER) if each.code.code == "HET601"]
    assert [(label.span.start_position(), label.message) for label in found.related] == [((1, 1), "among these tasks")]
