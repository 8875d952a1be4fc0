"""A topology is bounded by a tier that HyperNodes have.

That can be told from the HyperNodes that are given, in the same run or as the cluster's. Source: Volcano's scheduler, which logs a
tier name that it does not find and goes on without a bound, and takes no HyperNode above the tier that is given.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding, Label
from hetc.manifest import number, text
from hetc.names import nearest, shorten, some
from hetc.rule import ManifestRule
from hetc.topology import NAME, NUMBER, is_hard, topologies, tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.topology import Tree
    from hetc.tree import Mapping


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    found = tree(manifest)
    for topology in topologies(manifest) if found.domains else ():
        yield from _number(topology, found)
        yield from _name(topology, found)


def _number(topology: Mapping, found: Tree) -> Iterator[Finding]:
    node = topology.get(NUMBER)
    tier = number(node)
    if node is None or tier is None or not is_hard(topology):
        return
    lowest, highest = found.domains[0], found.domains[-1]
    if tier > highest.tier:
        yield Finding(f"tier {tier} is above {highest.tier}, the highest of the HyperNodes, and bounds nothing", node.origin.span,
                      f"write at most {highest.tier}", (Label(highest.place, "the highest"),))
    elif tier < lowest.tier:
        yield Finding(f"tier {tier} is below {lowest.tier}, the lowest of the HyperNodes, so that no pod is ever placed", node.origin.span,
                      f"write at least {lowest.tier}", (Label(lowest.place, "the lowest"),))


def _name(topology: Mapping, found: Tree) -> Iterator[Finding]:
    node = topology.get(NAME)
    name = text(node)
    if node is None or not name or name in found.names:
        return
    close = nearest(name, found.names)
    known = f"known are {some(found.names)}" if found.names else "none of them has a name: write the tier's number"
    yield Finding(f"no HyperNode has the tier name `{shorten(name)}`, and Volcano goes on without a bound", node.origin.span,
                  f"did you mean `{close}`?" if close else known)


RULE = ManifestRule(Code("HET632", "given-tier", WARNING, "a tier that the HyperNodes do not have"), check)
