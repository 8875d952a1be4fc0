"""HET520: jobs and the queues given with them."""
from __future__ import annotations

from pathlib import Path

import pytest

from hetc.discover import around
from hetc.manifest import Given, Manifest
from hetc.rules.given_queue import RULE
from tests.rules.checks import NO_SITE, Found, check_manifest, job, manifest, queue, task
from tests.rules.helpers import related


def test_not_given() -> None:
    assert check_manifest(RULE, job(task(), spec="queue: visoin") + queue("vision")) == [
        Found(6, 10, "warning", "queue `visoin` is none of the queues given here", "did you mean `vision`?"),
    ]


def test_not_given_without_a_near_one() -> None:
    assert check_manifest(RULE, job(task(), spec="queue: zzzz") + queue("vision")) == [
        Found(6, 10, "warning", "queue `zzzz` is none of the queues given here", "check that it is in the cluster; given are `vision`"),
    ]


def test_each_job() -> None:
    text = "---\n".join(job(task(), spec=spec) for spec in ("", "queue: zzzz", "queue: yyyy")) + queue("vision")
    assert [each.message for each in check_manifest(RULE, text)] == [
        f"queue `{name}` is none of the queues given here" for name in ("zzzz", "yyyy")]


def test_closed() -> None:
    assert check_manifest(RULE, job(task(), spec="queue: vision") + queue("vision", more="status: {state: Closed}\n")) == [
        Found(6, 10, "error", "queue `vision` is `Closed`, and takes no jobs", "name a queue that is open"),
    ]


def test_with_children() -> None:
    assert check_manifest(RULE, job(task(), spec="queue: research") + queue("research") + queue("vision", "parent: research")) == [
        Found(6, 10, "error",
              "queue `research` has queues below it, here `vision`, and takes no jobs itself",
              "name a queue below it, such as `vision`"),
    ]


def test_the_places_beside() -> None:
    assert related(RULE, job(task(), spec="queue: vision") + queue("vision", more="status: {state: Closed}\n")) == [(20, 17, "its state")]
    assert related(RULE, job(task(), spec="queue: a") + queue("a") + queue("b", "parent: a")) == [(27, 11, "its child")]


def test_pod_group() -> None:
    assert check_manifest(RULE, "apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\nspec: {queue: vision}\n" + queue("vision", more="status: {state: Closing}\n")) == [
        Found(3, 15, "error", "queue `vision` is `Closing`, and takes no jobs", "name a queue that is open"),
    ]


@pytest.mark.parametrize("text", [
    job(task(), spec="queue: vision"),
    job(task(), spec="queue: vision") + queue("vision", more="status: {state: Open}\n"),
    job(task(), spec="queue: vision") + queue("vision", "parent: research") + queue("research"),
    job(task(), spec="queue: default") + queue("vision"),
    job(task(), spec="queue: vision") + queue("vision", more="status: {state: ''}\n"),
    job(task()) + queue("vision"),
    job(task(), spec="queue: [x]") + queue("vision", "parent: [x]", more="status: x\n"),
    "apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\nspec: {queue: research}\n" + queue("research") + queue("vision", "parent: research"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_of_other_files(tmp_path: Path) -> None:
    here = manifest(job(task(), spec="queue: research"))
    (tmp_path / "a.yaml").write_text(queue("research") + queue("vision", "parent: research"))
    (tmp_path / "b.yaml").write_text("scheduling.volcano.sh/v1beta1 Queue: [")
    (tmp_path / "c.yaml").write_bytes(b"\xff")
    paths = [str(tmp_path / name) for name in ("a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.het")]
    whole = Manifest(here.documents, False, Given(around(paths).objects))
    assert [finding.message for finding in RULE.check(whole, NO_SITE)] == [
        "queue `research` has queues below it, here `vision`, and takes no jobs itself"]
    assert not list(RULE.check(here, NO_SITE))


def cluster(text: str, *kinds: str) -> Given:
    """What a cluster has: the documents of a text, and no others of these kinds."""
    return Given(manifest(text).documents, frozenset(kinds))


@pytest.mark.parametrize(("name", "level", "message", "help"), [
    ("visoin", "error", "queue `visoin` is none of the queues in the cluster", "did you mean `vision`?"),
    ("zzzz", "error", "queue `zzzz` is none of the queues in the cluster", "check its name; there are `night`, `research`, `vision`"),
    ("research", None, "queue `research` has queues below it, here `vision`, and takes no jobs itself", "name a queue below it, such as `vision`"),
    ("night", None, "queue `night` is `Closed`, and takes no jobs", "name a queue that is open"),
])
def test_of_the_cluster(name: str, level: str | None, message: str, help: str) -> None:
    given = cluster(queue("vision", "parent: research") + queue("research") + queue("night", more="status: {state: Closed}\n"), "Queue")
    here = manifest(job(task(), spec=f"queue: {name}"))
    (finding,) = RULE.check(Manifest(here.documents, True, given), NO_SITE)
    assert (finding.level, finding.message, finding.help) == (level, message, help)
    assert finding.span == here.jobs[0].spec.get("queue").origin.span
    assert all(label.span.source.text.startswith("---\napiVersion: scheduling") for label in finding.related)


@pytest.mark.parametrize("name", ["vision", "default", "root"])
def test_sound_in_the_cluster(name: str) -> None:
    here = manifest(job(task(), spec=f"queue: {name}"))
    assert not list(RULE.check(Manifest(here.documents, True, cluster(queue("vision"), "Queue")), NO_SITE))


def test_a_state_here_goes_before_that_of_the_cluster() -> None:
    here = manifest(job(task(), spec="queue: night") + queue("night", more="status: {state: Open}\n"))
    assert not list(RULE.check(Manifest(here.documents, False, cluster(queue("night", more="status: {state: Closed}\n"), "Queue")), NO_SITE))


def test_a_queue_here_is_as_open_as_in_the_cluster() -> None:
    here = manifest(job(task(), spec="queue: night") + queue("night"))
    given = cluster(queue("night", more="status: {state: Closed}\n"), "Queue")
    assert [each.message for each in RULE.check(Manifest(here.documents, False, given), NO_SITE)] == ["queue `night` is `Closed`, and takes no jobs"]
