from __future__ import annotations

import json
import os

import kubernetes_validate
import pytest

from hetc import site as sites
from hetc.diagnostic import Report
from hetc.origin import Located, Origin
from hetc.record import replace
from hetc.rules.volume_kind import HELP, RULE
from hetc.security import OTHER_VOLUMES
from hetc.source import Source, Span
from tests.rules.checks import NO_SITE, check_manifest
from tests.rules.helpers import job

CLAIM = "mount a PersistentVolumeClaim; the platform's owner can make one of such storage"
SAFE = ("configMap", "secret", "emptyDir", "persistentVolumeClaim", "projected", "downwardAPI", "ephemeral")
ORIGIN = Origin(Span(Source("hetc.toml", ""), 0, 0))
ALLOWING = replace(NO_SITE, policy=sites.Policy(volumes=(Located("nfs", ORIGIN),)))


def volume(source: str) -> str:
    return job(pod=f"volumes: [{{name: v, {source}}}]\n")


@pytest.mark.parametrize("kind", OTHER_VOLUMES)
def test_kinds_that_reach_out(kind: str) -> None:
    message = f"volume `v` of task `worker` is of the kind `{kind}`, which pods may not have"
    assert check_manifest(RULE, volume(f"{kind}: {{x: y}}")) == [(13, 29, "error", message, HELP.get(kind, CLAIM))]


@pytest.mark.parametrize("kind", [*SAFE, "hostPath"])
def test_safe_kinds_and_the_one_of_another_rule(kind: str) -> None:
    assert check_manifest(RULE, volume(f"{kind}: {{}}")) == []


def test_every_kind_of_the_api_is_known() -> None:
    folder = os.path.join(os.path.dirname(kubernetes_validate.__file__), "kubernetes-json-schema")
    kinds = set()
    for version in os.listdir(folder):
        with open(os.path.join(folder, version, "volume-v1.json"), encoding="utf-8") as file:
            kinds.update(json.load(file)["properties"])
    assert kinds == {"name", "hostPath", *SAFE, *OTHER_VOLUMES}


@pytest.mark.parametrize("source", ["NFS: {server: s}", "git_repo: {repository: r}", "cephFS: {monitors: []}"])
def test_other_spellings(source: str) -> None:
    assert [found.column for found in check_manifest(RULE, volume(source))] == [29]


def test_what_the_site_allows() -> None:
    assert check_manifest(RULE, volume("nfs: {server: s}"), ALLOWING) == []
    assert [found.column for found in check_manifest(RULE, volume("rbd: {}"), ALLOWING)] == [29]
    assert check_manifest(RULE, volume("nfs: null")) == []


ROOT = '[policy]\nvolumes = ["nfs", "csi"]\n'


def settings(nearest: str, root: str | None, folder: str) -> tuple[list[str], list[str]]:
    """The kinds in force, and what is reported."""
    report = Report()
    trees = []
    for number, text in enumerate((nearest, root)):
        path = os.path.join(folder, f"{number}.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text or "")
        trees.append(sites.load(path, f"{number}.toml") if text is not None else None)
    site = sites.site(trees[0], trees[1], report)
    return [kind.value for kind in site.policy.volumes], [f"{each.code.code} {each.message}" for each in report.sorted()]


@pytest.mark.parametrize(("nearest", "root", "kinds", "reported"), [
    ("", ROOT, ["nfs", "csi"], []),
    ("[policy]\nmax_gpus = 1\n", ROOT, ["nfs", "csi"], []),
    ('[policy]\nvolumes = ["nfs"]\n', ROOT, ["nfs"], []),
    ("[policy]\nvolumes = []\n", ROOT, [], []),
    ('[policy]\nvolumes = ["nfs", "rbd"]\n', ROOT, ["nfs"], ["HET033 `rbd` in `policy.volumes` is outside what the repository root allows"]),
    (ROOT, None, [], ["HET033 `csi` in `policy.volumes` is outside what the repository root allows",
                      "HET033 `nfs` in `policy.volumes` is outside what the repository root allows"]),
    ("", '[policy]\nvolumes = ["hostPath"]\n', ["hostPath"], ["HET019 `hostPath` in `policy.volumes` is no kind of volume that a site can allow"]),
])
def test_only_the_root_allows(nearest: str, root: str | None, kinds: list[str], reported: list[str], tmp_path: object) -> None:
    assert settings(nearest, root, str(tmp_path)) == (kinds, reported)
