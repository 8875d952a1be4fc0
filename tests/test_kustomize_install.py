"""`hetc kustomize`: where it puts the plugin is where kustomize looks, and nothing happens without `--yes`."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hetc import commands
from hetc.kustomize_install import PLACE, homes
from hetc.options import COMMANDS, parse
from hetc.source import UsageError
from tests.conftest import ROOT
from tests.judges import kustomize, needs_kustomize
from tests.kustomizations import JOB, LEGACY, build, config, objects, write

LINK = Path(*PLACE)
COMPONENT = ROOT / "kustomize" / "component"


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of one's own, and the plugin on PATH."""
    for name in ("KUSTOMIZE_PLUGIN_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    program = tmp_path / "bin" / "hetc-kustomize"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom hetc.kustomize import main\nmain()\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "bin" / "hetc")])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def hetc(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    command = COMMANDS["kustomize"]
    assert commands.run(command, parse(command, list(argv))) == 0
    return capsys.readouterr().out


def refused(*argv: str) -> str:
    command = COMMANDS["kustomize"]
    with pytest.raises(UsageError) as error:
        commands.run(command, parse(command, list(argv)))
    return str(error.value)


def test_it_says_what_it_would_do_and_does_it_once(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link, program = machine / "user" / ".config" / "kustomize" / "plugin" / LINK, machine / "bin" / "hetc-kustomize"
    assert hetc(capsys, "install") == f"would link {link} to {program}\nnothing is done yet: add `--yes`\n"
    assert not (machine / "user").exists()
    assert hetc(capsys, "install", "--yes") == f"linked {link} to {program}\n"
    assert link.resolve() == program
    assert hetc(capsys, "install", "--yes") == hetc(capsys, "install") == f"{link} is there already\n"


def test_a_link_to_another_hetc_is_replaced_and_a_file_is_not(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = machine / "user" / ".config" / "kustomize" / "plugin" / LINK
    link.parent.mkdir(parents=True)
    link.symlink_to("/nowhere/hetc-kustomize")
    hetc(capsys, "install", "--yes")
    assert link.resolve() == machine / "bin" / "hetc-kustomize"
    link.unlink()
    link.write_text("somebody's own")
    assert refused("install", "--yes") == f"`{link}` is there and is no link; move it away first"


def test_the_first_folder_that_is_there_is_taken(machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    last, config_, own = machine / "user/kustomize/plugin", machine / "xdg", machine / "own"
    last.mkdir(parents=True)
    assert f"would link {last / LINK} " in hetc(capsys, "install")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config_))
    assert f"would link {last / LINK} " in hetc(capsys, "install")
    (config_ / "kustomize/plugin").mkdir(parents=True)
    assert f"would link {config_ / 'kustomize/plugin' / LINK} " in hetc(capsys, "install")
    monkeypatch.setenv("KUSTOMIZE_PLUGIN_HOME", str(own))
    assert f"would link {config_ / 'kustomize/plugin' / LINK} " in hetc(capsys, "install")
    own.mkdir()
    assert f"would link {own / LINK} " in hetc(capsys, "install")


def test_a_folder_of_ones_own_comes_with_the_variable_for_it(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hetc(capsys, "install", "--path", "plugins").splitlines()[-1] == (
        f"kustomize looks in {machine}/user/.config/kustomize/plugin; to make it look there: export KUSTOMIZE_PLUGIN_HOME={machine}/plugins")


@pytest.mark.parametrize(("argv", "says"), [
    (("instal",), "`kustomize` takes `install`, or `component DIR`"),
    (("component",), "`kustomize` takes `install`, or `component DIR`"),
    (("install", "there"), "`kustomize` takes `install`, or `component DIR`"),
    ((), "`kustomize` needs `install` or `component DIR`; see `hetc kustomize --help`"),
])
def test_calls_that_make_no_sense(argv: tuple[str, ...], says: str) -> None:
    assert refused(*argv) == says


def test_what_stands_in_the_way(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine / "file").write_text("")
    assert refused("component", "file", "--yes") == "cannot read `file/kustomization.yaml`: not a directory"
    monkeypatch.setenv("KUSTOMIZE_PLUGIN_HOME", "plugins")
    assert refused("install").startswith("`plugins` is where kustomize looks, and it runs plugins by an absolute path only")
    monkeypatch.setenv("KUSTOMIZE_PLUGIN_HOME", str(machine / "file" / "plugins"))
    assert refused("install", "--yes").endswith(": not a directory")
    monkeypatch.setattr(sys, "argv", ["/nowhere/hetc"])
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    assert refused("install") == "there is no `hetc-kustomize` beside hetc or on PATH; `pip install` puts it there"


def test_the_component_is_copied_and_brought_up_to_date(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = sorted(os.listdir(COMPONENT))
    assert hetc(capsys, "component", "volcano") == "".join(f"would write volcano/{name}\n" for name in names) + "nothing is done yet: add `--yes`\n"
    assert hetc(capsys, "component", "volcano", "--yes") == "".join(f"wrote volcano/{name}\n" for name in names)
    assert {name: (machine / "volcano" / name).read_text() for name in names} == {name: (COMPONENT / name).read_text() for name in names}
    (machine / "volcano" / "names.yaml").write_text("old\n")
    assert "would write volcano/names.yaml\nvolcano/schema.yaml is there already\n" in hetc(capsys, "component", "volcano")
    hetc(capsys, "component", "volcano", "--yes")
    assert (machine / "volcano" / "names.yaml").read_text() == (COMPONENT / "names.yaml").read_text()


@needs_kustomize
@pytest.mark.parametrize("variables", [{}, {"XDG_CONFIG_HOME": "xdg"}, {"KUSTOMIZE_PLUGIN_HOME": "own"}], ids=["home", "xdg", "variable"])
def test_kustomize_finds_it(
    variables: dict[str, str], machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    for name, folder in variables.items():
        monkeypatch.setenv(name, str(machine / folder))
    write(machine / "base", kustomization="generators: [job.yaml]\n", job_yaml=config("train", "source: train.het"), train_het=JOB)
    before = subprocess.run([str(kustomize()), "build", *LEGACY, "base"], capture_output=True, text=True, check=False)
    assert "unable to find plugin root" in before.stderr
    hetc(capsys, "install", "--yes")
    assert list(objects(build(machine / "base", dict(os.environ), *LEGACY))) == ["Job/train"]


def test_homes_are_in_kustomizes_order() -> None:
    user = os.path.expanduser("~")
    assert homes({}) == [f"{user}/.config/kustomize/plugin", f"{user}/kustomize/plugin"]
    assert homes({"KUSTOMIZE_PLUGIN_HOME": "/p", "XDG_CONFIG_HOME": "/c"}) == ["/p", "/c/kustomize/plugin", *homes({})]
