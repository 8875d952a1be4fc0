"""Write the files of `kustomize/component/` that make kustomize treat Volcano's kinds as it treats Kubernetes' own.

    make component

Needs Go: the merge keys of Kubernetes' own kinds are those of the schema inside kustomize, which its own library reads. They
have to be in `schema.yaml`, because a schema that a kustomization names takes the place of the one inside.
"""
from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
COMPONENT = ROOT / "kustomize" / "component"

#: The library of kustomize 5.8.1; its schema is Kubernetes 1.21's.
KYAML = "v0.21.1"
DUMP = """
package main

import (
	"encoding/json"
	"os"

	"sigs.k8s.io/kustomize/kyaml/openapi"
)

func main() {
	if err := json.NewEncoder(os.Stdout).Encode(openapi.Schema().Definitions); err != nil {
		panic(err)
	}
}
"""

Tree = dict[str, Any]

KINDS = "x-kubernetes-group-version-kind"
MERGING = ("x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key", "x-kubernetes-list-map-keys")
META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
POD_TEMPLATE = "io.k8s.api.core.v1.PodTemplateSpec"


def ref(name: str) -> Tree:
    return {"$ref": f"#/definitions/{name}"}


def by(key: str, item: str) -> Tree:
    """A list of definitions that merge by a key."""
    return {"type": "array", "items": ref(item), "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": key}


def properties(**own: Tree) -> Tree:
    return {"properties": own}


def kind(group: str, version: str, name: str, **own: Tree) -> Tree:
    return {**properties(metadata=ref(META), **own), KINDS: [{"group": group, "version": version, "kind": name}]}


#: Volcano's kinds. Source: its CustomResourceDefinitions, which have no merge keys; two items of these lists with one such key
#: are refused by its webhooks, or by the API server.
VOLCANO: Tree = {
    "volcano.Job": kind("batch.volcano.sh", "v1alpha1", "Job", spec=ref("volcano.JobSpec")),
    "volcano.CronJob": kind("batch.volcano.sh", "v1alpha1", "CronJob",
                            spec=properties(jobTemplate=properties(metadata=ref(META), spec=ref("volcano.JobSpec")))),
    "volcano.JobTemplate": kind("flow.volcano.sh", "v1alpha1", "JobTemplate", spec=ref("volcano.JobSpec")),
    "volcano.JobFlow": kind("flow.volcano.sh", "v1alpha1", "JobFlow", spec=properties(flows=by("name", "volcano.Flow"))),
    "volcano.PodGroup": kind("scheduling.volcano.sh", "v1beta1", "PodGroup",
                             spec=properties(subGroupPolicy=by("name", "volcano.SubGroupPolicy"))),
    "volcano.Flow": properties(patch=properties(jobSpec=ref("volcano.JobSpec"))),
    "volcano.JobSpec": properties(tasks=by("name", "volcano.Task"), volumes=by("mountPath", "volcano.Volume")),
    "volcano.Task": properties(template=ref(POD_TEMPLATE)),
    "volcano.SubGroupPolicy": {"type": "object"},
    "volcano.Volume": {"type": "object"},
}

#: Kinds without a namespace: kustomize then gives them none.
CLUSTER = (("scheduling.volcano.sh", "v1beta1", "Queue", "queues"), ("topology.volcano.sh", "v1alpha1", "HyperNode", "hypernodes"))

#: Where a job's spec stands, by kind.
JOBS = (
    ("batch.volcano.sh", "Job", "spec"),
    ("batch.volcano.sh", "CronJob", "spec/jobTemplate/spec"),
    ("flow.volcano.sh", "JobTemplate", "spec"),
    ("flow.volcano.sh", "JobFlow", "spec/flows/patch/jobSpec"),
)
CONTAINERS = ("containers", "initContainers")

#: What in a pod's spec names an object of a kind.
IN_PODS: dict[str, tuple[str, ...]] = {
    "ConfigMap": (
        "volumes/configMap/name", "volumes/projected/sources/configMap/name",
        *(f"{each}/env/valueFrom/configMapKeyRef/name" for each in CONTAINERS),
        *(f"{each}/envFrom/configMapRef/name" for each in CONTAINERS),
    ),
    "Secret": (
        "volumes/secret/secretName", "volumes/projected/sources/secret/name",
        *(f"{each}/env/valueFrom/secretKeyRef/name" for each in CONTAINERS),
        *(f"{each}/envFrom/secretRef/name" for each in CONTAINERS),
        "imagePullSecrets/name", "volumes/azureFile/secretName", "volumes/csi/nodePublishSecretRef/name",
        *(f"volumes/{each}/secretRef/name" for each in ("cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos")),
    ),
    "PersistentVolumeClaim": ("volumes/persistentVolumeClaim/claimName",),
    "StorageClass": ("volumes/ephemeral/volumeClaimTemplate/spec/storageClassName",),
    "ServiceAccount": ("serviceAccountName", "serviceAccount"),
    "PriorityClass": ("priorityClassName",),
    "ResourceClaim": ("resourceClaims/resourceClaimName",),
    "ResourceClaimTemplate": ("resourceClaims/resourceClaimTemplateName",),
}
#: What in a job's spec does, beside its pods.
IN_JOBS: dict[str, tuple[str, ...]] = {
    "PersistentVolumeClaim": ("volumes/volumeClaimName",), "StorageClass": ("volumes/volumeClaim/storageClassName",),
    "PriorityClass": ("priorityClassName",), "Queue": ("queue",),
}
#: What does in other kinds.
ELSEWHERE: dict[str, tuple[tuple[str, str, str], ...]] = {
    "PriorityClass": (("scheduling.volcano.sh", "PodGroup", "spec/priorityClassName"),),
    "Queue": (("scheduling.volcano.sh", "PodGroup", "spec/queue"), ("scheduling.volcano.sh", "Queue", "spec/parent")),
    "JobTemplate": (("flow.volcano.sh", "JobFlow", "spec/flows/name"), ("flow.volcano.sh", "JobFlow", "spec/flows/dependsOn/targets")),
}
GROUPS = {"StorageClass": "storage.k8s.io", "PriorityClass": "scheduling.k8s.io", "Queue": "scheduling.volcano.sh",
          "JobTemplate": "flow.volcano.sh", "ResourceClaim": "resource.k8s.io", "ResourceClaimTemplate": "resource.k8s.io"}

SELECTORS = (
    *(f"affinity/{each}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm" for each in ("podAffinity", "podAntiAffinity")),
    *(f"affinity/{each}/requiredDuringSchedulingIgnoredDuringExecution" for each in ("podAffinity", "podAntiAffinity")),
    "topologySpreadConstraints",
)


def builtin() -> Tree:
    """The definitions of the schema inside kustomize."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.go").write_text(DUMP)
        Path(folder, "go.mod").write_text(f"module dump\n\ngo 1.22\n\nrequire sigs.k8s.io/kustomize/kyaml {KYAML}\n")
        environment = {**os.environ, "GOFLAGS": "-mod=mod"}
        done = subprocess.run(["go", "run", "."], cwd=folder, env=environment, capture_output=True, check=True)
    found: Tree = json.loads(done.stdout)
    return found


def merging(definitions: Tree) -> Tree:
    """What of definitions says how lists merge: those properties, and the ways that lead to them.

    A list without such a word is replaced as a whole, so that nothing below it merges.
    """
    leads: dict[str, bool] = {}

    def kept(node: Tree) -> Tree | None:
        """A property's schema, or None where it leads to nothing."""
        own = {word: node[word] for word in MERGING if word in node}
        if node.get("type") == "array":
            if not own:
                return None
            items = node["items"]
            return {"type": "array", "items": kept(items) or {"type": "object"} if "$ref" in items else items, **own}
        target = node.get("$ref", "").removeprefix("#/definitions/")
        if target and leading(target):
            return {**ref(target), **own}
        return own or None

    def leading(name: str) -> bool:
        if name not in leads:
            leads[name] = False  # while it is looked at: a definition that holds itself leads nowhere by that
            leads[name] = any(kept(each) for each in definitions[name].get("properties", {}).values())
        return leads[name]

    result: Tree = {}
    for name in sorted(definitions):
        if leading(name) and not name.endswith(".Kustomization"):
            own = {key: slim for key, each in definitions[name]["properties"].items() if (slim := kept(each)) is not None}
            result[name] = {**({KINDS: definitions[name][KINDS]} if KINDS in definitions[name] else {}), "properties": own}
    return result


def joined(definitions: Tree) -> Tree:
    """The same with one definition for all kinds that merge alike."""
    result: Tree = {}
    alike: dict[str, Tree] = {}
    for name, each in definitions.items():
        first = alike.setdefault(json.dumps(each["properties"]), each) if KINDS in each else each
        if first is each:
            result[name] = each
        else:
            first[KINDS] = [*first[KINDS], *each[KINDS]]
    return result


def schema(definitions: Tree) -> Tree:
    paths = {
        f"/apis/{group}/{version}/{plural}": {"get": {KINDS: {"group": group, "version": version, "kind": name}}}
        for group, version, name, plural in CLUSTER
    }
    return {"definitions": {**VOLCANO, **joined(merging(definitions))}, "paths": paths}


def names() -> Tree:
    """Which fields name which objects."""
    found: dict[str, list[Tree]] = {}
    for group, name, spec in JOBS:
        for base, fields in ((f"{spec}/tasks/template/spec", IN_PODS), (spec, IN_JOBS)):
            for target, paths in fields.items():
                found.setdefault(target, []).extend({"group": group, "kind": name, "path": f"{base}/{path}"} for path in paths)
    for target, places in ELSEWHERE.items():
        found.setdefault(target, []).extend({"group": group, "kind": name, "path": path} for group, name, path in places)
    return {"nameReference": [
        {"kind": target, **({"group": GROUPS[target]} if target in GROUPS else {"version": "v1"}), "fieldSpecs": fields}
        for target, fields in found.items()
    ]}


def labels() -> Tree:
    """Where labels and annotations reach the pods. Not in a JobFlow: there a path that is not would be made."""
    labels, annotations, selectors = [], [], []
    for group, name, spec in JOBS:
        if name == "JobFlow":
            continue
        metadata = [f"{spec}/tasks/template/metadata", *(["spec/jobTemplate/metadata"] if name == "CronJob" else [])]
        labels += [{"group": group, "kind": name, "path": f"{each}/labels", "create": True} for each in metadata]
        annotations += [{"group": group, "kind": name, "path": f"{each}/annotations", "create": True} for each in metadata]
        pods = f"{spec}/tasks/template/spec"
        selectors += [{"group": group, "kind": name, "path": f"{pods}/{each}/labelSelector/matchLabels"} for each in SELECTORS]
    return {"templateLabels": labels, "commonLabels": [*labels, *selectors], "commonAnnotations": annotations}


HEADS = {
    "schema.yaml": """\
# How the lists of objects merge in strategic merge patches. Made by scripts/component.py.
# What is not Volcano's is from the schema inside kustomize: Copyright The Kubernetes Authors, Apache License 2.0.
""",
    "names.yaml": "# Which fields of Volcano's kinds name other objects. Made by scripts/component.py.\n",
    "labels.yaml": "# Where labels and annotations reach the pods of Volcano's kinds. Made by scripts/component.py.\n",
}


class _Dumper(yaml.SafeDumper):
    """Writes what it has seen before again, without aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def files(definitions: Tree) -> dict[str, str]:
    """The component's files but `kustomization.yaml`, by name."""
    trees = {"schema.yaml": schema(definitions), "names.yaml": names(), "labels.yaml": labels()}
    return {name: HEADS[name] + yaml.dump(tree, Dumper=_Dumper, sort_keys=False, default_flow_style=None, width=200)
            for name, tree in trees.items()}


if __name__ == "__main__":
    for name, text in files(builtin()).items():
        (COMPONENT / name).write_text(text)
