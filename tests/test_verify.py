"""The schemas as second judges: what they refuse, in which words, and at which place."""
from __future__ import annotations

import copy
import itertools
import json
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from kubernetes_validate import utils

from hetc import data
from hetc.codes import POD_SCHEMA, SCHEMA
from hetc.diagnostic import Report
from hetc.read.yaml import read
from hetc.source import Source, UsageError
from hetc.verify import JOB_SCHEMA, job_schema_errors, verify

with open(data.path(JOB_SCHEMA), encoding="utf-8") as file:
    RULES = json.load(file)

JOB = {
    "apiVersion": "batch.volcano.sh/v1alpha1",
    "kind": "Job",
    "metadata": {"name": "demo"},
    "spec": {"tasks": [{"name": "worker", "replicas": 2, "template": {"spec": {"containers": [{"name": "main", "image": "train:1"}]}}}]},
}

SPEC = ("spec",)
TASK = ("spec", "tasks", 0)
TEMPLATE = (*TASK, "template")
POD = (*TEMPLATE, "spec")
MAIN = (*POD, "containers", 0)
POLICY = ("spec", "policies", 0)
PARTITION = (*TASK, "partitionPolicy")
VOLUME = ("spec", "volumes", 0)

GONE = object()


def changed(path, value):
    """The job above with one value set, or taken away, at a path; what is missing on the way is made."""
    job = copy.deepcopy(JOB)
    node = job
    for step, following in itertools.pairwise(path):
        if isinstance(step, int):
            while len(node) <= step:
                node.append({})
        elif step not in node:
            node[step] = [] if isinstance(following, int) else {}
        node = node[step]
    if value is GONE:
        del node[path[-1]]
    elif isinstance(path[-1], int) and path[-1] == len(node):
        node.append(value)
    else:
        node[path[-1]] = value
    if path[:4] == PARTITION and path != PARTITION:
        node = job["spec"]["tasks"][0]["partitionPolicy"]
        for key in ("totalPartitions", "partitionSize"):
            node.setdefault(key, 1)
    if path[:3] == VOLUME and path[-1] != "mountPath" and path != VOLUME:
        job["spec"]["volumes"][0]["mountPath"] = "/data"
    return job


def spread(key, otherwise):
    return {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": otherwise}


L63 = "a" * 63
INT32 = 2**31 - 1

# The path, values that the API server takes, and values that it refuses with what hetc says of each.
VOLCANO = [
    (("apiVersion",), ["batch.volcano.sh/v1alpha1"], [("batch/v1", "must be `batch.volcano.sh/v1alpha1`, not `batch/v1`")]),
    (("kind",), ["Job"], [("job", "must be `Job`, not `job`")]),
    (("spec",), [], [(None, "must be a mapping, not null")]),
    ((*SPEC, "schedulerName"), ["volcano", L63], [
        (L63 + "a", "at most 63 characters, not 64"), (1, "must be a string, not the number `1`"),
    ]),
    ((*SPEC, "queue"), ["default", "team.a-1"], [
        ("Default", "must be lower-case letters, digits, inner hyphens and dots between labels, not `Default`"),
        ("a" * 254, "at most 253 characters, not 254"), ("a.-b", "not `a.-b`"), ("a\n", r"not `a\n`"), (1, "must be a string"),
    ]),
    ((*SPEC, "minAvailable"), [0, 2, INT32, 2.0], [
        (-1, "must be at least 0, not `-1`"), (INT32 + 1, "must be at most 2147483647, not `2147483648`"),
        ("2", "must be an integer, not the string `2`"), (1.5, "must be an integer, not the number `1.5`"),
        (True, "must be an integer, not the boolean `true`"),
    ]),
    ((*SPEC, "minSuccess"), [1], [(0, "must be at least 1, not `0`"), (INT32 + 1, "must be at most"), ("1", "must be an integer")]),
    ((*SPEC, "maxRetry"), [0, 3], [(-1, "must be at least 0"), (INT32 + 1, "must be at most"), ("3", "must be an integer")]),
    ((*SPEC, "priorityClassName"), ["high", "high.prio"], [
        ("", "not ``"), ("High", "not `High`"), ("a" * 254, "at most 253 characters"), (1, "must be a string"),
    ]),
    ((*SPEC, "ttlSecondsAfterFinished"), [0, 60], [
        (-1, "must be at least 0"), (INT32 + 1, "must be at most"), ("60", "must be an integer"),
    ]),
    ((*SPEC, "runningEstimate"), ["1h30m", "0", "1.5h", ".5s", "-3ms", "2us", "2µs"], [
        ("1 day", "must be a duration such as `90s` or `1h30m` (units ns, us, ms, s, m, h), not `1 day`"), ("1d", "not `1d`"),
        ("5", "not `5`"), ("", "not ``"), (".s", "not `.s`"), ("1m0", "not `1m0`"), (5, "must be a string, not the number `5`"),
    ]),
    ((*SPEC, "plugins"), [{}], [([], "must be a mapping, not a list")]),
    ((*SPEC, "plugins", "svc"), [[], ["--publish-not-ready-addresses=true"]], [
        (None, "must be a list, not null"), ("x", "must be a list, not the string `x`"),
    ]),
    ((*SPEC, "plugins", "ssh", 0), ["--port=22"], [(22, "item 1 of `ssh` must be a string, not the number `22`")]),
    ((*SPEC, "policies"), [[]], [(None, "must be a list, not null")]),
    (POLICY, [{"event": "*", "action": "AbortJob"}], [("x", "item 1 of `policies` must be a mapping, not the string `x`")]),
    ((*POLICY, "event"), ["*", "PodFailed", "TaskFailed", "JobUpdated"], [
        ("PodFail", "`PodPending`, `PodFailed`, `PodEvicted`"), ("", "not ``"), ("PodRunning", "not `PodRunning`"), (None, "not null"),
    ]),
    ((*POLICY, "events"), [["PodFailed", "PodEvicted"]], [("PodFailed", "must be a list, not the string `PodFailed`")]),
    ((*POLICY, "events", 0), ["Unknown"], [("unknown", "item 1 of `events` must be `*`, ")]),
    ((*POLICY, "exitCode"), [1, -1, 256], [
        (0, "must not be `0`"), ("1", "must be an integer"), (INT32 + 1, "must be at most"), (-INT32 - 2, "must be at least"),
    ]),
    ((*POLICY, "action"), ["RestartPartition", "CompleteJob"], [
        ("Restart", "or `TerminateJob`, not `Restart`"), ("SyncJob", "not `SyncJob`"),
    ]),
    ((*POLICY, "timeout"), ["10m"], [("1d", "must be a duration")]),
    (("spec", "volumes"), [[]], [(None, "must be a list, not null")]),
    (VOLUME, [{"mountPath": "/data", "volumeClaimName": "c"}], [("/data", "item 1 of `volumes` must be a mapping")]),
    ((*VOLUME, "mountPath"), ["/data"], [("", "must be a path without a colon, not ``"), ("a:b", "not `a:b`"), (1, "must be a string")]),
    ((*VOLUME, "volumeClaimName"), ["data.a"], [
        ("My_PVC", "not `My_PVC`"), ("a" * 254, "at most 253 characters"), (1, "must be a string"),
    ]),
    ((*SPEC, "networkTopology"), [{}], [([], "must be a mapping, not a list")]),
    ((*SPEC, "networkTopology", "mode"), ["hard", "soft"], [("Hard", "must be `hard` or `soft`, not `Hard`")]),
    ((*SPEC, "networkTopology", "highestTierAllowed"), [0, 2], [(-1, "must be at least 0"), ("1", "must be an integer")]),
    ((*SPEC, "networkTopology", "highestTierName"), ["rack"], [("a" * 254, "at most 253 characters"), (1, "must be a string")]),
    ((*SPEC, "tasks"), [], [([], "must not be empty"), (None, "must be a list, not null"), (GONE, "`tasks` is missing in `spec`")]),
    (TASK, [], [("x", "item 1 of `tasks` must be a mapping")]),
    ((*TASK, "name"), ["w", L63, ""], [
        (L63 + "a", "at most 63 characters"), ("Worker", "not `Worker`"), ("w-", "not `w-`"), (1, "must be a string"),
    ]),
    ((*TASK, "replicas"), [0, 7], [
        (-1, "`replicas` of `worker` must be at least 0, not `-1`"), (INT32 + 1, "must be at most"),
        ("2", "must be an integer, not the string `2`"),
    ]),
    ((*TASK, "minAvailable"), [0, 2], [(-1, "must be at least 0"), (INT32 + 1, "must be at most"), ("2", "must be an integer")]),
    ((*TASK, "maxRetry"), [0, 3], [(-1, "must be at least 0"), (INT32 + 1, "must be at most"), ("2", "must be an integer")]),
    ((*TASK, "topologyPolicy"), ["none", "best-effort", "restricted", "single-numa-node"], [("foo", "or `single-numa-node`, not `foo`")]),
    ((*TASK, "dependsOn"), [{}], [("a", "must be a mapping, not the string `a`")]),
    ((*TASK, "dependsOn", "name"), [["a"], []], [("a", "must be a list, not the string `a`")]),
    ((*TASK, "dependsOn", "name", 0), ["a"], [(1, "item 1 of `name` must be a string")]),
    ((*TASK, "dependsOn", "iteration"), ["any", "al"], [(1, "must be a string")]),
    ((*TASK, "policies"), [[{"event": "TaskCompleted", "action": "CompleteJob"}]], [("x", "must be a list")]),
    (PARTITION, [], [("x", "must be a mapping")]),
    ((*PARTITION, "totalPartitions"), [1], [(0, "must be at least 1"), (INT32 + 1, "must be at most"), ("1", "must be an integer")]),
    ((*PARTITION, "partitionSize"), [1], [(0, "must be at least 1"), (INT32 + 1, "must be at most"), ("1", "must be an integer")]),
    ((*PARTITION, "minPartitions"), [0, 1], [(-1, "must be at least 0"), (INT32 + 1, "must be at most"), ("1", "must be an integer")]),
    ((*PARTITION, "networkTopology", "mode"), ["soft"], [("none", "must be `hard` or `soft`, not `none`")]),
    (TEMPLATE, [], [(GONE, "`template` is missing in item 1 of `tasks`")]),
    (("minAvaliable",), [], [(1, "unknown key `minAvaliable`")]),
    ((*SPEC, "minAvaliable"), [], [(1, "unknown key `minAvaliable` in `spec`")]),
    ((*SPEC, "plugins", "pytroch"), [], [([], "unknown key `pytroch` in `plugins`")]),
    ((*TASK, "count"), [], [(1, "unknown key `count` in item 1 of `tasks`")]),
    ((*TASK, "dependsOn", "names"), [], [("a", "unknown key `names` in `dependsOn`")]),
    ((*PARTITION, "size"), [], [(1, "unknown key `size` in `partitionPolicy`")]),
    ((*POLICY, "signal"), [], [(1, "unknown key `signal` in item 1 of `policies`")]),
    ((*VOLUME, "readOnly"), [], [(True, "unknown key `readOnly` in item 1 of `volumes`")]),
    ((*SPEC, "networkTopology", "tier"), [], [(1, "unknown key `tier` in `networkTopology`")]),
    ((*SPEC, "volumes"), [], [([{"volumeClaimName": "c"}], "`mountPath` is missing in item 1 of `volumes`")]),
    ((*TASK, "partitionPolicy"), [], [
        ({"totalPartitions": 1}, "`partitionSize` is missing in `partitionPolicy`"),
        ({"partitionSize": 1}, "`totalPartitions` is missing in `partitionPolicy`"),
    ]),
    (("kind",), [], [(GONE, "`kind` is missing")]),
]

# As above, of what is Kubernetes': enough to see that every kind of value is checked at its place.
KUBERNETES = [
    (("metadata",), [{"generateName": "demo-"}], [([], "must be a mapping, not a list")]),
    (("metadata", "name"), ["a.b"], [
        ("", "not ``"), ("Demo", "not `Demo`"), ("a" * 64, "at most 63 characters"),
        (GONE, "`name` or `generateName` is missing in `metadata`"),
    ]),
    (("metadata", "namespace"), ["team-a"], [("team.a", "not `team.a`")]),
    (("metadata", "creationTimestamp"), [None], [(1, "must be a string, not the number `1`")]),
    (("metadata", "labels", "a"), ["", "v1.0"], [
        ("x" * 64, "at most 63 characters"), ("-x", "must be letters, digits and inner - _ ., not `-x`"),
        (True, "must be a string, not the boolean `true`"),
    ]),
    (("metadata", "labels", "volcano.sh/a"), ["b"], []),
    (("metadata", "labels", "a/b/c"), [], [("d", "key `a/b/c` in `labels` must be a label key")]),
    ((*TEMPLATE, "metadata", "annotations", "A.b/c"), ["any text, even\nlines"], [(1, "must be a string, not the number `1`")]),
    ((*TEMPLATE, "metadata", "creationTimestamp"), [], [(None, "unknown key `creationTimestamp` in `metadata`")]),
    ((*POD, "containers"), [], [
        ([], "must not be empty"), (GONE, "`containers` is missing in `spec`"), (None, "must be a list, not null"),
    ]),
    ((*POD, "restartPolicy"), ["Never", None, ""], [("never", "must be `Always`, `OnFailure` or `Never`, not `never`")]),
    ((*POD, "hostname"), ["a"], [("a.b", "not `a.b`")]),
    ((*POD, "nodeSelector", "gpu"), ["true"], [(True, "must be a string, not the boolean `true`"), (None, "must be a string, not null")]),
    ((*POD, "dnsPolicy"), ["None"], [("none", "not `none`")]),
    ((*POD, "tolerations", 0, "operator"), ["Exists", ""], [("Gt", "not `Gt`")]),
    ((*POD, "resources", "limits", "cpu"), [4], [("4 cores", "must be a quantity such as")]),
    ((*POD, "containerz"), [], [([], "unknown key `containerz` in `spec`")]),
    ((*MAIN, "name"), ["a-1"], [("Main", "not `Main`"), (GONE, "`name` is missing in item 1 of `containers`")]),
    ((*MAIN, "imagePullPolicy"), ["", "Always"], [("always", "not `always`")]),
    ((*MAIN, "command"), [["sh", "-c", "x"], None], [("sh", "`command` of `main` must be a list, not the string `sh`")]),
    ((*MAIN, "args"), [[]], [([1], "item 1 of `args` must be a string")]),
    ((*MAIN, "env"), [None, [{"name": "A", "value": None}], [{"name": "A.b-c"}]], [
        ([{"name": "A", "value": 1}], "`value` of `A` must be a string, not the number `1`"),
        ([{"name": "A", "value": False}], "`value` of `A` must be a string, not the boolean `false`"),
        ([{"name": "1A"}], "must be letters, digits and - _ ., no digit first, no `..` first, not `1A`"),
        ([{"name": "..A"}], "not `..A`"), ([{"name": "."}], "not `.`"), ([{"value": "x"}], "`name` is missing in item 1 of `env`"),
        ([{"name": "A"}, {"name": "B"}, {"name": "A"}], "duplicate `A` in `env`: each `name` may stand there once"),
    ]),
    ((*MAIN, "resources", "requests", "memory"), ["64Gi", "1.5k", "+1e3", 4, "1E", ".5"], [
        (0.5, "must be an integer or a string, not the number `0.5`"), ("64GB", "not `64GB`"), ("64 Gi", "not `64 Gi`"),
        ("1gi", "not `1gi`"), ("1_000", "not `1_000`"), ("", "not ``"), (None, "must be an integer or a string, not null"),
    ]),
    ((*MAIN, "resources", "limits", "gpu"), [], [
        (1, "key `gpu` in `limits` must be cpu, memory, ephemeral-storage, hugepages-SIZE or DOMAIN/NAME"),
    ]),
    ((*MAIN, "resources", "limits", "nvidia.com/gpu"), [1, "1"], []),
    ((*MAIN, "ports"),
     [[{"containerPort": 80, "name": "http"}], [{"containerPort": 53}, {"containerPort": 53, "protocol": "UDP"}]], [
        ([{"containerPort": 53}, {"containerPort": 53, "protocol": "TCP"}], "duplicate `53` and `TCP` in `ports`"),
        ([{"containerPort": 0}], "must be at least 1"), ([{"containerPort": 65536}], "must be at most 65535"),
        ([{"containerPort": 1, "name": "a" * 16}], "at most 15 characters"),
        ([{"containerPort": 1, "name": "1-2"}], "with a letter, not `1-2`"), ([{"containerPort": 1, "name": "a--b"}], "not `a--b`"),
        ([{"containerPort": 1, "protocol": "tcp"}], "not `tcp`"),
    ]),
    ((*MAIN, "volumeMounts"), [[{"name": "a", "mountPath": "/a"}, {"name": "a", "mountPath": "/b"}]], [
        ([{"name": "a", "mountPath": "/a"}, {"name": "b", "mountPath": "/a"}], "duplicate `/a` in `volumeMounts`"),
        ([{"name": "a", "mountPath": ""}], "`mountPath` of `a` must not be empty"), ([{"name": "a"}], "`mountPath` is missing"),
    ]),
    ((*MAIN, "volumeDevices"), [], [([{"name": "a", "devicePath": "/d"}, {"name": "b", "devicePath": "/d"}], "duplicate `/d`")]),
    ((*MAIN, "livenessProbe"), [{"httpGet": {"port": "http"}}, {"exec": {"command": ["x"]}, "periodSeconds": 5}], [
        ({"httpget": 1}, "unknown key `httpget` in `livenessProbe`"),
    ]),
    ((*MAIN, "securityContext", "privileged"), [False], [("true", "must be a boolean, not the string `true`")]),
    ((*POD, "volumes"),
     [[{"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}],
      [{"name": "a", "emptyDir": {}}, {"name": "b", "iscsi": {"lun": 1}}],
      [{"name": "c", "configMap": {"name": "c", "defaultMode": 0o400, "items": [{"key": "k", "path": "p"}]}}],
      [{"name": "d", "ephemeral": {"volumeClaimTemplate": {"spec": {"resources": {"requests": {"storage": "1Ti"}}}}}}]], [
        ([{"name": "d", "emptyDir": {}}, {"name": "d", "emptyDir": {}}], "duplicate `d` in `volumes`"),
        ([{"name": "d", "secret": {"defaultMode": 644}}], "must be at most 511, not `644`"),
        ([{"name": "d", "emptyDir": {"medium": "memory"}}], "must be empty, Memory or HugePages, not `memory`"),
        ([{"name": "d", "emptydir": {}}], "unknown key `emptydir` in item 1 of `volumes`"),
        ([{"name": "d", "hostPath": {}}], "`path` is missing in `hostPath`"),
    ]),
    ((*POD, "initContainers"), [], [([{"name": "a", "image": "i"}, {"name": "a", "image": "i"}], "duplicate `a` in `initContainers`")]),
    ((*POD, "imagePullSecrets"), [[{"name": "a"}, {"name": "b"}]], [
        ([{"name": "a"}, {"name": "a"}], "duplicate `a`"), ([{}, {}], "duplicate `` in `imagePullSecrets`: each `name` may stand there once"),
    ]),
    ((*POD, "hostAliases"), [], [([{"ip": "::1"}, {"ip": "::1"}], "duplicate `::1`")]),
    ((*POD, "resourceClaims"), [], [([{"name": "a"}, {"name": "a"}], "duplicate `a`")]),
    ((*POD, "schedulingGates"), [], [([{"name": "a"}, {"name": "a"}], "duplicate `a`")]),
    ((*POD, "topologySpreadConstraints"), [[spread("z", "DoNotSchedule"), spread("z", "ScheduleAnyway")]], [
        ([spread("z", "DoNotSchedule"), spread("z", "DoNotSchedule")], "duplicate `z` and `DoNotSchedule`"),
    ]),
    ((*POD, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"),
     [{"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]}, None], [
        ({"nodeSelectorTerms": []}, "`nodeSelectorTerms` must not be empty"),
    ]),
    ((*VOLUME, "volumeClaim"), [{"accessModes": ["ReadWriteMany"], "resources": {"requests": {"storage": "10Gi"}}}], [
        ({"size": 1}, "unknown key `size`"),
    ]),
]


def rows(table, which):
    return [(path, *(value if which == 2 else (value,))) for row in table for path in row[:1] for value in row[which]]


@pytest.mark.parametrize(("path", "value"), rows(VOLCANO + KUBERNETES, 1))
def test_what_the_api_server_takes_passes(path, value):
    assert job_schema_errors(changed(path, value)) == []


@pytest.mark.parametrize(("path", "value", "message"), rows(VOLCANO + KUBERNETES, 2))
def test_what_the_api_server_refuses_is_told_once_and_where(path, value, message):
    faults = job_schema_errors(changed(path, value))
    assert [message in fault.message for fault in faults] == [True], faults
    (fault,) = faults
    place = fault.path if fault.key is None else (*fault.path, fault.key)
    # At the value itself, below it where the row sets more than one, or at the mapping that lacks it.
    assert place[: len(path)] == path or (value is GONE and place == path[:-1])


def constraints(schema, inside=()):
    """The path of every keyword of Volcano's part that refuses something, status left out, which no user writes."""
    for keyword, wanted in schema.items():
        if keyword in ("properties", "definitions"):
            for name, below in wanted.items():
                if keyword == "properties" or (name.startswith("volcano.") and not re.search("Status|State|Condition", name)):
                    yield from constraints(below, (*inside, keyword, name))
        elif keyword == "items":
            yield from constraints(wanted, (*inside, keyword))
        elif keyword not in ("$schema", "$ref", "$comment", "title", "description", "default", "patternErrorMessage") and not (
            keyword == "type" and "enum" in schema
        ):
            yield (*inside, keyword)


@pytest.mark.parametrize("where", [each for each in constraints(RULES) if each != ("type",)], ids=".".join)
def test_every_constraint_of_volcanos_part_has_a_row_that_needs_it(where):
    loose = copy.deepcopy(RULES)
    at = loose
    for step in where[:-1]:
        at = at[step]
    del at[where[-1]]
    judge = Draft7Validator(loose)
    assert any(judge.is_valid(changed(path, value)) for path, value, _ in rows(VOLCANO, 2))


def test_a_job_is_a_mapping():
    assert [(fault.path, fault.message) for fault in job_schema_errors([])] == [((), "the document must be a mapping, not a list")]


def objects(schema, name="document"):
    if isinstance(schema, dict):
        types = schema.get("type", [])
        if "object" in ([types] if isinstance(types, str) else types):
            yield name, schema
        for key, below in schema.items():
            yield from objects(below, key if isinstance(below, dict) and key != "properties" else name)
    elif isinstance(schema, list):
        for below in schema:
            yield from objects(below, name)


def test_the_schema_is_a_schema():
    Draft7Validator.check_schema(RULES)


def test_volcanos_part_is_closed_and_described():
    part = {name: schema for name, schema in RULES["definitions"].items() if name.startswith("volcano.")}
    assert {"volcano.JobSpec", "volcano.TaskSpec", "volcano.LifecyclePolicy"} <= set(part)
    for name, schema in [*objects({**RULES, "definitions": part})]:
        assert schema["description"].endswith("."), name
        # A mapping with free keys says what its values are.
        assert schema["additionalProperties"] is False or schema["additionalProperties"].keys() & {"type", "$ref"}, name


def test_every_field_is_described():
    fields = [field for _, schema in objects(RULES) for field in schema.get("properties", {}).items()]
    assert len(fields) > 300
    for name, field in fields:
        target = RULES["definitions"][field["$ref"].rpartition("/")[2]] if "$ref" in field else {}
        assert field.get("description") or target.get("description"), name


def test_patterns_are_whole_and_say_what_they_ask_for():
    text = json.dumps(RULES)
    found = re.findall(r'"pattern": "(.*?)(?<!\\)", "patternErrorMessage": "must be ', text)
    assert len(found) == text.count('"pattern": ') > 20
    assert [pattern for pattern in found if not (pattern.startswith("^") and pattern.endswith("$"))] == []


def test_pods_have_the_fields_of_kubernetes():
    """The release that Volcano's own schema is made from, against the one in kubernetes-validate."""
    folder = next(version for version in utils.all_versions() if utils.major_minor(version) == "1.36")
    theirs = utils.schema_contents(f"kubernetes-json-schema/v{folder}-local-strict/_definitions.json", folder)["$defs"]
    theirs = {name.rpartition(".")[2]: schema for name, schema in theirs.items() if re.search(r"\.core\.v1\.|\.meta\.v1\.", name)}
    compared = 0
    for name, schema in RULES["definitions"].items():
        other = theirs.get(name.removeprefix("core."))
        if name.startswith("core.") and name != "core.EmbeddedObjectMeta" and "properties" in schema:
            assert schema["properties"].keys() == other["properties"].keys(), name
            needed = set(schema.get("required", [])) - ({"spec"} if name == "core.PodTemplateSpec" else set())
            assert needed == set(other.get("required", [])), name
            compared += 1
    assert compared > 80
    assert len(RULES["definitions"]["core.PodSpec"]["properties"]) == 42


TEXT = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: demo
spec:
  minAvailable: 1
  tasks:
  - name: worker
    replicas: 1
    template:
      spec:
        containers:
        - name: main
          image: train:1
          env:
          - name: MODE
            value: fast
        volumes:
        - name: disk
          iscsi: {iqn: a, lun: 0, targetPortal: b}
"""


def told(text, version=None):
    """Code, line, column, what the place holds, and the message of each diagnostic."""
    source, report = Source("job.yaml", text), Report()
    documents = read(source, report)
    assert documents is not None and not report.failed
    verify(documents, report, version)
    return [(each.code, *each.span.start_position(), each.span.text(), each.message) for each in report.sorted()]


def test_a_good_job_is_passed():
    assert told(TEXT) == []


@pytest.mark.parametrize(("old", "new", "line", "column", "place"), [
    ("  minAvailable: 1", "  minAvaliable: 1", 6, 3, "minAvaliable"),  # an unknown key: the key
    ("minAvailable: 1", "minAvailable: -1", 6, 17, "-1"),  # a value: the value
    ("value: fast", "value: no", 17, 20, "no"),
    ("    template:", "    count: 1\n    template:", 10, 5, "count"),
    ("          image: train:1", "          image: [train]", 14, 11, "image"),  # a list stands at its key
    ("spec:\n  minAvailable: 1\n  tasks:", "spec:\n  minAvailable: 1\n  plugins:\n    svc: null\n  tasks:", 8, 10, "null"),
])
def test_a_mistake_is_told_at_its_place(old, new, line, column, place):
    assert TEXT.count(old) == 1
    assert [each[:4] for each in told(TEXT.replace(old, new))] == [(SCHEMA, line, column, place)]


def test_what_is_missing_is_missing_from_its_mapping():
    text = TEXT.replace("    template:\n      spec:\n        containers:\n", "    template:\n      spec:\n        initContainers:\n")
    assert [each[:3] + each[4:] for each in told(text) if each[0] is SCHEMA] == [(SCHEMA, 11, 7, "`containers` is missing in `spec`")]


def test_a_duplicate_is_told_at_the_second_and_names_the_first():
    text = TEXT.replace("value: fast", "value: fast\n          - name: MODE\n            value: slow")
    source, report = Source("job.yaml", text), Report()
    verify(read(source, report), report)
    (found,) = report.sorted()
    assert (found.span.start_position(), found.span.text()) == ((18, 19), "MODE")
    assert [(label.span.start_position(), label.message) for label in found.related] == [((16, 19), "the first one")]


def test_a_value_is_told_as_it_was_written_and_how_to_mend_it():
    source, report = Source("job.yaml", TEXT.replace("fast", "no").replace("replicas: 1", "replicas: '1'")), Report()
    verify(read(source, report), report)
    assert [(each.message, each.help) for each in report.sorted()] == [
        ("`replicas` of `worker` must be an integer, not the string `1`", "write it without quotes"),
        ("`value` of `MODE` must be a string, not the boolean `no`", 'quote it: `"no"`'),
    ]


def test_only_jobs_of_volcano_are_judged_and_lists_are_opened():
    other = TEXT.replace("batch.volcano.sh/v1alpha1", "batch/v1").replace("minAvailable: 1", "minAvailable: -1")
    bad = TEXT.replace("minAvailable: 1", "minAvailable: -1")
    wrapped = "apiVersion: v1\nkind: List\nitems:\n- " + bad.replace("\n", "\n  ")
    assert told(f"{other}---\njust text\n---\nkind: Service\n---\n{TEXT}") == []
    assert [each[1] for each in told(f"{TEXT}---\n{bad}---\n{wrapped}")] == [27, 51]


def test_a_wrong_version_of_the_group_is_told():
    assert [each[1:4] for each in told(TEXT.replace("v1alpha1", "v1"))] == [(1, 13, "batch.volcano.sh/v1")]


@pytest.mark.parametrize(("old", "new", "line", "place", "message"), [
    ("iqn: a,", "iqn: a, port: 1,", 20, "port", "unknown key `port` in `iscsi`"),
    ("iqn: a,", "iqn: 1,", 20, "1", "`iqn` must be a string, not the number `1`"),
    ("iqn: a,", "", 20, "iscsi", "`iqn` is missing in `iscsi`"),
])
def test_kubernetes_judges_what_the_job_schema_leaves_open(old, new, line, place, message):
    assert [(code, at, text, words) for code, at, _, text, words in told(TEXT.replace(old, new), "1.37")] == [
        (POD_SCHEMA, line, place, f"{message} (Kubernetes 1.37)"),
    ]


def test_a_place_is_told_once():
    assert [each[0] for each in told(TEXT.replace("image: train:1", "image: 1"))] == [SCHEMA]


def test_the_release_of_kubernetes_decides():
    text = TEXT.replace("        containers:", "        hostnameOverride: a\n        containers:")
    assert told(text) == []
    assert told(text, "1.36.1") == []
    assert told(text, "v1.30") == [(POD_SCHEMA, 12, 9, "hostnameOverride", "unknown key `hostnameOverride` in `spec` (Kubernetes 1.30)")]


@pytest.mark.parametrize("version", ["1.9", "1.20", "9.9", "latest", "", "1"])
def test_an_unknown_release_is_a_usage_error(version):
    with pytest.raises(UsageError, match=r"knows Kubernetes 1\.\d+ to 1\.\d+, not " + version):
        verify([], Report(), version)


@pytest.mark.parametrize(("module", "library"), [("jsonschema", "jsonschema"), ("kubernetes_validate", "kubernetes-validate")])
def test_a_missing_library_is_a_usage_error(module, library, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=rf"needs {library}: pip install 'hetc\[verify\]'"):
        verify([], Report())


def test_nothing_heavy_is_loaded_before_it_is_needed():
    code = "import sys, hetc.verify; print(sorted({'jsonschema', 'kubernetes_validate', 'yaml', 'ruamel.yaml'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(["name", "env", "spec"]) | st.text(max_size=3), below),
    max_leaves=8,
)


@given(st.sampled_from([row[0] for row in VOLCANO + KUBERNETES]), JSON)
def test_any_data_get_short_messages_with_a_place(path, value):
    job = changed(path, value)
    for fault in job_schema_errors(job):
        at = job
        for step in fault.path:
            at = at[step]
        assert fault.key is None or fault.key in at
        assert re.match("[a-z`]", fault.message) and fault.message.isprintable() and len(fault.message) < 300
