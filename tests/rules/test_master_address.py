"""HET616: MASTER_ADDR by hand."""
from __future__ import annotations

import pytest

from hetc.rules.master_address import RULE
from tests.rules.checks import Found, check_manifest, indented, job, task

RIGHT = "write `demo-master-0.demo`"
ANY = "write the address of one pod: `<job>-<task>-<index>.<job>`"


def env(value: str, plugins: str = "svc: []", pod: str = "", master: str = "", name: str = "MASTER_ADDR") -> str:
    """A master, whose pod's lines are `master`, and three workers with a variable whose value is at line 15, column 40."""
    variable = f"image: b:1\nenv:\n- {{name: {name}, value: {value}}}"
    return job(task(variable, replicas=3, pod=pod), task(name="master", pod=master), spec=f"plugins: {{{plugins}}}")


@pytest.mark.parametrize(("value", "plugins", "level", "message", "help"), [
    ("demo-master-0", "svc: []", "warning", "a pod's bare name, which other pods do not resolve", RIGHT),
    ("demo-worker-2", "svc: []", "warning", "a pod's bare name, which other pods do not resolve", "write `demo-worker-2.demo`"),
    ("demo-master-0", "", "error", "and without the plugin `svc` no pod of the job has an address",
     "add `svc: []` to `plugins`, and write `demo-master-0.demo`"),
    ("demo-master-0.demo", "", "error", "and without the plugin `svc` no pod of the job has an address",
     "add `svc: []` to `plugins`, and write `demo-master-0.demo`"),
    ("demo-master-0.mesh", "svc: []", "error", "and the pod's address is `demo-master-0.demo`", RIGHT),
    ("demo-master-1.demo", "svc: []", "error", "which names no pod of the job", RIGHT),
    ("demo-worker-3.demo.ns.svc", "svc: []", "error", "which names no pod of the job", RIGHT),
    ("demo-master-00.demo", "svc: []", "error", "which names no pod of the job", RIGHT),
    ("demo-chief-0.demo", "svc: []", "error", "which names no pod of the job", RIGHT),
    ("master.demo", "svc: []", "error", "which names no pod of the job", RIGHT),
    ("old-master-0.old", "svc: []", "error", "the address of a pod of job `old`", RIGHT),
    ("old-master-0.old.ns.svc.cluster.local", "", "error", "the address of a pod of job `old`", RIGHT),
    ("demo-master-1", "svc: []", "warning", "which names no pod of the job", RIGHT),
    ("demo-chief-0", "svc: []", "warning", "which names no pod of the job", RIGHT),
    ("master-0", "svc: []", "warning", "which names no pod of the job", RIGHT),
    ("master", "svc: []", "warning", "which names no pod of the job", RIGHT),
    ("demo", "svc: []", "warning", "which is any pod of the job", RIGHT),
    ("demo.ns.svc", "svc: []", "warning", "which is any pod of the job", RIGHT),
    ("demo", "mpi: []", "warning", "which is any pod of the job", RIGHT),
    ("localhost", "svc: []", "warning", "which is another host in each pod", RIGHT),
    ("127.0.0.1", "", "warning", "which is another host in each pod", RIGHT),
    ("'::1'", "", "warning", "which is another host in each pod", RIGHT),
])
def test_wrong(value: str, plugins: str, level: str, message: str, help: str) -> None:
    shown = value.strip("'")
    assert check_manifest(RULE, env(value, plugins)) == [Found(15, 40, level, f"`MASTER_ADDR` is `{shown}`, {message}", help)]


@pytest.mark.parametrize(("value", "plugins"), [
    ("demo-master-0.demo", "svc: []"), ("demo-worker-2.demo", "svc: []"), ("demo-master-0.demo", "mpi: []"),
    ("demo-master-0.demo.ns", "svc: []"), ("demo-master-0.demo.ns.svc.cluster.local", "svc: []"), ("Demo-Master-0.Demo", "svc: []"),
    ("10.0.0.7", ""), ("gpu-17.example.com", ""), ("train-master-0.train.example.com", ""), ("rendezvous", "svc: []"),
    ("redis-0.redis", "svc: []"), ("$(VC_MASTER_HOSTS)", "svc: []"), ("''", ""), ("demo", ""),
    ("demo-$(TASK)-0.demo", "svc: []"), ("demo.example.com", "svc: []"), ("demo-chief-0.demo.example.com", "svc: []"),
    ("demo-chief-0.demo", "pytorch: []"),  # the plugin's own value wins
])
def test_fine(value: str, plugins: str) -> None:
    assert check_manifest(RULE, env(value, plugins)) == []


def test_other_variables_and_sources_are_not_judged() -> None:
    assert check_manifest(RULE, env("demo-chief-0.demo", name="MASTER_HOST")) == []
    source = task("image: b:1\nenv: [{name: MASTER_ADDR, valueFrom: {fieldRef: {fieldPath: status.podIP}}}]", replicas=2)
    assert check_manifest(RULE, job(source)) == []


def test_init_containers_do_not_get_the_plugin_s_value() -> None:
    pod = "initContainers: [{name: a, image: b:1, env: [{name: MASTER_ADDR, value: demo-chief-0.demo}]}]"
    text = job(task(name="master", pod=pod), task(replicas=2), spec="plugins: {pytorch: []}")
    assert [found.message for found in check_manifest(RULE, text)] == ["`MASTER_ADDR` is `demo-chief-0.demo`, which names no pod of the job"]


def test_the_namespace_must_be_the_job_s() -> None:
    text = env("demo-master-0.demo.research.svc").replace("  name: demo\n", "  name: demo\n  namespace: vision\n", 1)
    message = "`MASTER_ADDR` is `demo-master-0.demo.research.svc`, which is not in the job's namespace `vision`"
    assert check_manifest(RULE, text) == [Found(16, 40, "error", message, RIGHT)]
    assert check_manifest(RULE, text.replace("research", "vision")) == []
    assert check_manifest(RULE, text.replace("demo.research.svc", "demo.vision")) == []
    for value, message in (("demo-chief-0.demo", "which names no pod of the job"), ("old-master-0.old", "the address of a pod of job `old`")):
        [found] = check_manifest(RULE, text.replace("demo-master-0.demo.research.svc", f"{value}.vision"))
        assert found.message == f"`MASTER_ADDR` is `{value}.vision`, {message}"


def test_a_hostname_of_the_template_is_part_of_the_address() -> None:
    own = "hostname: boss\nsubdomain: mesh"
    assert check_manifest(RULE, env("boss.mesh", master=own)) == []
    assert check_manifest(RULE, env("boss.mesh", "", master=own)) == []
    [found] = check_manifest(RULE, env("boss", master=own))
    assert (found.level, found.help) == ("warning", "write `boss.mesh`")
    [found] = check_manifest(RULE, env("boss", "", master=own))
    assert (found.level, found.help) == ("error", "write `boss.mesh`")
    [found] = check_manifest(RULE, env("demo-master-0.demo", master=own))
    assert (found.level, found.help) == ("error", "write `boss.mesh`")


def test_in_a_job_of_one_pod_bare_names_are_fine() -> None:
    for value in ("localhost", "demo-worker-0", "worker", "demo"):
        one = job(task(f"image: b:1\nenv: [{{name: MASTER_ADDR, value: {value}}}]"), spec="plugins: {svc: []}")
        assert check_manifest(RULE, one) == []


def test_without_one_master_no_address_is_offered() -> None:
    text = job(task("image: b:1\nenv: [{name: MASTER_ADDR, value: localhost}]", replicas=2), spec="plugins: {svc: []}")
    assert [found.help for found in check_manifest(RULE, text)] == [ANY]
    text = text.replace("  tasks:\n", "  tasks:\n" + indented(task(name="chief"), 2))
    assert [found.help for found in check_manifest(RULE, text)] == ["write `demo-chief-0.demo`"]
    text = text.replace("  tasks:\n", "  tasks:\n" + indented(task(name="master"), 2))
    assert [found.help for found in check_manifest(RULE, text)] == ["write `demo-master-0.demo`"]


@pytest.mark.parametrize(("head", "value", "wrong"), [
    ("generateName: demo-", "demo-x-master-0.demo-x", True), ("generateName: demo-", "10.0.0.1", False),
    ("generateName: demo-", "demo-master-0", False), ("generateName: demo-", "demo-x-master-0.demo-x.example.com", False),
    ("generateName: demo-", "master.demo-x", False), ("generateName: demo-\n  namespace: ns", "demo-x-master-0.demo-x.ns", True),
    ("generateName: demo-", "demo-x-master-0.demo-x.ns", False),
])
def test_a_name_that_is_made_up(head: str, value: str, wrong: bool) -> None:
    found = check_manifest(RULE, env(value).replace("name: demo\n", f"{head}\n", 1))
    message = f"`MASTER_ADDR` is `{value}`, and the job's name is made up for each run"
    help = "take the first host of `VC_MASTER_HOSTS`, which the plugin `svc` sets"
    assert [each[2:] for each in found] == ([("error", message, help)] if wrong else [])


def spec_of(text: str) -> str:
    return text[text.index("spec:\n"):]


def test_cron_jobs_and_templates_of_jobs() -> None:
    cron = ("apiVersion: batch.volcano.sh/v1alpha1\nkind: CronJob\nmetadata: {name: nightly}\nspec:\n  jobTemplate:\n"
            + indented(spec_of(env("nightly-master-0.nightly")), 4))
    assert [found.level for found in check_manifest(RULE, cron)] == ["error"]
    template = "apiVersion: flow.volcano.sh/v1alpha1\nkind: JobTemplate\nmetadata: {name: train}\n"
    assert [found.level for found in check_manifest(RULE, template + spec_of(env("train-master-0.train")))] == ["error"]
    assert check_manifest(RULE, template + spec_of(env("flow-train-master-0.flow-train"))) == []


def test_the_bare_pod_of_another_job_of_the_file() -> None:
    both = env("old-master-0") + "---\n" + job(task(name="master")).replace("name: demo\n", "name: old\n", 1)
    assert [(found.level, found.message) for found in check_manifest(RULE, both)] == [
        ("error", "`MASTER_ADDR` is `old-master-0`, a pod of job `old`"),
    ]
    assert check_manifest(RULE, env("old-master-0")) == []
    assert check_manifest(RULE, both.replace("old-master-0", "old-master-0.mesh")) == []
