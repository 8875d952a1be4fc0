"""A small Job with one thing in it, at a known place, and the secondary places of what is said of it."""
from __future__ import annotations

from textwrap import indent

from hetc.diagnostic import Report
from hetc.rule import ManifestRule, stamp
from tests.rules.checks import NO_SITE, manifest


def job(container: str = "", pod: str = "", spec: str = "", name: str = "demo", replicas: int = 1) -> str:
    """A Volcano Job of one task. `container` begins at line 13, column 11; `pod` follows at column 9, `spec` at column 3."""
    return (
        "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\n"
        f"metadata: {{name: {name}}}\n"
        "spec:\n  tasks:\n  - name: worker\n"
        f"    replicas: {replicas}\n"
        "    template:\n      spec:\n        containers:\n        - name: main\n          image: registry.example/train:1.0\n"
        + indent(container, " " * 10) + indent(pod, " " * 8) + indent(spec, " " * 2)
    )


def related(rule: ManifestRule, text: str) -> list[tuple[int, int, str]]:
    """Line, column and text of the secondary places of what a rule finds in a YAML text."""
    report = Report()
    stamp(rule.code, rule.check(manifest(text), NO_SITE), report)
    return [(*label.span.start_position(), label.message) for each in report.sorted() for label in each.related]
