"""HET801 of manifests: what the site's policy says of jobs that are written by hand or patched."""
from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hetc.pipeline import Compiler, Options
from hetc.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hetc.diagnostic import Diagnostic

    Judge = Callable[..., list[Diagnostic]]
    Said = Callable[..., list[tuple[int, int, str]]]

JOB = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: j, namespace: lab, labels: {team: a}}
spec:
  queue: fast
  minAvailable: 3
  tasks:
  - name: w
    replicas: 3
    template:
      spec:
        restartPolicy: Never
        nodeSelector: {pool: x, nvidia.com/gpu.product: A100-SXM4-80GB}
        initContainers: [{name: i, image: 'busybox:1'}]
        containers:
        - name: main
          image: registry.example/vision/train:1
          resources: {limits: {nvidia.com/gpu: 2}}
"""


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    def found(line: str, text: str = JOB, patch: bool = False) -> list[Diagnostic]:
        config = tmp_path / "hetc.toml"
        config.write_text(f"[policy]\n{line}\n")
        report = Compiler(Options(config=str(config))).manifest(Source("job.yaml", text), patch).report
        return [each for each in report.sorted() if each.code.code == "HET801"]

    return found


@pytest.fixture
def said(judge: Judge) -> Said:
    def found(line: str, text: str = JOB, patch: bool = False) -> list[tuple[int, int, str]]:
        return [(*each.span.start_position(), each.message) for each in judge(line, text, patch)]

    return found


@pytest.mark.parametrize(("line", "found"), [
    ('namespaces = ["prod"]', [(3, 32, "the site does not allow the namespace `lab`, only `prod`")]),
    ('queues = ["slow"]', [(5, 10, "the site does not allow the queue `fast`, only `slow`")]),
    ('registries = ["registry.example/vision/"]', [
        (14, 43, "the site does not allow the image `docker.io/library/busybox`, only `registry.example/vision/`")]),
    ('node_labels = ["zone"]', [(13, 24, "the site does not allow jobs to select by the node label `pool`, only `zone`")]),
    ("max_gpus = 5", [(18, 48, "the job asks for 6 GPUs, and the site allows 5")]),
    ('required_labels = ["team", "owner"]', [(3, 18, "the job has no label `owner`, which the site requires")]),
    ("queues = []", [(5, 10, "the site does not allow the queue `fast`, only none")]),
])
def test_refused(said: Said, line: str, found: list[tuple[int, int, str]]) -> None:
    assert said(line) == found


@pytest.mark.parametrize(("line", "help"), [
    ('namespaces = ["prod", "test"]', "write `namespace: prod`"),
    ('queues = ["slow"]', "write `queue: slow`"),
    ('registries = ["registry.example/vision/"]', "use an image of an allowed registry"),
    ('node_labels = ["zone"]', "leave it out, or select by an allowed label"),
    ("max_gpus = 5", "ask for fewer GPUs or replicas"),
    ('required_labels = ["owner"]', "add `owner` to the labels of its metadata"),
])
def test_what_to_do_and_who_says_so(judge: Judge, line: str, help: str) -> None:
    [found] = judge(line)
    assert found.help == help
    assert [(label.span.source.name[-9:], label.span.start_position()[0], label.message) for label in found.related] == [
        ("hetc.toml", 2, "the site's policy")]


def test_where_nothing_is_allowed(judge: Judge) -> None:
    [found] = judge("queues = []")
    assert (found.help, found.related) == ("leave the job out", ())


def with_tasks(*limits: str) -> str:
    """A job with tasks of two replicas, the GPUs of which stand 7 lines apart from line 14 on."""
    tasks = "".join(
        f"  - name: t{at}\n    replicas: 2\n    template:\n      spec:\n        containers:\n        - name: main\n"
        f"          resources: {{limits: {{{each}}}}}\n" for at, each in enumerate(limits))
    return JOB.partition("  - name")[0] + tasks


@pytest.mark.parametrize(("limits", "line", "total"), [
    (("nvidia.com/gpu: 1", "nvidia.com/gpu: 3", "nvidia.com/gpu: 2"), 21, 12),
    (("nvidia.com/gpu: 1", "nvidia.com/gpu: 3", "nvidia.com/gpu: 3"), 21, 14),
    (("cpu: 96, memory: 1Ti", "amd.com/gpu: 3", "nvidia.com/mig-1g.10gb: 1"), 21, 8),
    (("cpu: 8, amd.com/gpu: x, nvidia.com/gpu: 3",), 14, 6),
    (("cpu: x, amd.com/gpu: [9], nvidia.com/gpu: 3", "nvidia.com/gpu: ''"), 14, 6),
])
def test_the_largest_task_is_told(said: Said, limits: tuple[str, ...], line: int, total: int) -> None:
    assert [(place, message) for place, _, message in said("max_gpus = 5", with_tasks(*limits))] == [
        (line, f"the job asks for {total} GPUs, and the site allows 5")]
    assert said(f"max_gpus = {total}", with_tasks(*limits)) == []


def test_gpus_of_a_site_s_own_models_count(said: Said) -> None:
    policy = 'max_gpus = 5\n[gpu.models]\nX1 = {products = ["ACME-X1"], resource = "acme.example/gpu"}'
    assert [message for _, _, message in said(policy, with_tasks("acme.example/gpu: 3", "nvidia.com/gpu: 1"))] == [
        "the job asks for 8 GPUs, and the site allows 5"]


def test_each_image_of_a_task(said: Said) -> None:
    text = JOB.replace("{name: i, image: 'busybox:1'}", "{name: i}, {name: k, image: 'a b'}, {name: l, image: 'busybox:1'}")
    assert [message for _, _, message in said('registries = ["registry.example"]', text)] == [
        "the site does not allow the image `docker.io/library/busybox`, only `registry.example`"]


@pytest.mark.parametrize(("table", "label"), [
    ("", "nvidia.com/gpu.product"), ("", "amd.com/gpu.product-name"), ('product_label = "acme.example/gpu"', "acme.example/gpu"),
    ('models.X1 = {products = ["ACME-X1"], label = "acme.example/gpu"}', "acme.example/gpu"),
])
def test_labels_of_gpus_need_no_permission(said: Said, table: str, label: str) -> None:
    text = JOB.replace("{pool: x, nvidia.com/gpu.product:", f"{{{label}:")
    assert said(f'node_labels = ["pool"]\n[gpu]\n{table}', text) == []


@pytest.mark.parametrize("line", [
    'namespaces = ["lab"]', 'queues = ["fast"]', 'registries = ["registry.example", "docker.io"]', 'node_labels = ["pool"]', "max_gpus = 6",
    'required_labels = ["team"]', 'tolerations = ["x"]', "",
])
def test_allowed(said: Said, line: str) -> None:
    assert said(line) == []


def test_what_is_not_said_counts_too(said: Said) -> None:
    bare = JOB.replace(", namespace: lab", "").replace("  queue: fast\n", "")
    assert said('namespaces = ["lab"]', bare) == [(3, 18, "the site does not allow a job without a namespace, only `lab`")]
    assert said('queues = ["fast"]', bare) == [(3, 18, "the site does not allow the queue `default`, only `fast`")]
    assert said('queues = ["default"]', bare) == []


def test_a_cronjob_is_judged_by_its_jobs(said: Said) -> None:
    head, body = JOB.split("spec:\n", 1)
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    cron = head.replace("kind: Job", "kind: CronJob") + 'spec:\n  schedule: "@daily"\n  jobTemplate:\n    metadata: {labels: {team: a}}\n    spec:\n' + indented
    assert [message for _, _, message in said("max_gpus = 5", cron)] == ["the job asks for 6 GPUs, and the site allows 5"]
    assert said('required_labels = ["team"]', cron) == []


PART = "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j, namespace: lab}\nspec:\n  "
POD = "tasks: [{name: w, replicas: 3, template: {spec: {%s}}}]\n"
POLICY = ('namespaces = ["prod"]\nqueues = ["slow"]\nregistries = ["registry.example/"]\nnode_labels = ["zone"]\nmax_gpus = 5\n'
          'required_labels = ["owner"]')


@pytest.mark.parametrize(("spec", "found"), [
    ("queue: fast\n", [(5, 10, "the site does not allow the queue `fast`, only `slow`")]),
    ("queue: null\n", [(5, 10, "the site does not allow the queue `default`, only `slow`")]),
    (POD % "containers: [{name: main, image: 'busybox:1'}]",
     [(5, 85, "the site does not allow the image `docker.io/library/busybox`, only `registry.example/`")]),
    (POD % "nodeSelector: {pool: x}", [(5, 67, "the site does not allow jobs to select by the node label `pool`, only `zone`")]),
    (POD % "containers: [{name: main, resources: {limits: {nvidia.com/gpu: 2}}}]", [(5, 115, "the job asks for 6 GPUs, and the site allows 5")]),
    ("queue: slow\n", []),
    ("minAvailable: 2\n", []),
    (POD.replace("replicas: 3, ", "") % "containers: [{name: main, image: registry.example/a, resources: {limits: {nvidia.com/gpu: 8}}}]", []),
])
def test_a_part_is_asked_for_what_it_says(said: Said, spec: str, found: list[tuple[int, int, str]]) -> None:
    assert said(POLICY, PART + spec, patch=True) == found
    assert said(POLICY, f"{PART}{spec}  tasks: [{{$patch: delete, name: x}}]\n" if "tasks" not in spec else PART + spec + "$patch: merge\n") == found
