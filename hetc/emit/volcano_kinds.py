"""The kinds that a job may be emitted as: a Job, a CronJob that makes one at each time of its schedule, a template for JobFlows,
and the JobFlow of several.

Source: Volcano's API, CronJob of batch.volcano.sh, JobTemplate and JobFlow of flow.volcano.sh.
"""
from __future__ import annotations

from hetc.api import MANAGED_BY
from hetc.fields import Choice, Field, Flag, Shape, Text, Whole
from hetc.origin import DERIVED, Origin
from hetc.tree import Entry, Mapping, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.origin import Located
    from hetc.tree import Node

JOB, CRONJOB, JOBTEMPLATE = KINDS = ("job", "cronjob", "jobtemplate")
JOBFLOW = "jobflow"
_HEADS = {
    JOB: ("batch.volcano.sh/v1alpha1", "Job"), CRONJOB: ("batch.volcano.sh/v1alpha1", "CronJob"),
    JOBTEMPLATE: ("flow.volcano.sh/v1alpha1", "JobTemplate"), JOBFLOW: ("flow.volcano.sh/v1alpha1", "JobFlow"),
}
_CONCURRENCY = {"allow": "Allow", "forbid": "Forbid", "replace": "Replace"}

FIELD = Field("schedule", Shape((
    Field("cron", Text("a schedule"), "When: five fields, or a word such as `@daily`.", "0 3 * * *"),
    Field("time_zone", Text("a time zone"), "The IANA time zone of the schedule.", "Europe/Berlin"),
    Field("concurrency_policy", Choice("a policy", tuple(_CONCURRENCY)), "What happens while the last job still runs.", "forbid", "allow"),
    Field("starting_deadline_seconds", Whole(), "How late a job may start; later it is left out.", 600),
    Field("suspend", Flag(), "Whether no job is started for now.", True, False),
    Field("successful_jobs_history_limit", Whole(), "How many jobs that succeeded are kept.", 3, 3),
    Field("failed_jobs_history_limit", Whole(), "How many jobs that failed are kept.", 1, 1),
)), "The job as a CronJob, which starts it again and again.", {"cron": "0 3 * * *"})


def chosen(schedule: Node | None, kind: str | None) -> str:
    """The kind to emit: the one asked for, else a CronJob where there is a schedule."""
    return kind or (CRONJOB if schedule is not None else JOB)


def document(kind: str, metadata: Mapping, spec: Mapping, schedule: Node | None, origin: Origin) -> Mapping:
    """A document of a kind around the spec of a job. What the CRD would fill in is written out."""
    version, name = _HEADS[kind]
    body = _cron(metadata, spec, schedule, origin) if kind == CRONJOB else spec
    return mapping(origin, {"apiVersion": Scalar(version, origin), "kind": Scalar(name, origin), "metadata": metadata, "spec": body})


def _cron(metadata: Mapping, spec: Mapping, schedule: Node | None, origin: Origin) -> Mapping:
    given = schedule if isinstance(schedule, Mapping) else Mapping({}, origin)
    policy = given.get("concurrency_policy")
    word = Scalar(_CONCURRENCY[str(policy.value)], policy.origin.derived()) if isinstance(policy, Scalar) else Scalar("Allow", origin)
    of_jobs: dict[str, Entry] = {key: metadata.entries[key] for key in ("labels", "annotations") if key in metadata.entries}
    template: dict[str, Node | None] = {"metadata": Mapping(of_jobs, origin) if of_jobs else None, "spec": spec}
    return mapping(given.origin, {
        "schedule": given.get("cron"),
        "timeZone": given.get("time_zone"),
        "startingDeadlineSeconds": given.get("starting_deadline_seconds"),
        "concurrencyPolicy": word,
        "suspend": given.get("suspend") or Scalar(False, origin),
        "successfulJobsHistoryLimit": given.get("successful_jobs_history_limit") or Scalar(3, origin),
        "failedJobsHistoryLimit": given.get("failed_jobs_history_limit") or Scalar(1, origin),
        "jobTemplate": mapping(origin, template),
    })


def flow_document(name: Located[str], namespace: Located[str] | None, retain: Node, waits: dict[Located[str], Node | None]) -> Mapping:
    """A JobFlow of JobTemplates. `waits`: the name of each -> the list of those that must have completed before."""
    nothing = name.origin.derived()
    flows: list[Node] = [mapping(job.origin, {
        "name": Scalar(job.value, job.origin),
        "dependsOn": mapping(targets.origin, {"targets": targets}) if isinstance(targets, Sequence) and targets.items else None,
    }) for job, targets in waits.items()]
    metadata = mapping(nothing, {
        "name": Scalar(name.value, name.origin),
        "namespace": None if namespace is None else Scalar(namespace.value, namespace.origin),
        "labels": Mapping({MANAGED_BY: Entry(Scalar(MANAGED_BY, nothing), Scalar("hetc", nothing))}, nothing),
    })
    spec = mapping(nothing, {"jobRetainPolicy": retain, "flows": Sequence(flows, nothing)})
    version, kind = _HEADS[JOBFLOW]
    return mapping(nothing, {"apiVersion": Scalar(version, nothing), "kind": Scalar(kind, nothing), "metadata": metadata, "spec": spec})


def mapping(origin: Origin, values: dict[str, Node | None]) -> Mapping:
    """A mapping of the values that are there; a key's place is its value's."""
    return Mapping({
        key: Entry(Scalar(key, Origin(value.origin.span, DERIVED)), value) for key, value in values.items() if value is not None
    }, origin)
