"""The schemas in the hands of the servers that editors run: YAML's of Red Hat, and Taplo for TOML. No network is there."""
from __future__ import annotations

import subprocess

import pytest

from hetc import commands, site
from hetc.options import COMMANDS, parse
from tests.judges import MODULES, needs_npm
from tests.lsp.client import Client

YAML_SERVER = ["node", str(MODULES / ".bin" / "yaml-language-server"), "--stdio"]
TAPLO = ["node", str(MODULES / ".bin" / "taplo")]
CAPABILITIES = {"workspace": {"configuration": True}, "textDocument": {"hover": {"contentFormat": ["markdown"]}}}


def schema(name, folder, capsysbinary):
    """What `hetc schema` prints, in a file beside the others."""
    assert commands.run(COMMANDS["schema"], parse(COMMANDS["schema"], [name])) == 0
    (folder / f"hetc-{name}.schema.json").write_bytes(capsysbinary.readouterr().out)


@pytest.fixture
def server(tmp_path):
    with Client(tmp_path, YAML_SERVER, CAPABILITIES) as client:
        yield client


def opened(server, name, text):
    """What the server finds in a file."""
    server.tell("textDocument/didOpen", {"textDocument": {"uri": server.uri(name), "languageId": "yaml", "version": 1, "text": text}})
    return [(each["range"]["start"]["line"], each["message"]) for each in server.awaited(name)["diagnostics"]]


def labels(server, name, line, character):
    return {each["label"] for each in server.at("completion", name, line, character)["items"]}


@pytest.mark.slow
@needs_npm("yaml-language-server")
def test_an_overlay_of_init(server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands.run(COMMANDS["init"], parse(COMMANDS["init"], ["train"]))
    text = (tmp_path / "train.het.yaml").read_text()
    assert opened(server, "train.het.yaml", text) == []
    lines = text.splitlines()
    shown = server.at("hover", "train.het.yaml", lines.index("env:"), 1)["contents"]["value"]
    assert "Environment variables." in shown
    assert "LOG_LEVEL: INFO" in shown
    wrong = text + "imag: x\nimage_pull_policy: Sometimes\n"
    found = opened(server, "other.het.yaml", wrong)
    assert sorted(found) == [
        (len(lines), "Property imag is not allowed."),
        (len(lines) + 1, 'Value is not accepted. Valid values: "Always", "IfNotPresent", "Never", "", null.'),
    ]
    opened(server, "third.het.yaml", f"{lines[0]}\n\ntasks:\n  master:\n    \n")
    assert {"image", "command", "queue", "plugins"} <= labels(server, "third.het.yaml", 1, 0)
    inside = labels(server, "third.het.yaml", 4, 4)
    assert {"image", "env"} <= inside
    assert "queue" not in inside


@pytest.mark.slow
@needs_npm("yaml-language-server")
def test_a_template(server, tmp_path, capsysbinary):
    schema("template", tmp_path, capsysbinary)
    head = "# yaml-language-server: $schema=hetc-template.schema.json\n"
    assert opened(server, "a.yaml", head + "config:\n  target:\n    service: volcano\n    \n") == []
    assert {"queue", "memory", "gpus_per_node"} <= labels(server, "a.yaml", 4, 4)
    shown = server.at("hover", "a.yaml", 3, 6)["contents"]["value"]
    assert "The service that runs the job" in shown
    found = opened(server, "b.yaml", head + "config:\n  target: {gpus_per_node: eight}\n  storag: {}\n")
    assert sorted(found) == [(2, 'Incorrect type. Expected one of integer, null.'), (3, "Property storag is not allowed.")]


SITE = """\
#:schema ./hetc-site.schema.json
[defaults]
namespace = "training"
[gpu]
tolerations = [{key = "nvidia.com/gpu", operator = "Exists", effect = "NoSchedule"}]
[gpu.models]
A1 = ["X-1"]
[policy]
queues = ["default"]
max_gpus = 64
[rules]
HET702 = "error"
[per-path]
"old/**" = ["HET702"]
"""


@pytest.mark.slow
@needs_npm("@taplo/cli")
def test_a_site_file(tmp_path, capsysbinary):
    schema("site", tmp_path, capsysbinary)
    right, wrong = tmp_path / "right.toml", tmp_path / "wrong.toml"
    right.write_text(SITE)
    site.load(str(right), "right.toml")
    wrong.write_text(SITE.replace("max_gpus = 64", 'max_gpus = "64"\nquues = []').replace('"error"', '"loud"').replace('"Exists"', '"Exist"'))
    done = subprocess.run([*TAPLO, "lint", "--colors", "never", right, wrong], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "right.toml" not in done.stderr
    for part in ('"64" is not of type "integer"', "'quues' was unexpected", '"loud" is not one of', '"Exist" is not one of'):
        assert part in done.stderr

