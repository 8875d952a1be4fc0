"""The layout: what it looks like, and that it never changes what a text means."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hetc import files
from hetc.diagnostic import Report
from hetc.dump import dump
from hetc.fmt import formatted
from hetc.formatter import lay_out
from hetc.inputs import load
from hetc.pipeline import Compiler, Options
from hetc.read import het
from hetc.read.lalr import lex
from hetc.source import Source
from tests.conftest import ROOT
from tests.read.test_grammar import REQUEST as ANY_REQUEST
from tests.test_promise import OVERLAY, REQUEST

LAYOUTS = {
    "groups written on one line stay on it": (
        "1*master<cpu=2,mem=4Gi,>+8 * worker < cpu == 16 , mem=32Gi >",
        "1*master<cpu=2, mem=4Gi> + 8*worker<cpu=16, mem=32Gi>\n",
    ),
    "else they stand below each other, as far as they have the same keys in columns": (
        "1*master<cpu=4,mem=16Gi>+\n20*worker<cpu=16,mem=128Gi,gpu=8:A100,ppn=8>+2*other<cpu=1,gpu=8:\"NVIDIA A100-SXM4-80GB\",rdma>",
        """\
1*master    <cpu=4,  mem=16Gi>
+ 20*worker <cpu=16, mem=128Gi, gpu=8:A100, ppn=8>
+ 2*other   <cpu=1,  gpu=8:"NVIDIA A100-SXM4-80GB", rdma>
""",
    ),
    "a line that would be too long is several": (
        "1*master<cpu=16, mem=64Gi> + 2*a100-worker<cpu=96, mem=512Gi, gpu=8:A100-SXM4-80GB, rdma, ppn=8, select[zone=a]>",
        """\
1*master        <cpu=16, mem=64Gi>
+ 2*a100-worker <cpu=96, mem=512Gi, gpu=8:A100-SXM4-80GB, rdma, ppn=8, select[zone=a]>
""",
    ),
    "a group that is too long for a line has a line for each item": (
        "4*<cpu=96, mem=512Gi, select[first.example/label=one,second.example/label=two,third.example/label=three]>",
        "4*<\n    cpu=96,\n    mem=512Gi,\n    select[first.example/label=one, second.example/label=two, third.example/label=three],\n>\n",
    ),
    "so has one with comments inside": (
        "1*master<cpu=1, # few\n  # little\n mem=1Gi>+2*w<cpu=1,mem=1Gi>",
        "1*master <\n    cpu=1,  # few\n    # little\n    mem=1Gi,\n>\n+ 2*w    <cpu=1, mem=1Gi>\n",
    ),
    "sections and continued lines": (
        "use[\"base.yaml\" ,more.yaml,]  \\\n  1*<cpu=1>gang [ fail = restart,\n  retries=5 ]",
        "use[\"base.yaml\", more.yaml]\n1*<cpu=1>\ngang[fail=restart, retries=5]\n",
    ),
    "comments and empty lines stay, one empty line of several": (
        "\n# top  \n\n\n# above\n1*master<cpu=1>  #behind\n  # between\n+ # at the sign\n\n 1*w<cpu=1>\n\n# last\n\n---\n",
        "# top\n\n# above\n1*master <cpu=1>  #behind\n# between\n# at the sign\n\n+ 1*w    <cpu=1>\n\n# last\n---\n",
    ),
    "comments in the middle of a group's head or of an item stand above it": (
        "1 # one\n* master # two\n<cpu # three\n=1>",
        "# one\n# two\n1*master<\n    # three\n    cpu=1,\n>\n",
    ),
    "of the YAML only blanks that nobody sees": (
        "1*<cpu=1>\n---   # layer \t\n\nenv:   {A:  b}  \nsetup: |  \n  a  \n\n  b\ncommand: \"x  \n  y\"   # why  \n\n\n",
        "1*<cpu=1>\n---   # layer\n\nenv:   {A:  b}\nsetup: |  \n  a  \n\n  b\ncommand: \"x  \n  y\"   # why\n",
    ),
    "line ends are those of the first line": ("1*<cpu=1>\r\n---\na: 1 \r\n", "1*<cpu=1>\r\n---\r\na: 1\r\n"),
    "a comment that silences findings keeps the lines it speaks for": (
        "1*master<cpu=1> + 2*w<cpu=1> # hetc: ignore[HET032] no memory here\n+ 3*x<cpu=1,mem=1Gi>\n",
        "1*master<cpu=1> + 2*w<cpu=1> # hetc: ignore[HET032] no memory here\n+ 3*x<cpu=1,mem=1Gi>\n",
    ),
    "and is laid out where it speaks for the same words": (
        "1*master<cpu=1>   # hetc: ignore[HET032] none\n+2*w<cpu=1,mem=1Gi>\n",
        "1*master <cpu=1>  # hetc: ignore[HET032] none\n+ 2*w    <cpu=1, mem=1Gi>\n",
    ),
    "a word that would become a comment keeps its request": ("use[a,#b]\n1*<cpu=1,mem=1Gi>\n", "use[a,#b]\n1*<cpu=1,mem=1Gi>\n"),
    "a bare carriage return keeps its file": ("1*<cpu=1,mem=1Gi>\n---\na: 1 \r  \n", "1*<cpu=1,mem=1Gi>\n---\na: 1 \r  \n"),
}


def laid_out(text: str, name: str = "job.het") -> str | None:
    return formatted(Source(name, text), Report())


@pytest.mark.parametrize(("before", "after"), LAYOUTS.values(), ids=LAYOUTS)
def test_layouts(before: str, after: str) -> None:
    assert laid_out(before) == after
    assert laid_out(after) == after


@pytest.mark.parametrize("path", sorted([*ROOT.glob("examples/**/*.het"), *ROOT.glob("examples/**/*.het.yaml")]), ids=lambda path: path.name)
def test_the_examples_are_laid_out(path: Path) -> None:
    assert laid_out(path.read_text(), path.name) == path.read_text()


def test_what_init_writes_is_laid_out() -> None:
    from hetc import init

    assert [name for name, text in init.files("train") if name.endswith((".het", ".yaml")) and laid_out(text, name) != text] == []


#: What may stand between two words; `#` is where a comment with a number of its own goes.
GAPS = ["", "", "", " ", "\n", "\n\n\n", "\\\n", "\\ \n", " #\n", "\n#\n", "\n\n  #\n", " #\n\n", "\n#\n\n#\n"]
COMMENTS = ["#", "# word, + <sign>", "# 'é", "# hetc: ignore[HET032] known"]


@st.composite
def commented(draw: st.DrawFn, requests: st.SearchStrategy[str]) -> str:
    """A request with blanks, line breaks and comments between any two words, each comment another one."""
    text = draw(requests)
    tokens, _ = lex(text, len(text))
    choices = draw(st.binary(min_size=len(tokens) + 1, max_size=len(tokens) + 1))  # far cheaper to draw than a list
    parts: list[str] = []
    for number, (choice, (_, start, end)) in enumerate(zip(choices, [*tokens, ("", 0, 0)])):
        gap = GAPS[choice % len(GAPS)]
        if gap == "" and text[start - 1:start].isspace():
            gap = " "
        first, *rest = gap.split("#")
        parts += [first, *(f"{COMMENTS[(choice + at) // len(GAPS) % 4]} {number}.{at}{each}" for at, each in enumerate(rest)), text[start:end]]
    return "".join(parts)


def comments(text: str) -> list[str]:
    return [each.rstrip() for each in re.findall(r"(?:^|(?<=[ \t\n]))#[^\n]*", text)]


def outcome(text: str) -> tuple[object, ...]:
    """What hetc makes of a `.het`: its manifest's bytes, and what is found or silenced, wherever it stands."""
    unit = Compiler(Options(isolated=True)).job(Source("job.het", text), ask_command=True)
    built = None if unit.document is None or unit.report.failed else dump([unit.document])
    found = sorted((each.code.code, each.level, each.message, each.help or "") for each in unit.report.sorted())
    silenced = sorted((each.code.code, why) for each, why in unit.report.sorted_suppressed())
    return built, found, silenced


def test_the_outcome_tells_texts_apart() -> None:
    """Guards the law below: silencing counts, and so does every value."""
    one = "1*master<cpu=1> # hetc: ignore[HET032] a\n+ 2*w<cpu=1>\n---\nimage: a:1\ncommand: x\n"
    assert outcome(one) != outcome(one.replace("\n+", " +").replace("# hetc: ignore[HET032] a", "") + "# end")
    assert outcome(one)[0] != outcome(one.replace("2*", "3*"))[0] is not None


@settings(max_examples=80)
@given(commented(REQUEST), OVERLAY)
@example("1*master<cpu=1>+ # hetc: ignore[HET032] x\n 2*w<cpu=1>", {"image": "a:1", "command": "x"})
@example("1*master<cpu=1,mem=1Gi>\n# hetc: ignore[HET702] x\n", {"image": "a", "command": "x"})
def test_what_is_built_is_the_same_after_it(request_: str, overlay: dict[str, object]) -> None:
    text = f"{request_}\n---\n{json.dumps(overlay, indent=1)}\n"
    before = outcome(text)
    new = laid_out(text)
    assert new is not None or before[0] is None
    if new is not None:
        assert outcome(new) == before
        assert laid_out(new) == new
        assert comments(new) == comments(text)


@pytest.mark.parametrize("path", sorted((ROOT / "golden").glob("*/job.het")), ids=lambda path: path.parent.name)
def test_golden_jobs_come_to_the_same(path: Path) -> None:
    text = path.read_text()
    new = laid_out(text)
    if new is not None:
        assert outcome(new) == outcome(text)
        assert comments(new) == comments(text)
    else:
        assert outcome(text)[0] is None


@settings(max_examples=100)
@given(commented(ANY_REQUEST), st.booleans())
def test_any_request_that_parses(text: str, returns: bool) -> None:
    given = text.replace("\n", "\r\n") if returns else text
    new = laid_out(given)
    assert new is not None
    assert laid_out(new) == new
    plain = new.replace("\r\n", "\n")
    assert plain == laid_out(text) or not text.partition("\n")[1]
    assert comments(plain) == comments(text)
    assert words(plain) == words(text)


def words(text: str) -> list[str]:
    """The words and signs but trailing commas."""
    found = [text[start:end] for _, start, end in lex(text, len(text))[0]]
    return ["=" if word == "==" else word for word, after in zip(found, [*found[1:], ""]) if (word, after) not in ((",", ">"), (",", "]"))]


BLANKS = st.sampled_from(["", "", " ", "   ", "\t", " \t "])
PIECES = st.sampled_from([
    "a#: |\n  x  \n\n   y\t\n", "b#: \"x  \n  y\\  \n  z\"@\n", "c#: 'q  \n\n  r'@\n", "d#: >+\n  t  \n\n\n", "e#: |-\n  u\n   \n", "f#: p  \n  more@\n",
    "g#: [1,@\n  {x: y},@\n  'z']@\n", "h#:@\n  - i@\n  -  j@\n", "k#: v   # why@\n", "# alone@\n", "@\n", "\n", "? l#@\n: m@\n", "n#: &n# {o: p}@\nq#: *n#@\n",
    "r#: |2\n    s  \n@\n", "---@\n", "--- # next@\n", "t#: !!str@\n  u@\n", "\"v \n w#\": x\n",
])


@st.composite
def layers(draw: st.DrawFn) -> str:
    text = "".join(piece.replace("#:", f"{number}:").replace("n#", f"n{number}").replace("l#", f"l{number}").replace("w#", f"w{number}")
                   for number, piece in enumerate(draw(st.lists(PIECES, max_size=8))))
    while "@" in text:
        text = text.replace("@", draw(BLANKS), 1)
    return text.rstrip("\n") if draw(st.booleans()) else text


def loaded(text: str) -> object:
    try:
        return repr(list(yaml.safe_load_all(text)))
    except yaml.YAMLError:
        return None


@settings(max_examples=150)
@given(layers())
@example("a: |+\n  x\n\n\n")
@example("a: |\n  x")
@example("a: \"x  \n\n  y\"  \n")
@example(" ")
def test_an_overlay_says_the_same_to_another_reader(text: str) -> None:
    new = laid_out(text, "job.het.yaml")
    if new is None:
        return
    assert laid_out(new, "job.het.yaml") == new
    before = loaded(text)
    assert before is None or loaded(new) == before
    assert comments(new) == comments(text)


@pytest.mark.parametrize(("text", "name"), [
    ("1*master<cpu=1\n", "a.het"), ("", "a.het"), ("# only a comment\n", "a.het"), ("1*<cpu=1>\n---\na: [\n", "a.het"),
    ("1*<cpu=1>\n---\na: 1\na: 2\n", "a.het"), ("a: {\n", "a.het.yaml"), ("{1*w<cpu=1>}", "a.het"), ("1*ẃ<cpu=1>", "a.het"),
])
def test_what_cannot_be_read_has_no_layout(text: str, name: str) -> None:
    report = Report()
    assert formatted(Source(name, text), report) is None
    assert report.failed and report.diagnostics


def test_mistakes_that_the_grammar_takes_have_one() -> None:
    assert laid_out("0*w<gpu=A100:8,memory=5>") == "0*w<gpu=A100:8, memory=5>\n"
    assert het.read(Source("a.het", "0*w<gpu=A100:8,memory=5>"), 24, Report()) is not None


# The command.

MESSY = "1*master<cpu=1,mem=1Gi>\n+2*w<cpu=1,mem=1Gi>\n---\nimage: a:1  \n"
NEAT = "1*master <cpu=1, mem=1Gi>\n+ 2*w    <cpu=1, mem=1Gi>\n---\nimage: a:1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for name, text in {"a.het": MESSY, "neat.het": NEAT, "sub/layer.het.yaml": "a: 1  \n", "sub/job.yaml": "a: 1  \n"}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def hetc(*argv: str, stdin: bytes = b"") -> tuple[int, str, str]:
    environment = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "GITHUB_ACTIONS")}
    done = subprocess.run([sys.executable, "-m", "hetc", *argv], input=stdin, capture_output=True, timeout=60, check=False,
                          env={**environment, "PYTHONPATH": str(ROOT)})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def test_a_difference_leaves_the_terminal_alone(folder: Path) -> None:
    """A comment may hold anything."""
    (folder / "x.het").write_text("1*a<cpu=1>  # \x1b[2J \x9b \u202e\n---\nimage: a:1   \n")
    assert " 1*a<cpu=1>  # \\x1b[2J \\x9b \\u202e\n" in hetc("fmt", "--diff", "x.het")[1]


def test_check_and_diff_name_and_write_nothing(folder: Path) -> None:
    before = state(folder)
    assert hetc("fmt", "--check", ".") == (1, f"would format a.het\nwould format {os.path.join('sub', 'layer.het.yaml')}\n", "")
    assert hetc("fmt", "--check", "neat.het") == (0, "", "")
    status, out, err = hetc("fmt", "--diff", ".")
    assert (status, err) == (1, "")
    assert out.startswith("--- a.het\n+++ a.het\n@@ -1,4 +1,4 @@\n-1*master<cpu=1,mem=1Gi>\n")
    assert state(folder) == before
    subprocess.run(["patch", "-p0", "--quiet"], input=out.encode(), check=True)
    assert (folder / "a.het").read_text() == NEAT
    assert hetc("fmt", "--diff", ".") == (0, "", "")


def test_files_are_written_only_where_they_change(folder: Path) -> None:
    (folder / "a.het").chmod(0o640)
    before = state(folder)
    assert hetc("fmt", ".", "a.het") == (0, f"formatted a.het\nformatted {os.path.join('sub', 'layer.het.yaml')}\n", "")
    after = state(folder)
    assert after["a.het"][0] == NEAT.encode() and (folder / "a.het").stat().st_mode & 0o777 == 0o640
    assert [name for name in after if after[name] == before[name]] == ["neat.het", os.path.join("sub", "job.yaml")]
    assert hetc("fmt", ".") == (0, "", "")
    assert set(after) == set(before), "no temporary file stays behind"


def test_a_file_that_does_not_parse_is_left_alone(folder: Path) -> None:
    (folder / "bad.het").write_text("1*master<cpu=1 \n")
    (folder / "latin.het").write_bytes(b"1*<cpu=1>\n---\na: \xe9\n")
    status, out, err = hetc("fmt", ".")
    assert (status, out.splitlines()[0]) == (1, "formatted a.het")
    assert [line for line in err.splitlines() if " error " in line] == [
        "bad.het:1:9: error HET002: `<` is not closed [request-syntax]", "latin.het:3:4: error HET001: byte 0xE9 is not UTF-8 [not-utf-8]"]
    assert (folder / "bad.het").read_text() == "1*master<cpu=1 \n"


def test_standard_input(folder: Path) -> None:
    assert hetc("fmt", "-", stdin=MESSY.encode()) == (0, NEAT, "")
    assert hetc("fmt", "--stdin-filename", "x.het.yaml", "-", stdin=b"a: 1  ") == (0, "a: 1\n", "")
    assert hetc("fmt", "--check", "-", stdin=MESSY.encode()) == (1, "would format <stdin>\n", "")
    status, out, err = hetc("fmt", "-", stdin=b"1*w<\n")
    assert (status, out) == (1, "") and err.startswith("<stdin>:1:4: error HET002: ")
    assert hetc("fmt", "--stdin-filename=crlf.het", "-", stdin=b"1*<cpu=1 >\r\n")[:2] == (0, "1*<cpu=1>\r\n")


def test_what_has_no_layout_is_refused(folder: Path) -> None:
    assert hetc("fmt", "sub/job.yaml") == (
        2, "", "hetc: `sub/job.yaml` is neither a .het file nor an overlay (`*.het.yaml`), and other files have no layout of hetc's\n")
    assert hetc("fmt", "nowhere.het", "a.het") == (2, "formatted a.het\n", "hetc: cannot read `nowhere.het`: no such file or directory\n")


def test_byte_order_marks_stay(folder: Path) -> None:
    (folder / "a.het").write_bytes(("\ufeff" + MESSY).encode())
    assert hetc("fmt", "a.het")[0] == 0
    assert (folder / "a.het").read_bytes() == ("\ufeff" + NEAT).encode()


def test_a_file_that_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, text: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files, "replace", refuse)
    layout = lay_out("a.het", "a.het", load, write=True)
    assert layout.complaint == "cannot write `a.het`: permission denied"
    assert (folder / "a.het").read_text() == MESSY
