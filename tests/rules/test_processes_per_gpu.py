"""HET204: processes beside GPUs."""
from __future__ import annotations

import pytest

from tests.rules.checks import Found, check_het

TEXT = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi, gpu={}, ppn={}>\n---\nimage: b:1\ncommand: [python x.py]\n"


@pytest.mark.parametrize(("gpus", "processes", "help"), [
    (4, 8, "write 4, one for each GPU"), (4, 3, "write 2 or 4"), (8, 5, "write 4 or 8"), (8, 9, "write 8, one for each GPU"),
    (1, 2, "write 1, one for each GPU"), (2, 3, "write 2, one for each GPU"), (12, 5, "write 4 or 6"), (2147483647, 2, "write 1 or 2147483647"),
])
def test_uneven(gpus: int, processes: int, help: str) -> None:
    message = f"task `w`: `ppn` (`processes_per_node`) {processes} does not divide its {gpus} GPU{'s' if gpus > 1 else ''}"
    assert check_het("HET204", TEXT.format(gpus, processes)) == [Found(1, 58 + len(str(gpus)), "warning", message, help)]


def test_template() -> None:
    text = """\
config:
  target: {service: volcano}
  environment: {image: "b:1"}
  jobs: [{name: train, sku: x}]
  _extra:
    volcano:
      tasks:
        master:
          {replicas: 1, cpus_per_node: 8, memory: 32Gi, gpus_per_node: 4, rdma: false, processes_per_node: 8, command: [python x.py]}
"""
    message = "task `master`: `ppn` (`processes_per_node`) 8 does not divide its 4 GPUs"
    assert check_het("HET204", text, name="template.yaml") == [Found(9, 108, "warning", message, "write 4, one for each GPU")]


@pytest.mark.parametrize(("gpus", "processes"), [(8, 8), (8, 1), (8, 4), (8, 2), (0, 7), (1, 1)])
def test_even(gpus: int, processes: int) -> None:
    assert check_het("HET204", TEXT.format(gpus, processes)) == []
