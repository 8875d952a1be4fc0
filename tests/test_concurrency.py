"""Any mixture of calls in threads gives what each gives alone, and none leaves anything behind in hetc's modules."""
from __future__ import annotations

import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

import hetc
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GOLDEN = os.path.join(ROOT, "golden")
#: Every golden case and what it becomes: sound ones and refused ones, with site files and layers, each in its own folder.
PATHS = sorted(os.path.join(GOLDEN, case, name) for case in os.listdir(GOLDEN) for name in ("job.het", "template.yaml", "expected.yaml")
               if os.path.exists(os.path.join(GOLDEN, case, name)))


def call(path: str) -> object:
    """All that a program sees of one input."""
    checked = hetc.lint(path)
    outcome = hetc.compile(path) if not path.endswith("expected.yaml") else None
    return checked.documents, [each.text for each in checked.diagnostics], outcome and (outcome.yaml, [each.text for each in outcome.diagnostics])


@pytest.fixture
def impatient() -> Iterator[None]:
    """Threads take turns a thousand times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(before / 1000)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("impatient")
def test_calls_in_threads_do_not_meet() -> None:
    alone = {path: call(path) for path in PATHS}
    mixed = PATHS * 2
    random.Random(0).shuffle(mixed)
    with ThreadPoolExecutor(16) as threads:
        for path, found in zip(mixed, threads.map(call, mixed)):
            assert found == alone[path], path


def state() -> dict[tuple[str, str], str]:
    """The contents of whatever can change in hetc's modules."""
    modules = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "hetc"}
    return {(name, key): repr(value) for name, module in modules.items() for key, value in vars(module).items()
            if isinstance(value, (dict, list, set, bytearray)) and not key.startswith("__")}


def test_no_call_leaves_anything_behind(tmp_path: Path) -> None:
    for path in PATHS:
        call(path)
    before = state()
    assert len(before) > 50
    (tmp_path / "new.het").write_text("1*master<cpu=3, mem=7Gi, gpu=5:Unheard> + 9*other<cpu=1, mem=1Gi>\n---\nimage: a/b:c\ncommand: y\nqueue: q\n")
    (tmp_path / "new.yaml").write_text("apiVersion: batch.volcano.sh/v1alpha1\nkind: Jbo\nmetadata: {name: 1}\nspec: {x: 2}\n")
    for name in ("new.het", "new.yaml"):
        call(str(tmp_path / name))
    assert state() == before
