"""What a cluster has, as far as documents say: Queues, HyperNodes and Nodes, as `kubectl get -o yaml` prints them."""
from __future__ import annotations

from hetc.api import api
from hetc.diagnostic import ERROR, Report
from hetc.discover import expand, given
from hetc.manifest import Given
from hetc.pipeline import load as load_text
from hetc.source import NotUtf8, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.tree import Mapping


def load(path: str) -> Given:
    """The objects in a file, or in all manifests below a folder; the cluster has no others of the kinds that are there.

    Raises UsageError where a text cannot be read, or none has such an object.
    """
    documents = tuple(document for name in expand([path]) if name == path or not name.endswith(".het") for document in _objects(name))
    if not documents:
        raise UsageError(f"`{path}` has no Queue, HyperNode or Node; `kubectl get queues,hypernodes,nodes -o yaml` prints them")
    return Given(documents, frozenset(api(each)[1] for each in documents))


def _objects(path: str) -> Iterator[Mapping]:
    report = Report()
    try:
        documents = tuple(given(load_text(path), report))
    except NotUtf8 as error:
        raise UsageError(f"{path}:{error.line}:{error.column}: {error.reason}") from None
    for each in (found for found in report.sorted() if found.level == ERROR):
        line, column = each.span.start_position()
        raise UsageError(f"{path}:{line}:{column}: {each.message}")
    yield from documents
