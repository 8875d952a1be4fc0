"""What a Volcano Job does on events, and in what order its tasks start: the overlay's keys and Volcano's words for them.

Source: Volcano's Job API, LifecyclePolicy and DependsOn.
"""
from __future__ import annotations

from hetc.fields import Choice, Field, Flag, Length, ListOf, Shape, Text, Whole
from hetc.origin import Located
from hetc.record import Record
from hetc.tree import Mapping, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job, Task
    from hetc.tree import Node

#: Overlay word -> Volcano's. TaskFailed counts restarts, and containers of hetc's pods are never started again; JobUpdated is never raised.
EVENTS: dict[str, str] = {
    "any": "*", "pod-evicted": "PodEvicted", "pod-failed": "PodFailed", "pod-pending": "PodPending",
    "task-completed": "TaskCompleted", "unknown": "Unknown",
}
ACTIONS: dict[str, str] = {
    "abort-job": "AbortJob", "complete-job": "CompleteJob", "restart-job": "RestartJob", "restart-partition": "RestartPartition",
    "restart-pod": "RestartPod", "restart-task": "RestartTask", "resume-job": "ResumeJob", "terminate-job": "TerminateJob",
}
#: The events of `gang[fail]`.
FAILURES = (EVENTS["pod-evicted"], EVENTS["pod-failed"])

_EVENT = Choice("an event", tuple(EVENTS))
_POLICY = Shape((
    Field("event", _EVENT, "The event that the policy answers.", "pod-failed"),
    Field("events", ListOf(_EVENT, once=True), "Several events that it answers alike.", ["pod-failed", "pod-evicted"]),
    Field("exit_code", Whole(1, 255), "The exit code of a failed container that it answers.", 137),
    Field("action", Choice("an action", tuple(ACTIONS)), "What happens then.", "restart-job"),
    Field("timeout", Length(), "How long after the event it happens, unless a later one comes before.", "10m"),
))

FIELDS: tuple[Field, ...] = (
    Field("policies", ListOf(_POLICY), "What happens on events and exit codes, beside what `gang[]` says. A task's own come first.",
          [{"exit_code": 137, "action": "restart-job"}], task=True),
    Field("min_success", Whole(1), "The job is complete as soon as this many pods have succeeded.", 1),
    Field("depends_on", ListOf(Text("a task"), once=True), "The tasks that must run before this one's pods are made.", ["ps"],
          task=True, only_task=True),
    Field("depends_on_any", Flag(), "Whether one of them is enough.", True, False, task=True, only_task=True),
)


class Policy(Record):
    """One policy of an overlay, in Volcano's words; `node` is the mapping it was written as."""

    node: Mapping
    events: tuple[Located[str], ...]
    exit_code: Scalar | None
    action: Located[str] | None
    timeout: Scalar | None


def policies(owner: Job | Task) -> Iterator[Policy]:
    """The policies that an overlay gives to a job or a task, in the order written."""
    given = owner.backend.get("policies")
    for node in given.items if isinstance(given, Sequence) else []:
        if isinstance(node, Mapping):
            several = node.get("events")
            words = [node.get("event"), *(several.items if isinstance(several, Sequence) else [])]
            code, timeout = node.get("exit_code"), node.get("timeout")
            yield Policy(
                node, tuple(event for word in words if (event := _word(word, EVENTS)) is not None),
                code if isinstance(code, Scalar) else None, _word(node.get("action"), ACTIONS),
                timeout if isinstance(timeout, Scalar) else None,
            )


def _word(node: Node | None, words: dict[str, str]) -> Located[str] | None:
    return Located(words[str(node.value)], node.origin) if isinstance(node, Scalar) else None
