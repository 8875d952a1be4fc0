"""A `Job` to a Volcano Job. The one module that knows Volcano's words for what the IR says.

Emission never complains: what it could fail on is a rule's business. Fields stand in one fixed order, keys of user
mappings by code point, and every field that the CRD or Volcano's mutating webhook would fill is written out, so that the
stored object equals the file.
"""
from __future__ import annotations

from hetc import duration, ir, lifecycle, plugins, scheduling
from hetc.api import MANAGED_BY
from hetc.diagnostic import WARNING, Finding
from hetc.emit import volcano_kinds
from hetc.emit.volcano_kinds import mapping
from hetc.fields import Field, Text
from hetc.origin import Located, Origin
from hetc.record import Record
from hetc.script import env_value, script
from hetc.tree import Entry, Mapping, Scalar, Sequence, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hetc.ir import Job, Mount, Pack, Reference, Task
    from hetc.quantity import Quantity
    from hetc.script import Script
    from hetc.site import Site
    from hetc.tree import Node

SHM = "shm"
MASTER_PORT = "29500"
JOB_NAME_LABEL = "volcano.sh/job-name"
TASK_INDEX_LABEL = "volcano.sh/task-index"
#: maxRetry of jobs and tasks where nothing else is said; what the webhook would fill.
MAX_RETRY = 3

#: The overlay keys that only Volcano understands.
FIELDS: tuple[Field, ...] = (
    Field("queue", Text("a queue"), "The queue of the job.", "research", "default"),
    plugins.field(),
    *lifecycle.FIELDS,
    volcano_kinds.FIELD,
    *scheduling.FIELDS,
)


def without_command(job: Job) -> frozenset[str]:
    """The tasks whose command is not the user's to give."""
    return plugins.without_command(job)


def without_effect(job: Mapping, kind: str | None) -> Iterator[Finding]:
    """The keys of a job, all layers merged, that the kind asked for has no place for.

    A Job in place of a CronJob is one run of it, as who asks for it wants.
    """
    if "schedule" in job.entries and kind == volcano_kinds.JOBTEMPLATE:
        yield Finding("`schedule` has no effect in a JobTemplate, of which a flow makes the job when its turn comes",
                      job.key_span("schedule"),
                      "leave it out; where the job has other uses, write `schedule: null` in an overlay of this one", level=WARNING)


#: What a group may count as its GPUs -> the resource; a MIG profile follows its own.
DEVICES = {"vgpu": "volcano.sh/vgpu-number", "mig:": "nvidia.com/mig-"}
VGPU_MEMORY = "volcano.sh/vgpu-memory"
VGPU_CORES = "volcano.sh/vgpu-cores"


def variable_names(site: Site) -> dict[str, str]:
    """Short name -> the computed variable's name; the prefix is the site's."""
    words = ("JOB_NAME", "TASK_NAME", "TASK_INDEX", "TASK_REPLICAS", "NODE_RANK", "NODES", "GPU_NODES", "TOTAL_GPUS", "GPUS_PER_NODE",
             "PROCESSES_PER_NODE", "PROCESSES")
    return {word: site.prefix + word for word in words}


def task_script(task: Task, site: Site) -> Script:
    """The shell text that a task runs."""
    names = variable_names(site)
    own_rank = any(variable.name.value == "NODE_RANK" for variable in task.env)
    return script(task.rank, names["TASK_INDEX"], names["NODE_RANK"], not own_rank,
                  [line.value for line in task.setup], [line.value for line in task.command])


class _Context(Record):
    """What every part of one emission needs."""

    job: Job
    site: Site
    totals: ir.Totals
    names: dict[str, str]
    #: The tasks whose command a plugin writes.
    commanded: frozenset[str]
    #: The computed variables that a plugin sets.
    set_elsewhere: frozenset[str]


def emit(job: Job, site: Site, kind: str | None = None) -> Mapping:
    """The Volcano Job of a job, or another kind of `volcano_kinds.KINDS`; None: the one that the job asks for."""
    context = _Context(job, site, ir.totals(job), variable_names(site), without_command(job), plugins.variables(job))
    nothing = job.origin.derived()
    labels = dict(_pairs(job.labels))
    labels.setdefault(MANAGED_BY, Entry(Scalar(MANAGED_BY, nothing), Scalar("hetc", nothing)))
    metadata = mapping(nothing, {
        "name": _scalar(job.name),
        "namespace": _scalar(job.namespace),
        "labels": _sorted(labels, nothing),
        "annotations": _sorted({**_pairs(job.annotations), **scheduling.of_job(job)}, nothing),
    })
    schedule = job.backend.get("schedule")
    return volcano_kinds.document(volcano_kinds.chosen(schedule, kind), metadata, _spec(context), schedule, nothing)


def _spec(context: _Context) -> Mapping:
    job, site = context.job, context.site
    nothing = job.origin.derived()
    queue = job.backend.get("queue")
    retries = job.gang.retries
    return mapping(nothing, {
        "schedulerName": Scalar(site.scheduler, nothing),
        "queue": queue if queue is not None else Scalar("default", nothing),
        "minAvailable": _scalar(ir.gang_minimum(job, context.totals)),
        "minSuccess": _copied(job.backend.get("min_success")),
        "maxRetry": _scalar(retries) or Scalar(MAX_RETRY, nothing),
        "priorityClassName": _scalar(job.priority_class),
        "ttlSecondsAfterFinished": _scalar(job.ttl_seconds_after_finished),
        "plugins": _plugins(job),
        "policies": _policies(job),
        "networkTopology": _topology(job.gang.pack),
        "tasks": Sequence([_task(context, task) for task in job.tasks], nothing),
    })


def _plugins(job: Job) -> Mapping:
    """Plugins by name, each with its flags as single `--key=value` strings."""
    given = job.backend.get("plugins")
    written: dict[str, Entry] = {}
    for name, (key, settings) in plugins.asked(job).items():
        flags = Sequence(list(plugins.arguments(job, name, settings)), settings.origin)
        written[name] = Entry(Scalar(name, key.origin), flags)
    return Mapping(written, given.origin if given is not None else job.origin.derived())


def _policies(job: Job) -> Sequence | None:
    """The job's own policies, before those of the gang: one for an exit code must come before the one for every failed pod."""
    return _list([*_given_policies(job), *_failure(job), *_start(job)], job.origin.derived())


def _given_policies(owner: Job | Task) -> Iterable[Mapping]:
    for policy in lifecycle.policies(owner):
        events = [Scalar(event.value, event.origin) for event in policy.events]
        single = isinstance(policy.node.get("event"), Scalar) and len(events) == 1
        yield mapping(policy.node.origin, {
            "event": events[0] if single else None,
            "events": Sequence(list(events), policy.node.origin) if events and not single else None,
            "exitCode": _copied(policy.exit_code),
            "action": _scalar(policy.action),
            "timeout": None if policy.timeout is None else _length(duration.seconds(policy.timeout.text), policy.timeout.origin),
        })


def _failure(job: Job) -> Iterable[Mapping]:
    fail = job.gang.fail
    origin = fail.origin if fail is not None else job.origin.derived()
    how = fail.value if fail is not None else ir.FAIL
    if how == ir.TOLERATE:
        return
    action = "RestartJob" if how == ir.RESTART else "TerminateJob"
    events = Sequence([Scalar(event, origin) for event in lifecycle.FAILURES], origin)
    yield mapping(origin, {"events": events, "action": Scalar(action, origin)})


def _start(job: Job) -> Iterable[Mapping]:
    """A gang that has not found its place after a while gives it up."""
    start = job.gang.start
    if start is not None:
        origin = start.origin
        yield mapping(origin, {"event": Scalar("PodPending", origin), "action": Scalar("TerminateJob", origin),
                               "timeout": _length(start.value, origin)})


def _length(seconds: int, origin: Origin) -> Scalar:
    return Scalar(duration.written(seconds), origin.derived())


def _depends_on(task: Task) -> Mapping | None:
    names, one = task.backend.get("depends_on"), task.backend.get("depends_on_any")
    given: dict[str, Node | None] = {
        "name": names if isinstance(names, Sequence) and names.items else None,
        "iteration": Scalar("any", one.origin) if isinstance(one, Scalar) and one.value is True else None,
    }
    first = next((node for node in given.values() if node is not None), None)
    return None if first is None else mapping(first.origin, given)


def _topology(pack: Located[Pack] | None) -> Mapping | None:
    if pack is None:
        return None
    tier = "highestTierAllowed" if isinstance(pack.value.tier, int) else "highestTierName"
    return mapping(pack.origin, {"mode": Scalar(pack.value.mode, pack.origin), tier: Scalar(pack.value.tier, pack.origin)})


def _task(context: _Context, task: Task) -> Mapping:
    origin = task.origin
    return mapping(origin, {
        "name": _scalar(task.name),
        "replicas": _scalar(task.replicas),
        "minAvailable": _scalar(task.minimum),
        "maxRetry": Scalar(MAX_RETRY, origin.derived()),
        "policies": _list([*_given_policies(task), *_completion(context.job, task)], origin),
        "topologyPolicy": scheduling.topology_policy(task),
        "dependsOn": _depends_on(task),
        "partitionPolicy": _partition(task),
        "template": _template(context, task),
    })


def _completion(job: Job, task: Task) -> Iterable[Mapping]:
    done = job.gang.done
    if done is not None and done.value == task.name.value:
        origin = done.origin
        yield mapping(origin, {"event": Scalar("TaskCompleted", origin), "action": Scalar("CompleteJob", origin)})


def _partition(task: Task) -> Mapping | None:
    """A group that is packed is one partition of all its replicas."""
    if task.pack is None:
        return None
    origin = task.pack.origin
    return mapping(origin, {
        "totalPartitions": Scalar(1, origin.derived()),
        "partitionSize": _scalar(task.replicas),
        "minPartitions": Scalar(int(task.minimum.value == task.replicas.value), origin.derived()),
        "networkTopology": _topology(task.pack),
    })


def _template(context: _Context, task: Task) -> Mapping:
    origin = task.origin
    labels = _sorted(_pairs(task.labels), origin)
    annotations = _sorted({**_pairs(task.annotations), **scheduling.of_pod(task)}, origin)
    metadata = mapping(origin, {"labels": labels, "annotations": annotations}) if labels or annotations else None
    return mapping(origin, {"metadata": metadata, "spec": _pod(context, task)})


def _pod(context: _Context, task: Task) -> Mapping:
    job, site = context.job, context.site
    origin = task.origin
    secrets: list[Node] = [mapping(name.origin, {"name": _scalar(name)}) for name in job.image_pull_secrets]
    tolerations: list[Node] = _once(map(_said, [*(site.tolerations if task.gpus.value else ()), *task.tolerations]))
    return mapping(origin, {
        "restartPolicy": Scalar("Never", origin.derived()),
        "activeDeadlineSeconds": _scalar(task.time_limit),
        "serviceAccountName": _scalar(job.service_account),
        "securityContext": _run_as(task),
        "nodeSelector": _sorted(_pairs(task.node_selector), origin),
        "affinity": _affinity(task),
        "tolerations": _list(tolerations, origin),
        "imagePullSecrets": _list(secrets, origin),
        "resourceClaims": _list(_claims(task), origin),
        "containers": Sequence([_container(context, task)], origin),
        "volumes": _list(_volumes(task), origin),
    })


def _claims(task: Task) -> Iterable[Mapping]:
    for name, template in task.claims:
        yield mapping(name.origin, {"name": _scalar(name), "resourceClaimTemplateName": _scalar(template)})


def _affinity(task: Task) -> Mapping | None:
    """A GPU family's products and what the user asks of nodes, as one term: all of it must hold."""
    expressions = [*_family(task), *map(_expression, task.required)]
    if not expressions and not task.preferred:
        return None
    origin = (expressions or [_expression(task.preferred[0])])[0].origin
    term = mapping(origin, {"matchExpressions": _list(expressions, origin)})
    required = mapping(origin, {"nodeSelectorTerms": Sequence([term], origin)}) if expressions else None
    preferred = [mapping(each.origin, {
        "weight": _copied(each.get("weight")) or Scalar(1, each.origin.derived()),
        "preference": mapping(each.origin, {"matchExpressions": Sequence([_expression(each)], each.origin)}),
    }) for each in task.preferred]
    return mapping(origin, {"nodeAffinity": mapping(origin, {
        "requiredDuringSchedulingIgnoredDuringExecution": required,
        "preferredDuringSchedulingIgnoredDuringExecution": _list(preferred, origin),
    })})


def _family(task: Task) -> Iterable[Mapping]:
    if task.affinity is not None:
        origin = task.affinity.key.origin
        values = Sequence([Scalar(value.value, value.origin) for value in task.affinity.values], origin)
        yield mapping(origin, {"key": _scalar(task.affinity.key), "operator": Scalar("In", origin), "values": values})


def _expression(given: Mapping) -> Mapping:
    values = given.get("values")
    return mapping(given.origin, {
        "key": given.get("key"), "operator": given.get("operator"),
        "values": values if isinstance(values, Sequence) and values.items else None,
    })


def _said(toleration: Mapping) -> Mapping:
    """A toleration without the empty texts, which Kubernetes takes for none, and drops."""
    return Mapping({key: entry for key, entry in toleration.entries.items() if plain(entry.value) != ""}, toleration.origin)


def _once(items: Iterable[Mapping]) -> list[Node]:
    """Each of several mappings that say the same once, the first of them."""
    found: dict[str, Node] = {}
    for item in items:
        found.setdefault(repr(sorted((key, plain(entry.value)) for key, entry in item.entries.items())), item)
    return list(found.values())


def _run_as(task: Task) -> Mapping | None:
    """What `run_as` asks for, with Kubernetes' own word that root is nobody of them."""
    who = task.run_as
    if who is None:
        return None
    return mapping(who.origin, {
        "fsGroup": _scalar(who.fs_group), "runAsGroup": _scalar(who.group),
        "runAsNonRoot": Scalar(True, who.origin.derived()) if who.user is not None else None, "runAsUser": _scalar(who.user),
    })


def _container(context: _Context, task: Task) -> Mapping:
    site, origin = context.site, task.origin
    return mapping(origin, {
        "name": Scalar(plugins.CONTAINER, origin.derived()),
        "image": _scalar(task.image),
        "imagePullPolicy": _filled(task.image_pull_policy),
        "command": _command(context, task),
        "workingDir": _filled(task.working_dir),
        "env": Sequence(_env(context, task), origin),
        "envFrom": _list([_env_from(reference) for reference in task.env_from], origin),
        "resources": _resources(task, site),
        "volumeMounts": _list(_volume_mounts(task), origin),
        "securityContext": _ipc_lock(task, site),
    })


def _command(context: _Context, task: Task) -> Sequence | None:
    if not task.command or task.name.value in context.commanded:
        return None
    origin = task.command[0].origin
    shell = _scalar(task.shell) or Scalar("/bin/sh", origin.derived())
    return Sequence([shell, Scalar("-c", origin.derived()), Scalar(task_script(task, context.site).text, origin)], origin)


def _computed(context: _Context, task: Task) -> list[tuple[str, Node]]:
    """The computed variables, in the order in which they are documented; a value or a valueFrom."""
    names, totals = context.names, context.totals
    origin = context.job.origin.derived()
    job_name = names["JOB_NAME"]
    numbers = {
        "TASK_REPLICAS": task.replicas.value,
        "GPUS_PER_NODE": task.gpus.value,
        "PROCESSES_PER_NODE": task.processes.value,
        "NODES": totals.pods,
        "GPU_NODES": totals.gpu_pods,
        "TOTAL_GPUS": totals.gpus,
        "PROCESSES": totals.gpus,
    }
    return [
        (job_name, _field(f"metadata.labels['{JOB_NAME_LABEL}']", origin)),
        (names["TASK_INDEX"], _field(f"metadata.labels['{TASK_INDEX_LABEL}']", origin)),
        (names["TASK_NAME"], Scalar(task.name.value, task.name.origin.derived())),
        *((names[word], Scalar(str(number), origin)) for word, number in numbers.items()),
        ("WORLD_SIZE", Scalar(str(totals.pods), origin)),
        ("MASTER_ADDR", Scalar(f"$({job_name})-{ir.MASTER}-0.$({job_name})", origin)),
        ("MASTER_PORT", Scalar(MASTER_PORT, origin)),
    ]


def _field(path: str, origin: Origin) -> Mapping:
    return mapping(origin, {"fieldRef": mapping(origin, {"fieldPath": Scalar(path, origin)})})


def _env(context: _Context, task: Task) -> list[Node]:
    """Computed variables first, the user's after them by name, each as early as its `$(NAME)` references allow."""
    own = {variable.name.value: variable for variable in task.env}
    values: dict[str, tuple[Origin, Node]] = {}
    for name, node in _computed(context, task):
        if name not in own and name not in context.set_elsewhere:
            values[name] = (node.origin, node)
    for name in sorted(own):
        variable = own[name]
        given = variable.value
        node = _value_from(given) if isinstance(given, ir.Reference) else Scalar(given.value, given.origin)
        values[name] = (variable.name.origin, node)
    needs: dict[str, set[str]] = {}
    for name, (_, node) in values.items():
        if isinstance(node, Scalar):
            value = env_value(str(node.value), values)
            needs[name] = {other for other in value.names if other in values and other != name}
            values[name] = (values[name][0], Scalar(value.text, node.origin))
    return [_env_entry(name, *values[name]) for name in _in_order(list(values), needs)]


def _in_order(names: list[str], needs: dict[str, set[str]]) -> list[str]:
    """Names in their order, but each behind those it needs; those of a cycle last, in their order."""
    users: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        for other in needs.get(name, ()):
            users.setdefault(other, []).append(index)
    from heapq import heappop, heappush

    waiting = [len(needs.get(name, ())) for name in names]
    ready = [index for index, count in enumerate(waiting) if not count]
    order: list[str] = []
    while ready:
        index = heappop(ready)
        order.append(names[index])
        for user in users.get(names[index], ()):
            waiting[user] -= 1
            if not waiting[user]:
                heappush(ready, user)
    placed = set(order)
    return order + [name for name in names if name not in placed]


def _env_entry(name: str, origin: Origin, node: Node) -> Mapping:
    value = "value" if isinstance(node, Scalar) else "valueFrom"
    return mapping(origin, {"name": Scalar(name, origin), value: node})


def _value_from(reference: Reference) -> Mapping:
    origin = reference.name.origin
    if reference.kind == "field":
        return _field(reference.name.value, origin)
    kind = "secretKeyRef" if reference.kind == "secret" else "configMapKeyRef"
    return mapping(origin, {kind: mapping(origin, {"name": _scalar(reference.name), "key": _scalar(reference.key)})})


def _env_from(reference: Reference) -> Mapping:
    origin = reference.name.origin
    kind = "secretRef" if reference.kind == "secret" else "configMapRef"
    return mapping(origin, {kind: mapping(origin, {"name": _scalar(reference.name)})})


def _resources(task: Task, site: Site) -> Mapping | None:
    """Limits and equal requests, names by code point; a zero writes nothing."""
    amounts: dict[str, Node] = {}
    for name, quantity in (("cpu", _quantity(task.cpu)), ("memory", _quantity(task.memory)), ("ephemeral-storage", _quantity(task.disk))):
        if quantity is not None:
            amounts[name] = quantity
    share = task.share or ir.Share()
    for name, count in ((task.gpu_resource, task.gpus), (site.rdma_resource, task.rdma), (VGPU_MEMORY, share.memory),
                        (VGPU_CORES, share.cores)):
        if count is not None and count.value:
            amounts[name] = Scalar(str(count.value), count.origin)
    claims = [mapping(name.origin, {"name": _scalar(name)}) for name, _ in task.claims]
    if not amounts and not claims:
        return None
    both = mapping(task.origin, {name: amounts[name] for name in sorted(amounts)}) if amounts else None
    return mapping(task.origin, {"limits": both, "requests": both, "claims": _list(claims, task.origin)})


def _volumes(task: Task) -> list[Node]:
    volumes: list[Node] = []
    if task.shm_size is not None:
        origin = task.shm_size.origin
        memory = mapping(origin, {"medium": Scalar("Memory", origin), "sizeLimit": _quantity(task.shm_size)})
        volumes.append(mapping(origin, {"name": Scalar(SHM, origin.derived()), "emptyDir": memory}))
    volumes.extend(_volume(mount) for mount in task.mounts)
    return volumes


def _volume(mount: Mount) -> Mapping:
    origin = mount.kind.origin
    items: list[Node] = [mapping(path.origin, {"key": _scalar(key), "path": _scalar(path)}) for path, key in mount.items]
    files: dict[str, Node | None] = {"defaultMode": _scalar(mount.mode), "items": _list(items, origin)}
    name = _scalar(mount.source)
    field, source = {
        "claim": ("persistentVolumeClaim", mapping(origin, {"claimName": name})),
        "config_map": ("configMap", mapping(origin, {"name": name, **files})),
        "secret": ("secret", mapping(origin, {"secretName": name, **files})),
        "empty_dir": ("emptyDir", mapping(origin, {"sizeLimit": _quantity(mount.size)})),
    }[mount.kind.value]
    return mapping(mount.name.origin, {"name": _scalar(mount.name), field: source})


def _volume_mounts(task: Task) -> list[Node]:
    mounts: list[Node] = []
    if task.shm_size is not None:
        origin = task.shm_size.origin
        mounts.append(mapping(origin, {"name": Scalar(SHM, origin.derived()), "mountPath": Scalar("/dev/shm", origin)}))
    for mount in task.mounts:
        read_only = mount.read_only if mount.read_only is not None and mount.read_only.value else None
        mounts.append(mapping(mount.name.origin, {
            "name": _scalar(mount.name), "mountPath": _scalar(mount.path), "subPath": _filled(mount.sub_path),
            "readOnly": _scalar(read_only),
        }))
    return mounts


def _ipc_lock(task: Task, site: Site) -> Mapping | None:
    if site.ipc_lock is None or not task.rdma.value:
        return None
    origin = site.ipc_lock
    add = mapping(origin, {"add": Sequence([Scalar("IPC_LOCK", origin)], origin)})
    return mapping(origin, {"capabilities": add})


def _scalar(value: Located[str] | Located[int] | Located[bool] | None) -> Scalar | None:
    return None if value is None else Scalar(value.value, value.origin)


def _copied(node: Node | None) -> Scalar | None:
    """A scalar of the back end's own keys."""
    return node if isinstance(node, Scalar) else None


def _filled(value: Located[str] | None) -> Scalar | None:
    """A text; Kubernetes takes an empty one for none, and drops it."""
    return _scalar(value) if value is not None and value.value else None


def _quantity(value: Located[Quantity] | None) -> Scalar | None:
    return None if value is None else Scalar(value.value.canonical(), value.origin)


def _list(items: Iterable[Node], origin: Origin) -> Sequence | None:
    nodes = list(items)
    return Sequence(nodes, origin) if nodes else None


def _pairs(pairs: Iterable[tuple[Located[str], Located[str]]]) -> dict[str, Entry]:
    return {key.value: Entry(Scalar(key.value, key.origin), Scalar(value.value, value.origin)) for key, value in pairs}


def _sorted(entries: dict[str, Entry], origin: Origin) -> Mapping | None:
    return Mapping({key: entries[key] for key in sorted(entries)}, origin) if entries else None
