"""What the site file's `[policy]` allows: namespaces, queues, registries, node labels, GPUs, required labels.

An image is judged by its full name (`docker.io/library/busybox` for `busybox`). A registry without `/` is a whole host; with one it
is the beginning of a full name. Labels that hetc derives from a GPU model are no choice of the user's and need no permission.
"""
from __future__ import annotations

from hetc import image, ir
from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.names import shorten
from hetc.origin import DERIVED
from hetc.rule import JobRule
from hetc.site import ANY
from hetc.tree import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job
    from hetc.origin import Located
    from hetc.site import Policy, Site
    from hetc.source import Span


def check(job: Job, site: Site) -> Iterator[Finding]:
    policy = site.policy
    yield from _namespace(job, policy)
    yield from _queue(job, policy)
    yield from _images(job, policy)
    yield from _node_labels(job, policy)
    yield from _gpus(job, policy)
    yield from _labels(job, policy)
    yield from _taints(job, policy)
    yield from _affinity(job, policy)


def _namespace(job: Job, policy: Policy) -> Iterator[Finding]:
    allowed = policy.namespaces
    if allowed is None:
        return
    if job.namespace is None:
        yield Finding(f"no namespace is set, and the site allows only {listed(allowed)}", job.name.span,
                      _write("namespace", allowed), because(allowed))
    elif job.namespace not in allowed:
        yield Finding(f"the site does not allow the namespace `{shorten(job.namespace.value)}`, only {listed(allowed)}", job.namespace.span,
                      _write("namespace", allowed), because(allowed))


def _queue(job: Job, policy: Policy) -> Iterator[Finding]:
    allowed = policy.queues
    queue = job.backend.get("queue")
    name = queue.text if isinstance(queue, Scalar) else "default"
    if allowed is not None and name not in [each.value for each in allowed]:
        place = queue.origin.span if queue is not None else job.name.span
        said = f"the queue `{shorten(name)}`" if queue is not None else f"the queue `{name}`, which holds where none is set"
        yield Finding(f"the site does not allow {said}, only {listed(allowed)}", place, _write("queue", allowed), because(allowed))


def _images(job: Job, policy: Policy) -> Iterator[Finding]:
    allowed = policy.registries
    for task in job.tasks if allowed is not None else ():
        parsed = image.parse(task.image.value) if task.image is not None else None
        if allowed is None or task.image is None or parsed is None or any(image.covers(each.value, parsed.name) for each in allowed):
            continue
        yield Finding(f"the site does not allow the image `{shorten(parsed.name)}`, only images of {listed(allowed)}", task.image.span,
                      "use an image of an allowed registry", because(allowed))


def _node_labels(job: Job, policy: Policy) -> Iterator[Finding]:
    allowed = policy.node_labels
    for task in job.tasks if allowed is not None else ():
        for key, _ in task.node_selector:
            if allowed is not None and key.origin.how != DERIVED and key not in allowed:
                yield Finding(f"the site does not allow jobs to select by the node label `{shorten(key.value)}`, only by {listed(allowed)}",
                              key.span, "leave it out, or select by an allowed label", because(allowed))


def _gpus(job: Job, policy: Policy) -> Iterator[Finding]:
    most, asked = policy.max_gpus, ir.totals(job).gpus
    if most is None or asked <= most.value:
        return
    largest = max(job.tasks, key=lambda task: task.replicas.value * task.gpus.value)
    yield Finding(f"the job asks for {asked} GPUs, and the site allows {most.value}", largest.gpus.span, "ask for fewer GPUs or replicas",
                  (Label(most.span, "the site's policy"),))


def _labels(job: Job, policy: Policy) -> Iterator[Finding]:
    has = [key for key, _ in job.labels]
    for label in policy.required_labels:
        if label not in has:
            yield Finding(f"the job has no label `{shorten(label.value)}`, which the site requires", job.name.span,
                          f"write `labels: {{{label.value}: VALUE}}`", (Label(label.span, "the site's policy"),))


def _taints(job: Job, policy: Policy) -> Iterator[Finding]:
    for each in dict.fromkeys((toleration.origin.span, toleration) for task in job.tasks for toleration in task.tolerations):
        key = each[1].get("key")
        name = key.text if isinstance(key, Scalar) else ""
        if not _allows(policy.tolerations, name):
            what = f"the taint `{shorten(name)}`" if name else "every taint"
            yield Finding(f"the site does not allow jobs to tolerate {what}, only {listed(policy.tolerations)}", each[0],
                          "leave it out, or have `[policy] tolerations` of the site file name it", because(policy.tolerations))


def _affinity(job: Job, policy: Policy) -> Iterator[Finding]:
    for key in (each.get("key") for task in job.tasks for each in (*task.required, *task.preferred)):
        if isinstance(key, Scalar) and not _allows(policy.affinity, key.text):
            yield Finding(f"the site does not allow `affinity` by the node label `{shorten(key.text)}`, only by {listed(policy.affinity)}",
                          key.origin.span, "leave it out, or have `[policy] affinity` of the site file name it", because(policy.affinity))


def _allows(names: tuple[Located[str], ...], name: str) -> bool:
    """Whether what only a site can allow is allowed."""
    return any(each.value in (ANY, name) for each in names)


def listed(names: tuple[Located[str], ...]) -> str:
    """What is allowed, in a message."""
    return ", ".join(f"`{shorten(name.value)}`" for name in names) or "none"


def _write(key: str, names: tuple[Located[str], ...]) -> str | None:
    return f"write `{key}: {names[0].value}`" if names else None


def because(names: tuple[Located[str], ...]) -> tuple[Label, ...]:
    """Where the site says it."""
    spans: list[Span] = [name.span for name in names[:1]]
    return tuple(Label(span, "the site's policy") for span in spans)


RULE = JobRule(Code("HET801", "site-policy", ERROR, "what the site file's policy does not allow"), check)
