"""A profile of seccomp or AppArmor is named where the node has its own, and only there; sysctls stand once; groups are numbers of Linux.

Source: Kubernetes' core validation of security contexts, which Volcano's webhook calls for the pod template.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding, Label
from hetc.manifest import mappings, number, present, sequence, tasks, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.tree import Mapping, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest, TaskView
    from hetc.site import Site
    from hetc.tree import Node

SECCOMP, APPARMOR = "seccompProfile", "appArmorProfile"
LOCAL = "Localhost"
FIELD = "localhostProfile"
LARGEST = 2**31 - 1
#: What a pod of one system has not: `spec.os.name` and the fields of its security contexts.
FOREIGN = {"linux": ("windowsOptions",), "windows": (
    "allowPrivilegeEscalation", "capabilities", "fsGroup", "fsGroupChangePolicy", "privileged", "procMount", "readOnlyRootFilesystem",
    "runAsGroup", "runAsUser", "seLinuxChangePolicy", "seLinuxOptions", SECCOMP, APPARMOR, "supplementalGroups", "supplementalGroupsPolicy",
    "sysctls",
)}
#: Fields of the pod itself that one on Windows has not.
OF_LINUX = ("hostIPC", "hostPID", "hostUsers", "resources", "shareProcessNamespace")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for task in tasks(manifest):
        context = find(task.pod, "securityContext")
        for holder in (context, *(container.node.get("securityContext") for container in task.containers())):
            for kind in (SECCOMP, APPARMOR):
                profile = find(holder, kind)
                if isinstance(profile, Mapping):
                    yield from _profile(kind, profile)
            yield from _system(task, holder)
        if task.pod is not None and text(find(task.pod, "os", "name")) == "windows":
            for field in present(task.pod, *OF_LINUX):
                yield Finding(f"`{field}` is not for pods of `windows`", task.pod.key_span(field), "leave it out")
        yield from _groups(context)
        yield from _sysctls(context)


def _profile(kind: str, profile: Mapping) -> Iterator[Finding]:
    node, type = profile.get(FIELD), profile.get("type")
    path = text(node) or ""
    if type is not None and text(type) == LOCAL:
        if not path.strip():
            yield Finding(f"`{kind}` is `{LOCAL}`, and no profile is named", type.origin.span, f"add `{FIELD}: NAME`")
        elif node is not None and kind == SECCOMP and (path.startswith("/") or ".." in path.split("/")):
            yield Finding(f"profile `{shorten(path)}` is no path below the node's directory of profiles", node.origin.span,
                          "write a relative path without `..`")
        elif node is not None and kind == APPARMOR and path != path.strip():
            yield Finding(f"profile `{shorten(path)}` begins or ends with a blank", node.origin.span, f"write `{shorten(path.strip())}`")
    elif type is not None and present(profile, FIELD) and text(type) is not None:
        yield Finding(f"a profile is named, and `type` is not `{LOCAL}`", profile.key_span(FIELD),
                      f"leave it out, or write `type: {LOCAL}`")


def _system(task: TaskView, context: Node | None) -> Iterator[Finding]:
    system = text(find(task.pod, "os", "name")) or ""
    for field in present(context, *FOREIGN.get(system, ())) if isinstance(context, Mapping) else ():
        yield Finding(f"`{field}` is not for pods of `{system}`", context.key_span(field), "leave it out")  # type: ignore[union-attr]


def _groups(context: Node | None) -> Iterator[Finding]:
    for group in sequence(find(context, "supplementalGroups")):
        value = number(group)
        if value is not None and not 0 <= value <= LARGEST:
            yield Finding(f"the group is {value}, and lies between 0 and {LARGEST}", group.origin.span, "write the number of a group")


def _sysctls(context: Node | None) -> Iterator[Finding]:
    seen: dict[str, Node] = {}
    for sysctl in mappings(find(context, "sysctls")):
        node = sysctl.get("name")
        name = (text(node) or "").replace("/", ".")
        if node is not None and name and seen.setdefault(name, node) is not node:
            yield Finding(f"sysctl `{shorten(name)}` stands twice", node.origin.span, "keep one of the two",
                          (Label(seen[name].origin.span, "the other one"),))


RULE = ManifestRule(Code("HET584", "security-profile", ERROR, "a profile, group or sysctl of a security context that is none"), check)
