"""One fixed report with everything that a form may stumble over."""
from __future__ import annotations

from hetc import codes
from hetc.diagnostic import INFO, WARNING, Edit, Fix, Label, Report
from hetc.rules import CATALOG
from hetc.source import Source, Span

CODES = {code.code: code for code in CATALOG}

#: A name with a blank, signs that have a meaning in some form, and characters outside ASCII.
NAME = "my jobs/a%b, c:d <é>&'\"🙂.yaml"
JOB = Source(NAME, "# 🙂🙂 `x`\nname: 🙂 no  # 日本\ntasks:\n- name: A\n  replicas: 1\n")
TEMPLATE = Source("base.yaml", "target:\n  service: volcano\ncode: {}\n")
STDIN = Source("<stdin>", "1*master<cpu=1>\r\n---\r\nimage: a:latest\r\n")
EMPTY = Source("empty.yaml", "")
CLEAN = "clean.yaml"
FILES = (NAME, TEMPLATE.name, "<stdin>", EMPTY.name, CLEAN)


def at(source: Source, text: str) -> Span:
    """The place of the only such text."""
    assert source.text.count(text) == 1
    start = source.text.index(text)
    return Span(source, start, start + len(text))


def report() -> Report:
    """Errors, warnings, info; sorted, as a run hands it on."""
    result = Report()
    first = at(JOB, "no")
    result.add(codes.NOT_TEXT, first, "`name` is `no`: 50% of readers\nread\ta boolean", 'quote it: `"no"`', fix=Fix("quote it", (Edit(first, '"no"'),)))
    result.add(CODES["HET107"], at(JOB, "- name: A\n  replicas: 1"), "a span over two lines", related=[
        Label(at(JOB, "tasks"), "an item of these"), Label(at(TEMPLATE, "volcano"), "and, far away: this"),
    ])
    result.add(CODES["HET403"], at(JOB, "🙂🙂"), "wide <characters> & \"quotes\", ']]>'")
    result.add(codes.ACCEPTED, at(TEMPLATE, "code"), "`code` has no effect", "put it into the image", level=INFO)
    result.add(CODES["HET702"], at(STDIN, "a:latest"), "image `a:latest` \x1b[31m\ud800 floats", level=WARNING)
    result.add(CODES["HET702"], at(STDIN, "image"), "twice in a line", level=WARNING)
    result.add(CODES["HET032"], at(STDIN, "1*master<cpu=1>"), "::error::no memory %0A")
    result.add(codes.NO_NAME, Span(EMPTY, 0, 0), "there is nothing here")
    result.replace(result.sorted())
    quiet = Report()
    quiet.add(CODES["HET702"], at(JOB, "replicas"), "a silenced finding")
    quiet.add(CODES["HET702"], at(JOB, "A"), "a known finding")
    result.suppressed = [(quiet.diagnostics[0], "nightly, 100% meant")]
    result.known = [quiet.diagnostics[1]]
    return result
