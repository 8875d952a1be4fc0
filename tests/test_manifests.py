"""Random manifests that are right lint without an error, and with one known fault they give its code.

The faults are the numbered facts of Volcano's admission (R), of what it admits and cannot run (L), of pod templates (P), of
its other kinds (K), of job plugins (G) and of names (N), and each ban of the security rules (S).
"""
from __future__ import annotations

import copy
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings

from hetc.diagnostic import ERROR, Diagnostic
from hetc.pipeline import Compiler, Options
from hetc.source import Source
from tests.manifests import MANIFESTS, cron_job, flow, hyper_node, job, pod_group, queues

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.manifests import Data

COMPILER = Compiler(Options(isolated=True))


def lint(documents: list[Data]) -> list[Diagnostic]:
    text = "\n---\n".join(json.dumps(each, ensure_ascii=False) for each in documents)
    return COMPILER.manifest(Source("job.yaml", text)).report.sorted()


def levels(documents: list[Data]) -> Counter[str]:
    """How often each code stands in the findings, the level behind it where that is no error."""
    return Counter(each.code.code if each.level == ERROR else f"{each.code.code} {each.level}" for each in lint(documents))


def errors(documents: list[Data]) -> list[str]:
    return [f"{each.code.code} {each.message}" for each in lint(documents) if each.level == ERROR or each.code.code.startswith("HET4")]


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(MANIFESTS)
def test_what_is_right_is_clean(documents: list[Data]) -> None:
    assert errors(documents) == []


@pytest.mark.slow
@settings(max_examples=600, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(MANIFESTS)
def test_much_that_is_right_is_clean(documents: list[Data]) -> None:
    assert errors(documents) == []


def task(document: Data) -> Data:
    """The first task, without what hangs together with its counts."""
    found = document["spec"]["tasks"][0]
    for key in ("minAvailable", "partitionPolicy", "dependsOn"):
        found.pop(key, None)
    return found


def pod(document: Data) -> Data:
    return document["spec"]["tasks"][0]["template"]["spec"]


def main(document: Data) -> Data:
    return pod(document)["containers"][0]


def put(where: Callable[[Data], Data], **values: Any) -> Callable[[Data], None]:
    """Set fields of a part; a copy, since one fault serves many examples."""
    return lambda document: where(document).update(copy.deepcopy(values))


def spec(document: Data) -> Data:
    return document["spec"]


def metadata(document: Data) -> Data:
    return document["metadata"]


def more(where: Callable[[Data], Data], key: str, *items: Any) -> Callable[[Data], None]:
    """Items behind those of a list."""
    return lambda document: where(document).update({key: [*where(document).get(key, []), *copy.deepcopy(items)]})


def both(*faults: Callable[[Data], None]) -> Callable[[Data], None]:
    def change(document: Data) -> None:
        for fault in faults:
            fault(document)
    return change


def alone(document: Data) -> None:
    """Only the first task, nothing about its counts: names and gangs are free for the fault."""
    task(document)
    document["spec"]["tasks"] = document["spec"]["tasks"][:1]
    for key in ("minAvailable", "minSuccess", "plugins", "volumes"):
        document["spec"].pop(key, None)


def second(**values: Any) -> Callable[[Data], None]:
    """A second task like the first, some of it otherwise."""
    def change(document: Data) -> None:
        alone(document)
        document["spec"]["tasks"].append({**copy.deepcopy(document["spec"]["tasks"][0]), "name": "zweiter", **copy.deepcopy(values)})
        document["metadata"]["name"] = "demo"
    return change


def of_container(kind: str, **values: Any) -> Callable[[Data], None]:
    """A container more in one of a pod's lists."""
    return more(pod, kind, {"name": "extra", "image": "a:1", **values})


def volume(**source: Any) -> Callable[[Data], None]:
    return more(pod, "volumes", {"name": "extra", **source})


def context(**values: Any) -> Callable[[Data], None]:
    return put(main, securityContext=values)


def name_too_long(document: Data) -> None:
    alone(document)
    document["spec"]["plugins"] = {"svc": []}
    first = document["spec"]["tasks"][0]
    first.update(name="w", replicas=101)
    document["metadata"]["name"] = "a" * 58  # one more than 63 - 3 - 3


def named(name: str, **values: Any) -> Callable[[Data], None]:
    """Another name for a job with further fields in its spec."""
    def change(document: Data) -> None:
        alone(document)
        document["spec"]["tasks"][0].update(name="w", replicas=1)
        document["spec"].update(copy.deepcopy(values))
        document["metadata"]["name"] = name
    return change


CLAIM = [{"mountPath": "/data", "volumeClaimName": "c"}]
POLICY = {"event": "PodFailed", "action": "RestartJob"}

#: The fact, what it does to a Job that is right, and the code of what it is.
FAULTS: dict[str, tuple[Callable[[Data], None], str]] = {
    "R1 number for a variable's value": (put(main, env=[{"name": "A", "value": 1}]), "HET015"),
    "R1 text for a list": (put(main, command="python train.py"), "HET014"),
    "R1 boolean in a label": (put(metadata, labels={"a": True}), "HET015"),
    "R1 quantity": (put(main, resources={"limits": {"memory": "64GB"}}), "HET203"),
    "R1 duration": (put(spec, runningEstimate="1d"), "HET518"),
    "R1 duration of a policy": (put(spec, policies=[{**POLICY, "timeout": "5"}]), "HET518"),
    "R2 no tasks": (put(spec, tasks=[]), "HET508"),
    "R3 mpi without its master": (put(spec, plugins={"mpi": ["--master=nobody"]}), "HET509"),
    "R4 two tiers": (put(spec, networkTopology={"highestTierAllowed": 1, "highestTierName": "a"}), "HET510"),
    "R5 task minimum above replicas": (both(alone, put(task, replicas=2), put(lambda d: d["spec"]["tasks"][0], minAvailable=3)), "HET606"),
    "R6 two tasks of one name": (both(second(), lambda d: d["spec"]["tasks"][1].update(name=d["spec"]["tasks"][0]["name"])), "HET107"),
    "R7 policy of a task": (put(task, policies=[{"event": "PodFail", "action": "RestartJob"}]), "HET507"),
    "R8 pod name too long": (named("a" * 62), "HET103"),
    "R10 half a cpu under a NUMA policy": (both(put(task, topologyPolicy="restricted"), put(main, resources={"limits": {"cpu": "500m"}})), "HET511"),
    "R10 no cpu under a NUMA policy": (both(put(task, topologyPolicy="single-numa-node"), put(main, resources={"limits": {"memory": "1Gi"}})), "HET511"),
    "R11 no partitions": (put(task, partitionPolicy={"totalPartitions": 0, "partitionSize": 1}), "HET606"),
    "R12 partitions that make no whole": (both(alone, put(task, replicas=4, partitionPolicy={"totalPartitions": 2, "partitionSize": 3})), "HET606"),
    "R13 partitions against the minimum": (
        both(alone, put(task, replicas=4, minAvailable=3, partitionPolicy={"totalPartitions": 2, "partitionSize": 2, "minPartitions": 1})), "HET606"),
    "R14 two tiers of a partition": (both(alone, put(task, replicas=4, partitionPolicy={
        "totalPartitions": 2, "partitionSize": 2, "networkTopology": {"highestTierAllowed": 1, "highestTierName": "a"}})), "HET510"),
    "R15 upper case in the job's name": (put(metadata, name="Demo"), "HET102"),
    "R16 minimum above all replicas": (both(alone, lambda d: d["spec"].update(minAvailable=d["spec"]["tasks"][0]["replicas"] + 1)), "HET606"),
    "R18 unknown plugin": (put(spec, plugins={"pytroch": []}), "HET505"),
    "R19 empty mount path": (both(alone, put(spec, volumes=[{"mountPath": "", "volumeClaimName": "c"}])), "HET302"),
    "R19 one mount path twice": (both(named("demo"), put(spec, volumes=[*CLAIM, {"mountPath": "/data", "volumeClaimName": "d"}])), "HET301"),
    "R19 no claim": (both(named("demo"), put(spec, volumes=[{"mountPath": "/data"}])), "HET304"),
    "R19 two claims": (both(named("demo"), put(spec, volumes=[{**CLAIM[0], "volumeClaim": {"accessModes": ["ReadWriteOnce"]}}])), "HET304"),
    "R19 claim name": (both(named("demo"), put(spec, volumes=[{"mountPath": "/data", "volumeClaimName": "C_"}])), "HET104"),
    "R20 event and exit code": (put(spec, policies=[{**POLICY, "exitCode": 1}]), "HET507"),
    "R21 no event": (put(spec, policies=[{"action": "RestartJob"}]), "HET507"),
    "R22 internal event": (put(spec, policies=[{"event": "PodRunning", "action": "RestartJob"}]), "HET507"),
    "R23 unknown action": (put(spec, policies=[{"event": "PodFailed", "action": "restartJob"}]), "HET507"),
    "R23 no action": (put(spec, policies=[{"event": "PodFailed"}]), "HET507"),
    "R24 one event in two policies": (put(spec, policies=[POLICY, {"events": ["PodFailed"], "action": "AbortJob"}]), "HET507"),
    "R25 exit code 0": (put(spec, policies=[{"exitCode": 0, "action": "RestartJob"}]), "HET507"),
    "R26 one exit code twice": (put(spec, policies=[{"exitCode": 1, "action": "RestartJob"}] * 2), "HET507"),
    "R27 any event beside another": (put(spec, policies=[{"event": "*", "action": "AbortJob"}, POLICY]), "HET507"),
    "R30 root queue": (put(spec, queue="root"), "HET504"),
    "R32 cycle": (both(second(), lambda d: d["spec"]["tasks"][1].update(dependsOn={"name": [d["spec"]["tasks"][0]["name"]]}),
                       lambda d: d["spec"]["tasks"][0].update(dependsOn={"name": ["zweiter"]})), "HET512"),
    "R32 itself": (both(alone, lambda d: d["spec"]["tasks"][0].update(dependsOn={"name": [d["spec"]["tasks"][0]["name"]]})), "HET512"),
    "R32 unknown task": (second(dependsOn={"name": ["nobody"]}), "HET512"),
    "R32 one task twice": (both(second(), lambda d: d["spec"]["tasks"][1].update(dependsOn={"name": [d["spec"]["tasks"][0]["name"]] * 2})), "HET512"),
    "P no container": (put(pod, containers=[]), "HET502"),
    "P container name": (put(main, name="Main_"), "HET515"),
    "P two containers of one name": (both(of_container("containers"), of_container("containers")), "HET515"),
    "P no image": (put(main, image=""), "HET501"),
    "P image": (put(main, image="a b"), "HET501"),
    "P port name": (put(main, ports=[{"containerPort": 1, "name": "sixteen-letters-"}]), "HET513"),
    "P port number": (put(main, ports=[{"containerPort": 65536}]), "HET513"),
    "P one port twice": (put(main, ports=[{"containerPort": 80}, {"containerPort": 80}]), "HET513"),
    "P protocol": (put(main, ports=[{"containerPort": 80, "protocol": "tcp"}]), "HET513"),
    "P variable name": (put(main, env=[{"name": "1A", "value": "x"}]), "HET106"),
    "P variable twice": (put(main, env=[{"name": "A", "value": "x"}, {"name": "A", "value": "y"}]), "HET106"),
    "P variable with two sources": (put(main, env=[{"name": "A", "value": "x", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]), "HET514"),
    "P volume name": (more(pod, "volumes", {"name": "Data", "emptyDir": {}}), "HET109"),
    "P volume twice": (more(pod, "volumes", {"name": "x", "emptyDir": {}}, {"name": "x", "emptyDir": {}}), "HET109"),
    "P volume without a source": (volume(), "HET304 warning"),
    "P volume with two sources": (volume(emptyDir={}, secret={"secretName": "s"}), "HET304"),
    "P mount of no volume": (put(main, volumeMounts=[{"name": "nothing", "mountPath": "/x"}]), "HET109"),
    "P one mount path twice": (both(volume(emptyDir={}), put(main, volumeMounts=[{"name": "extra", "mountPath": "/x"}] * 2)), "HET301"),
    "P subPath out of its volume": (both(volume(emptyDir={}), put(main, volumeMounts=[{"name": "extra", "mountPath": "/x", "subPath": "../y"}])), "HET303"),
    "P subPath twice": (both(volume(emptyDir={}), put(main, volumeMounts=[{"name": "extra", "mountPath": "/x", "subPath": "a", "subPathExpr": "b"}])), "HET303"),
    "P resource without a domain": (put(main, resources={"limits": {"gpu": 1}}), "HET203"),
    "P negative amount": (put(main, resources={"limits": {"cpu": "-1"}}), "HET203"),
    "P part of a GPU": (put(main, resources={"limits": {"nvidia.com/gpu": "500m"}}), "HET203"),
    "P request above its limit": (put(main, resources={"limits": {"cpu": "1"}, "requests": {"cpu": "2"}}), "HET203"),
    "P GPU requested without a limit": (put(main, resources={"requests": {"nvidia.com/gpu": 1}}), "HET203"),
    "P GPU request below its limit": (put(main, resources={"limits": {"nvidia.com/gpu": 2}, "requests": {"nvidia.com/gpu": 1}}), "HET203"),
    "P huge pages alone": (put(main, resources={"limits": {"hugepages-2Mi": "4Mi"}}), "HET203"),
    "P pod-level resources below the containers'": (
        both(put(pod, resources={"requests": {"cpu": "1"}}), put(main, resources={"requests": {"cpu": "2"}})), "HET203"),
    "P restart policy": (put(pod, restartPolicy="never"), "HET502"),
    "P restart policy of a container": (put(main, restartPolicy="Always"), "HET516"),
    "P DNS policy": (put(pod, dnsPolicy="Cluster"), "HET502"),
    "P node selector": (put(pod, nodeSelector={"a b": "c"}), "HET105"),
    "P label of a template": (put(lambda d: d["spec"]["tasks"][0]["template"], metadata={"labels": {"a": "v" * 64}}), "HET105"),
    "P toleration's operator": (put(pod, tolerations=[{"key": "a", "operator": "Lt", "value": "1"}]), "HET503"),
    "P toleration without a key": (put(pod, tolerations=[{"operator": "Equal", "value": "x"}]), "HET503"),
    "P toleration's seconds": (put(pod, tolerations=[{"key": "a", "operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": 1}]), "HET503"),
    "P hostname": (put(pod, hostname="A.b"), "HET104"),
    "P priority class": (put(pod, priorityClassName="A"), "HET104"),
    "P service account": (put(pod, serviceAccountName="a_"), "HET104"),
    "P probe of an init container": (of_container("initContainers", livenessProbe={"exec": {"command": ["true"]}}), "HET516"),
    "P probe of two kinds": (put(main, livenessProbe={"exec": {"command": ["true"]}, "tcpSocket": {"port": 1}}), "HET517"),
    "P deadline": (put(pod, activeDeadlineSeconds=0), "HET502"),
    "L1 hostname too long": (name_too_long, "HET103"),
    "L2 dot and svc": (named("a.b", plugins={"svc": []}), "HET102"),
    "L2 dot and ssh": (named("a.b", plugins={"ssh": []}), "HET102"),
    "L2 dot and volumes": (named("a.b", volumes=CLAIM), "HET102"),
    "L4 volume name too long": (named("a" * 51, volumes=CLAIM), "HET102"),
    "L5 ray's Service too long": (both(named("a" * 55), put(lambda d: d["spec"]["tasks"][0], name="head"), put(spec, plugins={"ray": []}),
                                       put(main, name="head")), "HET102"),
    "L6 queue too long": (put(spec, queue="q" * 64), "HET104"),
    "L7 mount over svc's": (both(named("demo", plugins={"svc": []}), volume(emptyDir={}),
                                 put(main, volumeMounts=[{"name": "extra", "mountPath": "/etc/volcano"}])), "HET301"),
    "L7 mount over ssh's": (both(named("demo", plugins={"ssh": ["--ssh-key-file-path=/keys"]}), volume(emptyDir={}),
                                 put(main, volumeMounts=[{"name": "extra", "mountPath": "/keys"}])), "HET301"),
    "L7 mount over the job's": (both(named("demo", volumes=CLAIM), volume(emptyDir={}),
                                     put(main, volumeMounts=[{"name": "extra", "mountPath": "/data"}])), "HET301"),
    "L8 volume of svc's name": (both(named("demo", plugins={"svc": []}), more(pod, "volumes", {"name": "demo-svc", "emptyDir": {}})), "HET109"),
    "L9 port of a plugin's name": (both(second(), put(spec, plugins={"pytorch": ["--master=zweiter"], "svc": []}),
                                        put(main, ports=[{"containerPort": 1, "name": "pytorchjob-port"}])), "HET615"),
    "L11 port that is no number": (both(named("demo"), put(lambda d: d["spec"]["tasks"][0], name="master"), put(spec, plugins={"mpi": ["--port=ssh"]})), "HET505"),
    "L12 ray without its head": (named("demo", plugins={"ray": []}), "HET614"),
    "L18 hostname of many": (both(named("demo"), put(task, replicas=2), put(pod, hostname="a")), "HET620 warning"),
    "L20 plugin null": (named("demo", plugins={"svc": None}), "HET505"),
    "L26 gang that waits for itself": (
        both(second(), lambda d: d["spec"]["tasks"][1].update(dependsOn={"name": [d["spec"]["tasks"][0]["name"]]})), "HET612"),
    "L31 more successes than pods": (both(alone, lambda d: d["spec"].update(minSuccess=d["spec"]["tasks"][0]["replicas"] + 1)), "HET606"),
    "L34 host lists beyond Linux": (both(named("demo", plugins={"svc": []}), put(task, replicas=20000)), "HET607"),
    "G flag": (named("demo", plugins={"svc": ["--no-such-flag"]}), "HET505"),
    "G bare word": (named("demo", plugins={"svc": ["true"]}), "HET505"),
    "G two flags in one": (named("demo", plugins={"svc": ["--disable-network-policy=true --inject-hosts-env=false"]}), "HET505"),
    "G boolean that is none": (named("demo", plugins={"svc": ["--disable-network-policy=yes"]}), "HET505"),
    "G argument of a plugin without any": (named("demo", plugins={"env": ["--x=1"]}), "HET505"),
    "G arguments that are no list": (named("demo", plugins={"svc": "--x"}), "HET505"),
    "N task name": (both(alone, put(task, name="A100_worker")), "HET107"),
    "N task name too long": (both(alone, put(metadata, name="a"), put(task, name="t" * 64)), "HET107"),
    "S privileged": (context(privileged=True), "HET403"),
    "S privileged by name": (context(Privileged=True), "HET403"),
    "S escalation": (context(allowPrivilegeEscalation=True), "HET403"),
    "S host network": (put(pod, hostNetwork=True), "HET405"),
    "S host processes": (put(pod, hostPID=True), "HET405"),
    "S host IPC": (put(pod, hostIPC="true"), "HET405"),
    "S host port": (put(main, ports=[{"containerPort": 80, "hostPort": 80}]), "HET405"),
    "S host path": (volume(hostPath={"path": "/"}), "HET402"),
    "S NFS": (volume(nfs={"server": "a", "path": "/"}), "HET408"),
    "S CSI": (volume(csi={"driver": "a.b"}), "HET408"),
    "S pinned volume": (both(named("demo"), put(spec, volumes=[{"mountPath": "/data", "volumeClaim": {"accessModes": ["ReadWriteOnce"], "volumeName": "pv"}}])), "HET415 warning"),
    "S capability": (context(capabilities={"add": ["SYS_ADMIN"]}), "HET406"),
    "S capability in an init container": (of_container("initContainers", securityContext={"capabilities": {"add": ["NET_RAW"]}}), "HET406"),
    "S privileged for debugging": (more(pod, "ephemeralContainers", {"name": "d", "image": "a:1", "securityContext": {"privileged": True}}), "HET403"),
    "S proc": (context(procMount="Unmasked"), "HET412"),
    "S sysctl": (put(pod, securityContext={"sysctls": [{"name": "kernel.msgmax", "value": "1"}]}), "HET409"),
    "S seccomp": (context(seccompProfile={"type": "Unconfined"}), "HET410"),
    "S AppArmor": (put(lambda d: d["spec"]["tasks"][0]["template"], metadata={
        "annotations": {"container.apparmor.security.beta.kubernetes.io/main": "unconfined"}}), "HET410"),
    "S SELinux": (context(seLinuxOptions={"type": "spc_t"}), "HET411"),
    "S root": (context(runAsUser=0), "HET413"),
    "S root of the pod": (put(pod, securityContext={"runAsUser": 0}), "HET413"),
    "S Windows": (context(windowsOptions={"hostProcess": True}), "HET414"),
    "S host of a probe": (put(main, livenessProbe={"httpGet": {"port": 80, "host": "10.0.0.1"}}), "HET416"),
    "reading: unknown field": (put(spec, minAvailabel=1), "HET012"),
    "reading: null": (put(main, args=[None]), "HET013"),
    "V API version": (lambda d: d.update(apiVersion="batch.volcano.sh/v1"), "HET506"),
}

#: The same for the last document of other kinds.
OTHERS: dict[str, tuple[Any, Callable[[Data], None], str]] = {
    "K schedule": (cron_job(), put(spec, schedule="0 25 * * *"), "HET521"),
    "K schedule with a zone": (cron_job(), put(spec, schedule="TZ=UTC 0 3 * * *"), "HET521"),
    "K zone": (cron_job(), put(spec, timeZone="Europe/Berln"), "HET522"),
    "K local zone": (cron_job(), put(spec, timeZone="Local"), "HET522"),
    "K CronJob's name": (cron_job(), put(metadata, name="a" * 53), "HET523"),
    "K concurrency": (cron_job(), put(spec, concurrencyPolicy="forbid"), "HET524"),
    "K security of a CronJob": (cron_job(), lambda d: d["spec"]["jobTemplate"]["spec"]["tasks"][0]["template"]["spec"].update(hostPID=True), "HET405"),
    "K two tiers of a PodGroup": (pod_group(), put(spec, networkTopology={"highestTierAllowed": 1, "highestTierName": "a"}), "HET510"),
    "K two tiers of a subgroup": (pod_group(), put(spec, subGroupPolicy=[
        {"name": "a", "networkTopology": {"highestTierAllowed": 1, "highestTierName": "a"}}]), "HET510"),
    "K negative amount": (queues(), put(spec, capability={"cpu": "-1"}), "HET525"),
    "K guarantee without deserved": (queues(), put(spec, guarantee={"resource": {"memory": "1Gi"}}), "HET525"),
    "K deserved above capability": (queues(), put(spec, capability={"cpu": 1}, deserved={"cpu": 2}), "HET525"),
    "K hierarchy": (queues(), put(metadata, annotations={"volcano.sh/hierarchy": "root/a", "volcano.sh/hierarchy-weights": "1"}), "HET526"),
    "K hierarchy's weight": (queues(), put(metadata, annotations={"volcano.sh/hierarchy": "root/a", "volcano.sh/hierarchy-weights": "1/0"}), "HET526"),
    "K own parent": (queues(), lambda d: d["spec"].update(parent=d["metadata"]["name"]), "HET527"),
    "K weight": (queues(), put(spec, weight=65536), "HET519"),
    "K dequeue strategy": (queues(), put(spec, dequeueStrategy="lifo"), "HET524"),
    "K no members": (hyper_node(), put(spec, members=[]), "HET528"),
    "K member's pattern": (hyper_node(), put(spec, members=[{"type": "Node", "selector": {"regexMatch": {"pattern": "(["}}}]), "HET528"),
    "K member of two ways": (hyper_node(), put(spec, members=[{"type": "Node", "selector": {"exactMatch": {"name": "a"}, "regexMatch": {"pattern": "a"}}}]), "HET528"),
    "K member of no type": (hyper_node(), put(spec, members=[{"type": "node", "selector": {"exactMatch": {"name": "a"}}}]), "HET524"),
    "K unknown target": (flow(), lambda d: d["spec"]["flows"][0].update(dependsOn={"targets": ["nobody"]}), "HET529"),
    "K flow that waits for itself": (flow(), lambda d: d["spec"]["flows"][0].update(dependsOn={"targets": [d["spec"]["flows"][0]["name"]]}), "HET529"),
    "K retain policy": (flow(), put(spec, jobRetainPolicy="keep"), "HET524"),
    "K flow's label too long": (flow(), lambda d: d["metadata"].update(namespace="n" * 60), "HET532"),
}

CASES = {**{name: (job(), *rest) for name, rest in FAULTS.items()}, **OTHERS}


def check_fault(name: str, most: int) -> None:
    strategy, change, code = CASES[name]

    @settings(max_examples=most, database=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
    @given(strategy)
    def sees(found: Any) -> None:
        documents = found if isinstance(found, list) else [found]
        before = levels(documents)
        change(documents[-1])
        assert code in levels(documents) - before

    sees()


@pytest.mark.parametrize("name", CASES)
def test_one_fault_gives_its_code(name: str) -> None:
    check_fault(name, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_one_fault_gives_its_code_in_whatever_job(name: str) -> None:
    check_fault(name, 6)


def test_there_are_faults_of_every_group() -> None:
    groups = {name.split(" ")[0] for name in CASES}
    assert {f"R{number}" for number in (*range(1, 9), *range(10, 17), *range(18, 28), 30, 32)} <= groups
    assert {"P", "K", "G", "N", "S", "L1", "L2", "L4", "L5", "L6", "L7", "L8", "L9", "L11", "L12", "L18", "L20", "L26", "L31", "L34"} <= groups
