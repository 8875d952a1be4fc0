"""HET203: names and amounts under limits and requests."""
from __future__ import annotations

import pytest

from hetc.rules.resource_amounts import RULE
from tests.rules.checks import Found, check_het, check_manifest, compile_het, job, task
from tests.rules.helpers import related

MAX = 2**63 - 1
MEMORY = "write the unit, for example `64Gi`"


def limits(amounts: str) -> str:
    """A job whose amounts begin at line 13, column 20."""
    return job(task(f"resources:\n  limits: {{{amounts}}}"))


def both(asked: str, most: str) -> str:
    """A job whose requests begin at line 13, column 22, and its limits at line 14, column 20."""
    return job(task(f"resources:\n  requests: {{{asked}}}\n  limits: {{{most}}}"))


@pytest.mark.parametrize(("amounts", "column", "level", "message", "help"), [
    ("memory: 64GB", 30, "error", "`memory`: `64GB` is no quantity", "write `64Gi`"),
    ("memory: 64 Gi", 30, "error", "`memory`: `64 Gi` is no quantity", "write `64Gi`"),
    ("cpu: 2 cores", 27, "error", "`cpu`: `2 cores` is no quantity", "write a number and a suffix, for example `64Gi` or `500m`"),
    ("memory: -1Gi", 30, "error", "`memory` is `-1Gi`, below zero", "write an amount from zero on"),
    ("nvidia.com/gpu: -1", 38, "error", "`nvidia.com/gpu` is `-1`, below zero", "write an amount from zero on"),
    ("memory: 512m", 30, "error", "`memory` is `512m`, which is no whole number of bytes", "write `512Mi`"),
    ("memory: 1e-3", 30, "error", "`memory` is `1e-3`, and Kubernetes takes whole numbers and strings", MEMORY),
    ("cpu: 0.1", 27, "error", "`cpu` is `0.1`, and Kubernetes takes whole numbers and strings", "write `100m`"),
    ("nvidia.com/gpu: 0.5", 38, "error", "`nvidia.com/gpu` is `0.5`, and Kubernetes takes whole numbers and strings", "write `1`"),
    ("cpu: true", 27, "error", "`cpu` is `true`, and Kubernetes takes whole numbers and strings", "write an amount"),
    ("cpu: 1500u", 27, "warning", "`cpu` is `1500u`, finer than a thousandth of a core", "write `2m`"),
    (f"memory: '{MAX + 1}'", 30, "error", f"`memory` is `{MAX + 1}`, more than Kubernetes can count", "write a smaller amount"),
    ("nvidia.com/gpu: 1Ei", 38, "error", "`nvidia.com/gpu` is `1Ei`, more than Kubernetes can count", "write a smaller amount"),
    (f"nvidia.com/gpu: {MAX // 1000 + 1}", 38, "error", f"`nvidia.com/gpu` is `{MAX // 1000 + 1}`, more than Kubernetes can count",
     "write a smaller amount"),
    ("cpu: 1e17", 27, "error", "`cpu` is `1e17`, more than Kubernetes can count", "write a smaller amount"),
    ("memory: 1E", 30, "warning", "`memory` is `1E`, which is 1000000000000000000: `E` is exa at the end, and an exponent before digits",
     "write `1000000000000000000`, or another unit"),
    ("memory: '2E3'", 30, "warning", "`memory` is `2E3`, which is 2000: `E` is exa at the end, and an exponent before digits",
     "write `2000`, or another unit"),
    ("cpu: '5E-1'", 27, "warning", "`cpu` is `5E-1`, which is 500m: `E` is exa at the end, and an exponent before digits",
     "write `500m`, or another unit"),
    ("cpu: 0", 27, "warning", "the limit of `cpu` is zero, which limits nothing", "leave it out, or write an amount above zero"),
    ("nvidia.com/gpu: 500m", 38, "error", "`nvidia.com/gpu` is `500m`, and must be a whole number", "write `1`"),
    ("nvidia.com/gpu: 1k", 38, "warning", "`nvidia.com/gpu` is `1k`, which is 1000", "write `1000`"),
    ("gpu: 8", 22, "error", "`gpu` is no resource", "write `nvidia.com/gpu`"),
    ("mem: 64Gi", 22, "error", "`mem` is no resource", "write `memory`"),
    ("memroy: 64Gi", 22, "error", "`memroy` is no resource", "write `memory`"),
    ("fpga-card: 1", 22, "error", "`fpga-card` is no resource", "write `DOMAIN/NAME`, as its device plugin calls it"),
    ("cpu: 1, hugepages-: 1", 30, "error", "`hugepages-` is no resource", "write `DOMAIN/NAME`, as its device plugin calls it"),
    ("a/b/c: 1", 22, "error", "the resource's name is not `DOMAIN/NAME`: `a/b/c` has more than one `/`",
     "write it as its device plugin calls it"),
    ("requests.a.example/b: 1", 22, "error", "the resource's name is not `DOMAIN/NAME`: `requests.a.example/b` starts with `requests.`",
     "write it as its device plugin calls it"),
    ("memory: '1.5'", 30, "error", "`memory` is `1.5`, which is no whole number of bytes", "write `2`"),
    ("cpu: 1, hugepages-2Mi: 3Mi", 45, "error", "`hugepages-2Mi` is `3Mi`, which is no multiple of a page of `2Mi`",
     "write a whole number of pages, for example `2Gi` of `hugepages-2Mi`"),
    ("hugepages-2Mi: 4Mi", 22, "error", "`hugepages-2Mi` stands without cpu and memory", "add `cpu` or `memory` beside it"),
])
def test_one_amount(amounts: str, column: int, level: str, message: str, help: str) -> None:
    assert check_manifest(RULE, limits(amounts)) == [Found(13, column, level, message, help)]


@pytest.mark.parametrize("amounts", [
    "memory: 1.5Gi", "memory: 64G", "memory: 128e6", "memory: +1Gi", "memory: 128974848", f"memory: '{MAX}'", "memory: 1e18", "cpu: 1m", "memory: 1Ei",
    "memory: '1e3'",
    "cpu: 9223372036854775807m", "nvidia.com/gpu: 8000m", "nvidia.com/gpu: 0", "ephemeral-storage: 1Gi", "kubernetes.io/batch-cpu: 500",
    "cpu: 1, hugepages-2Mi: 4Mi", "cpu: ", "cpu: [1]",
])
def test_fine_amounts(amounts: str) -> None:
    assert check_manifest(RULE, limits(amounts)) == []


def test_a_request_of_no_cpu_is_fine() -> None:
    assert check_manifest(RULE, both("cpu: 0", "memory: 1Gi")) == []


@pytest.mark.parametrize(("asked", "most", "column", "message", "help"), [
    ("cpu: 2", "cpu: 1", 29, "the request `2` of `cpu` is above its limit `1`", "write at most `1`, or raise the limit"),
    ("cpu: 1001m", "cpu: 1", 29, "the request `1001m` of `cpu` is above its limit `1`", "write at most `1`, or raise the limit"),
    ("memory: 1Gi, cpu: 2", "cpu: 1", 42, "the request `2` of `cpu` is above its limit `1`", "write at most `1`, or raise the limit"),
    ("memory: 1Gi, cpu: 2", "memory: 1Gi, cpu: 1", 42, "the request `2` of `cpu` is above its limit `1`",
     "write at most `1`, or raise the limit"),
    ("cpu: 1000m, memory: 2Gi", "cpu: 1, memory: 1Gi", 44, "the request `2Gi` of `memory` is above its limit `1Gi`",
     "write at most `1Gi`, or raise the limit"),
    ("cpu: x", "cpu: 1", 29, "`cpu`: `x` is no quantity", "write a number and a suffix, for example `64Gi` or `500m`"),
    ("nvidia.com/gpu: 1", "nvidia.com/gpu: 2", 40, "the request `1` of `nvidia.com/gpu` is not equal to its limit `2`",
     "write `2` in both"),
    ("nvidia.com/gpu: 1", "cpu: 2", 40, "`nvidia.com/gpu` has a request and no limit", "add the same amount, `1`, to `limits`"),
    ("hugepages-2Mi: 2Mi", "cpu: 2", 39, "`hugepages-2Mi` has a request and no limit", "add the same amount, `2Mi`, to `limits`"),
])
def test_pairs(asked: str, most: str, column: int, message: str, help: str) -> None:
    assert check_manifest(RULE, both(asked, most)) == [Found(13, column, "error", message, help)]


@pytest.mark.parametrize(("asked", "most"), [
    ("cpu: 1", "cpu: 1000m"), ("cpu: 1", "cpu: 2"), ("memory: 1Gi", "cpu: 1"), ("nvidia.com/gpu: 1", "nvidia.com/gpu: '1'"),
    ("kubernetes.io/batch-cpu: 1", "kubernetes.io/batch-cpu: 2"),
])
def test_fine_pairs(asked: str, most: str) -> None:
    assert check_manifest(RULE, both(asked, most)) == []


def test_the_places_beside() -> None:
    assert related(RULE, both("cpu: 2", "cpu: 1")) == [(14, 27, "the limit")]
    assert related(RULE, of_pod("limits: {cpu: 2}", "requests: {cpu: 1}, limits: {cpu: 3}")) == [(11, 35, "the pod's limit")]


def test_a_limit_of_no_cpu_for_a_whole_pod() -> None:
    assert check_manifest(RULE, of_pod("limits: {cpu: 0}", "requests: {cpu: 0}")) == [
        Found(11, 35, "warning", "the limit of `cpu` is zero, which limits nothing", "leave it out, or write an amount above zero")]


def test_quotas_put_something_before_the_names_of_devices() -> None:
    assert len(check_manifest(RULE, limits(f"{'a' * 245}/b: 1"))) == 1
    assert check_manifest(RULE, limits(f"{'a' * 244}/b: 1")) == check_manifest(RULE, limits(f"{'a' * 231}.kubernetes.io/b: 1")) == []


HET = "1*master<cpu=1, mem=1Gi, gpu=2>\n---\nimage: b:1\ncommand: [python x.py]\n"


def test_het() -> None:
    assert check_het("HET203", HET) == []


def of_pod(resources: str, *containers: str, init: str = "") -> str:
    """A pod with resources, on line 11 from column 21 on, and containers with their own."""
    lines = "".join(f"      - {{name: c{index}, image: a.example/b:1, resources: {{{each}}}}}\n" for index, each in enumerate(containers))
    first = f"      initContainers:\n      - {{name: prep, image: a.example/b:1, resources: {{{init}}}}}\n" if init else ""
    head = "- name: worker\n  replicas: 1\n  template:\n    spec:\n"
    return job(f"{head}      resources: {{{resources}}}\n{first}      containers:\n{lines}")


@pytest.mark.parametrize(("text", "place", "message", "help"), [
    (of_pod("requests: {cpu: 2}", "requests: {cpu: 1500m}", "limits: {cpu: 1}"), (11, 37),
     "the containers request `2500m` of `cpu` in all, and their pod has `2`", "write at least `2500m`"),
    (of_pod("limits: {memory: 1Gi}", "requests: {memory: 1Gi}", "requests: {memory: 1Mi}"), (11, 38),
     "the containers request `1025Mi` of `memory` in all, and their pod has `1Gi`", "write at least `1025Mi`"),
    (of_pod("requests: {cpu: 2}", "requests: {cpu: 1}", init="requests: {cpu: 3}"), (11, 37),
     "the containers request `3` of `cpu` in all, and their pod has `2`", "write at least `3`"),
    (of_pod("requests: {cpu: 2}", "", "requests: {cpu: 3}"), (11, 37),
     "the containers request `3` of `cpu` in all, and their pod has `2`", "write at least `3`"),
    (of_pod("requests: {cpu: 2}", "requests: {cpu: 1}", init="requests: {cpu: 1500m}").replace("name: prep,", "name: prep, restartPolicy: Always,"),
     (11, 37), "the containers request `2500m` of `cpu` in all, and their pod has `2`", "write at least `2500m`"),
    (of_pod("requests: {cpu: 3}, limits: {cpu: 2}", ""), (11, 37), "the request `3` of `cpu` is above its limit `2`",
     "write at most `2`, or raise the limit"),
    (of_pod("limits: {cpu: 2}", "requests: {cpu: 1}, limits: {cpu: 3}"), (13, 90), "the limit `3` of `cpu` is above the pod's, `2`",
     "write at most `2`"),
    (of_pod("limits: {nvidia.com/gpu: 1}", "requests: {cpu: 1}"), (11, 30), "`nvidia.com/gpu` is no resource of a whole pod",
     "give it to a container"),
    (of_pod("limits: {memory: 2GB}", "requests: {cpu: 1}"), (11, 38), "`memory`: `2GB` is no quantity", "write `2Gi`"),
])
def test_of_a_whole_pod(text: str, place: tuple[int, int], message: str, help: str) -> None:
    assert [each for each in check_manifest(RULE, text) if each.message == message] == [Found(*place, "error", message, help)]


@pytest.mark.parametrize("text", [
    of_pod("requests: {cpu: 2, memory: 1Gi}", "requests: {cpu: 1}", "limits: {cpu: 1}"),
    of_pod("limits: {cpu: 2}", "requests: {cpu: 1}, limits: {cpu: 2}", "requests: {cpu: 1}", init="requests: {cpu: 2}"),
    of_pod("limits: {hugepages-2Mi: 2Mi, cpu: 1}", "requests: {memory: many}"),
    of_pod("limits: [x]", "requests: {cpu: 1}"), of_pod("requests: {cpu: 0}", ""), of_pod("limits: {cpu: 2}", "limits: {memory: 1Gi}"),
    of_pod("requests: {cpu: 2}", "requests: {cpu: 1}", init="requests: {cpu: 1500m}"),
])
def test_sound_of_a_whole_pod(text: str) -> None:
    assert [each for each in check_manifest(RULE, text) if "pod" in each.message or "in all" in each.message] == []


@pytest.mark.parametrize(("name", "amount", "fits"), [
    ("hugepages-2Mi", "4Mi", True), ("hugepages-2Mi", "0", True), ("hugepages-2M", "4M", True), ("hugepages-3Mi", "3Mi", True),
    ("hugepages-1.5Mi", "3Mi", True), ("hugepages-2Mi", "3Mi", False), ("hugepages-2Mi", "8", False), ("hugepages-x", "4Mi", False),
    ("hugepages-0", "4Mi", False), ("hugepages--2Mi", "4Mi", False), ("hugepages-2Mi", "500m", False),
])
def test_huge_pages_are_whole(name: str, amount: str, fits: bool) -> None:
    found = check_manifest(RULE, limits(f"memory: 1Gi, {name}: {amount}"))
    message = f"`{name}` is `{amount}`, which is no multiple of a page of `{name.removeprefix('hugepages-')}`"
    assert [each.message for each in found if each.level == "error"] == ([] if fits else [message])


def test_huge_pages_of_a_pod() -> None:
    text = job(task(pod="resources: {limits: {hugepages-2Mi: 3Mi}}"))
    assert [each.message for each in check_manifest(RULE, text)] == [
        "`hugepages-2Mi` stands without cpu and memory", "`hugepages-2Mi` is `3Mi`, which is no multiple of a page of `2Mi`"]


@pytest.mark.parametrize("table", ["gpu", "rdma"])
def test_huge_pages_are_no_devices_of_a_site(table: str) -> None:
    text = "1*master<cpu=1, mem=1Gi, gpu=8, rdma>\n---\nimage: a.example/b:1\ncommand: [run]\n"
    found = compile_het(text, f"[{table}]\nresource = 'hugepages-2Mi'\n")
    assert any(each.level == "error" and "hugepages-2Mi" in each.message for each in found)


@pytest.mark.parametrize("name", ["kubernetes.io/batch-cpu", "x.kubernetes.io/b"])
def test_what_may_be_a_fraction(name: str) -> None:
    assert check_manifest(RULE, limits(f"{name}: 1500m")) == []


@pytest.mark.parametrize(("amount", "is_fine"), [("cpu: 1", True), ("a.b/c: 2", True), ("cpu: -1", False), ("gpu: 1", False), ("a.b/c: 1500m", False)])
def test_the_overhead_of_a_pod(amount: str, is_fine: bool) -> None:
    assert (check_manifest(RULE, job(task(pod=f"overhead: {{{amount}}}"))) == []) == is_fine
