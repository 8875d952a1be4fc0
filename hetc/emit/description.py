"""What a back end says about a job for people: what will be added to the manifest, and what decides how the job ends."""
from __future__ import annotations

from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.origin import Located
    from hetc.script import Script


class Addition(Record):
    """An object or a variable that the cluster adds: its kind and name, and what it is for."""

    kind: str
    name: str
    what: str


class Description(Record):
    """A job as a back end sees it.

    `settings`: the back end's own values in force, by name. `gang`: sentences about how the gang starts, fails and ends.
    `pods`: by task, the names of its first and last pod. `scripts`: by task, None where it runs no shell text. `needs`:
    what must exist in the cluster. `submit`: the command that takes the manifest. `own`: the values behind `settings`,
    with their origins, by the key of the overlay.
    """

    backend: str
    settings: tuple[tuple[str, str], ...]
    gang: tuple[str, ...]
    pods: dict[str, tuple[str, str]]
    scripts: dict[str, Script | None]
    additions: tuple[Addition, ...]
    needs: tuple[Addition, ...]
    submit: str
    notes: tuple[str, ...]
    own: tuple[tuple[str, Located[str]], ...] = ()
