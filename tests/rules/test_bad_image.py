"""HET501: what the kubelet cannot read as an image."""
from __future__ import annotations

import pytest

from hetc.image import Image, fault, parse
from hetc.rules.bad_image import RULE
from tests.rules.checks import Found, check_het, check_manifest, job, task

GENERAL = "write `REGISTRY/NAME:TAG`, the repository without capitals"


@pytest.mark.parametrize(("written", "message", "help"), [
    ("", "image `` is empty", GENERAL),
    ("registry.example/Train:1", "image `registry.example/Train:1` has a capital in its repository", "write `registry.example/train:1`"),
    ("a.example/b:1 ", "image `a.example/b:1 ` has a blank", "write `a.example/b:1`"),
    ("https://a.example/b:1", "image `https://a.example/b:1` has the scheme `https`", "write `a.example/b:1`"),
    ("registry.example/Train:V1", "image `registry.example/Train:V1` has a capital in its repository", "write `registry.example/train:V1`"),
    ("Train:V1", "image `Train:V1` has a capital in its repository", "write `train:V1`"),
    ("registry.example:5000/Train", "image `registry.example:5000/Train` has a capital in its repository", "write `registry.example:5000/train`"),
    ("registry.example:5000/A/B:1", "image `registry.example:5000/A/B:1` has a capital in its repository", "write `registry.example:5000/a/b:1`"),
    ("https://a.example/-b", "image `https://a.example/-b` has the scheme `https`", GENERAL),
    ("a.example/b:", "image `a.example/b:` has a tag that is not at most 128 letters, digits, `_`, `.` and `-`", GENERAL),
    ("a.example/b@sha256:12", "image `a.example/b@sha256:12` has a digest that is no `sha256:` with 64 hexadecimal digits", GENERAL),
])
def test_no_reference(written: str, message: str, help: str) -> None:
    assert check_manifest(RULE, job(task(f'image: "{written}"'))) == [Found(12, 18, "error", message, help)]


def test_no_image() -> None:
    text = job(task("workingDir: /w"))
    assert check_manifest(RULE, text) == [Found(12, 11, "error", "container `main` has no image", "add `image: REGISTRY/NAME:TAG`")]


@pytest.mark.parametrize("written", [
    "busybox", "a.example:5000/b/c:1.0", "localhost/b", "b__c", "b-c--d", f"a.example/b:{'t' * 128}", f"a.example/b:1@sha256:{'0' * 64}",
    "[::1]:5000/b:1",
    f"a.example/{'b' * 245}",
])
def test_reference(written: str) -> None:
    assert fault(written) is None


@pytest.mark.parametrize("written", [
    f"a.example/b:{'t' * 129}", f"a.example/{'b' * 246}", "b___c", "a..b", "a.example/", "a.example//b", "/b", "a_b.example/c",
    "-a.example/b", "b:1:2", "0" * 64,
])
def test_fault(written: str) -> None:
    assert fault(written) is not None and parse(written) is None


def test_full_names() -> None:
    assert parse("busybox") == Image("docker.io", "library/busybox")
    assert parse("team/train:1") == Image("docker.io", "team/train", "1")
    assert parse("index.docker.io/busybox") == Image("docker.io", "library/busybox")
    assert parse("Registry/train") == Image("Registry", "train")
    assert parse("localhost:5000/train:1") == Image("localhost:5000", "train", "1")


def test_each_container() -> None:
    text = job(task("workingDir: /w") + "      - {name: second, image: a b}\n")
    assert [each.message for each in check_manifest(RULE, text)] == ["container `main` has no image", "image `a b` has a blank"]


def test_null_is_no_image() -> None:
    assert check_manifest(RULE, job(task("image: "))) == [
        Found(12, 11, "error", "container `main` has no image", "add `image: REGISTRY/NAME:TAG`")]


def test_other_types_are_for_other_rules() -> None:
    assert check_manifest(RULE, job(task("image: 5"))) == []


def test_het() -> None:
    text = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n---\nimage: a b\ncommand: [python x.py]\n"
    assert check_het("HET501", text) == [Found(3, 8, "error", "image `a b` has a blank", "write `ab`")]
