"""Flow files: which file is one, and its keys. One names jobs, the files that they are compiled from, and which wait for which.

    flow: nightly
    jobs:
      prepare: prepare.het
      train: {source: train.het, depends_on: [prepare]}
"""
from __future__ import annotations

import re

from hetc import codes
from hetc.diagnostic import Report
from hetc.fields import Choice, Field, ListOf, MapOf, Shape, Text
from hetc.names import shorten
from hetc.read.overlay import Checker
from hetc.read.yaml import read as read_yaml
from hetc.source import Span
from hetc.tree import Entry, Mapping, Scalar, find, is_null, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.source import Source
    from hetc.tree import Node

RETAIN = "retain"

JOB = Shape((
    Field("source", Text("a path"), "The `.het` file or template of the job, relative to this file. A text in the job's place is this one.",
          "train.het"),
    Field("overlays", ListOf(Text("a path")), "Overlays on top of it, later ones over earlier ones.", ["large.het.yaml"]),
    Field("depends_on", ListOf(Text("a job"), once=True), "The jobs of this file that must have completed before this one is made.",
          ["prepare"]),
))

#: The keys of a flow file.
FIELDS: tuple[Field, ...] = (
    Field("flow", Text("a flow's name"), "The JobFlow's name.", "nightly"),
    Field("namespace", Text("a namespace"), "The namespace of the flow and of its jobs.", "training"),
    Field("retain", Choice("a policy", (RETAIN, "delete")), "Whether jobs are kept or deleted once all have completed.",
          "delete", RETAIN),
    Field("jobs", MapOf(JOB, "job"), "Name -> a job; the flow's jobs are called FLOW-NAME.",
          {"prepare": {"source": "prepare.het"}, "train": {"source": "train.het", "depends_on": ["prepare"]}}),
)

#: Keys of JobFlows that say nothing, and why.
UNUSED = {
    "probe": "Volcano waits until the jobs of `depends_on` have completed, and looks at no probe",
    "patch": "Volcano makes the job as its JobTemplate says",
}

_FORM = "write `flow: NAME`, and below `jobs:` each job as `NAME: FILE`"
_NAMED = (".flow.yaml", ".flow.yml")
_FLOW, _JOBS = (re.compile(rf"""(?:^|[{{,\s])["']?{key}["']?[ \t]*:""") for key in ("flow", "jobs"))


def is_flow(source: Source) -> bool:
    """Whether the text is a flow file: its name ends with `.flow.yaml`, or it is a mapping with `flow` and `jobs`.

    Reports nothing. Text that is no YAML is one when its lines look like one: its mistakes are then reported as such.
    """
    if source.name.endswith(_NAMED):
        return True
    if source.name.endswith((".het", ".het.yaml", ".het.yml")) or not _FLOW.search(source.text) or not _JOBS.search(source.text):
        return False
    documents = read_yaml(source, Report())
    if documents is None:
        return re.search(r"^flow[ \t]*:", source.text, re.MULTILINE) is not None
    tree = next((each for each in documents if not is_null(each)), None)
    return isinstance(tree, Mapping) and {"flow", "jobs"} <= set(tree.entries) and "apiVersion" not in tree.entries


def read(source: Source, report: Report) -> Mapping | None:
    """The checked tree of a flow file, each job spelt out as a mapping with a source; None after an error."""
    documents = read_yaml(source, report)
    given = [each for each in documents or [] if not is_null(each)]
    start = Span(source, 0, min(1, len(source.text)))
    tree = given[0] if given else None
    if documents is None:
        return None
    if not isinstance(tree, Mapping):
        what = "the flow is empty" if tree is None else f"a flow is a mapping, not {kind(tree)}"
        report.add(codes.WRONG_TYPE, start if tree is None else tree.origin.span, what, _FORM)
        return None
    if len(given) > 1:
        report.add(codes.WRONG_TYPE, given[1].origin.span, "a second document, and a flow is one document",
                   "write it to a file of its own")
    tree = _spelt_out(tree, report)
    Checker(report).fields(tree, FIELDS, "a flow", {})
    if not report.failed:
        _complete(tree, start, report)
    return None if report.failed else tree


def _spelt_out(tree: Mapping, report: Report) -> Mapping:
    """The tree with each `NAME: FILE` written as `NAME: {source: FILE}`, after a report of keys that say nothing."""
    jobs = tree.get("jobs")
    if not isinstance(jobs, Mapping):
        return tree
    entries = {name: Entry(entry.key, _job(entry.value, report)) for name, entry in jobs.entries.items()}
    return Mapping({**tree.entries, "jobs": Entry(tree.entries["jobs"].key, Mapping(entries, jobs.origin))}, tree.origin)


def _job(job: Node, report: Report) -> Node:
    if isinstance(job, Scalar) and not is_null(job):
        return Mapping({"source": Entry(Scalar("source", job.origin), job)}, job.origin)
    if not isinstance(job, Mapping):
        return job
    for key in UNUSED:
        if key in job.entries:
            report.add(codes.UNKNOWN_KEY, job.key_span(key), f"`{key}` would have no effect: {UNUSED[key]}", "leave it out")
    return Mapping({key: entry for key, entry in job.entries.items() if key not in UNUSED}, job.origin)


def _complete(tree: Mapping, start: Span, report: Report) -> None:
    jobs = tree.get("jobs")
    if is_null(tree.get("flow")) or tree.get("flow") is None:
        report.add(codes.MISSING, start, "the flow has no name", "write `flow: NAME`")
    if not isinstance(jobs, Mapping) or not jobs.entries:
        report.add(codes.MISSING, start, "the flow has no jobs", _FORM)
        return
    for name, entry in jobs.entries.items():
        source = find(entry.value, "source")
        if source is None or is_null(source):
            report.add(codes.MISSING, entry.key.origin.span, f"job `{shorten(name)}` has no `source`", f"write `{name}: FILE`")
