"""What the site's Volcano does not have yet: kinds, fields, plugins and their flags, events and actions, annotations.

kubectl refuses an unknown field or kind, Volcano's webhook an unknown plugin, event or action; an unknown flag stops the reading of
a plugin's arguments, and an unknown annotation does nothing.
Source: the CustomResourceDefinitions, webhooks, job plugins and annotations at the tags v1.10.0 to v1.15.1, and at v1.16.0-alpha.1.
"""
from __future__ import annotations

from hetc.api import api
from hetc.diagnostic import ERROR, WARNING, Code, Finding
from hetc.manifest import jobs, mappings, sequence, text
from hetc.plugins import in_keys
from hetc.record import replace
from hetc.rule import ManifestRule
from hetc.rules.bad_annotation import STRATEGY, WEIGHT, pairs
from hetc.tree import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest
    from hetc.site import Site
    from hetc.tree import Node

#: What is younger than 1.10 -> the minor version of Volcano 1 that had it first.
KINDS = {"HyperNode": 12, "CronJob": 13}
FIELDS = {"networkTopology": 12, "highestTierName": 14, "partitionPolicy": 14, "tierName": 14, "subGroupPolicy": 14, "dequeueStrategy": 14}
PLUGINS = {"hcclrank": 13, "ray": 13}
FLAGS = {
    ("pytorch", "wait-master-enabled"): 14, ("pytorch", "wait-master-timeout"): 14, ("pytorch", "wait-master-image"): 14,
    ("ssh", "ssh-port"): 15, ("svc", "inject-hosts-env"): 16,
}
WORDS = {"PodPending": 11, "RestartPod": 11, "RestartPartition": 14}
ANNOTATIONS = {
    "volcano.sh/qos-level": 11, "volcano.sh/enable-quota-burst": 11, "volcano.sh/quota-burst-time": 11, "volcano.sh/vgpu-mode": 12,
    STRATEGY: 13, WEIGHT: 13,
    "volcano.sh/vgpu-podgroup-policy": 15,
}
#: What has no such fields in it: a pod's template, and mappings whose keys the user names.
_NO_FIELDS = ("annotations", "labels", "matchLabels", "plugins", "template")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    if site.volcano is None:
        return
    minor = site.volcano
    for document in manifest.documents:
        group, kind = api(document)
        if KINDS.get(kind, 0) > minor and group.endswith("volcano.sh"):
            yield _lacks(f"kind `{kind}`", document.entries["kind"].value, KINDS[kind], minor)
        yield from _fields(document.get("spec"), minor)
    for job in jobs(manifest):
        for finding in (*_plugins(job, minor), *_policies(job, minor), *_annotations(job, minor)):
            yield replace(finding, message=in_keys(finding.message)) if manifest.emitted else finding


def _lacks(what: str, node: Node, since: int, minor: int, level: str = ERROR) -> Finding:
    return Finding(f"Volcano 1.{minor} has no {what}: 1.{since} is the first that has it", node.origin.span,
                   f"leave it out, or say `[volcano] version = \"1.{since}\"` in the site file once the cluster runs it", level=level)


def _fields(spec: Node | None, minor: int) -> Iterator[Finding]:
    """The young fields of a document's own kind."""
    waiting: list[Node | None] = [spec]
    while waiting:
        node = waiting.pop()
        for key, entry in node.entries.items() if isinstance(node, Mapping) else ():
            if FIELDS.get(key, 0) > minor:
                yield _lacks(f"field `{key}`", entry.key, FIELDS[key], minor)
            elif key not in _NO_FIELDS:
                waiting.append(entry.value)
        waiting.extend(sequence(node))


def _plugins(job: JobView, minor: int) -> Iterator[Finding]:
    plugins = job.spec.get("plugins")
    for name, entry in plugins.entries.items() if isinstance(plugins, Mapping) else ():
        if PLUGINS.get(name, 0) > minor:
            yield _lacks(f"plugin `{name}`", entry.key, PLUGINS[name], minor)
            continue
        for item in sequence(entry.value):
            flag = (text(item) or "").lstrip("-").partition("=")[0]
            since = FLAGS.get((name, flag), 0)
            if since > minor:
                yield _lacks(f"flag `--{flag}` of plugin `{name}`", item, since, minor)


def _policies(job: JobView, minor: int) -> Iterator[Finding]:
    for owner in (job.spec, *(task.node for task in job.tasks)):
        for policy in mappings(owner.get("policies")):
            for what, node in (("event", policy.get("event")), *(("event", each) for each in sequence(policy.get("events"))),
                               ("action", policy.get("action"))):
                word = text(node) or ""
                if node is not None and WORDS.get(word, 0) > minor:
                    yield _lacks(f"{what} `{word}`", node, WORDS[word], minor)


def _annotations(job: JobView, minor: int) -> Iterator[Finding]:
    seen = set()
    for pair in pairs(job):
        if ANNOTATIONS.get(pair.name, 0) > minor and pair.what == "annotation" and pair.name not in seen:
            seen.add(pair.name)
            yield _lacks(f"annotation `{pair.name}`", pair.key, ANNOTATIONS[pair.name], minor, WARNING)


RULE = ManifestRule(Code("HET534", "volcano-version", ERROR, "what the site's version of Volcano does not have"), check)
