"""A flow file to the JobTemplates of its jobs, and the JobFlow that makes jobs of them in their order.

The name of a job, and the flow's namespace, are layers over the job's own file; all else it says itself. Source: Volcano's JobFlow
controller, which looks for the JobTemplates in the flow's namespace, and calls the job of each `FLOW-TEMPLATE`.
"""
from __future__ import annotations

import os

from hetc import codes
from hetc.diagnostic import Report
from hetc.emit.volcano_kinds import JOBTEMPLATE, flow_document
from hetc.inputs import STDIN, Files
from hetc.judging import STAGES, judge, settle_levels
from hetc.origin import Located
from hetc.pipeline import Compiler, Unit
from hetc.read import flow as reader
from hetc.record import replace
from hetc.source import UsageError
from hetc.tree import Mapping, Scalar, Sequence, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.pipeline import Options
    from hetc.source import Source
    from hetc.tree import Entry, Node


def unit(compiler: Compiler, source: Source, ask_command: bool, parent: bool = False) -> Unit:
    """What came of a text: of a flow file its JobFlow, with the units of its jobs as parts; else of one job.

    `ask_command` and `parent` as `Compiler.job` has them. Raises UsageError for options that a flow cannot take.
    """
    if not reader.is_flow(source):
        return compiler.job(source, ask_command, parent)
    return _Flow(compiler, source).compiled(ask_command)


class _Flow:
    """One flow file on its way."""

    def __init__(self, compiler: Compiler, source: Source) -> None:
        self.compiler = compiler
        self.options = compiler.options
        report = Report()
        report.sources.append(source)
        self.unit = Unit(source, compiler.site(os.path.dirname(source.name) if source.name != STDIN else "", report), report)
        self.files = Files(source, self.options.allow_outside, report, compiler.buffers, self.options.root)

    def compiled(self, ask_command: bool) -> Unit:
        unit, report = self.unit, self.unit.report
        _check_options(self.options)
        tree = reader.read(unit.source, report)
        if tree is not None:
            unit.parts = tuple(self.parts(tree, ask_command))
            flow = self.document(tree, self.namespace(tree))
            unit.document = flow if report.sound() and all(part.document is not None for part in unit.parts) else None
            judge([flow], unit.site, report, emitted=True)
        settle_levels(report, unit.site, STAGES, whole=tree is not None)
        for part in unit.parts:
            _take(report, part.report)
        return unit

    def parts(self, tree: Mapping, ask_command: bool) -> Iterator[Unit]:
        """The jobs, each compiled as a JobTemplate; one whose files cannot be read is left out after a report."""
        namespace = self.given_namespace(tree)
        flow = self.document(tree, namespace)
        for name, entry in _jobs(tree).items():
            sources = [self.files.load(path) for path in _paths(entry.value)]
            job, overlays = sources[0], tuple(each for each in sources[1:] if each is not None)
            if job is None or len(overlays) + 1 < len(sources):
                continue
            if reader.is_flow(job):
                path = next(_paths(entry.value))
                self.unit.report.add(codes.WRONG_TYPE, path.span, f"`{path.value}` is a flow, and a flow makes jobs only",
                                     "name a .het file or a template")
                continue
            compiler = _with(self.compiler, flow, replace(
                self.options, overlays=(*overlays, *self.options.overlays), kind=JOBTEMPLATE, namespace=namespace,
                name=Located(name, entry.key.origin)))
            yield compiler.job(job, ask_command)

    def given_namespace(self, tree: Mapping) -> Located[str] | None:
        """The namespace of the command line, else of the flow."""
        return self.options.namespace or _located(tree.get("namespace"))

    def namespace(self, tree: Mapping) -> Located[str] | None:
        """The namespace of the flow: its own, else that of its jobs, of which a report says where they differ."""
        given = self.given_namespace(tree)
        if given is not None:
            return given
        jobs = [part.job for part in self.unit.parts if part.job is not None]
        for job in jobs[1:]:
            if job.namespace != jobs[0].namespace:
                self.unit.report.add(
                    codes.CONFLICT, job.name.span, f"job `{job.name.value}` is in {_place(job.namespace)}, and `{jobs[0].name.value}` in "
                    f"{_place(jobs[0].namespace)}: Volcano looks for both in the flow's", "write `namespace: NAME` in the flow")
                return None
        return jobs[0].namespace if jobs else None

    def document(self, tree: Mapping, namespace: Located[str] | None) -> Mapping:
        name = self.options.name or _located(tree.get("flow"))
        assert name is not None
        waits = {Located(key, entry.key.origin): find(entry.value, "depends_on") for key, entry in _jobs(tree).items()}
        return flow_document(name, namespace, tree.get("retain") or Scalar(reader.RETAIN, name.origin.derived()), waits)


def _place(namespace: Located[str] | None) -> str:
    return "no namespace of its own" if namespace is None else f"namespace `{namespace.value}`"


def _check_options(options: Options) -> None:
    """Refuse what cannot hold for all jobs of a flow. Raises UsageError."""
    if options.command:
        raise UsageError("a flow has several jobs, and a command goes with one")
    if options.kind not in (None, JOBTEMPLATE):
        raise UsageError(f"a flow is made of JobTemplates, which leaves no choice to `--kind {options.kind}`")


def _with(compiler: Compiler, flow: Mapping, options: Options) -> Compiler:
    """A compiler with other options that knows the flow; what the first has read it need not read again."""
    other = Compiler(options)
    other.folders, other.sites, other.buffers = compiler.folders, compiler.sites, compiler.buffers
    other.given = (*compiler.given, flow)
    return other


def _jobs(tree: Mapping) -> dict[str, Entry]:
    jobs = tree.get("jobs")
    return jobs.entries if isinstance(jobs, Mapping) else {}


def _paths(job: Node) -> Iterator[Located[str]]:
    """The paths that a job names: its source, then its overlays."""
    overlays = find(job, "overlays")
    for node in (find(job, "source"), *(overlays.items if isinstance(overlays, Sequence) else ())):
        located = _located(node)
        if located is not None:
            yield located


def _located(node: Node | None) -> Located[str] | None:
    return Located(node.value, node.origin) if isinstance(node, Scalar) and isinstance(node.value, str) else None


def _take(report: Report, part: Report) -> None:
    """Add what was found in a job."""
    report.diagnostics.extend(part.diagnostics)
    report.suppressed.extend(part.suppressed)
    report.sources.extend(part.sources)
    report.failed = report.failed or part.failed
