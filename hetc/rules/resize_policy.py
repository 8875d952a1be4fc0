"""What happens to a container when its resources change while it runs: cpu and memory only, each once, and never by a restart of a
pod that is not restarted.

Source: Kubernetes' core validation of containers, which Volcano's webhook calls for the pod template.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import mappings, tasks, text
from hetc.names import choice, shorten
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Container, Manifest
    from hetc.site import Site
    from hetc.tree import Node

RESOURCES = ("cpu", "memory")
RESTART = "RestartContainer"
POLICIES = ("NotRequired", RESTART)


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        never = text(find(task.pod, "restartPolicy")) == "Never"
        for container in task.containers():
            yield from _container(container, never)


def _container(container: Container, never: bool) -> Iterator[Finding]:
    policies = mappings(container.node.get("resizePolicy"))
    if policies and container.list == "initContainers" and text(container.node.get("restartPolicy")) != "Always":
        yield Finding(f"init container `{shorten(container.name)}` has a resize policy", container.node.key_span("resizePolicy"),
                      "leave it out: its resources do not change")
        return
    seen: dict[str, Node] = {}
    for policy in policies:
        resource, what = policy.get("resourceName"), policy.get("restartPolicy")
        name = text(resource)
        if resource is not None and name is not None and name not in RESOURCES:
            yield Finding(f"`{shorten(name)}` is no resource that changes while a container runs", resource.origin.span,
                          choice(name, RESOURCES))
        elif resource is not None and name is not None and seen.setdefault(name, resource) is not resource:
            yield Finding(f"resource `{name}` has two resize policies", resource.origin.span, "keep one of the two",
                          (Label(seen[name].origin.span, "the other one"),))
        if what is not None and text(what) is not None and text(what) not in POLICIES:
            yield Finding(f"`{shorten(text(what) or '')}` is no resize policy", what.origin.span, choice(text(what) or "", POLICIES))
        elif what is not None and text(what) == RESTART and never:
            yield Finding("the container would be restarted, and the pod's `restartPolicy` is `Never`", what.origin.span,
                          "write `NotRequired`")


RULE = ManifestRule(Code("HET585", "resize-policy", ERROR, "a resize policy that Kubernetes refuses"), check)
