"""`hetc lsp` as an editor sees it: a real process, spoken to over its pipes."""
from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hetc import commands
from hetc.options import COMMANDS, parse
from hetc.source import UsageError
from tests.conftest import ROOT
from tests.lsp.client import PATIENCE, Client

GOOD = "1*master<cpu=4, mem=8Gi>\n---\nqueue: q\nimage: r/i:1\ncommand: run\n"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """One server for many tests, each with file names of its own."""
    capabilities = {
        "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
        "textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}},
    }
    with Client(tmp_path_factory.mktemp("editor"), capabilities=capabilities) as client:
        yield client
        assert client.stop() == 0
        assert client.messages.get(timeout=PATIENCE) is None, "something stands behind the last message"


def codes(found):
    return [each["code"] for each in found]


def place(diagnostic):
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    return start["line"], start["character"], end["line"], end["character"]


def applied(text, edits):
    """A text after edits whose positions count code points of ASCII."""
    lines = [0]
    for line in text.split("\n"):
        lines.append(lines[-1] + len(line) + 1)
    for edit in sorted(edits, key=lambda edit: place(edit), reverse=True):
        line, character, end_line, end_character = place(edit)
        text = text[:lines[line] + character] + edit["newText"] + text[lines[end_line] + end_character:]
    return text


# Diagnostics.

def test_findings_come_while_the_text_is_written(client):
    assert client.open("typed.het", GOOD) == []
    for text in (GOOD.replace("8Gi", ""), GOOD.replace("8Gi", "8")):
        client.type("typed.het", text)
    published = client.awaited("typed.het")
    assert published["version"] == 3, "that of the second text was not checked: the keyboard did not rest"
    (found,) = published["diagnostics"]
    assert (found["code"], found["severity"], place(found)) == ("HET201", 1, (0, 20, 0, 21))
    assert found["message"] == "`mem`: `8` has no unit [bad-quantity]\nhelp: write the unit, for example `8Gi`"
    assert client.change("typed.het", GOOD) == []
    client.change("typed.het", GOOD.replace("8Gi", "8"))
    assert client.close("typed.het") == []


def test_a_finding_names_the_places_that_belong_to_it(client):
    (found,) = client.open("twice.het", GOOD.replace("cpu=4", "cpu=4, cpu=5"))
    (related,) = found["relatedInformation"]
    assert (related["location"]["uri"], place(related["location"]), related["message"]) == (
        client.uri("twice.het"), (0, 9, 0, 12), "first given here")


def test_layers_count_before_they_are_saved(client):
    (client.folder / "layer.yaml").write_text("labels: {a: b}\n")
    assert client.open("layered.het", f'use["layer.yaml"]\n{GOOD}') == []
    assert codes(client.open("layer.yaml", "image: 9\n", "yaml")) == ["HET015"]
    assert client.found("layered.het") == [], "it is said where it stands"
    assert client.change("layer.yaml", "image: r/i:2\n") == []
    client.change("layer.yaml", "image: 9\n")
    assert client.close("layer.yaml") == [], "what is on the disk is right"


def test_parents_of_a_template_count_before_they_are_saved(client):
    (client.folder / "parent.yaml").write_text("config: {environment: {image: 'r/i:1'}}\n")
    child = """base: parent.yaml
config:
  target: {service: volcano, queue: q, cpus_per_node: 1, memory: 1Gi, gpus_per_node: 0, rdma: false, processes_per_node: 1}
  jobs: [{name: j, command: run}]
"""
    assert client.open("child.yaml", child, "yaml") == []
    client.open("parent.yaml", "config: {environment: {}}\n", "yaml")
    assert codes(client.found("child.yaml")) == ["HET026"]
    client.close("parent.yaml")
    assert client.found("child.yaml") == []


def test_overlays_manifests_and_other_yaml(client):
    assert codes(client.open("alone.het.yaml", "imag: x\n", "yaml")) == ["HET012"]
    manifest = (ROOT / "golden" / "homogeneous" / "expected.yaml").read_text()
    assert "HET012" in codes(client.open("job.yaml", manifest.replace("minAvailable", "minAvaliable", 1), "yaml"))
    assert client.open("values.yaml", "replicas: {}\n", "yaml") == []


def test_a_file_becomes_one_that_hetc_knows(client):
    assert client.open("grown.yaml", "a: b\n", "yaml") == []
    assert codes(client.change("grown.yaml", "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\n"))


def test_what_stands_beside_a_file_counts(client):
    folder = client.folder / "beside"
    folder.mkdir()
    (folder / "child.yaml").write_text("base: parent.yaml\nconfig: {}\n")
    parent = "config: {target: {service: volcano}, jobs: [{name: j}]}\n"
    assert client.open("beside/parent.yaml", parent, "yaml") == [], "it need not be complete"
    (folder / "child.yaml").unlink()
    client.tell("textDocument/didSave", {"textDocument": {"uri": client.uri("beside/parent.yaml")}})
    assert "HET026" in codes(client.found("beside/parent.yaml"))


def test_a_file_without_a_name(client):
    uri = "untitled:Untitled-1"
    client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "het", "version": 1, "text": "0*master<cpu=1>"}})
    message = client.until(lambda each: each.get("method") == "textDocument/publishDiagnostics" and each["params"]["uri"] == uri)
    assert "HET018" in codes(message["params"]["diagnostics"])
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_queues_beside_a_job_count(client):
    folder = client.folder / "queues"
    folder.mkdir()
    (folder / "queues.yaml").write_text("apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: research}\n")
    (found,) = client.open("queues/job.het", GOOD)
    assert (found["code"], found["message"]) == ("HET520", "queue `q` is none of the queues given here [given-queue]\nhelp: check that it is in the cluster; given are `research`")


def test_the_site_file_is_heard_of_when_it_changes(client):
    asked = next(each for each in client.said if each.get("method") == "client/registerCapability")
    assert asked["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
    folder = client.folder / "site"
    folder.mkdir()
    assert client.open("site/job.het", GOOD) == []
    file = folder / "hetc.toml"
    for text, expected in (('[policy]\nqueues = ["r"]\n', "does not allow"), ("[policy\n", "no TOML"), (None, None)):
        file.write_text(text) if text is not None else file.unlink()
        client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": 2}]})
        found = client.found("site/job.het")
        assert [expected in each["message"] for each in found] == [True] * (expected is not None), found


# Positions.

@pytest.mark.parametrize(("offered", "agreed", "columns"), [
    (None, "utf-16", (14, 15)),
    (["utf-8", "utf-16"], "utf-8", (18, 19)),
    (["utf-32"], "utf-32", (12, 13)),
])
def test_columns_are_counted_as_agreed(tmp_path, offered, agreed, columns):
    with Client(tmp_path, capabilities={"general": {"positionEncodings": offered}} if offered else {}) as client:
        assert client.initialized["capabilities"]["positionEncoding"] == agreed
        (found,) = client.open("a.het.yaml", 'env: {"🚀𝐀": 1}\r\n', "yaml")
        assert (found["code"], place(found)) == ("HET015", (0, columns[0], 0, columns[1]))
        shown = client.at("hover", "a.het.yaml", 0, columns[0])
        assert shown["range"]["start"]["character"] == columns[0]
        (action,) = client.ask("textDocument/codeAction", {
            "textDocument": {"uri": client.uri("a.het.yaml")}, "range": found["range"], "context": {"diagnostics": [found]}})
        ((edit,),) = action["edit"]["changes"].values()
        assert (edit["newText"], edit["range"]) == ('"1"', found["range"])
        assert client.stop() == 0


# Questions.

def test_hover_shows_what_a_group_comes_to(client):
    client.open("hover.het", (ROOT / "examples" / "train.het").read_text())
    shown = client.at("hover", "hover.het", 2, 8)
    assert shown["contents"]["kind"] == "markdown"
    text = shown["contents"]["value"]
    for part in ("**a100-worker**: 2 replicas, ranks 1 to 2", "cpu 96, mem 512Gi, gpu 8, rdma 1, ppn 8 (nvidia.com/gpu)",
                 "`nvidia.com/gpu.product=A100-SXM4-80GB`", "`hover-a100-worker-0` to `hover-a100-worker-1`",
                 "`common-runtime:latest` (hover.het:8:8, inherited)"):
        assert part in text
    assert shown["range"] == {"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": 15}}


def test_hover_shows_where_a_value_comes_from(client):
    (client.folder / "below.yaml").write_text("image: r/below:1\nenv: {A: x}\n")
    text = f'use["below.yaml"]\n{GOOD}'
    client.open("origin.het", text)
    shown = client.at("hover", "origin.het", 4, 2)["contents"]["value"]
    assert "**image**: The container image." in shown
    assert "`tasks.master.image` = `r/i:1`, inherited, over below.yaml:1:8" in shown
    client.open("below.yaml", "image: r/below:1\nenv: {A: x}\n", "yaml")
    shown = client.at("hover", "below.yaml", 0, 9)["contents"]["value"]
    assert "overridden by `tasks.master.image` = `r/i:1` (origin.het:5:8, inherited, over below.yaml:1:8)" in shown
    client.close("below.yaml")


def test_hover_shows_what_a_task_of_a_template_comes_to(client):
    shutil.copytree(ROOT / "examples" / "template", client.folder / "template")
    text = (client.folder / "template" / "train.yaml").read_text()
    client.open("template/train.yaml", text, "yaml")
    line = next(number for number, each in enumerate(text.splitlines()) if each.strip() == "a100-worker:")
    shown = client.at("hover", "template/train.yaml", line, text.splitlines()[line].index("a100") + 1)["contents"]["value"]
    assert "**a100-worker**: 2 replicas, ranks 1 to 2" in shown
    assert "`tasks.a100-worker.gpus` = `8`" in shown


def test_completion_replaces_the_word_that_is_being_written(client):
    client.open("complete.het", "1*master<cpu=1, me>\n---\nimage: r/i:1\n")
    found = {each["label"]: each for each in client.at("completion", "complete.het", 0, 18)}
    assert "cpu" not in found
    assert found["mem"]["textEdit"] == {
        "newText": "mem=", "range": {"start": {"line": 0, "character": 16}, "end": {"line": 0, "character": 18}}}
    assert "Memory of one replica" in found["mem"]["documentation"]["value"]


def test_an_answer_is_about_the_latest_text(client):
    client.open("late.het", GOOD)
    client.type("late.het", "1*master<>")
    assert "gpu" in [each["label"] for each in client.at("completion", "late.het", 0, 9)]


def test_nothing_is_known_of_what_is_not_open(client):
    assert client.at("hover", "never.het", 0, 0) is None
    assert client.at("definition", "never.het", 0, 0) is None
    assert client.at("completion", "never.het", 0, 0) == []
    document = {"textDocument": {"uri": client.uri("never.het")}}
    assert client.ask("textDocument/documentSymbol", document) == []
    assert client.ask("textDocument/formatting", {**document, "options": {"tabSize": 2, "insertSpaces": True}}) == []
    nowhere = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    assert client.ask("textDocument/codeAction", {**document, "range": nowhere, "context": {"diagnostics": []}}) == []


def test_a_text_with_halves_of_characters_and_lines_of_all_kinds(client):
    client.open("odd.het", GOOD)
    assert isinstance(client.change("odd.het", "1*master<cpu=\ud83d>\r\u2028\x85\n---\r\nimage: \udc00\n"), list)
    assert client.change("odd.het", GOOD) == []


def test_fixes(client):
    text = GOOD + "env: {A: 1, B: 2}\n"
    found = client.open("fixes.het", text)
    assert codes(found) == ["HET015", "HET015"]
    document = {"uri": client.uri("fixes.het")}
    (action,) = client.ask("textDocument/codeAction", {
        "textDocument": document, "range": found[0]["range"], "context": {"diagnostics": found[:1]}})
    assert (action["kind"], action["isPreferred"], action["diagnostics"][0]["code"]) == ("quickfix", True, "HET015")
    once = applied(text, action["edit"]["changes"][document["uri"]])
    assert once == text.replace("A: 1", 'A: "1"')
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    (every,) = client.ask("textDocument/codeAction", {
        "textDocument": document, "range": whole, "context": {"diagnostics": [], "only": ["source.fixAll"]}})
    mended = applied(text, every["edit"]["changes"][document["uri"]])
    assert client.change("fixes.het", mended) == []
    assert client.ask("textDocument/codeAction", {
        "textDocument": document, "range": whole, "context": {"diagnostics": [], "only": ["refactor"]}}) == []


def test_formatting_is_that_of_hetc_fmt(client):
    text = "1*master<cpu=4,mem=8Gi>+2*w<cpu=1,   mem=1Gi>\n---\nimage: r/i:1   \n"
    client.open("layout.het", text)
    edits = client.ask("textDocument/formatting", {"textDocument": {"uri": client.uri("layout.het")},
                                                   "options": {"tabSize": 2, "insertSpaces": True}})
    done = subprocess.run([sys.executable, "-m", "hetc", "fmt", "--stdin-filename", "layout.het", "-"], input=text, text=True,
                          capture_output=True, check=True, cwd=ROOT)
    assert applied(text, edits) == done.stdout != text


def test_outline_and_definitions(client):
    (client.folder / "named.yaml").write_text("labels: {a: b}\n")
    client.open("outline.het", 'use["named.yaml"] gang[done=worker]\n1*master<cpu=4, mem=8Gi> + 2*worker<cpu=1, mem=1Gi>\n'
                               "---\ntasks:\n  worker: {image: r/i:1}\n")
    found = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": client.uri("outline.het")}})
    assert [(each["name"], each["detail"]) for each in found] == [
        ("master", "1 pod, cpu 4, mem 8Gi"), ("worker", "2 pods, cpu 1, mem 1Gi"), ("worker", "what the task runs")]
    for line, character in ((4, 4), (0, 30)):
        to = client.at("definition", "outline.het", line, character)
        assert (to["uri"], place(to)) == (client.uri("outline.het"), (1, 29, 1, 35))
    assert client.at("definition", "outline.het", 0, 8)["uri"] == client.uri("named.yaml")
    assert client.at("definition", "outline.het", 1, 12) is None


# The process.

def test_it_ends_when_told_and_says_how(tmp_path):
    with Client(tmp_path) as client:
        client.tell("exit", None)
        assert client.process.wait(PATIENCE) == 1, "without `shutdown`"


def test_it_ends_with_its_client(tmp_path):
    with Client(tmp_path, [sys.executable, "-m", "hetc", "lsp", "--stdio", "--isolated"]) as client:
        client.process.stdin.close()
        client.process.wait(PATIENCE)
        assert not [line for line in client.errors if b"Traceback" in line]


def test_the_missing_library_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"^`lsp` needs the library pygls, an extra of hetc; install it: pip install 'hetc\[lsp\]'$"):
        commands.run(COMMANDS["lsp"], parse(COMMANDS["lsp"], []))


def test_arguments_are_refused():
    with pytest.raises(UsageError, match=r"^`lsp` takes options only, not `x`$"):
        parse(COMMANDS["lsp"], ["x"])


def test_a_site_file_of_the_command_line(tmp_path):
    Path(tmp_path, "site.toml").write_text('[policy]\nqueues = ["other"]\n')
    with Client(tmp_path, [sys.executable, "-m", "hetc", "lsp", "--config", "site.toml"]) as client:
        assert len(client.open("job.het", GOOD)) == 1
        assert client.stop() == 0


def test_on_a_terminal_it_says_what_it_waits_for(monkeypatch, capsys):
    monkeypatch.setattr("hetc.lsp.server.serve", lambda options: 0)
    for at_terminal, said in ((True, "hetc: `lsp` waits for an editor on standard input, and is started by it; Ctrl-C ends it\n"), (False, "")):
        monkeypatch.setattr(sys.stdin, "isatty", lambda at_terminal=at_terminal: at_terminal)
        assert commands.run(COMMANDS["lsp"], parse(COMMANDS["lsp"], [])) == 0
        assert capsys.readouterr() == ("", said)
