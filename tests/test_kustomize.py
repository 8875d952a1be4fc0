"""The plugin, run by a real kustomize and a real kubectl: jobs come out, and what is wrong is named where it stands."""
from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.judges import needs_kubectl, needs_kustomize
from tests.kustomizations import JOB, KRM, LEGACY, Refused, build, config, install, objects, write
from tests.test_pods import run as run_pod
from tests.test_pods import stand_ins as stand_ins  # a fixture

pytestmark = [needs_kustomize, pytest.mark.slow]

CHECK = config("check", "mode: validate")
FORMS = pytest.mark.parametrize(("flags", "function"), [(LEGACY, False), (KRM, True)], ids=["legacy", "function"])
HOST_NETWORK = """\
patches:
- target: {kind: Job}
  patch: |-
    - {op: add, path: /spec/tasks/1/template/spec/hostNetwork, value: true}
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return install(tmp_path_factory.mktemp("plugin"))


def refused(*args: Any, **named: Any) -> str:
    with pytest.raises(Refused) as error:
        build(*args, **named)
    return str(error.value)


def base(folder: Path, function: bool = False, **files: str) -> Path:
    """A kustomization with one generated job."""
    own = {"train_het": JOB, "job_yaml": config("train", "source: train.het", function=function)}
    return write(folder / "base", kustomization="generators: [job.yaml]\n", **{**own, **files})


@FORMS
def test_a_generated_job_is_the_built_one(flags: tuple[str, ...], function: bool, tmp_path: Path, environment: dict[str, str]) -> None:
    from hetc.dump import dump
    from hetc.inputs import load
    from hetc.pipeline import Compiler, Options

    folder = base(tmp_path, function)
    unit = Compiler(Options()).job(load(str(folder / "train.het")), ask_command=True)
    assert unit.document is not None
    assert list(objects(build(folder, environment, *flags)).values()) == list(yaml.safe_load_all(dump([unit.document])))


@needs_kubectl
def test_kubectl_runs_the_older_form(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = base(tmp_path)
    assert build(folder, environment, *LEGACY, program="kubectl") == build(folder, environment, *LEGACY)
    assert "external plugins disabled" in refused(folder, environment, program="kubectl")


def test_a_function_without_its_second_flag_is_skipped_in_silence(tmp_path: Path, environment: dict[str, str]) -> None:
    """kustomize's own fault, of which docs/kustomize.md warns; if this fails, mend that page."""
    assert build(base(tmp_path, function=True), environment, *LEGACY) == ""


@FORMS
def test_an_error_names_the_line_from_where_the_user_stands(
    flags: tuple[str, ...], function: bool, tmp_path: Path, environment: dict[str, str],
) -> None:
    base(tmp_path, function, train_het=JOB.replace("4Gi", "4"))
    over = write(tmp_path / "over", kustomization="resources: [../base]\n")
    said = refused(over, environment, *flags)
    assert "base/train.het:1:21: error HET201: `mem`: `4` has no unit [bad-quantity]\n" in said
    assert "    1 | 1*master<cpu=2, mem=4> + 2*worker<cpu=16, mem=32Gi>\n" in said


@pytest.mark.parametrize(("lines", "says"), [
    (("sources: [train.het, missing.het]",), "HetcJob/train: sources[1]: error HET022: cannot read `missing.het`: no such file or directory"),
    (("sorce: train.het",), "HetcJob/train: sorce: error HET012: unknown key `sorce` in a HetcJob [unknown-key]\n  help: did you mean `source`?"),
    (("request: |", "  1*master<cpu=2>", "  + 2*worker<cpu=16, mem=32>"), "HetcJob/train: request:2:24: error HET201: `mem`: `32` has no unit"),
    (("source: ../train.het",), "HetcJob/train: source: error HET023: `../train.het` lies outside the kustomization's folder"),
])
def test_a_wrong_config_is_named_by_its_field(lines: tuple[str, ...], says: str, tmp_path: Path, environment: dict[str, str]) -> None:
    write(tmp_path, train_het=JOB)
    assert says in refused(base(tmp_path, job_yaml=config("train", *lines)), environment, *LEGACY)


@FORMS
def test_a_validator_stops_what_a_patch_made_of_a_job(
    flags: tuple[str, ...], function: bool, tmp_path: Path, environment: dict[str, str],
) -> None:
    base(tmp_path, function)
    check = config("check", "mode: validate", function=function)
    over = write(tmp_path / "over", kustomization="resources: [../base]\nnamePrefix: dev-\nvalidators: [check.yaml]\n", check_yaml=check)
    good = build(over, environment, *flags)
    assert list(objects(good)) == ["Job/dev-train"]
    write(over, kustomization=(over / "kustomization.yaml").read_text() + HOST_NETWORK)
    assert ("Job/dev-train: spec.tasks[worker].template.spec.hostNetwork: error HET405: task `worker` sets `hostNetwork: true`, "
            "the node's own network [host-namespace]\n") in refused(over, environment, *flags)


@FORMS
def test_a_transformer_passes_on_what_is_right(
    flags: tuple[str, ...], function: bool, tmp_path: Path, environment: dict[str, str],
) -> None:
    base(tmp_path, function)
    secret = "secretGenerator:\n- {name: key, literals: [a=b]}\n"
    plain = write(tmp_path / "plain", kustomization="resources: [../base]\n" + secret)
    over = write(tmp_path / "over", kustomization="resources: [../base]\ntransformers: [check.yaml]\n" + secret,
                 check_yaml=config("check", "mode: transform", function=function))
    assert build(over, environment, *flags) == build(plain, environment, *flags)
    write(over, kustomization=(over / "kustomization.yaml").read_text() + HOST_NETWORK)
    assert "HET405" in refused(over, environment, *flags)


@FORMS
def test_a_config_under_another_list_deletes_nothing_in_silence(
    flags: tuple[str, ...], function: bool, tmp_path: Path, environment: dict[str, str],
) -> None:
    """kustomize does not tell a plugin which list it stands in, and deletes what a transformer does not print."""
    folder = base(tmp_path, function)

    def listed(under: str, *lines: str) -> Path:
        resources = "" if under == "generators" else "resources: [../base]\n"
        (folder / "check.yaml").write_text(config("check", *lines, function=function))
        return write(tmp_path / "over", kustomization=f"{resources}{under}: [check.yaml]\n",
                     check_yaml=config("check", *lines, function=function), train_het=JOB)

    for under in ("transformers", "validators"):
        assert "HetcJob/check: error HET027: `mode: generate` would put its jobs in the place of all resources" in refused(
            listed(under, "source: train.het"), environment, *flags)
    assert "there are no resources for `mode: validate`" in refused(listed("generators", "mode: validate"), environment, *flags)
    assert "there are no resources for `mode: transform`" in refused(listed("generators", "mode: transform"), environment, *flags)
    assert list(objects(build(listed("transformers", "mode: validate"), environment, *flags))) == ["HetcJob/list-this-under-validators"]


def test_a_config_among_the_resources_is_refused(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = base(tmp_path, check_yaml=CHECK)
    write(folder, kustomization="resources: [job.yaml]\nvalidators: [check.yaml]\n")
    assert "HetcJob/train: kind: error HET020: a HetcJob stands among the resources" in refused(folder, environment, *LEGACY)


def test_a_patch_of_replicas_is_refused(tmp_path: Path, environment: dict[str, str]) -> None:
    base(tmp_path)
    patch = "- {op: replace, path: /spec/tasks/1/%s, value: 1}\n"
    operations = "".join("    " + patch % field for field in ("replicas", "minAvailable"))
    over = write(tmp_path / "over", check_yaml=CHECK, kustomization="resources: [../base]\nvalidators: [check.yaml]\npatches:\n"
                 f"- target: {{kind: Job}}\n  patch: |-\n{operations}    - {{op: replace, path: /spec/minAvailable, value: 2}}\n")
    said = refused(over, environment, *LEGACY)
    assert "Job/train: spec.tasks[worker].replicas: error HET631: `replicas` of task `worker` is 1, and its pods are told of 2" in said
    assert said.count("error") == 1


def test_a_queue_that_is_renamed_is_still_the_jobs(tmp_path: Path, environment: dict[str, str]) -> None:
    """Validators run before kustomize writes the new name into the job."""
    queue = "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: research}\nspec: {weight: 1, reclaimable: true}\n"
    folder = base(tmp_path, job_yaml=config("train", "source: train.het", "queue: research"), queue_yaml=queue,
                  check_yaml=config("check", "mode: validate", "fail_on: warning"))
    write(folder, kustomization="generators: [job.yaml]\nresources: [queue.yaml]\nvalidators: [check.yaml]\nnamePrefix: dev-\n")
    assert "Queue/dev-research" in objects(build(folder, environment, *LEGACY))
    write(folder, queue_yaml=queue.replace("research", "other"))
    write(folder, kustomization=(folder / "kustomization.yaml").read_text().replace("namePrefix: dev-\n", ""))
    assert "HET520: queue `research` is none of the queues given here" in refused(folder, environment, *LEGACY)


def test_the_example(tmp_path: Path, environment: dict[str, str]) -> None:
    for folder in ("examples/kustomize", "kustomize/component"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    found = objects(build(tmp_path / "examples/kustomize/overlays/dev", environment, *LEGACY))
    settings = next(name for name in found if name.startswith("ConfigMap/dev-settings-"))
    job = found["Job/dev-finetune"]
    assert job["spec"]["queue"] == "dev-vision" and "namespace" not in found["Queue/dev-vision"]["metadata"]
    master, worker = sorted(job["spec"]["tasks"], key=lambda task: str(task["name"]))
    for task in (master, worker):
        container = task["template"]["spec"]["containers"][0]
        assert container["envFrom"] == [{"configMapRef": {"name": settings.removeprefix("ConfigMap/")}}]
        assert task["template"]["metadata"]["labels"] == {"team": "vision"}
        assert {"AJ_JOB_NAME", "MASTER_ADDR"} <= {each["name"] for each in container["env"]}
    assert [each["name"] for each in worker["template"]["spec"]["volumes"]] == ["scratch", "data"]
    assert [each["name"] for each in master["template"]["spec"]["volumes"]] == ["data"]


def test_ranks_and_the_masters_address_stay_right_under_a_prefix(tmp_path: Path, environment: dict[str, str], stand_ins: str) -> None:
    base(tmp_path)
    over = write(tmp_path / "over", kustomization="resources: [../base]\nnamePrefix: dev-\nnameSuffix: '-2'\n")
    job = objects(build(over, environment, *LEGACY))["Job/dev-train-2"]
    seen = []
    for task in job["spec"]["tasks"]:
        for index in range(task["replicas"]):
            seen.append(run_pod(job, task, index, ["/bin/sh"], stand_ins).splitlines()[-2])
    assert seen == [f"rank={rank} node_rank={rank} world=3 addr=dev-train-2-master-0.dev-train-2 port=29500" for rank in range(3)]


def test_nothing_in_a_job_but_its_name_says_its_name(tmp_path: Path, environment: dict[str, str]) -> None:
    base(tmp_path, train_het=JOB + "plugins: {ssh: {}, env: {}}\nlabels: {a: b}\n", job_yaml=config("quagga", "source: train.het", "name: quagga"))
    found = objects(build(tmp_path / "base", environment, *LEGACY))["Job/quagga"]
    assert yaml.safe_dump(found).count("quagga") == 1


@FORMS
def test_many_sources_are_one_process(flags: tuple[str, ...], function: bool, tmp_path: Path, environment: dict[str, str]) -> None:
    jobs = {f"{name}_het": JOB for name in ("a", "b", "c")}
    folder = base(tmp_path, **jobs, job_yaml=config("all", "sources: [c.het, a.het, b.het]", function=function))
    assert list(objects(build(folder, environment, *flags, "--reorder", "none"))) == ["Job/c", "Job/a", "Job/b"]


def test_overlays_options_and_a_request_in_the_config(tmp_path: Path, environment: dict[str, str]) -> None:
    text = [f"  {line}" for line in JOB.splitlines()]
    folder = base(tmp_path, over_yaml="image: registry.example/other:2\nenv: {A: b}\n",
                  job_yaml=config("inline", "request: |", *text, "overlays: [over.yaml]", "namespace: lab", "queue: night", "command: python x.py"))
    found = objects(build(folder, environment, *LEGACY))["Job/inline"]
    assert (found["metadata"]["namespace"], found["spec"]["queue"]) == ("lab", "night")
    container = found["spec"]["tasks"][1]["template"]["spec"]["containers"][0]
    assert container["image"] == "registry.example/other:2" and "exec python x.py" in container["command"][2]


def test_a_template_and_its_options(tmp_path: Path, environment: dict[str, str]) -> None:
    template = (ROOT / "golden/template-homogeneous/template.yaml").read_text()
    folder = base(tmp_path, template_yaml=template, job_yaml=config("t", "source: template.yaml", "nodes: 3", "name: t"))
    tasks = objects(build(folder, environment, *LEGACY))["Job/t"]["spec"]["tasks"]
    assert sum(task["replicas"] for task in tasks) == 3


@FORMS
def test_a_cluster_that_a_config_names(flags: tuple[str, ...], function: bool, tmp_path: Path, environment: dict[str, str]) -> None:
    queue = "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: vision}\nstatus: {state: %s}\n"
    lines = ("source: train.het", "queue: vision", "cluster: cluster.yaml", "volcano_version: '1.13'")
    folder = base(tmp_path, cluster_yaml=queue % "Open", job_yaml=config("train", *lines, function=function))
    assert list(objects(build(folder, environment, *flags))) == ["Job/train"]
    write(folder, cluster_yaml=queue % "Closed")
    assert "HetcJob/train: queue: error HET520: queue `vision` is `Closed`, and takes no jobs" in refused(folder, environment, *flags)
    write(folder, cluster_yaml="kind: Queue\nb: [\n")
    assert "base/cluster.yaml:2:4: error HET005: a `[` that is never closed" in refused(folder, environment, *flags)
