"""What Volcano makes of a job: for `hetc plan`.

Source: Volcano's job controller and its plugins svc, env and ssh, at the commit that the manifest rules are about.
"""
from __future__ import annotations

from hetc import duration, ir, lifecycle, plugins
from hetc.emit.additions import by_plugins
from hetc.emit.description import Addition, Description
from hetc.emit.volcano import task_script, variable_names
from hetc.names import counted
from hetc.origin import Located
from hetc.tree import Scalar, Sequence, find, leaves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.ir import Job, Pack
    from hetc.site import Site
    from hetc.tree import Node


def describe(job: Job, site: Site) -> Description:
    """Everything that a reader of the manifest would have to know about Volcano to foresee the job."""
    sums = ir.totals(job)
    minimum = ir.gang_minimum(job, sums).value
    queue = job.backend.get("queue")
    return Description(
        "volcano",
        (("queue", _text(queue) or "default"), ("scheduler", site.scheduler)),
        (*_start(job, sums, minimum), *_failure(job), *_end(job, sums, minimum)),
        {task.name.value: _pods(job, task) for task in job.tasks},
        {task.name.value: task_script(task, site) if task.command else None for task in job.tasks},
        tuple(_additions(job)),
        tuple(_needs(job, queue)),
        _submit(job),
        tuple(_notes(job, site, sums, minimum)),
        tuple(_own(job)),
    )


def _pods(job: Job, task: ir.Task) -> tuple[str, str]:
    prefix = f"{job.name.value}-{task.name.value}-"
    return f"{prefix}0", f"{prefix}{task.replicas.value - 1}"


def _start(job: Job, sums: ir.Totals, minimum: int) -> Iterator[str]:
    if minimum == sums.pods:
        yield f"starts when all {counted(minimum, 'pod')} can be placed at once"
    elif minimum < sums.minimum:
        yield (f"starts when {minimum} of {counted(sums.pods, 'pod')} can be placed at once, of whichever tasks: "
               f"this is below the sum of the tasks' minima ({sums.minimum}), and Volcano then ignores those")
    else:
        parts = ", ".join(f"{task.minimum.value} of {task.replicas.value} {task.name.value}" for task in job.tasks)
        yield f"starts when {minimum} of {counted(sums.pods, 'pod')} can be placed at once: {parts}"
    if job.gang.start is not None:
        yield f"gives up when a pod has waited for {duration.written(job.gang.start.value)}"
    yield from _order(job)
    if job.gang.pack is not None:
        yield f"all pods {_pack(job.gang.pack.value)}"
    for task in job.tasks:
        if task.pack is not None:
            yield f"pods of {task.name.value} {_pack(task.pack.value)}"


def _order(job: Job) -> Iterator[str]:
    """Tasks whose pods are made later than others."""
    for task in job.tasks:
        names, one = task.backend.get("depends_on"), task.backend.get("depends_on_any")
        if isinstance(names, Sequence) and names.items:
            listed = ", ".join(str(item.value) for item in names.items if isinstance(item, Scalar))
            how = "one of" if isinstance(one, Scalar) and one.value is True else "all of"
            yield f"pods of {task.name.value} are made once {how} {listed} can be used"


def _pack(pack: Pack) -> str:
    tier = str(pack.tier) if isinstance(pack.tier, int) else f"`{pack.tier}`"
    return f"{'stay' if pack.mode == ir.HARD else 'stay where possible'} inside one network domain, of tier {tier} at most"


def _policies(job: Job) -> Iterator[str]:
    """What tasks' policies and the job's own do, in the order in which they are asked."""
    owners: list[tuple[Job | ir.Task, str]] = [*((task, f" of {task.name.value}") for task in job.tasks), (job, "")]
    for owner, of in owners:
        for policy in lifecycle.policies(owner):
            events = [f"event {event.value}" for event in policy.events]
            what = " or ".join([*events, *([f"exit code {policy.exit_code.value}"] if policy.exit_code is not None else [])])
            when = f" after {duration.written(duration.seconds(policy.timeout.text))}" if policy.timeout is not None else ""
            yield f"{what}{of}: {policy.action.value if policy.action is not None else 'nothing'}{when}"
    limits = {task.time_limit.value: None for task in job.tasks if task.time_limit is not None}
    for limit in limits:
        names = [task.name.value for task in job.tasks if task.time_limit is not None and task.time_limit.value == limit]
        whose = "a pod" if len(names) == len(job.tasks) else f"a pod of {', '.join(names)}"
        yield f"{whose} that has run for {duration.written(limit)} is ended, and has failed then"


def _failure(job: Job) -> Iterator[str]:
    yield from _policies(job)
    how = job.gang.fail.value if job.gang.fail is not None else ir.FAIL
    if how == ir.FAIL:
        yield "a pod that fails or is evicted ends the job"
    elif how == ir.RESTART:
        retries = job.gang.retries.value if job.gang.retries is not None else 3
        yield f"a pod that fails or is evicted restarts all pods; failure {retries} ends the job"
    else:
        yield "a pod that fails or is evicted is left as it is, and the others go on"


def _end(job: Job, sums: ir.Totals, minimum: int) -> Iterator[str]:
    done = job.gang.done
    if done is not None and done.value != ir.ALL:
        yield f"the job is complete as soon as all pods of {done.value} have succeeded; the others are stopped then"
    success = job.backend.get("min_success")
    if isinstance(success, Scalar):
        yield f"the job is complete as soon as {success.value} pods have succeeded; the others are stopped then"
    when = "once all pods have ended, the job is a success when"
    if minimum < sums.minimum:
        yield f"{when} at least {counted(minimum, 'pod')} succeeded"
    elif minimum == sums.pods:
        yield f"{when} all of them succeeded"
    else:
        yield f"{when} of each task at least its minimum succeeded, and {counted(minimum, 'pod')} in all"
    if job.ttl_seconds_after_finished is not None:
        yield f"it is deleted {job.ttl_seconds_after_finished.value} seconds after its end"


def _additions(job: Job) -> Iterator[Addition]:
    name = job.name.value
    yield Addition("PodGroup", f"{name}-UID", "the gang as the scheduler sees it")
    if _flag(job, "svc", "publish_not_ready_addresses") is True:
        yield Addition("Service", name, "headless: addresses POD." + name + ", before pods are ready too")
    else:
        yield Addition("Service", name, "headless: addresses POD." + name)
    yield Addition("ConfigMap", f"{name}-svc", "the hosts of each task; mounted at /etc/volcano")
    if _flag(job, "svc", "disable_network_policy") is not True:
        yield Addition("NetworkPolicy", name, "only pods of this job may connect to its pods")
    on = plugins.asked(job)
    if "ssh" in on:
        path = _text(on["ssh"][1].get("key_file_path")) or "/root/.ssh"
        yield Addition("Secret", f"{name}-ssh", f"a key pair for ssh between the pods; mounted at {path}")
    if "ray" in on:
        yield Addition("Service", f"{name}-head-svc", "the ports of Ray's head")
    for task in job.tasks:
        if _flag(job, "svc", "inject_hosts_env") is not False:
            word = task.name.value.upper().replace("-", "_")
            yield Addition("variables", f"VC_{word}_HOSTS, VC_{word}_NUM", f"hosts of {task.name.value}, and how many")
    yield from by_plugins(job)


def _needs(job: Job, queue: Node | None) -> Iterator[Addition]:
    """What the manifest names and does not bring along, each once."""
    if job.namespace is not None:
        yield Addition("Namespace", job.namespace.value, "")
    yield Addition("Queue", _text(queue) or "default", "")
    if job.priority_class is not None:
        yield Addition("PriorityClass", job.priority_class.value, "")
    if job.service_account is not None:
        yield Addition("ServiceAccount", job.service_account.value, "")
    yield from sorted({Addition(kind, name, "") for kind, name in _objects(job)}, key=lambda need: (need.kind, need.name))


def _objects(job: Job) -> Iterator[tuple[str, str]]:
    kinds = {"secret": "Secret", "config_map": "ConfigMap", "claim": "PersistentVolumeClaim"}
    for secret in job.image_pull_secrets:
        yield "Secret", secret.value
    for mount in (mount for task in job.tasks for mount in task.mounts):
        if mount.source is not None:
            yield kinds[mount.kind.value], mount.source.value
    for task in job.tasks:
        for _, template in task.claims:
            yield "ResourceClaimTemplate", template.value
        for reference in (*task.env_from, *(each.value for each in task.env)):
            if isinstance(reference, ir.Reference) and reference.kind in kinds:
                yield kinds[reference.kind], reference.name.value


def _shares(job: Job) -> Iterator[str]:
    for task in job.tasks:
        if task.share is not None:
            parts = [f"{task.share.memory.value} MiB"] if task.share.memory is not None else ["all memory"]
            parts += [f"{task.share.cores.value} % of the cores"] if task.share.cores is not None else []
            yield f"pods of {task.name.value} get {' and '.join(parts)} of each of their {counted(task.gpus.value, 'vGPU')}"


def _submit(job: Job) -> str:
    if job.context is None:
        return "kubectl create -f -"
    from shlex import quote

    return f"kubectl --context {quote(job.context.value)} create -f -"


def _notes(job: Job, site: Site, sums: ir.Totals, minimum: int) -> Iterator[str]:
    names = variable_names(site)
    if sums.gpus:
        yield f"`{names['PROCESSES']}` is the number of GPUs, {sums.gpus}; processes of all nodes: {sums.processes}"
    yield from _shares(job)
    if minimum < sums.pods and not all(_sets(task, "WORLD_SIZE") for task in job.tasks):
        yield (f"`WORLD_SIZE` is {sums.pods} also when the job starts with fewer pods, {minimum} at least: ranks that wait for all others "
               "wait until those are placed too")
    if _flag(job, "svc", "disable_network_policy") is not True:
        yield ("pods of other jobs, dashboards and scrapers cannot connect to these pods; "
               "`plugins: {svc: {disable_network_policy: true}}` lets them")
    packed = job.gang.pack is not None or any(task.pack is not None for task in job.tasks)
    if packed and "network-topology-aware" not in site.plugins:
        yield "packing needs the scheduler's plugin network-topology-aware and HyperNodes; without them it has no effect"
    if "ray" in plugins.asked(job) and (job.gang.done is None or job.gang.done.value == ir.ALL):
        yield "Ray's head and workers run until somebody stops them; `gang[done=TASK]` ends the job with the task that uses them"
    yield from _keys(job)
    if job.backend.get("schedule") is not None:
        yield (f"as a CronJob its jobs are called {job.name.value}-MINUTES, after the minute of their start, and so are their pods and "
               "objects; `--kind job` makes one job now")
    if job.namespace is None:
        yield "no namespace is set: the one of the kubectl context takes the job"


def _keys(job: Job) -> Iterator[str]:
    """Whether pods that run as others than root find the keys of ssh where these are by default."""
    names = [task.name.value for task in job.tasks if task.run_as is not None and task.run_as.user is not None]
    ssh = plugins.asked(job).get("ssh")
    if names and ssh is not None and ssh[1].get("key_file_path") is None:
        yield (f"pods of {', '.join(names)} do not run as root, and the keys of plugin ssh are in /root/.ssh; "
               "`plugins: {ssh: {key_file_path: /home/USER/.ssh}}` puts them into a home of theirs")


def _sets(task: ir.Task, name: str) -> bool:
    return any(variable.name.value == name for variable in task.env)


def _plugin(job: Job, name: str) -> Node | None:
    return find(job.backend.get("plugins"), name)


def _flag(job: Job, plugin: str, name: str) -> object:
    node = find(_plugin(job, plugin), name)
    return node.value if isinstance(node, Scalar) else None


def _text(node: Node | None) -> str | None:
    return str(node.value) if isinstance(node, Scalar) else None


def _own(job: Job) -> Iterator[tuple[str, Located[str]]]:
    """Each leaf of the keys that only Volcano understands, those of tasks under `tasks.NAME`."""
    owners: list[tuple[str, Job | ir.Task]] = [("", job), *((f"tasks.{task.name.value}.", task) for task in job.tasks)]
    for path, owner in owners:
        for key in sorted(owner.backend):
            yield from leaves(path + key, owner.backend[key])
