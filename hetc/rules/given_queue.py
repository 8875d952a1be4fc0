"""A job or PodGroup goes into a queue that exists, is open, and has no queues below it.

That can be told from the Queues that are given with it: in the same run, or as the cluster's. A queue that is not in the run may
still be in the cluster: a warning; one that the cluster does not have: an error.
Source: Volcano's webhooks `/jobs/validate` and `/podgroups/validate`.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding, Label
from hetc.manifest import documents_of, jobs, text
from hetc.names import nearest, shorten, some
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site
    from hetc.source import Span
    from hetc.tree import Mapping, Node

DEFAULT, ROOT, OPEN = "default", "root", "Open"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    queues = manifest.objects("Queue")
    states = _states(manifest)
    parents = {parent: name for name, queue in queues.items() if (parent := text(find(queue, "spec", "parent")))}
    for node, is_job in _users(manifest) if queues else ():
        name = text(node)
        if node is None or not name:
            continue
        if name not in queues:
            yield from _missing(node, name, queues, "Queue" in manifest.given.listed)
            continue
        state = states.get(name)
        if state is not None and text(state) != OPEN:
            yield Finding(f"queue `{shorten(name)}` is `{shorten(text(state) or '')}`, and takes no jobs", node.origin.span,
                          "name a queue that is open", (Label(state.origin.span, "its state"),))
        if is_job and name in parents and name != ROOT:
            yield Finding(f"queue `{shorten(name)}` has queues below it, here `{shorten(parents[name])}`, and takes no jobs itself",
                          node.origin.span, f"name a queue below it, such as `{shorten(parents[name])}`",
                          (Label(_place(queues[parents[name]], "parent"), "its child"),))


def _users(manifest: Manifest) -> Iterator[tuple[Node | None, bool]]:
    """Where queues are named, and whether by a job."""
    for job in jobs(manifest):
        yield job.spec.get("queue"), True
    for group in documents_of(manifest.documents, "PodGroup"):
        yield find(group, "spec", "queue"), False


def _missing(node: Node, name: str, queues: dict[str, Mapping], is_whole: bool) -> Iterator[Finding]:
    """A queue that is not given; `is_whole`: the cluster has no other. Volcano makes two of them itself."""
    if name in (DEFAULT, ROOT):
        return
    close = nearest(name, queues)
    where, hint = ("in the cluster", "its name; there are") if is_whole else ("given here", "that it is in the cluster; given are")
    yield Finding(f"queue `{shorten(name)}` is none of the queues {where}", node.origin.span,
                  f"did you mean `{close}`?" if close else f"check {hint} {some(queues)}", level=ERROR if is_whole else WARNING)


def _states(manifest: Manifest) -> dict[str, Node]:
    """Queue -> where its state is written, if anywhere: a manifest that is yet to be applied says none, and the cluster does."""
    found = {}
    for queue in documents_of((*manifest.given.documents, *manifest.documents), "Queue"):
        name, state = text(find(queue, "metadata", "name")), find(queue, "status", "state")
        if name and state is not None and text(state):
            found[name] = state
    return found


def _place(queue: Mapping, key: str) -> Span:
    node = find(queue, "spec", key)
    return (node or queue).origin.span


RULE = ManifestRule(Code("HET520", "given-queue", ERROR, "a job in a queue that is closed, has children or is not there"), check)
