"""All rules, in the order in which they run. A rule is one module, one page beside it, one test file and one line here."""
from __future__ import annotations

from hetc import codes
from hetc.diagnostic import Code
from hetc.rules import (
    bad_image,
    bad_pod_field,
    bad_toleration,
    env_name,
    env_reference,
    floating_image,
    fragile_text,
    gang_minimum,
    gpu_selector_without_gpus,
    host_list,
    job_name,
    label_syntax,
    missing_master,
    mount_overlap,
    mount_path,
    object_name,
    object_size,
    overridden_variable,
    owned_metadata,
    plugin_arguments,
    plugin_variable,
    pod_collision,
    pod_name,
    processes_per_gpu,
    reserved_variable,
    resource_amounts,
    root_queue,
    script_size,
    shm_size,
    site_policy,
    skipped_namespace,
    sub_path,
    task_name,
    unknown_api,
    volume_name,
    volume_source,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.rule import JobRule, ManifestRule

RULES: tuple[JobRule | ManifestRule, ...] = (
    unknown_api.RULE,
    job_name.RULE,
    pod_name.RULE,
    object_name.RULE,
    label_syntax.RULE,
    env_name.RULE,
    task_name.RULE,
    pod_collision.RULE,
    volume_name.RULE,
    resource_amounts.RULE,
    processes_per_gpu.RULE,
    mount_overlap.RULE,
    mount_path.RULE,
    sub_path.RULE,
    volume_source.RULE,
    shm_size.RULE,
    bad_image.RULE,
    bad_pod_field.RULE,
    bad_toleration.RULE,
    root_queue.RULE,
    plugin_arguments.RULE,
    missing_master.RULE,
    reserved_variable.RULE,
    overridden_variable.RULE,
    env_reference.RULE,
    plugin_variable.RULE,
    gang_minimum.RULE,
    host_list.RULE,
    object_size.RULE,
    script_size.RULE,
    owned_metadata.RULE,
    fragile_text.RULE,
    floating_image.RULE,
    skipped_namespace.RULE,
    gpu_selector_without_gpus.RULE,
    site_policy.RULE,
)

#: Every code that hetc may print: those of the readers, and those of the rules.
CATALOG: tuple[Code, ...] = tuple(sorted(
    (*(value for value in vars(codes).values() if isinstance(value, Code)), *(rule.code for rule in RULES)),
    key=lambda code: code.code,
))
