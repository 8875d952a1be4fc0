"""What hetc builds, the schemas of Volcano and Kubernetes take: its own rules refuse whatever they would find."""
from __future__ import annotations

import json
from typing import Any

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
})
GROUP = st.builds(group, st.integers(1, 200), NAME, SHAPE)
GANG = st.sampled_from(["", "gang[fail=restart, retries=2] ", "gang[fail=tolerate, done=master, pack=3] ", "gang[min=1] ", "gang[min=all, pack=row] "])
REQUEST = st.builds(lambda gang, groups: gang + " + ".join(["1*master<cpu=1, mem=1Gi>", *groups]), GANG, st.lists(GROUP, max_size=3))

REFERENCE = st.fixed_dictionaries({"secret": OBJECT, "key": mostly(WORD, st.text(max_size=3))}) | st.fixed_dictionaries({"config_map": OBJECT, "key": WORD}) | (
    st.fixed_dictionaries({"field": mostly(st.sampled_from(["metadata.name", "status.podIP", "metadata.labels['a']"]), st.just("spec.nothing"))}))
ENV = st.dictionaries(mostly(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,6}", fullmatch=True), st.text(max_size=3)), TEXT | REFERENCE, max_size=4)
SOURCE = st.fixed_dictionaries({"claim": OBJECT}) | st.fixed_dictionaries({"empty_dir": st.just({}) | st.fixed_dictionaries({"size": AMOUNT})}) | (
    st.fixed_dictionaries({"secret": OBJECT}, optional={"mode": mostly(st.sampled_from(["0400", "0777"]), st.just("7777")), "items": st.dictionaries(mostly(WORD, TEXT), WORD, max_size=2)}))
MOUNT = st.builds(lambda a, b: {**a, **b}, st.fixed_dictionaries({"path": PATH}, optional={"sub_path": SUB_PATH, "read_only": st.booleans()}), SOURCE)
LABELS = st.dictionaries(KEY, VALUE, max_size=3)
TASK = {
    "image": mostly(st.sampled_from(["registry.example/a:1", "a", "a@sha256:" + "0" * 64]), st.sampled_from(["A/b:1", "a b"])), "env": ENV, "labels": LABELS,
    "annotations": st.dictionaries(KEY, TEXT, max_size=2), "node_selector": LABELS, "setup": st.lists(TEXT, max_size=2),
    "command": TEXT | st.lists(TEXT, min_size=1, max_size=3), "working_dir": PATH, "shell": mostly(st.just("/bin/bash"), st.sampled_from(["bash", ""])),
    "image_pull_policy": mostly(st.sampled_from(["Always", "Never"]), st.just("always")), "container_args": st.fixed_dictionaries({"shm_size": AMOUNT}),
    "env_from": st.lists(st.fixed_dictionaries({"secret": OBJECT}), max_size=2),
}
OVERLAY = st.fixed_dictionaries({"image": st.just("registry.example/a:1"), "command": st.just("python a.py")}, optional={
    **{key: value for key, value in TASK.items() if key not in ("image", "command")},
    "name": JOB_NAME, "namespace": LABEL, "queue": OBJECT, "priority_class": OBJECT, "service_account": OBJECT,
    "image_pull_secrets": st.lists(OBJECT, max_size=2), "ttl_seconds_after_finished": st.integers(0, 2**31 - 1),
    "mounts": st.dictionaries(mostly(NAME, st.text(max_size=3)), MOUNT, max_size=3), "tasks": st.fixed_dictionaries({}, optional={"master": st.fixed_dictionaries({}, optional=TASK)}),
    "plugins": st.fixed_dictionaries({}, optional={
        "ssh": st.fixed_dictionaries({}, optional={"port": mostly(st.integers(1, 65535), st.just(0)), "key_file_path": PATH}), "env": st.just({}),
        "svc": st.fixed_dictionaries({}, optional={"inject_hosts_env": st.booleans(), "disable_network_policy": st.booleans()}),
    }),
})


@settings(max_examples=120)
@given(REQUEST, OVERLAY)
@example("1*master<cpu=1, mem=1Gi>", {"image": "a:1", "command": "x", "image_pull_secrets": ["a", "a"]})
def test_what_is_built_passes_the_schemas(request_: str, overlay: dict[str, object]) -> None:
    unit = Compiler(Options(isolated=True)).job(Source("job.het", f"{request_}\n---\n{json.dumps(overlay)}\n"), ask_command=True)
    if unit.document is None or unit.report.failed:
        event("refused")
        return
    event("built")
    report = Report()
    verify([unit.document], report)
    assert [(each.code.code, each.message) for each in report.sorted()] == []
    emitted = Manifest((unit.document,), True)
    assert [list(rule.check(emitted, NO_SITE)) for rule in RULES_BY_HAND] == [[]] * len(RULES_BY_HAND)
    by_hand = Compiler(Options(isolated=True)).manifest(Source("job.yaml", dump([unit.document]))).report
    assert [(each.code.code, each.message) for each in by_hand.sorted() if each.level == "error"] == []


@needs_kubectl
@settings(max_examples=15)
@given(st.lists(st.tuples(REQUEST, OVERLAY), min_size=4, max_size=8))
def test_what_is_built_reads_as_it_was_meant(inputs: list[tuple[str, dict[str, object]]]) -> None:
    compiler = Compiler(Options(isolated=True))
    units = [compiler.job(Source("job.het", f"{request_}\n---\n{json.dumps(overlay)}\n"), ask_command=True) for request_, overlay in inputs]
    documents = [unit.document for unit in units if unit.document is not None and not unit.report.failed]
    if documents:
        assert kubectl_reads(dump(list(documents))) == [plain(document) for document in documents]
