"""What a cluster has, as far as documents say: Queues, HyperNodes and Nodes, as `kubectl get -o yaml` prints them."""
from __future__ import annotations

from hetc.api import api
from hetc.diagnostic import ERROR, Report
from hetc.discover import expand, given
from hetc.inputs import add_not_utf8
from hetc.inputs import load as load_text
from hetc.manifest import Given
from hetc.pipeline import Cluster
from hetc.read.manifest import every
from hetc.source import NotUtf8, Source, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def load(path: str) -> Cluster:
    """The objects in a file, or in all manifests below a folder; the cluster has no others of the kinds that are there.

    Where a text has a mistake there are no objects, but the mistakes of all. Raises UsageError where a text cannot be read, or none
    has such an object.
    """
    report = Report()
    sources = tuple(_sources(path, report))
    documents = tuple(document for source in sources for document in given(source, report))
    if not documents:  # a mistake may hide what they have
        for source in sources:
            every(source, report)
    mistakes = tuple(each for each in report.sorted() if each.level == ERROR)
    if not documents and not mistakes:
        raise UsageError(f"`{path}` has no Queue, HyperNode or Node; `kubectl get queues,hypernodes,nodes -o yaml` prints them")
    return Cluster(mistakes=mistakes) if mistakes else Cluster(Given(documents, frozenset(api(each)[1] for each in documents)))


def _sources(path: str, report: Report) -> Iterator[Source]:
    """The text of a file, or those of the manifests below a folder; bytes that are no text are reported. Raises UsageError."""
    for name in expand([path]):
        if name == path or not name.endswith(".het"):
            try:
                yield load_text(name)
            except NotUtf8 as error:
                add_not_utf8(name, error, report)
