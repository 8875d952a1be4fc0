"""Volcano can be installed with ValidatingAdmissionPolicies, which are stricter than its webhook in a few places.

They want the `name` of each task written out, and its `replicas`, of which the rule on empty tasks speaks. Of the job's own
policies they do not know the action RestartPartition. They are off where nobody turned them on, so all of it is a warning.
"""
from __future__ import annotations

from hetc.diagnostic import WARNING, Code, Finding
from hetc.manifest import jobs, mappings, present, text
from hetc.names import shorten
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site

UNKNOWN = "RestartPartition"
_WHO = "which Volcano's optional admission policies refuse"


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        for task in job.tasks:
            if not present(task.node, "name"):
                yield Finding(f"task `{shorten(task.name)}` has no `name`, {_WHO}", task.node.origin.span, f"add `name: {task.name}`")
        for policy in mappings(job.spec.get("policies")):
            node = policy.get("action")
            if node is not None and text(node) == UNKNOWN:
                yield Finding(f"a policy of the job has the action `{UNKNOWN}`, {_WHO}", node.origin.span, "move the policy to the tasks")


RULE = ManifestRule(Code("HET531", "optional-policy", WARNING, "what Volcano's optional admission policies refuse"), check)
