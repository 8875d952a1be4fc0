"""The lists of hosts that the plugins svc and ssh make grow with the replicas, beyond what Linux and Kubernetes take.

svc gives every container `VC_<TASK>_HOSTS`, a comma list of `<pod>.<job>`; Linux takes `NAME=VALUE` and a NUL of 128 KiB in all, else
no process starts. The same lists, once more with newlines, stand in svc's ConfigMap, and ssh writes three lines for each pod to its
Secret; the data of either may have 1 MiB. Lengths are computed, the lists never made: replicas may be 2^31.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, Code, Finding
from hetc.manifest import jobs, text
from hetc.names import shorten
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import JobView, Manifest, TaskView
    from hetc.site import Site
    from hetc.source import Span

#: Linux's MAX_ARG_STRLEN.
MAX_VARIABLE = 128 * 1024
#: Kubernetes' limit for the values of a ConfigMap or Secret.
MAX_DATA = 1024 * 1024

_FALSE = frozenset("0 f F FALSE false False".split())
_SSH_HEAD = len("StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\n")
_SSH_LINES = len("Host \n  HostName .\n  Port \n")


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for job in jobs(manifest):
        if job.full_name and job.tasks:
            yield from _job(job, manifest.emitted)


def _job(job: JobView, emitted: bool) -> Iterator[Finding]:
    largest = max(job.tasks, key=lambda task: task.replicas)
    if "svc" in job.plugins:
        sizes = [_list_size(job, task) for task in job.tasks]
        data = 2 * sum(sizes) + sum(len(str(_hosts(task))) for task in job.tasks)
        if data > MAX_DATA:
            yield Finding(f"the host lists of the plugin `svc` have {data:,} bytes, and a ConfigMap holds {MAX_DATA:,}", _place(largest),
                          "ask for fewer replicas, or shorten the names of the job and its tasks")
        elif job.argument("svc", "inject-hosts-env") not in _FALSE:
            for task, size in zip(job.tasks, sizes):
                yield from _variable(task, size, emitted)
    if "ssh" in job.plugins:
        port = job.argument("ssh", "ssh-port") or "22"
        config = _SSH_HEAD + sum(_ssh_size(job, task, port) for task in job.tasks)
        if config > MAX_DATA:
            yield Finding(f"the host list of the plugin `ssh` has {config:,} bytes, and a Secret holds {MAX_DATA:,}", _place(largest),
                          "ask for fewer replicas, or leave the plugin `ssh` out")


def _variable(task: TaskView, hosts: int, emitted: bool) -> Iterator[Finding]:
    """The variable with a task's list of hosts, which has so many bytes."""
    name = f"VC_{task.name.upper().replace('-', '_')}_HOSTS"
    size = len(name) + len("=") + hosts + len("\0")
    if size > MAX_VARIABLE:
        form = "plugins: {svc: {inject_hosts_env: false}}" if emitted else "svc: [--inject-hosts-env=false]"
        file = f"/etc/volcano/{task.name.replace('-', '_')}.host"
        yield Finding(f"variable `{shorten(name)}` has {size:,} bytes, and Linux takes {MAX_VARIABLE:,}: no container of the job starts",
                      _place(task), f"write `{form}`, and read the hosts from `{shorten(file)}`")


def _hosts(task: TaskView) -> int:
    """The entries of a task in a host list: with a hostname of the template's own all replicas are one."""
    return min(task.replicas, 1) if _hostname(task) else max(task.replicas, 0)


def _hostname(task: TaskView) -> str:
    return text(task.pod and task.pod.get("hostname")) or ""


def _subdomain(job: JobView, task: TaskView) -> str:
    return text(task.pod and task.pod.get("subdomain")) or job.full_name


def _names_size(job: JobView, task: TaskView) -> int:
    """The bytes of the hostnames of a task: `<job>-<task>-<index>` for each replica."""
    count, hostname = _hosts(task), _hostname(task)
    return count * len(hostname) if hostname else count * len(f"{job.full_name}-{task.name}-") + digits(count)


def _list_size(job: JobView, task: TaskView) -> int:
    """The bytes of one list of a task: `<hostname>.<subdomain>` for each, one character between two."""
    count = _hosts(task)
    return _names_size(job, task) + count * len(f".{_subdomain(job, task)}") + max(count - 1, 0)


def _ssh_size(job: JobView, task: TaskView, port: str) -> int:
    return 2 * _names_size(job, task) + _hosts(task) * (_SSH_LINES + len(_subdomain(job, task)) + len(port))


def digits(count: int) -> int:
    """The digits of the numbers from 0 to `count` - 1 together."""
    total, power = count, 10
    while power < count:
        total, power = total + count - power, power * 10
    return total


def _place(task: TaskView) -> Span:
    return (task.node.get("replicas") or task.node).origin.span


RULE = ManifestRule(Code("HET607", "host-list", ERROR, "host lists beyond what Linux or Kubernetes takes"), check)
