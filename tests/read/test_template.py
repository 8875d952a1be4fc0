"""Training templates: which file is one, what is wrong with one, what a right one means."""
from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hetc import commands, options
from hetc.diagnostic import ERROR, Diagnostic, Report
from hetc.discover import around
from hetc.fields import Anything, Cores, Devices, Field, ListOf, MapOf, Paths, Shape
from hetc.ir import Gang, Group
from hetc.merge import Merger
from hetc.origin import Located, Origin
from hetc.pipeline import COMMAND_LINE, Compiler, Options
from hetc.quantity import cpu, memory
from hetc.read import template
from hetc.read.template import Converted, Flags
from hetc.read.yaml import read
from hetc.source import Source, Span
from hetc.tree import Mapping, plain

# Line 3 is `target`'s first key, 7 `jobs`, 11 `tasks`, 12 `master`, 19 `worker`.
TWO = """\
config:
  target:
    service: volcano
    queue: default
  environment:
    image: registry.example/base:1.0
  jobs:
    - {name: train, sku: heterogeneous}
  _extra:
    volcano:
      tasks:
        master:
          replicas: 1
          cpus_per_node: 8
          memory: 32Gi
          gpus_per_node: 0
          rdma: false
          processes_per_node: 1
        worker:
          replicas: 2
          cpus_per_node: 16
          memory: 64Gi
          gpus_per_node: 8
          rdma: true
          processes_per_node: 8
"""

ALIKE = """\
config:
  target:
    service: volcano
    cpus_per_node: 96
    memory: 512Gi
    gpus_per_node: 8
    rdma: true
    processes_per_node: 8
  environment: {image: "registry.example/base:1.0"}
  jobs:
    - {name: train, sku: "{nodes}x8G{processes}"}
"""


def flag(value: int) -> Located[int]:
    return Located(value, Origin(Span(Source(COMMAND_LINE, "t.yaml -n 4"), 7, 11)))


def merged(texts: tuple[str, ...], report: Report) -> Mapping | None:
    """Checked templates, the later ones over the earlier."""
    trees = []
    for text in texts:
        source = Source("t.yaml", text)
        tree = template.document(read(source, report) or [], source, report)
        if tree is not None:
            template.check(tree, report)
            trees.append(tree)
    return Merger(template.FIELDS, report).layers(trees)


def converted(*texts: str, flags: Flags = Flags()) -> Converted:  # noqa: B008
    report = Report()
    tree = merged(texts, report)
    assert tree is not None
    result = template.convert(tree, flags, report)
    assert [found.message for found in report.diagnostics if found.level == ERROR] == []
    assert result is not None
    return result


def found(*texts: str, flags: Flags = Flags()) -> list[Diagnostic]:  # noqa: B008
    """What the readers say of a template."""
    report = Report()
    tree = merged(texts, report)
    if tree is not None:
        result = template.convert(tree, flags, report)
        assert (result is None) == report.failed
    return report.sorted()


def edited(old: str, new: str, text: str = TWO) -> str:
    """The template with the last `old` replaced: that of `worker`, if tasks have it."""
    assert old in text
    return new.join(text.rsplit(old, 1))


def fits(diagnostic: Diagnostic, line: int, words: str) -> bool:
    text = f"{diagnostic.message} {diagnostic.help} {' '.join(label.message for label in diagnostic.related)}".lower()
    lines = [diagnostic.span.start_position()[0], *(label.span.start_position()[0] for label in diagnostic.related)]
    return line in lines and all(word in text for word in words.lower().split("; "))


def shape(group: Group) -> tuple[object, ...]:
    """Name, replicas, cpu, memory, GPUs, RDMA devices, processes."""
    fields = (group.name, group.replicas, group.cpu, group.memory, group.gpus, group.rdma, group.processes)
    return tuple(None if each is None else each.value for each in fields)


# Which file is one.


@pytest.mark.parametrize(("text", "answer"), [
    (TWO, True),
    ("config: {}\n", True),
    ("config:\n", True),
    ("---\n# nothing\n---\nconfig: {}\n", True),
    ('{"config": {}}', True),
    ('{\n  "base": null,\n  "config": {}}', True),
    ("  config: {}\n", True),
    ("? config\n: {}\n", True),
    ("a: &a {config: 1}\n<<: *a\n", True),
    ("_extra: {volcano: {tasks: {}}}\n", True),
    ("_extra: {aml: {}}\n", False),
    ("base: x.yaml\n", False),
    ("apiVersion: v1\nkind: ConfigMap\nconfig: {}\n", False),
    ("kind: ConfigMap\nconfig: {}\n'apiVersion': v1\n", False),
    ("spec:\n  config: {}\n", False),
    ("spec: {config: {}}\n", False),
    ("configs: {}\n", False),
    ("- config: {}\n", False),
    ("image: x\n---\nconfig: {}\n", False),
    ("config", False),
    ("", False),
    # No YAML: the lines decide.
    ("config:\n  a: [\n", True),
    ("base: 'x\nconfig:\n  target: {}\n", True),
    ("_extra:\n\tvolcano: {}\n", True),
    ('{\n  "base": null,\n  "config": {', True),
    ('{\n  "spec": {', False),
    ("spec:\n  config: [\n", False),
    ("apiVersion: v1\nconfig: [\n", False),
])
def test_what_is_a_template(text: str, answer: bool) -> None:
    assert template.is_template(Source("t.yaml", text)) is answer


@pytest.mark.parametrize(("text", "line", "words"), [
    ("", 1, "empty"),
    ("---\n---\n", 1, "empty"),
    ("- a\n", 1, "a mapping, not a list"),
    ("config: {}\n---\nconfig: {}\n", 3, "second document"),
    ("apiVersion: v1\nkind: Job\n", 1, "Kubernetes manifest; hetc lint"),
    ("image: x\n", 1, "no template; config; .het.yaml"),
])
def test_what_is_no_template_says_so(text: str, line: int, words: str) -> None:
    diagnostics = found(text)
    assert len(diagnostics) == 1 and fits(diagnostics[0], line, words), diagnostics


# What a right one means.


def test_tasks_become_groups_at_the_places_of_their_values() -> None:
    request = converted(TWO).request
    assert [shape(group) for group in request.groups] == [
        ("master", 1, cpu("8"), memory("32Gi"), 0, 0, 1),
        ("worker", 2, cpu("16"), memory("64Gi"), 8, 1, 8),
    ]
    worker = request.groups[1]
    assert worker.memory is not None and worker.memory.span.start_position() == (22, 19)
    assert worker.origin.span.start_position() == (19, 9)
    assert request.origin.span.start_position() == (11, 7)
    assert request.gang == Gang()


def test_the_rest_becomes_overlay_keys() -> None:
    text = edited("queue: default", "queue: research\n    priority: high\n    namespace: training\n    labels: {team: vision}")
    text = edited("  jobs:", "  storage: {data: {claim: datasets, mount_dir: /data}}\n  jobs:", text)
    text = edited("sku: heterogeneous}", "command: [a], submit_args: {env: {A: b}, container_args: {shm_size: 1Gi}}}", text)
    text += """\
          node_selector: {zone: a}
          environment: {image: "w:1", setup: []}
          command: [c]
          env: {A: null}
          container_args: {shm_size: 2Gi}
"""
    layer = converted(text).layer
    assert plain(layer) == {
        "name": "train", "command": ["a"], "queue": "research", "priority_class": "high", "namespace": "training",
        "labels": {"team": "vision"}, "image": "registry.example/base:1.0", "env": {"A": "b"}, "container_args": {"shm_size": "1Gi"},
        "mounts": {"data": {"claim": "datasets", "path": "/data"}},
        "tasks": {
            "master": {},
            "worker": {"node_selector": {"zone": "a"}, "image": "w:1", "setup": [], "command": ["c"], "env": {"A": None},
                       "container_args": {"shm_size": "2Gi"}},
        },
    }
    assert layer.key_span("priority_class").start_position() == (5, 5)


def test_context_and_sku_are_kept_out_of_the_layer() -> None:
    result = converted(edited("queue: default", "context: gpu-cluster"))
    assert (result.context, result.sku) == (Located("gpu-cluster", result.layer.origin), Located("heterogeneous", result.layer.origin))
    assert not {"context", "sku"} & set(result.layer.entries)


def test_extra_may_stand_beside_config() -> None:
    inside, beside = TWO.split("  _extra:\n")
    moved = inside + "_extra:\n" + beside
    assert plain(converted(moved).layer) == plain(converted(TWO).layer)


def test_values_that_look_odd_and_are_right() -> None:
    text = edited("rdma: true", "rdma: 4", edited("cpus_per_node: 16", "cpus_per_node: 500m", edited("replicas: 2", "replicas: 2.0")))
    assert shape(converted(text).request.groups[1]) == ("worker", 2, cpu("500m"), memory("64Gi"), 8, 4, 8)


def test_a_decimal_memory_unit_is_a_warning() -> None:
    diagnostics = found(edited("64Gi", "64G"))
    assert [(each.level, each.code.code) for each in diagnostics] == [("warning", "HET202")]
    assert fits(diagnostics[0], 22, "memory; worker; 6.9 %; 64Gi")


# What is wrong with one.

IN_WORKER = "          processes_per_node: 8\n"


@pytest.mark.parametrize(("old", "new", "line", "words"), [
    # names and shape
    ("worker:", "gpu_worker:", 19, "gpu_worker; dns; gpu-worker"),
    ("worker:", "7b:", 19, "7b; dns"),
    ("worker:", "w.1:", 19, "w.1; dns"),
    ("replicas: 2", "replicas: 0", 20, "replicas; worker; at least 1"),
    ("replicas: 2", "replicas: -1", 20, "replicas; worker"),
    ("replicas: 2", "replicas: true", 20, "replicas; integer"),
    ("replicas: 2", 'replicas: "2"', 20, "replicas; integer; without quotes"),
    ("replicas: 2", "replicas: 1.5", 20, "replicas; integer"),
    ("replicas: 2", "replicas: 1_000", 20, "replicas; integer; 1000"),
    ("replicas: 2", "replicas: 02", 20, "replicas; 02"),
    ("replicas: 2", "replicas: 2147483647", 20, "replicas; 2147483647"),
    ("replicas: 2", "replicas: 3000000000", 20, "replicas; 2147483647"),
    ("replicas: 2", "replicas: [2]", 20, "replicas; integer"),
    # resources
    ("cpus_per_node: 16", "cpus_per_node: 0", 21, "cpus_per_node; worker; no cpu"),
    ("cpus_per_node: 16", "cpus_per_node: 010", 21, "010; leading zero"),
    ("cpus_per_node: 16", "cpus_per_node: -4", 21, "cpus_per_node; negative"),
    ("cpus_per_node: 16", "cpus_per_node: 0.0001", 21, "cpus_per_node; 1m"),
    ("cpus_per_node: 16", "cpus_per_node: yes", 21, "cpus_per_node; amount of cpu"),
    ("cpus_per_node: 16", "cpus_per_node: {a: b}", 21, "cpus_per_node; amount of cpu"),
    ("memory: 64Gi", "memory: 64", 22, "memory; 64Gi"),
    ("memory: 64Gi", "memory: 64GB", 22, "memory; 64Gi"),
    ("memory: 64Gi", "memory: 64g", 22, "memory; 64Gi"),
    ("memory: 64Gi", "memory: 64m", 22, "memory; 64Mi"),
    ("memory: 64Gi", "memory: 64e9", 22, "memory; 64G"),
    ("memory: 64Gi", "memory: true", 22, "memory; 64Gi"),
    ("gpus_per_node: 8", "gpus_per_node: -1", 23, "gpus_per_node; at least 0"),
    ("gpus_per_node: 8", "gpus_per_node: 0.5", 23, "gpus_per_node; integer"),
    ("gpus_per_node: 8", "gpus_per_node: 8:A100", 23, "gpus_per_node; write `8`; node_selector; A100"),
    ("rdma: true", "rdma: -1", 24, "rdma; at least 0"),
    ("rdma: true", "rdma: yes", 24, "rdma; write `true`"),
    ("rdma: true", 'rdma: "true"', 24, "rdma; number of devices"),
    ("rdma: true", "rdma: null", 24, "rdma; worker"),
    ("processes_per_node: 8", "processes_per_node: 0", 25, "processes_per_node; at least 1"),
    # what is missing: at the task
    ("          replicas: 2\n", "", 19, "replicas; worker"),
    ("          cpus_per_node: 16\n", "", 19, "cpus_per_node; worker"),
    ("          memory: 64Gi\n", "", 19, "memory; worker; 512Gi"),
    ("          gpus_per_node: 8\n", "", 19, "gpus_per_node; worker; write `gpus_per_node: 8`, for example"),
    ("          rdma: true\n", "", 19, "rdma; worker; write `rdma: true`, for example"),
    (IN_WORKER, "", 19, "processes_per_node; worker; write `processes_per_node: 8`, for example"),
    ("          gpus_per_node: 0\n", "", 12, "gpus_per_node; master; write `gpus_per_node: 0`, for example"),
    ("          rdma: false\n", "", 12, "rdma; master; write `rdma: false`, for example"),
    ("          processes_per_node: 1\n", "", 12, "processes_per_node; master; write `processes_per_node: 1`, for example"),
    ("config:\n", "config:\n  base: base.yaml\n", 2, "unknown key `base` in `config`; `base` stands at the top of the file, beside `config`"),
    ("config:\n", "config:\n  extends: base.yaml\n", 2, "unknown key `extends`; `base` stands at the top of the file, beside `config`"),
    (IN_WORKER, IN_WORKER + "          restartPolicy: Never\n", 26, "restartPolicy; leave it out: hetc sets it"),
    ("    service: volcano\n", "", 2, "service; volcano"),
    ("    - {name: train, sku: heterogeneous}", "    []", 7, "jobs; names no job"),
    # keys that a task does not have
    (IN_WORKER, IN_WORKER + "          storage: {x: {claim: c, mount_dir: /x}}\n", 26, "storage; not supported in a task; config.storage"),
    (IN_WORKER, IN_WORKER + "          code: {local_dir: .}\n", 26, "code; not supported in a task"),
    (IN_WORKER, IN_WORKER + "          affinity: {}\n", 26, "affinity; not supported in a task"),
    (IN_WORKER, IN_WORKER + "          tolerations: []\n", 26, "tolerations; not supported in a task"),
    (IN_WORKER, IN_WORKER + "          image: x\n", 26, "image; environment.image"),
    (IN_WORKER, IN_WORKER + "          nodeSelector: {a: b}\n", 26, "did you mean `node_selector`"),
    (IN_WORKER, IN_WORKER + "          shm_size: 1Gi\n", 26, "did you mean `container_args.shm_size`"),
    (IN_WORKER, IN_WORKER + "          min: 1\n", 26, "unknown key `min` in task `worker`; known keys"),
    ("cpus_per_node: 16", "cpus: 16", 21, "did you mean `cpus_per_node`"),
    # values of a task
    (IN_WORKER, IN_WORKER + "          node_selector: {rack: 7}\n", 26, 'rack; quote; "7"'),
    (IN_WORKER, IN_WORKER + "          env: {A: no}\n", 26, '`A`; quote; "no"'),
    (IN_WORKER, IN_WORKER + "          env: [A]\n", 26, "env; mapping"),
    (IN_WORKER, IN_WORKER + "          command: {a: b}\n", 26, "command; worker; shell lines"),
    (IN_WORKER, IN_WORKER + "          environment: x:1\n", 26, "environment; worker; mapping"),
    (IN_WORKER, IN_WORKER + "          container_args: {shm_size: 16g}\n", 26, "shm_size; 16Gi"),
    (IN_WORKER, IN_WORKER + "          container_args: {ulimit: 1}\n", 26, "ulimit; container_args"),
    # raw pod fields, anywhere and in any spelling
    (IN_WORKER, IN_WORKER + "          container_args: {privileged: true}\n", 26, "privileged; not allowed"),
    (IN_WORKER, IN_WORKER + "          security_context: {runAsUser: 1000}\n", 26, "security_context; not allowed"),
    (IN_WORKER, IN_WORKER + "          environment: {hostPath: /x}\n", 26, "hostpath; not allowed; mount_dir"),
    ("  jobs:", "  storage: {x: {claim: c, mount_dir: /x, host_path: /x}}\n  jobs:", 7, "host_path; not allowed; mount_dir"),
    ("  jobs:", "  volumes: [{name: x}]\n  jobs:", 7, "volumes; not allowed; storage"),
    ("  jobs:", "  x: {y: [{capAdd: [ALL]}]}\n  jobs:", 7, "capadd; not allowed"),
    ("queue: default", "hostNetwork: true", 4, "hostnetwork; not allowed"),
    ("  jobs:", "  code: {securityContext: {}}\n  jobs:", 7, "securitycontext; not allowed"),
    # what competes with tasks
    ("queue: default", "cpus_per_node: 8", 4, "cpus_per_node; task"),
    ("queue: default", "memory: 64Gi", 4, "memory; task"),
    ("queue: default", "gpus_per_node: 0", 4, "gpus_per_node; task"),
    ("queue: default", "rdma: false", 4, "rdma; task"),
    ("queue: default", "processes_per_node: 8", 4, "processes_per_node; task"),
    ("queue: default", "gpus: 0", 4, "gpus; in each task"),
    ("sku: heterogeneous", "sku: '{nodes}x8G'", 8, "{nodes}; task"),
    ("sku: heterogeneous", "sku: 'x{processes}'", 8, "{processes}; task"),
    ("    - {name: train, sku: heterogeneous}\n", "    - {name: train}\n    - {name: eval}\n", 9, "jobs; 2 entries"),
    # the rest
    ("service: volcano", "service: aml", 3, "service; aml; volcano"),
    ("service: volcano", "service: Volcano", 3, "service; write `service: volcano`"),
    ("queue: default", "que: default", 4, "did you mean `queue`"),
    ("queue: default", "priorityClass: high", 4, "did you mean `priority`"),
    ("queue: default", "labels: {team: 1}", 4, 'team; quote; "1"'),
    ("queue: default", "queue: 7", 4, "queue; quote"),
    ("sku: heterogeneous", "env: {A: b}", 8, "did you mean `submit_args.env`"),
    ("  jobs:", "  storage: {x: {claim: c}}\n  jobs:", 7, "storage; x; mount_dir"),
    ("  jobs:", "  storage: {x: {mount_dir: /x}}\n  jobs:", 7, "storage; x; claim"),
    ("  jobs:", "  storage: {x: {pvc: c, mount_dir: /x}}\n  jobs:", 7, "did you mean `claim`"),
    ("  jobs:", "  storage: [x]\n  jobs:", 7, "storage; mapping"),
    ("    volcano:\n", "    volcan:\n", 10, "unknown key `volcan`; did you mean `volcano`"),
    ("config:\n", "tasks: {}\nconfig:\n", 1, "tasks; _extra.volcano.tasks"),
    ("config:\n", "target: {}\nconfig:\n", 1, "config.target"),
    ("config:\n", "base: 7\nconfig:\n", 1, "base; quote"),
    ("config:\n", "base: {a: b}\nconfig:\n", 1, "base; path"),
    ("config:\n", "base: [a, {}]\nconfig:\n", 1, "base; text"),
    ("  _extra:\n", "  _extra: {}\n_extra:\n", 10, "_extra; under `config` and beside it"),
])
def test_one_mistake_is_one_error_at_its_line(old: str, new: str, line: int, words: str) -> None:
    errors = [each for each in found(edited(old, new)) if each.level == ERROR]
    assert len(errors) == 1, [each.message for each in errors]
    assert fits(errors[0], line, words), errors[0]


@pytest.mark.parametrize(("tasks", "line", "words"), [
    ("\n        - {name: master, replicas: 1}", 12, "tasks; a list; mapping"),
    (" master", 11, "tasks; mapping"),
    (" {}", 11, "tasks; names no task"),
    ("", 11, "tasks; names no task"),
    (" {master: }", 11, "task `master` is null"),
    (" {master: 3}", 11, "task `master`; mapping"),
])
def test_tasks_that_are_no_tasks(tasks: str, line: int, words: str) -> None:
    text = TWO[:TWO.index("      tasks:")] + f"      tasks:{tasks}\n"
    assert any(fits(each, line, words) and each.level == ERROR for each in found(text)), found(text)


def test_a_null_task_is_an_error_that_names_it() -> None:
    diagnostics = found(TWO + "        h100-worker:\n")
    assert len(diagnostics) == 1 and fits(diagnostics[0], 26, "h100-worker; null")


@pytest.mark.parametrize(("flags", "shown"), [
    (Flags(nodes=flag(4)), "-n/--nodes"),
    (Flags(processes=flag(4)), "-p/--processes"),
    (Flags(ppn=flag(4)), "--ppn"),
    (Flags(amlt=Located(True, flag(1).origin)), "--amlt"),
])
def test_options_that_compete_with_tasks_are_refused_where_the_tasks_are(flags: Flags, shown: str) -> None:
    diagnostics = found(TWO, flags=flags)
    assert [each.code.code for each in diagnostics] == ["HET029"]
    assert diagnostics[0].span.start_position() == (11, 7)
    assert diagnostics[0].message.startswith(f"{shown} is given")
    assert [label.span.source.name for label in diagnostics[0].related] == [COMMAND_LINE]


def test_what_hides_in_an_unsupported_key_is_reported_too() -> None:
    text = TWO + "          storage: {x: {hostPath: /x}}\n"
    assert [(each.code.code, each.span.start_position()) for each in found(text)] == [("HET020", (26, 11)), ("HET402", (26, 25))]


def test_code_is_accepted_with_an_info() -> None:
    for text in (edited("config:\n", "code: {local_dir: .}\nconfig:\n"), edited("  jobs:", "  code: {local_dir: .}\n  jobs:")):
        assert [(each.level, each.code.code) for each in found(text)] == [("info", "HET030")]


# Without tasks.


@pytest.mark.parametrize(("flags", "counts", "ppn", "sku"), [
    (Flags(), [1], 8, "1x8G8"),
    (Flags(nodes=flag(1)), [1], 8, "1x8G8"),
    (Flags(nodes=flag(4)), [1, 3], 8, "4x8G32"),
    (Flags(processes=flag(32)), [1, 3], 8, "4x8G32"),
    (Flags(processes=flag(8)), [1], 8, "1x8G8"),
    (Flags(ppn=flag(4)), [1], 4, "1x8G4"),
    (Flags(processes=flag(8), ppn=flag(2)), [1, 3], 2, "4x8G8"),
    (Flags(nodes=flag(2), ppn=flag(1)), [1, 1], 1, "2x8G2"),
])
def test_options_say_how_many_alike_nodes_there_are(flags: Flags, counts: list[int], ppn: int, sku: str) -> None:
    result = converted(ALIKE, flags=flags)
    each = (cpu("96"), memory("512Gi"), 8, 1, ppn)
    assert [shape(group) for group in result.request.groups] == [(name, count, *each) for name, count in zip(["master", "worker"], counts)]
    assert result.sku is not None and result.sku.value == sku
    assert "tasks" not in result.layer.entries


@pytest.mark.parametrize(("flags", "words"), [
    (Flags(nodes=flag(0)), "-n/--nodes is 0; at least 1"),
    (Flags(processes=flag(0)), "-p/--processes is 0; at least 1"),
    (Flags(ppn=flag(0)), "--ppn is 0; at least 1"),
    (Flags(processes=flag(20)), "-p/--processes is 20; 8 processes; 16 or 24"),
    (Flags(processes=flag(4)), "-p/--processes is 4; such as 8"),
    (Flags(nodes=flag(2), processes=flag(16)), "-n/--nodes and -p/--processes"),
    (Flags(amlt=Located(True, flag(1).origin)), "--amlt"),
])
def test_options_that_make_no_sense(flags: Flags, words: str) -> None:
    diagnostics = found(ALIKE, flags=flags)
    assert len(diagnostics) == 1 and fits(diagnostics[0], 1, words), diagnostics
    assert diagnostics[0].span.source.name == COMMAND_LINE


def test_processes_are_those_of_the_gpus_else_one() -> None:
    without = edited("    processes_per_node: 8\n", "", ALIKE)
    assert shape(converted(without).request.groups[0])[-1] == 8
    assert shape(converted(edited("gpus_per_node: 8", "gpus_per_node: 0", without)).request.groups[0])[-1] == 1


def test_a_node_must_ask_for_something() -> None:
    nothing = "config:\n  target: {service: volcano, gpus_per_node: 0}\n  jobs: [{name: train}]\n"
    diagnostics = found(nothing)
    assert len(diagnostics) == 1 and fits(diagnostics[0], 2, "target; cpus_per_node; memory; _extra.volcano.tasks")
    gpus = found(edited("gpus_per_node: 0", "gpus_per_node: 1", nothing))
    assert [(each.level, each.code.code) for each in gpus] == [("warning", "HET032")] * 2


# Parents.


def test_a_child_overrides_fields_by_the_names_of_tasks() -> None:
    child = "base: p.yaml\nconfig:\n  _extra: {volcano: {tasks: {worker: {replicas: 5, env: {A: b}}, master: {memory: 1Gi}}}}\n"
    result = converted(TWO, child)
    assert [shape(group)[:4] for group in result.request.groups] == [
        ("master", 1, cpu("8"), memory("1Gi")), ("worker", 5, cpu("16"), memory("64Gi"))]
    replicas = result.request.groups[1].replicas.origin
    assert (replicas.span.start_position()[0], [span.start_position() for span in replicas.beat]) == (3, [(20, 21)])


def test_a_child_may_have_extra_where_its_parent_has_not() -> None:
    child = "_extra: {volcano: {tasks: {worker: {replicas: 5}}}}\n"
    assert converted(TWO, child).request.groups[1].replicas.value == 5


def test_null_removes_a_task_of_a_parent() -> None:
    child = "config: {_extra: {volcano: {tasks: {worker: null}}}}\n"
    assert [group.name.value for group in converted(TWO, child).request.groups] == ["master"]


def test_null_removes_all_tasks_of_a_parent() -> None:
    child = "config: {target: {cpus_per_node: 1, memory: 1Gi}, _extra: {volcano: {tasks: null}}}\n"
    assert [shape(group)[:3] for group in converted(TWO, child).request.groups] == [("master", 1, cpu("1"))]


def test_null_removes_what_a_parent_says_of_all_nodes() -> None:
    parent = "config: {target: {service: volcano, memory: 1Gi}}\n"
    assert [each.code.code for each in found(parent, TWO)] == ["HET020"]
    assert found(parent, edited("queue: default", "memory: null")) == []


def test_a_field_that_a_child_nulls_is_missing_there() -> None:
    diagnostics = found(TWO, "config:\n  _extra:\n    volcano:\n      tasks: {worker: {memory: null}}\n")
    assert len(diagnostics) == 1 and fits(diagnostics[0], 4, "worker; no `memory`")


def test_a_list_of_jobs_replaces_that_of_the_parent() -> None:
    parent = edited("sku: heterogeneous", "submit_args: {env: {A: b}}")
    layer = plain(converted(parent, "config: {jobs: [{name: other}]}\n").layer)
    assert isinstance(layer, dict) and layer["name"] == "other" and "env" not in layer


@pytest.mark.parametrize(("text", "paths"), [
    ("config: {}\n", []),
    ("base:\nconfig: {}\n", []),
    ("base: a.yaml\nconfig: {}\n", ["a.yaml"]),
    ("base: [a.yaml, ../b.yaml]\nconfig: {}\n", ["a.yaml", "../b.yaml"]),
    ("base: 3\nconfig: {}\n", []),
    ("base: {a: b}\nconfig: {}\n", []),
    ("base: [1, [x], b]\nconfig: {}\n", ["b"]),
    ('{"config": {},\n "base": "a.yaml"}', ["a.yaml"]),
])
def test_which_files_are_the_parents(text: str, paths: list[str]) -> None:
    tree = read(Source("t.yaml", text), Report())
    assert tree is not None and isinstance(tree[0], Mapping)
    assert [base.value for base in template.bases(tree[0])] == paths
    assert template.named_bases(Source("t.yaml", text)) == paths


def test_a_file_of_another_kind_names_no_parents() -> None:
    assert template.named_bases(Source("t.yaml", "base: a.yaml\nimage: x\n")) == []
    assert template.named_bases(Source("t.yaml", "base: a.yaml\nconfig: [\n")) == []


def test_a_large_text_of_blanks_takes_no_time() -> None:
    source = Source("t.yaml", "\n" * 300_000 + " " * 300_000 + "\tconfigs")
    assert not template.is_template(source) and template.named_bases(source) == []


def lint(path: Path, parent: bool = False) -> list[str]:
    unit = Compiler(Options(isolated=True)).job(Source(str(path), path.read_text()), ask_command=False, parent=parent)
    return [each.message for each in unit.report.sorted() if each.level == ERROR]


def test_a_parent_is_asked_for_keys_and_types_alone(tmp_path: Path) -> None:
    incomplete = edited("          memory: 64Gi\n", "")
    no_jobs = edited("  jobs:\n    - {name: train, sku: heterogeneous}\n", "", incomplete)
    (tmp_path / "parent.yaml").write_text(no_jobs)
    (tmp_path / "whole.yaml").write_text(incomplete)
    assert lint(tmp_path / "parent.yaml") == []
    assert lint(tmp_path / "whole.yaml") == ["task `worker` has no `memory`"]
    assert lint(tmp_path / "whole.yaml", parent=True) == []
    (tmp_path / "parent.yaml").write_text(edited("replicas: 2", "replicas: 0", no_jobs))
    assert lint(tmp_path / "parent.yaml") == ["`replicas` of task `worker` is 0, and must be at least 1"]


def test_which_files_of_a_run_are_parents(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    files = {"base/a.yaml": TWO, "b.yaml": "base: base/a.yaml\nconfig: {}\n", "c.yaml": "base: [b.yaml, c.yaml, no.yaml]\nconfig: {}\n",
             "d.yaml": "base: d.yaml\nconfig: {}\n", "e.yaml": "base: d.yaml\nimage: x\n", "f.yaml": "\xff", "g.het": "base: d.yaml"}
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    run = [str(tmp_path / name) for name in files] + [str(tmp_path / "gone.yaml")]
    named = {os.path.relpath(path, os.path.realpath(tmp_path)) for path in around(run).bases}
    assert named == {"base/a.yaml", "b.yaml", "no.yaml"}


def test_lint_asks_parents_of_the_run_for_less(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "base.yaml").write_text(edited("          memory: 64Gi\n", ""))
    child = tmp_path / "child.yaml"
    child.write_text("base: base.yaml\nconfig: {_extra: {volcano: {tasks: {worker: {memory: 64Gi}}}}}\n")

    def status(*arguments: str) -> int:
        return commands.run(options.LINT, options.parse(options.LINT, ["--isolated", *arguments]))

    assert status(str(tmp_path)) == 0
    assert status(str(tmp_path / "base.yaml")) == 1
    assert "task `worker` has no `memory`" in capsys.readouterr().out


def test_a_template_over_its_parents_on_disk(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/base.yaml").write_text(TWO)
    (tmp_path / "more.yaml").write_text("base: sub/base.yaml\nconfig: {target: {queue: research}}\n")
    child = tmp_path / "sub/child.yaml"
    child.write_text("base: [base.yaml, ../more.yaml]\nconfig: {jobs: [{name: other, command: python a.py}]}\n")
    unit = Compiler(Options(isolated=True)).job(Source(str(child), child.read_text()), ask_command=True)
    assert unit.report.diagnostics == []
    assert unit.job is not None and unit.job.name.value == "other"
    queue = unit.job.backend["queue"]
    assert (plain(queue), os.path.basename(queue.origin.span.source.name)) == ("research", "more.yaml")


def test_a_template_cannot_be_its_own_ancestor(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("base: b.yaml\n" + TWO)
    (tmp_path / "b.yaml").write_text("base: a.yaml\n" + TWO)
    unit = Compiler(Options(isolated=True)).job(Source(str(tmp_path / "a.yaml"), (tmp_path / "a.yaml").read_text()), ask_command=False)
    errors = [each for each in unit.report.diagnostics if each.level == ERROR]
    assert [(os.path.basename(each.span.source.name), each.span.start_position()) for each in errors] == [("b.yaml", (1, 7))]
    assert "own base" in (errors[0].help or "")


# Laws.


def rows(fields: tuple[Field, ...]) -> list[Field]:
    """The rows and those below them."""
    result: list[Field] = []
    for field in fields:
        type = field.type
        while isinstance(type, (ListOf, MapOf)):
            type = type.item if isinstance(type, ListOf) else type.value
        result += [field, *(rows(type.fields) if isinstance(type, Shape) else [])]
    return result


def test_every_row_is_documented() -> None:
    for field in rows(template.FIELDS):
        assert field.doc.endswith("."), field.name
        assert field.example is not None or isinstance(field.type, Shape), field.name
    assert {type(field.type) for field in rows(template.FIELDS)} >= {Cores, Devices, Paths, Anything}


KEYS = sorted({*(field.name for field in rows(template.FIELDS)), "master", "worker", "hostPath", "cpus", "affinity", "<<", "x"})
TEXTS = st.sampled_from(["volcano", "64Gi", "{nodes}", "8:A100", "010", "", "~"])
SCALARS = st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | TEXTS


def nested(below: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(below, max_size=2) | st.dictionaries(st.sampled_from(KEYS), below, max_size=4)


TREES = st.recursive(SCALARS, nested, max_leaves=20)


def random_field(field: Field) -> st.SearchStrategy[object]:
    """Mostly what the field is for, at times anything."""
    return st.one_of(random_value(field.type), st.just(field.example), TREES)


def random_value(type: object) -> st.SearchStrategy[object]:
    if isinstance(type, Shape):
        return st.fixed_dictionaries({}, optional={field.name: random_field(field) for field in type.fields})
    if isinstance(type, MapOf):
        return st.dictionaries(st.sampled_from(["master", "worker", "A_b", ""]), random_value(type.value), max_size=2)
    if isinstance(type, ListOf):
        return st.lists(random_value(type.item), max_size=2)
    return SCALARS


FILES = random_value(Shape(template.FIELDS)) | TREES


@given(st.lists(FILES, min_size=1, max_size=3), st.integers(0, 20), st.booleans())
def test_no_tree_makes_it_raise(files: list[object], number: int, options: bool) -> None:
    import json

    texts = tuple(json.dumps(each).replace("NaN", ".nan").replace("Infinity", ".inf") for each in files)
    flags = Flags(flag(number), None, flag(number)) if options else Flags(processes=flag(number))
    for text in texts:
        assert template.is_template(Source("t.yaml", text)) in (True, False)
    for each in found(*texts, flags=flags):
        assert each.message and "\n" not in each.message


@given(st.text(max_size=200))
def test_no_text_makes_it_raise(text: str) -> None:
    source = Source("t.yaml", "config: " + text)
    template.named_bases(source)
    assert template.is_template(source) in (True, False)
    found(source.text)
