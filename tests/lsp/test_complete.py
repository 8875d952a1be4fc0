"""Which words an editor is offered. `|` is the cursor."""
from __future__ import annotations

import pytest

from hetc.fields import REQUEST_KEYS
from hetc.lsp import complete
from hetc.lsp.desk import Desk
from hetc.lsp.words import GANG, GROUP
from hetc.pipeline import Options
from hetc.read import het


@pytest.fixture
def offered(tmp_path):
    def offered(text, name="job.het", **others):
        """The labels that are offered at the cursor, and the text with the first of them taken."""
        desk = Desk(Options())
        offset = text.index("|")
        plain = text[:offset] + text[offset + 1:]
        for other, content in others.items():
            path = str(tmp_path / other.replace("_", "."))
            desk.put(path, path, content)
        path = str(tmp_path / name)
        desk.put(path, path, plain)
        desk.check()
        found = complete.offers(desk, desk.looked[path], offset)
        taken = found[0] if found else None
        return [each.label for each in found], plain[:taken.word[0]] + taken.text + plain[taken.word[1]:] if taken else None

    return offered


def test_every_word_of_a_request_is_explained():
    assert tuple(GROUP) == REQUEST_KEYS
    assert tuple(GANG) == het.RULES


JOB = "1*master<cpu=4, mem=8Gi> + 2*worker<gpu=8:A100>\n---\nimage: r/i:1\n"


@pytest.mark.parametrize(("text", "expected"), [
    ("|", ["use", "gang"]),
    ("use[\"a\"] |", ["gang"]),
    ("1*m<cpu=1> |", ["use", "gang"]),
    ("1*m|<cpu=1>", []),
    ("1*|<cpu=1>", []),
    ("# us|\n1*m<cpu=1>", []),
    ("1*m<|>", [*GROUP]),
    ("1*m<cpu=1, |", [key for key in GROUP if key != "cpu"]),
    ("1*m<me|, cpu=1>", [key for key in GROUP if key != "cpu"]),
    ("1*m<cpu|>", [*GROUP]),
    ("1*m<mem=1Gi, cpu|=1>", [key for key in GROUP if key != "mem"]),
    ("1*m<cpu=|>", []),
    ("1*m<gpu=|>", []),
    ("1*m<pack=rack:|>", ["hard", "soft"]),
    ("1*m<vgpu=2:|>", ["hami-core", "mig"]),
    ("1*m<select[|]>", ["amd.com/gpu.product-name", "nvidia.com/gpu.product"]),
    ("gang[|]", [*GANG]),
    ("gang[fail=re|]", ["fail", "restart", "tolerate"]),
    ("gang[fail=fail, re|", ["min", "retries", "done", "pack", "start"]),
    ("1*master<cpu=1> + 2*w<cpu=1> gang[done=|]", ["all", "master", "w"]),
    ("gang[min=|]", ["all"]),
    ("gang[pack=1:|]", ["hard", "soft"]),
])
def test_requests(offered, text, expected):
    assert offered(text)[0] == expected


def test_gpu_models(offered):
    labels, text = offered("1*m<gpu=8:A1|00, cpu=1>")
    assert {"A100", "H100", "MI300X", "NVIDIA-A100-SXM4-80GB"} <= set(labels)
    assert text == "1*m<gpu=8:A10, cpu=1>"
    labels, _ = offered("1*m<select[nvidia.com/gpu.product=|]>")
    assert "NVIDIA-L4" in labels
    assert "AMD_Instinct_MI300X_OAM" not in labels


@pytest.mark.parametrize("text", ["use[|]", 'use["|"]', 'use["|]', 'use["ba|"]', "use[ba|]"])
def test_overlay_files(offered, tmp_path, text):
    (tmp_path / "base.yaml").write_text("")
    assert offered(text)[0] == ["base.yaml"]
    assert offered(text)[1] == 'use["base.yaml"]'


OVERLAYS = pytest.mark.parametrize(("text", "some", "none"), [
    ("|", ["image", "command", "tasks", "queue"], ["cpu"]),
    ("image: x\nco|\n", ["command", "container_args"], ["image"]),
    ("image: x\ntasks:\n  master:\n    |\nqueue: q\n", ["image", "env"], ["queue", "tasks"]),
    ("tasks: {master: {im|}}\n", ["image"], ["queue"]),
    ("tasks:\n  |\n", ["master", "worker"], ["image"]),
    ("profiles:\n  |\n", [], ["master", "worker"]),
    ("profiles:\n  big:\n    |\n", ["scheduling", "time_limit", "mounts"], ["depends_on", "profiles", "queue"]),
    ("tasks:\n  worker:\n    |\n", ["depends_on", "profiles", "scheduling"], ["schedule"]),
    ("tasks:\n  worker:\n    depends_on: [|]\n", ["master", "worker"], []),
    ("scheduling:\n  |\n", ["preemptable", "task_priority"], []),
    ("tasks:\n  master: {}\n  w|: {}\n", ["worker"], ["master"]),
    ("image_pull_policy: |\n", ["Always", "IfNotPresent", "Never"], []),
    ("mounts:\n  data:\n    read_only: |\n", ["true", "false"], []),
    ("mounts:\n  data:\n    |\n", ["path", "claim", "empty_dir"], ["image"]),
    ("env:\n  A: {|}\n", ["secret", "config_map", "field"], ["image"]),
    ("env:\n  A: {field: |}\n", ["status.podIP"], []),
    ("env_from:\n- |\n", ["secret", "config_map"], ["field"]),
    ("node_selector:\n  |\n", ["nvidia.com/gpu.product"], []),
    ("node_selector:\n  nvidia.com/gpu.product: |\n", ["NVIDIA-L4"], ["AMD_Instinct_MI300X_OAM"]),
    ("plugins:\n  |\n", ["svc", "ssh", "pytorch"], []),
    ("plugins:\n  pytorch:\n    master: |\n", ["master", "worker"], []),
    ("im|\nenv: [\n", ["image"], []),
    ("command:\n- py|\n", [], ["image"]),
    ("command: |\n", [], ["image"]),
])


def check(labels, some, none):
    assert set(some) <= set(labels)
    assert not set(none) & set(labels)


@OVERLAYS
def test_overlays_behind_a_request(offered, text, some, none):
    check(offered(JOB.replace("image: r/i:1\n", text))[0], some, none)


@OVERLAYS
def test_overlays_of_an_open_job(offered, tmp_path, text, some, none):
    (tmp_path / "layer.het.yaml").write_text("")
    check(offered(text, "layer.het.yaml", job_het=f'use["layer.het.yaml"] {JOB}')[0], some, none)


PROFILES = "profiles:\n  fast: {}\n  gpu-node: {}\n"
NAMING = "tasks:\n  worker:\n    profiles: [|]\n"


@pytest.mark.parametrize("text", [
    PROFILES + NAMING, NAMING + PROFILES, PROFILES + NAMING.replace("|", "fast, g|"), PROFILES + NAMING.replace("[|]", "\n    - |"),
])
def test_profiles(offered, text):
    assert offered(JOB.replace("image: r/i:1\n", text))[0] == ["fast", "gpu-node"]
    assert offered(text, "a.het.yaml")[0] == ["fast", "gpu-node"]


def test_profiles_of_all_layers_and_of_the_site(offered, tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "hetc.toml").write_text("[profiles.dedicated]\nnode_selector = {pool = 'a'}\n")
    (tmp_path / "layer.yaml").write_text("")
    (tmp_path / "disk.yaml").write_text("profiles: {slow: {}}\n")
    job = f'use["layer.yaml", "disk.yaml"]\n{JOB}profiles: {{own: {{}}}}\n'
    assert offered(PROFILES + NAMING, "layer.yaml", job_het=job)[0] == ["dedicated", "fast", "gpu-node", "own", "slow"]
    assert offered(job + NAMING, layer_yaml=PROFILES)[0] == ["dedicated", "own", "fast", "gpu-node", "slow"]


@pytest.mark.parametrize("text", [NAMING, "profiles: [\n" + NAMING, "profiles: [a, b]\n" + NAMING, PROFILES + "  |\n"])
def test_no_profiles(offered, text):
    assert offered(JOB.replace("image: r/i:1\n", text))[0] == []


def test_tasks_in_a_layer_are_those_of_the_open_job_that_it_belongs_to(offered, tmp_path):
    (tmp_path / "layer.yaml").write_text("")
    labels, text = offered("tasks:\n  |\n", "layer.yaml", job_het=f'use["layer.yaml"]\n{JOB}')
    assert labels == ["master", "worker"]
    assert text == "tasks:\n  master:\n"


def test_keys_come_with_their_colon_once(offered):
    assert offered("nam|", "a.het.yaml")[1] == "name: "
    assert offered("nam|: x", "a.het.yaml")[1] == "name: x"
    assert offered("tasks: {m: {|}}", "a.het.yaml")[1] == "tasks: {m: {labels:}}"


def test_templates(offered):
    labels, _ = offered("config:\n  target:\n    service: volcano\n    |\n", "t.yaml")
    assert {"queue", "memory", "cpus_per_node"} <= set(labels)
    assert "service" not in labels
    assert offered("config:\n  target:\n    service: |\n", "t.yaml")[0] == ["volcano"]
    labels, _ = offered("config: {}\n_extra:\n  volcano:\n    tasks:\n      master:\n        |\n", "t.yaml")
    assert {"replicas", "environment"} <= set(labels)


def test_what_the_site_allows(offered, tmp_path):
    (tmp_path / "hetc.toml").write_text('[policy]\nqueues = ["q1", "q2"]\nnode_labels = ["pool"]\nrequired_labels = ["team"]\n'
                                        '[gpu.models]\nX9 = ["X9-1"]\n[resources]\nnpu = "huawei.com/Ascend910"\n')
    assert offered("queue: |\n", "a.het.yaml")[0] == ["q1", "q2"]
    assert offered("node_selector: {|}\n", "a.het.yaml")[0] == ["pool"]
    assert offered("labels: {|}\n", "a.het.yaml")[0] == ["team"]
    assert {"X9", "X9-1"} <= set(offered("1*m<gpu=8:|>")[0])
    assert "npu" in offered("1*m<|>")[0]


def test_manifests_and_other_yaml_are_left_to_others(offered):
    assert offered("apiVersion: v1\nkin|\n", "pod.yaml")[0] == []
    assert offered("a|\n", "values.yaml")[0] == []
