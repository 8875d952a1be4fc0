"""What each command does, from parsed options to an exit status. Nothing about jobs is decided here."""
from __future__ import annotations

import os
import sys
from errno import EINVAL

from hetc.diagnostic import ERROR, WARNING, Report, gathered
from hetc.inputs import STDIN, from_bytes, load
from hetc.origin import Located, Origin, placed
from hetc.pipeline import BACKENDS, COMMAND_LINE, Cluster, Compiler, Options, between, reached
from hetc.record import replace
from hetc.source import MAX_BYTES, NotUtf8, Source, Span, UsageError, reason
from hetc.system import has_escapes, is_windows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from hetc.cache import Cache
    from hetc.diagnostic import Diagnostic
    from hetc.linter import Linter, Looked
    from hetc.options import Command, Parsed
    from hetc.pipeline import Unit
    from hetc.report.summary import Summary
    from hetc.tree import Mapping


def run(command: Command, parsed: Parsed) -> int:
    """Run a command; its exit status. Raises UsageError."""
    return {
        "build": build, "lint": lint, "fmt": fmt, "plan": plan, "explain": explain, "diff": diff, "rule": rule, "schema": schema,
        "init": init, "kustomize": kustomize, "lsp": lsp,
    }[command.name](parsed)


def build(parsed: Parsed) -> int:
    """Compile all files to one stream; no output at all when anything reached the level."""
    _check_output(parsed)
    if parsed.values["check"]:
        return _check(parsed)
    units = _units(parsed)
    documents = _documents(parsed, units, between(units))
    if documents is None:
        return 1
    _write(_rendered(documents, str(parsed.values["format"])), parsed.values["output"])
    return 0


def _units(parsed: Parsed) -> list[Unit]:
    """All inputs, compiled."""
    compiler = Compiler(_options(parsed))
    return [_compile(parsed, source, compiler, True) for source in _sources(parsed)]


def _documents(parsed: Parsed, units: list[Unit], stream: Report) -> list[Mapping] | None:
    """The documents of all units, after what was found in them and in the `stream` has been shown; None when it refuses one."""
    documents = [document for unit in units for document in unit.documents]
    if parsed.values["verify"] and documents:
        from hetc.verify import verify

        verify(list(documents), stream)
    found = _known_left_out(parsed, gathered([unit.report for unit in units] + [stream]))
    _show(parsed, found, sys.stderr, len(units))
    refused = any(unit.document is None for unit in units) or reached(found.diagnostics, str(parsed.values["fail_on"]))
    return None if refused else documents


def _check(parsed: Parsed) -> int:
    """Hold the files of manifests against what would be written now: of each input its own, or with `-o` that of all."""
    from hetc.rendered import difference, inputs, outputs
    from hetc.report.text import complain

    values = parsed.values
    parsed = replace(parsed, arguments=inputs(parsed.arguments))
    units, form = _units(parsed), str(values["format"])
    apart = values["output"] is None
    paths = outputs(units, form, bool(values["allow_outside"])) if apart else [str(values["output"])]
    documents = _documents(parsed, units, Report() if apart else between(units))
    if documents is None or None in paths:
        return 1
    status = 0
    for at, path in enumerate(paths):
        arguments = parsed.arguments[at:at + 1] if apart else parsed.arguments
        changes = difference(str(path), _rendered(units[at].documents if apart else documents, form))
        if changes:
            status = 1
            write(changes)
            line = _build_line(replace(parsed, arguments=arguments), *(("--format", form) if form != "yaml" else ()), "-o", str(path))
            complain(f"`{path}` is {'not what hetc builds now' if os.path.exists(str(path)) else 'not there'}; `{line}` writes it")
    return status


def lint(parsed: Parsed) -> int:
    """Check each file by itself. One that cannot be read does not hide the others."""
    if sys.stdout is None:
        raise UsageError("standard output is closed")
    from hetc.linter import each as each_of
    from hetc.report.text import complain

    values = parsed.values
    if values["fix"] and "-" in parsed.arguments:
        raise UsageError("`--fix` changes files, and standard input is none")
    given = _given(parsed) if values["passthrough"] else None
    paths, linter = _linter(parsed)
    if given is not None:
        linter.read = lambda _: from_bytes(given, _shown(parsed))
    looked = list(_progress(each_of(linter, paths, _jobs(parsed, len(paths))), len(paths)))
    complaints = [each.complaint for each in looked if each.complaint is not None]
    said = tuple(dict.fromkeys(complaints))  # a broken site file is every file's complaint
    if complaints and len(paths) == 1 and values["output_format"] != "json":
        raise UsageError(said[0])
    for complaint in said:
        complain(complaint)
    found = gathered([each.report for each in looked])
    if values["write_baseline"] is not None:
        from hetc.baseline import text

        _write(text(found.diagnostics), values["write_baseline"])
    found = _known_left_out(parsed, found)
    _show(parsed, found, sys.stdout if given is None else sys.stderr, _counted(looked), tuple(path for path in paths if path != "-"))
    if complaints:
        return 2
    if reached(found.diagnostics, str(values["fail_on"])):
        return 1
    if given is not None:
        _put(given, sys.stdout)
    return 0


def _given(parsed: Parsed) -> bytes:
    """What `--passthrough` checks and copies: standard input. Raises UsageError."""
    if parsed.arguments != ("-",):
        raise UsageError("`--passthrough` copies standard input: give `-`, and nothing else")
    return _stdin()


def _linter(parsed: Parsed) -> tuple[list[str], Linter]:
    """The files of a run, each once, and what checks them."""
    from hetc.linter import Linter, files

    values = parsed.values
    compiler = Compiler(_options(parsed))
    paths, built_on = files(parsed.arguments, compiler)
    known = _known(parsed) if values["fix"] else frozenset()
    return paths, Linter(compiler, built_on, bool(values["fix"]), known, bool(values["strict_kinds"]),
                         lambda path: _text_of(path, parsed), _shown(parsed), _cache(parsed, compiler))


#: Options that bear on no finding.
_BESIDE = frozenset(("jobs", "cache", "cache_dir", "output_format", "color", "fail_on", "baseline", "write_baseline"))


def _cache(parsed: Parsed, compiler: Compiler) -> Cache | None:
    """What earlier runs found clean, where that is asked for and nothing is to be fixed. Raises UsageError."""
    values = parsed.values
    if not (values["cache"] or values["cache_dir"]) or values["fix"]:
        return None
    from hetc.cache import Cache, default_folder

    settings = repr(sorted((name, value) for name, value in values.items() if name not in _BESIDE))
    given = (*compiler.given, *compiler.options.cluster.objects.documents)
    files = {each.origin.span.source.name: each.origin.span.source.text for each in given}
    return Cache(str(values["cache_dir"] or default_folder()), (settings, *(text for pair in files.items() for text in pair)))


#: From how many files on several processes pay, and how many of them.
MANY_FILES, MOST_JOBS = 50, 4


def _jobs(parsed: Parsed, files: int) -> int:
    """How many processes check the files: as many as asked for, else several where there are many files."""
    given = parsed.values["jobs"]
    if given is not None:
        return min(int(str(given)), files)
    return min(_processors(), MOST_JOBS) if files >= MANY_FILES else 1


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _progress(looked: Iterator[Looked], files: int) -> Iterator[Looked]:
    """A bar on a terminal for a long run, and never in CI."""
    if files < MANY_FILES or os.environ.get("CI") or not _is_terminal(sys.stderr):
        return looked
    from hetc.progress import shown

    return shown(looked, files)


def _counted(looked: list[Looked]) -> Summary:
    from hetc.report.summary import Summary

    kinds = [kind for each in looked for kind in each.unknown]
    read = [each for each in looked if each.complaint is None]
    files = sum(each.documents > len(each.unknown) or bool(each.report.diagnostics) or not each.documents for each in read)
    return Summary(files, len(kinds), sum(each.documents for each in read), tuple(sorted(set(kinds))),
                   sum(each.fixes for each in read), sum(each.fixes > 0 for each in read), len(looked) - len(read),
                   tuple(dict.fromkeys(each.complaint for each in looked if each.complaint is not None)))


def fmt(parsed: Parsed) -> int:
    """Lay out each file by itself. One that cannot be read does not hide the others."""
    from hetc.formatter import files, lay_out
    from hetc.report.diff import unified
    from hetc.report.text import complain, printable

    check, diff = bool(parsed.values["check"]), bool(parsed.values["diff"])
    layouts = [lay_out(path, _shown(parsed) if path == "-" else path, lambda path: _text_of(path, parsed),
                       path != "-" and not (check or diff)) for path in files(parsed.arguments)]
    _show(parsed, gathered([each.report for each in layouts if each.report is not None]), sys.stderr, len(layouts))
    for complaint in (each.complaint for each in layouts if each.complaint is not None):
        complain(complaint)
    for each in layouts:
        if each.path == "-" and not (check or diff):
            write(each.new)
        elif each.changed and diff:
            write(unified(each.old, each.new, each.name, each.name))
        elif each.changed:
            write(f"{'would format' if check else 'formatted'} {printable(each.name)}\n")
    if any(each.complaint is not None for each in layouts):
        return 2
    return int(any(each.report is not None or (each.changed and (check or diff)) for each in layouts))


def plan(parsed: Parsed) -> int:
    """Show what a file comes to."""
    from hetc import plan as plans

    sources = _sources(parsed)
    compiler = Compiler(_options(parsed))
    unit = _compile(parsed, sources[0], compiler, True)
    found = _known_left_out(parsed, gathered([unit.report]))
    _show(parsed, found, sys.stderr, 1)
    if unit.document is None or reached(found.diagnostics, str(parsed.values["fail_on"])):
        return 1
    if unit.job is None:
        from hetc.plan.flow import render

        write(render(unit, str(parsed.values["format"]), _build_line(parsed)))
        return 0
    from importlib import import_module

    backend = import_module(f"{BACKENDS[compiler.options.backend]}_plan")
    described = backend.describe(unit.job, unit.site)
    write(plans.render(unit.job, described, str(parsed.values["format"]), bool(parsed.values["origins"]), _build_line(parsed)))
    return 0


def _build_line(parsed: Parsed, *more: str) -> str:
    """The `hetc build` that compiles the same, with `more` options."""
    from shlex import join

    from hetc.options import FLAG, INPUT

    words = ["hetc", "build", *parsed.arguments]
    for option in INPUT:
        value = parsed.values[option.name]
        if option.name in parsed.places:
            values = [] if option.kind == FLAG else value if isinstance(value, tuple) else [str(value)]
            words.extend(word for each in values for word in (option.flags[0], each))
            words.extend(option.flags[:1] if option.kind == FLAG else ())
    return join([*words, *more, *(("--", *parsed.words) if parsed.words else ())])


def explain(parsed: Parsed) -> int:
    """Show where values of a manifest came from; a manifest that a rule refuses has them too."""
    from hetc import explain as explaining

    path = parsed.arguments[1] if len(parsed.arguments) > 1 else None
    parsed = replace(parsed, arguments=parsed.arguments[:1])
    source = _sources(parsed)[0]
    report = source if isinstance(source, Report) else Report()
    found = None if isinstance(source, Report) else explaining.manifest(source, Compiler(_options(parsed)), report)
    if found is None:
        _show(parsed, gathered([report]), sys.stderr, 1)
        return 1
    color = _colored(str(parsed.values["color"]), sys.stdout)
    write(explaining.render(found, path, str(parsed.values["format"]), color))
    return 0


def diff(parsed: Parsed) -> int:
    """Show what differs between two inputs: 0 nothing, 1 something, 2 where one of them makes no manifest."""
    from hetc.diff import difference, is_of_cluster, read, render
    from hetc.report.text import complain

    if len(parsed.arguments) < 2:
        raise UsageError("`diff` needs two inputs; see `hetc diff --help`")
    compiler = Compiler(_options(parsed))
    sources = [_sources(replace(parsed, arguments=(path,)))[0] for path in parsed.arguments]
    reports = [each if isinstance(each, Report) else Report() for each in sources]
    old, new = (None if isinstance(each, Report) else read(each, compiler, report) for each, report in zip(sources, reports))
    if old is None or new is None:
        _show(parsed, gathered(reports), sys.stderr, 2)
        return 2
    found = difference(old, new, bool(parsed.values["live"]))
    write(render(found, str(parsed.values["format"]), _colored(str(parsed.values["color"]), sys.stdout)))
    if is_of_cluster(found):
        complain("one of the inputs comes from a cluster: --live leaves out what the cluster wrote")
    return int(bool(found.pairs))


def rule(parsed: Parsed) -> int:
    """Print a rule's page, or the list of all."""
    from hetc.pages import knows, listing, page

    as_json, config = parsed.values["format"] == "json", parsed.values["config"]
    wanted = parsed.arguments[0] if parsed.arguments else None
    if wanted is not None and knows(wanted):  # a broken site file hides no page of hetc's own
        write(page(wanted, as_json))
        return 0
    options = Options(config=None if config is None else str(config), isolated=bool(parsed.values["isolated"]))
    own = tuple(rule.code for rule in Compiler(options).site("", Report()).rules)
    write(listing(as_json, own) if wanted is None else page(wanted, as_json, own))
    return 0


def schema(parsed: Parsed) -> int:
    """Print a JSON Schema."""
    from hetc.data import path

    with open(path(f"schemas/{parsed.arguments[0]}.schema.json"), encoding="utf-8") as file:
        write(file.read())
    return 0


def init(parsed: Parsed) -> int:
    """Write the files to start from."""
    from hetc.files import create
    from hetc.init import files

    for path, text in files(parsed.arguments[0] if parsed.arguments else "job"):
        try:
            create(path, text)
        except OSError as error:
            raise UsageError(f"cannot write `{path}`: {reason(error)}") from None
        sys.stderr.write(f"wrote {path}\n")
    return 0


def kustomize(parsed: Parsed) -> int:
    """Set hetc up for kustomize, or show what would be done."""
    from hetc import kustomize_install as setup

    action, folder = (*parsed.arguments, "")[:2]
    place, done, hint = parsed.values["path"], bool(parsed.values["yes"]), ""
    if action == "install" and not folder:
        steps, hint = setup.install(None if place is None else str(place))
    elif action == "component" and folder and place is None:
        steps = setup.component(folder)
    else:
        raise UsageError("`kustomize` takes `install`, or `component DIR`")
    for step in steps:
        if done:
            setup.do(step)
        write(step.sentence(done) + "\n")
    if not done and not all(step.is_done for step in steps):
        write("nothing is done yet: add `--yes`\n")
    write(hint)
    return 0


def lsp(parsed: Parsed) -> int:
    """Serve an editor. Raises UsageError where the library for it is not installed."""
    from importlib.util import find_spec

    if find_spec("pygls") is None:
        raise UsageError("`lsp` needs the library pygls, an extra of hetc; install it: pip install 'hetc[lsp]'")
    from hetc.lsp.server import serve
    from hetc.report.text import complain

    if sys.stdin is not None and sys.stdin.isatty():
        complain("`lsp` waits for an editor on standard input, and is started by it; Ctrl-C ends it")
    config = parsed.values["config"]
    return serve(Options(config=None if config is None else os.path.abspath(str(config)), isolated=bool(parsed.values["isolated"])))


def write(text: str, stream: TextIO | None = None) -> None:
    """Text to a stream, standard output without one, as UTF-8 with plain newlines, whatever the locale."""
    stream = stream or sys.stdout
    if stream is None:
        raise UsageError("standard output is closed")
    _put(text.encode("utf-8", "backslashreplace"), stream)


def _put(data: bytes, stream: TextIO) -> None:
    """Bytes to a stream. Raises UsageError."""
    left = memoryview(data)
    try:
        stream.flush()
        while left:  # under PYTHONUNBUFFERED a write may take a part only
            left = left[stream.buffer.write(left) or 0:]
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if is_windows() and error.errno == EINVAL:  # so it says that the reader has gone
            raise BrokenPipeError from None
        raise UsageError(f"cannot write: {reason(error)}") from None


def _options(parsed: Parsed) -> Options:
    values = parsed.values
    place = Source(COMMAND_LINE, parsed.text)

    def located(name: str) -> Located | None:  # type: ignore[type-arg]
        if name not in parsed.places:
            return None
        return Located(values[name], Origin(Span(place, *parsed.places[name])))

    overlays = values["overlays"]
    assert isinstance(overlays, tuple)
    config = values["config"]
    return Options(
        tuple(_source(path) for path in overlays),
        located("name"), located("namespace"), located("queue"), _words(parsed, place),
        None if config is None else str(config), bool(values["isolated"]), bool(values["allow_outside"]),
        located("nodes"), located("processes"), located("ppn"), located("amlt"), str(values.get("to", "volcano")),
        _codes(values.get("select", ()), "--select"), _codes(values.get("ignore", ()), "--ignore"),
        kind=None if values.get("kind") is None else str(values["kind"]),
        volcano=_volcano(values.get("volcano_version")), cluster=_cluster(values.get("cluster")),
    )


def _volcano(version: object) -> int | None:
    """The minor version of the Volcano that an option names. Raises UsageError."""
    if version is None:
        return None
    from hetc.site import asked_volcano

    return asked_volcano("--volcano-version", str(version))


def _cluster(path: object) -> Cluster:
    """What the file or folder says of the cluster that an option names. Raises UsageError."""
    if path is None:
        return Cluster()
    from hetc.cluster import load as load_cluster

    return load_cluster(str(path))


def _codes(values: object, flag: str) -> tuple[str, ...]:
    """The beginnings of codes that an option names, parted by commas or given again."""
    from hetc.levels import is_code

    assert isinstance(values, tuple)
    found = tuple(part.strip() for value in values for part in value.split(","))
    for code in found:
        if not is_code(code):
            raise UsageError(f"`{flag}` takes codes such as `HET7` or `HET702`, not `{code}`")
    return found


def _words(parsed: Parsed, place: Source) -> tuple[Located[str], ...]:
    """The command after `--`, each word at its place."""
    return placed(parsed.words, place, len(parsed.text) - len(" ".join(parsed.words)))


def _source(path: str) -> Source:
    """A file of `-f`, or standard input. Bytes that are no text are a usage error there: no job has been named yet."""
    try:
        return from_bytes(_stdin(), STDIN) if path == "-" else load(path)
    except NotUtf8 as error:
        raise UsageError(f"{path}:{error.line}:{error.column}: {error.reason}") from None


def _stdin() -> bytes:
    """Standard input, which can be read once. Raises UsageError."""
    if sys.stdin is None or sys.stdin.closed:
        raise UsageError("`-` is standard input, which is closed or was read already")
    with sys.stdin.buffer as stream:
        return stream.read(MAX_BYTES + 1)


def _sources(parsed: Parsed) -> list[Source | Report]:
    """The inputs in the order given; a report for one that is no text."""
    if len(parsed.arguments) > 1 and parsed.values["name"] is not None:
        raise UsageError("`--name` goes with one file: several jobs cannot have one name")
    sources: list[Source | Report] = []
    for path in parsed.arguments:
        try:
            sources.append(_text_of(path, parsed))
        except NotUtf8 as error:
            from hetc.linter import not_utf8

            sources.append(not_utf8(_shown(parsed) if path == "-" else path, error))
        except UsageError as error:
            if not sources or parsed.words or os.path.lexists(path):
                raise
            raise UsageError(f"{error}; a command goes behind `--`") from None
    return sources


def _text_of(path: str, parsed: Parsed) -> Source:
    """A file, or standard input under the name that --stdin-filename gives. Raises NotUtf8 and UsageError."""
    return from_bytes(_stdin(), _shown(parsed)) if path == "-" else load(path)


def _shown(parsed: Parsed) -> str:
    """What messages call standard input."""
    return str(parsed.values["stdin_filename"] or STDIN)


def _compile(parsed: Parsed, source: Source | Report, compiler: Compiler, ask_command: bool) -> Unit:
    from hetc.pipeline import Unit

    if isinstance(source, Report):
        return Unit(Source(STDIN, ""), compiler.site("", Report()), source)
    if source.name.endswith(".het"):
        return compiler.job(source, ask_command)
    from hetc.flow import unit

    return unit(compiler, source, ask_command)


def _known_left_out(parsed: Parsed, found: Report) -> Report:
    """Without the findings that the baseline knows."""
    known = _known(parsed)
    if known:
        from hetc.baseline import parted

        new, found.known = parted(found.diagnostics, known)
        found.replace(new)
    return found


def _known(parsed: Parsed) -> frozenset[str]:
    """The findings of the baseline. Raises UsageError."""
    if parsed.values["baseline"] is None:
        return frozenset()
    from hetc.baseline import read

    return read(str(parsed.values["baseline"]))


def _show(parsed: Parsed, found: Report, stream: TextIO | None, counts: Summary | int, files: tuple[str, ...] = ()) -> None:
    """Print diagnostics in the form asked for; with a summary also how much was checked, else `counts` are the files.

    A program gets its document in any case. `files`: all that were checked.
    """
    if stream is None:  # the shell closed it
        return
    form = _form(parsed)
    if form in ("text", "concise"):
        text = _text(found.diagnostics, form == "concise", _colored(str(parsed.values["color"]), stream))
        text += "" if isinstance(counts, int) else _summary(found.diagnostics, counts)
    else:
        from hetc.report.summary import Summary

        text = _for_programs(form, found, Summary(counts) if isinstance(counts, int) else counts, files)
    if text:
        write(text, stream)


def _form(parsed: Parsed) -> str:
    """The form of the messages: as asked for, else `github` in its workflows, else text."""
    form = parsed.values["output_format"]
    if form is not None:
        return str(form)
    return "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"


def _for_programs(form: str, found: Report, summary: Summary, files: tuple[str, ...]) -> str:
    from importlib import import_module

    if form == "json":
        from hetc.report.json import render

        return render(found.diagnostics, summary, len(found.suppressed) + len(found.known))
    if form == "sarif":
        from hetc.pages import read
        from hetc.report.sarif import render as render_sarif

        return render_sarif(found, read)
    if form == "junit":
        from hetc.report.junit import render as render_junit

        return render_junit(found.diagnostics, files)
    module = import_module(f"hetc.report.{'lines' if form == 'json-lines' else form}")
    return str(module.render(found.diagnostics))


def _text(found: list[Diagnostic], concise: bool, color: bool) -> str:
    if not found:
        return ""
    from hetc.report import text

    return text.concise(found, color) if concise else text.render(found, color)


def _summary(found: list[Diagnostic], counts: Summary) -> str:
    from hetc.report.summary import sentence

    levels = [each.level for each in found]
    return sentence(counts, levels.count(ERROR), levels.count(WARNING)) + "\n"


def _colored(color: str, stream: TextIO) -> bool:
    """--color, NO_COLOR, FORCE_COLOR, TERM=dumb and a terminal decide, in that order."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return os.environ["FORCE_COLOR"] != "0"
    return _is_terminal(stream)


def _is_terminal(stream: TextIO) -> bool:
    """Whether a stream goes to a terminal that takes colours and the like."""
    return os.environ.get("TERM") != "dumb" and stream.isatty() and has_escapes()


def _rendered(documents: list[Mapping], form: str) -> str:
    from hetc import dump

    return dump.dump_json(list(documents)) if form == "json" else dump.dump(list(documents))


def _write(text: str, output: object) -> None:
    """To standard output, or to a file that is replaced only when all is written."""
    if output is None:
        write(text)
        return
    path = str(output)
    try:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe or a device: there is nothing to keep
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        else:
            from hetc.files import replace

            replace(os.path.realpath(path), text)
    except OSError as error:
        raise UsageError(f"cannot write `{output}`: {reason(error)}") from None


def _check_output(parsed: Parsed) -> None:
    """Refuse to write over what is read. Raises UsageError."""
    output, overlays = parsed.values["output"], parsed.values["overlays"]
    assert isinstance(overlays, tuple)
    if output is None:
        return
    for path in (*parsed.arguments, *overlays):
        if path != "-" and os.path.isfile(path) and os.path.exists(str(output)) and os.path.samefile(path, str(output)):
            raise UsageError(f"`{output}` is an input; write to another file")
