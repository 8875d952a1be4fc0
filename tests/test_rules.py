"""The table of rules: what runs, and that the words which decide it leave out no rule that would find something."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hetc import rules
from hetc.api import GROUPS, MANAGED_BY
from hetc.diagnostic import Report
from hetc.manifest import Given, Manifest, words
from hetc.names import normal
from hetc.pipeline import Compiler, Options
from hetc.read.manifest import read
from hetc.rule import JobRule, ManifestRule, stamp
from hetc.rules import misplaced_metadata
from hetc.rules.bad_annotation import KEYS
from hetc.rules.owned_metadata import OWNERS
from hetc.rules.virtual_gpu import SHARES
from hetc.source import Source
from tests.conftest import ROOT
from tests.manifests import MANIFESTS
from tests.rules.checks import NO_SITE
from tests.test_robust import TREES, written_out

if TYPE_CHECKING:
    from tests.manifests import Data

KINDS = ("PersistentVolumeClaim",)
MANIFEST = [rule for rule in rules.RULES if isinstance(rule, ManifestRule)]


def test_every_module_is_in_the_table() -> None:
    modules = {name.removesuffix(".py") for name in os.listdir(os.path.join(ROOT, "hetc", "rules")) if name.endswith(".py")}
    assert modules - {"__init__"} == {*rules.MANIFEST_RULES, *rules.JOB_RULES}
    assert set(rules.MANIFEST_RULES) > rules.BY_HAND


def test_each_table_has_rules_of_its_kind() -> None:
    assert all(isinstance(rule, JobRule) for rule in rules.job_rules())
    assert len(MANIFEST) == len(rules.MANIFEST_RULES)


@pytest.mark.parametrize("line", [line for line in rules.MANIFEST_RULES.values() if line])
def test_words_are_such_as_the_api_has(line: str) -> None:
    assert all(normal(word) == word.lower().replace("-", "") for word in line.split())
    assert all(word.isalpha() for word in line.split() if word not in KEYS and not word.endswith("/"))
    assert {word for word in line.split() if word[0].isupper()} <= {*GROUPS, *KINDS}


def test_keys_that_no_rule_asks_for_are_not_kept() -> None:
    """Else a run over many large files would hold the keys of all of them."""
    rules.manifest_rules(frozenset(("volumes",)), False)
    before = rules._manifest_rules.cache_info().currsize
    assert len({rules.manifest_rules(frozenset(("volumes", f"key{number}", f"example.com/key{number}")), False) for number in range(9)}) == 1
    assert rules._manifest_rules.cache_info().currsize == before


def test_findings_keep_no_keys() -> None:
    report = Compiler(Options(isolated=True)).manifest(Source("job.yaml", "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\n")).report
    assert report.diagnostics
    assert not any(each.span.source.keys for each in report.diagnostics)


def test_a_key_of_volcanos_brings_the_rules_that_read_it() -> None:
    def of(*keys: str) -> set[str]:
        return {rule.check.__module__.rpartition(".")[2] for rule in rules.manifest_rules(frozenset(map(normal, keys)), False)}

    for key in (*KEYS, *misplaced_metadata.FIELDS):
        assert {"bad_annotation", "misplaced_metadata"} <= of(key)
    assert all("inactive_annotation" in of(key) for key in KEYS if KEYS[key].needs)
    assert all("misplaced_metadata" in of(key) for key in (*misplaced_metadata.OTHERS, f"{misplaced_metadata.APPARMOR}main"))
    assert all("controller_metadata" in of(key) for key in OWNERS if key != MANAGED_BY)
    assert all("virtual_gpu" in of(key) for key in SHARES)
    assert of("app", "example.com/volcano.sh") == of()


def test_what_counts_as_a_word() -> None:
    documents = read(Source("x.yaml", "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nspec: {x: [{Host_Path: &a {b: c}}, *a], 'k-y': d}\n"), Report()).documents
    assert words(Manifest(documents)) == {"apiversion", "kind", "spec", "x", "hostpath", "b", "ky", "Job"}
    twice = read(Source("x.yaml", "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nspec: {}\nspec: {privileged: true}\n"), Report()).documents
    assert "privileged" in words(Manifest(twice))
    queue = read(Source("q.yaml", "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\n"), Report()).documents
    assert "Queue" in words(Manifest((), False, Given(queue)))
    assert "Queue" in words(Manifest((), False, Given((), frozenset(("Queue",)))))


def of_all(text: str, emitted: bool) -> None:
    """Assert that every rule that finds something in a text would have been run on it."""
    manifest = Manifest(read(Source("x.yaml", text), Report()).documents, emitted)
    run = list(rules.manifest_rules(words(manifest), False))
    for rule in MANIFEST:
        if rule not in run:
            report = Report()
            stamp(rule.code, rule.check(manifest, NO_SITE), report)
            assert report.sorted() == [], rule.code.name


@settings(max_examples=60)
@given(MANIFESTS, st.booleans())
def test_no_rule_is_left_out_of_right_manifests(documents: list[Data], emitted: bool) -> None:
    import json

    of_all("\n---\n".join(map(json.dumps, documents)), emitted)


VOLCANO = "apiVersion: batch.volcano.sh/v1alpha1\nkind: {}\nspec:\n  tasks:\n  - name: w\n    replicas: 2\n"


@settings(max_examples=200)
@given(st.sampled_from(["Job", "CronJob"]), TREES, st.sampled_from([2, 4]), st.booleans())
def test_no_rule_is_left_out_of_strange_manifests(kind: str, tree: object, margin: int, emitted: bool) -> None:
    body = written_out(tree, " " * margin) if isinstance(tree, dict) else ""
    of_all(VOLCANO.format(kind).rstrip() + body + "\n", emitted)
