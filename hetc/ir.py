"""The typed middle: what is asked for (`Request`), and the job that it and the layers make (`Job`).

Nothing here knows a back end: what only one back end understands stays in `Job.backend`, a tree that the back end types.
"""
from __future__ import annotations

from hetc.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.origin import Located, Origin
    from hetc.quantity import Quantity
    from hetc.source import Span
    from hetc.tree import Mapping, Node

MASTER = "master"

HARD = "hard"
SOFT = "soft"

#: What happens when a member fails or is evicted.
FAIL = "fail"
RESTART = "restart"
TOLERATE = "tolerate"

#: `gang[min=all]` and `gang[done=all]`.
ALL = "all"


class Pack(Record):
    """Keep pods inside one network domain of a tier, a number or a name; `mode` is HARD or SOFT."""

    tier: int | str
    mode: str


class Group(Record):
    """One group of a request: like pods. All amounts are for one replica.

    `origin` is the group's own token: its name, or its count where it has none; `name` is None there
    until `rules.groups` gives one. `gpus` 0 is none, `rdma` 0 is none; `processes` None means the default.
    """

    origin: Origin
    name: Located[str] | None
    replicas: Located[int]
    cpu: Located[Quantity] | None = None
    memory: Located[Quantity] | None = None
    gpus: Located[int] | None = None
    gpu_model: Located[str] | None = None
    rdma: Located[int] | None = None
    processes: Located[int] | None = None
    minimum: Located[int] | None = None
    pack: Located[Pack] | None = None
    select: tuple[tuple[Located[str], Located[str]], ...] = ()


class Gang(Record):
    """The rules of the whole gang. None: not said, the default holds.

    `minimum`: ALL or a number of pods; `fail`: FAIL, RESTART or TOLERATE; `retries`: only with RESTART;
    `done`: ALL or a task's name.
    """

    minimum: Located[int | str] | None = None
    fail: Located[str] | None = None
    retries: Located[int] | None = None
    done: Located[str] | None = None
    pack: Located[Pack] | None = None


class Request(Record):
    """A parsed request: its groups in the order written, the gang's rules, the overlay files it names.

    `origin` is where the request starts. `homogeneous`: it was one unnamed group of several replicas and
    has been split into `master` and `worker`.
    """

    origin: Origin
    groups: tuple[Group, ...]
    gang: Gang
    uses: tuple[Located[str], ...] = ()
