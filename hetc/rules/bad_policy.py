"""A policy pairs events, or one exit code, with an action; Volcano's webhook takes some of each, letter by letter.

Events and actions that only the controller uses itself are refused. Of a policy with an exit code nobody looks at the action:
with a wrong one or none the job is admitted, and nothing happens on that exit code. A list of policies answers each event and
exit code once, and where `*` answers, no other event may.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.lifecycle import FAILURES
from hetc.manifest import jobs, mappings, number, present, sequence, text
from hetc.names import choice, shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

ANY = "*"
EVENTS = (ANY, "JobUpdated", "PodEvicted", "PodFailed", "PodPending", "TaskCompleted", "TaskFailed", "Unknown")
#: Events that the CRD knows and the webhook refuses.
INTERNAL_EVENTS = ("CommandIssued", "OutOfSync", "PodRunning")
ACTIONS = ("AbortJob", "CompleteJob", "RestartJob", "RestartPartition", "RestartPod", "RestartTask", "ResumeJob", "TerminateJob")
INTERNAL_ACTIONS = ("CloseQueue", "EnqueueJob", "OpenQueue", "SyncJob", "SyncQueue")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for owner in (job.spec, *(task.node for task in job.tasks)):
            policies = mappings(owner.get("policies"))
            if not policies:
                continue
            for policy in policies:
                yield from _trigger(policy)
                yield from _action(policy)
            if len(policies) > 1:
                yield from _repeated(policies, manifest.emitted)
            yield from _star(policies)


def _events(policy: Mapping) -> list[Scalar]:
    """The events of a policy, from `event` and `events`."""
    nodes = (policy.get("event"), *sequence(policy.get("events")))
    return [node for node in nodes if isinstance(node, Scalar) and isinstance(node.value, str)]


def _trigger(policy: Mapping) -> Iterator[Finding]:
    """What the policy answers to: events or an exit code."""
    events, code = _events(policy), policy.get("exitCode")
    if events and number(code) is not None:
        yield Finding("the policy has both an event and `exitCode`", policy.key_span("exitCode"), "make two policies of it",
                      (Label(events[0].origin.span, "the event"),))
    elif not present(policy, "event", "exitCode") and not _has_events(policy):
        yield Finding("the policy has neither an event nor `exitCode`", policy.origin.span, "add `event: PodFailed`, for example")
    for event in events:
        if event.value in EVENTS:
            continue
        written = shorten(str(event.value))
        if event.value in INTERNAL_EVENTS:
            yield Finding(f"event `{written}` is Volcano's own, and no policy may answer it", event.origin.span,
                          f"write one of {', '.join(f'`{each}`' for each in EVENTS)}")
        else:
            yield Finding(f"`{written}` is no event", event.origin.span, choice(str(event.value), EVENTS))
    if code is not None and number(code) == 0:
        yield Finding("`exitCode` is 0, which is no failure", code.origin.span, "write the exit code of a failed container")


def _has_events(policy: Mapping) -> bool:
    """Whether `events` says something; what is no list says it in the wrong way."""
    events = policy.get("events")
    return bool(present(policy, "events")) and not (isinstance(events, Sequence) and not events.items)


def _action(policy: Mapping) -> Iterator[Finding]:
    node = policy.get("action")
    if not present(policy, "action") or (node is not None and text(node) == ""):
        if _events(policy) or present(policy, "exitCode"):
            place = policy.origin.span if node is None else policy.key_span("action")
            yield Finding("the policy has no action", place, "add `action: RestartJob`, for example")
    elif node is not None and (action := text(node)) is not None and action not in ACTIONS:
        internal = action in INTERNAL_ACTIONS
        what = f"action `{action}` is Volcano's own" if internal else f"`{shorten(action)}` is no action"
        help = f"write one of {', '.join(f'`{each}`' for each in ACTIONS)}" if internal else choice(action, ACTIONS)
        yield Finding(what, node.origin.span, help)


def _repeated(policies: list[Mapping], emitted: bool) -> Iterator[Finding]:
    """Events and exit codes that two policies of a list answer."""
    seen: dict[str | int, Scalar] = {}
    for policy in policies:
        code = policy.get("exitCode")
        own: dict[str | int, Scalar] = {str(event.value): event for event in reversed(_events(policy))}
        if isinstance(code, Scalar) and (value := number(code)) is not None:
            own[value] = code
        for key, node in own.items():
            first = seen.setdefault(key, node)
            if first is not node:
                shown = f"event `{shorten(key)}`" if isinstance(key, str) else f"exit code {key}"
                help = "keep one of the two"
                if emitted and key in FAILURES:
                    help += "; with `gang[fail=tolerate]` only `policies` answer failures"
                yield Finding(f"duplicate {shown}: two policies of the list answer it", node.origin.span, help,
                              (Label(first.origin.span, "the other one"),))


def _star(policies: list[Mapping]) -> Iterator[Finding]:
    if len(policies) == 1 and "events" not in policies[0].entries:
        return
    events = [event for policy in policies for event in _events(policy)]
    star = next((event for event in events if event.value == ANY), None)
    for event in events:
        if star is not None and event.value != ANY:
            yield Finding(f"event `{shorten(str(event.value))}` stands beside `*`, which answers all events", event.origin.span,
                          "name each event, or keep `*` alone", (Label(star.origin.span, "the `*`"),))


RULE = ManifestRule(Code("HET507", "bad-policy", ERROR, "a policy that Volcano refuses, or that does nothing"), check)
