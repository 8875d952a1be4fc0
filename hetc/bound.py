"""How large the emitted object is at least, known before it is made.

What a job says once stands in each of its tasks, so that a short text may ask for more than memory holds.
"""
from __future__ import annotations

#: What etcd takes in one request, in bytes of compact JSON.
MAX_OBJECT = 1536 * 1024

#: Bytes of JSON around what a user writes: of a task, with the smallest variables that hetc computes; of a variable,
#: `{"name":"","value":""},`; of a pair, `"":"",`; and of a mount with its volume.
_TASK = 600
_VARIABLE = 22
_PAIR = 6
_MOUNT = 50

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.ir import Mount, Task, Variable
    from hetc.origin import Located


def of_task(task: Task, mounts: int) -> int:
    """Bytes that a task makes at least; `mounts` is what `of_mounts` says of the job's."""
    texts = (task.name, task.image, task.working_dir, task.shell)
    return (
        _TASK + mounts
        + sum(_length(text.value) for text in texts if text is not None)
        + sum(_length(line.value.strip()) for line in (*task.setup, *task.command))
        + sum(map(_of_variable, task.env))
        + _of_pairs(task.labels) + _of_pairs(task.annotations) + _of_pairs(task.node_selector)
        + sum(_VARIABLE + _length(each.name.value) for each in task.env_from)
    )


def of_mounts(mounts: Iterable[Mount]) -> int:
    """Bytes that the mounts of a job make in each task at least."""
    return sum(_MOUNT + 2 * _length(mount.name.value) + _length(mount.path.value) + _of_pairs(mount.items) for mount in mounts)


def _of_variable(variable: Variable) -> int:
    value = getattr(variable.value, "value", "")
    return _VARIABLE + _length(variable.name.value) + _length(value)


def _of_pairs(pairs: Iterable[tuple[Located[str], Located[str]]]) -> int:
    return sum(_PAIR + _length(key.value) + _length(value.value) for key, value in pairs)


def _length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
