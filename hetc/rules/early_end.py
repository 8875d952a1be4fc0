"""A policy of the job on TaskCompleted ends the job with the first of its tasks that completes, whichever it is.

On a policy of one task it is the end of that task. A task with a policy of its own on the event does not ask the job's.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding, Label
from hetc.manifest import jobs, mappings, sequence, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.rules.endless_pod import ENDS, events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest
    from hetc.site import Site

EVENT = "TaskCompleted"
MASTER = "master"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        names = _asking(job)
        for policy in mappings(job.spec.get("policies")) if len(names) > 1 else ():
            action = policy.get("action")
            node = next((each for each in (policy.get("event"), *sequence(policy.get("events"))) if text(each) == EVENT), None)
            if node is not None and action is not None and text(action) in ENDS:
                target = MASTER if MASTER in names else names[0]
                yield Finding(f"`{EVENT}` of any of {len(names)} tasks ends the job, whichever completes first", node.origin.span,
                              f"move the policy to the task whose end is the job's, such as `{shorten(target)}`",
                              (Label(action.origin.span, "the action"),))


def _asking(job: JobView) -> list[str]:
    """The tasks with pods that leave the event to the job."""
    return [task.name for task in job.tasks if task.replicas > 0
            and not any({EVENT, "*"} & set(events(policy)) for policy in mappings(task.node.get("policies")))]


RULE = ManifestRule(Code("HET624", "early-end", WARNING, "a job that ends with its first task"), check)
