"""What the words of a request mean, for editors: keys of groups, sections, the rules of a gang."""
from __future__ import annotations

from hetc.ir import ALL, FAIL, HARD, RESTART, SOFT, TOLERATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.site import Site

#: The keys of a group, and what each says of one replica.
GROUP: dict[str, str] = {
    "cpu": "Cores of one replica: `16`, `0.5` or `500m`.",
    "mem": "Memory of one replica, always with its unit: `64Gi`.",
    "gpu": "Whole GPUs of one replica, then the model, a family or a node's product label: `8`, `8:A100`, `8:A100-SXM4-80GB`.",
    "rdma": "RDMA devices of one replica: `rdma` for one, or `rdma=4`.",
    "ppn": "Processes of one replica. Default: its GPUs, else 1.",
    "min": "The smallest number of the group's replicas worth starting. Default: all.",
    "pack": "Keep the group inside one network domain, a tier's number or name: `rack`, `2`, `rack:soft`. Default: `hard`.",
    "select": "Exact labels that a node must have: `select[node-type=cpu]`.",
    "disk": "Scratch space on the node for one replica, with its unit: `100Gi`.",
    "mig": "Instances of a MIG profile for one replica: `3g.40gb`, `3g.40gb:2`.",
    "vgpu": "Parts of GPUs for one replica, by Volcano's vGPU device plugin: `2`, `2:hami-core`, `2:mig`.",
    "vgpu-mem": "Memory of each vGPU, in whole MiB: `16Gi`.",
    "vgpu-cores": "Percent of a GPU's cores for each vGPU: `50`.",
}

#: The sections beside the groups.
SECTIONS: dict[str, str] = {
    "use": "Overlay files below the inline YAML, relative to this file; later ones win: `use[\"base.yaml\"]`.",
    "gang": "How the gang starts, fails and ends: `gang[fail=restart, retries=3]`.",
}

#: The rules of `gang[…]`.
GANG: dict[str, str] = {
    "min": "Pods that must be placed together: a number, or `all`. Default: the sum of the groups' minima.",
    "fail": "When a pod fails or is evicted: end the job (`fail`, the default), `restart` all of it, or `tolerate` it and go on.",
    "retries": "With `fail=restart`: the N-th failure ends the job. Default: 3.",
    "done": "The job ends when `all` pods have ended (the default), or as soon as the task named here has completed.",
    "pack": "Keep the whole gang inside one network domain, a tier's number or name. Default: `hard`.",
    "start": "End the job where the gang has not found its place after so long: `30m`, `1h30m`. Default: it waits.",
}

#: The words that a rule of the gang takes.
CHOICES: dict[str, tuple[str, ...]] = {"fail": (FAIL, RESTART, TOLERATE), "min": (ALL,), "done": (ALL,)}

#: How strictly pods are packed, behind the tier.
MODES = (HARD, SOFT)


def own(site: Site) -> dict[str, str]:
    """The keys that a site adds to groups."""
    return {key: f"Devices of one replica, `{resource}`: a whole number." for key, resource in site.resources}


def meaning(inside: str, word: str, site: Site) -> str | None:
    """What a word means `inside` a group or a section, or outside both."""
    return {"group": {**GROUP, **own(site)}, "gang": GANG, "": SECTIONS}.get(inside, {}).get(word)
