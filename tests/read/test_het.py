"""What a right request means."""
from __future__ import annotations

import pytest

from hetc.diagnostic import ERROR, Report
from hetc.ir import Group, Pack, Request
from hetc.origin import DERIVED, WRITTEN, Located
from hetc.quantity import cpu, memory
from hetc.read.het import read, split
from hetc.source import Source

EXAMPLE = """\
# train.het
1*master      <cpu=16, mem=64Gi>
+ 2*a100-worker <cpu=96, mem=512Gi, gpu=8:A100-SXM4-80GB, rdma, ppn=8>
+ 4*h100-worker <cpu=96, mem=1Ti,   gpu=8:H100-80GB-HBM3, rdma, ppn=8>
---
namespace: training
"""


def request(text: str) -> Request:
    source, report = Source("x.het", text), Report()
    got = read(source, split(source)[0], report)
    assert [found.message for found in report.diagnostics if found.level == ERROR] == []
    assert got is not None
    return got


def value(located: Located[object] | None) -> object:
    return None if located is None else located.value


def shape(group: Group) -> tuple[object, ...]:
    """Name, replicas, cpu, memory, GPUs, model, RDMA devices, processes, minimum."""
    fields = (group.name, group.replicas, group.cpu, group.memory, group.gpus, group.gpu_model, group.rdma, group.processes, group.minimum)
    return tuple(map(value, fields))


def names(text: str) -> list[tuple[object, object, str]]:
    return [(value(group.name), group.replicas.value, group.name.origin.how) for group in request(text).groups]


def test_the_example() -> None:
    groups = request(EXAMPLE).groups
    assert [shape(group) for group in groups] == [
        ("master", 1, cpu("16"), memory("64Gi"), None, None, None, None, None),
        ("a100-worker", 2, cpu("96"), memory("512Gi"), 8, "A100-SXM4-80GB", 1, 8, None),
        ("h100-worker", 4, cpu("96"), memory("1Ti"), 8, "H100-80GB-HBM3", 1, 8, None),
    ]
    assert [group.origin.span.start_position() for group in groups] == [(2, 3), (3, 5), (4, 5)]


@pytest.mark.parametrize(("text", "groups"), [
    ("1*<cpu=16>+2*<gpu=8:A100>", [("master", 1, cpu("16"), None, None, None, None, None, None),
                                   ("worker", 2, None, None, 8, "A100", None, None, None)]),
    ("8*<cpu=4,mem=16Gi>", [("master", 1, cpu("4"), memory("16Gi"), None, None, None, None, None),
                            ("worker", 7, cpu("4"), memory("16Gi"), None, None, None, None, None)]),
    ("1*\t<cpu=16>\t+\t2*<gpu=8>", [("master", 1, cpu("16"), None, None, None, None, None, None),
                                   ("worker", 2, None, None, 8, None, None, None, None)]),
    ("1*<cpu=16,gpu=0>", [("master", 1, cpu("16"), None, 0, None, None, None, None)]),
    ("1*<cpu==500m,>", [("master", 1, cpu("0.5"), None, None, None, None, None, None)]),
    ('3*w<gpu = 8 : "NVIDIA A100-SXM4-80GB", rdma=4, ppn=2, min=2>', [("w", 3, None, None, 8, "NVIDIA A100-SXM4-80GB", 4, 2, 2)]),
    ("1*w<cpu=1, rdma=0>", [("w", 1, cpu("1"), None, None, None, 0, None, None)]),
    ("1*gang<cpu=1>+1*use<cpu=2>", [("gang", 1, cpu("1"), None, None, None, None, None, None),
                                    ("use", 1, cpu("2"), None, None, None, None, None, None)]),
    ("1 * w < cpu = 1 \\\n > # c\n# d >\n", [("w", 1, cpu("1"), None, None, None, None, None, None)]),
    ("1*w<cpu=1,gpu=1:" + "X" * 63 + ">", [("w", 1, cpu("1"), None, 1, "X" * 63, None, None, None)]),
    ("2147483647*w<cpu=1>", [("w", 2147483647, cpu("1"), None, None, None, None, None, None)]),
    ("1*w<cpu=1>\r\n+ 1*v<cpu=2>\r\n---\r\n", [("w", 1, cpu("1"), None, None, None, None, None, None),
                                            ("v", 1, cpu("2"), None, None, None, None, None, None)]),
])
def test_groups(text: str, groups: list[tuple[object, ...]]) -> None:
    assert [shape(group) for group in request(text).groups] == groups


@pytest.mark.parametrize(("text", "expected"), [
    ("1*<cpu=1>", [("master", 1, DERIVED)]),
    ("3*<cpu=1>", [("master", 1, DERIVED), ("worker", 2, DERIVED)]),
    ("3*w<cpu=1>", [("w", 3, WRITTEN)]),
    ("1*<cpu=1>+3*<cpu=1>", [("master", 1, DERIVED), ("worker", 3, DERIVED)]),
    ("1*<cpu=1>+3*<cpu=1>+1*<cpu=1>", [("master", 1, DERIVED), ("worker-1", 3, DERIVED), ("worker-2", 1, DERIVED)]),
    ("1*<cpu=1>+1*a<cpu=1>+1*<cpu=1>", [("master", 1, DERIVED), ("a", 1, WRITTEN), ("worker", 1, DERIVED)]),
    ("1*<cpu=1>+1*master<cpu=1>", [("worker", 1, DERIVED), ("master", 1, WRITTEN)]),
    ("2*<cpu=1>+1*master<cpu=1>", [("worker", 2, DERIVED), ("master", 1, WRITTEN)]),
    ("2*<cpu=1>+1*<cpu=1>", [("worker-1", 2, DERIVED), ("worker-2", 1, DERIVED)]),
    ("1*a<cpu=1>+1*<cpu=1>", [("a", 1, WRITTEN), ("worker", 1, DERIVED)]),
    ("+".join(["1*<cpu=1>"] * 10), [("master", 1, DERIVED), *((f"worker-{number}", 1, DERIVED) for number in range(1, 10))]),
])
def test_names(text: str, expected: list[tuple[object, object, str]]) -> None:
    assert names(text) == expected


def test_a_group_stands_at_its_name_or_its_count() -> None:
    groups = request("12*w<cpu=1> + 3*<cpu=1>").groups
    assert [group.origin.span.text() for group in groups] == ["w", "3"]
    assert [group.name.span.text() for group in groups] == ["w", "3"]


def test_the_homogeneous_job() -> None:
    got = request("4*<cpu=1, mem=1Gi, min=3, pack=rack:soft, select[zone=a]>")
    assert [(shape(group)[:4], value(group.minimum), group.pack) for group in got.groups] == [
        (("master", 1, cpu("1"), memory("1Gi")), None, None),
        (("worker", 3, cpu("1"), memory("1Gi")), 2, None),
    ]
    assert value(got.gang.pack) == Pack("rack", "soft")
    assert [group.select for group in got.groups] == [got.groups[0].select] * 2 != [(), ()]
    assert [group.replicas.origin.how for group in got.groups] == [DERIVED, DERIVED]
    assert {group.replicas.span.text() for group in got.groups} == {"4"}


def test_the_homogeneous_job_may_start_with_its_master_alone() -> None:
    assert value(request("4*<cpu=1, min=1>").groups[1].minimum) == 0


@pytest.mark.parametrize(("text", "pack"), [
    ("pack=1", Pack(1, "hard")), ("pack=0", Pack(0, "hard")), ("pack=rack", Pack("rack", "hard")), ("pack=rack:hard", Pack("rack", "hard")),
    ("pack=2:soft", Pack(2, "soft")), ('pack="rack":soft', Pack("rack", "soft")), ("pack=hard:hard", Pack("hard", "hard")),
])
def test_pack(text: str, pack: Pack) -> None:
    assert value(request(f"2*w<cpu=1,{text}>").groups[0].pack) == pack
    assert value(request(f"2*w<cpu=1> gang[{text}]").gang.pack) == pack


@pytest.mark.parametrize(("text", "device", "count"), [
    ("1g.10gb", "mig:1g.10gb", 1), ("3g.40gb:2", "mig:3g.40gb", 2), ("1g.10gb.me", "mig:1g.10gb.me", 1), ('"1g.10gb+me"', "mig:1g.10gb.me", 1),
    ('"1g.10gb+me":3', "mig:1g.10gb.me", 3), ('"1g.24gb+me.all"', "mig:1g.24gb.me.all", 1), ('"1g.24gb+gfx"', "mig:1g.24gb.gfx", 1),
    ("1g.24gb-me", "mig:1g.24gb-me", 1), ('"1g.24gb-me"', "mig:1g.24gb-me", 1),
])
def test_mig_profiles_are_named_as_their_resources(text: str, device: str, count: int) -> None:
    group = request(f"2*w<cpu=1, mig={text}>").groups[0]
    assert (value(group.device), value(group.gpus)) == (device, count)


def test_select() -> None:
    got = request('1*<cpu=1, select[zone=a, example.com/pool == "b", n=1, empty=""]>').groups[0].select
    assert [(key.value, label.value) for key, label in got] == [("zone", "a"), ("example.com/pool", "b"), ("n", "1"), ("empty", "")]
    assert [label.span.start for _, label in got] == [22, 45, 52, 61]


@pytest.mark.parametrize(("text", "gang"), [
    ("", (None, None, None, None)),
    ("gang[min=all]", ("all", None, None, None)),
    ("gang[min=3, fail=restart, retries=5, done=worker]", (3, "restart", 5, "worker")),
    ("gang[retries=1, fail=restart, done=all]", (None, "restart", 1, "all")),
    ("gang[fail=tolerate, done=master]", (None, "tolerate", None, "master")),
    ("gang[fail=fail,]", (None, "fail", None, None)),
])
def test_gang(text: str, gang: tuple[object, ...]) -> None:
    for whole in (f"{text} 1*<cpu=1>+3*<cpu=1,min=2>", f"1*<cpu=1>+3*<cpu=1,min=2> {text}"):
        got = request(whole).gang
        assert tuple(map(value, (got.minimum, got.fail, got.retries, got.done))) == gang


def test_the_gang_minimum_may_reach_the_sum_of_the_groups() -> None:
    assert value(request("4*<cpu=1,min=3> gang[min=3]").gang.minimum) == 3


def test_use() -> None:
    got = request('use["base.yaml", site/gpu.yaml, "\\u00e9 \\"x\\".yaml"] 1*<cpu=1>').uses
    assert [(use.value, use.span.start) for use in got] == [("base.yaml", 4), ("site/gpu.yaml", 17), ('é "x".yaml', 32)]
    assert request("1*<cpu=1>").uses == ()


@pytest.mark.parametrize(("text", "request_part", "overlays"), [
    ("a\n---\nb\n---\nc", "a\n", "b\n---\nc"), ("---\nb", "", "b"), ("a\n---", "a\n", ""), ("a\n--- \t\nb", "a\n", "b"),
    ("a\n---  # c\nb", "a\n", "b"), ("a\r\n---\r\nb", "a\r\n", "b"), ("a\n", "a\n", ""), ("a\n --- \nb", "a\n --- \nb", ""),
    ("a\n---#c\nb", "a\n---#c\nb", ""), ("a\n----\nb", "a\n----\nb", ""), ("a ---\nb", "a ---\nb", ""), ("", "", ""),
])
def test_split(text: str, request_part: str, overlays: str) -> None:
    end, start = split(Source("x.het", text))
    assert (text[:end], text[start:]) == (request_part, overlays)


def test_a_request_with_mistakes_still_has_its_groups() -> None:
    source, report = Source("x.het", "0*a<cpu=x,mem=1Gi>+2*b<cpu=1,mem=1Gi>"), Report()
    got = read(source, len(source.text), report)
    assert report.failed and got is not None
    assert [shape(group)[:4] for group in got.groups] == [("a", 1, None, memory("1Gi")), ("b", 2, cpu("1"), memory("1Gi"))]


def test_five_thousand_unnamed_groups_are_one_mistake() -> None:
    source, report = Source("x.het", "+".join(["1*<cpu=1,mem=1Gi>"] * 5000)), Report()
    read(source, len(source.text), report)
    assert [(found.code.code, found.message) for found in report.diagnostics] == [
        ("HET101", "4999 workers have no name, at most 9 can be numbered"),
    ]
