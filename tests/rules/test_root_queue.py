"""HET504: the queue `root`."""
from __future__ import annotations

import pytest

from hetc.rules.root_queue import RULE
from tests.rules.checks import Found, check_het, check_manifest, job, task

MESSAGE, HELP = "no job is admitted to the queue `root`", "name a queue below it, such as `default`"


def test_root() -> None:
    assert check_manifest(RULE, job(task(), spec="queue: root")) == [Found(6, 10, "error", MESSAGE, HELP)]


@pytest.mark.parametrize("queue", ["default", "Root", "root.a", '""', "[root]"])
def test_others(queue: str) -> None:
    assert check_manifest(RULE, job(task(), spec=f"queue: {queue}")) == []


def test_het() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nqueue: root\nimage: b:1\ncommand: [python x.py]\n"
    assert check_het("HET504", text) == [Found(3, 8, "error", MESSAGE, HELP)]
