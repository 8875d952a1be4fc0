"""The component: kustomize merges, names and labels in Volcano's kinds as in Kubernetes' own, and in these as before."""
from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts import component as made
from tests.judges import kubectl, kustomize, needs_kubectl, needs_kustomize
from tests.kustomizations import write

pytestmark = [needs_kustomize, pytest.mark.slow]
PROGRAMS = pytest.mark.parametrize("program", ["kustomize", pytest.param("kubectl", marks=needs_kubectl)])

SCHEMA = made.COMPONENT / "schema.yaml"


def build(folder: Path, program: str = "kustomize") -> list[Any]:
    """The objects that a kustomization comes to."""
    found = kustomize() if program == "kustomize" else kubectl()
    command = [str(found), "build" if program == "kustomize" else "kustomize", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return list(yaml.load_all(done.stdout, yaml.CSafeLoader))


def with_component(folder: Path, objects: list[Any], patches: tuple[Any, ...] = (), component: bool = True, **keys: Any) -> Path:
    """A kustomization of objects, patches and further keys."""
    if component:
        shutil.copytree(made.COMPONENT, folder / "component")
        keys["components"] = ["component"]
    dumped = {"resources": ["objects.yaml"], "patches": [{"patch": yaml.dump(each, Dumper=yaml.CSafeDumper)} for each in patches], **keys}
    return write(folder, kustomization=yaml.safe_dump(dumped), objects_yaml=yaml.dump_all(objects, Dumper=yaml.CSafeDumper))


# What Kubernetes' own kinds do


@cache
def lists() -> list[tuple[str, str, tuple[str, ...], dict[str, Any]]]:
    """apiVersion, kind, the path and the schema of every list of Kubernetes' kinds that has a merge key, by the API's own schemas."""
    from kubernetes_validate import __file__ as package

    folder = Path(package).parent / "kubernetes-json-schema" / "v1.25.0-local"
    definitions = json.loads((folder / "_definitions.json").read_text())
    definitions = definitions.get("definitions") or definitions["$defs"]
    found = []

    def walk(node: dict[str, Any], path: tuple[str, ...], seen: tuple[str, ...]) -> None:
        target = node.get("$ref", "").rpartition("/")[2]
        if target and target in seen:
            return
        if target:
            node, seen = definitions[target], (*seen, target)
        if "x-kubernetes-patch-merge-key" in node and "items" in node:
            found.append((api_version, kind, path, node))
        if "items" in node and "x-kubernetes-patch-merge-key" in node:
            walk(node["items"], (*path, node["x-kubernetes-patch-merge-key"]), seen)
        for name, each in node.get("properties", {}).items():
            walk(each, (*path, name), seen)

    for definition in definitions.values():
        for each in definition.get("x-kubernetes-group-version-kind", ()):
            api_version, kind = "/".join(filter(None, (each["group"], each["version"]))), each["kind"]
            if not kind.endswith(("List", "Options", "Status", "WatchEvent")):
                walk({"properties": definition.get("properties", {})}, (), ())
    return found


def nested(path: tuple[str, ...], on_the_way: frozenset[tuple[str, ...]], items: list[Any]) -> dict[str, Any]:
    """An object with a list at the end of a path, whose lists on the way have one item, called `one`."""
    node: Any = items
    for at in range(len(path) - 1, -1, -1):
        is_key = path[:at] in on_the_way  # behind the way to a list stands its merge key
        node = [{path[at]: "one", **node}] if is_key else {path[at]: node}
    return dict(node)


def joined(a: Any, b: Any) -> Any:
    """Both of two trees, in which items of lists are known by their first value."""
    if isinstance(a, dict):
        return {**a, **{key: joined(a[key], value) if key in a else value for key, value in b.items()}}
    if not isinstance(a, list):
        return b
    found = {next(iter(item.values())): item for item in a}
    for item in b:
        first = next(iter(item.values()))
        found[first] = joined(found[first], item) if first in found else item
    return list(found.values())


@cache
def cases() -> dict[tuple[str, str], tuple[Any, Any]]:
    """apiVersion and kind -> an object with two items in every list that has a merge key, and a patch of one of them and a third."""
    found: dict[tuple[str, str], tuple[Any, Any]] = {}
    for version, kind, path, node in lists():
        key = node["x-kubernetes-patch-merge-key"]
        on_the_way = frozenset(each for *of, each, _ in lists() if of == [version, kind])
        first, second, third = (1, 2, 3) if key in ("containerPort", "port") else ("a", "b", "c")
        old = nested(path, on_the_way, [{key: first, "was": "there"}, {key: second, "was": "there"}])
        new = nested(path, on_the_way, [{key: second, "is": "new"}, {key: third, "is": "new"}])
        head = {"apiVersion": version, "kind": kind, "metadata": {"name": f"{kind.lower()}-{version.rpartition('/')[2]}"}}
        before, patch = found.get((version, kind), (head, head))
        found[version, kind] = joined(before, old), joined(patch, new)
    return found


def test_the_cases_are_what_they_are_meant_to_be() -> None:
    assert len(lists()) > 250 and len(cases()) > 60
    _, patch = cases()["apps/v1", "Deployment"]
    containers = {each["name"]: each for each in patch["spec"]["template"]["spec"]["containers"]}
    assert set(containers) == {"one", "b", "c"}
    assert containers["one"]["env"] == [{"name": "b", "is": "new"}, {"name": "c", "is": "new"}]
    assert {"ports", "volumeMounts", "volumeDevices"} <= set(containers["one"])


def merged(objects: list[Any]) -> set[tuple[str, str]]:
    """The kinds of objects in which a list has items of the object beside those of the patch."""
    texts = {(each["apiVersion"], each["kind"]): yaml.dump(each, Dumper=yaml.CSafeDumper) for each in objects}
    return {kind for kind, text in texts.items() if "was: there" in text and "is: new" in text}


#: Kinds that nobody can get. kustomize asks its own schema about them, and keeps it then beside the one that is named.
NOT_KEPT = frozenset(
    "Binding Eviction TokenRequest TokenReview SubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview LocalSubjectAccessReview "
    "Scale".split()
)


@PROGRAMS
def test_every_list_of_kubernetes_own_kinds_merges_as_without_it(program: str, tmp_path: Path) -> None:
    def built(name: str, kinds: set[tuple[str, str]], component: bool, schema: str | None = None) -> list[Any]:
        objects, patches = zip(*(cases()[kind] for kind in sorted(kinds)))
        folder = with_component(tmp_path / name, list(objects), patches, component)
        if schema is not None:
            (folder / "component" / "schema.yaml").write_text(schema)
        return build(folder, program)

    plain = built("plain", set(cases()), False)
    assert built("ours", set(cases()), True) == plain
    known = {kind for kind in merged(plain) if kind[1] not in NOT_KEPT}
    assert len(known) > 40
    assert built("ours-known", known, True) == built("plain-known", known, False)
    assert not merged(built("bare", known, True, "definitions: {}\n")), "a schema that is named takes the place of kustomize's own"


def test_cluster_scoped_kinds_stay_without_a_namespace(tmp_path: Path) -> None:
    objects = [
        {"apiVersion": version, "kind": kind, "metadata": {"name": kind.lower()}}
        for version, kind in (("scheduling.volcano.sh/v1beta1", "Queue"), ("topology.volcano.sh/v1alpha1", "HyperNode"),
                              ("v1", "PersistentVolume"), ("rbac.authorization.k8s.io/v1", "ClusterRole"), ("v1", "ConfigMap"),
                              ("batch.volcano.sh/v1alpha1", "Job"))
    ]
    found = {each["kind"]: each["metadata"].get("namespace") for each in build(with_component(tmp_path / "ours", objects, namespace="lab"))}
    assert found == {"Queue": None, "HyperNode": None, "PersistentVolume": None, "ClusterRole": None, "ConfigMap": "lab", "Job": "lab"}


@pytest.mark.skipif(shutil.which("go") is None, reason="no Go")
def test_the_files_are_what_the_script_makes() -> None:
    assert {name: (made.COMPONENT / name).read_text() for name in made.HEADS} == made.files(made.builtin())


def test_the_wordings_of_the_script_are_in_the_files() -> None:
    """What needs no Go of the same."""
    assert yaml.safe_load((made.COMPONENT / "names.yaml").read_text()) == made.names()
    assert yaml.safe_load((made.COMPONENT / "labels.yaml").read_text()) == made.labels()
    definitions = yaml.safe_load(SCHEMA.read_text())["definitions"]
    assert {name: each for name, each in definitions.items() if name.startswith("volcano.")} == made.VOLCANO


# What Volcano's kinds do


def pod(**spec: Any) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "main", "image": "a:1"}], **spec}}


def volcano(spec: dict[str, Any], name: str = "one") -> list[dict[str, Any]]:
    """A job's spec in each kind that has one."""
    metadata = {"metadata": {"name": name}}
    return [
        {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", **metadata, "spec": spec},
        {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "CronJob", **metadata, "spec": {"schedule": "@daily", "jobTemplate": {"spec": spec}}},
        {"apiVersion": "flow.volcano.sh/v1alpha1", "kind": "JobTemplate", **metadata, "spec": spec},
        {"apiVersion": "flow.volcano.sh/v1alpha1", "kind": "JobFlow", **metadata, "spec": {"flows": [{"name": "f", "patch": {"jobSpec": spec}}]}},
    ]


def spec_of(document: dict[str, Any]) -> dict[str, Any]:
    spec: dict[str, Any] = document["spec"]
    if document["kind"] == "CronJob":
        return dict(spec["jobTemplate"]["spec"])
    return dict(spec["flows"][0]["patch"]["jobSpec"]) if document["kind"] == "JobFlow" else spec


@PROGRAMS
def test_lists_in_jobs_merge_by_name(program: str, tmp_path: Path) -> None:
    main = {"name": "main", "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}], "ports": [{"containerPort": 1, "name": "a"}],
            "volumeMounts": [{"mountPath": "/a", "name": "a"}], "image": "a:1"}
    spec = {"tasks": [{"name": "x", "replicas": 1, "template": pod()},
                      {"name": "y", "replicas": 2, "template": {"spec": {"containers": [main, {"name": "side", "image": "b:1"}],
                                                                         "initContainers": [{"name": "i", "image": "i:1"}],
                                                                         "volumes": [{"name": "a", "emptyDir": {}}]}}}],
            "volumes": [{"mountPath": "/v", "volumeClaimName": "v"}]}
    change = {"tasks": [{"name": "y", "template": {"spec": {
        "containers": [{"name": "main", "env": [{"name": "B", "value": "3"}, {"name": "C", "value": "4"}],
                        "ports": [{"containerPort": 2, "name": "b"}], "volumeMounts": [{"mountPath": "/b", "name": "b"}]}],
        "initContainers": [{"name": "j", "image": "j:1"}],
        "volumes": [{"name": "b", "emptyDir": {}}]}}}], "volumes": [{"mountPath": "/w", "volumeClaimName": "w"}]}
    for document in build(with_component(tmp_path / "ours", volcano(spec), tuple(volcano(change))), program):
        found = spec_of(document)
        tasks = {task["name"]: task for task in found["tasks"]}
        assert (tasks["x"], tasks["y"]["replicas"]) == (spec["tasks"][0], 2)
        own = tasks["y"]["template"]["spec"]
        containers = {each["name"]: each for each in own["containers"]}
        assert set(containers) == {"main", "side"} and containers["main"]["image"] == "a:1"
        assert {each["name"]: each["value"] for each in containers["main"]["env"]} == {"A": "1", "B": "3", "C": "4"}
        assert {each["containerPort"] for each in containers["main"]["ports"]} == {1, 2}
        assert {each["mountPath"] for each in containers["main"]["volumeMounts"]} == {"/a", "/b"}
        assert {each["name"] for each in own["initContainers"]} == {"i", "j"}
        assert {each["name"] for each in own["volumes"]} == {"a", "b"}
        assert {each["mountPath"] for each in found["volumes"]} == {"/v", "/w"}


REFERENCES: dict[str, tuple[str, dict[str, Any]]] = {
    "ConfigMap": ("v1", {}), "Secret": ("v1", {}), "PersistentVolumeClaim": ("v1", {}), "ServiceAccount": ("v1", {}),
    "PriorityClass": ("scheduling.k8s.io/v1", {"value": 1}), "Queue": ("scheduling.volcano.sh/v1beta1", {}),
    "StorageClass": ("storage.k8s.io/v1", {}), "ResourceClaim": ("resource.k8s.io/v1", {}), "ResourceClaimTemplate": ("resource.k8s.io/v1", {}),
}


def naming(path: str, name: str) -> dict[str, Any]:
    """What names an object at a path, lists where the API has lists."""
    head, _, rest = path.partition("/")
    inner: Any = naming(rest, name) if rest else name
    in_list = {"tasks", "containers", "initContainers", "env", "envFrom", "volumes", "sources", "imagePullSecrets", "resourceClaims", "flows"}
    return {head: [inner] if head in in_list else inner}


def names_at(node: Any, path: str) -> list[str]:
    if isinstance(node, list):
        return [each for item in node for each in names_at(item, path)]
    head, _, rest = path.partition("/")
    if not head:
        return [node]
    return names_at(node[head], rest) if isinstance(node, dict) and head in node else []


@PROGRAMS
def test_every_name_of_another_object_follows_it(program: str, tmp_path: Path) -> None:
    objects = [{"apiVersion": version, "kind": kind, "metadata": {"name": "target"}, **more} for kind, (version, more) in REFERENCES.items()]
    jobs = []
    for each in made.names()["nameReference"]:
        if each["kind"] in REFERENCES:
            for number, field in enumerate(each["fieldSpecs"]):
                head = {"apiVersion": f"{field['group']}/{'v1beta1' if field['group'].startswith('sched') else 'v1alpha1'}", "kind": field["kind"]}
                jobs.append(({**head, "metadata": {"name": f"{each['kind'].lower()}-{number}"}, **naming(field["path"], "target")}, field["path"]))
    assert len(jobs) > 100
    found = build(with_component(tmp_path / "ours", [*objects, *(job for job, _ in jobs)], namePrefix="dev-"), program)
    by_name = {(each["kind"], each["metadata"]["name"]): each for each in found}
    for job, path in jobs:
        assert names_at(by_name[job["kind"], "dev-" + job["metadata"]["name"]], path) == ["dev-target"], path


def test_the_hash_of_a_generated_config_map_reaches_every_place(tmp_path: Path) -> None:
    spec = {"tasks": [{"name": "x", "template": pod(volumes=[
        {"name": "a", "configMap": {"name": "settings"}}, {"name": "b", "projected": {"sources": [{"secret": {"name": "key"}}]}}])}]}
    found = build(with_component(tmp_path / "ours", volcano(spec), configMapGenerator=[{"name": "settings", "literals": ["a=b"]}],
                                 secretGenerator=[{"name": "key", "literals": ["a=b"]}]))
    generated = {each["kind"]: each["metadata"]["name"] for each in found if each["kind"] in ("ConfigMap", "Secret")}
    for document in found:
        if document["kind"] not in generated:
            first, second = spec_of(document)["tasks"][0]["template"]["spec"]["volumes"]
            assert first["configMap"]["name"] == generated["ConfigMap"] != "settings"
            assert second["projected"]["sources"][0]["secret"]["name"] == generated["Secret"] != "key"


def test_a_flow_follows_its_job_templates(tmp_path: Path) -> None:
    templates = [{"apiVersion": "flow.volcano.sh/v1alpha1", "kind": "JobTemplate", "metadata": {"name": name}} for name in ("a", "b")]
    flow = {"apiVersion": "flow.volcano.sh/v1alpha1", "kind": "JobFlow", "metadata": {"name": "f"},
            "spec": {"flows": [{"name": "a"}, {"name": "b", "dependsOn": {"targets": ["a"]}}]}}
    found = {each["kind"]: each for each in build(with_component(tmp_path / "ours", [*templates, flow], namePrefix="dev-"))}
    assert found["JobFlow"]["spec"]["flows"] == [{"name": "dev-a"}, {"name": "dev-b", "dependsOn": {"targets": ["dev-a"]}}]


@PROGRAMS
@pytest.mark.parametrize(("keys", "in_selectors"), [
    ({"labels": [{"pairs": {"team": "x"}, "includeTemplates": True}]}, False),
    ({"labels": [{"pairs": {"team": "x"}, "includeSelectors": True, "includeTemplates": True}]}, True),
], ids=["templates", "selectors"])
def test_labels_and_annotations_reach_the_pods(keys: dict[str, Any], in_selectors: bool, program: str, tmp_path: Path) -> None:
    spread = [{"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}}]
    jobs = volcano({"tasks": [{"name": "x", "template": pod(topologySpreadConstraints=spread)}, {"name": "y", "template": pod()}]})
    found = build(with_component(tmp_path / "ours", jobs[:3], commonAnnotations={"owner": "me"}, **keys), program)
    assert [each["metadata"]["labels"] for each in found] == [{"team": "x"}] * 3
    for document in found:
        for task in spec_of(document)["tasks"]:
            assert task["template"]["metadata"] == {"labels": {"team": "x"}, "annotations": {"owner": "me"}}
        (constraint,) = spec_of(document)["tasks"][0]["template"]["spec"]["topologySpreadConstraints"]
        assert constraint["labelSelector"]["matchLabels"] == ({"a": "b", "team": "x"} if in_selectors else {"a": "b"})


def test_a_flow_gets_no_patch_that_it_does_not_have(tmp_path: Path) -> None:
    flow = {"apiVersion": "flow.volcano.sh/v1alpha1", "kind": "JobFlow", "metadata": {"name": "f"}, "spec": {"flows": [{"name": "a"}]}}
    (found,) = build(with_component(tmp_path / "ours", [flow], labels=[{"pairs": {"team": "x"}, "includeTemplates": True}]))
    assert found["spec"] == flow["spec"]
