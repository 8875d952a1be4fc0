"""What cannot be lowered."""
from __future__ import annotations

import pytest

from tests.rules.checks import check_het

HEAD = "1*master<cpu=1, mem=1Gi> + 2*worker<cpu=1, mem=1Gi>\n---\nimage: registry.example/a:1\ncommand: [a]\n"


@pytest.mark.parametrize(("name", "help"), [
    ("workers", "did you mean `worker`?"), ("Master", "did you mean `master`?"), ("launcher", "the tasks are `master`, `worker`"),
])
def test_an_overlay_for_a_task_that_is_not_there(name: str, help: str) -> None:
    assert check_het("HET028", f"{HEAD}tasks: {{{name}: {{working_dir: /w}}}}\n") == [
        (5, 9, "error", f"no task is called `{name}`", help),
    ]


def affinity(*conditions: str, request: str = "1*master<cpu=1, mem=1Gi, gpu=1:A100>", more: str = "") -> list[tuple[int, int]]:
    """The places of conditions that no node matches with the others."""
    lines = "".join(f"  - {each}\n" for each in conditions)
    text = f"{request}\n---\nimage: registry.example/a:1\ncommand: [a]\n{more}affinity:\n required:\n{lines}"
    found = check_het("HET027", text, "[policy]\naffinity = [\"*\"]\n")
    assert {each.message.partition(" on ")[0] for each in found} <= {"no node matches all conditions"}
    return [each[:2] for each in found]


@pytest.mark.parametrize("conditions", [
    ("{key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-H200]}",), ("{key: nvidia.com/gpu.product, operator: DoesNotExist}",),
])
def test_affinity_beside_a_gpu_model(conditions: tuple[str, ...]) -> None:
    assert affinity(*conditions) == [(7, 5)]
    assert affinity(*conditions, request="1*master<cpu=1, mem=1Gi>") == []


@pytest.mark.parametrize(("conditions", "line"), [
    (("{key: z, operator: In, values: [a, b]}", "{key: z, operator: In, values: [c]}"), 8),
    (("{key: z, operator: NotIn, values: [a, b]}", "{key: z, operator: In, values: [a]}"), 7),
    (("{key: z, operator: DoesNotExist}", "{key: z, operator: Exists}"), 7),
    (("{key: z, operator: DoesNotExist}", "{key: z, operator: In, values: [a]}"), 7),
])
def test_affinity_that_no_node_matches(conditions: tuple[str, ...], line: int) -> None:
    assert affinity(*conditions) == [(line, 5)]


@pytest.mark.parametrize("condition", ["{key: z, operator: In, values: [b]}", "{key: z, operator: NotIn, values: [a]}", "{key: z, operator: DoesNotExist}"])
def test_affinity_beside_a_node_selector(condition: str) -> None:
    assert affinity(condition, more="node_selector: {z: a}\n") == [(8, 5)]


@pytest.mark.parametrize("conditions", [
    ("{key: z, operator: In, values: [a, b]}", "{key: z, operator: In, values: [b, c]}", "{key: z, operator: NotIn, values: [a]}"),
    ("{key: z, operator: NotIn, values: [a]}", "{key: z, operator: DoesNotExist}"), ("{key: z, operator: Exists}", "{key: z, operator: Gt, values: ['1']}"),
    ("{key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-A100-SXM4-80GB]}",),
])
def test_affinity_that_nodes_match(conditions: tuple[str, ...]) -> None:
    assert affinity(*conditions) == []
