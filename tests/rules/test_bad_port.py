"""HET513: ports."""
from __future__ import annotations

import pytest

from hetc.rules.bad_port import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related


def ports(*lines: str, second: str = "", pod: str = "") -> str:
    """A container with ports, one in a line, and a second container with one."""
    other = f"      - {{name: second, image: a.example/b:1, ports: [{second}]}}\n" if second else ""
    return job(task("image: a.example/b:1\nports:\n" + "".join(f"- {line}\n" for line in lines), pod=pod) + other)


def test_numbers() -> None:
    assert check_manifest(RULE, ports("{containerPort: 0}", "{containerPort: 65536}", "{containerPort: 1, hostPort: -1}", "{containerPort: 2, hostPort: 70000}")) == [
        Found(14, 29, "error", "`containerPort` is 0, and ports are from 1 to 65535", "write a number from 1 to 65535"),
        Found(15, 29, "error", "`containerPort` is 65536, and ports are from 1 to 65535", "write a number from 1 to 65535"),
        Found(16, 42, "error", "`hostPort` is -1, and ports are from 1 to 65535", "write a number from 1 to 65535"),
        Found(17, 42, "error", "`hostPort` is 70000, and ports are from 1 to 65535", "write a number from 1 to 65535"),
    ]


def test_names() -> None:
    assert check_manifest(RULE, ports("{containerPort: 1, name: a-very-long-port-name}", "{containerPort: 2, name: '80'}", "{containerPort: 3, name: a--b}", "{containerPort: 4, name: -a}", "{containerPort: 5, name: A}")) == [
        Found(14, 38, "error",
              "no legal port name: `a-very-long-port-name` has 21 characters, 6 more than the 15 allowed",
              "write at most 15 of a-z, 0-9 and `-`"),
        Found(15, 38, "error", "no legal port name: `80` has no letter", "write at most 15 of a-z, 0-9 and `-`"),
        Found(16, 38, "error", "no legal port name: `a--b` has two `-` in a row", "write at most 15 of a-z, 0-9 and `-`"),
        Found(17, 38, "error",
              "no legal port name: `-a` starts with `-`, not with a letter or digit",
              "write at most 15 of a-z, 0-9 and `-`"),
        Found(18, 38, "error",
              "no legal port name: `A` has `A`, and only a-z, 0-9 and `-` are allowed",
              "write at most 15 of a-z, 0-9 and `-`"),
    ]


def test_protocol() -> None:
    assert check_manifest(RULE, ports("{containerPort: 1, protocol: udp}")) == [
        Found(14, 42, "error", "`udp` is no protocol of a port", "write `UDP`"),
    ]


def test_duplicate_name() -> None:
    assert check_manifest(RULE, ports("{containerPort: 1, name: a}", "{containerPort: 2, name: a}")) == [
        Found(15, 38, "error", "duplicate port name `a`", "give each port a name of its own"),
    ]


def test_duplicate_number() -> None:
    assert check_manifest(RULE, ports("{containerPort: 1}", "{containerPort: 1, protocol: TCP}")) == [
        Found(15, 29, "error", "duplicate port 1 of protocol TCP", "keep one of the two"),
    ]


def test_host_port_twice() -> None:
    assert check_manifest(RULE, ports("{containerPort: 1, hostPort: 9}", second="{containerPort: 2, hostPort: 9}")) == [
        Found(16, 85, "error", "port 9 of the host is taken twice", "give each a port of its own"),
    ]


def test_host_port_twice_in_one() -> None:
    assert check_manifest(RULE, ports("{containerPort: 1, hostPort: 9}", "{containerPort: 2, hostPort: 9}")) == [
        Found(15, 42, "error", "port 9 of the host is taken twice", "give each a port of its own"),
    ]


def test_another_host_port() -> None:
    assert check_manifest(RULE, ports("{containerPort: 1, hostPort: 9}", pod="hostNetwork: true")) == [
        Found(15, 42, "error", "`hostPort` is 9 and `containerPort` 1, which are one in the host's network", "write `1`, or leave it out"),
    ]


def test_one_port_of_the_network_of_the_host() -> None:
    assert check_manifest(RULE, ports("{containerPort: 1}", second="{containerPort: 1}", pod="hostNetwork: true")) == [
        Found(17, 72, "error", "port 1 of the host is taken twice in the host's network", "give each a port of its own"),
    ]


def test_the_places_beside() -> None:
    assert related(RULE, ports("{containerPort: 1, hostPort: 9}", pod="hostNetwork: true")) == [(11, 22, "the host's network")]
    assert related(RULE, ports("{containerPort: 1, name: a}", "{containerPort: 2, name: a}")) == [(14, 38, "first used here")]
    assert related(RULE, ports("{containerPort: 1}", "{containerPort: 1}")) == [(14, 29, "first given here")]
    assert related(RULE, ports("{containerPort: 1, hostPort: 9}", "{containerPort: 2, hostPort: 9}")) == [(14, 13, "the other one")]


def test_a_host_port_of_zero_is_that_of_the_container() -> None:
    text = ports("{containerPort: 1, hostPort: 0}", second="{containerPort: 1, hostPort: 1}", pod="hostNetwork: true")
    assert [each.message for each in check_manifest(RULE, text)] == ["port 1 of the host is taken twice in the host's network"]


def test_host_ports_behind_one_that_is_none() -> None:
    text = ports("{containerPort: 1}", "{containerPort: 2, hostPort: 0}", "{containerPort: 3, hostPort: 9}", second="{containerPort: 4, hostPort: 9}")
    assert [each.message for each in check_manifest(RULE, text)] == ["port 9 of the host is taken twice"]


def test_init_containers_run_one_by_one_in_the_network_of_the_host() -> None:
    prep = "initContainers:\n- {name: prep, image: a.example/b:1, ports: [{containerPort: 1}, {containerPort: 1}, {containerPort: 2, hostPort: 1}]}"
    found = check_manifest(RULE, ports("{containerPort: 1}", pod=f"hostNetwork: true\n{prep}"))
    assert [each.message for each in found] == [
        "duplicate port 1 of protocol TCP",
        "`hostPort` is 1 and `containerPort` 2, which are one in the host's network",
        "port 1 of the host is taken twice in the host's network",
    ]


def test_one_port_of_the_host_given_twice_for_one_of_the_container() -> None:
    text = ports("{containerPort: 1, hostPort: 9}", "{containerPort: 1, hostPort: 9}")
    assert [each.message for each in check_manifest(RULE, text)] == ["duplicate port 1 of protocol TCP"]


@pytest.mark.parametrize("text", [
    ports("{containerPort: 1, name: a}", "{containerPort: 1, protocol: UDP, name: a-1}", "{containerPort: 65535, name: abcdefghijklmno, protocol: SCTP}"),
    ports("{containerPort: 1}", second="{containerPort: 1}"),
    ports("{containerPort: 1, hostPort: 1}", "{containerPort: 2, hostPort: 0}", pod="hostNetwork: true"),
    ports("{containerPort: 1, hostPort: 9}", second="{containerPort: 1, hostPort: 9, protocol: UDP}"),
    ports("{containerPort: 1, hostPort: 9, hostIP: 10.0.0.1}", second="{containerPort: 1, hostPort: 9, hostIP: 10.0.0.2}"),
    ports("{containerPort: 1}", second="{containerPort: 1}", pod="hostNetwork: false"),
    ports("{containerPort: 1, hostPort: 0}", second="{containerPort: 2, hostPort: 0}"),
    ports("{hostPort: 9}", "{hostPort: 9}"),
    ports("{containerPort: x, name: 3, protocol: , hostPort: }", "x"),
    ports("{containerPort: 1, hostPort: 9}", pod="initContainers:\n- {name: prep, image: a.example/b:1, ports: [{containerPort: 1, hostPort: 9}]}"),
    ports("{containerPort: 1, name: }", "{containerPort: 2, name: ''}", pod="hostNetwork: false"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []
