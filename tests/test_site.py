"""The site file: which ones are read, what holds, what a nearer one may change."""
from __future__ import annotations

import os

import pytest

from hetc.inputs import load
from hetc.linter import Linter
from hetc.pipeline import Compiler, Options
from hetc.site import discover
from hetc.source import UsageError
from hetc.tree import plain

JOB = "1*master<cpu=1, mem=1Gi> + 2*worker<cpu=8, mem=64Gi, gpu=8:H100, rdma>\n---\nimage: registry.example/a:1\ncommand: python a.py\nlabels: {team: x}\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))


def tree(**files: str) -> None:
    """Files by path; `__` stands for `/`, `_dot_` for `.`."""
    for name, text in files.items():
        path = name.replace("__", "/").replace("_dot_", ".")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def compiled(path: str, config: str | None = None, isolated: bool = False) -> tuple[object, list[tuple[str, str, str]]]:
    unit = Compiler(Options(config=config, isolated=isolated)).job(load(path), ask_command=True)
    found = [(each.code.code, f"{each.span.source.name}:{':'.join(map(str, each.span.start_position()))}", each.message)
             for each in unit.report.sorted() if each.level == "error"]
    return None if unit.document is None else plain(unit.document), found


def value(document: object, *path: str | int) -> object:
    for key in path:
        document = document[key]  # type: ignore[index]
    return document


WORKER = ("spec", "tasks", 1, "template", "spec")


def test_the_search_stops_at_the_repository_root() -> None:
    tree(hetc_dot_toml="", repo__hetc_dot_toml="", repo__a__b__x="", repo__a__hetc_dot_toml="")
    here = os.path.realpath(".")
    assert discover("repo/a/b") == (f"{here}/repo/a/hetc.toml", None)
    os.mkdir("repo/.git")
    assert discover("repo/a/b") == (f"{here}/repo/a/hetc.toml", f"{here}/repo/hetc.toml")
    os.remove("repo/hetc.toml")
    os.remove("repo/a/hetc.toml")
    assert discover("repo/a/b") == (None, None)


def test_pyproject_counts_where_it_has_the_table() -> None:
    tree(pyproject_dot_toml="[tool.other]\nx = 1\n", repo__pyproject_dot_toml='[tool.hetc.defaults]\nnamespace = "here"\n', repo__job_dot_het=JOB)
    os.mkdir("repo/.git")
    document, found = compiled("repo/job.het")
    assert found == []
    assert value(document, "metadata", "namespace") == "here"


def test_isolated_reads_none_and_config_replaces_all() -> None:
    tree(hetc_dot_toml='[defaults]\nnamespace = "near"\n', other_dot_toml='[defaults]\nnamespace = "given"\n', job_dot_het=JOB)
    assert value(compiled("job.het")[0], "metadata", "namespace") == "near"
    assert value(compiled("job.het", config="other.toml")[0], "metadata", "namespace") == "given"
    assert "namespace" not in value(compiled("job.het", isolated=True)[0], "metadata")  # type: ignore[operator]


def test_a_missing_or_broken_configuration_is_a_usage_error() -> None:
    tree(job_dot_het=JOB, bad_dot_toml="[gpu\n", latin_dot_toml="")
    with open("latin.toml", "wb") as file:
        file.write(b'x = "\xe9"\n')
    for path, message in (("nowhere.toml", "cannot read `nowhere.toml`"), ("bad.toml", "bad.toml: no TOML"), ("latin.toml", "latin.toml:1:6: byte 0xE9")):
        with pytest.raises(UsageError, match=message):
            compiled("job.het", config=path)


@pytest.mark.parametrize(("text", "found"), [
    ('[gpus]\nx = 1\n', [("HET012", "c.toml:1:2", "unknown key `gpus` in the site file")]),
    ('[gpu]\nresorce = "x"\n', [("HET012", "c.toml:2:1", "unknown key `resorce` in `gpu`")]),
    ("[rdma]\nipc_lock = 1\n", [("HET014", "c.toml:2:1", '`ipc_lock` is `"1"`, not `true` or `false`')]),
    ('[policy]\nmax_gpus = "8"\n', [("HET014", "c.toml:2:1", '`max_gpus` is `"8"`, not an integer')]),
    ("[policy]\nqueues = \"default\"\n", [("HET014", "c.toml:2:1", '`queues` is `"default"`, not a list')]),
    ("[policy]\nqueues = [1]\n", [("HET015", "c.toml:2:1", 'an item of `queues` is `"1"`, which YAML reads as a number, not as a string')]),
    ("[profiles]\nx = \"x\"\n", [("HET014", "c.toml:2:1", "profile `x` is `\"x\"`, not a mapping")]),
    ("[volcano]\nversion = \"1.9\"\n", [("HET019", "c.toml:2:1", "`volcano.version`: hetc does not know Volcano `1.9`")]),
    ("[volcano]\nversion = \"1.17\"\n", [("HET019", "c.toml:2:1", "`volcano.version`: hetc does not know Volcano `1.17`")]),
    ("[volcano]\nversion = \"newest\"\n", [("HET019", "c.toml:2:1", "`volcano.version`: `newest` is no version of Volcano")]),
    ("[defaults]\ncpu = 4\n", [("HET020", "c.toml:2:1", "`cpu` is shape, and shape stands in the request only")]),
    ("[defaults.securityContext]\nprivileged = true\n",
     [("HET401", "c.toml:1:2", "`securityContext` is not allowed: a security context loosens what the platform set")]),
    ("[defaults]\nimage = 2026-08-01\n", [("HET015", "c.toml:2:1", '`image` is `"2026-08-01"`, which YAML reads as a number, not as a string')]),
    ("[defaults.tasks.master]\nimage = \"x\"\n", [("HET012", "c.toml:1:2", "unknown key `tasks` in an overlay")]),
])
def test_mistakes_point_at_the_line(text: str, found: list[tuple[str, str, str]]) -> None:
    tree(job_dot_het=JOB, c_dot_toml=text)
    assert compiled("job.het", config="c.toml")[1] == found


@pytest.mark.parametrize(("text", "help"), [
    ("[default]\n", "did you mean `defaults`?"), ("[profile]\n", "did you mean `profiles`?"),
    ('[policy]\nqueues = "default"\n', 'write `["default"]`'),
    ('[rules]\nbad-quantity = "off"\n', "write a code such as `HET702`; `hetc rule` lists them"),
    ('[rules]\nHET999 = "off"\n', "`hetc rule` lists them"),
])
def test_what_to_write_instead(text: str, help: str) -> None:
    tree(c_dot_toml=text)
    assert [each.help for each in Compiler(Options(config="c.toml")).site_file("c.toml").diagnostics] == [help]


@pytest.mark.parametrize(("path", "options", "found"), [
    ("hetc.toml", Options(), []),
    ("hetc.toml", Options(isolated=True), []),
    ("hetc.toml", Options(config="other.toml"), []),
    ("pyproject.toml", Options(), []),
    ("other.toml", Options(), [("HET012", "other.toml")]),
    ("other.toml", Options(config="other.toml"), [("HET012", "other.toml")]),
    ("own.toml", Options(), []),  # it does not hold, so the package that it names is not looked for
    ("team/hetc.toml", Options(), [("HET033", "team/hetc.toml")]),  # as it holds there, below the root's
])
def test_a_site_file_is_checked_by_its_name(path: str, options: Options, found: list[tuple[str, str]]) -> None:
    repository('[rules]\nHET601 = "off"\n', '[rules]\nHET405 = "off"\n')
    tree(other_dot_toml="[polcy]\n", own_dot_toml='[extensions]\nrules = ["nowhere"]\n', pyproject_dot_toml='[project]\nname = "x"\n')
    looked = Linter(Compiler(options), set()).look(path)
    assert [(each.code.code, each.span.source.name) for each in looked.report.diagnostics] == found
    assert (looked.documents, looked.unknown, looked.complaint) == (1, (), None)


def test_a_broken_site_file_is_told_by_its_name() -> None:
    tree(bad_dot_toml="[gpu\n")
    assert "bad.toml: no TOML" in str(Linter(Compiler(Options()), set()).look("bad.toml").complaint)


@pytest.mark.parametrize(("text", "message"), [
    ('[variables]\nprefix = "my-"\n', "`variables.prefix`: `my-` does not begin the name of a shell variable"),
    ('[variables]\nprefix = "a b"\n', "`variables.prefix`: `a b` does not begin the name of a shell variable"),
    ('[kubernetes]\nversion = "abc"\n', "`kubernetes.version`: `abc` is no version of Kubernetes"),
    ('[gpu]\nresource = "cpu"\n', "`gpu.resource`: `cpu` is no extended resource, which has a domain of its own"),
    ('[gpu]\nresource = "hugepages-2Mi"\n', "`gpu.resource`: `hugepages-2Mi` is no extended resource, which has a domain of its own"),
    ('[gpu]\nresource = "requests.x.dev/gpu"\n', "`gpu.resource`: `requests.x.dev/gpu` is no extended resource, which has a domain of its own"),
    ('[rdma]\nresource = "memory"\n', "`rdma.resource`: `memory` is no extended resource, which has a domain of its own"),
    ('[rdma]\nresource = "nvidia.com/gpu"\n', "`rdma.resource` is `nvidia.com/gpu`, which is a resource of GPUs"),
    ('[rdma]\nresource = "kubernetes.io/x"\n', "`rdma.resource`: `kubernetes.io/x` is no extended resource, which has a domain of its own"),
])
def test_names_that_would_make_wrong_manifests(text: str, message: str) -> None:
    tree(job_dot_het=JOB, c_dot_toml=text)
    assert compiled("job.het", config="c.toml")[1] == [("HET019", "c.toml:2:1", message)]


@pytest.mark.parametrize("name", ["x" * 64, "a b", "Upper"])
def test_a_scheduler_that_no_job_can_name(name: str) -> None:
    tree(job_dot_het=JOB, c_dot_toml=f'[volcano]\nscheduler = "{name}"\n')
    assert [(code, place) for code, place, _ in compiled("job.het", config="c.toml")[1]] == [("HET019", "c.toml:2:1")]


@pytest.mark.parametrize("near", [
    '[gpu]\nproduct_label = "kubernetes.io/hostname"\n', '[gpu.models]\nbig = {products = ["n1"], label = "kubernetes.io/hostname"}\n',
])
def test_a_nearer_file_brings_no_other_node_label(near: str) -> None:
    _, found = repository('[policy]\nnode_labels = ["node-type"]\n', near)
    assert [(code, place.split(":")[0]) for code, place, _ in found] == [("HET033", "team/hetc.toml")]


@pytest.mark.parametrize("text", ["[ tool.hetc.policy ]\nmax_gpus = 1\n", '[tool."hetc".policy]\nmax_gpus = 1\n', "tool = {hetc = {policy = {max_gpus = 1}}}\n"])
def test_the_table_in_any_spelling(text: str) -> None:
    tree(pyproject_dot_toml=text, job_dot_het=JOB)
    os.mkdir(".git")
    assert [code for code, _, _ in compiled("job.het")[1]] == ["HET801"]


@pytest.mark.parametrize("text", ["[[tool.hetc]]\n", "[tool]\nhetc = 3\n"])
def test_a_table_that_is_none_is_a_usage_error(text: str) -> None:
    tree(pyproject_dot_toml=text, job_dot_het=JOB)
    with pytest.raises(UsageError, match=r"`tool\.hetc` is no table"):
        compiled("job.het")


def test_settings_reach_the_manifest() -> None:
    tree(job_dot_het=JOB, c_dot_toml="""
[defaults]
namespace = "training"
labels = {team = "overridden", site = "one"}

[gpu]
tolerations = [{key = "nvidia.com/gpu", operator = "Exists", effect = "NoSchedule"}]

[gpu.models]
H100 = ["H-ONE", "H-TWO"]

[rdma]
resource = "rdma/shared"
ipc_lock = true

[variables]
prefix = "HJ_"

[volcano]
scheduler = "gang"
""")
    document, found = compiled("job.het", config="c.toml")
    assert found == []
    assert value(document, "metadata", "labels") == {"app.kubernetes.io/managed-by": "hetc", "site": "one", "team": "x"}
    assert value(document, "spec", "schedulerName") == "gang"
    assert value(document, *WORKER, "tolerations") == [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]
    assert "tolerations" not in value(document, "spec", "tasks", 0, "template", "spec")  # type: ignore[operator]
    container = value(document, *WORKER, "containers", 0)
    assert value(container, "securityContext") == {"capabilities": {"add": ["IPC_LOCK"]}}
    assert value(container, "resources", "limits", "rdma/shared") == "1"
    assert value(container, "env", 0, "name") == "HJ_JOB_NAME"
    affinity = value(document, *WORKER, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    assert value(affinity, "nodeSelectorTerms", 0, "matchExpressions", 0, "values") == ["H-ONE", "H-TWO"]


def repository(root: str, near: str) -> tuple[object, list[tuple[str, str, str]]]:
    tree(hetc_dot_toml=root, team__hetc_dot_toml=near, team__job_dot_het=JOB)
    os.makedirs(".git", exist_ok=True)
    return compiled("team/job.het")


@pytest.mark.parametrize(("near", "found"), [
    ("[rdma]\nipc_lock = true\n", [("HET033", "team/hetc.toml:2:1", "`rdma.ipc_lock` adds a capability, which only the repository root's site file may do")]),
    ('[policy]\nqueues = ["default", "gold"]\n', [("HET033", "team/hetc.toml:2:1", "`gold` in `policy.queues` is outside what the repository root allows")]),
    ("[policy]\nmax_gpus = 64\n", [("HET033", "team/hetc.toml:2:1", "`policy.max_gpus` 64 is above the repository root's 16")]),
    ('[policy]\nregistries = ["docker.io/"]\n',
     [("HET033", "team/hetc.toml:2:1", "`docker.io/` in `policy.registries` is outside what the repository root allows")]),
    ('[policy]\nregistries = ["registry.example/team/"]\nqueues = ["default"]\nmax_gpus = 8\n', "tightened"),
    ("", []),
])
def test_a_nearer_file_tightens_and_never_loosens(near: str, found: object) -> None:
    root = '[policy]\nqueues = ["default"]\nregistries = ["registry.example/"]\nmax_gpus = 16\nrequired_labels = ["team"]\n'
    _, reported = repository(root, near)
    if found == "tightened":
        assert sorted(code for code, _, _ in reported) == ["HET801", "HET801"]  # the registry and the GPUs
    else:
        assert reported == found


@pytest.mark.parametrize("name", ["hetc.toml", "pyproject.toml"])
def test_a_site_file_that_is_found_leads_nowhere_else(name: str) -> None:
    tree(repo__job_dot_het=JOB, secret__pyproject_dot_toml='[tool.hetc]\ntoken = "secret"\n')
    os.makedirs("repo/.git")
    os.symlink("../secret/pyproject.toml", f"repo/{name}")
    with pytest.raises(UsageError, match=f"`repo/{name}` is a link that leads out of its repository"):
        compiled("repo/job.het")
    assert [code for code, _, _ in compiled("repo/job.het", config="secret/pyproject.toml")[1]] == ["HET012"]


def test_an_empty_nearer_file_does_not_drop_the_roots_policy() -> None:
    _, found = repository('[policy]\nqueues = ["gold"]\n', "")
    assert [code for code, _, _ in found] == ["HET801"]


def test_without_a_repository_a_found_file_cannot_add_a_capability() -> None:
    tree(job_dot_het=JOB, hetc_dot_toml="[rdma]\nipc_lock = true\n")
    assert [code for code, _, _ in compiled("job.het")[1]] == ["HET033"]
    document, found = compiled("job.het", config="hetc.toml")
    assert found == []
    assert value(document, *WORKER, "containers", 0, "securityContext") == {"capabilities": {"add": ["IPC_LOCK"]}}


def test_a_nearer_file_can_turn_a_capability_off() -> None:
    document, found = repository("[rdma]\nipc_lock = true\n", "[rdma]\nipc_lock = false\n")
    assert found == []
    assert "securityContext" not in value(document, *WORKER, "containers", 0)  # type: ignore[operator]


def test_other_tables_are_the_nearest_files() -> None:
    document, found = repository('[variables]\nprefix = "ROOT_"\n[volcano]\nscheduler = "root"\n', '[variables]\nprefix = "NEAR_"\n[volcano]\nscheduler = "near"\n')
    assert found == []
    assert value(document, *WORKER, "containers", 0, "env", 0, "name") == "NEAR_JOB_NAME"
    assert value(document, "spec", "schedulerName") == "root"
