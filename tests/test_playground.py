"""The playground: what it asks of hetc, and the page in a real browser."""
from __future__ import annotations

import functools
import http.server
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scripts.playground import HOME, PAGE, assemble, examples
from tests.conftest import ROOT
from tests.judges import BROWSER, needs_browser
from tests.test_plan_picture import luminance

SPEC = importlib.util.spec_from_file_location("playground", HOME / "playground.py")
playground = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(playground)

EXAMPLES = {each["title"]: each for each in examples()}
BROKEN = ["Mistakes in a request", "A manifest by hand, with mistakes"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(name="job.het", text="", overlay="", site=""):
    return json.loads(playground.answer_json(name, text, overlay, site))


def example(title):
    each = EXAMPLES[title]
    return answer(each["name"], each["text"], each.get("overlay", ""), each.get("site", ""))


def command(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "hetc", *args], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})


@pytest.mark.parametrize("title", sorted(set(EXAMPLES) - set(BROKEN)))
def test_an_example_gives_what_the_commands_print(title, folder) -> None:
    each, found = EXAMPLES[title], example(title)
    (folder / each["name"]).write_text(each["text"], encoding="utf-8")
    options = ["-f", "overlay.yaml"] if each.get("overlay") else []
    options += ["--config", "hetc.toml"] if each.get("site") else ["--isolated"]
    built = command(folder, "build", each["name"], *options)
    assert (found["manifest"], "".join(one["text"] for one in found["diagnostics"])) == (built.stdout, built.stderr)
    assert found["picture"] == command(folder, "plan", "--format", "svg", each["name"], *options).stdout
    assert found["compiles"] and found["problem"] is None


@pytest.mark.parametrize("title", BROKEN)
def test_the_examples_of_mistakes_have_several(title) -> None:
    found = example(title)
    assert len(found["diagnostics"]) >= 2
    assert found["manifest"] is None and found["picture"] is None


def test_a_place_is_exact() -> None:
    (found,) = answer(text="1*master<cpu=16, mem=64>\n---\nname: x\nimage: a.example/b:1\ncommand: run\n")["diagnostics"]
    assert (found["file"], found["line"], found["column"], found["end_line"], found["end_column"]) == ("job.het", 1, 22, 1, 24)
    assert "\n      |                      ^^\n" in found["text"]


def test_a_broken_site_file_is_a_problem_or_a_finding() -> None:
    request = "1*<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: run\n"
    for site in ("[policy", "[extensions]\nrules = ['nobody.has.this']\n", "[polici]\n"):
        found = answer(text=request, site=site)
        assert found["manifest"] is None
        assert found["problem"] or any(each["file"] == "hetc.toml" for each in found["diagnostics"])


def test_text_of_no_known_kind_is_said_to_be_so() -> None:
    assert "no rules" in answer("notes.yaml", "just: notes\n")["problem"]


@pytest.mark.parametrize("text", ["", "\n", "1*", "---\n", "\x00", "🐍*<🐍>"])
@pytest.mark.parametrize("name", ["job.het", "job.yaml", "", "a/b.het", "hetc.toml"])
def test_no_text_is_too_odd(name, text) -> None:
    assert answer(name, text, text, text).keys() == {"compiles", "problem", "manifest", "picture", "diagnostics"}


def test_the_page_is_whole() -> None:
    """What the page, its styles and its scripts name is there, or put there; nothing is elsewhere."""
    made = {*PAGE, "pyodide/pyodide.mjs", "pyodide/", "wheels.json", "examples.json"}
    for name in PAGE:
        text = (HOME / name).read_text(encoding="utf-8")
        assert not re.search(r"\bhttps?:|url\(|@import", text), name
        named = re.findall(r"""(?:src|href)="([^"]+)"|from '\./([^']+)'|(?:fetch|file|Worker|URL)\('([^']+)'""", text)
        assert {each for group in named for each in group if each} - {"data:,"} <= made


def test_every_identity_of_the_page_is_known() -> None:
    html = (HOME / "index.html").read_text(encoding="utf-8")
    script = (HOME / "playground.js").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\('(\w+)'\)", script)) <= set(re.findall(r' id="(\w+)"', html))


def themes() -> list[dict[str, str]]:
    css = (HOME / "playground.css").read_text(encoding="utf-8")
    return [dict(re.findall(r"--([a-z]+): (#\w{6});", block)) for block in re.findall(r"\{([^{}]*--ground:[^{}]*)\}", css)]


def test_the_dark_colors_stand_twice_alike() -> None:
    light, by_system, by_page = themes()
    assert by_system == by_page
    assert light.keys() == by_system.keys()


@pytest.mark.parametrize("theme", themes()[:2])
def test_contrast(theme) -> None:
    for least, names in ((4.5, "text quiet link error warning done"), (3, "edge")):
        for name in names.split():
            for ground in ("ground", "panel"):
                lights = sorted((luminance(theme[name]), luminance(theme[ground])))
                assert (lights[1] + 0.05) / (lights[0] + 0.05) >= least, (name, ground)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of a server on this machine, of a page and the playground below it."""
    top = tmp_path_factory.mktemp("site")
    assemble(top / "playground")
    (top / "inside.html").write_text('<link rel="icon" href="data:,"><body data-md-color-scheme="slate"><iframe src="playground/index.html"></iframe>')
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=top))
    server.handle_error = lambda *args: None  # a browser that ends lets go of what it was loading
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.slow
@needs_browser
def test_in_a_browser(site) -> None:
    shots = os.environ.get("HETC_SCREENSHOTS", "")
    done = subprocess.run(["node", str(BROWSER / "playground.mjs"), f"{site}playground/", shots], capture_output=True, text=True,
                          encoding="utf-8", timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    typed, broken = seen["texts"]["typed"], seen["texts"]["broken"]

    assert [url for url in seen["asked"] if not url.removeprefix("blob:").startswith(site) and url != "data:,"] == []
    assert seen["complaints"] == []
    assert seen["quiet"], "before the first answer there is nothing to say of diagnostics"
    assert seen["start"]["manifest"] == example("A driver and two kinds of GPU nodes")["manifest"]
    assert seen["picture"]["width"] == 880
    assert seen["picture"]["alt"].startswith("7 nodes, 6 GPU nodes, 48 GPUs, 49 processes; all 7 to start. master: 1 pod")
    assert seen["picture"]["focus"] == "Picture"

    assert seen["typed"]["manifest"] == answer("train.het", typed)["manifest"] is not None
    wanted = answer("train.het", broken)["diagnostics"]
    assert [(each["line"], each["column"]) for each in wanted] == [(1, 21), (3, 39)]
    assert seen["broken"]["diagnostics"] == [each["text"].rstrip("\n").replace("\n", "", 1) for each in wanted]
    assert seen["broken"]["manifest"] == seen["typed"]["manifest"], "what was built before stays"
    assert seen["broken"]["stale"] == "From before the last mistake."
    assert seen["marked"] == ["1", "y"]
    assert seen["picked"] == "1"

    assert "has no image" in "".join(seen["unused"]["diagnostics"])
    assert "image: other.example/b:1" in seen["overlay"]["manifest"]
    assert "other.example/b:1" in seen["site"]["diagnostics"][0]
    assert seen["sitePicked"] == ["other.example/b:1", "overlay.yaml"]

    assert seen["shared"]["manifest"] == seen["shared"]["before"] != ""
    assert seen["shared"]["overlay"] == "image: registry.example/b:1\ncommand: run\n"
    for title, shown in seen["examples"].items():
        assert shown["notice"] == ""
        if title not in BROKEN:
            assert shown["manifest"] == example(title)["manifest"]
        assert len(shown["diagnostics"]) == len(example(title)["diagnostics"])
    assert seen["examples"].keys() == EXAMPLES.keys()
    assert seen["examples"]["A manifest by hand, with mistakes"]["stale"] == "Nothing is built from this."

    assert seen["workers"] == 1
    assert seen["phone"] == 390, "nothing is wider than the screen"
    assert "WebAssembly" in seen["old"]["notice"]
    assert seen["inside"] == "rgb(13, 17, 23)"
