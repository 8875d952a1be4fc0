"""`hetc-kustomize`, which kustomize runs: an exec plugin of the older kind, or a KRM function.

An exec plugin is called with the path of its config, and has the resources, if any, on standard input. A function is called
without arguments, and has config and resources in one `ResourceList` there. Both work in the kustomization's folder.
Source: tries with kustomize 5.8.1.
"""
from __future__ import annotations

import os
import sys

from hetc import codes
from hetc.api import CONFIG as KIND
from hetc.kustomize_config import API_VERSION, GENERATE, TRANSFORM, VALIDATE, is_config, read_config
from hetc.objects import Objects, title
from hetc.record import Record, replace
from hetc.source import NotUtf8, UsageError
from hetc.system import relative
from hetc.tree import Entry, Mapping, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.diagnostic import Report
    from hetc.kustomize_config import Config
    from hetc.pipeline import Compiler, Options, Unit
    from hetc.source import Source
    from hetc.tree import Node

USAGE = ("kustomize runs `hetc-kustomize`, with a config of kind HetcJob: `hetc kustomize install` puts it where kustomize looks. "
         "By hand, `hetc build` and `hetc lint` do the same")

#: Under which key of a kustomization a config of each mode stands.
LISTS = {GENERATE: "generators", VALIDATE: "validators", TRANSFORM: "transformers"}

#: What kustomize notes in a resource that it has renamed. What names the resource follows only when all validators have run.
RENAMED = "internal.config.kubernetes.io/previousNames"
#: Rules about a Queue that a resource names.
BETWEEN = ("HET520", "HET527", "HET634")


class Call(Record):
    """What kustomize gave: the config, the resources as text, and whether there are any. `function`: it called a KRM function."""

    config: Mapping
    resources: Objects
    has_resources: bool
    function: bool


def main() -> None:
    """Run as kustomize does, and exit."""
    from hetc.__main__ import finish, guarded

    finish(lambda argv: guarded("hetc-kustomize", run, argv))


def run(argv: list[str]) -> int:
    """Do what the config says; 1 where something is wrong with it, or with what it names. Raises UsageError."""
    if argv and argv[0].startswith("-"):
        from hetc import __version__
        from hetc.commands import write

        write(f"hetc {__version__}: {USAGE}.\n")
        return 0
    root = os.path.realpath(os.getcwd())
    try:
        call = _plugin(argv[0], root) if argv else _function(root)
    except NotUtf8 as error:
        raise UsageError(f"config and resources are UTF-8: {error}") from None
    try:
        return _answer(call, read_config(call.config, root))
    except UsageError as error:
        raise UsageError(f"{title(call.config)}: {error}") from None


def _plugin(path: str, root: str) -> Call:
    """A call as an exec plugin, whose config is a file of kustomize's."""
    from hetc.inputs import load

    config, text = load(path).text, _stdin()
    name = _kustomization(root)
    return Call(_only(Objects(name, config)), Objects(name, text), bool(text.strip()), False)


def _function(root: str) -> Call:
    """A call as a KRM function. The function's own config is among the items when it is to generate, and does not count."""
    if sys.stdin is not None and sys.stdin.isatty():
        raise UsageError(USAGE)
    resources = Objects(_kustomization(root), _stdin())
    whole = _only(resources)
    config, items = whole.get("functionConfig"), whole.get("items")
    if not isinstance(config, Mapping):
        raise UsageError(f"standard input is no ResourceList with a `functionConfig`; {USAGE}")
    others = [each for each in (items.items if isinstance(items, Sequence) else ()) if not is_config(each)]
    return Call(config, resources, bool(others), True)


def _kustomization(root: str) -> str:
    """The kustomization's path from where the user stands. Go there, so that messages name all files from there."""
    start = os.environ.get("PWD", "")
    if os.path.isabs(start) and os.path.isdir(start):
        os.chdir(start)
    return os.path.normpath(os.path.join(relative(root), "kustomization.yaml"))


def _stdin() -> str:
    """Standard input; empty where it is closed or a terminal."""
    from hetc.inputs import STDIN, from_bytes
    from hetc.source import MAX_BYTES

    if sys.stdin is None or sys.stdin.isatty():
        return ""
    return from_bytes(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN).text


def _only(source: Objects) -> Mapping:
    """The one object of a text. Raises UsageError."""
    documents = source.documents()
    if len(documents) != 1 or not isinstance(documents[0], Mapping):
        raise UsageError(f"this is no object of kind {KIND}; {USAGE}")
    return documents[0]


def _answer(call: Call, config: Config) -> int:
    """Print what kustomize is to have, and nothing where anything is wrong; messages on standard error."""
    from hetc.commands import write
    from hetc.diagnostic import gathered
    from hetc.pipeline import Compiler, reached

    reports, text = [config.report], ""
    if config.report.sound():
        compiler = Compiler(config.options if RENAMED not in call.resources.text else _between_left_out(config.options))
        reports, text = _generate(call, config, compiler) if config.mode == GENERATE else _check(call, config, compiler)
    found = gathered(reports)
    if found.diagnostics and sys.stderr is not None:
        from hetc.report.text import render

        write(render(found.diagnostics), sys.stderr)
    if reached(found.diagnostics, config.fail_on):
        return 1
    write(text)
    return 0


def _between_left_out(options: Options) -> Options:
    """Without the rules that would miss a Queue under its old name."""
    return replace(options, ignore=(*options.ignore, *BETWEEN))


def _generate(call: Call, config: Config, compiler: Compiler) -> tuple[list[Report], str]:
    """Compile all sources to one stream."""
    from hetc.dump import dump
    from hetc.pipeline import between

    if call.has_resources:
        config.report.add(codes.CONFLICT, call.config.origin.span, f"`mode: {GENERATE}` would put its jobs in the place of all resources",
                          f"list the config under `{LISTS[GENERATE]}`, or write `mode: {VALIDATE}` or `mode: {TRANSFORM}`")
        return [config.report], ""
    units = [_unit(compiler, source) for source in config.sources]
    reports = [config.report, *(unit.report for unit in units), between(units)]
    documents: list[Node] = [document for unit in units for document in unit.documents]
    if call.function:
        documents = [_object(call, "config.kubernetes.io/v1", "ResourceList", "items", Sequence(documents, call.config.origin))]
    return reports, dump(documents)


def _unit(compiler: Compiler, source: Source) -> Unit:
    if source.name.endswith(".het"):
        return compiler.job(source, True)
    from hetc.flow import unit

    return unit(compiler, source, True)


def _object(call: Call, version: str, kind: str, key: str, value: Node) -> Mapping:
    origin = call.config.origin
    values = {"apiVersion": Scalar(version, origin), "kind": Scalar(kind, origin), key: value}
    return Mapping({key: Entry(Scalar(key, origin), value) for key, value in values.items()}, origin)


def _check(call: Call, config: Config, compiler: Compiler) -> tuple[list[Report], str]:
    """Judge all resources. A transformer passes them on as they came."""
    if not call.has_resources:
        config.report.add(codes.MISSING, call.config.origin.span, f"there are no resources for `mode: {config.mode}`",
                          f"list the config under `{LISTS[config.mode]}`")
        return [config.report], ""
    checked = compiler.manifest(call.resources)
    for each in checked.unknown:
        if each.name == KIND:
            checked.report.add(codes.MISPLACED, each.span, f"a {KIND} stands among the resources, and no cluster knows it",
                               f"list it under `{LISTS[GENERATE]}`, not under `resources`")
    return [config.report, checked.report], call.resources.text if config.mode == TRANSFORM else _no_resource(call)


def _no_resource(call: Call) -> str:
    """What a validator prints.

    kustomize takes resources of its own, printed again, for changed ones, and drops all others; so nothing would do. But
    under `transformers` what is not printed is deleted: this stands there in the place of all resources, and no cluster
    takes it.
    """
    from hetc.dump import dump

    name = Scalar(f"list-this-under-{LISTS[VALIDATE]}", call.config.origin)
    metadata = Mapping({"name": Entry(Scalar("name", name.origin), name)}, name.origin)
    return dump([_object(call, API_VERSION, KIND, "metadata", metadata)])


if __name__ == "__main__":
    main()
