"""A gang fits into its queue: it needs no more of a resource than the queue's capability.

Volcano enqueues a job whose least resources, together with what runs in the queue already, are within the capability, and places
no pod beyond it. So a gang that needs more than all of it waits for ever. What the capability leaves out has no bound, nor have cpu
and memory at zero; of any other resource zero is none. What a queue deserves may be exceeded, and what others are guaranteed only
leaves less. Queues above bound a gang where the plugin capacity looks at the hierarchy, and not where proportion, the one that
Volcano installs, does: a warning.

What a gang needs is counted as low as it can be, whichever pods the controller takes for it, and without init containers.
Source: Volcano's scheduler, plugins proportion and capacity (JobEnqueueableFn, AllocatableFn) and api.Resource, whose
MinDimensionResource is asked to take what is not there for infinite; its job controller, calcPGMinResources.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import documents_of, jobs, number, text
from hetc.names import shorten
from hetc.quantity import BINARY_SI, DECIMAL_SI, Quantity
from hetc.record import Record
from hetc.rule import ManifestRule
from hetc.rules.gang_minimum import minimum
from hetc.rules.queue_amounts import amounts
from hetc.rules.queue_parent import ancestors, parents_of
from hetc.topology import asks
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.rules.queue_amounts import Amount
    from hetc.site import Site
    from hetc.source import Span
    from hetc.tree import Mapping

DEFAULT = "default"
#: Resources of which Volcano takes zero for no bound.
UNBOUND_AT_ZERO = ("cpu", "memory")
#: What is counted in bytes.
BYTES = ("memory", "ephemeral-storage", "hugepages-")
#: Resources that Volcano does not hold against a capability, or, parts of devices, only where its settings say so.
_UNCOUNTED = ("pods", "count/", "volcano.sh/")
_PARTS = ("-memory", "-core")


class Ask(Record):
    """Something that is placed whole into a queue, or not at all: `who` it is, and resource -> billionths that it needs.

    `place`: where the queue is named. `level`: how grave it is that the queue has no room; None: as the rule is.
    """

    who: str
    needs: dict[str, int]
    queue: str
    place: Span
    level: str | None = None


class Pods(Record):
    """The pods of a task: how many there are, how many of them the task's own minimum is, and what one of them needs."""

    name: str
    replicas: int
    least: int
    needs: dict[str, int]


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    queues = manifest.objects("Queue")
    parents = parents_of(queues)
    for asked in _asked(manifest):
        told: set[str] = set()
        for ask in asked:
            for name, resource, bound in _exceeded(ask, queues, parents):
                if resource not in told:
                    yield _finding(ask, name, resource, bound)
                told.add(resource)


def _exceeded(ask: Ask, queues: dict[str, Mapping], parents: dict[str, str]) -> Iterator[tuple[str, str, Amount]]:
    """The queues, from the asked one up, with the resources of which they have too little."""
    for name in (ask.queue, *ancestors(ask.queue, parents)):
        for resource, bound in _bounds(queues.get(name)):
            if ask.needs.get(resource, 0) > bound.quantity.nano:
                yield name, resource, bound


def _finding(ask: Ask, name: str, resource: str, bound: Amount) -> Finding:
    need = Quantity(ask.needs[resource], BINARY_SI if resource.startswith(BYTES) else DECIMAL_SI).canonical()
    queue = f"queue `{shorten(name)}`" + (f" above `{shorten(ask.queue)}`" if name != ask.queue else "")
    return Finding(f"{ask.who} needs `{need}` of `{shorten(resource)}`, and the capability of {queue} is `{shorten(bound.node.text)}`",
                   ask.place, "ask for less, or choose a queue with more", (Label(bound.node.origin.span, "its capability"),),
                   ask.level if name == ask.queue else WARNING)


def _bounds(queue: Mapping | None) -> Iterator[tuple[str, Amount]]:
    """The resources of which a queue's jobs have no more than an amount."""
    for resource, amount in amounts(find(queue, "spec", "capability")).items():
        if amount.quantity.nano >= (1 if resource in UNBOUND_AT_ZERO else 0):
            yield resource, amount


def _asked(manifest: Manifest) -> Iterator[list[Ask]]:
    """What each job and PodGroup asks for, the graver first."""
    for job in jobs(manifest):
        node = job.spec.get("queue")
        queue, place = text(node) or DEFAULT, job.name_span if node is None else node.origin.span
        kinds = [_pods(task) for task in job.tasks if task.replicas > 0]
        alone = [Ask(f"a pod of task `{shorten(kind.name)}`", kind.needs, queue, place, WARNING) for kind in kinds]
        yield [Ask("the gang", _gang(job, kinds), queue, place), *alone]
    for group in documents_of(manifest.documents, "PodGroup"):
        node = find(group, "spec", "queue")
        least = {name: amount.quantity.nano for name, amount in amounts(find(group, "spec", "minResources")).items()}
        yield [Ask("the gang", _counted(least), text(node) or DEFAULT, (node or group).origin.span)]


def _pods(task: TaskView) -> Pods:
    return Pods(task.name, task.replicas, min(minimum(task), task.replicas), _counted(asks(task)))


def _gang(job: JobView, kinds: list[Pods]) -> dict[str, int]:
    """Resource -> the least that as many pods as must run at once need of it.

    Volcano looks at the minima of tasks only where the job's holds all of them.
    """
    minima = sum(kind.least for kind in kinds)
    pods = number(job.spec.get("minAvailable")) or minima
    fixed = [kind.least if pods >= minima else 0 for kind in kinds]
    return {resource: _least(resource, pods, kinds, fixed) for resource in {name for kind in kinds for name in kind.needs}}


def _least(resource: str, pods: int, kinds: list[Pods], fixed: list[int]) -> int:
    """What so many pods need of a resource at least: `fixed` of each kind, and the cheapest of the others."""
    offers = [(kind.needs.get(resource, 0), count, kind.replicas - count) for kind, count in zip(kinds, fixed)]
    total = sum(need * count for need, count, _ in offers)
    left = pods - sum(fixed)
    for need, _, spare in sorted(offers):
        taken = max(0, min(left, spare))
        left -= taken
        total += need * taken
    return total


def _counted(needs: dict[str, int]) -> dict[str, int]:
    return {name: amount for name, amount in needs.items() if not name.startswith(_UNCOUNTED) and not name.endswith(_PARTS)}


RULE = ManifestRule(Code("HET634", "queue-room", ERROR, "a gang that needs more than its queue may ever have"), check)
