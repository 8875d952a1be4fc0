"""What a container may say of its own life: restarts and hooks are the pod's, but for init containers that go on running.

An init container with `restartPolicy: Always` runs beside the others, so it may have probes and hooks; others may not, and a
container of `containers` follows the pod's `restartPolicy`. Volcano's webhook refuses the rest, also where the API server's
feature for restart rules is on.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import present, tasks, text
from hetc.names import shorten
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest
    from hetc.site import Site

ALWAYS = "Always"
HOOKS = ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        for container in task.containers():
            if container.list == "initContainers":
                yield from _init(container)
            elif container.list == "containers" and present(container.node, "restartPolicy"):
                yield Finding(f"container `{shorten(container.name)}` has a `restartPolicy` of its own",
                              container.node.key_span("restartPolicy"), "move it to the pod, beside `containers`")
            if present(container.node, "restartPolicyRules"):
                yield Finding(f"container `{shorten(container.name)}` has restart rules, which Volcano does not take",
                              container.node.key_span("restartPolicyRules"), "write policies of the job or task instead")


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
