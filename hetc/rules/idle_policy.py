"""Policies that Volcano takes and that never fire, or hardly ever.

A container that fails is started again by the kubelet where `restartPolicy` is not `Never`, so its pod does not fail, and no exit code
is looked at; with `Never` nothing is started again, so nothing is counted for TaskFailed. Of one list the first policy that fits holds.
Source: Volcano's job controller.
"""
from __future__ import annotations

from hetc.diagnostic import INFO, WARNING, Code, Finding, Label
from hetc.manifest import jobs, mappings, number, present, sequence, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.rules.endless_pod import ALWAYS, events, restart_policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Mapping, Node

ANY = "*"
NEVER = "Never"
SIDECAR = "sidecar"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        yield from _list(mappings(job.spec.get("policies")), job.tasks, False)
        for task in job.tasks:
            if "policies" in task.node.entries:
                yield from _list(mappings(task.node.get("policies")), [task], True)


def _list(policies: list[Mapping], tasks: list[TaskView], of_task: bool) -> Iterator[Finding]:
    """The policies of one list; `tasks` are those whose pods it is for."""
    restarts = _restarts(tasks) if policies else set()
    earlier: Mapping | None = None
    for policy in policies:
        code = policy.get("exitCode")
        if code is not None and number(code):
            yield from _exit_code(code, restarts, earlier)
            yield from _first_container(code, tasks)
        why = {event: _why(event, policy, restarts, of_task) for event in events(policy)}
        if all(why.values()):
            for node in _nodes(policy):
                reason, help = why[text(node) or ""] or ("", "")
                yield Finding(f"event `{text(node)}` {reason}", node.origin.span, help)
        if earlier is None and {ANY, "PodFailed"} & set(events(policy)):
            earlier = policy


def _nodes(policy: Mapping) -> list[Node]:
    nodes = (policy.get("event"), *sequence(policy.get("events")))
    return [node for node in nodes if node is not None and text(node)]


def _restarts(tasks: list[TaskView]) -> set[str]:
    """The restart policies of the pods; a sidecar is started again in any pod."""
    found = {restart_policy(task) or "" for task in tasks if task.replicas > 0}
    sidecars = any(text(each.node.get("restartPolicy")) == ALWAYS
                   for task in tasks for each in task.containers() if each.list == "initContainers")
    return found | ({SIDECAR} if sidecars else set())


def _why(event: str, policy: Mapping, restarts: set[str], of_task: bool) -> tuple[str, str] | None:
    """Why a policy does not fire on an event, and what to do."""
    known, never = restarts - {SIDECAR}, NEVER in restarts or "" in restarts or not restarts
    if event == "PodPending" and not present(policy, "timeout"):
        return "is ignored without a `timeout`", "add `timeout: 10m`, for example"
    if event == "JobUpdated":
        return "is never raised by Volcano", "leave the policy out"
    if event == "Unknown" and of_task:
        return "is raised for the whole job, and a task's policies are not asked", "move the policy to the job's `policies`"
    if event == "PodFailed" and not never:
        return f"hardly comes where `restartPolicy` is {_either(known)}", "write `restartPolicy: Never`, or answer `TaskFailed`"
    if event == "TaskFailed" and restarts == {NEVER}:
        return "counts restarts, and with `restartPolicy: Never` there are none", "answer `PodFailed`, or write `restartPolicy: OnFailure`"
    if event == "TaskCompleted" and known == {ALWAYS}:
        return "never comes where `restartPolicy` is `Always`", "write `restartPolicy: Never` or `OnFailure`"
    return None


def _exit_code(node: Node, restarts: set[str], earlier: Mapping | None) -> Iterator[Finding]:
    code = number(node)
    if code is not None and not 0 < code <= 255:
        yield Finding(f"`exitCode` is {code}, and exit codes are from 1 to 255", node.origin.span, "write a number from 1 to 255")
    elif earlier is not None:
        yield Finding(f"exit code {code} is never looked at: a policy above answers every pod that fails", node.origin.span,
                      "move this policy above the other one", (Label(earlier.origin.span, "the other one"),))
    elif restarts and not {NEVER, ""} & restarts:
        yield Finding(f"exit code {code} is hardly ever seen where `restartPolicy` is {_either(restarts - {SIDECAR})}", node.origin.span,
                      "write `restartPolicy: Never`")


def _either(values: set[str]) -> str:
    return " or ".join(f"`{each}`" for each in sorted(values))


def _first_container(node: Node, tasks: list[TaskView]) -> Iterator[Finding]:
    """What the exit code is compared with where a pod has several containers: that of the first one by name."""
    for task in tasks:
        names = [each.name for each in task.containers() if each.list == "containers"]
        if len(names) > 1:
            yield Finding(f"exit code {number(node)} is compared with that of container `{shorten(min(names))}` of task "
                          f"`{shorten(task.name)}` alone, the first by name", node.origin.span,
                          "name the container that matters first by the alphabet", level=INFO)
            return


RULE = ManifestRule(Code("HET623", "idle-policy", WARNING, "a policy that never fires"), check)
