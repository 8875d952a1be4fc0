"""The typed check: wrong types, unknown fields, misread scalars, and what the schema alone refuses."""
from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hetc import codes, schema, shape, tree
from hetc.api import GROUPS
from hetc.diagnostic import Diagnostic, Report
from hetc.read.manifest import read
from hetc.source import Source, Span
from hetc.verify import job_schema_errors

JOB = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: demo}
spec:
  %s
  tasks:
  - name: worker
    replicas: 1
    %s
    template:
      spec:
        restartPolicy: Never
        %s
        containers:
        - name: main
          image: registry.example/train:1.0
          %s
"""


def job(spec: str = "minAvailable: 1", task: str = "minAvailable: 1", pod: str = "hostname: h", container: str = "tty: false") -> str:
    """A Job with one line at column 3, 5, 9 and 11, in lines 5, 9, 13 and 17."""
    return JOB % (spec, task, pod, container)


def diagnostics(text: str, name: str = "job.yaml") -> list[Diagnostic]:
    report = Report()
    shape.report_rest(shape.check(read(Source(name, text), report).documents, report), report)
    return report.sorted()


def said(text: str) -> list[tuple[int, int, str, str, str | None]]:
    return [(*each.span.start_position(), f"{each.level} {each.code.code}", each.message, each.help) for each in diagnostics(text)]


def one(text: str) -> tuple[int, int, str, str, str | None]:
    (found,) = said(text)
    return found


def test_a_sound_job_says_nothing() -> None:
    assert said(job()) == []


@pytest.mark.parametrize(("line", "written", "column", "message", "help"), [
    ("spec", 'minAvailable: "2"', 17, '`minAvailable` is the string `"2"`, not an integer', "write `2` without quotes"),
    ("spec", "minAvailable: two", 17, "`minAvailable` is the string `two`, not an integer", None),
    ("spec", "minAvailable: 1.5", 17, "`minAvailable` is the number `1.5`, not an integer", None),
    ("spec", "minAvailable: true", 17, "`minAvailable` is the boolean `true`, not an integer", None),
    ("spec", "minAvailable: [1]", 3, "`minAvailable` is a list, not an integer", None),
    ("task", "maxRetry: {a: 1}", 5, "`maxRetry` of `worker` is a mapping, not an integer", None),
    ("spec", "plugins: {ssh: --ssh-port=2222}", 18, "`ssh` is the string `--ssh-port=2222`, not a list", "write `[--ssh-port=2222]`"),
    ("spec", "plugins: [svc]", 3, "`plugins` is a list, not a mapping", None),
    ("spec", "policies: {event: PodFailed}", 3, "`policies` is a mapping, not a list", "begin each item with `- `"),
    ("pod", 'hostNetwork: "true"', 22, '`hostNetwork` is the string `"true"`, not a boolean', "write `true` without quotes"),
    ("pod", "hostNetwork: 0", 22, "`hostNetwork` is the number `0`, not a boolean", "write `false`"),
    ("pod", 'volumes: [{name: v, secret: {defaultMode: "0640"}}]', 51, '`defaultMode` is the string `"0640"`, not an integer',
     "write `0640` without quotes, or `416`"),
    ("container", "command: python train.py", 20, "`command` of `main` is the string `python train.py`, not a list", "write `[python, train.py]`"),
    ("container", "command: sleep 5", 20, "`command` of `main` is the string `sleep 5`, not a list", 'write `[sleep, "5"]`'),
    ("container", "command: echo $HOME", 20, "`command` of `main` is the string `echo $HOME`, not a list",
     'write a list, such as `["/bin/sh", "-c", "…"]`'),
])
def test_wrong_types(line: str, written: str, column: int, message: str, help: str | None) -> None:
    number = {"spec": 5, "task": 9, "pod": 13, "container": 17}[line]
    assert one(job(**{line: written})) == (number, column, "error HET014", message, help)


@pytest.mark.parametrize(("written", "named"), [
    ("9000", "number"), ("1.10", "number"), ("1e3", "number"), ("0e12345", "number"), ("0x1F", "number"), ("010", "number"),
    ("true", "boolean"), ("no", "boolean"), ("y", "boolean"), ("On", "boolean"),
])
def test_numbers_and_booleans_in_a_strings_place(written: str, named: str) -> None:
    text = job(container=f"env: [{{name: OPT, value: {written}}}]")
    assert one(text) == (17, 36, "error HET015", f"`value` of `OPT` is the {named} `{written}`, not a string", f'quote it: `"{written}"`')


@pytest.mark.parametrize("written", ["12:30:00", "2026-08-01", "=", "2026-08-01 10:00:00", ".5_"])
def test_strings_of_kubectl_alone(written: str) -> None:
    text = job(container=f"env: [{{name: OPT, value: {written}}}]")
    message = f"`value` of `OPT` is `{written}`: a string to kubectl, and something else to other YAML readers"
    assert one(text) == (17, 36, "warning HET015", message, f'quote it: `"{written}"`')


@pytest.mark.parametrize("written", ['"9000"', "'no'", "!!str 9000", "1_000a", "16Gi", "nvidia", "1.2.3", "08:00x", "tRUE", '"12:30:00"'])
def test_strings_of_everyone(written: str) -> None:
    assert said(job(container=f"env: [{{name: OPT, value: {written}}}]")) == []


@pytest.mark.parametrize(("line", "written", "message"), [
    ("pod", "nodeSelector: {gpu: true}", "`gpu` in `nodeSelector` is the boolean `true`, not a string"),
    ("container", "args: [a, 1]", "item 2 of `args` of `main` is the number `1`, not a string"),
    ("pod", "nodeSelector: {no: a}", "key `no` in `nodeSelector` is a boolean, not a string"),
    ("pod", "nodeSelector: {123: a}", "key `123` in `nodeSelector` is a number, not a string"),
])
def test_strings_in_other_places(line: str, written: str, message: str) -> None:
    found = one(job(**{line: written}))
    assert found[2:4] == ("error HET015", message)


def test_a_key_that_only_kubectl_reads_as_a_string() -> None:
    found = one(job(pod="nodeSelector: {2026-08-01: a}"))
    assert found[1:3] == (24, "warning HET015")
    assert said(job(pod='nodeSelector: {"no": a, "123": b}')) == []


@pytest.mark.parametrize(("written", "fixed"), [("9000", '"9000"'), ("&a no", '"no"'), ("12:30:00", '"12:30:00"')])
def test_quoting_is_a_fix(written: str, fixed: str) -> None:
    (found,) = diagnostics(job(container=f"env: [{{name: OPT, value: {written}}}]"))
    assert found.fix is not None and [each.text for each in found.fix.edits] == [fixed]


@pytest.mark.parametrize(("written", "value"), [("010", 8), ("08", 8), ("-01", -1), ("0_1", 1)])
def test_leading_zeros(written: str, value: int) -> None:
    found = said(job(spec=f"minSuccess: {written}"))[0]
    assert found == (5, 15, "error HET016", f"`minSuccess` is `{written}`, which kubectl reads as {value}", f"write `{value}`")


@pytest.mark.parametrize("written", ["0400", "0o400", "256", "0"])
def test_leading_zeros_in_file_modes(written: str) -> None:
    volume = f"volumes: [{{name: v, secret: {{defaultMode: {written}, items: [{{key: a, path: b, mode: {written}}}]}}}}]"
    assert said(job(pod=volume)) == []


@pytest.mark.parametrize("written", ["2", "2.0", "0", "1_000", "0x10", "1e3"])
def test_integers_of_kubectl(written: str) -> None:
    assert said(job(task=f"maxRetry: {written}")) == []


@pytest.mark.parametrize(("line", "written", "message", "help"), [
    ("spec", "minAvaliable: 1", "unknown field `minAvaliable` in `spec`", "did you mean `minAvailable`?"),
    ("spec", "minavailable: 1", "unknown field `minavailable` in `spec`", "did you mean `minAvailable`?"),
    ("container", "resource: {}", "unknown field `resource` in `main` in `containers`", "did you mean `resources`?"),
    ("pod", "priorityClass: high", "unknown field `priorityClass` in `spec`", "did you mean `priorityClassName`?"),
    ("pod", "imagePullPolicy: Always", "unknown field `imagePullPolicy` in `spec`", "it is a field of `containers`"),
    ("container", "restartCount: 1", "unknown field `restartCount` in `main` in `containers`", "remove it: the API has no such field here"),
    ("container", "nodeSelector: {}", "unknown field `nodeSelector` in `main` in `containers`", "it is a field of `spec`"),
])
def test_unknown_fields(line: str, written: str, message: str, help: str) -> None:
    found = one(job(**{line: written}))
    assert found[2:] == ("error HET012", message, help)


def test_an_unknown_field_of_the_document() -> None:
    assert one("x-common: 1\n" + job())[2:4] == ("error HET012", "unknown field `x-common`")


def test_null_counts_as_absent_and_is_told() -> None:
    found = one(job(container="env: [{name: OPT, value: }]"))
    assert found[2:] == ("warning HET013", "`value` of `OPT` is null, and counts as absent", 'write `""` for an empty text, or leave it out')
    assert one(job(pod="nodeSelector:"))[2:] == ("warning HET013", "`nodeSelector` is null, and counts as absent", "write `{}`, or leave it out")
    assert one(job(spec="minAvailable: ~"))[4] == "write a value, or leave it out"


def test_null_in_a_list_is_refused() -> None:
    assert one(job(container="args: [a, null]")) == (
        17, 21, "error HET013", "item 2 of `args` of `main` is null", 'write `""` for an empty text, or remove the item',
    )


def test_what_the_api_server_writes_is_fine() -> None:
    assert said(job().replace("{name: demo}", "{name: demo, creationTimestamp: null, uid: a, managedFields: [{manager: m}]}")) == []
    assert said(job() + STATUS) == []


STATUS = """\
status:
  state: {phase: Running, lastTransitionTime: "2026-08-01T12:00:00Z"}
  running: 1
  runningDuration: 3.5s
  taskStatusCount: {worker: {phase: {Running: 1}}}
  conditions:
  - {status: Running, lastTransitionTime: "2026-08-01T12:00:00.123+01:00"}
"""


@pytest.mark.parametrize(("right", "wrong", "message"), [
    ("running: 1", "runing: 1", "unknown field `runing` in `status`"),
    ("running: 1", 'running: "1"', '`running` is the string `"1"`, not an integer'),
    ("running: 1", "running: 2147483648", "`running` must be at most 2147483647, not `2147483648`"),
    ("3.5s", "3", "`runningDuration` is the number `3`, not a string"),
    ("2026-08-01T12:00:00Z", "yesterday", '`lastTransitionTime` must be a time such as `2026-08-01T12:00:00Z`, not `"yesterday"`'),
])
def test_a_status_is_decoded_like_all_else(right: str, wrong: str, message: str) -> None:
    """Its ranges and words nobody checks: it is dropped then."""
    assert one(job() + STATUS.replace(right, wrong))[3] == message
    assert said(job() + STATUS.replace("phase: Running", "phase: Runs").replace("running: 1", "running: -1")) == []


OWNER = "{apiVersion: apps/v1, kind: Deployment, name: web, uid: u-1, controller: true}"


@pytest.mark.parametrize(("right", "wrong", "message"), [
    (", uid: u-1", "", "`uid` is missing in `web` in `ownerReferences` of `demo`"),
    ("kind: Deployment, ", "", "`kind` is missing in `web` in `ownerReferences` of `demo`"),
    ("name: web", 'name: ""', "`name` must not be empty"),
    ("apps/v1", "a/b/v1", "`apiVersion` of `web` must be a version, or a group and a version, not `a/b/v1`"),
    ("controller: true", "controler: true", "unknown field `controler` in `web` in `ownerReferences` of `demo`"),
])
def test_an_owner_is_named_whole(right: str, wrong: str, message: str) -> None:
    text = job().replace("{name: demo}", f"{{name: demo, ownerReferences: [{OWNER}]}}")
    assert said(text) == []
    assert message in [each[3] for each in said(text.replace(right, wrong))]


@pytest.mark.parametrize(("where", "line"), [
    ("pod", "terminationGracePeriodSeconds: %d"),
    ("pod", "tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: %d}]"),
    ("container", "lifecycle: {preStop: {sleep: {seconds: %d}}}"),
    ("spec", "networkTopology: {mode: hard, highestTierAllowed: %d}"),
])
def test_no_integer_is_larger_than_go_counts(where: str, line: str) -> None:
    assert said(job(**{where: line % (2**63 - 1)})) == []
    assert "must be at most 9223372036854775807, not `9223372036854775808`" in one(job(**{where: line % 2**63}))[3]


@pytest.mark.parametrize(("line", "written", "message"), [
    ("spec", "networkTopology: {mode: Hard}", "`mode` must be `hard` or `soft`, not `Hard`"),
    ("spec", "queue: A", "`queue` must be lower-case letters, digits, inner hyphens and dots between labels, not `A`"),
    ("spec", 'priorityClassName: ""', '`priorityClassName` must be lower-case letters, digits, inner hyphens and dots between labels, not `""`'),
    ("spec", "maxRetry: -1", "`maxRetry` must be at least 0, not `-1`"),
    ("spec", "maxRetry: 2147483648", "`maxRetry` must be at most 2147483647, not `2147483648`"),
    ("spec", f"schedulerName: {'a' * 64}", "`schedulerName` may have at most 63 characters, not 64"),
    ("spec", "policies: [{exitCode: 0}]", "`exitCode` must not be `0`"),
    ("spec", "volumes: [{volumeClaimName: a}]", "`mountPath` is missing in item 1 of `volumes`"),
    ("task", "partitionPolicy: {totalPartitions: 1}", "`partitionSize` is missing in `partitionPolicy` of `worker`"),
    ("container", "env: [{name: A}, {name: B}, {name: A}]", "duplicate `A` in `env` of `main`: each `name` may stand there once"),
    ("container", "env: [&a {name: A}, *a]", "duplicate `A` in `env` of `main`: each `name` may stand there once"),
    ("container", "env: [&a {name: A}, {<<: *a, value: b}]", "duplicate `A` in `env` of `main`: each `name` may stand there once"),
    ("container", "ports: [{containerPort: 1}, {containerPort: 1, protocol: TCP}]",
     "duplicate `1` and `TCP` in `ports` of `main`: each `containerPort` and `protocol` may stand there once"),
    ("container", "resources: {limits: {gpu: 1}}",
     "key `gpu` in `limits` must be cpu, memory, ephemeral-storage, hugepages-SIZE or DOMAIN/NAME"),
    ("container", "resources: {limits: {cpu: 1x}}", "`cpu` in `limits` must be a quantity such as `2`, `500m` or `16Gi`, not `1x`"),
])
def test_what_the_schema_alone_refuses(line: str, written: str, message: str) -> None:
    assert one(job(**{line: written}))[2:4] == ("error HET590", message)


@pytest.mark.parametrize(("line", "written"), [
    ("spec", 'queue: ""'), ("pod", 'dnsPolicy: ""'), ("pod", 'hostname: ""'), ("pod", 'subdomain: ""'),
    ("container", 'terminationMessagePolicy: ""'), ("container", 'ports: [{containerPort: 80, name: "", protocol: ""}]'),
    ("pod", "terminationGracePeriodSeconds: -1"),
])
def test_what_counts_as_absent(line: str, written: str) -> None:
    assert said(job(**{line: written})) == []


def test_a_fraction_is_no_amount() -> None:
    message = "`cpu` in `limits` is the fraction `0.1`: an amount is an integer or a string"
    assert one(job(container="resources: {limits: {cpu: 0.1}}"))[2:] == ("error HET014", message, "write `100m`")
    assert one(job(container="resources: {limits: {memory: 1.5}}"))[4] == 'quote it: `"1.5"`'
    assert said(job(container='resources: {limits: {cpu: "0.1", memory: 128e6}}')) == []


def test_a_job_name_is_shorter_than_other_names() -> None:
    long = "a" * 64
    assert one(job().replace("name: demo", f"name: {long}"))[3] == "`name` may have at most 63 characters, not 64"
    assert said(f"apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {{name: {long}}}\nspec: {{}}\n") == []


def test_something_has_to_be_there() -> None:
    text = "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {labels: {a: b}}\nspec: {tasks: }\n"
    assert [found[:4] for found in said(text)] == [
        (3, 1, "error HET590", "`name` or `generateName` is missing in `metadata`"), (4, 1, "error HET590", "`tasks` is missing in `spec`"),
    ]
    assert [found[3] for found in said("apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\n")] == ["`metadata` is missing", "`spec` is missing"]


def test_the_rest_gives_way_to_what_says_more() -> None:
    report = Report()
    source = Source("job.yaml", job(spec="networkTopology: {mode: Hard}", task="maxRetry: -1", container="tty: 1"))
    left = shape.check(read(source, report).documents, report)
    from hetc import codes

    for fault in left[:1] + left[2:]:
        report.add(codes.BAD_VALUE, fault.span, "said better")
    shape.report_rest(left, report)
    assert [each.message for each in report.sorted()] == ["said better", "`maxRetry` of `worker` must be at least 0, not `-1`", "said better"]


CRONJOB = """\
apiVersion: batch.volcano.sh/v1alpha1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 3 * * *"
  timeZone: Europe/Berlin
  startingDeadlineSeconds: 60
  concurrencyPolicy: Forbid
  suspend: false
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 1
  jobTemplate:
    metadata: {labels: {a: b}}
    spec:
      tasks:
      - {name: w, replicas: 1, template: {spec: {containers: [{name: main, image: "a.example/b:1"}]}}}
"""
JOBTEMPLATE = job().replace("batch.volcano.sh/v1alpha1\nkind: Job", "flow.volcano.sh/v1alpha1\nkind: JobTemplate")
JOBFLOW = """\
apiVersion: flow.volcano.sh/v1alpha1
kind: JobFlow
metadata: {name: flow}
spec:
  jobRetainPolicy: retain
  flows:
  - name: a
  - name: b
    dependsOn:
      targets: [a]
      probe: {httpGetList: [{taskName: t, path: /, port: 80, httpHeader: {name: a, value: b}}], tcpSocketList: [{port: 80}]}
    patch: {jobSpec: {minAvailable: 1, tasks: [{replicas: 2}]}}
"""
PODGROUP = """\
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: group}
spec:
  minMember: 2
  minTaskMember: {a: 1}
  queue: default
  priorityClassName: high
  minResources: {cpu: 2, memory: 4Gi}
  networkTopology: {mode: soft, highestTierAllowed: 2}
  subGroupPolicy: [{name: a, subGroupSize: 2, minSubGroups: 1, labelSelector: {matchLabels: {a: b}}, matchLabelKeys: [k]}]
"""
QUEUE = """\
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: research}
spec:
  weight: 4
  capability: {cpu: "64", nvidia.com/gpu: 8}
  deserved: {cpu: 32}
  guarantee: {resource: {cpu: 16}}
  reclaimable: true
  parent: root
  priority: 1
  dequeueStrategy: fifo
  affinity: {nodeGroupAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [a]}}
  extendClusters: [{name: c, weight: 1, capacity: {cpu: 1}}]
"""
HYPERNODE = """\
apiVersion: topology.volcano.sh/v1alpha1
kind: HyperNode
metadata: {name: s0}
spec:
  tier: 1
  tierName: rack
  members:
  - {type: Node, selector: {exactMatch: {name: node-0}}}
  - {type: Node, selector: {regexMatch: {pattern: "^node-1[0-9]$"}}}
  - {type: Node, selector: {labelMatch: {matchLabels: {rack: a}}}}
"""
OTHERS = [CRONJOB, JOBTEMPLATE, JOBFLOW, PODGROUP, QUEUE, HYPERNODE]


@pytest.mark.parametrize("text", OTHERS)
def test_sound_documents_of_other_kinds(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(("text", "old", "new", "code", "message"), [
    (CRONJOB, '"0 3 * * *"', "3", "HET015", "`schedule` is the number `3`, not a string"),
    (CRONJOB, "suspend: false", 'suspend: "false"', "HET014", '`suspend` is the string `"false"`, not a boolean'),
    (CRONJOB, "Forbid", "forbid", "HET590", "`concurrencyPolicy` must be `Allow`, `Forbid` or `Replace`, not `forbid`"),
    (CRONJOB, "replicas: 1", "replica: 1", "HET012", "unknown field `replica` in `w` in `tasks`"),
    (CRONJOB, "  schedule:", "  schedul:", "HET012", "unknown field `schedul` in `spec`"),
    (JOBTEMPLATE, "replicas: 1", "replicas: x", "HET014", "`replicas` of `worker` is the string `x`, not an integer"),
    (JOBFLOW, "targets: [a]", "targets: a", "HET014", "`targets` is the string `a`, not a list"),
    (JOBFLOW, "jobSpec:", "spec:", "HET012", "unknown field `spec` in `patch` of `b`"),
    (JOBFLOW, "retain\n", "keep\n", "HET590", "`jobRetainPolicy` must be `retain` or `delete`, not `keep`"),
    (JOBFLOW, "{replicas: 2}", "{replicas: -2}", "HET590", "`replicas` must be at least 0, not `-2`"),
    (PODGROUP, "minMember: 2", "minMember: -2", "HET590", "`minMember` must be at least 0, not `-2`"),
    (PODGROUP, "minMember: 2", 'minMember: "2"', "HET014", '`minMember` is the string `"2"`, not an integer'),
    (QUEUE, "weight: 4\n", "weight: -1\n", "HET590", "`weight` must be at least 0, not `-1`"),
    (QUEUE, "cpu: 32", "cpu: 9223372036854775808", "HET590", "`cpu` in `deserved` must be at most 9223372036854775807, not `9223372036854775808`"),
    (QUEUE, "reclaimable: true", "reclaimable: 1", "HET014", "`reclaimable` is the number `1`, not a boolean"),
    (QUEUE, "cpu: 32", "cpu: 3.5", "HET014", "`cpu` in `deserved` is the fraction `3.5`: an amount is an integer or a string"),
    (HYPERNODE, "type: Node, selector: {exactMatch", "type: node, selector: {exactMatch", "HET590",
     "`type` must be `Node` or `HyperNode`, not `node`"),
    (HYPERNODE, "  tier: 1\n", "", "HET590", "`tier` is missing in `spec`"),
])
def test_faults_in_other_kinds(text: str, old: str, new: str, code: str, message: str) -> None:
    assert old in text
    assert (code, message) in [(each.code.code, each.message) for each in diagnostics(text.replace(old, new))]


def test_other_documents_are_left_alone() -> None:
    assert said("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {hostNetwork: 3, x: 1}\n") == []


def test_an_alias_is_walked_once() -> None:
    lists = "".join(f"  - &a{n} [{', '.join([f'*a{n - 1}'] * 8)}]\n" for n in range(1, 6))
    text = f"apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {{name: demo}}\nspec:\n  tasks:\n  - &a0 {{name: 1}}\n{lists}"
    started = time.process_time()
    found = diagnostics(text)
    assert time.process_time() - started < 2
    assert any(each.message.endswith("is the number `1`, not a string") for each in found)


def test_what_an_alias_leads_to_is_said_once_for_each_form() -> None:
    """The fields of a container are the same in both lists; labels are not what annotations are."""
    text = job(pod="initContainers: [&c {name: b, image: a.example/b:1, resource: {}}, *c]").replace("- name: main", "- *c\n        - name: main")
    assert [found[3] for found in said(text) if "duplicate" not in found[3]] == ["unknown field `resource` in `b` in `initContainers`"]
    labels = job().replace("{name: demo}", "{name: demo, labels: &l {a: 1}, annotations: *l}")
    assert [found[3] for found in said(labels)] == [f"`a` in `{name}` is the number `1`, not a string" for name in ("annotations", "labels")]


def test_items_without_a_name_are_no_duplicates() -> None:
    found = said(job(container="env: [{value: a}, {value: b}, {value: }]"))
    assert {message.partition(" in ")[0] for _, _, code, message, _ in found if code == "error HET590"} == {"`name` is missing"}


def test_a_patch_and_a_whole_object_are_held_apart() -> None:
    """Of a part nothing has to be there, whichever was looked at before."""
    text = "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: demo}\nspec: {tasks: [{replicas: 1, template: {spec: {}}}]}\n"
    documents = read(Source("job.yaml", text), Report()).documents
    for patch, missing in ((True, 0), (False, 1), (True, 0)):
        assert len(shape.check(documents, Report(), patch=patch)) == missing


@pytest.mark.parametrize("kind", sorted(GROUPS))
def test_a_schema_of_parts_wants_nothing_of_its_own(kind: str) -> None:
    def below(node: Any) -> Iterator[dict[str, Any]]:
        if isinstance(node, dict):
            yield node
        for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from below(each)

    assert all(set(each) <= {"allOf", "description"} for each in below(schema.schemas(kind).top) if "allOf" in each)


VALUES = [None, True, 0, -1, 2, 3.5, 2**31, "", "a", "Always", "A_b", "16Gi", "0", [], ["a"], [None], [1], {}, {"name": "a"}, {"a": "b"}]


def full_job() -> dict[str, Any]:
    container = {
        "name": "main", "image": "a.example/b:1", "command": ["a"], "imagePullPolicy": "Always", "tty": True, "workingDir": "/w",
        "env": [{"name": "A", "value": "b"}, {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
        "ports": [{"containerPort": 80, "name": "web"}], "resources": {"limits": {"cpu": 1, "memory": "16Gi"}},
        "volumeMounts": [{"name": "v", "mountPath": "/v"}], "securityContext": {"runAsUser": 1000, "capabilities": {"drop": ["ALL"]}},
        "livenessProbe": {"httpGet": {"port": 80, "path": "/"}, "periodSeconds": 3},
    }
    pod = {
        "restartPolicy": "Never", "nodeSelector": {"a": "b"}, "containers": [container], "hostNetwork": False,
        "volumes": [{"name": "v", "secret": {"secretName": "s", "defaultMode": 256, "items": [{"key": "k", "path": "p", "mode": 256}]}}],
        "tolerations": [{"key": "a", "operator": "Exists"}], "imagePullSecrets": [{"name": "s"}],
    }
    task = {
        "name": "worker", "replicas": 1, "minAvailable": 1, "dependsOn": {"name": ["a"]}, "topologyPolicy": "none",
        "policies": [{"event": "PodFailed", "action": "RestartJob", "timeout": "10s"}],
        "partitionPolicy": {"totalPartitions": 1, "partitionSize": 1}, "template": {"metadata": {"labels": {"a": "b"}}, "spec": pod},
    }
    spec = {
        "queue": "default", "minAvailable": 1, "maxRetry": 3, "plugins": {"svc": [], "ssh": ["--a"]}, "tasks": [task],
        "volumes": [{"mountPath": "/v", "volumeClaimName": "c"}], "networkTopology": {"mode": "hard", "highestTierAllowed": 1},
        "policies": [{"exitCode": 1, "action": "AbortJob"}], "priorityClassName": "high", "ttlSecondsAfterFinished": 1,
    }
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "spec": spec,
        "metadata": {"name": "demo", "namespace": "n", "labels": {"a": "b"}, "annotations": {"a": "b"}},
    }


def mutate(whole: dict[str, Any], dice: random.Random) -> None:
    """Change one thing somewhere below: another value, a key less, a key more, an item twice."""
    node: Any = whole
    while True:
        key = dice.choice(sorted(node) if isinstance(node, dict) else range(len(node)))
        if node is whole and key in ("apiVersion", "kind"):
            continue
        below = node[key]
        if isinstance(below, (dict, list)) and below and dice.random() < 0.9:
            node = below
            continue
        break
    choice = dice.random()
    if choice < 0.6:
        node[key] = dice.choice(VALUES)
    elif choice < 0.8 and isinstance(node, dict):
        node[dice.choice(["name", "x", "type", "value"])] = dice.choice(VALUES[1:])  # null there is unknown all the same
    elif isinstance(node, list):
        node.append(node[0])
    else:
        del node[key]


def without_nulls(value: Any) -> Any:
    """What the API server leaves: entries of null count as absent, items do not."""
    if isinstance(value, dict):
        return {key: without_nulls(below) for key, below in value.items() if below is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def mutants(count: int) -> Iterator[dict[str, Any]]:
    for seed in range(count):
        dice = random.Random(seed)
        whole = full_job()
        for _ in range(dice.choice([1, 1, 2])):
            mutate(whole, dice)
        yield whole


def test_the_walker_and_jsonschema_agree() -> None:
    """In JSON every scalar is what it looks like, so both judge the same data."""
    refused = 0
    for whole in mutants(400):
        errors = [each for each in diagnostics(json.dumps(whole), "job.json") if each.level == "error"]
        reference = job_schema_errors(without_nulls(whole))
        assert bool(errors) == bool(reference), (whole, errors, reference)
        refused += bool(reference)
    assert 150 < refused < 400


#: Scalars and more in the spelling of YAML: right ones, and what a first look could take for right.
SPELLINGS = st.sampled_from([*map(json.dumps, VALUES), "a", "no", "'1'", "010", "0400", "08", "12:30:00", "2026-08-01", "1.5", "=", ".5_", ".inf",
                             "1_000", "!!str 5", '!!int "5"', "500m", "hard", "&x [a]", "[&x {name: a}, *x]", "{<<: {a: b}}"])
WORDS = st.text("0123456789+-.=<_:eExnoyaA", min_size=1, max_size=6)


@settings(max_examples=200)
@given(st.data())
def test_a_first_look_finds_all_that_a_careful_one_does(data: st.DataObject) -> None:
    """Whether a scalar is right is seen at first sight, remembered, or looked into: what is said is the same."""
    text = data.draw(st.sampled_from([job(), job() + STATUS, json.dumps(full_job()), *OTHERS]))
    for _ in range(data.draw(st.integers(1, 3))):
        nodes = [node for document in read(Source("job.yaml", text), Report()).documents for node in tree.walk(document)]
        nodes += [entry.key for node in nodes if isinstance(node, tree.Mapping) for entry in node.entries.values()]
        if nodes:
            span = data.draw(st.sampled_from(nodes)).origin.span
            text = text[:span.start] + data.draw(SPELLINGS | WORDS) + ("\n" if span.text().endswith("\n") else "") + text[span.end:]
    found = diagnostics(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema.Form, "fits", lambda form, node: False)
        careful = diagnostics(text)
    assert found == careful


@pytest.mark.parametrize(("right", "wrong"), [("5", '"5"'), ('!!int "5"', '"5"'), ('"5"', '!!int "5"'), ('"0 3"', "0 3"), ("a", "0x1")])
def test_what_was_right_makes_nothing_else_right(right: str, wrong: str) -> None:
    """Neither in the same place, whatever it is, nor elsewhere."""
    places = ["spec: maxRetry", "spec: queue", "spec: ttlSecondsAfterFinished", "pod: hostname", "pod: restartPolicy", "container: workingDir"]
    lines = [place.split(": ") for place in places]

    def all_said(value: str) -> list[Any]:
        return [said(job(**{line: f"{key}: {value}"})) for line, key in lines]

    schema.schemas.cache_clear()
    wanted = all_said(wrong)
    schema.schemas.cache_clear()
    all_said(right)
    assert all_said(wrong) == wanted


def test_what_is_remembered_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "MOST_SEEN", 20)
    schema.schemas.cache_clear()

    def remembered() -> list[str]:
        return [text for form in schema.schemas("Job").forms.values() for *_, text in form.right]

    assert said(job(spec=f"schedulerName: {'a' * 63}", container=f"workingDir: {'9' * 200}a")) == []
    assert 0 < len(remembered()) < 20
    assert max(map(len, remembered())) < schema.LONGEST_SEEN
    for number in range(30):
        assert said(job(spec=f"queue: q{number}")) == []
    assert len(remembered()) == 20


def test_places_lie_inside_the_file() -> None:
    for whole in mutants(60):
        text = json.dumps(whole, indent=1)
        for each in diagnostics(text, "job.json"):
            assert 0 <= each.span.start <= each.span.end <= len(text)
            assert each.span.text().strip()


@pytest.mark.parametrize(("source", "said"), [
    ("path: a/b, key: K", []), ("path: a, key: K.x y", []), ("path: ../a, key: K", ["`path` must be a path without `..`, not `../a`"]),
    ("path: a/.., key: K", ["`path` must be a path without `..`, not `a/..`"]), ("path: a, key: ''", ["`key` must be printable ASCII without `=`, not `\"\"`"]),
])
def test_a_variable_from_a_file(source: str, said: list[str]) -> None:
    text = job(container=f"env: [{{name: A, valueFrom: {{fileKeyRef: {{volumeName: v, {source}}}}}}}]")
    assert [each.message for each in diagnostics(text)] == said


def test_in_json_on_one_line_an_error_hides_nothing_else() -> None:
    """Of two things wrong in one entry one is said, of two entries both, whether they share a line or not."""
    document = json.loads(json.dumps({
        "apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup", "metadata": {"name": "a", "annotations": {"k": "a, {b}"}},
        "spec": {"minMember": 1, "queue": "default", "networkTopology": {"mode": "Hard", "highestTierAllowed": 1}},
    }))
    document["spec"]["minMember"] = -1
    for indent in (None, 1):
        text = json.dumps(document, indent=indent)
        report = Report()
        left = shape.check(read(Source("job.json", text), report).documents, report)
        at = text.index("-1")
        report.add(codes.COUNT, Span(Source("job.json", text), at, at + 2), "a rule's word on minMember")
        shape.report_rest(left, report)
        assert [each.message for each in report.sorted()] == ["a rule's word on minMember", "`mode` must be `hard` or `soft`, not `\"Hard\"`"]
