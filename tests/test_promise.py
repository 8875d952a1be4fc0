"""What hetc builds, the schemas of Volcano and Kubernetes take: its own rules refuse whatever they would find."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from hetc.diagnostic import Report
from hetc.dump import dump
from hetc.manifest import Manifest
from hetc.pipeline import Compiler, Options
from hetc.rule import ManifestRule
from hetc.rules import BY_HAND, RULES
from hetc.source import Source
from hetc.tree import plain
from hetc.verify import verify
from tests.judges import kubectl_reads, needs_kubectl
from tests.rules.checks import NO_SITE

#: What no built manifest can break is not run on it.
RULES_BY_HAND = [rule for rule in RULES if isinstance(rule, ManifestRule) and rule.check.__module__.rpartition(".")[2] in BY_HAND]


def mostly(sound: st.SearchStrategy[Any], other: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """What hetc refuses is no matter here, so that unsound values are few."""
    return st.integers(0, 24).flatmap(lambda number: sound if number else other)


def few(options: dict[str, st.SearchStrategy[Any]], most: int = 4) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping with a few of the keys: with many of them nearly everything is refused."""
    keys = st.lists(st.sampled_from(sorted(options)), max_size=most, unique=True)
    return keys.flatmap(lambda chosen: st.fixed_dictionaries({key: options[key] for key in chosen}))


NAME = st.sampled_from(["a", "worker", "w-1", "a" * 20, "b" * 30, "c" * 40]) | st.from_regex(r"[a-z]([-a-z0-9]{0,12}[a-z0-9])?", fullmatch=True)
JOB_NAME = mostly(NAME, st.sampled_from(["d" * 48, "e" * 53, "f" * 54, "g" * 59, "1a", "a.b"]))
WORD = st.from_regex(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,10}[A-Za-z0-9])?", fullmatch=True)
KEY = mostly(WORD | st.builds("{}/{}".format, st.from_regex(r"[a-z]{1,5}\.[a-z]{2,3}", fullmatch=True), WORD), st.text(max_size=4))
VALUE = mostly(WORD | st.just(""), st.text(max_size=6))
OBJECT = mostly(NAME | st.builds("{}.{}".format, NAME, NAME), st.text(max_size=4))
LABEL = mostly(NAME, OBJECT)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
PATH = mostly(st.sampled_from(["/data", "/code/x", "/scratch", "/var/cache/x", "/home/user/.ssh"]),
              st.sampled_from(["/data/x", "/a/../b", "relative", "/", "/etc/volcano", "/dev/shm", "/var/run/x"]) | TEXT)
SUB_PATH = mostly(st.sampled_from(["a", "a/b", "a..b"]), PATH)
AMOUNT = mostly(st.sampled_from(["64Gi", "1Ki", "1.5Gi", "1000000k", "1E", "128M"]), st.sampled_from(["64GB", "0Gi", "8Ei"]))


def group(count: int, name: str, shape: dict[str, object]) -> str:
    items = ", ".join(f"{key}={value}" for key, value in shape.items() if value is not None)
    return f"{count}*{name}<{items}>"


SHAPE = st.fixed_dictionaries({"cpu": mostly(st.sampled_from(["1", "0.5", "250m", "96"]), st.just("0.0001"))}, optional={
    "mem": AMOUNT, "gpu": st.sampled_from(["8", "8:A100", "1:H100-80GB-HBM3", "2:MI300X", "4:unheard-of"]), "rdma": st.integers(0, 4),
    "ppn": mostly(st.integers(1, 16), st.just(0)), "min": mostly(st.just(1), st.just(3)), "pack": st.sampled_from(["1", "rack:soft", "2:hard"]),
    "disk": AMOUNT,
})
#: Accelerators beyond whole GPUs; of one group's keys only these.
DEVICE = mostly(
    st.sampled_from([{}, {"mig": "1g.5gb"}, {"mig": "1g.10gb.me:7"}, {"mig": "1g.24gb-me"}, {"vgpu": 1}, {"vgpu": "2:hami-core", "vgpu-mem": "16Gi", "vgpu-cores": 50},
                     {"vgpu": "1:mig", "vgpu-mem": "1Ti", "vgpu-cores": 100}, {"npu": 8}, {"npu": 0}]),
    st.sampled_from([{"mig": "3g"}, {"vgpu": 0}, {"vgpu-mem": "1Gi"}, {"vgpu": 1, "vgpu-mem": "2Ti"}, {"mig": "1g.5gb", "vgpu": 1}]))
SHAPE = st.builds(lambda shape, device: {**({key: value for key, value in shape.items() if key != "gpu"} if device else shape), **device}, SHAPE, DEVICE)
GROUPS = st.lists(st.tuples(st.integers(1, 200), NAME, SHAPE), max_size=3, unique_by=lambda each: each[1]).map(lambda groups: [group(*each) for each in groups])
GANG = st.sampled_from(["", "gang[fail=restart, retries=2] ", "gang[fail=tolerate, done=master, pack=3] ", "gang[min=1] ", "gang[min=all, pack=row] ", "gang[start=1s] ",
                        "gang[fail=tolerate, min=1, start=2147483647s] "])
#: Most requests have the tasks that overlays name.
REQUEST = st.builds(lambda gang, worker, groups: gang + " + ".join(["1*master<cpu=1, mem=1Gi>", *worker, *groups]), GANG,
                    st.sampled_from([["2*ps<cpu=1, mem=1Gi>"], ["2*ps<cpu=1, mem=1Gi>"], []]), GROUPS)

REFERENCE = st.fixed_dictionaries({"secret": OBJECT, "key": mostly(WORD, st.text(max_size=3))}) | st.fixed_dictionaries({"config_map": OBJECT, "key": WORD}) | (
    st.fixed_dictionaries({"field": mostly(st.sampled_from(["metadata.name", "status.podIP", "metadata.labels['a']"]), st.just("spec.nothing"))}))
ENV = st.dictionaries(mostly(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,6}", fullmatch=True), st.text(max_size=3)), TEXT | REFERENCE, max_size=4)
SOURCE = st.fixed_dictionaries({"claim": OBJECT}) | st.fixed_dictionaries({"empty_dir": st.just({}) | st.fixed_dictionaries({"size": AMOUNT})}) | (
    st.fixed_dictionaries({"secret": OBJECT}, optional={"mode": mostly(st.sampled_from(["0400", "0777"]), st.just("7777")), "items": st.dictionaries(mostly(WORD, TEXT), WORD, max_size=2)}))
MOUNT = st.builds(lambda a, b: {**a, **b}, st.fixed_dictionaries({"path": PATH}, optional={"sub_path": SUB_PATH, "read_only": st.booleans()}), SOURCE)
LABELS = st.dictionaries(KEY, VALUE, max_size=3)
LENGTH = mostly(st.sampled_from(["1s", "90m", "1.5h", "2147483647s"]), st.sampled_from(["0s", "1ms", "1d"]))
EVENT = st.sampled_from(["any", "pod-evicted", "pod-failed", "pod-pending", "task-completed", "unknown"])
ACTION = st.sampled_from(["abort-job", "complete-job", "restart-job", "restart-partition", "restart-pod", "restart-task", "resume-job", "terminate-job"])
TRIGGER = st.fixed_dictionaries({"event": EVENT}) | st.fixed_dictionaries({"events": st.lists(EVENT, max_size=2, unique=True)}) | (
    st.fixed_dictionaries({"exit_code": st.sampled_from([1, 137, 255])}))
POLICIES = st.lists(st.builds(lambda a, b: {**a, **b}, TRIGGER, st.fixed_dictionaries({"action": ACTION}, optional={"timeout": LENGTH})), max_size=2)
CONDITION = mostly(
    st.builds(lambda key, rest: {"key": key, **rest}, KEY, st.sampled_from([
        {"operator": "In", "values": ["a", ""]}, {"operator": "NotIn", "values": ["b"]}, {"operator": "Exists"}, {"operator": "DoesNotExist", "values": []},
        {"operator": "Gt", "values": ["9223372036854775807"]}, {"operator": "Lt", "values": ["0"]}])),
    st.sampled_from([{"key": "a"}, {"operator": "Exists"}, {"key": "a", "operator": "In"}, {"key": "a", "operator": "Gt", "values": ["-1"]}, {"key": "a", "operator": "Gt", "values": ["1", "2"]}]))
AFFINITY = st.fixed_dictionaries({}, optional={
    "required": st.lists(CONDITION, max_size=2),
    "preferred": st.lists(st.builds(lambda weight, condition: {**weight, **condition}, st.sampled_from([{}, {"weight": 1}, {"weight": 100}]), CONDITION), max_size=2)})
TOLERATION = mostly(
    st.sampled_from([{"operator": "Exists"}, {"key": "a", "operator": "Equal", "value": "v", "effect": "NoSchedule"}, {"key": "nvidia.com/gpu", "operator": "Exists"},
                     {"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 0}, {"key": "a", "operator": "", "effect": ""}]),
    st.sampled_from([{}, {"key": "a b", "operator": "Exists"}, {"key": "a", "operator": "Exists", "value": "v"}, {"key": "a", "effect": "NoSchedule", "tolerationSeconds": 1}]))
SOMEBODY = mostly(st.sampled_from([1, 1000, 2**31 - 1]), st.just(0))
SCHEDULING = {
    "topology_policy": st.sampled_from(["none", "best-effort", "single-numa-node"]), "task_priority": st.sampled_from([0, 2**31 - 1]),
    "resource_strategy": st.fixed_dictionaries({}, optional={"type": st.just("MostAllocated"), "weights": st.dictionaries(KEY, st.integers(0, 9), max_size=2)}),
    "qos_level": st.sampled_from(["LC", "BE"]), "quota_burst": st.booleans(), "quota_burst_time": st.just(1), "queue_allocation_gate": st.booleans(),
    "vgpu": st.fixed_dictionaries({}, optional={"spread": st.booleans(), **dict.fromkeys(("use_types", "avoid_types", "use_uuids", "avoid_uuids"), st.lists(TEXT, max_size=2))}),
}
GROUPS_OF_TASKS = st.lists(st.lists(st.sampled_from(["master", "ps", "nobody"]), max_size=2), max_size=2)
JOB_SCHEDULING = {
    "preemptable": st.booleans(), "cooldown_time": LENGTH, "revocable_zone": st.booleans(), "sla_waiting_time": LENGTH,
    "jdb_min_available": st.sampled_from(["1", "99%", "100%", "x"]), "jdb_max_unavailable": st.just("1"),
    "task_topology": st.fixed_dictionaries({}, optional={"affinity": GROUPS_OF_TASKS, "anti_affinity": GROUPS_OF_TASKS, "order": st.just(["ps", "master"])}),
}
MOUNTS = st.dictionaries(mostly(NAME, st.text(max_size=3)), MOUNT, max_size=3)
#: What a profile may say beside what a task may.
SHARED = {
    "time_limit": LENGTH, "resource_claims": st.dictionaries(mostly(NAME, st.text(max_size=3)), OBJECT, max_size=2), "affinity": AFFINITY,
    "tolerations": st.lists(TOLERATION, max_size=2), "run_as": st.fixed_dictionaries({}, optional=dict.fromkeys(("user", "group", "fs_group"), SOMEBODY)),
}
TASK = {
    "image": mostly(st.sampled_from(["registry.example/a:1", "a", "a@sha256:" + "0" * 64]), st.sampled_from(["A/b:1", "a b"])), "env": ENV, "labels": LABELS,
    "annotations": st.dictionaries(KEY, TEXT, max_size=2), "node_selector": LABELS, "setup": st.lists(TEXT, max_size=2),
    "command": TEXT | st.lists(TEXT, min_size=1, max_size=3), "working_dir": PATH, "shell": mostly(st.just("/bin/bash"), st.sampled_from(["bash", ""])),
    "image_pull_policy": mostly(st.sampled_from(["Always", "Never"]), st.just("always")), "container_args": st.fixed_dictionaries({"shm_size": AMOUNT}),
    "env_from": st.lists(st.fixed_dictionaries({"secret": OBJECT}), max_size=2), **SHARED,
}
PROFILE = {**TASK, "mounts": MOUNTS, "scheduling": st.fixed_dictionaries({}, optional=SCHEDULING)}
OF_TASK = {**PROFILE, "policies": POLICIES, "profiles": st.lists(mostly(st.sampled_from(["big", "small"]), st.just("none")), max_size=2, unique=True)}
PS = {**OF_TASK, "depends_on": st.sampled_from([["master"], ["master"], [], ["ps"], ["nobody"]]), "depends_on_any": st.booleans()}
ROLE = mostly(st.sampled_from(["master", "ps"]), st.just("nobody"))
PORT = mostly(st.integers(1, 65535), st.just(0))
#: At most one of the frameworks; ray's tasks have no command.
FRAMEWORK = st.sampled_from([{}, {}, {}, {"pytorch": {}}, {"mpi": {}}, {"tensorflow": {}}, {"ray": {}}, {"hcclrank": {}}]) | st.fixed_dictionaries({}, optional={
    "pytorch": st.fixed_dictionaries({}, optional={"master": ROLE, "worker": ROLE, "port": PORT, "wait_master_enabled": st.booleans(), "wait_master_timeout": st.just(0), "wait_master_image": st.sampled_from(["a", ""])}),
    "mpi": st.fixed_dictionaries({}, optional={"master": ROLE, "worker": ROLE, "port": PORT}),
    "tensorflow": st.fixed_dictionaries({}, optional={"ps": ROLE, "worker": ROLE, "chief": ROLE, "port": PORT}),
})
STATUS = st.fixed_dictionaries({}, optional={
    "status_json": st.booleans(), "mount_point": PATH, "values": st.lists(st.sampled_from(["running", "pending"]), max_size=2), "add_env": st.booleans(),
    "prefix": mostly(st.just("S_"), st.sampled_from(["", "AJ_", "1"])), "containers": st.sampled_from(["*", "main"])})
SCHEDULE = mostly(
    st.fixed_dictionaries({"cron": st.sampled_from(["0 3 * * *", "@daily", "@every 1s"])}, optional={
        "time_zone": st.sampled_from(["UTC", "Europe/Berlin"]), "concurrency_policy": st.sampled_from(["allow", "forbid", "replace"]), "suspend": st.booleans(),
        "starting_deadline_seconds": st.sampled_from([0, 2**31 - 1]), "successful_jobs_history_limit": st.integers(0, 3), "failed_jobs_history_limit": st.just(0)}),
    st.sampled_from([{}, {"cron": "60 * * * *"}, {"cron": "@daily", "time_zone": "Mars/X"}]))
OVERLAY = st.builds(lambda a, b: {**a, **b}, st.just({"image": "registry.example/a:1", "command": "python a.py"}), few({
    **{key: value for key, value in TASK.items() if key not in ("image", "command")},
    "name": JOB_NAME, "namespace": LABEL, "queue": OBJECT, "priority_class": OBJECT, "service_account": OBJECT,
    "image_pull_secrets": st.lists(OBJECT, max_size=2), "ttl_seconds_after_finished": st.integers(0, 2**31 - 1),
    "mounts": MOUNTS, "tasks": st.fixed_dictionaries({}, optional={"master": few(OF_TASK), "ps": few(PS)}),
    "policies": POLICIES, "min_success": mostly(st.just(1), st.sampled_from([0, 2**31 - 1])), "schedule": SCHEDULE,
    "profiles": st.fixed_dictionaries({"big": few(PROFILE), "small": few(PROFILE)}),
    "scheduling": few({**JOB_SCHEDULING, **SCHEDULING}),
    "plugins": FRAMEWORK.flatmap(lambda framework: st.fixed_dictionaries({name: st.just(settings) for name, settings in framework.items()}, optional={
        "status-mounter": STATUS, "ssh": st.fixed_dictionaries({}, optional={"port": mostly(st.integers(1, 65535), st.just(0)), "key_file_path": PATH}), "env": st.just({}),
        "svc": st.fixed_dictionaries({}, optional={"inject_hosts_env": st.booleans(), "disable_network_policy": st.booleans()}),
    })),
}, 7))
KIND = st.sampled_from([None, None, None, "job", "cronjob", "jobtemplate"])
#: A site that allows what overlays may ask for.
SITE = """\
[policy]
tolerations = ["*"]
affinity = ["*"]
[volcano]
distribution = "cce"
[resources]
npu = "huawei.com/Ascend910"
[gpu]
tolerations = [{key = "nvidia.com/gpu", operator = "Exists"}]
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("site") / "hetc.toml"
    path.write_text(SITE, "utf-8")
    return path


@settings(max_examples=120)
@given(REQUEST, OVERLAY, KIND)
@example("1*master<cpu=1, mem=1Gi>", {"image": "a:1", "command": "x", "image_pull_secrets": ["a", "a"]}, None)
@example("1*master<cpu=1, mem=1Gi>", {"image": "a:1", "command": "x", "affinity": {"required": [{"key": "", "operator": "Exists"}]}}, None)
@example("1*master<cpu=1, mem=1Gi>", {"image": "a:1", "command": "x", "policies": [{"event": "unknown", "action": "restart-partition"}]}, None)
def test_what_is_built_passes_the_schemas(site: Path, request_: str, overlay: dict[str, object], kind: str | None) -> None:
    compiler = Compiler(Options(config=str(site), kind=kind))
    unit = compiler.job(Source("job.het", f"{request_}\n---\n{json.dumps(overlay)}\n"), ask_command=True)
    if unit.document is None or unit.report.failed:
        event("refused")
        return
    event("built")
    report = Report()
    verify([unit.document], report)
    assert [(each.code.code, each.message) for each in report.sorted()] == []
    emitted = Manifest((unit.document,), True)
    assert [list(rule.check(emitted, NO_SITE)) for rule in RULES_BY_HAND] == [[]] * len(RULES_BY_HAND)
    by_hand = Compiler(Options(config=str(site))).manifest(Source("job.yaml", dump([unit.document]))).report
    assert [(each.code.code, each.message) for each in by_hand.sorted() if each.level == "error"] == []


@needs_kubectl
@settings(max_examples=15)
@given(st.lists(st.tuples(REQUEST, OVERLAY), min_size=4, max_size=8))
def test_what_is_built_reads_as_it_was_meant(site: Path, inputs: list[tuple[str, dict[str, object]]]) -> None:
    compiler = Compiler(Options(config=str(site)))
    units = [compiler.job(Source("job.het", f"{request_}\n---\n{json.dumps(overlay)}\n"), ask_command=True) for request_, overlay in inputs]
    documents = [unit.document for unit in units if unit.document is not None and not unit.report.failed]
    if documents:
        assert kubectl_reads(dump(list(documents))) == [plain(document) for document in documents]
