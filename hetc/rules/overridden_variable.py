"""A rank, size or address that the user sets wins over the computed one, and does not follow when the job changes.

MASTER_PORT is free to choose, so it has no warning; nor has NODE_RANK where it refers to a variable, as every pod has its own then.
"""
from __future__ import annotations

from hetc import ir, plugins
from hetc.diagnostic import WARNING, Code, Finding
from hetc.names import pod_address, shorten
from hetc.rule import JobRule
from hetc.script import env_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job, Variable
    from hetc.site import Site
    from hetc.source import Span

RANK = "NODE_RANK"


def check(job: Job, site: Site) -> Iterator[Finding]:
    elsewhere = plugins.variables(job)  # another rule says that a plugin's value wins
    computed = {"WORLD_SIZE": str(ir.totals(job).pods), "MASTER_ADDR": pod_address(job.name.value, ir.MASTER, 0)}
    ranks: dict[Span, tuple[str, int]] = {}
    for task in job.tasks:
        for variable in task.env:
            name = variable.name.value
            if name in elsewhere:
                continue
            if name in computed:
                yield Finding(f"`{name}` is set to {_shown(variable)}, and hetc would compute `{computed[name]}`", variable.name.span,
                              "leave it out, unless another value is meant")
            elif name == RANK and not isinstance(variable.value, ir.Reference) and not env_value(variable.value.value, ()).names:
                count = ranks.get(variable.name.span, ("", 0))[1]
                ranks[variable.name.span] = _shown(variable), count + task.replicas.value
    for span, (shown, count) in ranks.items():
        if count > 1:
            yield Finding(f"`{RANK}` is set to {shown} in {count} pods, which need {count} ranks", span,
                          "leave it out: hetc computes it for each pod")


def _shown(variable: Variable) -> str:
    value = variable.value
    if isinstance(value, ir.Reference):
        return f"a value of {value.kind.replace('_', ' ')} `{shorten(value.name.value)}`"
    return f"`{shorten(value.value)}`"


RULE = JobRule(Code("HET603", "overridden-variable", WARNING, "a rank, size or address set by hand"), check)
