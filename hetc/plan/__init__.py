"""The expanded shape of a job: for people, for programs (`schemas/plan.schema.json`), for a review, and as a picture.

Nothing here knows a back end: what one makes of the job comes as its `Description`.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.emit.description import Description
    from hetc.ir import Job

#: Each form is a module of this package with `render(job, described, origins, build)`.
FORMS = ("text", "json", "markdown", "svg")


def render(job: Job, described: Description, form: str, origins: bool, build: str = "hetc build …") -> str:
    """The plan in one of FORMS; `origins`: with the place of every value; `build`: the command that makes the manifest."""
    from importlib import import_module

    return str(import_module(f"{__name__}.{form}").render(job, described, origins, build))
