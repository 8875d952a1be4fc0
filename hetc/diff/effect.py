"""What Volcano does with a change once the new object is applied over the old one.

Source: the webhook /jobs/validate on UPDATE. With minAvailable, priorityClassName and the tasks' replicas and minAvailable set
aside, the spec of a Job must equal the stored one, its tasks in their order; a task's partitions fix its replicas, and its minimum
where they have one. Updates of the other kinds are not held against what is stored, but for fields of Queues that clusters protect.
"""
from __future__ import annotations

from hetc.api import VOLCANO
from hetc.diff.compare import ITEM
from hetc.manifest import number
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.diff.compare import Change

#: The effects: on what runs, none before the job is made anew, on the object, and none since it makes another object.
IN_PLACE, RECREATE, APPLIED, BESIDE = EFFECTS = ("in-place", "recreate", "applied", "another-object")

_REPLICAS = ("spec", "tasks", ITEM, "replicas")
_MINIMUM = ("spec", "tasks", ITEM, "minAvailable")
_IN_PLACE = frozenset((("spec", "minAvailable"), ("spec", "priorityClassName"), _REPLICAS, _MINIMUM))
_IDENTITY = frozenset(("name", "namespace", "generateName"))

#: What the API server keeps in `metadata`; what is applied does not change it.
SERVER = frozenset((
    "uid", "resourceVersion", "managedFields", "creationTimestamp", "generation", "selfLink", "deletionTimestamp",
    "deletionGracePeriodSeconds", "ownerReferences",
))


def effect(change: Change, group: str, kind: str) -> str | None:
    """What becomes of a change in a document of a kind; None where that is not Volcano's to say."""
    keys = change.keys
    if is_server(change):
        return None
    if keys[:1] == ("metadata",) and len(keys) == 2 and keys[1] in _IDENTITY:
        return BESIDE
    if (group, kind) == ("batch.volcano.sh", "Job"):
        return RECREATE if keys[:1] == ("spec",) and (keys not in _IN_PLACE or _is_fixed(change)) else IN_PLACE
    return APPLIED if group in VOLCANO else None


def is_server(change: Change) -> bool:
    """Whether a change is of what only the cluster writes."""
    keys = change.keys
    return keys[:1] == ("status",) or (keys[:1] == ("metadata",) and len(keys) > 1 and keys[1] in SERVER)


def _is_fixed(change: Change) -> bool:
    """Whether a task's partitions hold its number."""
    if change.keys == _REPLICAS:
        return find(change.holder, "partitionPolicy") is not None
    return change.keys == _MINIMUM and bool(number(find(change.holder, "partitionPolicy", "minPartitions")))
