"""Layers: what wins, what is removed, and that grouping does not matter."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hetc.diagnostic import Report
from hetc.emit.volcano import FIELDS as VOLCANO
from hetc.fields import FIELDS as OWN
from hetc.merge import Inheritance, Merger, settle
from hetc.origin import MOST_BEATEN
from hetc.read.yaml import read
from hetc.source import Source
from hetc.tree import Mapping, plain

FIELDS = (*OWN, *VOLCANO)


def layer(text: str, name: str = "x.yaml") -> Mapping:
    report = Report()
    (node,) = read(Source(name, text), report) or []
    assert not report.diagnostics
    assert isinstance(node, Mapping)
    return node


def merged(*texts: str) -> tuple[object, list[tuple[str, str, str]]]:
    """The settled result, job and tasks as a task sees them, and what was reported."""
    report = Report()
    tree = Merger(FIELDS, report).layers([layer(text, f"{number}.yaml") for number, text in enumerate(texts)])
    assert tree is not None
    settled = settle(tree, report, FIELDS)
    inheritance = Inheritance(settled.job, FIELDS, report)
    tasks = {name: {key: plain(node) for key, node in inheritance.task(own).items()} for name, own in settled.tasks.items()}
    found = [(each.code.code, f"{each.span.source.name}:{':'.join(map(str, each.span.start_position()))}", each.message) for each in report.sorted()]
    return {"job": plain(settled.job), "tasks": tasks}, found


NOTHING_BELOW = "is null, and there is nothing below that it could remove"


@pytest.mark.parametrize(("texts", "place", "message"), [
    (("plugins:\n  ssh:",), "0.yaml:2:3", f"`ssh` {NOTHING_BELOW}"),
    (("plugins: {env: ~}",), "0.yaml:1:11", f"`env` {NOTHING_BELOW}"),
    (("mounts: {s: {path: /s, empty_dir: }}",), "0.yaml:1:24", f"`empty_dir` {NOTHING_BELOW}"),
    (("plugins: {env: {}}", "plugins: {ssh: null}"), "1.yaml:1:11", f"`ssh` {NOTHING_BELOW}"),
])
def test_a_null_that_may_have_been_meant_as_an_empty_mapping(texts: tuple[str, ...], place: str, message: str) -> None:
    assert merged(*texts)[1] == [("HET013", place, message)]


@pytest.mark.parametrize("texts", [
    ("plugins: {ssh: {}}", "plugins: {ssh: null}"), ("mounts: {s: {path: /s, empty_dir: {}}}", "mounts: {s: {empty_dir: null, claim: c}}"),
    ("plugins: {ssh: null}", "plugins: {ssh: {}}"), ("plugins: {ssh: {}}", "plugins: null"),
])
def test_a_null_that_removes_or_is_replaced_is_fine(texts: tuple[str, ...]) -> None:
    assert merged(*texts)[1] == []


@pytest.mark.parametrize(("texts", "job"), [
    (("image: a", "image: b"), {"image": "b"}),
    (("command: [a, b]", "command: [c]"), {"command": ["c"]}),
    (("env: {A: '1', B: '2'}", "env: {B: '3', C: '4'}"), {"env": {"A": "1", "B": "3", "C": "4"}}),
    (("env: {A: '1', B: '2'}", "env: {A: null}"), {"env": {"B": "2"}}),
    (("env: {A: '1'}", "env: null"), {}),
    (("env: {A: '1'}", "env: null", "env: {B: '2'}"), {"env": {"B": "2"}}),
    (("env: {A: '1'}", "env: {A: null}", "env: {A: '3'}"), {"env": {"A": "3"}}),
    (("env: {A: plain}", "env: {A: {secret: s, key: k}}"), {"env": {"A": {"secret": "s", "key": "k"}}}),
    (("env: {A: {secret: s, key: k}}", "env: {A: {config_map: c, key: k}}"), {"env": {"A": {"config_map": "c", "key": "k"}}}),
    (("mounts: {m: {path: /m, claim: c, read_only: true}}", "mounts: {m: {secret: s}}"),
     {"mounts": {"m": {"path": "/m", "read_only": True, "secret": "s"}}}),
    (("mounts: {m: {path: /m, secret: s, mode: 0400, items: {a: b}}}", "mounts: {m: {claim: c}}"), {"mounts": {"m": {"path": "/m", "claim": "c"}}}),
    (("mounts: {m: {path: /m, claim: c}}", "mounts: {m: {path: /n}}"), {"mounts": {"m": {"path": "/n", "claim": "c"}}}),
    (("mounts: {m: {path: /m, claim: c}}", "mounts: {m: null}"), {"mounts": {}}),
    (("plugins: {ssh: {port: 1}}", "plugins: {ssh: {key_file_path: /k}}"), {"plugins": {"ssh": {"port": 1, "key_file_path": "/k"}}}),
    (("plugins: {ssh: {}}", "plugins: {ssh: null}"), {"plugins": {}}),
    (("env_from: [{secret: a}]", "env_from: [{secret: b}]"), {"env_from": [{"secret": "b"}]}),
])
def test_layers(texts: tuple[str, ...], job: object) -> None:
    assert merged(*texts) == ({"job": job, "tasks": {}}, [])


@pytest.mark.parametrize(("text", "task"), [
    ("image: a\ntasks: {t: {}}", {"image": "a"}),
    ("image: a\ntasks: {t: {image: b}}", {"image": "b"}),
    ("image: a\ntasks: {t: {image: null}}", {}),
    ("setup: [a]\ntasks: {t: {setup: []}}", {"setup": []}),
    ("setup: [a]\ntasks: {t: {setup: null}}", {}),
    ("env: {A: '1', B: '2'}\ntasks: {t: {env: {B: '3', A: null, C: '4'}}}", {"env": {"B": "3", "C": "4"}}),
    ("labels: {a: x}\nannotations: {b: z}\ntasks: {t: {labels: {c: z}}}", {"labels": {"a": "x", "c": "z"}, "annotations": {"b": "z"}}),
    ("node_selector: {pool: a}\ntasks: {t: {node_selector: {pool: null}}}", {"node_selector": {}}),
    ("container_args: {shm_size: 1Gi}\ntasks: {t: {container_args: {shm_size: 2Gi}}}", {"container_args": {"shm_size": "2Gi"}}),
    ("env_from: [{secret: a}]\ntasks: {t: {env_from: [{secret: b}]}}", {"env_from": [{"secret": "a"}, {"secret": "b"}]}),
    ("namespace: n\nimage_pull_secrets: [s]\ntasks: {t: {}}", {}),
    ("mounts: {m: {path: /m, claim: c}}\ntasks: {t: {}}", {"mounts": {"m": {"path": "/m", "claim": "c"}}}),
    ("mounts: {m: {path: /m, claim: c}, n: {path: /n, claim: d}}\ntasks: {t: {mounts: {m: {sub_path: s, secret: x}, n: null}}}",
     {"mounts": {"m": {"path": "/m", "secret": "x", "sub_path": "s"}}}),
    ("mounts: {m: {path: /m, claim: c, read_only: true}}\ntasks: {t: {mounts: {m: {read_only: null}, o: {path: /o, empty_dir: {}}}}}",
     {"mounts": {"m": {"path": "/m", "claim": "c"}, "o": {"path": "/o", "empty_dir": {}}}}),
    ("profiles: {p: {image: a, env: {A: x, B: x}}, q: {env: {B: v, C: null}}}\nenv: {C: z}\ntasks: {t: {profiles: [p, q], env: {A: w}}}",
     {"image": "a", "env": {"A": "w", "B": "v"}}),
    ("profiles: {p: {image: a}}\nimage: b\ntasks: {t: {profiles: [p], image: null}}", {}),
])
def test_a_task_inherits(text: str, task: object) -> None:
    result, found = merged(text)
    assert result["tasks"] == {"t": task}  # type: ignore[index]
    assert found == []


def test_a_task_inherits_below_a_key() -> None:
    """What merges by key between layers does so between a job and its tasks, and `null` removes at any depth."""
    strategy = "{type: MostAllocated, weights: {cpu: 1, memory: 2}}"
    result, found = merged(f"scheduling: {{qos_level: LS, resource_strategy: {strategy}}}\n"
                           "tasks: {w: {scheduling: {resource_strategy: {weights: {cpu: null, rdma: 3}}}}, v: {scheduling: {resource_strategy: {type: null}}}}")
    assert isinstance(result, dict)
    assert {name: task["scheduling"] for name, task in result["tasks"].items()} == {
        "w": {"qos_level": "LS", "resource_strategy": {"type": "MostAllocated", "weights": {"memory": 2, "rdma": 3}}},
        "v": {"qos_level": "LS", "resource_strategy": {"weights": {"cpu": 1, "memory": 2}}},
    }
    assert found == []


def test_a_task_that_was_cleared_in_one_layer_inherits_nothing_in_the_next() -> None:
    result, found = merged("env: {A: '1'}", "tasks: {t: {env: null}}", "tasks: {t: {env: {B: '2'}}}")
    assert result["tasks"] == {"t": {"env": {"B": "2"}}}  # type: ignore[index]
    assert found == []


@pytest.mark.parametrize(("texts", "found"), [
    (("image: null",), [("HET025", "0.yaml:1:1", "`image: null` removes what nobody set")]),
    (("env: {A: null}",), [("HET025", "0.yaml:1:7", "`A: null` removes what nobody set")]),
    (("env: {A: '1'}\ntasks: {t: {env: {B: null}}}",), [("HET025", "0.yaml:2:19", "`B: null` removes what nobody set")]),
    (("tasks: {t: {image: null}}",), [("HET025", "0.yaml:1:13", "`image: null` removes what nobody set")]),
    (("tasks: {t: null}",), [("HET013", "0.yaml:1:9", "task `t` is null in every layer")]),
    (("tasks: {t: {image: a}}", "tasks: {t: null}"), []),
    (("tasks: null",), [("HET025", "0.yaml:1:1", "`tasks: null` removes what nobody set")]),
    (("tasks: {t: {image: a}}", "tasks: null"), []),
    (("tasks: {t: {image: a}}", "tasks: {t: {image: null}}"), []),
    (("env: {A: '1'}", "env: 3"), [("HET024", "1.yaml:1:6", "`3` stands over a mapping of a lower layer")]),
    (("env: 3", "env: {A: '1'}"), []),  # of `3` the check of its layer has said so
])
def test_reported(texts: tuple[str, ...], found: list[tuple[str, str, str]]) -> None:
    assert merged(*texts)[1] == found


def test_a_value_knows_whom_it_beat() -> None:
    tree = Merger(FIELDS, Report()).layers([layer("image: a", "low"), layer("image: b", "mid"), layer("image: c", "high")])
    assert tree is not None
    image = tree.get("image")
    assert image is not None
    assert image.origin.span.source.name == "high"
    assert [span.source.name for span in image.origin.beat] == ["mid", "low"]


def test_a_value_remembers_the_nearest_of_many_whom_it_beat() -> None:
    tree = Merger(FIELDS, Report()).layers([layer("image: a", str(number)) for number in range(100)])
    assert tree is not None
    image = tree.get("image")
    assert image is not None and image.origin.span.source.name == "99"
    assert [span.source.name for span in image.origin.beat] == [str(number) for number in range(98, 98 - MOST_BEATEN, -1)]


@pytest.mark.parametrize("count", range(1, 10))
def test_any_number_of_layers(count: int) -> None:
    texts = [f"env: {{A: 'n{number}', B{number}: 'x'}}" for number in range(count)]
    assert merged(*texts) == ({"job": {"env": {"A": f"n{count - 1}", **{f"B{n}": "x" for n in range(count)}}}, "tasks": {}}, [])


SCALARS = st.sampled_from(["'1'", "'2'", "null"])
ENV = st.dictionaries(st.sampled_from("AB"), SCALARS | st.just("{secret: s, key: k}"), max_size=2)
MOUNT = st.dictionaries(st.sampled_from(["path", "claim", "secret", "mode", "read_only"]), st.sampled_from(["x", "z", "null"]), max_size=3)


def flow(values: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in values.items()) + "}"


TASK = st.builds(lambda env, image: flow({"env": env, "image": image}), ENV.map(flow) | st.just("null"), SCALARS) | st.just("null")
LAYER = st.fixed_dictionaries({}, optional={
    "image": SCALARS, "env": ENV.map(flow) | st.just("null"),
    "mounts": st.dictionaries(st.sampled_from("mn"), MOUNT.map(flow) | st.just("null"), max_size=2).map(flow) | st.just("null"),
    "tasks": st.dictionaries(st.sampled_from("tu"), TASK, max_size=2).map(flow),
}).map(flow)


@given(LAYER, LAYER, LAYER)
def test_how_layers_are_grouped_does_not_matter(low: str, middle: str, high: str) -> None:
    merger = Merger(FIELDS, Report())
    a, b, c = layer(low), layer(middle), layer(high)
    left = merger.mapping(merger.mapping(a, b, merger.root), c, merger.root)
    right = merger.mapping(a, merger.mapping(b, c, merger.root), merger.root)
    assert plain(left) == plain(right)


@given(LAYER)
def test_an_empty_layer_changes_nothing(text: str) -> None:
    merger = Merger(FIELDS, Report())
    assert plain(merger.mapping(layer("{}"), layer(text), merger.root)) == plain(layer(text))
    assert plain(merger.mapping(layer(text), layer("{}"), merger.root)) == plain(layer(text))
