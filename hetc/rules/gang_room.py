"""A gang, or a group of it, that has to lie in one domain of the network fits into one.

Domains are the HyperNodes that are given, in the same run or as the cluster's. Where the Nodes are given too, what they can allocate
is counted, as if nothing ran on them; else a pod with as many GPUs as a node has takes one.
Source: Volcano's scheduler, plugins gang and network-topology-aware.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding, Label
from hetc.manifest import jobs, number
from hetc.names import counted, shorten
from hetc.quantity import Quantity
from hetc.record import Record
from hetc.rule import ManifestRule
from hetc.topology import NAME, NUMBER, Pod, is_hard, nano, tree
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.topology import Domain, Tree
    from hetc.tree import Node


#: How often a pod is fitted into a node; no job is so large, nor its cluster.
MOST_FITS = 200_000


class Needs(Record):
    """What has to lie in one domain: of each kind of pod at least so many, and of all together at least `pods`.

    `who`: what a message calls them.
    """

    who: str
    least: tuple[tuple[Pod, int], ...]
    pods: int


class Lack(Record):
    """What a domain lacks: so much is needed, `need` in words, and so much it has, `has` in words."""

    wanted: int
    there: int
    need: str
    has: str

    @property
    def share(self) -> int:
        """How much of what is needed there is, in millionths."""
        return self.there * 10**6 // self.wanted


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    found = tree(manifest)
    for job in jobs(manifest) if found.domains else ():
        if len(job.tasks) * len(found.nodes) > MOST_FITS:
            continue
        pods = [Pod(task, found.nodes) for task in job.tasks]
        yield from _bounded(job.spec.get("networkTopology"), _gang(job, pods), found)
        for task, pod in zip(job.tasks, pods):
            yield from _bounded(find(task.node, "partitionPolicy", "networkTopology"), _group(task, pod), found)


def _gang(job: JobView, kinds: list[Pod]) -> Needs:
    """What must run at once; Volcano looks at the minima of tasks only where the job's holds all of them."""
    minima = [_minimum(task) for task in job.tasks]
    given = number(job.spec.get("minAvailable"))
    pods = given or sum(minima)
    counts = minima if pods >= sum(minima) else [0] * len(minima)
    return Needs("the gang", tuple(zip(kinds, counts)), pods)


def _group(task: TaskView, pod: Pod) -> Needs:
    """What of a group of a task's pods must run at once: nothing where it may start with any part."""
    policy = task.node.get("partitionPolicy")
    size, total, least = (number(find(policy, key)) or 0 for key in ("partitionSize", "totalPartitions", "minPartitions"))
    pods = size if least else min(size, _minimum(task)) if total == 1 else 0
    return Needs(f"a group of task `{shorten(task.name)}`", ((pod, pods),), pods)


def _minimum(task: TaskView) -> int:
    given = number(task.node.get("minAvailable"))
    return task.replicas if given is None else given


def _bounded(topology: Node | None, needs: Needs, found: Tree) -> Iterator[Finding]:
    """Whether any domain that a topology allows has room. Nothing is said where the size of one is not known."""
    tier = found.tier(topology) if isinstance(topology, Mapping) and is_hard(topology) else None
    domains = [each for each in found.domains if tier is not None and each.tier <= tier]
    if not isinstance(topology, Mapping) or any(each.nodes is None for each in domains):
        return
    lacks = [(lack, each) for each in domains if (lack := _lack(each, needs, found)) is not None]
    if not domains or len(lacks) < len(domains):
        return
    lack, largest = max(lacks, key=lambda each: each[0].share)
    place = topology.get(NUMBER) or topology.get(NAME) or topology
    yield Finding(f"{needs.who} needs {lack.need} in one domain, and the largest up to tier {tier}, `{shorten(largest.name)}`, "
                  f"has {lack.has}", place.origin.span, "allow a higher tier, or ask for less", (Label(largest.place, "the largest"),))


def _lack(domain: Domain, needs: Needs, found: Tree) -> Lack | None:
    """What an empty domain lacks."""
    names = domain.nodes or frozenset()
    nodes = [found.nodes[name] for name in names if name in found.nodes]
    if not found.nodes or not all(map(_is_measured, nodes)):
        return _lack_of_nodes(len(names), needs)
    return _lack_of_pods(names, needs) or _lack_of_resources(nodes, needs)


def _is_measured(node: Mapping) -> bool:
    """Whether a Node says what can be had of it, as those of a cluster do."""
    has = find(node, "status", "allocatable")
    return isinstance(has, Mapping) and bool(has.entries)


def _lack_of_nodes(count: int, needs: Needs) -> Lack | None:
    """The same where nothing is known of the nodes but their number."""
    alone = sum(least for pod, least in needs.least if pod.takes_node)
    others = sum(pod.task.replicas for pod, _ in needs.least if not pod.takes_node)
    nodes = max(alone, needs.pods - others)
    return Lack(nodes, count, counted(nodes, "node"), str(count)) if nodes > count else None


def _lack_of_pods(names: frozenset[str], needs: Needs) -> Lack | None:
    total = 0
    for pod, least in needs.least:
        fit = sum(pod.rooms.get(name, 0) for name in names)
        total += min(fit, pod.task.replicas)
        if fit < least:
            task = f" of task `{shorten(pod.task.name)}`" if len(needs.least) > 1 else ""
            return Lack(least, fit, f"{counted(least, 'pod')}{task}", f"room for {fit}")
    return Lack(needs.pods, total, counted(needs.pods, "pod"), f"room for {total}") if total < needs.pods else None


def _lack_of_resources(nodes: list[Mapping], needs: Needs) -> Lack | None:
    """What several tasks ask for together, although there is room for each of them."""
    for name in sorted({name for pod, least in needs.least if least for name in pod.asks}):
        need = sum(pod.asks.get(name, 0) * least for pod, least in needs.least)
        known = [find(node, "status", "allocatable", name) for node in nodes]
        has = sum(map(nano, known))
        if need > has and any(each is not None for each in known):
            return Lack(need, has, f"{Quantity(need).canonical()} of `{shorten(name)}`", Quantity(has).canonical())
    return None


RULE = ManifestRule(Code("HET633", "gang-room", WARNING, "a gang larger than any domain that it has to lie in"), check)
