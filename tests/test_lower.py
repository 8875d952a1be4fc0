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
