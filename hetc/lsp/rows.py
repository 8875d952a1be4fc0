"""The rows of the field tables along a path of YAML."""
from __future__ import annotations

from hetc import discover
from hetc.fields import EnvValue, ListOf, MapOf, Shape, Tasks, by_name, job_fields, profile_fields, task_fields
from hetc.lsp.desk import LAYER
from hetc.pipeline import backend
from hetc.read import flow, template_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.fields import Field, Type
    from hetc.lsp.desk import Looked
    from hetc.lsp.place import Path


def of(looked: Looked) -> tuple[Field, ...]:
    """The field table of a file's YAML; none for a manifest."""
    if looked.kind == discover.TEMPLATE:
        return template_fields.FIELDS
    if looked.kind == discover.FLOW:
        return flow.FIELDS
    return overlay() if looked.kind in (discover.REQUEST, discover.OVERLAY, LAYER) else ()


def overlay() -> tuple[Field, ...]:
    return backend("volcano")[0]


def along(fields: tuple[Field, ...], path: Path) -> tuple[Type | None, Field | None]:
    """The type of the value at a path, None where there is none, and the nearest row around it."""
    type: Type | None = Shape(job_fields(fields))
    row = None
    for step in path:
        type, row = _below(fields, type, row, step)
    return type, row


def _below(fields: tuple[Field, ...], type: Type | None, row: Field | None, step: str | int) -> tuple[Type | None, Field | None]:
    if isinstance(type, ListOf):
        return type.item, row
    if isinstance(type, MapOf):
        return type.value, row
    if isinstance(type, Tasks):
        return Shape(task_fields(fields) if type.what == "task" else profile_fields(fields)), row
    found = by_name(keys(type)).get(str(step))
    return (found.type, found) if found is not None else (None, None)


def keys(type: Type | None) -> tuple[Field, ...]:
    """The rows of the keys that a mapping of a type may have."""
    if isinstance(type, EnvValue):
        return tuple({row.name: row for shape in type.sources for row in shape.fields}.values())
    return type.fields if isinstance(type, Shape) else ()
