"""HET801: the site file's policy."""
from __future__ import annotations

from pathlib import Path

import pytest

from hetc import site as sites
from hetc.diagnostic import Report
from tests.rules.checks import Found, check_het, compile_het

HEAD = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi, gpu=2:A100-SXM4-80GB>\n---\nname: demo\ncommand: [python x.py]\n"
TEXT = HEAD + "image: a.example/b:1\n"


def policy(line: str) -> str:
    return f"[policy]\n{line}\n"


@pytest.mark.parametrize(("line", "text", "found"), [
    ('namespaces = ["a", "b"]', TEXT,
     Found(3, 7, "error", "no namespace is set, and the site allows only `a`, `b`", "write `namespace: a`")),
    ("namespaces = []", TEXT, Found(3, 7, "error", "no namespace is set, and the site allows only none", None)),
    ('namespaces = ["a"]', TEXT + "namespace: c\n",
     Found(6, 12, "error", "the site does not allow the namespace `c`, only `a`", "write `namespace: a`")),
    ('queues = ["a"]', TEXT + "queue: c\n", Found(6, 8, "error", "the site does not allow the queue `c`, only `a`", "write `queue: a`")),
    ('queues = ["a"]', TEXT,
     Found(3, 7, "error", "the site does not allow the queue `default`, which holds where none is set, only `a`", "write `queue: a`")),
    ('registries = ["a.example.org"]', TEXT,
     Found(5, 8, "error", "the site does not allow the image `a.example/b`, only images of `a.example.org`",
           "use an image of an allowed registry")),
    ('registries = ["a.exam"]', TEXT,
     Found(5, 8, "error", "the site does not allow the image `a.example/b`, only images of `a.exam`",
           "use an image of an allowed registry")),
    ('registries = ["a.example/c/"]', TEXT,
     Found(5, 8, "error", "the site does not allow the image `a.example/b`, only images of `a.example/c/`",
           "use an image of an allowed registry")),
    ('registries = ["a.example"]', HEAD + "image: busybox:1\n",
     Found(5, 8, "error", "the site does not allow the image `docker.io/library/busybox`, only images of `a.example`",
           "use an image of an allowed registry")),
    ('node_labels = ["zone"]', TEXT + "node_selector: {pool: x}\n",
     Found(6, 17, "error", "the site does not allow jobs to select by the node label `pool`, only by `zone`",
           "leave it out, or select by an allowed label")),
    ("max_gpus = 3", TEXT, Found(1, 52, "error", "the job asks for 4 GPUs, and the site allows 3", "ask for fewer GPUs or replicas")),
    ('required_labels = ["team"]', TEXT,
     Found(3, 7, "error", "the job has no label `team`, which the site requires", "write `labels: {team: VALUE}`")),
    ('required_labels = ["team"]', TEXT + "tasks: {w: {labels: {team: a}}}\n",
     Found(3, 7, "error", "the job has no label `team`, which the site requires", "write `labels: {team: VALUE}`")),
])
def test_not_allowed(line: str, text: str, found: Found) -> None:
    assert check_het("HET801", text, policy(line)) == [found]


@pytest.mark.parametrize(("line", "text"), [
    ('namespaces = ["a"]', TEXT + "namespace: a\n"),
    ('queues = ["a", "c"]', TEXT + "queue: c\n"),
    ('queues = ["default"]', TEXT),
    ('registries = ["a.example"]', TEXT),
    ('registries = ["a.example/"]', TEXT),
    ('registries = ["docker.io"]', HEAD + "image: busybox:1\n"),
    ('registries = ["docker.io/library/"]', HEAD + "image: busybox:1\n"),
    ('node_labels = ["pool"]', TEXT + "node_selector: {pool: x}\n"),
    ("node_labels = []", TEXT),
    ("max_gpus = 4", TEXT),
    ('required_labels = ["team"]', TEXT + "labels: {team: a}\n"),
    ("", TEXT),
])
def test_allowed(line: str, text: str) -> None:
    assert check_het("HET801", text, policy(line)) == []


TAINT = TEXT + "tasks: {w: {tolerations: [{key: spot, operator: Exists}, {operator: Exists}]}}\n"
PLACED = TEXT + "affinity: {required: [{key: zone, operator: Exists}], preferred: [{key: disk, operator: Exists}]}\n"


@pytest.mark.parametrize(("lines", "text", "messages"), [
    ("", TAINT, ["the site does not allow jobs to tolerate the taint `spot`, only none",
                 "the site does not allow jobs to tolerate every taint, only none"]),
    ('tolerations = ["spot", "x"]', TAINT, ["the site does not allow jobs to tolerate every taint, only `spot`, `x`"]),
    ('tolerations = ["*"]', TAINT, []),
    ("", PLACED, ["the site does not allow `affinity` by the node label `zone`, only by none",
                  "the site does not allow `affinity` by the node label `disk`, only by none"]),
    ('affinity = ["disk"]', PLACED, ["the site does not allow `affinity` by the node label `zone`, only by `disk`"]),
    ('affinity = ["zone", "disk"]', PLACED, []),
    ('affinity = ["*"]', PLACED, []),
])
def test_what_only_a_site_can_allow(lines: str, text: str, messages: list[str]) -> None:
    assert [found.message for found in check_het("HET801", text, policy(lines))] == messages


@pytest.mark.parametrize(("root", "nearer", "looser"), [
    ('tolerations = ["a", "b"]', 'tolerations = ["a"]', False), ('tolerations = ["a"]', 'tolerations = ["b"]', True),
    ("", 'affinity = ["zone"]', True), ('affinity = ["*"]', 'affinity = ["zone"]', False), ('affinity = ["zone"]', 'affinity = ["*"]', True),
])
def test_a_nearer_file_may_not_allow_more_placement(tmp_path: Path, root: str, nearer: str, looser: bool) -> None:
    report, trees = Report(), []
    for name, line in (("near.toml", nearer), ("root.toml", root)):
        (tmp_path / name).write_text(policy(line))
        trees.append(sites.load(str(tmp_path / name), name))
    site = sites.site(*trees, report)
    assert [each.code.code for each in report.sorted()] == ["HET033"] * looser
    assert ({each.value for each in (*site.policy.tolerations, *site.policy.affinity)} <= {"a", "zone"}) is not looser or looser


def test_the_policys_line_is_a_related_place() -> None:
    diagnostic = next(each for each in compile_het(TEXT, policy("max_gpus = 3")) if each.code.code == "HET801")
    label = diagnostic.related[0]
    assert (label.span.start_position(), label.message) == ((2, 1), "the site's policy")


@pytest.mark.parametrize(("nearer", "looser"), [
    ("a.example", False), ("a.example/", False), ("a.example/team/", False), ("a.example.org", True), ("a.example.org/", True),
    ("b.example", True),
])
@pytest.mark.parametrize("root", ["a.example", "a.example/"])
def test_a_nearer_file_may_not_widen_a_registry(tmp_path: Path, root: str, nearer: str, looser: bool) -> None:
    report = Report()
    trees = []
    for name, registry in (("near.toml", nearer), ("root.toml", root)):
        path = tmp_path / name
        path.write_text(policy(f'registries = ["{registry}"]'))
        trees.append(sites.load(str(path), name))
    sites.site(*trees, report)
    assert [each.code.code for each in report.sorted()] == ["HET033"] * looser


def test_without_a_site_file_all_is_allowed() -> None:
    assert check_het("HET801", TEXT) == []


def test_what_to_do_about_placement() -> None:
    assert {found.help for found in check_het("HET801", TAINT, policy(""))} == {
        "leave it out, or have `[policy] tolerations` of the site file name it"}
    assert {found.help for found in check_het("HET801", PLACED, policy(""))} == {
        "leave it out, or have `[policy] affinity` of the site file name it"}


def test_the_image_of_each_task() -> None:
    line = policy('registries = ["a.example"]')
    assert [found[:2] for found in check_het("HET801", TEXT + "tasks: {w: {image: b.example/c:1}}\n", line)] == [(6, 20)]
    assert [found[:2] for found in check_het("HET801", TEXT + "tasks: {master: {image: b.example/c:1}}\n", line)] == [(6, 25)]
    assert check_het("HET801", HEAD, line) == check_het("HET801", HEAD + "image: a b\n", line) == []
