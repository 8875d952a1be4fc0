"""All rules, in the order in which they run. A rule is one module, one page beside it, one test file and one line here.

A rule is loaded when it is first run: importing all of them costs more than a build.
"""
from __future__ import annotations

from functools import lru_cache

from hetc import codes
from hetc.diagnostic import Code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hetc.rule import JobRule, ManifestRule

    #: All rules, and every code that hetc may print: those of the readers, and those of the rules. A rule over manifests and a
    #: reader of layers that refuse the same thing share one code. Both load all rules.
    RULES: tuple[JobRule | ManifestRule, ...]
    CATALOG: tuple[Code, ...]

#: The rules over jobs.
JOB_RULES = (
    "processes_per_gpu",
    "missing_master",
    "reserved_variable",
    "unused_command",
    "limit_restarts",
    "overridden_variable",
    "owned_metadata",
    "site_policy",
)

#: Labels and annotations that Volcano reads, and those that others read from pods.
_OWN_KEYS = "volcano.sh/ scheduling.volcano.sh/ hccl/ huawei.com/vnpu-mode nvidia.com/use-gputype nvidia.com/nouse-gputype sla-waiting-time"
_KEYS_OF_PODS = (
    "cluster-autoscaler.kubernetes.io/ container.apparmor.security.beta.kubernetes.io/ k8s.v1.cni.cncf.io/ karpenter.sh/ linkerd.io/"
    " prometheus.io/ sidecar.istio.io/"
)

#: The rules over manifests, each with words of which a document must have one for the rule to find anything: a key, anywhere and
#: in any spelling, the domain of one with its `/`, or a document's kind, with its capital. A rule without words looks at every document.
MANIFEST_RULES = {
    "unknown_api": "",
    "job_name": "",
    "pod_name": "",
    "object_name": "",
    "label_syntax": "",
    "pod_annotation": "annotations",
    "env_name": "",
    "task_name": "",
    "pod_collision": "",
    "volume_name": "",
    "resource_amounts": "",
    "virtual_gpu": "volcano.sh/",
    "mount_overlap": "mountPath ssh mpi statusmounter",
    "mount_path": "mountPath ssh mpi statusmounter",
    "sub_path": "subPath subPathExpr",
    "volume_source": "volumes",
    "shm_size": "emptyDir",
    "claim_template": "volumeClaim volumeClaimTemplate volumeClaimTemplates ephemeral PersistentVolumeClaim",
    "volume_content": "configMap secret sizeLimit projected downwardAPI",
    "mount_option": "mountPropagation recursiveReadOnly volumeDevices",
    "privileged": "privileged allowPrivilegeEscalation",
    "host_namespace": "hostNetwork hostPID hostIPC hostPort",
    "host_path": "hostPath",
    "capabilities": "capabilities",
    "volume_kind": "volumes",
    "unsafe_sysctl": "sysctls",
    "unconfined": "seccompProfile appArmorProfile annotations",
    "selinux_options": "seLinuxOptions",
    "unmasked_proc": "procMount",
    "run_as_root": "runAsUser runAsNonRoot",
    "windows_host_process": "hostProcess",
    "pinned_volume": "volumeName",
    "probe_host": "host",
    "bad_image": "",
    "bad_pod_field": "",
    "program_path": "command",
    "name_lookup": "dnsConfig hostAliases hostnameOverride",
    "device_claim": "resourceClaims claims",
    "pod_term": "affinity topologySpreadConstraints",
    "security_profile": "securityContext os",
    "resize_policy": "resizePolicy",
    "bad_toleration": "tolerations",
    "bad_selector": "affinity topologySpreadConstraints selector",
    "root_queue": "queue",
    "plugin_arguments": "plugins",
    "no_tasks": "",
    "mpi_master": "mpi",
    "bad_policy": "policies",
    "bad_duration": "runningEstimate timeout",
    "two_tiers": "networkTopology",
    "whole_cpus": "topologyPolicy",
    "depends_on": "dependsOn",
    "bad_port": "ports",
    "env_source": "valueFrom envFrom downwardAPI",
    "container_name": "",
    "container_life": "initContainers lifecycle restartPolicyRules restartPolicy",
    "bad_probe": "livenessProbe readinessProbe startupProbe lifecycle",
    "count_range": "",
    "volcano_version": "plugins policies CronJob HyperNode annotations networkTopology subGroupPolicy dequeueStrategy",
    "volcano_choice": "networkTopology topologyPolicy CronJob JobFlow Queue PodGroup HyperNode",
    "optional_policy": "",
    "given_queue": "Queue",
    "cron_schedule": "CronJob",
    "time_zone": "timeZone",
    "cron_name": "CronJob",
    "queue_amounts": "Queue",
    "queue_hierarchy": "Queue",
    "queue_parent": "Queue",
    "hypernode_member": "HyperNode",
    "flow_targets": "JobFlow",
    "flow_job": "JobFlow JobTemplate",
    "flow_unused": "JobFlow",
    "env_reference": "value",
    "plugin_variable": "plugins",
    "gang_minimum": "",
    "gang_deadlock": "dependsOn",
    "task_roles": "hcclrank mpi pytorch tensorflow",
    "ray_containers": "ray",
    "plugin_port": "mpi pytorch ray",
    "master_address": "value",
    "world_size": "value",
    "fixed_rank": "value",
    "changed_replicas": "value",
    "other_scheduler": "nodeName schedulerName",
    "pod_hostname": "hostname subdomain",
    "empty_task": "",
    "endless_pod": "",
    "idle_policy": "policies",
    "early_end": "policies",
    "open_topology": "networkTopology partitionPolicy",
    "given_tier": "networkTopology",
    "gang_room": "networkTopology",
    "queue_room": "Queue",
    "bad_annotation": _OWN_KEYS,
    "controller_metadata": "volcano.sh/ scheduling.k8s.io/",
    "misplaced_metadata": f"{_OWN_KEYS} {_KEYS_OF_PODS}",
    "host_list": "svc ssh mpi pytorch ray tensorflow",
    "object_size": "",
    "script_size": "",
    "fragile_text": "",
    "floating_image": "",
    "skipped_namespace": "namespace",
    "gpu_selector_without_gpus": "nodeSelector affinity",
    "manifest_policy": "",
    "inactive_annotation": f"{_OWN_KEYS} topologyPolicy",
}

#: Those that nothing can break which hetc emits: it writes what they ask for whatever the input, or nothing that they look at.
BY_HAND = frozenset((
    "changed_replicas", "claim_template", "container_life", "container_name", "controller_metadata", "empty_task", "endless_pod",
    "env_source", "fixed_rank", "manifest_policy", "no_tasks", "unknown_api", "volume_kind", "world_size",
))

_WORDS = {
    name: frozenset(word if word[0].isupper() else word.lower().replace("-", "") for word in words.split())
    for name, words in MANIFEST_RULES.items()
}
_ASKED = frozenset().union(*_WORDS.values())
_loaded: dict[str, Any] = {}


def job_rules() -> Iterator[JobRule]:
    """The rules over jobs."""
    return map(_rule, JOB_RULES)


def manifest_rules(words: frozenset[str], emitted: bool) -> tuple[ManifestRule, ...]:
    """The rules over manifests that may find anything in one of these words; `emitted`: hetc wrote it."""
    domains = (word.partition("/")[0] + "/" for word in words if "/" in word)
    return _manifest_rules(_ASKED.intersection(words) | _ASKED.intersection(domains), emitted)


@lru_cache(64)
def _manifest_rules(words: frozenset[str], emitted: bool) -> tuple[ManifestRule, ...]:
    """The same for words that rules ask for: a document's own would be kept in memory here, and it may have a million."""
    names = (name for name, own in _WORDS.items() if not own or not own.isdisjoint(words))
    return tuple(_rule(name) for name in names if not (emitted and name in BY_HAND))


def _rule(name: str) -> Any:
    if name not in _loaded:
        _loaded[name] = __import__(f"hetc.rules.{name}", fromlist=("RULE",)).RULE
    return _loaded[name]


def _all() -> tuple[JobRule | ManifestRule, ...]:
    return tuple(_rule(name) for name in (*MANIFEST_RULES, *JOB_RULES))


def __getattr__(name: str) -> object:
    if name == "RULES":
        return _all()
    if name == "CATALOG":
        readers = (each for each in vars(codes).values() if isinstance(each, Code))
        return tuple(sorted({*readers, *(rule.code for rule in _all())}, key=lambda code: code.code))
    raise AttributeError(f"module 'hetc.rules' has no attribute {name!r}")
