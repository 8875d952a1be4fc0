"""HET601: exactly one master of one replica."""
from __future__ import annotations

import pytest

from tests.rules.checks import check_het

LAYER = "\n---\nimage: registry.example/a:1\ncommand: python a.py\n"


@pytest.mark.parametrize(("request_", "place", "message", "help"), [
    ("1*launcher<cpu=1,mem=1Gi>+2*worker<cpu=1,mem=1Gi>", (1, 3), "no task is named `master`", "rename `launcher` to `master`"),
    ("1*a<cpu=1,mem=1Gi>+1*b<cpu=1,mem=1Gi>", (1, 1), "no task is named `master`", "name the coordinating group `master`, with one replica"),
    ("2*a<cpu=1,mem=1Gi>+2*b<cpu=1,mem=1Gi>", (1, 1), "no task is named `master`", "name the coordinating group `master`, with one replica"),
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
