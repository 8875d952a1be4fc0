"""MASTER_ADDR by hand names no pod of the job.

A pod has an address only with the plugin svc, `<pod>.<job>`; its bare name only the pod itself resolves. Of a Job whose name is made
up when it runs, nobody knows an address beforehand. An address that does not look like a pod's may be anything, and is not judged.
Source: Volcano's plugin svc; Kubernetes, DNS for Services and Pods.
"""
from __future__ import annotations

from hetc import names
from hetc.diagnostic import ERROR, WARNING, Code, Finding
from hetc.lazy import regex
from hetc.manifest import jobs, text
from hetc.names import shorten
from hetc.rule import ManifestRule
from hetc.rules.task_roles import sets_ranks
from hetc.tree import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site

    #: What is wrong, how grave it is, and what to do.
    Fault: TypeAlias = "tuple[str, str, str | None]"

VARIABLE = "MASTER_ADDR"
MASTER = "master"
_SELF = regex(r"localhost|127\.[0-9.]+|::1|0\.0\.0\.0")
_INDEX = regex(r"(.+)-(0|[1-9][0-9]{0,9})")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    known = [job for job in jobs(manifest) if VARIABLE in job.variables]
    named = {job.name for job in jobs(manifest) if job.name} if known else set()
    for job in known:
        hosts, ranked = _Hosts(job, named - {job.name}), sets_ranks(job)
        for _, container, variable in job.variables[VARIABLE]:
            if ranked and container.list == "containers":
                continue  # the plugin's own wins
            node, value = variable.get("value"), text(variable.get("value"))
            fault = hosts.fault(value) if value else None
            if node is not None and fault is not None:
                yield Finding(f"`{VARIABLE}` is `{shorten(value or '')}`, {fault[0]}", node.origin.span, fault[2], level=fault[1])


class _Hosts:
    """The addresses of a job's pods."""

    def __init__(self, job: JobView, others: set[str]) -> None:
        self.job = job
        self.others = others
        self.svc = "svc" in job.plugins
        self.tasks = {task.name: task for task in job.tasks}
        self.hostnames = {name: task for task in job.tasks if (name := text(find(task.pod, "hostname")))}
        single = [task for task in job.tasks if task.replicas == 1]
        first = self.tasks.get(MASTER) or (single[0] if len(single) == 1 else None)
        self.right = self.address(first) if first is not None and job.name else None
        self.help = f"write `{self.right}`" if self.right else "write the address of one pod: `<job>-<task>-<index>.<job>`"

    def address(self, task: TaskView) -> str:
        """The address of a task's first pod."""
        host = text(find(task.pod, "hostname")) or names.pod(self.job.name, task.name, 0)
        return f"{host}.{self.subdomain(task)}"

    def subdomain(self, task: TaskView) -> str:
        return text(find(task.pod, "subdomain")) or self.job.name

    def fault(self, value: str) -> Fault | None:
        host, _, rest = value.lower().partition(".")
        domain, _, zone = rest.partition(".")
        if "$(" in value or (self.job.replicas <= 1 and not domain):
            return None
        if _SELF.fullmatch(value.lower()):
            return "which is another host in each pod", WARNING, self.help
        if not self.job.name:
            return self.made_up(host, domain, zone)
        task = self.hostnames.get(host) or self.owner(host)
        if task is not None:
            return self.own(task, host, domain, zone)
        if host == self.job.name and self.svc and (not domain or zone.startswith("svc")):
            return "which is any pod of the job", WARNING, self.help
        return self.foreign(host, domain, zone)

    def owner(self, host: str) -> TaskView | None:
        """The task that has a pod of this name."""
        match = _INDEX.fullmatch(host.removeprefix(f"{self.job.name}-")) if host.startswith(f"{self.job.name}-") else None
        task = self.tasks.get(match[1]) if match is not None else None
        there = task is not None and match is not None and int(match[2]) < task.replicas and not text(find(task.pod, "hostname"))
        return task if there else None

    def own(self, task: TaskView, host: str, domain: str, zone: str) -> Fault | None:
        """What is wrong with an address of one of the job's pods."""
        full = f"{host}.{self.subdomain(task)}"
        if not self.svc and not text(find(task.pod, "subdomain")):
            return "and without the plugin `svc` no pod of the job has an address", ERROR, f"add `svc: []` to `plugins`, and write `{full}`"
        if not domain:
            return "a pod's bare name, which other pods do not resolve", WARNING if self.svc else ERROR, f"write `{full}`"
        if domain != self.subdomain(task):
            return f"and the pod's address is `{full}`", ERROR, f"write `{full}`"
        namespace = self.job.namespace
        if zone and namespace and zone.partition(".")[0] != namespace:
            return f"which is not in the job's namespace `{shorten(namespace)}`", ERROR, f"write `{full}`"
        return None

    def foreign(self, host: str, domain: str, zone: str) -> Fault | None:
        """What is wrong with a host that is no pod of the job, if it looks like a pod."""
        match = _INDEX.fullmatch(host)
        if domain == self.job.name and _is_local(zone, self.job.namespace):
            return "which names no pod of the job", ERROR, self.help
        if domain and _is_local(zone, self.job.namespace) and match is not None and match[1].startswith(f"{domain}-"):
            return f"the address of a pod of job `{shorten(domain)}`", ERROR, self.help
        if not domain and match is not None:
            other = next((name for name in sorted(self.others) if match[1].startswith(f"{name}-")), None)
            if other is not None and not host.startswith(f"{self.job.name}-"):
                return f"a pod of job `{shorten(other)}`", ERROR, self.help
        looks = match is not None and (match[1] in self.tasks or match[1].removeprefix(f"{self.job.name}-") != match[1])
        if not domain and (looks or host in self.tasks):
            return "which names no pod of the job", WARNING, self.help
        return None

    def made_up(self, host: str, domain: str, zone: str) -> Fault | None:
        """What is wrong with an address in a job whose name is made up for each run."""
        match = _INDEX.fullmatch(host)
        name = self.job.written_name
        if not domain or not _is_local(zone, self.job.namespace) or match is None or not match[1].startswith(f"{domain}-"):
            return None
        if self.job.kind == "JobTemplate" and name and domain.endswith(f"-{name}"):
            return None
        return "and the job's name is made up for each run", ERROR, "take the first host of `VC_MASTER_HOSTS`, which the plugin `svc` sets"


def _is_local(zone: str, namespace: str | None) -> bool:
    """Whether what follows `<pod>.<service>` is nothing, or a namespace of the cluster."""
    return not zone or zone == namespace or zone.split(".")[1:2] == ["svc"]


RULE = ManifestRule(Code("HET616", "master-address", ERROR, "a MASTER_ADDR that names no pod of the job"), check)
