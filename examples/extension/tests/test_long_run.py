"""ACME001 fires on a job with GPUs and without an estimate, and only there."""
from __future__ import annotations

import pytest
from acme_hetc.long_run import RULE

from hetc import site
from hetc.diagnostic import Report
from hetc.manifest import Manifest
from hetc.read.yaml import read
from hetc.source import Source
from hetc.tree import Mapping

JOB = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: demo
spec:
{spec}  tasks:
  - name: worker
    replicas: 1
    template:
      spec:
        containers:
        - name: main
          image: registry.example/a:1
          resources: {{limits: {{{resource}: 1}}}}
"""


@pytest.mark.parametrize(("spec", "resource", "places"), [
    ("", "nvidia.com/gpu", [(4, 9)]),
    ("  runningEstimate: null\n", "nvidia.com/gpu", [(4, 9)]),
    ("  runningEstimate: 8h\n", "nvidia.com/gpu", []),
    ("", "cpu", []),
])
def test_an_estimate_is_asked_for(spec: str, resource: str, places: list[tuple[int, int]]) -> None:
    report = Report()
    documents = read(Source("job.yaml", JOB.format(spec=spec, resource=resource)), report)
    manifest = Manifest(tuple(each for each in documents or () if isinstance(each, Mapping)))
    assert [each.span.start_position() for each in RULE.check(manifest, site.site(None, None, report))] == places
