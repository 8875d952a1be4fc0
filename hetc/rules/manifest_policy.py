"""What the site file's `[policy]` allows, held against Volcano's kinds that are written by hand or patched.

A job of hetc's own is judged where it is written, by the rule over jobs of the same code; a manifest has lost what that looks at.
Only what the site file names is looked at: tolerations and affinity, which jobs of hetc's have only by permission, are free here.
A part of an object, such as a patch, is asked for what it says itself, and not for what has to be there; its namespace says only which
object is meant.
"""
from __future__ import annotations

from hetc import image
from hetc.diagnostic import Finding, Label
from hetc.manifest import jobs, text, texts
from hetc.names import shorten
from hetc.quantity import QuantityError, parse
from hetc.rule import ManifestRule
from hetc.rules.bad_annotation import metadata
from hetc.rules.site_policy import RULE as OF_JOBS
from hetc.rules.site_policy import because, listed
from hetc.tree import Mapping, Scalar, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.origin import Located
    from hetc.site import Policy, Site
    from hetc.source import Span
    from hetc.tree import Node

#: Resources that are GPUs whatever the site says.
_GPUS = ("nvidia.com/gpu", "amd.com/gpu", "volcano.sh/vgpu-number")
_MIG = "nvidia.com/mig-"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        yield from _queue(job, site.policy, manifest.parts)
        if not manifest.parts:
            yield from _namespace(job, site.policy)
            yield from _labels(job, site.policy)
        yield from _gpus(job, site)
        for task in job.tasks:
            yield from _images(task, site.policy)
            yield from _nodes(task, site)


def _queue(job: JobView, policy: Policy, is_part: bool) -> Iterator[Finding]:
    node = job.spec.get("queue")
    if node is not None or not is_part:
        yield from _name(job, "queue", node, policy.queues, "default")


def _namespace(job: JobView, policy: Policy) -> Iterator[Finding]:
    yield from _name(job, "namespace", find(job.document, "metadata", "namespace"), policy.namespaces)


def _name(
    job: JobView, what: str, node: Node | None, allowed: tuple[Located[str], ...] | None, default: str | None = None,
) -> Iterator[Finding]:
    name = text(node) or default
    if allowed is not None and name not in [each.value for each in allowed]:
        place = node.origin.span if node is not None else job.name_span
        said = f"the {what} `{shorten(name)}`" if name else f"a job without a {what}"
        yield _not_allowed(said, place, allowed, f"write `{what}: {allowed[0].value}`" if allowed else "leave the job out")


def _labels(job: JobView, policy: Policy) -> Iterator[Finding]:
    has = {str(key.value) for key, _ in texts(find(metadata(job), "labels"))}
    for label in policy.required_labels:
        if label.value not in has:
            yield Finding(f"the job has no label `{shorten(label.value)}`, which the site requires", job.name_span,
                          f"add `{label.value}` to the labels of its metadata", (Label(label.span, "the site's policy"),))


def _gpus(job: JobView, site: Site) -> Iterator[Finding]:
    most = site.policy.max_gpus
    counted = [(task.replicas * number, node) for task in job.tasks if most is not None for number, node in _counted(task, site)]
    total = sum(number for number, _ in counted)
    if most is not None and total > most.value:
        largest = max(counted, key=lambda pair: pair[0])[1]
        yield Finding(f"the job asks for {total} GPUs, and the site allows {most.value}", largest.origin.span,
                      "ask for fewer GPUs or replicas", (Label(most.span, "the site's policy"),))


def _counted(task: TaskView, site: Site) -> Iterator[tuple[int, Node]]:
    """The GPUs of a pod: those of its containers, as what starts before them is over then."""
    names = {*_GPUS, *site.gpu.resources(), *(resource for _, resource in site.resources)}
    for container in task.containers():
        limits = find(container.node, "resources", "limits")
        for name, entry in limits.entries.items() if isinstance(limits, Mapping) and container.list == "containers" else ():
            if (name in names or name.startswith(_MIG)) and isinstance(entry.value, Scalar):
                try:
                    yield parse(str(entry.value.value)).value(), entry.value
                except QuantityError:
                    continue  # that is a rule of its own


def _images(task: TaskView, policy: Policy) -> Iterator[Finding]:
    allowed = policy.registries
    if allowed is None:
        return
    for container in task.containers():
        node = container.node.get("image")
        parsed = image.parse(text(node) or "")
        if node is not None and parsed is not None and not any(image.covers(each.value, parsed.name) for each in allowed):
            yield _not_allowed(f"the image `{shorten(parsed.name)}`", node.origin.span, allowed, "use an image of an allowed registry")


def _nodes(task: TaskView, site: Site) -> Iterator[Finding]:
    """Labels that pods choose nodes by; those of GPU products need no permission."""
    allowed, selector = site.policy.node_labels, find(task.pod, "nodeSelector")
    if allowed is None or not isinstance(selector, Mapping):
        return
    free = site.gpu.labels().union(each.value for each in allowed)
    for key, entry in selector.entries.items():
        if key not in free:
            yield _not_allowed(f"jobs to select by the node label `{shorten(key)}`", entry.key.origin.span, allowed,
                               "leave it out, or select by an allowed label")


def _not_allowed(what: str, place: Span, allowed: tuple[Located[str], ...], help: str) -> Finding:
    return Finding(f"the site does not allow {what}, only {listed(allowed)}", place, help, because(allowed))


RULE = ManifestRule(OF_JOBS.code, check)
