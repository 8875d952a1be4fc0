"""What the tests of rules share: a manifest or a `.het` text in, what was found in it out."""
from __future__ import annotations

import os
import tempfile
from typing import NamedTuple

from hetc import site as sites
from hetc.diagnostic import Diagnostic, Report
from hetc.manifest import Manifest, words
from hetc.pipeline import Compiler, Options
from hetc.read.yaml import read
from hetc.rule import JobRule, ManifestRule, stamp
from hetc.rules import manifest_rules
from hetc.site import Site
from hetc.source import Source
from hetc.tree import Mapping


class Found(NamedTuple):
    """A diagnostic without its code: place, level, text."""

    line: int
    column: int
    level: str
    message: str
    help: str | None = None


NO_SITE = sites.site(None, None, Report())


def manifest(text: str, emitted: bool = False) -> Manifest:
    """The documents of a YAML text; the text itself must be sound."""
    report = Report()
    documents = read(Source("job.yaml", text), report)
    assert documents is not None and not report.failed, report.sorted()
    return Manifest(tuple(document for document in documents if isinstance(document, Mapping)), emitted)


def check_manifest(rule: ManifestRule | JobRule, text: str, site: Site = NO_SITE, emitted: bool = False) -> list[Found]:
    """What one manifest rule finds in a YAML text, in the order of the places."""
    assert isinstance(rule, ManifestRule)
    report, what = Report(), manifest(text, emitted)
    stamp(rule.code, rule.check(what, site), report)
    assert not report.diagnostics or rule in manifest_rules(words(what), emitted), "the words of hetc.rules keep it from running"
    return [found(diagnostic) for diagnostic in report.sorted()]


def compile_het(text: str, config: str | None = None, name: str = "job.het") -> list[Diagnostic]:
    """Everything that hetc says of a `.het` text (or, by its name, a template); `config` is a site file's text."""
    with tempfile.TemporaryDirectory() as folder:
        path = None
        if config is not None:
            path = os.path.join(folder, "hetc.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(config)
        unit = Compiler(Options(config=path, isolated=config is None)).job(Source(name, text), ask_command=True)
    return unit.report.sorted()


def check_het(code: str, text: str, config: str | None = None, name: str = "job.het") -> list[Found]:
    """What one code says of a `.het` text."""
    return [found(diagnostic) for diagnostic in compile_het(text, config, name) if diagnostic.code.code == code]


def found(diagnostic: Diagnostic) -> Found:
    return Found(*diagnostic.span.start_position(), diagnostic.level, diagnostic.message, diagnostic.help)


def job(*tasks: str, spec: str = "") -> str:
    """A Volcano Job of tasks and of further lines of its spec, each text indented as it stands at its place's own margin."""
    body = "".join(indented(task, 2) for task in tasks)
    return f"apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata:\n  name: demo\nspec:\n{indented(spec, 2)}  tasks:\n{body}"


def task(container: str = "image: a.example/b:1", name: str = "worker", replicas: int = 1, pod: str = "") -> str:
    """One task with one container `main`, which is 5 levels deep."""
    inner = indented(container, 8).lstrip()
    head = f"- name: {name}\n  replicas: {replicas}\n  template:\n    spec:\n"
    return f"{head}{indented(pod, 6)}      containers:\n      - {inner}        name: main\n"


def indented(text: str, blanks: int) -> str:
    return "".join(f"{' ' * blanks}{line}\n" for line in text.rstrip("\n").split("\n")) if text else ""


def cron_job(job: str) -> str:
    """A CronJob that makes such a Job, whose spec moves 2 lines down and 4 columns to the right."""
    head, _, spec = job.partition("spec:\n")
    return f"{head.replace('kind: Job', 'kind: CronJob')}spec:\n  schedule: '@daily'\n  jobTemplate:\n    spec:\n{indented(spec, 4)}"


def cron(*lines: str, name: str = "nightly") -> str:
    """A CronJob with lines of its spec."""
    head = f"apiVersion: batch.volcano.sh/v1alpha1\nkind: CronJob\nmetadata:\n  name: {name}\n"
    return head + "spec:\n" + "".join(f"  {line}\n" for line in lines)


def flow(*lines: str, name: str = "night", namespace: str = "ml") -> str:
    """A JobFlow with flows, one in a line."""
    head = f"apiVersion: flow.volcano.sh/v1alpha1\nkind: JobFlow\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec:\n  flows:\n"
    return head + "".join(f"  - {line}\n" for line in lines)


def queue(name: str, *lines: str, more: str = "") -> str:
    """A document for a Queue with lines of its spec; `more`: lines of its own."""
    head = f"---\napiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata:\n  name: {name}\n{more}"
    return head + "spec:\n" + "".join(f"  {line}\n" for line in lines)
