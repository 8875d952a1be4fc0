"""The site file: `hetc.toml`, or `[tool.hetc]` in `pyproject.toml`. Platform owners' ground.

Two files take part: the nearest one upwards from the input, and the repository root's, whose policy a nearer file may
tighten and never loosen. With `--config` that one file is both.
"""
from __future__ import annotations

import os
import re

from hetc import codes
from hetc.diagnostic import Label
from hetc.gpu import LABEL, RESOURCE, GpuTable
from hetc.image import covers
from hetc.lazy import regex
from hetc.levels import Levels, levels
from hetc.manifest import mappings
from hetc.names import dns1123_subdomain, label_key, too_long
from hetc.origin import Located, Origin
from hetc.record import Record, replace
from hetc.security import OTHER_VOLUMES
from hetc.source import MAX_BYTES, NotUtf8, Source, Span, UsageError, decode, reason
from hetc.system import above, is_root, relative
from hetc.tree import Entry, Mapping, Scalar, Sequence, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hetc.diagnostic import Report
    from hetc.rule import JobRule, ManifestRule
    from hetc.tree import Node

FILE = "hetc.toml"
PYPROJECT = "pyproject.toml"

#: The tables that are layers of jobs, in overlay keys.
LAYERS = ("defaults", "profiles")

#: `tool.hetc` with blanks and quotes, or a table `tool` that may hold it.
_MAY_HAVE_TABLE = regex(rb"""tool["'\s]*\.["'\s]*hetc|^\s*\[\s*["']?tool["']?\s*\]|^\s*["']?tool["']?\s*[=.]""", re.MULTILINE)
_HEADER = regex(r"\s*\[\[?\s*(.+?)\s*\]\]?\s*(?:#.*)?\Z")
_KEY = regex(r"""\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=""")
_PART = regex(r"""\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*\.?""")


class Policy(Record):
    """What jobs may do; None: anything."""

    namespaces: tuple[Located[str], ...] | None = None
    queues: tuple[Located[str], ...] | None = None
    registries: tuple[Located[str], ...] | None = None
    node_labels: tuple[Located[str], ...] | None = None
    max_gpus: Located[int] | None = None
    required_labels: tuple[Located[str], ...] = ()
    #: Kinds of volumes beside the safe ones.
    volumes: tuple[Located[str], ...] = ()
    #: Keys of taints that jobs may tolerate, and node labels that `affinity` may name; none where nothing is said.
    tolerations: tuple[Located[str], ...] = ()
    affinity: tuple[Located[str], ...] = ()


class Site(Record):
    """The settings in force. `defaults` is the lowest layer, in job-level overlay keys."""

    defaults: Mapping | None
    gpu: GpuTable
    tolerations: tuple[Mapping, ...] = ()
    rdma_resource: str = "rdma/hca"
    ipc_lock: Origin | None = None
    #: Key of a request -> the extended resource that it counts.
    resources: tuple[tuple[str, str], ...] = ()
    prefix: str = "AJ_"
    scheduler: str = "volcano"
    #: The distribution of Volcano, "" where it is Volcano's own.
    distribution: str = ""
    #: The minor version of Volcano 1, None for the newest that hetc knows.
    volcano: int | None = None
    #: The scheduler's plugins beside those that are on by default.
    plugins: frozenset[str] = frozenset()
    kubernetes: tuple[int, int] | None = None
    policy: Policy = Policy()
    levels: Levels = Levels({})
    #: Where manifests are kept, `{stem}` for the input's.
    output: Located[str] | None = None
    #: The site's own rules.
    rules: tuple[JobRule | ManifestRule, ...] = ()


def discover(folder: str) -> tuple[str | None, str | None]:
    """The nearest site file upwards from `folder`, and the repository root's; either may be None or both the same.

    The search ends at the folder that holds `.git`, or at the file system's root. Raises UsageError when a
    `pyproject.toml` on the way cannot be read.
    """
    folders = list(above(os.path.abspath(folder)))
    found = [_in_folder(each) for each in folders]
    return next(filter(None, found), None), found[-1] if is_root(folders[-1]) else None


def _in_folder(folder: str) -> str | None:
    """The site file of a folder. Raises UsageError where there are two."""
    own, project = os.path.join(folder, FILE), os.path.join(folder, PYPROJECT)
    has_own, has_table = os.path.isfile(own), os.path.isfile(project) and _has_table(project)
    if has_own and has_table:
        raise UsageError(f"`{relative(own)}` and `[tool.hetc]` of `{relative(project)}` are two site files for one folder; "
                         "keep one of the two")
    return own if has_own else project if has_table else None


def _has_table(path: str) -> bool:
    """Whether a `pyproject.toml` has a table `[tool.hetc]`, in whatever spelling; only one that may have it is parsed."""
    try:
        with open(path, "rb") as file:
            if not _MAY_HAVE_TABLE.search(file.read(MAX_BYTES)):
                return False
    except OSError as error:
        raise UsageError(f"cannot read `{path}`: {reason(error)}") from None
    tool = _toml(path, relative(path))[0].get("tool")
    return isinstance(tool, dict) and "hetc" in tool


def load(path: str, shown: str) -> Mapping:
    """The site file at `path` as a tree, positions at the lines of its keys; `shown` is its name in messages.

    Raises UsageError when it cannot be read or is no TOML: the configuration is at fault then.
    """
    data, text = _toml(path, shown)
    source = Source(shown, text)
    prefix: tuple[str, ...] = ()
    if os.path.basename(path) == PYPROJECT:
        tool = data.get("tool")
        own = tool.get("hetc", {}) if isinstance(tool, dict) else {}
        if not isinstance(own, dict):
            raise UsageError(f"{shown}: `tool.hetc` is no table")
        data, prefix = own, ("tool", "hetc")
    tree = _Positions(source).tree(data, prefix)
    assert isinstance(tree, Mapping)
    return tree


def _toml(path: str, shown: str) -> tuple[dict[str, object], str]:
    """The data of a TOML file and its text. Raises UsageError."""
    import tomllib

    try:
        with open(path, "rb") as file:
            text = decode(file.read(MAX_BYTES + 1))
        return tomllib.loads(text.replace("\r\n", "\n")), text
    except OSError as error:
        raise UsageError(f"cannot read `{shown}`: {reason(error)}") from None
    except NotUtf8 as error:
        raise UsageError(f"{shown}:{error.line}:{error.column}: {error.reason}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{shown}: no TOML: {error}") from None


class _Positions:
    """TOML data to a tree. tomllib gives no places, so a value's place is the key on the line that sets it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.places: dict[tuple[str, ...], Span] = {}
        table: tuple[str, ...] = ()
        for number, start in enumerate(source.starts(), 1):
            line = source.line(number)
            if header := _HEADER.match(line):
                table = _parts(header[1])
                for length in range(1, len(table) + 1):
                    self.place(table[:length], start + header.start(1), start + header.end(1))
            elif key := _KEY.match(line):
                self.place(table + _parts(key[1]), start + key.start(1), start + key.end(1))

    def place(self, path: tuple[str, ...], start: int, end: int) -> None:
        self.places.setdefault(path, Span(self.source, start, end))

    def origin(self, path: tuple[str, ...]) -> Origin:
        while path and path not in self.places:
            path = path[:-1]
        return Origin(self.places.get(path) or Span(self.source, 0, 0))

    def tree(self, value: object, path: tuple[str, ...]) -> Node:
        origin = self.origin(path)
        if isinstance(value, dict):
            return Mapping({key: Entry(Scalar(key, self.origin((*path, key))), self.tree(below, (*path, key)))
                            for key, below in value.items()}, origin)
        if isinstance(value, list):
            return Sequence([self.tree(item, path) for item in value], origin)
        if isinstance(value, (str, bool, int, float)):
            return Scalar(value, origin, str(value))
        return Scalar(float("nan"), origin, str(value))  # a date: no site setting is one


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(double or single or bare for double, single, bare in _PART.findall(dotted))


def settings(tree: Mapping) -> Mapping:
    """The tables of a site file that are no layers of jobs."""
    return Mapping({key: entry for key, entry in tree.entries.items() if key not in LAYERS}, tree.origin)


def spelt_out(tree: Mapping) -> Mapping:
    """The tree with `[gpu.models] FAMILY = [PRODUCT, …]` written as `FAMILY = {products = [PRODUCT, …]}`."""
    gpu, models = tree.get("gpu"), find(tree, "gpu", "models")
    if not isinstance(gpu, Mapping) or not isinstance(models, Mapping):
        return tree
    families = {
        name: Entry(entry.key, Mapping({"products": Entry(entry.key, entry.value)}, entry.value.origin))
        if isinstance(entry.value, Sequence) else entry
        for name, entry in models.entries.items()
    }
    new_gpu = Mapping({**gpu.entries, "models": Entry(gpu.entries["models"].key, Mapping(families, models.origin))}, gpu.origin)
    return Mapping({**tree.entries, "gpu": Entry(tree.entries["gpu"].key, new_gpu)}, tree.origin)


def site(nearest: Mapping | None, root: Mapping | None, report: Report, folders: tuple[str, str] = (".", ".")) -> Site:
    """The settings of checked site trees; `root` is the repository root's (or `--config`'s), `nearest` may be the same.

    `folders` are those of the two files.
    """
    for tree in dict.fromkeys((nearest, root)):
        if tree is not None:
            _legal(tree, report)
    _same_labels(nearest, root, report)
    allowed = {name: _allowed(name, nearest, root, report) for name in ("volumes", "tolerations", "affinity")}
    strict = replace(_strict(nearest, root, report), **allowed)
    return Site(
        _lowest(nearest),
        _gpu_table(nearest),
        tuple(mappings(find(nearest, "gpu", "tolerations"))),
        _text(nearest, "rdma", "resource") or "rdma/hca",
        _ipc_lock(nearest, root, report),
        tuple((key, str(value.value)) for key, value in _scalars(find(nearest, "resources"))),
        _text(nearest, "variables", "prefix") or "AJ_",
        _text(root, "volcano", "scheduler") or _text(nearest, "volcano", "scheduler") or "volcano",
        _text(root, "volcano", "distribution") or _text(nearest, "volcano", "distribution") or "",
        volcano_minor(_text(root, "volcano", "version") or _text(nearest, "volcano", "version")),
        frozenset(name.value for name in _texts(root, "volcano", "plugins") or _texts(nearest, "volcano", "plugins") or ()),
        _version(root) or _version(nearest),
        strict,
        levels(nearest, root, folders, report),
        output=_output(nearest, folders[0]),
    )


def _lowest(tree: Mapping | None) -> Mapping | None:
    """The layer below all others: the defaults, with the profiles beside them."""
    defaults, profiles = (tree.entries.get(key) if tree is not None else None for key in LAYERS)
    entries = dict(defaults.value.entries) if defaults is not None and isinstance(defaults.value, Mapping) else {}
    if profiles is not None:
        entries["profiles"] = profiles
    return Mapping(entries, tree.origin) if tree is not None and entries else None


_KEY_WORD = regex(r"[a-z][-a-z0-9_]{0,62}\Z", re.ASCII)
_WORD = regex(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)
_VERSION = regex(r"v?[0-9]{1,3}\.[0-9]{1,3}(?:\.[0-9]{1,3})?\Z", re.ASCII)


def _legal(tree: Mapping, report: Report) -> None:
    """Refuse names that would make wrong manifests of every job, at the key that gives them."""
    for path, wrong, help in (
        (("variables", "prefix"), _wrong_prefix, "write letters, digits and `_`, such as `AJ_`"),
        (("volcano", "scheduler"), _wrong_scheduler, "write the scheduler's name, such as `volcano`"),
        (("volcano", "distribution"), _wrong_distribution, "write `cce`, or leave it out"),
        (("volcano", "version"), wrong_volcano, KNOWN_VOLCANOS),
        (("kubernetes", "version"), _wrong_version, "write it like `1.36`"),
        (("build", "output"), _wrong_output, "write a path with `{stem}` in it, such as `rendered/{stem}.yaml`"),
        (("gpu", "product_label"), label_key, "write a node label, such as `nvidia.com/gpu.product`"),
        (("gpu", "resource"), _wrong_resource, "write an extended resource, such as `nvidia.com/gpu`"),
        (("rdma", "resource"), _wrong_resource, "write an extended resource, such as `rdma/hca`"),
    ):
        _refuse(find(tree, *path), ".".join(path), wrong, help, report)
    for key, value in _scalars(find(tree, "resources")):
        _refuse(Scalar(key, value.origin), f"resources.{key}", _wrong_key, "choose another word, such as `npu`", report)
        _refuse(value, f"resources.{key}", _wrong_resource, "write an extended resource, such as `huawei.com/Ascend910`", report)
    models = find(tree, "gpu", "models")
    for name, entry in models.entries.items() if isinstance(models, Mapping) else ():
        _refuse(find(entry.value, "resource"), f"gpu.models.{name}.resource", _wrong_resource, "write an extended resource", report)
        _refuse(find(entry.value, "label"), f"gpu.models.{name}.label", label_key, "write a node label", report)
    rdma, table = _text(tree, "rdma", "resource"), _gpu_table(tree)
    if rdma is not None and rdma in table.resources():
        place = find(tree, "rdma", "resource")
        assert place is not None
        report.add(codes.BAD_VALUE, place.origin.span, f"`rdma.resource` is `{rdma}`, which is a resource of GPUs",
                   "write the resource of one RDMA device")


def _refuse(node: Node | None, name: str, wrong: Callable[[str], str | None], help: str, report: Report) -> None:
    reason = wrong(node.value) if isinstance(node, Scalar) and isinstance(node.value, str) else None
    if node is not None and reason is not None:
        report.add(codes.BAD_VALUE, node.origin.span, f"`{name}`: {reason}", help)


def _wrong_prefix(text: str) -> str | None:
    return None if _WORD.match(text) else f"`{text}` does not begin the name of a shell variable"


def _scalars(node: Node | None) -> Iterator[tuple[str, Scalar]]:
    for key, entry in node.entries.items() if isinstance(node, Mapping) else ():
        if isinstance(entry.value, Scalar):
            yield key, entry.value


def _wrong_key(text: str) -> str | None:
    from hetc.fields import REQUEST_KEYS

    if text in REQUEST_KEYS:
        return f"`{text}` is a key of requests already"
    return None if _KEY_WORD.match(text) else f"`{text}` cannot be a key of requests"


def _wrong_distribution(text: str) -> str | None:
    return None if text == "cce" else f"`{text}` is no distribution that hetc knows"


#: The minor versions of Volcano 1 that hetc knows.
OLDEST, NEWEST = 10, 16
KNOWN_VOLCANOS = f"write one from `1.{OLDEST}` to `1.{NEWEST}`"
_VOLCANO = regex(r"v?1\.([0-9]{1,3})(?:\.[0-9]{1,3})?(?:-[0-9a-z.]{1,20})?\Z", re.ASCII)


def volcano_minor(text: str | None) -> int | None:
    """The minor version in a version of Volcano."""
    match = _VOLCANO.match(text) if text else None
    return int(match[1]) if match else None


def wrong_volcano(text: str) -> str | None:
    """What keeps a text from being a version of Volcano that hetc knows."""
    minor = volcano_minor(text)
    if minor is None:
        return f"`{text}` is no version of Volcano"
    return None if OLDEST <= minor <= NEWEST else f"hetc does not know Volcano `{text}`"


def asked_volcano(what: str, text: str) -> int:
    """The minor version that an option or argument names. Raises UsageError where hetc does not know it."""
    minor, wrong = volcano_minor(text), wrong_volcano(text)
    if minor is None or wrong is not None:
        raise UsageError(f"`{what}`: {wrong}; {KNOWN_VOLCANOS}")
    return minor


def _wrong_version(text: str) -> str | None:
    return None if _VERSION.match(text) else f"`{text}` is no version of Kubernetes"


def _wrong_output(text: str) -> str | None:
    rest = text.replace("{stem}", "", 1)
    return None if rest != text and not set(rest) & set("{}\0") else f"`{text}` has not one `{{stem}}` in it"


def _wrong_scheduler(text: str) -> str | None:
    return dns1123_subdomain(text) or too_long(text)


def _wrong_resource(text: str) -> str | None:
    """What keeps a text from naming an extended resource: Kubernetes' own names have another meaning."""
    domain, slash, _ = text.partition("/")
    if not slash or domain == "kubernetes.io" or domain.endswith(".kubernetes.io") or text.startswith("requests."):
        return f"`{text}` is no extended resource, which has a domain of its own"
    return label_key(text)


def _output(tree: Mapping | None, folder: str) -> Located[str] | None:
    node = find(tree, "build", "output")
    return Located(os.path.join(folder, node.text), node.origin) if isinstance(node, Scalar) else None


def _same_labels(nearest: Mapping | None, root: Mapping | None, report: Report) -> None:
    """Where the root's policy says which node labels jobs may select by, a nearer file brings no other by way of GPU models."""
    allowed = _policy(root).node_labels
    if nearest is None or nearest is root or allowed is None:
        return
    known = {label.value for label in allowed} | _gpu_table(root).labels()
    models = find(nearest, "gpu", "models")
    nodes = [find(nearest, "gpu", "product_label")]
    nodes += [find(entry.value, "label") for entry in models.entries.values()] if isinstance(models, Mapping) else []
    for node in nodes:
        if isinstance(node, Scalar) and node.text not in known:
            report.add(codes.LOOSER, node.origin.span, f"node label `{node.text}` is outside what the repository root allows",
                       "leave it out, or have the root's site file allow it", [Label(allowed[0].span, "the root's policy")])


def _strict(nearest: Mapping | None, root: Mapping | None, report: Report) -> Policy:
    """The root's policy, tightened by the nearer file's; a try to loosen it is an error."""
    upper, lower = _policy(root), _policy(nearest)
    if nearest is root or root is None:
        return lower
    if nearest is None:
        return upper
    both: dict[str, tuple[Located[str], ...] | None] = {}
    for name in ("namespaces", "queues", "registries", "node_labels"):
        ours, theirs = getattr(lower, name), getattr(upper, name)
        for item in ours or ():
            covered = theirs is None or any(covers(each.value, item.value) if name == "registries" else item == each for each in theirs)
            if not covered:
                report.add(codes.LOOSER, item.span, f"`{item.value}` in `policy.{name}` is outside what the repository root allows",
                           "leave it out, or have the root's site file allow it",
                           [Label(theirs[0].span if theirs else item.span, "the root's policy")])
        both[name] = theirs if ours is None else ours
    most = lower.max_gpus or upper.max_gpus
    if lower.max_gpus and upper.max_gpus and lower.max_gpus.value > upper.max_gpus.value:
        report.add(codes.LOOSER, lower.max_gpus.span,
                   f"`policy.max_gpus` {lower.max_gpus.value} is above the repository root's {upper.max_gpus.value}",
                   f"write at most {upper.max_gpus.value}", [Label(upper.max_gpus.span, "the root's policy")])
        most = upper.max_gpus
    required = upper.required_labels + tuple(label for label in lower.required_labels if label not in upper.required_labels)
    return Policy(both["namespaces"], both["queues"], both["registries"], both["node_labels"], most, required)


def _policy(tree: Mapping | None) -> Policy:
    most = find(tree, "policy", "max_gpus")
    limit = Located(int(most.text), most.origin) if isinstance(most, Scalar) else None
    return Policy(_names(tree, "namespaces"), _names(tree, "queues"), _names(tree, "registries"), _names(tree, "node_labels"), limit,
                  _names(tree, "required_labels") or ())


def _names(tree: Mapping | None, key: str) -> tuple[Located[str], ...] | None:
    """A list of `[policy]`; None where it is not set."""
    return _texts(tree, "policy", key)


def _texts(tree: Mapping | None, *path: str) -> tuple[Located[str], ...] | None:
    """A list of texts; None where it is not set."""
    node = find(tree, *path)
    if not isinstance(node, Sequence):
        return None
    return tuple(Located(item.text, item.origin) for item in node.items if isinstance(item, Scalar))


def _ipc_lock(nearest: Mapping | None, root: Mapping | None, report: Report) -> Origin | None:
    """Only the root's file (or `--config`) can loosen: IPC_LOCK is outside the baseline. A nearer file can turn it off."""
    ours, theirs = find(nearest, "rdma", "ipc_lock"), find(root, "rdma", "ipc_lock")
    allowed = isinstance(theirs, Scalar) and theirs.value is True
    if isinstance(ours, Scalar) and ours.value is True and not allowed:
        report.add(codes.LOOSER, ours.origin.span, "`rdma.ipc_lock` adds a capability, which only the repository root's site file may do",
                   "set it in the site file beside `.git`, or give the file by --config")
    if not allowed or (isinstance(ours, Scalar) and ours.value is False):
        return None
    return theirs.origin if theirs is not None else None


def _allowed(name: str, nearest: Mapping | None, root: Mapping | None, report: Report) -> tuple[Located[str], ...]:
    """What is refused unless the root's file (or `--config`) allows it; a nearer file can name fewer of them."""
    allowed = _names(root, name) or ()
    wanted = _names(nearest, name)
    for each in allowed if wanted is None else wanted:
        if name == "volumes" and each.value not in OTHER_VOLUMES:
            report.add(codes.BAD_VALUE, each.span, f"`{each.value}` in `policy.volumes` is no kind of volume that a site can allow",
                       f"write some of {', '.join(f'`{kind}`' for kind in OTHER_VOLUMES)}")
        elif each not in allowed and not any(other.value == ANY for other in allowed):
            report.add(codes.LOOSER, each.span, f"`{each.value}` in `policy.{name}` is outside what the repository root allows",
                       "leave it out, or allow it in the site file beside `.git`, or by --config")
    return allowed if wanted is None else tuple(each for each in wanted if each in allowed or any(other.value == ANY for other in allowed))


#: In a list of what is allowed: all of it.
ANY = "*"


def extensions(nearest: Mapping | None, root: Mapping | None, report: Report) -> tuple[Located[str], ...]:
    """The names of the packages' rules to load. Only the root's file (or `--config`) may have code run."""
    allowed = _texts(root, "extensions", "rules") or ()
    for name in _texts(nearest, "extensions", "rules") or ():
        if name not in allowed:
            report.add(codes.LOOSER, name.span,
                       f"`{name.value}` in `extensions.rules` has code run, which only the repository root's site file may do",
                       "set it in the site file beside `.git`, or give the file by --config")
    return allowed


def _gpu_table(tree: Mapping | None) -> GpuTable:
    from hetc.tree import plain

    models = find(tree, "gpu", "models")
    extra = plain(models) if isinstance(models, Mapping) else {}
    assert isinstance(extra, dict)
    return GpuTable(_text(tree, "gpu", "resource") or RESOURCE, _text(tree, "gpu", "product_label") or LABEL, extra)  # type: ignore[arg-type]


def _version(tree: Mapping | None) -> tuple[int, int] | None:
    text = _text(tree, "kubernetes", "version")
    match = re.match(r"v?(\d{1,3})\.(\d{1,3})", text, re.ASCII) if text else None
    return (int(match[1]), int(match[2])) if match else None


def _text(tree: Mapping | None, *path: str) -> str | None:
    node = find(tree, *path)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None
