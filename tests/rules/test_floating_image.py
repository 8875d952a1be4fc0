"""HET702: images whose tag moves."""
from __future__ import annotations

import pytest

from hetc.rules.floating_image import RULE
from tests.rules.checks import Found, check_het, check_manifest, job, task


@pytest.mark.parametrize(("written", "wrong"), [
    ("a.example/b", "has no tag, which means `latest`"),
    ("a.example:5000/b", "has no tag, which means `latest`"),
    ("a.example/b:latest", "has the tag `latest`, which moves"),
])
def test_moves(written: str, wrong: str) -> None:
    help = f"pin a version, such as `{written.removesuffix(':latest')}:1.0`, or a digest"
    assert check_manifest(RULE, job(task(f"image: {written}"))) == [Found(12, 18, "warning", f"image `{written}` {wrong}", help)]


@pytest.mark.parametrize("written",
                         ["a.example/b:1", "a.example/b:latest-1", f"a.example/b@sha256:{'0' * 64}", f"b:latest@sha256:{'0' * 64}", "A B",
                          "5"])
def test_stays_or_is_no_image(written: str) -> None:
    assert check_manifest(RULE, job(task(f"image: {written}"))) == []


def test_each_container() -> None:
    text = job(task("image: a.example/b:1") + "      - {name: second, image: a.example/c}\n")
    assert [each.message for each in check_manifest(RULE, text)] == ["image `a.example/c` has no tag, which means `latest`"]


def test_an_inherited_image_is_told_once() -> None:
    text = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n---\nimage: b\ncommand: [python x.py]\n"
    assert [found[:3] for found in check_het("HET702", text)] == [(3, 8, "warning")]
