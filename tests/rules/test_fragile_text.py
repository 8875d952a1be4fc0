"""HET611: text that does not arrive."""
from __future__ import annotations

import pytest

from hetc.diagnostic import Report
from hetc.manifest import Manifest
from hetc.read.manifest import read
from hetc.rules.fragile_text import RULE
from hetc.source import Source
from tests.rules.checks import NO_SITE, check_het, check_manifest


@pytest.mark.parametrize("escape", [r"\0", r"\ud800"])
@pytest.mark.parametrize("emitted", [True, False])
@pytest.mark.parametrize(("text", "place"), [('a: {{b: "x{}y"}}', (1, 8)), ('a: {{"x{}y": b}}', (1, 5)), ('a: [1, "x{}\ty"]', (1, 8))])
def test_refused(escape: str, emitted: bool, text: str, place: tuple[int, int]) -> None:
    [found] = check_manifest(RULE, text.format(escape), emitted=emitted)
    assert found[:3] == (*place, "error")
    assert found.message.startswith("the text cannot be written: ")
    assert found.help == "leave the character out"


@pytest.mark.parametrize("value", [r"x\u2028", r"\ufeff", r"\e[0m", "=", "<<", r"a\nb\u0085"])
def test_fragile(value: str) -> None:
    [found] = check_manifest(RULE, f'a: "{value}"', emitted=True)
    assert found[:3] == (1, 4, "warning")
    assert found.message.startswith("the text is fragile: ")
    assert found.help == "leave it out if the manifest goes through kustomize"
    assert check_manifest(RULE, f'a: "{value}"') == []


@pytest.mark.parametrize("value", ["a\\nb\\tc", "ü 語 😀", "a=b", "==", "", "5"])
def test_sound(value: str) -> None:
    assert check_manifest(RULE, f'a: "{value}"\nb: 5\nc: true\n', emitted=True) == []


def test_fragile_keys() -> None:
    assert [found[:3] for found in check_manifest(RULE, r'{"x\u2028": a}', emitted=True)] == [(1, 2, "warning")]
    assert check_manifest(RULE, r'{"x\u2028": a}') == []


def test_het() -> None:
    text = '1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: [python x.py]\nenv: {{A: "{}"}}\n'
    assert [found[:3] for found in check_het("HET611", text.format(r"a\0"))] == [(5, 10, "error")]
    assert [found[:3] for found in check_het("HET611", text.format("="))] == [(5, 10, "warning")]
    assert check_het("HET611", text.format("a")) == []


def test_text_from_outside_of_the_object() -> None:
    """An object in a list may take a text from anywhere in it."""
    text = 'apiVersion: v1\nkind: List\nmetadata: {name: &a "\\0"}\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  data: {b: *a}\n'
    report = Report()
    (document,) = read(Source("a.yaml", text), report).documents
    [found] = RULE.check(Manifest((document,)), NO_SITE)
    assert found.span.start_position() == (3, 18)
