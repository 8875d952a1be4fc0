"""HET511: NUMA policies and whole cpus."""
from __future__ import annotations

import pytest

from hetc.rules.whole_cpus import RULE
from tests.rules.checks import Found, check_manifest, job, task
from tests.rules.helpers import related


def numa(container: str, policy: str = "restricted", pod: str = "") -> str:
    return job(task(f"image: a.example/b:1\n{container}", pod=pod) + f"  topologyPolicy: {policy}\n")


def test_no_request() -> None:
    assert check_manifest(RULE, numa("")) == [
        Found(12, 11, "error",
              "container `main` requests no cpu, and topology policy `restricted` wants whole ones",
              "add `cpu` to its `requests`, a whole number"),
    ]


def test_a_part() -> None:
    assert check_manifest(RULE, numa("resources: {requests: {cpu: 500m}}")) == [
        Found(13, 39, "error", "container `main` requests `500m` of cpu, and topology policy `restricted` wants whole ones", "write `1`"),
    ]


def test_more_than_whole() -> None:
    assert check_manifest(RULE, numa("resources: {requests: {cpu: 1.5}, limits: {cpu: 2}}")) == [
        Found(13, 39, "error", "container `main` requests `1.5` of cpu, and topology policy `restricted` wants whole ones", "write `2`"),
    ]


def test_zero() -> None:
    assert check_manifest(RULE, numa("resources: {requests: {cpu: 0}}")) == [
        Found(13, 39, "error", "container `main` requests `0` of cpu, and topology policy `restricted` wants whole ones", "write `1`"),
    ]


def test_requests_without_cpu() -> None:
    assert check_manifest(RULE, numa("resources: {requests: {memory: 1Gi}, limits: {cpu: 2}}")) == [
        Found(12, 11, "error",
              "container `main` requests no cpu, since it has other requests, and topology policy `restricted` wants whole ones",
              "add `cpu` to its `requests`, a whole number"),
    ]


def test_an_init_container() -> None:
    assert check_manifest(RULE, numa("resources: {limits: {cpu: 2}}", pod="initContainers:\n- {name: prep, image: a.example/b:1}")) == [
        Found(12, 11, "error",
              "container `prep` requests no cpu, and topology policy `restricted` wants whole ones",
              "add `cpu` to its `requests`, a whole number"),
    ]


@pytest.mark.parametrize("text", [
    numa("resources: {limits: {cpu: 2}}"),
    numa("resources: {requests: {}, limits: {cpu: 2000m}}"),
    numa("resources: {requests: {cpu: \"3\"}}"),
    numa("", policy="none"),
    numa("", policy='""'),
    numa("resources: {requests: {cpu: many}}"),
    job(task()),
    numa("resources: {requests: {cpu: , memory: 1Gi}}", policy="none"),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


def test_the_place_beside() -> None:
    assert related(RULE, numa("")) == [(14, 21, "the policy")]
    assert related(RULE, numa("resources: {requests: {cpu: 500m}}")) == [(15, 21, "the policy")]


def test_amounts_that_are_none() -> None:
    for container in ("resources: {requests: {cpu: }}", "resources: {requests: {cpu: [1]}}", "resources: {requests: x, limits: {memory: 1}}"):
        assert [each.message for each in check_manifest(RULE, numa(container))] == [
            "container `main` requests no cpu, and topology policy `restricted` wants whole ones"]
    assert [each.message for each in check_manifest(RULE, numa("resources: {requests: {cpu: -1}}"))] == [
        "container `main` requests `-1` of cpu, and topology policy `restricted` wants whole ones"]
    assert check_manifest(RULE, numa("", policy="5")) == check_manifest(RULE, numa("", policy="")) == []
