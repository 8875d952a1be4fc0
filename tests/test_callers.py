"""The files by which others call hetc: the GitHub action, and what the documentation's pages give for other services."""
from __future__ import annotations

import glob
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import transcripts
from tests.conftest import ROOT
from tests.judges import built, needs_actionlint, needs_helm4, needs_kustomize

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GOOD = (ROOT / "golden" / "homogeneous" / "expected.yaml").read_text(encoding="utf-8")
BAD_REQUEST = "1*master<cpu=16, mem=64>"


def files_of(page: str, folder: Path) -> Path:
    """Write the files of a page."""
    for step in transcripts.steps((ROOT / "docs" / page).read_text(encoding="utf-8")):
        if step.file is not None:
            (folder / step.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / step.file).write_text(step.text, encoding="utf-8")
    return folder


@pytest.fixture
def path(tmp_path: Path) -> dict[str, str]:
    """An environment in which `hetc` is this checkout."""
    folder = tmp_path / "environment"
    folder.mkdir()
    return transcripts.environment(folder)


def fits(schema: str, *files: Path) -> str:
    """What a schema that check-jsonschema brings has against files."""
    done = subprocess.run([sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files], capture_output=True,
                          text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_the_action_and_the_pipelines_have_the_form_of_such(tmp_path: Path) -> None:
    assert fits("github-actions", ROOT / "action.yml") == ""
    assert fits("github-workflows", files_of("ci/github.md", tmp_path) / ".github/workflows/jobs.yaml") == ""
    assert fits("gitlab-ci", files_of("ci/gitlab.md", tmp_path) / ".gitlab-ci.yml") == ""
    (tmp_path / "action.yml").write_text("name: x\nruns: {using: composite}\n")
    assert fits("github-actions", tmp_path / "action.yml") != ""


@needs_actionlint
@pytest.mark.parametrize(("extra", "said"), [("", ""), ("nonsense: x", 'input "nonsense" is not defined')])
def test_the_workflow_calls_the_action_with_inputs_that_it_has(extra: str, said: str, tmp_path: Path) -> None:
    workflow = files_of("ci/github.md", tmp_path) / ".github/workflows/jobs.yaml"
    (tmp_path / "hetc").mkdir()
    (tmp_path / "hetc" / "action.yml").write_bytes((ROOT / "action.yml").read_bytes())
    text = workflow.read_text().replace("your-org/hetc@v0.1.0", "./hetc").replace("output: hetc.sarif", f"output: hetc.sarif\n          {extra}")
    workflow.write_text(text)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    done = subprocess.run([str(built("actionlint")), "-no-color", workflow], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (said in done.stdout) if said else (done.stdout == ""), done.stdout


class Runner:
    """Runs the action's steps as GitHub does."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.output = folder / "output"
        self.output.touch()
        self.environment = {**environment, "RUNNER_TEMP": str(folder / "temp"), "GITHUB_OUTPUT": str(self.output), "GITHUB_ACTIONS": "true"}
        (folder / "temp").mkdir()

    def shim(self) -> None:
        """Put this checkout where the action installs hetc."""
        (self.folder / "temp/hetc/bin").mkdir(parents=True)
        (self.folder / "temp/hetc/bin/hetc").symlink_to(transcripts.shim(self.environment))

    def step(self, number: int, **inputs: str) -> subprocess.CompletedProcess[str]:
        step: dict[str, Any] = ACTION["runs"]["steps"][number]
        assert step["shell"] == "bash"
        values = {f"inputs.{name}": inputs.get(name, spec["default"]) for name, spec in ACTION["inputs"].items()}
        values["github.action_path"] = str(ROOT)
        own = {name: re.sub(r"\$\{\{ (\S+) \}\}", lambda match: values[match[1]], text) for name, text in step["env"].items()}
        assert "${{" not in step["run"], "an expression in a script lets its value write the script"
        (self.folder / "step.sh").write_text(step["run"])
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh"], cwd=self.folder, env={**self.environment, **own},
                              capture_output=True, text=True, check=False)


@pytest.fixture
def runner(tmp_path: Path, path: dict[str, str]) -> Runner:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "bad.het").write_text(BAD_REQUEST)
    (tmp_path / "good files").mkdir()
    (tmp_path / "good files" / "good.yaml").write_text(GOOD)
    return Runner(tmp_path, path)


def test_the_action_annotates(runner: Runner) -> None:
    runner.shim()
    done = runner.step(1, paths="jobs/\ngood files\n")
    assert done.returncode == 1
    assert done.stdout.startswith("::error title=HET201 bad-quantity,file=jobs/bad.het,line=1,")
    assert runner.output.read_text() == ""
    assert runner.step(1, paths="good files").returncode == 0


def test_the_action_takes_options_word_by_word(runner: Runner) -> None:
    runner.shim()
    (runner.folder / "my site.toml").write_text('[rules]\nHET201 = "warning"\n')
    done = runner.step(1, args="--config\nmy site.toml\n\n--fail-on\nwarning\n", paths="good files\n$(touch owned)\n")
    assert "hetc: cannot read `$(touch owned)`" in done.stderr
    assert not (runner.folder / "owned").exists()
    assert runner.step(1, args="--nonsense").returncode == 2


def test_the_action_writes_sarif_beside(runner: Runner) -> None:
    runner.shim()
    done = runner.step(1, output="hetc.sarif", paths="jobs")
    assert done.returncode == 1
    assert "::error" in done.stdout
    assert runner.output.read_text() == "output=hetc.sarif\n"
    log = json.loads((runner.folder / "hetc.sarif").read_text())
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["HET201"]
    runner.output.write_text("")
    assert runner.step(1, output="hetc.sarif", paths="missing.het").returncode != 0
    assert runner.output.read_text() == "", "a file that is not whole is named"


@pytest.mark.slow
def test_the_action_installs_hetc(runner: Runner) -> None:
    done = runner.step(0, python=sys.executable)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("hetc ")
    del runner.environment["PYTHONPATH"]
    assert runner.step(1, paths="jobs").returncode == 1


def test_the_gitlab_job_writes_both_reports(tmp_path: Path, path: dict[str, str]) -> None:
    job = yaml.safe_load((files_of("ci/gitlab.md", tmp_path) / ".gitlab-ci.yml").read_text())["hetc"]
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "bad.het").write_text(BAD_REQUEST)
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", "\n".join(job["script"])], cwd=tmp_path, env=path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "HET201" in done.stdout
    reports = job["artifacts"]["reports"]
    assert [each["check_name"] for each in json.loads((tmp_path / reports["codequality"]).read_text())] == ["HET201"]
    assert ElementTree.parse(tmp_path / reports["junit"]).getroot().get("failures") == "1"


@pytest.mark.parametrize(("request_", "overlay", "status", "stage"), [
    (None, "", 0, None), (None, "production.het.yaml", 0, "production"), (BAD_REQUEST, "", 1, None),
])
def test_argo_cd_gets_manifests_or_a_message(
    request_: str | None, overlay: str, status: int, stage: str | None, tmp_path: Path, path: dict[str, str],
) -> None:
    spec = yaml.safe_load((files_of("ci/argocd.md", tmp_path) / "plugin.yaml").read_text())["spec"]
    app, site = tmp_path / "app", tmp_path / "hetc.toml"
    app.mkdir()
    site.write_text('[defaults]\nqueue = "research"\n')
    (app / "a job.het").write_text(request_ or (ROOT / "examples" / "cpu.het").read_text())
    (app / "production.het.yaml").write_text("env: {STAGE: production}\n")
    assert glob.glob(spec["discover"]["fileName"], root_dir=app)
    command = [*spec["generate"]["command"], *(word.replace("/etc/hetc/hetc.toml", str(site)) for word in spec["generate"]["args"])]
    given = {key: path[key] for key in ("PATH", "HOME", "PYTHONPATH")} | {"ARGOCD_APP_NAME": "jobs", "ARGOCD_ENV_OVERLAY": overlay}
    done = subprocess.run(command, cwd=app, env=given, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    if status:
        assert done.stdout == ""
        assert "a job.het:1:22: error HET201" in done.stderr
        return
    (job,) = yaml.safe_load_all(done.stdout)
    assert (job["kind"], job["spec"]["queue"]) == ("Job", "batch")
    env = {each["name"]: each.get("value") for each in job["spec"]["tasks"][0]["template"]["spec"]["containers"][0]["env"]}
    assert env.get("STAGE") == stage


@needs_helm4
@pytest.mark.slow
def test_helm_4_takes_the_plugin(tmp_path: Path, path: dict[str, str]) -> None:
    files_of("ci/helm.md", tmp_path)
    home = {name: str(tmp_path / name) for name in ("HELM_DATA_HOME", "HELM_CACHE_HOME", "HELM_CONFIG_HOME")}
    plugins = Path(home["HELM_DATA_HOME"]) / "plugins"
    plugins.mkdir(parents=True)
    (tmp_path / "hetc-plugin").rename(plugins / "hetc")

    def render(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(built("helm4")), "template", "run", "chart", "--post-renderer", "hetc", *options], cwd=tmp_path, capture_output=True,
                              text=True, check=False, env={**path, **home})

    good = render()
    assert good.returncode == 0, good.stderr
    assert "minAvailable: 2" in good.stdout
    bad = render("--set", "minimum=5")
    assert bad.returncode != 0
    assert bad.stdout == ""
    assert 'plugin "hetc" exited with error' in bad.stderr


@needs_kustomize
@pytest.mark.parametrize(("replicas", "status"), [(8, 0), (2, 1)])
def test_kustomize_takes_the_filter_as_a_transformer(replicas: int, status: int, tmp_path: Path, path: dict[str, str]) -> None:
    plugin = tmp_path / "plugins/hetc.dev/v1alpha1/hetcfilter/HetcFilter"
    plugin.parent.mkdir(parents=True)
    plugin.write_text("#!/bin/sh\nexec hetc lint --passthrough -\n")
    plugin.chmod(0o755)
    (tmp_path / "kustomization.yaml").write_text(
        "resources: [job.yaml]\nnamePrefix: dev-\ntransformers: [filter.yaml]\npatches:\n- target: {kind: Job}\n"
        f"  patch: |-\n    - {{op: replace, path: /spec/tasks/0/replicas, value: {replicas}}}\n",
    )
    (tmp_path / "filter.yaml").write_text("apiVersion: hetc.dev/v1alpha1\nkind: HetcFilter\nmetadata: {name: filter}\n")
    (tmp_path / "job.yaml").write_text(
        "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: a}\nspec:\n  queue: q\n  minAvailable: 4\n  tasks:\n"
        "  - {name: w, replicas: 4, template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'busybox:1.36'}]}}}\n",
    )
    done = subprocess.run([str(built("kustomize")), "build", "--enable-alpha-plugins", "."], cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={**path, "KUSTOMIZE_PLUGIN_HOME": str(tmp_path / "plugins")})
    assert done.returncode == status, done.stderr
    if status:
        assert "HET606" in done.stderr
    else:
        assert yaml.safe_load(done.stdout)["metadata"]["name"] == "dev-a"
