"""The tables and keys of a site file."""
from __future__ import annotations

from hetc.fields import TOLERATION, Field, Flag, ListOf, MapOf, Shape, Text, Whole
from hetc.gpu import LABEL, RESOURCE

#: The tables of a site file; `[defaults]` holds job-level overlay keys and is checked as an overlay.
FIELDS: tuple[Field, ...] = (
    Field("gpu", Shape((
        Field("resource", Text("a resource name"), "The resource of models that the table does not know.", RESOURCE, RESOURCE),
        Field("product_label", Text("a node label"), "The node label that holds their product.", LABEL, LABEL),
        Field("tolerations", ListOf(TOLERATION), "Put on every task with GPUs, parts of GPUs or devices of `[resources]`.",
              [{"key": "nvidia.com/gpu", "operator": "Exists"}]),
        Field("models", MapOf(Shape((
            Field("products", ListOf(Text("a product label")), "The product labels of the family.", ["NVIDIA-A100-SXM4-80GB"]),
            Field("resource", Text("a resource name"), "Its resource, if another.", "nvidia.com/gpu"),
            Field("label", Text("a node label"), "Its node label, if another.", "nvidia.com/gpu.product"),
        )), "GPU family"), "Family -> its products; replaces or extends the built-in table.",
              {"A100": {"products": ["NVIDIA-A100-SXM4-80GB"]}}),
    )), "GPUs of this site."),
    Field("rdma", Shape((
        Field("resource", Text("a resource name"), "The resource of one RDMA device.", "rdma/hca", "rdma/hca"),
        Field("ipc_lock", Flag(), "Whether pods with RDMA get the capability IPC_LOCK.", True, False),
    )), "RDMA devices of this site."),
    Field("resources", MapOf(Text("a resource name"), "key"), "Further accelerators: a key of requests -> the extended resource that it "
          "counts.", {"npu": "huawei.com/Ascend910"}),
    Field("variables", Shape((
        Field("prefix", Text("a prefix"), "The prefix of the computed variables.", "AJ_", "AJ_"),
    )), "Names of the computed variables."),
    Field("volcano", Shape((
        Field("scheduler", Text("a scheduler's name"), "The schedulerName of jobs.", "volcano", "volcano"),
        Field("version", Text("a version"), "The Volcano that the clusters run: 1.10 or later; what it lacks is refused.", "1.15", "1.16"),
        Field("plugins", ListOf(Text("a plugin")), "Plugins of the scheduler that run here beside those of Volcano's chart.", ["sla"]),
        Field("distribution", Text("a distribution"), "The distribution of Volcano, where it brings plugins of its own: `cce`.", "cce"),
    )), "This site's Volcano."),
    Field("kubernetes", Shape((
        Field("version", Text("a version"), "The API server's version; names are judged by it.", "1.36"),
    )), "This site's API server."),
    Field("policy", Shape((
        Field("namespaces", ListOf(Text("a namespace")), "The namespaces that jobs may use.", ["training"]),
        Field("queues", ListOf(Text("a queue")), "The queues that jobs may use.", ["default", "research"]),
        Field("registries", ListOf(Text("a registry")), "Prefixes of the images that jobs may use.", ["registry.example/"]),
        Field("node_labels", ListOf(Text("a label")), "The node labels that jobs may select by.", ["node-type"]),
        Field("max_gpus", Whole(), "The most GPUs that one job may use; parts of GPUs and devices of `[resources]` count too.", 64),
        Field("required_labels", ListOf(Text("a label")), "Labels that every job must have.", ["team"]),
        Field("tolerations", ListOf(Text("a taint's key")), "The keys of taints that jobs may tolerate; `*` is any.", ["dedicated"]),
        Field("affinity", ListOf(Text("a node label")), "The labels by which jobs may choose nodes with `affinity`; `*` is any.",
              ["topology.kubernetes.io/zone"]),
        Field("volumes", ListOf(Text("a kind of volume")), "Kinds of volumes that pods may have beside the safe ones.", ["nfs"]),
    )), "What jobs of this site may do."),
    Field("build", Shape((
        Field("output", Text("a path"), "Where the manifest of an input is kept, for `hetc build --check`: relative to this file; "
              "`{stem}` is the input's name without its suffix.", "rendered/{stem}.yaml"),
    )), "What is built."),
    Field("extensions", Shape((
        Field("rules", ListOf(Text("an entry point's name")), "Names of installed entry points in the group `hetc.rules`, whose rules "
              "run beside hetc's. Of the root's file or --config alone.", ["acme"]),
    )), "This site's own code."),
    Field("rules", MapOf(Text("off, info, warning or error", ("off", "info", "warning", "error")), "rule"), "Rule -> its level, or off.",
          {"HET702": "off"}),
    Field("per-path", MapOf(ListOf(Text("a code")), "path"), "Path pattern -> rules that are off for the files it matches.",
          {"old/**": ["HET702"]}),
)
