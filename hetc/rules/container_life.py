"""What a container may say of its own life: restarts and hooks are the pod's, but for init containers that go on running.

An init container with `restartPolicy: Always` runs beside the others, so it may have probes and hooks; others may not, and a
container of `containers` follows the pod's `restartPolicy`. Volcano's webhook refuses the rest, also where the API server's
feature for restart rules is on. A hook sleeps no longer than the pod has time to end, and a signal is one of the pod's system.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import number, present, tasks, text
from hetc.names import choice, shorten
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest, TaskView
    from hetc.site import Site

ALWAYS = "Always"
HOOKS = ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")
#: All that is looked at.
_FIELDS = frozenset(("restartPolicy", "restartPolicyRules", *HOOKS))
#: Seconds that a pod has to end in where it does not say so.
GRACE = 30
_LINUX = ("ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU"
          " URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX")
SIGNALS = {
    "linux": (*(f"SIG{name}" for name in _LINUX.split()), *(f"SIGRTMIN+{step}" for step in range(1, 16)),
              *(f"SIGRTMAX-{step}" for step in range(1, 15))),
    "windows": ("SIGKILL", "SIGTERM"),
}


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        for container in task.containers():
            if not _FIELDS.isdisjoint(container.node.entries):
                yield from _container(container, task)


def _container(container: Container, task: TaskView) -> Iterator[Finding]:
    if container.list == "initContainers":
        yield from _init(container)
    elif present(container.node, "restartPolicy"):
        yield Finding(f"container `{shorten(container.name)}` has a `restartPolicy` of its own",
                      container.node.key_span("restartPolicy"), "move it to the pod, beside `containers`")
    yield from _sleep(container, task)
    yield from _signal(container, task)
    if present(container.node, "restartPolicyRules"):
        yield Finding(f"container `{shorten(container.name)}` has restart rules, which Volcano does not take",
                      container.node.key_span("restartPolicyRules"), "write policies of the job or task instead")


def _sleep(container: Container, task: TaskView) -> Iterator[Finding]:
    grace = number(find(task.pod, "terminationGracePeriodSeconds"))
    grace = GRACE if grace is None else max(grace, 1)
    for hook in ("postStart", "preStop"):
        node = find(container.node, "lifecycle", hook, "sleep", "seconds")
        seconds = number(node)
        if node is not None and seconds is not None and not 1 <= seconds <= grace:
            why = "and must be at least 1" if seconds < 1 else f"longer than the {grace} seconds that the pod has to end in"
            yield Finding(f"`{hook}` sleeps for {seconds} seconds, {why}", node.origin.span,
                          "write `1`" if seconds < 1 else "write less, or raise `terminationGracePeriodSeconds`")


def _signal(container: Container, task: TaskView) -> Iterator[Finding]:
    node = find(container.node, "lifecycle", "stopSignal")
    signal, system = text(node), text(find(task.pod, "os", "name"))
    if node is None or signal is None:
        return
    if not system:
        yield Finding("the container names a `stopSignal`, and the pod no system", node.origin.span, "add `os: {name: linux}` to the pod")
    elif system in SIGNALS and signal not in SIGNALS[system]:
        yield Finding(f"`{shorten(signal)}` is no signal of `{system}`", node.origin.span, choice(signal, ("SIGINT", "SIGQUIT", "SIGTERM")))


def _init(container: Container) -> Iterator[Finding]:
    shown, node = f"init container `{shorten(container.name)}`", container.node.get("restartPolicy")
    policy = text(node)
    if node is not None and policy is not None and policy != ALWAYS:
        yield Finding(f"`restartPolicy` of {shown} is `{shorten(policy)}`, and only `{ALWAYS}` is taken", node.origin.span,
                      f"leave it out, or write `{ALWAYS}` for a sidecar")
    for hook in present(container.node, *HOOKS) if policy != ALWAYS else ():
        yield Finding(f"{shown} has a `{hook}`, and ends before anybody looks", container.node.key_span(hook),
                      f"leave it out, or add `restartPolicy: {ALWAYS}` if it is a sidecar")


RULE = ManifestRule(Code("HET516", "container-life", ERROR, "probes, hooks or restarts of a container that has none of its own"), check)
