"""HET627: labels and annotations that Volcano writes itself."""
from __future__ import annotations

import pytest

from hetc.rules.controller_metadata import RULE
from tests.rules.checks import Found, check_manifest, job, task


def metadata(text: str, pod: str = "{}") -> str:
    """A job with metadata at line 4 and a task with its pods' at line 9."""
    whole = job(task().replace("    spec:\n", f"    metadata: {pod}\n    spec:\n", 1))
    return whole.replace("metadata:\n  name: demo\n", f"metadata: {text}\n", 1)


@pytest.mark.parametrize("key", ["volcano.sh/task-index", "volcano.sh/queue-name", "volcano.sh/job-name", "volcano.sh/createdByJobFlow"])
@pytest.mark.parametrize(("what", "group"), [("label", "labels"), ("annotation", "annotations")])
def test_owned(key: str, what: str, group: str) -> None:
    found = ("warning", f"{what} `{key}` is Volcano's own", "leave it out")
    assert [each[2:] for each in check_manifest(RULE, metadata(f"{{name: demo, {group}: {{{key}: x}}}}"))] == [found]
    text = metadata("{name: demo}", f"{{{group}: {{{key}: x}}}}")
    assert check_manifest(RULE, text) == [Found(9, len(group) + 21, *found)]
    assert check_manifest(RULE, text, emitted=True) == []


@pytest.mark.parametrize("key", ["volcano.sh/preemptable", "app.kubernetes.io/managed-by", "team", "volcano.sh/job-type"])
def test_free(key: str) -> None:
    assert check_manifest(RULE, metadata(f"{{name: demo, labels: {{{key}: x}}}}", f"{{annotations: {{{key}: x}}}}")) == []


def test_the_pod_group_of_a_pod() -> None:
    text = metadata("{name: demo}", "{annotations: {scheduling.k8s.io/group-name: x}}")
    assert [each.message for each in check_manifest(RULE, text)] == ["annotation `scheduling.k8s.io/group-name` is Volcano's own"]
