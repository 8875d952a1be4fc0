"""A job's name is part of the names of everything that Volcano makes of the job, and those have their own limits.

The name itself is a DNS subdomain of at most 63 characters, since it becomes a label of every pod. svc makes a Service
and hostnames of it, which are DNS labels: no dots, and before Kubernetes 1.36 a letter first. svc, ssh, `spec.volumes`
and ray append to it, so that less than 63 is left. The webhook sees none of that: the job is admitted, and no pod comes.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import jobs, sequence, text
from hetc.rule import ManifestRule
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest
    from hetc.site import Site

#: The first API server that lets a Service's name start with a digit.
RELAXED = (1, 36)


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        finding = _itself(job, manifest.emitted) or _label(job, site)
        if finding is not None:
            yield finding
        finding = _derived(job)
        if finding is not None:
            yield finding


def _itself(job: JobView, emitted: bool) -> Finding | None:
    """What is wrong with the name whatever the job uses."""
    name = job.full_name
    if not name:
        help = "write `name: NAME` in an overlay, or give --name NAME" if emitted else "write `metadata.name`"
        return Finding("the job has no name", job.name_span, help)
    prefix = (text(find(job.node, "metadata", "generateName")) or "") if not job.written_name else ""
    if job.kind == "CronJob" and len(job.written_name) > names.CRON_LENGTH:
        return None  # that is a rule of its own
    if emitted and job.flow is not None and len(job.written_name) <= names.LABEL_LENGTH:
        return None  # the flow's rule says so of the same place
    wrong = names.dns1123_subdomain(name) or names.too_long(name) or _prefix(prefix)
    if wrong is None:
        return None
    better = names.suggest(name) if job.name else _better(prefix)
    return Finding(f"the job's name is no DNS name: {wrong}", job.name_span, f"write `{better}`" if better else None)


def _prefix(prefix: str) -> str | None:
    """What is wrong with a `generateName` that is not seen in the name made of it: it is one too, but for a `-` at its end."""
    return names.dns1123_subdomain(prefix) if prefix and not prefix.endswith("-") else None


def _better(prefix: str) -> str | None:
    """What to write for a `generateName` that ends with a dot."""
    better = prefix.rstrip(".") + "-"
    return better if prefix.endswith(".") and names.dns1123_subdomain(better + "x") is None else None


def _label(job: JobView, site: Site) -> Finding | None:
    """What is wrong with the name where a DNS label is made of it."""
    name = job.full_name
    if "." in name and (user := _user(job)) is not None:
        return Finding(f"`{name}` has a dot, and {user} makes a DNS label of it, which has none", job.name_span,
                       f"write `{name.replace('.', '-')}`")
    if name[0].isdigit() and "svc" in job.plugins and (site.kubernetes is None or site.kubernetes < RELAXED):
        return Finding(f"`{name}` starts with `{name[0]}`, and a Service, which plugin `svc` names after the job, starts with a letter",
                       job.name_span, f"write `job-{name}`, or say `[kubernetes] version` in the site file if it is 1.36 or later")
    return None


def _user(job: JobView) -> str | None:
    """What makes a DNS label of the job's name."""
    plugin = next((f"plugin `{name}`" for name in ("svc", "ssh") if name in job.plugins), None)
    return plugin or ("`spec.volumes`" if sequence(job.spec.get("volumes")) else None)


def _derived(job: JobView) -> Finding | None:
    """The longest name that is made of the job's, where it is too long."""
    name = job.full_name
    if len(names.job_volume(name)) <= names.LABEL_LENGTH:  # none is longer
        return None
    makers = (
        ("svc" in job.plugins, names.svc_volume(name), "the volume of plugin `svc`"),
        ("ssh" in job.plugins, names.ssh_volume(name), "the volume of plugin `ssh`"),
        ("ray" in job.plugins, names.ray_service(name), "the Service of plugin `ray`"),
        (bool(sequence(job.spec.get("volumes"))), names.job_volume(name), "a volume of `spec.volumes`"),
    )
    derived, what = max(((derived, what) for used, derived, what in makers if used), key=lambda pair: len(pair[0]), default=("", ""))
    excess = len(derived) - names.LABEL_LENGTH
    if excess <= 0 or len(name) > names.LABEL_LENGTH:
        return None
    most = len(name) - excess
    return Finding(f"`{derived}`, {what}, has {len(derived)} characters, {excess} more than the {names.LABEL_LENGTH} of a DNS label",
                   job.name_span, f"cut {excess} from the job's name: at most {most} here")


RULE = ManifestRule(Code("HET102", "job-name", ERROR, "a job name that some object made of it cannot have"), check)
