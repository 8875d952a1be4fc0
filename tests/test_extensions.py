"""A site's own rules: loaded where the root's site file names them, and then like any other rule."""
from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

from hetc import __main__, extensions
from hetc.diagnostic import ERROR, WARNING, Code, Finding
from hetc.levels import is_code, is_own
from hetc.manifest import jobs
from hetc.rule import JobRule, ManifestRule
from tests.rules.checks import job, task

ROOT = Path(__file__).parent.parent
JOB = job(task())
CODE = Code("ACME001", "short-name", WARNING, "a job with a short name")


def check(manifest, site):
    for each in jobs(manifest):
        if len(each.written_name) < 5:
            yield Finding(f"the name `{each.written_name}` is short", each.name_span, "choose a longer one")


def check_job(job, site):
    yield Finding(f"job `{job.name.value}`", job.name.span)


RULE = ManifestRule(CODE, check)


@pytest.fixture(autouse=True)
def _repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "job.yaml").write_text(JOB)
    site('[extensions]\nrules = ["acme"]\n')


@pytest.fixture
def install(monkeypatch):
    """Makes entry points `acme` that lead to an object, as an installed package's do."""
    installed = []

    def entry_points(group, name):
        assert group == "hetc.rules"
        return [each for each in installed if each.name == name]

    def put(loaded, module="acme_rules", name="acme"):
        fake = types.ModuleType(module)
        fake.RULES = loaded
        monkeypatch.setitem(sys.modules, module, fake)
        installed.append(importlib.metadata.EntryPoint(name, f"{module}:RULES", "hetc.rules"))

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    return put


def site(text, name="hetc.toml"):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def hetc(capfdbinary, *argv):
    status = __main__.run(list(argv))
    captured = capfdbinary.readouterr()
    return status, captured.out.decode(), captured.err.decode()


def own(capfdbinary, *argv):
    """Exit status, and the lines about ACME codes."""
    status, out, _ = hetc(capfdbinary, "lint", "--output-format", "concise", *argv)
    return status, [line for line in out.splitlines() if "ACME" in line]


LINE = "job.yaml:4:9: {} ACME001: the name `demo` is short [short-name]"


def test_its_findings_are_like_hetcs(capfdbinary, install):
    install(RULE)
    assert own(capfdbinary, "job.yaml") == (0, [LINE.format("warning")])
    assert own(capfdbinary, "--fail-on", "warning", "--select", "ACME", "job.yaml") == (1, [LINE.format("warning")])
    assert own(capfdbinary, "--select", "HET7", "job.yaml") == (0, [])
    assert own(capfdbinary, "--ignore", "ACME0", "job.yaml") == (0, [])
    assert own(capfdbinary, "--isolated", "job.yaml") == (0, [])


def test_the_site_sets_its_level(capfdbinary, install):
    install(RULE)
    site('[extensions]\nrules = ["acme"]\n[rules]\nACME001 = "error"\n')
    assert own(capfdbinary, "job.yaml") == (1, [LINE.format("error")])
    site('[extensions]\nrules = ["acme"]\n[rules]\nACME001 = "off"\n')
    assert own(capfdbinary, "job.yaml") == (0, [])
    site('[extensions]\nrules = ["acme"]\n[per-path]\n"*.yaml" = ["ACME001"]\n')
    assert own(capfdbinary, "job.yaml") == (0, [])
    site('[extensions]\nrules = ["acme"]\n[rules]\nACME002 = "off"\n')
    assert "hetc.toml:4:1: error HET012: there is no rule `ACME002`" in hetc(capfdbinary, "lint", "--output-format", "concise", "job.yaml")[1]


def test_comments_silence_it(capfdbinary, install):
    install(RULE)
    Path("job.yaml").write_text(JOB.replace("name: demo", "name: demo  # hetc: ignore[ACME001] it is a demo", 1))
    assert own(capfdbinary, "job.yaml") == (0, [])
    site("")
    assert own(capfdbinary, "job.yaml")[1] == ["job.yaml:4:30: warning HET036: there is no rule `ACME001` [unused-ignore]"]


def test_baselines_know_it(capfdbinary, install):
    install(RULE)
    hetc(capfdbinary, "lint", "--write-baseline", "base.json", "job.yaml")
    assert own(capfdbinary, "--baseline", "base.json", "job.yaml") == (0, [])


@pytest.mark.parametrize("form", ["json", "json-lines", "sarif", "github", "junit", "gitlab", "text"])
def test_every_form_shows_it(capfdbinary, install, form):
    install(RULE)
    assert "ACME001" in hetc(capfdbinary, "lint", "--output-format", form, "job.yaml")[1]


def test_the_json_form_keeps_its_schema(capfdbinary, install):
    jsonschema = pytest.importorskip("jsonschema")
    install(RULE)
    found = json.loads(hetc(capfdbinary, "lint", "--output-format", "json", "job.yaml")[1])
    jsonschema.Draft7Validator(json.loads((ROOT / "schemas/diagnostics.schema.json").read_text())).validate(found)


def test_several_processes_find_the_same(capfdbinary, install):
    install(RULE)
    for number in range(60):
        Path(f"job{number}.yaml").write_text(JOB)
    assert own(capfdbinary, "--jobs", "2", ".") == own(capfdbinary, "--jobs", "1", ".")
    assert len(own(capfdbinary, "--jobs", "2", ".")[1]) == 61


def test_rules_over_the_job_see_requests_alone(capfdbinary, install):
    install((JobRule(Code("ACME007", "any-job", ERROR, "any job"), check_job), RULE))
    Path("a.het").write_text("1*master<cpu=1>\n---\nimage: registry.example/a:1\ncommand: a\n")
    status, out, err = hetc(capfdbinary, "build", "--output-format", "concise", "a.het")
    assert (status, out) == (1, "")
    assert "a.het:1:1: error ACME007: job `a` [any-job]\n" in err
    assert own(capfdbinary, "job.yaml") == (0, [LINE.format("warning")])


def test_pages(capfdbinary, install):
    module = sys.modules[check.__module__]
    install(RULE)
    status, out, _ = hetc(capfdbinary, "rule", "ACME001")
    assert (status, out) == (0, f"# ACME001 short-name\n\n{module.__doc__}\n")
    assert hetc(capfdbinary, "rule", "short-name")[1] == out
    assert "ACME001  warning  short-name" in hetc(capfdbinary, "rule")[1]
    assert "ACME001" in [each["code"] for each in json.loads(hetc(capfdbinary, "rule", "--format", "json")[1])]
    assert hetc(capfdbinary, "rule", "--isolated", "ACME001")[0] == 2
    module.PAGE = "# Any title\n\nText."
    try:
        assert hetc(capfdbinary, "rule", "ACME001")[1] == "# Any title\n\nText.\n"
        assert "# Any title" in hetc(capfdbinary, "lint", "--output-format", "sarif", "job.yaml")[1]
    finally:
        del module.PAGE


def test_a_broken_extension_hides_no_page_of_hetcs(capfdbinary, install):
    assert hetc(capfdbinary, "rule", "HET702")[0] == 0
    assert hetc(capfdbinary, "rule")[0] == 2


def test_a_nearer_file_loads_no_code(capfdbinary, install):
    install(RULE)
    site("")
    site('[extensions]\nrules = ["acme"]\n', "jobs/hetc.toml")
    Path("jobs/job.yaml").write_text(JOB)
    status, out, _ = hetc(capfdbinary, "lint", "--output-format", "concise", "jobs/job.yaml")
    assert status == 1
    assert "jobs/hetc.toml:2:1: error HET033: `acme` in `extensions.rules` has code run, which only the repository root's site file may do" in out
    assert "ACME001" not in out
    site('[extensions]\nrules = ["acme"]\n')
    assert "ACME001" in hetc(capfdbinary, "lint", "jobs/job.yaml")[1]


def test_a_file_outside_any_repository_loads_no_code(capfdbinary, install):
    install(RULE)
    os.rmdir(".git")
    status, out, _ = hetc(capfdbinary, "lint", "--output-format", "concise", "job.yaml")
    assert status == 1 and "HET033" in out and "ACME001" not in out
    assert own(capfdbinary, "--config", "hetc.toml", "job.yaml") == (0, [LINE.format("warning")])


def raises(manifest, site):
    raise KeyError("x")
    yield


def yields_text(manifest, site):
    yield "text"


def rule(code="ACME001", name="short-name", level=WARNING, check=check):
    return ManifestRule(Code(code, name, level, "a title"), check)


@pytest.mark.parametrize(("loaded", "message"), [
    (None, "`acme_rules:RULES` of `acme_rules:RULES` is no rule: a `NoneType`, not a JobRule or ManifestRule"),
    ((RULE, "x"), "`acme_rules:RULES` of `acme_rules:RULES` is no rule: a `str`"),
    (rule("HET901"), "`HET901` of `acme_rules:RULES` is no code of a site's own"),
    (rule("HETX901"), "`HETX901` of `acme_rules:RULES` is no code of a site's own"),
    (rule("acme001"), "`acme001` of `acme_rules:RULES` is no code of a site's own"),
    (rule("ACME1"), "`ACME1` of `acme_rules:RULES` is no code of a site's own"),
    (rule("ACME001\n"), "is no code of a site's own"),
    (ManifestRule("ACME001", check), "a rule of `acme_rules:RULES` has no code of four texts"),
    (rule(name="Short Name"), "`Short Name`, the name of `ACME001` of `acme_rules:RULES`, is not of lower case"),
    (rule(level="fatal"), "`fatal`, the level of `ACME001` of `acme_rules:RULES`, is none of info, warning, error"),
    (rule(name="floating-image"), "`floating-image` of `acme_rules:RULES` is taken by hetc"),
    ((RULE, rule(name="other")), "`ACME001` of `acme_rules:RULES` is taken by `acme_rules:RULES`"),
    (rule(check=raises), "rule `ACME001` of `acme_rules:RULES` failed: KeyError: 'x'"),
    (rule(check=yields_text), "rule `ACME001` of `acme_rules:RULES` failed: TypeError: a finding is a Finding, not a str"),
])
def test_a_wrong_one_is_a_usage_error(capfdbinary, install, loaded, message):
    install(loaded)
    status, out, err = hetc(capfdbinary, "lint", "job.yaml")
    assert (status, out) == (2, "")
    assert message in err


def test_the_traceback_is_there_for_who_asks(capfdbinary, install, monkeypatch):
    install(rule(check=raises))
    monkeypatch.setenv("HETC_TRACEBACK", "1")
    status, _, err = hetc(capfdbinary, "lint", "job.yaml")
    assert status == 70 and "in raises" in err


def test_what_is_not_installed_or_twice(capfdbinary, install):
    status, _, err = hetc(capfdbinary, "lint", "job.yaml")
    assert status == 2
    assert "`extensions.rules` names `acme`, and no installed package has an entry point of this name in the group `hetc.rules`" in err
    install(RULE, "one")
    install(RULE, "two")
    assert "`extensions.rules` names `acme`, which is an entry point of `one:RULES` and `two:RULES`" in hetc(capfdbinary, "lint", "job.yaml")[2]


def test_what_cannot_be_imported(capfdbinary, monkeypatch):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: [importlib.metadata.EntryPoint("acme", "no_such_module:x", "hetc.rules")])
    status, _, err = hetc(capfdbinary, "lint", "job.yaml")
    assert status == 2
    assert "the rules `acme` of `no_such_module:x` cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'" in err


def test_a_rule_named_twice_runs_once(install):
    install(RULE)
    from hetc.origin import Located, Origin
    from hetc.source import Source, Span

    name = Located("acme", Origin(Span(Source("x", ""), 0, 0)))
    assert len(extensions.load([name, name], [])) == 1


@pytest.mark.parametrize(("text", "code", "is_ours"), [
    ("ACME001", True, True), ("ACME", True, False), ("AB12", True, False), ("A001", False, False), ("HET", False, False), ("HETA001", False, False),
    ("HET001", True, False), ("ACME0001", False, False), ("acme001", False, False), ("A" * 17 + "001", False, False),
])
def test_codes(text, code, is_ours):
    assert (is_code(text), is_own(text)) == (code, is_ours)


@pytest.mark.slow
def test_the_example_package(tmp_path):
    """Installed beside hetc, its rule runs; its own tests pass."""
    target = tmp_path / "site"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(target), str(ROOT)])}

    def run(*command, status=0):
        done = subprocess.run([sys.executable, *map(str, command)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    example = ROOT / "examples" / "extension"
    run("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--target", target, example)
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", example, "-c", os.devnull, example / "tests")
    Path("gpu.yaml").write_text(job(task("image: registry.example/a:1\nresources: {limits: {nvidia.com/gpu: 1}}")))
    out = run("-m", "hetc", "lint", "--output-format", "concise", "--config", example / "hetc.toml", "gpu.yaml", status=1)
    assert "gpu.yaml:4:9: error ACME001: job `demo` has GPUs and no `runningEstimate` [no-running-estimate]\n" in out
    assert run("-m", "hetc", "rule", "--config", example / "hetc.toml", "ACME001").startswith("# ACME001 no-running-estimate\n\nA job that asks")
