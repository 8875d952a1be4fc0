"""What users of LSF, Slurm, PBS and Kubernetes write in a request, and what hetc's form of it is.

Loaded only when there is something to complain about.
"""
from __future__ import annotations

import re

from hetc import codes
from hetc.names import nearest
from hetc.quantity import show
from hetc.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import TypeAlias

    from hetc.diagnostic import Code
    from hetc.read.het_words import Item, Word

    #: What `Report.add` takes: code, place, message, help.
    Complaint: TypeAlias = tuple[Code, Span, str, str]

EXAMPLE = "1*<cpu=16, mem=64Gi>+2*<gpu=8:A100>"

#: Keys by the names that others give them, lower case and with `_`.
ALIASES = {
    "cpu": "cpus ncpus num_cpus ncores cores core vcpu vcpus cpus_per_node cpus_per_task cpu_count request_cpus cpu_request c",
    "mem": "memory ram mem_per_node memory_per_node mem_request request_memory memory_gb mem_gb m",
    "gpu": "gpus ngpus ngpu num_gpus gpus_per_node gpus_per_task gpu_count request_gpus gres accelerator accelerators "
           "ngpus_physical nvidia.com/gpu amd.com/gpu g",
    "rdma": "ib infiniband roce hca hcas nic nics rdma_devices rdma/hca",
    "ppn": "ptile mpiprocs processes procs tasks_per_node ntasks_per_node processes_per_node procs_per_node nproc "
           "nproc_per_node slots_per_node",
    "min": "minimum min_available minavailable min_replicas minreplicas min_nodes min_count",
    "pack": "topology network_topology networktopology tier switches placement",
    "disk": "ephemeral_storage ephemeralstorage ephemeral storage scratch tmp local_disk",
    "vgpu": "vgpus gpu_share gpushare shared_gpu fraction volcano.sh/vgpu_number",
    "vgpu-mem": "vgpu_mem vgpu_memory gpu_mem gpu_memory gmem volcano.sh/vgpu_memory",
    "vgpu-cores": "vgpu_cores gpu_cores volcano.sh/vgpu_cores",
    "mig": "mig_profile mig_slice slice slices",
}
EXAMPLES = {"cpu": "cpu=16", "mem": "mem=64Gi", "gpu": "gpu=8:A100", "rdma": "rdma", "ppn": "ppn=8", "min": "min=3",
            "pack": "pack=TIER:hard", "disk": "disk=100Gi", "vgpu": "vgpu=1", "vgpu-mem": "vgpu-mem=16Gi", "vgpu-cores": "vgpu-cores=50",
            "mig": "mig=3g.40gb:1", "select": "select[key=value]"}

#: Amounts that stay as they are under hetc's name of the key. Others, such as `memory_gb=64` and `gres=gpu:8`, mean something else.
KEPT = {
    "cpu": r"[0-9]+(\.[0-9]+)?m?", "mem": r"[0-9]+(\.[0-9]+)?[kMGTPE]i?", "disk": r"[0-9]+(\.[0-9]+)?[kMGTPE]i?",
    "gpu": r"[0-9]+(:[A-Za-z][A-Za-z0-9-]*)?", "ppn": "[0-9]+", "min": "[0-9]+", "rdma": "[0-9]+",
}

#: Keys that have another place, and what to write there.
ELSEWHERE = {
    "replicas count nodes num_nodes n ntasks num_replicas instances size workers": "write the count before `*`, as in `2*<...>`",
    "name task role group": "write the name after `*`, as in `2*worker<...>`",
    "gpu_model gmodel gpu_type gpu_product model product": "write the model after the number of GPUs, as in `gpu=8:A100`",
    "label constraint constraints features feature nodeselector node host hostname zone": "write a node label as `select[key=value]`",
    "select": "write `select[key=value]`",
    "walltime time duration timeout time_limit": "write `time_limit: 36h` after the `---` line",
    "npu npus ascend tpu hpu gaudi dcu mlu": "name the resource in the site file, such as `[resources] npu = \"huawei.com/Ascend910\"`, "
                                             "and write `npu=8`",
    "shm shm_size": "write `container_args: {shm_size: 64Gi}` after the `---` line",
    "partition": "write `queue: NAME` after the `---` line",
}

#: Keys of overlays: text, never shape.
TEXT = (
    "name namespace queue priority_class labels annotations image image_pull_policy setup command working_dir shell env env_from "
    "container_args node_selector mounts image_pull_secrets service_account ttl_seconds_after_finished plugins tasks policies min_success "
    "depends_on resource_claims profiles tolerations affinity run_as"
).split()

LSF_SECTIONS = {
    "rusage": "write amounts for one replica as items: `cpu=16, mem=64Gi, gpu=8:A100`",
    "span": "write `ppn=N` for the processes of one replica; the count before `*` is in replicas, not in slots",
    "cu": "write `pack=TIER` to stay inside one network domain",
    "affinity": "write `cpu=N` for the cores of one replica",
    "same": "write `select[key=value]` with the label that all nodes shall have",
    "order": "leave it out: the scheduler orders the nodes",
}

GANG_RULES = {
    "min": "min_available minavailable minimum size members",
    "fail": "policy on_failure onfailure failure restart restart_policy restartpolicy on_fail",
    "retries": "max_retry maxretry max_retries retry backoff_limit backofflimit",
    "done": "complete completed success success_policy until end",
    "pack": "topology network_topology networktopology tier cu",
    "start": "timeout wait pending start_timeout starttimeout patience max_wait",
}


def near(word: str, known: Collection[str]) -> str | None:
    """`write ...` with the known word that looks most alike, if one does."""
    close = nearest(word, known)
    return f"write `{show(close)}`" if close else None


def key(item: Item, known: tuple[str, ...]) -> Complaint:
    """What to say about a key of a group that hetc does not know."""
    text = item.key.text
    plain = _plain(text)
    if plain in TEXT and plain not in ("name", "node_selector"):
        where = f"write `{plain}: ...` after the `---` line; a request has only counts and resources"
        return codes.MISPLACED, item.key.span, f"`{plain}` is text, not shape", where
    help = _alias(plain, ALIASES, item) or _elsewhere(plain) or near(plain, known)
    message = f"unknown key `{show(text)}`"
    if text == "select" or text.startswith("select("):
        message, help = "`select` has no brackets", "write `select[key=value]`"
    return codes.UNKNOWN_KEY, item.key.span, message, help or f"write one of {', '.join(known)}"


def _plain(text: str) -> str:
    return text.lstrip("-").replace("-", "_").lower()[:64]


def _alias(plain: str, table: dict[str, str], item: Item | None = None) -> str | None:
    """`write ...` with hetc's name of a key; `item`: what is written of it, in a group."""
    for name, others in table.items():
        if plain == name or plain in others.split():
            return f"write `{name if item is None else _renamed(name, plain, item)}`"
    return None


def _renamed(name: str, plain: str, item: Item) -> str:
    """An item under hetc's name of its key: with its own amount where that means the same, else an example."""
    value = item.value_span().text()
    if item.parts and not plain.endswith("per_task") and re.fullmatch(KEPT.get(name, ""), value):
        return f"{name}={value}"
    return EXAMPLES[name]


def _elsewhere(plain: str) -> str | None:
    if plain == "node_selector":
        return "write `select[key=value]`, or `node_selector: {key: value}` after the `---` line"
    return next((help for others, help in ELSEWHERE.items() if plain in others.split()), None)


def section(word: Word, inside: bool) -> Complaint:
    """What to say about a section that has no place here: `word[...]`."""
    text, shown = word.text, f"`{show(word.text)}[...]`"
    if text in LSF_SECTIONS:
        return codes.FOREIGN, word.span, f"{shown} is a section of LSF", LSF_SECTIONS[text]
    if inside and text in ("use", "gang"):
        return codes.SYNTAX, word.span, f"{shown} stands inside a group", "write it before the first group or behind the last one"
    if text == "select":
        return codes.SYNTAX, word.span, f"{shown} stands outside a group", "write it inside the `<...>` of a group"
    if text in EXAMPLES:
        place = "" if inside else " inside the `<...>` of a group"
        return codes.SYNTAX, word.span, f"`{text}` takes no brackets", f"write `{EXAMPLES[text]}`{place}"
    known = ("select",) if inside else ("use", "gang")
    help = near(text, known) or "write " + " or ".join(f"`{name}[...]`" for name in known)
    return codes.UNKNOWN_KEY, word.span, f"unknown section {shown}", help


def rule(item: Item, known: tuple[str, ...]) -> Complaint:
    """What to say about a key of `gang[...]` that hetc does not know."""
    plain = _plain(item.key.text)
    message = f"unknown key `{show(item.key.text)}` in `gang[...]`"
    if not item.parts and plain in ("all", "fail", "restart", "tolerate"):
        return codes.UNKNOWN_KEY, item.key.span, message, f"write `{'min' if plain == 'all' else 'fail'}={plain}`"
    help = _alias(plain, GANG_RULES) or near(plain, known) or f"write one of {', '.join(known)}"
    return codes.UNKNOWN_KEY, item.key.span, message, help


def condition(item: Item) -> Complaint:
    """What to say about a label of `select[...]` with an operator in it."""
    text = item.span.text()
    sign = next(sign for sign in ("||", "&&", "!", "(", ")", "~") if sign in text)
    start = item.span.start + text.index(sign)
    return codes.FOREIGN, Span(item.span.source, start, start + len(sign)), *operator(sign)


def operator(sign: str) -> tuple[str, str]:
    """Message and help for an operator in `select[...]`."""
    if sign in ("&&", "and", "&"):
        return f"`{sign}` in `select[...]`", "write `,`: all labels must hold, as in `select[zone=a, pool=b]`"
    if sign in ("||", "or", "|"):
        help = "write one value for each label, as in `select[zone=a]`; groups on different nodes are joined with `+`"
        return f"`{sign}` in `select[...]`: there are no alternatives", help
    if sign in ("<", ">", "<=", ">="):
        help = "write amounts as items, such as `mem=64Gi`, and labels as `select[key=value]`"
        return f"`{sign}` in `select[...]`: there are no comparisons", help
    return f"`{sign}` in `select[...]`: a label has exactly one value", "write labels as `select[zone=a, pool=b]`"


def count(text: str) -> tuple[str, str]:
    """Message and help for a count that is not `[1-9][0-9]*`."""
    shown, digits = f"`{show(text)}`", text.lstrip("+-").replace("_", "")
    whole = show(digits.lstrip("0"))
    if re.fullmatch("0+", text):
        return f"the count is {shown}", "write 1 or more, or delete the group"
    if re.fullmatch("[-+][0-9_]+", text):
        return f"the count {shown} has a sign", f"write `{whole}`" if whole else "write 1 or more"
    if re.fullmatch("[0-9]+(?:_[0-9]+)+", text):
        return f"the count {shown} has an underscore", f"write `{whole}`" if whole else "write 1 or more"
    if re.fullmatch("0[0-9]+", text):
        return f"the count {shown} has a leading zero", f"write `{whole}`"
    if re.fullmatch(r"[0-9]*\.[0-9]*", text):
        exact = text.partition(".")[0].lstrip("0") if re.fullmatch(r"[0-9]+\.0*", text) else ""
        return f"the count {shown} is not a whole number", f"write `{show(exact)}`" if exact else "write a whole number, such as `2`"
    exponent = re.fullmatch("([1-9][0-9]{0,3})[eE]([0-9])", text)
    if exponent:
        return f"the count {shown} has an exponent", f"write `{int(exponent[1]) * 10 ** int(exponent[2])}`"
    if re.fullmatch("[0-9.]+[eE][-+]?[0-9]*", text):
        return f"the count {shown} has an exponent", "write all its digits"
    span = re.fullmatch("([0-9]{1,10})-([0-9]{1,10})", text)
    if span:
        return f"the count {shown} is a range", f"write `{span[2]}` as the count and the item `min={span[1]}`"
    return f"the count {shown} is not a number", "write the count first and the name after `*`, as in `2*worker<...>`"


#: `8xH100`, `8-a100` and `8H100`, but no number with an exponent or a unit.
_JOINED = re.compile("([0-9]+)(?:[xX@_/-]|(?=[A-Z]+[0-9]))(?![eE][0-9]+$)([A-Za-z][-A-Za-z0-9_.]*)")


def is_joined(text: str) -> bool:
    """Whether a value of `gpu` is a number with a model right behind it."""
    return _JOINED.fullmatch(text) is not None


def gpu(parts: list[str]) -> tuple[str, str]:
    """Message and help for a value of `gpu` that is not a number and a model after it."""
    text = show(":".join(parts))
    if not parts:
        return "`gpu` has no value", "write `gpu=8`, or `gpu=8:A100`"
    joined = _JOINED.fullmatch(parts[0]) if len(parts) == 1 else None
    if joined:
        model = joined[2].upper() if joined[2].islower() else joined[2]
        return f"`gpu={text}` has no `:` before the model", f"write `gpu={show(joined[1])}:{show(model)}`"
    if parts[0].lower() == "gpu" and len(parts) > 1:
        parts = [part.upper() for part in parts[1:]]  # Slurm has types in lower case, product labels in upper case
    if len(parts) == 1 and re.fullmatch("[0-9]+", parts[0]):
        return f"`gpu={text}` is Slurm's form", f"write `gpu={show(parts[0])}`"
    if len(parts) == 2 and re.fullmatch("[0-9]+", parts[1]):
        return f"`gpu={text}` has the model before the number", f"write `gpu={show(parts[1])}:{_quoted(parts[0])}`"
    if len(parts) == 1:
        return f"`gpu={text}` has no number", f"write `gpu=N:{_quoted(parts[0])}`, N the GPUs of one replica, such as `gpu=8:A100`"
    return f"`gpu={text}` is not a number and a model", "write `gpu=8:A100`, with quotes around a model that holds `:`"


def _quoted(model: str) -> str:
    return show(f'"{model}"' if re.search(r'[\s*<>=,:+\[\]{}]', model) else model)


# Command lines of other schedulers.

_COMMAND = re.compile(
    r"\s*(?:(?:sbatch|srun|salloc|qsub|bsub|#\s*(?:SBATCH|PBS|BSUB))\b(?!\s*:)|--?[A-Za-z]|(?:select|nodes|ncpus|nnodes)==?)"
)
_DIRECTIVE = re.compile(r"^#[ \t]*((?:SBATCH|PBS|BSUB)\b.*)", re.MULTILINE)
_OPTION = re.compile(r"--?([A-Za-z][A-Za-z-]*)(?:[ =]([^\s-][^\s]*))?")

#: What stands in a rewritten group where the other scheduler's request says too little.
_UNKNOWN = ", with what one replica needs for each N"


def is_command(text: str) -> bool:
    """Whether a request begins like a command line of Slurm, PBS or LSF."""
    return _COMMAND.match(text) is not None


def directives(text: str) -> tuple[int, int, str] | None:
    """The first `#SBATCH` line of a script and its like: start, end, and the options of all of them as one command line."""
    found = list(_DIRECTIVE.finditer(text[:20_000]))
    if not found:
        return None
    lines = [re.sub(r"^SBATCH\s+(?:hetjob|packjob)\b.*", ":", each[1]) for each in found]
    return *found[0].span(), " ".join(lines)


def command(text: str) -> tuple[str, str]:
    """Message and help for a command line of another scheduler: the same request in hetc's form where it can be read."""
    text = text[:2000]
    chunks = re.search(r"(?:select|nodes)=([^\s,]+)", text) if "--" not in text else None
    if re.search(r"\bbsub\b|\bBSUB\b|(?:^|\s)-(?:R|gpu)\b", text):
        who, groups = "LSF", _lsf(text)
    elif chunks:
        who, groups = "PBS", [_pbs(chunk.split(":")) for chunk in chunks[1].split("+")]
    else:
        who = "PBS" if re.search(r"\b(?:qsub|PBS)\b", text) else "Slurm"
        groups = [_slurm(dict(_OPTION.findall(part))) for part in re.split(r"\s:\s", text)]
    written = [group for group in groups if group]
    if len(written) < len(groups):
        return f"this is a request of {who}", f"write groups, such as `{EXAMPLE}`"
    return f"this is a request of {who}", f"write `{'+'.join(written)}`{_UNKNOWN if who == 'LSF' else ''}"


def _lsf(text: str) -> list[str | None]:
    """The groups of `bsub -n SLOTS -R "REQUIREMENTS" -gpu "num=N"`."""
    wanted = " ".join("".join(parts) for parts in re.findall(r"""-R\s*(?:"([^"]*)"|'([^']*)'|(\S+))""", text))
    compound = _LSF_GROUP.findall(wanted)
    if compound:
        return [lsf_group(count, inner) for count, _, inner in compound]
    slots = re.search(r"-n\s*([1-9][0-9]{0,6})(?![0-9,])", text)
    tile = re.search(r"ptile=([1-9][0-9]{0,6})", wanted)
    gpus = re.search(r"\bnum=([0-9]+)", text)
    model = re.search(r"\bgmodel=([A-Za-z0-9_-]+)", text)
    wanted += f" ngpus={gpus[1]}" if gpus else ""
    if slots and "hosts=1]" in wanted:
        return [lsf_group("1", f"{wanted} ptile={slots[1]}", model[1] if model else None)]
    nodes = "NODES"
    if slots and tile and int(slots[1]) % int(tile[1]) == 0:
        nodes = str(int(slots[1]) // int(tile[1]))
    return [lsf_group(nodes, wanted, model[1] if model else None)]


_LSF_GROUP = re.compile(r"([0-9]+)\s*\*\s*([a-z][-a-z0-9]*)?\s*\{([^{}]*)\}")


def lsf_group(count: str, wanted: str, model: str | None = None) -> str:
    """A group with the count, the GPUs and the processes of LSF's requirements, and N for what they do not say of a replica."""
    gpus = re.search(r"\bngpus(?:_physical)?=([0-9]+)", wanted)
    tile = re.search(r"\bptile=([0-9]+)", wanted)
    items = ["cpu=N", "mem=NGi"]
    if gpus:
        items.append(f"gpu={show(gpus[1])}" + (f":{show(model)}" if model else ""))
    if tile:
        items.append(f"ppn={show(tile[1])}")
    return f"{show(count)}*<{', '.join(items)}>"


def _pbs(chunk: list[str]) -> str | None:
    given = dict(pair.split("=", 1) for pair in chunk if "=" in pair)
    replicas = chunk[0] if chunk[0].isascii() and chunk[0].isdigit() else "1"
    return _group(replicas, given.get("ncpus"), given.get("mem"), given.get("ngpus"), given.get("gpu_model"),
                  given.get("mpiprocs") or given.get("ppn"))


def _slurm(given: dict[str, str]) -> str | None:
    tasks = given.get("ntasks-per-node")
    cores = given.get("cpus-per-task") or given.get("c")
    if cores and tasks and re.fullmatch("[0-9]{1,6}", cores) and re.fullmatch("[0-9]{1,6}", tasks):
        cores = str(int(cores) * int(tasks))
    gres = (given.get("gres", "").removeprefix("gpu:") or given.get("gpus-per-node", "")).split(":")
    memory = given.get("mem")
    if memory and re.fullmatch("[0-9]+", memory):
        memory += "M"  # Slurm's default unit
    return _group(given.get("nodes") or given.get("N") or "1", cores, memory, gres[-1], gres[0] if len(gres) > 1 else None, tasks)


def _group(replicas: str, cores: str | None, memory: str | None, gpus: str | None, model: str | None, tasks: str | None) -> str | None:
    """A group in hetc's form; None where a part cannot be carried over."""
    items = list(_items(cores, memory, gpus, model, tasks))
    plain = all(re.fullmatch(r"[a-z]+=[A-Za-z0-9:_.-]{1,40}", item) for item in items)
    asks = any(item.startswith(("cpu", "mem", "gpu")) for item in items)
    return f"{replicas}*<{','.join(items)}>" if asks and plain and re.fullmatch("[1-9][0-9]{0,8}", replicas) else None


def _items(cores: str | None, memory: str | None, gpus: str | None, model: str | None, tasks: str | None) -> Iterator[str]:
    if cores:
        yield f"cpu={cores}"
    unit = re.fullmatch("([0-9]+)([kmgt])b?", memory, re.IGNORECASE) if memory else None
    if unit:
        yield f"mem={unit[1]}{unit[2].upper()}i"  # all three count in steps of 1024
    if gpus:
        yield f"gpu={gpus}:{model.upper()}" if model else f"gpu={gpus}"
    if tasks:
        yield f"ppn={tasks}"


def braces(text: str, at: int, end: int) -> tuple[int, int, str, str]:
    """Where (start, end) and what to say about the `{` at `at`."""
    rest = text[at:min(end, at + 2000)]
    other = re.search(r"\}\s*(\|\|)", rest)
    if other:
        help = "write the one request that is meant; hetc has no alternatives"
        return at + other.start(1), at + other.end(1), "`{...}||{...}`: alternatives of LSF", help
    inner = re.match(r"\{([^{}\[\]<>]{1,200})\}", rest)
    words = " ".join(inner[1].split()) if inner else ""
    if "=" in words and words.isascii() and words.isprintable():
        return at, at + 1, "`{...}` is LSF's form of a group", f"write `<{words}>`"
    before = text[max(0, at - 200):at]
    start = re.search(r"[0-9]+\s*\*\s*[-a-z0-9]*\s*\Z", before)
    groups = _LSF_GROUP.findall(text[at - len(before) + start.start():min(end, at + 2000)]) if start else []
    written = " + ".join(lsf_group(count, inner).replace("*", f"*{name}") for count, name, inner in groups[:9])
    help = f"write `{written or '8*<cpu=N, mem=NGi, ppn=4>'}` in place of all of it{_UNKNOWN}; counts are replicas, not slots"
    return at, at + 1, "`{...}` is LSF's form of a group", help
