"""Random manifests that Volcano takes and can run, as plain data, at the limits of the facts about it."""
from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Data = dict[str, Any]

GPU = "nvidia.com/gpu"
EVENTS = ("PodFailed", "PodEvicted", "TaskFailed", "Unknown", "TaskCompleted", "PodPending")
ACTIONS = ("AbortJob", "RestartJob", "RestartTask", "RestartPod", "RestartPartition", "TerminateJob", "CompleteJob", "ResumeJob")
DURATIONS = ("1h", "90m", "1h30m", "500ms", "1.5h", "2562047h", "0s", "+1h", "1us")


def label(draw: st.DrawFn, length: int) -> str:
    """A DNS-1035 label of a length."""
    ends = "abcdefghijklmnopqrstuvwxyz"
    middle = draw(st.text("abcxyz0189-", min_size=max(length - 2, 0), max_size=max(length - 2, 0)))
    return (draw(st.sampled_from(ends)) + middle + draw(st.sampled_from(ends + "09")))[:length] if length > 1 else draw(st.sampled_from(ends))


def near(draw: st.DrawFn, most: int, short: int = 12) -> int:
    """A length: short, or at a limit."""
    return draw(st.sampled_from([most, most, max(most - 1, 1)]) | st.integers(1, min(short, most)))


@st.composite
def job_parts(draw: st.DrawFn, room: int = 0, prefix: bool = False) -> tuple[str, Data]:
    """A name, and the spec of a Job of that name; `room`: the characters that a Job's real name has beside it.

    `prefix`: they stand before it.
    """
    kit = draw(st.sampled_from(["none", "none", "svc", "ssh", "env", "mpi", "pytorch", "tensorflow", "ray", "hcclrank"]))
    count = 2 if kit in ("pytorch", "ray", "hcclrank", "mpi") else draw(st.integers(1, 4))
    names = draw(st.lists(st.builds(lambda text: text, st.from_regex(r"[a-z]([a-z0-9-]{0,6}[a-z0-9])?", fullmatch=True)),
                          min_size=count, max_size=count, unique=True))
    if kit == "tensorflow":
        names = ["ps", "worker", "chief", "evaluator"][:count]
    names = [draw(st.sampled_from([name, name, (name + "-long" * 4)[:24].rstrip("-")])) for name in names]
    names = [name if names.count(name) == 1 else f"{name[:20]}{index}" for index, name in enumerate(names)]
    tasks = [draw(task(name, index, kit)) for index, name in enumerate(names)]
    if kit in ("pytorch", "mpi", "hcclrank", "ray"):
        tasks[0]["replicas"] = 1
        tasks[0].pop("minAvailable", None)
        tasks[0].pop("partitionPolicy", None)
    spec: Data = {"schedulerName": "volcano", "tasks": tasks}
    plugins = PLUGINS[kit](draw, names)
    if plugins is not None:
        spec["plugins"] = plugins
    volumes = draw(st.lists(job_volume(), max_size=2))
    for number, volume in enumerate(volumes):
        volume["mountPath"] = f"/job{number}"
        if "volumeClaimName" in volume:
            volume["volumeClaimName"] += str(number)
    if volumes:
        spec["volumes"] = volumes
    fill(draw, spec)
    waits(draw, spec, names)
    limit = name_limit(spec, kit, room)
    name = label(draw, near(draw, limit))
    if kit in ("none", "env", "hcclrank") and not volumes and not prefix and draw(st.booleans()):
        name = (draw(st.sampled_from(["1", "a.", "0-"])) + name)[:limit].rstrip(".-")
    return name, spec


def name_limit(spec: Data, kit: str, room: int) -> int:
    """How long a Job's name may be."""
    limits = [62 if kit != "ray" else 54]
    if kit not in ("none", "env", "hcclrank"):
        limits.append(59)
    if "volumes" in spec:
        limits.append(50)
    for index, each in enumerate(spec["tasks"]):
        digits = len(str(max(each.get("replicas", 0) - 1, index, 0)))
        limits.append(63 - len(each["name"]) - 2 - digits)
    return max(min(limits) - room, 1)


PLUGINS = {
    "none": lambda draw, names: None,
    "env": lambda draw, names: {"env": []},
    "svc": lambda draw, names: {"svc": draw(st.sampled_from([[], ["--disable-network-policy=true"], ["-publish-not-ready-addresses"],
                                                             ["--inject-hosts-env=false", "--disable-network-policy=f"]]))},
    "ssh": lambda draw, names: {"ssh": draw(st.sampled_from([[], ["--ssh-key-file-path=/home/user/.ssh"], ["--ssh-port", "2222"]])), "svc": []},
    "mpi": lambda draw, names: {"mpi": [f"--master={names[0]}", f"--worker={names[1]}", "--port=2022"], "ssh": [], "svc": []},
    "pytorch": lambda draw, names: {"pytorch": [f"--master={names[0]}", f"--worker={names[1]}", "--port=23456"], "svc": []},
    "tensorflow": lambda draw, names: {"tensorflow": ["--port=2222"], "svc": []},
    "ray": lambda draw, names: {"ray": [f"--head={names[0]}", f"--worker={names[1]}", "--headContainer=main", "--workerContainer=main"], "svc": []},
    "hcclrank": lambda draw, names: {"hcclrank": [f"--master={names[0]}", f"--worker={names[1]}"]},
}


def fill(draw: st.DrawFn, spec: Data) -> None:
    """Fields of the spec beside tasks, plugins and volumes."""
    total = sum(each.get("replicas", 0) for each in spec["tasks"])
    options: Data = {
        "queue": "default", "maxRetry": draw(st.integers(1, 2**31 - 1)), "ttlSecondsAfterFinished": draw(st.sampled_from([0, 2**31 - 1])),
        "priorityClassName": "a.b-c", "runningEstimate": draw(st.sampled_from(DURATIONS)), "minSuccess": max(total, 1),
        "minAvailable": draw(st.integers(0, total)), "policies": draw(policies()), "networkTopology": draw(topology()),
    }
    for key in draw(st.lists(st.sampled_from(sorted(options)), unique=True)):
        if key != "minSuccess" or total:
            spec[key] = options[key]


def waits(draw: st.DrawFn, spec: Data, names: list[str]) -> None:
    """Tasks that wait for the first one, which has the whole gang then."""
    first = spec["tasks"][0]
    if len(names) > 1 and draw(st.booleans()):
        first.pop("minAvailable", None)
        first.pop("partitionPolicy", None)
        for each in spec["tasks"][1:]:
            each["dependsOn"] = {"name": [names[0]], **draw(st.sampled_from([{}, {"iteration": "any"}, {"iteration": "all"}]))}
        spec["minAvailable"] = draw(st.integers(1, first["replicas"]))


@st.composite
def topology(draw: st.DrawFn) -> Data:
    return draw(st.sampled_from([
        {"mode": "hard", "highestTierAllowed": 1}, {"mode": "soft"}, {"highestTierAllowed": 0}, {"mode": "hard", "highestTierName": "rack"},
    ]))


@st.composite
def policies(draw: st.DrawFn) -> list[Data]:
    """Policies no two of which are for one event or exit code."""
    events = draw(st.lists(st.sampled_from(EVENTS), unique=True, max_size=3))
    found: list[Data] = []
    for number, event in enumerate(events):
        policy: Data = {"events": [event]} if number else {"event": event}
        policy["action"] = draw(st.sampled_from(ACTIONS))
        if event == "PodPending" or draw(st.booleans()):
            policy["timeout"] = draw(st.sampled_from(DURATIONS))
        found.append(policy)
    if not events and draw(st.booleans()):
        found.append({"event": "*", "action": "RestartJob"})
    for code in draw(st.lists(st.sampled_from([1, 137, -1, 256]), unique=True, max_size=2)):
        found.append({"exitCode": code, "action": draw(st.sampled_from(ACTIONS))})
    return found


@st.composite
def task(draw: st.DrawFn, name: str, index: int, kit: str) -> Data:
    replicas = draw(st.sampled_from([1, 1, 2, 10, 11, 100]))
    found: Data = {"name": name, "replicas": replicas, "template": draw(template(kit))}
    if draw(st.booleans()):
        found["minAvailable"] = draw(st.sampled_from([replicas, 1, 0]))
    if draw(st.integers(0, 3)) == 0:
        found["partitionPolicy"] = partition(draw, replicas)
        found.pop("minAvailable", None)
    if draw(st.integers(0, 3)) == 0:
        found["policies"] = draw(policies())
    if draw(st.integers(0, 3)) == 0:
        found["topologyPolicy"] = draw(st.sampled_from(["none", "best-effort", "restricted", "single-numa-node"]))
        for each in [*found["template"]["spec"]["containers"], *found["template"]["spec"].get("initContainers", [])]:
            each["resources"] = {"requests": {"cpu": "2"}}
    if draw(st.booleans()):
        found["maxRetry"] = draw(st.sampled_from([1, 2**31 - 1]))
    return found


def partition(draw: st.DrawFn, replicas: int) -> Data:
    size = draw(st.sampled_from([each for each in range(1, replicas + 1) if replicas % each == 0]))
    policy = {"totalPartitions": replicas // size, "partitionSize": size}
    if draw(st.booleans()):
        policy["minPartitions"] = draw(st.integers(0, replicas // size))
    if draw(st.booleans()):
        policy["networkTopology"] = draw(topology())
    return policy


VOLUMES: tuple[Data, ...] = (
    {"emptyDir": {}}, {"emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}, {"configMap": {"name": "a.b", "defaultMode": 0o400}},
    {"secret": {"secretName": "s", "items": [{"key": "k", "path": "a/b"}]}}, {"persistentVolumeClaim": {"claimName": "c" * 253}},
    {"downwardAPI": {"items": [{"path": "x", "fieldRef": {"fieldPath": "metadata.name"}}]}},
    {"projected": {"sources": [{"configMap": {"name": "a"}}, {"serviceAccountToken": {"path": "t", "expirationSeconds": 600}}]}},
    {"ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}}},
)

RESOURCES: tuple[Data, ...] = (
    {}, {"limits": {"cpu": "8", "memory": "64Gi"}}, {"limits": {GPU: 8}, "requests": {GPU: "8", "cpu": "500m"}},
    {"limits": {"cpu": 2, "rdma/hca": "1"}, "requests": {"cpu": "1.5"}}, {"limits": {"hugepages-2Mi": "4Mi", "memory": "1Gi"}},
    {"requests": {"memory": "1e9", "ephemeral-storage": "1G"}}, {"limits": {"cpu": "0.001"}}, {"limits": {"memory": 128000000}},
)

PROBES: tuple[Data, ...] = (
    {"exec": {"command": ["true"]}}, {"httpGet": {"port": 80, "path": "/healthz"}, "periodSeconds": 1}, {"tcpSocket": {"port": 65535}, "failureThreshold": 30},
    {"grpc": {"port": 1}, "timeoutSeconds": 5},
)


@st.composite
def template(draw: st.DrawFn, kit: str) -> Data:
    names = ["main", "c" * 63, "sidecar-2"][:1 if kit in ("pytorch", "mpi", "ray") else draw(st.integers(1, 3))]
    volumes = [{"name": name, **draw(st.sampled_from(VOLUMES))} for name in ["data", "v" * 63, "a0"][:draw(st.integers(0, 3))]]
    containers = [draw(container(name, index, volumes, kit)) for index, name in enumerate(names)]
    spec: Data = {"containers": containers, "restartPolicy": draw(st.sampled_from(["Never", "OnFailure"]))}
    if volumes:
        spec["volumes"] = volumes
    if draw(st.integers(0, 2)) == 0:
        spec["initContainers"] = [{"name": "setup", "image": "registry.example/setup:1", "command": ["true"]}]
    options: Data = {
        "tolerations": [{"key": "a.example/b", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 0}, {"operator": "Exists"}],
        "nodeSelector": {"a" * 63: "b" * 63, "x.example/y": ""}, "serviceAccountName": "a.b", "priorityClassName": "c", "hostNetwork": False,
        "activeDeadlineSeconds": draw(st.sampled_from([1, 2**31 - 1])), "terminationGracePeriodSeconds": 0, "dnsPolicy": "ClusterFirst",
        "imagePullSecrets": [{"name": "a"}], "securityContext": {"runAsNonRoot": True, "runAsUser": 1, "seccompProfile": {"type": "RuntimeDefault"}},
        "automountServiceAccountToken": False, "enableServiceLinks": False,
    }
    for key in draw(st.lists(st.sampled_from(sorted(options)), unique=True, max_size=5)):
        spec[key] = options[key]
    found: Data = {"spec": spec}
    if draw(st.booleans()):
        found["metadata"] = {"labels": {"x.example/" + "n" * 63: "v" * 63, "empty": ""}, "annotations": {"A.b": "any text: ok"}}
    return found


@st.composite
def container(draw: st.DrawFn, name: str, index: int, volumes: list[Data], kit: str) -> Data:
    found: Data = {"name": name, "image": draw(st.sampled_from(["registry.example:5000/a/b:1.0", "a@sha256:" + "0" * 64, "train:v1"]))}
    options: Data = {
        "env": [{"name": f"E_{number}", "value": draw(st.sampled_from(["", "no", "1e3", "$(E_0)", "é"]))} for number in range(3)] + [
            {"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
            {"name": "_k", "valueFrom": {"secretKeyRef": {"name": "s", "key": "a.b"}}}],
        "envFrom": [{"configMapRef": {"name": "a"}, "prefix": "P_"}], "resources": draw(st.sampled_from(RESOURCES)),
        "ports": [{"containerPort": 8000 + index, "name": f"a-{index}"}, {"containerPort": 65530 + index, "name": "abcdefghijklmn" + str(index)}],
        "imagePullPolicy": "IfNotPresent", "workingDir": "/work", "livenessProbe": draw(st.sampled_from(PROBES)), "startupProbe": draw(st.sampled_from(PROBES)),
        "lifecycle": {"preStop": {"exec": {"command": ["true"]}}},
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}, "readOnlyRootFilesystem": True},
        "volumeMounts": [{"name": volume["name"], "mountPath": f"/m{number}", "readOnly": True} for number, volume in enumerate(volumes)],
    }
    if kit != "ray":
        options.update(command=["python", "train.py"], args=["--lr", "0.1"])
    for key in draw(st.lists(st.sampled_from(sorted(options)), unique=True)):
        found[key] = options[key]
    return found


@st.composite
def job_volume(draw: st.DrawFn) -> Data:
    return draw(st.sampled_from([
        {"volumeClaimName": "c." + "d" * 20}, {"volumeClaim": {"accessModes": ["ReadWriteMany"], "resources": {"requests": {"storage": "10Gi"}}}},
    ])).copy()


def document(api: str, kind: str, name: str, spec: Data, **metadata: Any) -> Data:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


@st.composite
def job(draw: st.DrawFn) -> Data:
    name, spec = draw(job_parts())
    return document("batch.volcano.sh/v1alpha1", "Job", name, spec, namespace="training", labels={"team": "a"})


@st.composite
def cron_job(draw: st.DrawFn) -> Data:
    name, spec = draw(job_parts(11))
    schedule = draw(st.sampled_from(["0 3 * * *", "*/15 0-23/2 1,15 JAN-DEC MON", "@daily", "@every 1h30m", "59 23 31 12 6", "0 0 ? * *"]))
    return document("batch.volcano.sh/v1alpha1", "CronJob", name, {
        "schedule": schedule, "timeZone": draw(st.sampled_from(["UTC", "Europe/Berlin", "Etc/GMT+12"])), "jobTemplate": {"spec": spec},
        "concurrencyPolicy": draw(st.sampled_from(["Allow", "Forbid", "Replace"])), "startingDeadlineSeconds": 0, "suspend": True,
        "successfulJobsHistoryLimit": 0, "failedJobsHistoryLimit": 2,
    })


@st.composite
def flow(draw: st.DrawFn) -> list[Data]:
    """A JobFlow and its JobTemplates."""
    flow_name = label(draw, draw(st.integers(1, 20)))
    templates: list[Data] = []
    for _ in range(draw(st.integers(1, 3))):
        name, spec = draw(job_parts(len(flow_name) + 1, prefix=True))
        if name not in [each["metadata"]["name"] for each in templates]:
            templates.append(document("flow.volcano.sh/v1alpha1", "JobTemplate", name, spec, namespace="ns"))
    names = [each["metadata"]["name"] for each in templates]
    flows: list[Data] = [{"name": name} for name in names]
    for index in range(1, len(flows)):
        flows[index]["dependsOn"] = {"targets": draw(st.lists(st.sampled_from(names[:index]), unique=True, min_size=1))}
    spec = {"jobRetainPolicy": draw(st.sampled_from(["retain", "delete"])), "flows": flows}
    return [*templates, document("flow.volcano.sh/v1alpha1", "JobFlow", flow_name, spec, namespace="ns")]


@st.composite
def pod_group(draw: st.DrawFn) -> Data:
    return document("scheduling.volcano.sh/v1beta1", "PodGroup", "g", {
        "minMember": draw(st.integers(0, 9)), "queue": "default", "minResources": {"cpu": "3", GPU: 1}, "priorityClassName": "a",
        "minTaskMember": {"worker": 1}, "networkTopology": draw(topology()),
        "subGroupPolicy": [{"name": "worker", "subGroupSize": 1, "minSubGroups": 1, "networkTopology": draw(topology())}],
    })


@st.composite
def queues(draw: st.DrawFn) -> list[Data]:
    parent = document("scheduling.volcano.sh/v1beta1", "Queue", "research", {
        "weight": draw(st.sampled_from([1, 65535])), "reclaimable": False, "capability": {"cpu": 100, "memory": "1Ti", GPU: 16},
        "deserved": {"cpu": "50"}, "guarantee": {"resource": {"cpu": "10"}}, "dequeueStrategy": draw(st.sampled_from(["fifo", "traverse"])),
    })
    child = document("scheduling.volcano.sh/v1beta1", "Queue", "team-a", {"parent": "research", "capability": {"cpu": 100}, "deserved": {"cpu": 50}},
                     annotations={"a.example/b": "c"})
    return [parent, child] if draw(st.booleans()) else [parent]


@st.composite
def hyper_node(draw: st.DrawFn) -> Data:
    members = draw(st.lists(st.sampled_from([
        {"type": "Node", "selector": {"exactMatch": {"name": "node-1"}}}, {"type": "Node", "selector": {"regexMatch": {"pattern": r"^node-\d+$"}}},
        {"type": "HyperNode", "selector": {"exactMatch": {"name": "s1"}}}, {"type": "Node", "selector": {"labelMatch": {"matchLabels": {"rack": "a"}}}},
    ]), min_size=1, max_size=3))
    return document("topology.volcano.sh/v1alpha1", "HyperNode", "s0", {"tier": draw(st.integers(0, 9)), "tierName": "rack", "members": members})


def one(strategy: st.SearchStrategy[Data]) -> st.SearchStrategy[list[Data]]:
    return strategy.map(lambda document: [document])


#: The documents of a file.
MANIFESTS: st.SearchStrategy[list[Data]] = st.one_of(
    one(job()), one(job()), one(job()), one(job()), one(cron_job()), flow(), one(pod_group()), queues(), one(hyper_node()),
)
