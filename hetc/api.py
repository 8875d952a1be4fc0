"""Which API a document is of, and which of Volcano's it was meant to be of.

Source: the CustomResourceDefinitions of Volcano 1.16. It has more groups (bus, nodeinfo, training and others), which are
for its own components or have no rules here.
"""
from __future__ import annotations

from functools import lru_cache

from hetc.names import nearest
from hetc.tree import Scalar, Sequence, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.tree import Mapping, Node

#: Each group of Volcano's API with its version and kinds.
VOLCANO: dict[str, tuple[str, tuple[str, ...]]] = {
    "batch.volcano.sh": ("v1alpha1", ("Job", "CronJob")),
    "flow.volcano.sh": ("v1alpha1", ("JobFlow", "JobTemplate")),
    "scheduling.volcano.sh": ("v1beta1", ("PodGroup", "Queue")),
    "topology.volcano.sh": ("v1alpha1", ("HyperNode",)),
}

#: The label of what hetc made.
MANAGED_BY = "app.kubernetes.io/managed-by"

#: The kind of a config of hetc's plugin for kustomize.
CONFIG = "HetcJob"

#: The group of each kind.
GROUPS: dict[str, str] = {kind: group for group, (_, kinds) in VOLCANO.items() for kind in kinds}

#: Groups of Kubernetes itself that have workloads.
KUBERNETES = frozenset(("", "apps", "batch", "extensions"))

#: What people call kinds of Volcano, as kubectl does or in lower case.
_ALIASES = {
    **{kind.lower(): kind for kind in GROUPS if kind not in ("Job", "CronJob")},
    **dict.fromkeys(("vcjob", "vj", "volcanojob"), "Job"), **dict.fromkeys(("vccronjob", "cronvcjob", "volcanocronjob"), "CronJob"),
    "pg": "PodGroup", "hn": "HyperNode", "jf": "JobFlow", "jt": "JobTemplate",
}


def api(document: Mapping) -> tuple[str, str]:
    """The API group and the kind of a document; the group of core kinds is empty."""
    version = _text(document, "apiVersion")
    group, slash, _ = version.partition("/")
    return group if slash or "." in version else "", _text(document, "kind")


def intended(document: Mapping) -> tuple[str, str] | None:
    """The group and kind of Volcano's API that a document is meant to be of; None where it is of another API.

    The kind is empty where nothing tells which one of the group's is meant.
    """
    group, kind = api(document)
    if group in VOLCANO:
        found = _kind(group, kind) or _ALIASES.get(kind.lower(), "")
        return GROUPS.get(found, group), found
    known = _ALIASES.get(kind.lower(), kind)
    if known not in GROUPS:
        close = _close(group)
        return None if close is None else (close, _kind(close, kind))
    if _is_volcanic(group) or (group in KUBERNETES and (known not in ("Job", "CronJob") or known != kind or _has_tasks(document))):
        return GROUPS[known], known
    return None


def _kind(group: str, kind: str) -> str:
    """The kind of a group that a word names, misspelt perhaps; else empty."""
    kinds = VOLCANO[group][1]
    return kind if kind in kinds else (nearest(kind, kinds) or "") if kind else ""


@lru_cache(256)
def _close(group: str) -> str | None:
    """The group of Volcano's that a word misspells; not another one of Volcano's."""
    first, _, rest = group.partition(".")
    label = nearest(first, [each.partition(".")[0] for each in VOLCANO])
    return f"{label}.volcano.sh" if label and nearest(rest, ["volcano.sh"]) else None


def _is_volcanic(group: str) -> bool:
    return group == "volcano.sh" or group.endswith(".volcano.sh") or _close(group) is not None


def _has_tasks(document: Mapping) -> bool:
    """Whether a Job or CronJob has tasks, which only Volcano's have."""
    spec = document.get("spec")
    return any(isinstance(find(each, "tasks"), Sequence) for each in (spec, find(spec, "jobTemplate", "spec")))


def _text(document: Mapping, key: str) -> str:
    node: Node | None = document.get(key)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else ""
