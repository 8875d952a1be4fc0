"""What `hetc plan` says of a job."""
from __future__ import annotations

import json
import re

import pytest
from jsonschema import Draft7Validator
from syrupy.assertion import SnapshotAssertion

from hetc import plan
from hetc.emit import volcano_plan
from hetc.pipeline import Compiler, Options
from hetc.source import Source
from tests.conftest import ROOT

HEAD = "---\nimage: registry.example/train:1.0\ncommand: [python train.py]\n"
PACKED = (
    "gang[fail=restart, retries=5, pack=3]\n"
    "1*master<cpu=4, mem=8Gi> + 4*left<cpu=8, mem=16Gi, pack=2> + 6*right<cpu=500m, mem=16Gi, gpu=4:H100, ppn=2, min=3, pack=block:soft>\n"
    "---\nname: packed\nnamespace: training\nqueue: research\npriority_class: high\nservice_account: trainer\n"
    "ttl_seconds_after_finished: 3600\nimage: registry.example/train:1.0\nimage_pull_secrets: [registry]\n"
    "command: [cd /work, python train.py | tee log]\n"
    "plugins: {ssh: {key_file_path: /home/user/.ssh, port: 2222}, env: {}, svc: {disable_network_policy: true, inject_hosts_env: false}}\n"
    "mounts:\n  data: {path: /data, claim: datasets, read_only: true}\n"
    "  conf: {path: /etc/conf, config_map: settings, mode: 0400, items: {a: b}}\n"
    "env: {TOKEN: {secret: wandb, key: token}, HOST: {field: status.podIP}}\nenv_from: [{config_map: common}]\n"
    "labels: {team: vision}\n"
    "tasks:\n  master: {command: [exec python lead.py], shell: /bin/bash, working_dir: /work, labels: {role: lead}}\n"
)


def job(text, overlay=None, name="job.het", **options):
    layers = () if overlay is None else (Source("over.yaml", overlay),)
    unit = Compiler(Options(overlays=layers, isolated=True, **options)).job(Source(name, text), ask_command=True)
    assert unit.job is not None, [(each.span, each.message) for each in unit.report.sorted()]
    return unit.job, volcano_plan.describe(unit.job, unit.site)


def text(*args, origins=False, **options):
    return plan.render(*job(*args, **options), "text", origins)


def data(*args, origins=False, **options):
    rendered = json.loads(plan.render(*job(*args, **options), "json", origins))
    with open(ROOT / "schemas" / "plan.schema.json", encoding="utf-8") as file:
        Draft7Validator(json.load(file)).validate(rendered)
    return rendered


def example(name):
    return (ROOT / "examples" / f"{name}.het").read_text(encoding="utf-8"), None, f"{name}.het"


PATIENT = (
    "gang[start=30m, done=master]\n"
    "1*master<cpu=4, mem=8Gi> + 2*ps<cpu=1, mem=1Gi> + 4*worker<cpu=8, mem=16Gi, min=1>\n"
    "---\nname: patient\nimage: registry.example/train:1.0\ncommand: [python train.py]\n"
    "policies: [{exit_code: 137, action: restart-job}, {events: [unknown], timeout: 5m, action: abort-job}]\n"
    "min_success: 2\ntime_limit: 48h\ntasks:\n  worker: {depends_on: [master, ps], depends_on_any: true, time_limit: null}\n"
    "  ps: {policies: [{event: pod-evicted, action: restart-task}]}\n"
)

CASES = {
    "patient": (PATIENT.replace("start=30m", "start=30m, min=3"), None, "patient.het"),
    "design": example("train"), "packed": (PACKED, None, "packed.het"), "families": example("storage"), "cpu": example("cpu"),
    "uniform": example("uniform"),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name, snapshot: SnapshotAssertion) -> None:
    assert text(*CASES[name]) == snapshot


@pytest.mark.parametrize("name", CASES)
def test_json(name, snapshot: SnapshotAssertion) -> None:
    assert json.dumps(data(*CASES[name]), indent=1) == snapshot


def test_origins(snapshot: SnapshotAssertion) -> None:
    overlay = "image: other:2\nenv: {HOST: x}\ntasks: {left: {image: third:3}}\n"
    rendered = text(PACKED, overlay, "packed.het", origins=True)
    assert rendered[rendered.index("value"):] == snapshot
    assert data(PACKED, overlay, "packed.het", origins=True)["origins"] == snapshot


def test_origins_of_keys_that_tasks_have_by_themselves():
    given = ("gang[start=30m]\n1*master<cpu=1, mem=1Gi> + 2*worker<cpu=1, mem=1Gi, vgpu=1>\n---\nname: a\nimage: a:1\ncommand: x\n"
             "policies: [{exit_code: 3, action: abort-job}]\nrun_as: {user: 1.0}\n"
             "profiles: {p: {scheduling: {qos_level: LS}, time_limit: 90m}}\ntasks: {worker: {profiles: [p], depends_on: [master]}}\n")
    found = {each["path"]: each["value"] for each in data(given, origins=True)["origins"]}
    assert {path: value for path, value in found.items() if path.startswith(("gang", "policies")) or (path.startswith("tasks.worker.") and path[13:18] in (
        "depen", "run_a", "sched", "time_"))} == {
        "policies[0].action": "abort-job", "policies[0].exit_code": "3", "gang.start": "30m0s", "tasks.worker.time_limit": "1h30m0s",
        "tasks.worker.run_as.user": "1", "tasks.worker.depends_on[0]": "master", "tasks.worker.scheduling.qos_level": "LS",
    }


@pytest.mark.parametrize(("keys", "told"), [
    ("plugins: {ssh: {}}\nrun_as: {user: 7}", True), ("plugins: {mpi: {}}\ntasks: {worker: {run_as: {user: 7}}}", True),
    ("plugins: {ssh: {key_file_path: /home/a/.ssh}}\nrun_as: {user: 7}", False), ("plugins: {ssh: {}}\nrun_as: {group: 7}", False), ("run_as: {user: 7}", False),
])
def test_keys_of_ssh_that_the_user_cannot_read(keys, told):
    plan = data(f"1*master<cpu=1, mem=1Gi> + 1*worker<cpu=1, mem=1Gi>\n---\nname: a\nimage: a:1\ncommand: x\n{keys}\n")
    assert any("the keys of plugin ssh are in /root/.ssh" in note for note in plan["notes"]) == told


def test_totals_of_the_design_example():
    plan = data(*example("train"))
    assert plan["totals"] == {"nodes": 7, "gpu_nodes": 6, "gpus": 48, "processes": 49}
    assert [task["rank"] for task in plan["tasks"]] == [0, 1, 3]
    assert plan["gang"]["minimum"] == 7
    assert "`AJ_PROCESSES` is the number of GPUs, 48; processes of all nodes: 49" in plan["notes"]
    assert "7 nodes, 6 GPU nodes, 48 GPUs, 49 processes\n" in text(*example("train"))


def test_one_of_each_is_singular():
    assert "\n1 node, 1 GPU node, 1 GPU, 1 process\n" in text("1*<cpu=1, mem=1Gi, gpu=1:T4>\n" + HEAD)


@pytest.mark.parametrize("name", CASES)
def test_no_line_ends_in_a_blank(name):
    for line in text(*CASES[name], origins=True).split("\n"):
        assert line == line.rstrip()


def test_both_forms_say_the_same():
    for case in CASES.values():
        facts, shown = data(*case), text(*case)
        for sentence in (*facts["gang"]["rules"], *facts["notes"], facts["submit"], *(need["name"] for need in facts["needs"])):
            assert sentence in shown
        for task in facts["tasks"]:
            row = rf"^{task['name']} +{task['replicas']} +{task['minimum']} .* {task['rank']}  {task['image']}"
            assert re.search(row, shown, re.MULTILINE)


ALL = "starts when all 4 pods can be placed at once"
BELOW = ("starts when 2 of 4 pods can be placed at once, of whichever tasks: this is below the sum of the tasks' minima (4), "
         "and Volcano then ignores those")
FAIL = "a pod that fails or is evicted ends the job"
SUCCESS = "once all pods have ended, the job is a success when all of them succeeded"


@pytest.mark.parametrize(("gang", "rules"), [
    ("", [ALL, FAIL, SUCCESS]),
    ("gang[min=2]", [
        BELOW,
        FAIL,
        "once all pods have ended, the job is a success when at least 2 pods succeeded",
    ]),
    ("gang[fail=restart]", [ALL, "a pod that fails or is evicted restarts all pods; failure 3 ends the job", SUCCESS]),
    ("gang[fail=tolerate, done=master]", [
        ALL,
        "a pod that fails or is evicted is left as it is, and the others go on",
        "the job is complete as soon as all pods of master have succeeded; the others are stopped then",
        SUCCESS,
    ]),
])
def test_the_gang_in_sentences(gang, rules):
    assert data(f"{gang}\n1*master<cpu=1, mem=1Gi> + 3*w<cpu=1, mem=1Gi>\n{HEAD}")["gang"]["rules"] == rules


def test_a_minimum_below_the_replicas_is_told():
    request = "1*master<cpu=1, mem=1Gi> + 3*w<cpu=1, mem=1Gi, min=2>\n" + HEAD
    plan = data(request)
    assert plan["gang"]["rules"][0] == "starts when 3 of 4 pods can be placed at once: 1 of 1 master, 2 of 3 w"
    success = "once all pods have ended, the job is a success when of each task at least its minimum succeeded, and 3 pods in all"
    assert plan["gang"]["rules"][2] == success
    note = "`WORLD_SIZE` is 4 also when the job starts with fewer pods, 3 at least"
    assert [each for each in plan["notes"] if each.startswith(note)]
    assert not [each for each in data(request, "env: {WORLD_SIZE: '9'}")["notes"] if "WORLD_SIZE" in each]


def test_the_network_policy_is_told_until_it_is_off():
    request = "1*<cpu=1, mem=1Gi>\n" + HEAD
    assert any("disable_network_policy: true" in note for note in data(request)["notes"])
    assert {"kind": "NetworkPolicy", "name": "job", "what": "only pods of this job may connect to its pods"} in data(request)["adds"]
    off = data(request, "plugins: {svc: {disable_network_policy: true}}")
    assert not any("disable_network_policy" in note for note in off["notes"])
    assert not any(each["kind"] == "NetworkPolicy" for each in off["adds"])


def test_context_and_sku_of_a_template_are_told():
    template = (
        "config:\n  target: {service: volcano, context: gpu cluster, cpus_per_node: 4, memory: 8Gi, gpus_per_node: 2, rdma: false, "
        "processes_per_node: 2}\n  environment: {image: 'a.example/b:1'}\n"
        "  jobs: [{name: train, sku: '{nodes}x2', command: [python a.py]}]\n"
    )
    plan = data(template, None, "train.yaml")
    assert plan["job"] == {"name": "train", "namespace": None, "priority_class": None, "sku": "1x2", "context": "gpu cluster"}
    assert plan["submit"] == "kubectl --context 'gpu cluster' create -f -"
    assert text(template, None, "train.yaml").startswith("train: queue default, scheduler volcano, sku 1x2, context gpu cluster\n")


def test_why_a_last_line_is_not_run_by_exec():
    plan = data("1*<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [python a.py | tee log]\n")
    assert plan["tasks"][0]["exec"] is False
    assert plan["tasks"][0]["why_not_exec"]
    assert plan["tasks"][0]["why_not_exec"] in text("1*<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [python a.py | tee log]\n")


def test_control_characters_do_not_reach_the_terminal():
    shown = text("1*<cpu=1, mem=1Gi>\n" + HEAD, 'env: {A: "\\e[31m\\r"}', origins=True)
    assert "\x1b" not in shown
    assert "\r" not in shown
    assert "tasks.master.env.A = \\x1b[31m\\r" in shown
