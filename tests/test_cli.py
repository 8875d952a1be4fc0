"""The command as a program: what goes in, what comes out where, and the exit status."""
from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time

import pytest
from jsonschema import Draft7Validator

from hetc import __main__, __version__
from tests.conftest import ROOT

GOOD = "1*master<cpu=4, mem=8Gi>\n---\nimage: registry.example/train:1.0\ncommand: [python train.py]\n"
WARNED = GOOD.replace("train:1.0", "train:latest")
BAD = GOOD.replace("command:", "comand:")
ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "TERM", "HETC_TRACEBACK")}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A repository of its own, so that no site file of another place counts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for name, text in {"good.het": GOOD, "warned.het": WARNED, "bad.het": BAD}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def start(argv, **options):
    environment = {**ENVIRONMENT, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    command = [sys.executable, "-m", "hetc", *argv]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def hetc(*argv, stdin="", **env):
    """Exit status, standard output, standard error."""
    process = start(argv, stdin=subprocess.PIPE, env=env)
    out, err = process.communicate(stdin if isinstance(stdin, bytes) else stdin.encode(), timeout=60)
    return process.returncode, out.decode(), err.decode()


def test_build():
    status, out, err = hetc("build", "good.het")
    assert (status, err) == (0, "")
    assert out.startswith("apiVersion: batch.volcano.sh/v1alpha1\n")
    assert "name: good\n" in out


def test_build_refuses_without_any_output():
    status, out, err = hetc("build", "good.het", "bad.het")
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        "bad.het:4:1: error HET012: unknown key `comand` in an overlay [unknown-key]",
        "    4 | comand: [python train.py]",
        "      | ^^^^^^",
        "  help: did you mean `command`?",
    ]


def test_build_several_files_to_one_stream():
    status, out, _ = hetc("build", "warned.het", "good.het")
    assert status == 0
    assert [line for line in out.split("\n") if line == "---" or line.startswith("  name: ")] == ["  name: warned", "---", "  name: good"]


def test_fail_on_warning():
    status, out, err = hetc("build", "--fail-on", "warning", "warned.het")
    assert (status, out) == (1, "")
    assert " warning HET702: " in err
    assert hetc("lint", "--fail-on=warning", "warned.het")[0] == 1
    assert hetc("lint", "warned.het")[0] == 0


def test_standard_input():
    same = hetc("build", "good.het")[1]
    assert hetc("build", "--stdin-filename", "good.het", "-", stdin=GOOD) == (0, same, "")
    assert hetc("build", "--name", "good", "-", stdin=GOOD) == (0, same, "")
    status, out, err = hetc("build", "-", stdin=GOOD)
    assert (status, out) == (1, "")
    assert err.startswith("<stdin>:1:1: error HET101: the job has no name")
    assert hetc("build", "good.het", "-f", "-", stdin="name: other\n")[1] == same.replace("name: good\n", "name: other\n", 1)
    twice = hetc("build", "--name", "x", "-", "-f", "-", stdin=GOOD)
    assert twice == (2, "", "hetc: `-` is standard input, which is closed or was read already\n")


@pytest.mark.parametrize(("text", "found", "help"), [
    ("--nodes=4 --gres=gpu:8\n", "1:1: error HET003: this is a request of Slurm", "write `4*<gpu=8>`"),
    ("#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --gres=gpu:8\n\npython train.py\n", "2:1: error HET003: this is a request of Slurm",
     "write `4*<gpu=8>`"),
    ('bsub -n 32 -R "span[ptile=8]"\n', "1:1: error HET003: this is a request of LSF",
     "write `4*<cpu=N, mem=NGi, ppn=8>`, with what one replica needs for each N"),
    ("select=2:ncpus=4\n", "1:1: error HET003: this is a request of PBS", "write `2*<cpu=4>`"),
])
def test_requests_of_other_schedulers_on_standard_input(text, found, help):
    status, out, err = hetc("build", "--name", "x", "-", stdin=text)
    assert (status, out) == (1, "")
    assert err.startswith(f"<stdin>:{found} [")
    assert err.endswith(f"  help: {help}\n")


@pytest.mark.parametrize("text", ["config: {}\n", "# SBATCHES\n{config: {}}\n", "- a\n", "srun: a\nconfig: {}\n", "--- # -R\nconfig: {}\n"])
def test_yaml_on_standard_input_is_no_request(text):
    assert " HET003: " not in hetc("build", "--name", "x", "-", stdin=text)[2]


@pytest.mark.parametrize(("text", "code"), [
    ("worker<cpu=1>", "HET018"), ("2 worker <cpu=1>", "HET002"), ("# one\nspan[hosts=1] 4*worker<cpu=1>", "HET003"),
    ("note: a<b=c>\nconfig: {}\n", "HET012"), ('<html lang="en">', "HET014"),
])
def test_a_request_with_a_mistake_at_its_start_is_known_by_its_group(text, code):
    assert hetc("build", "--name", "x", "-", stdin=text)[2].split()[2] == f"{code}:"


def test_lint_of_standard_input():
    status, out, err = hetc("lint", "-", stdin=BAD)
    assert (status, err) == (1, "")
    assert out.startswith("<stdin>:4:1: error HET012: ")
    assert out.endswith("checked 1 document: 1 error, 0 warnings\n")
    status, out, _ = hetc("lint", "--stdin-filename", "a/b.het", "-", stdin=BAD)
    assert status == 1
    assert out.startswith("a/b.het:4:1: error HET012: ")


def test_lint_of_a_directory(folder):
    (folder / "layer.het.yaml").write_text("image: 9000\n")
    (folder / "other.yaml").write_text("a: 1\n")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "bad.het").write_text(BAD)
    status, out, err = hetc("lint", "--output-format", "concise", ".")
    assert (status, err) == (1, "")
    lines = out.splitlines()
    assert [line.split(": ")[0] + " " + line.split(" ")[2].rstrip(":") for line in lines[:-1]] == [
        "bad.het:4:1 HET012", "layer.het.yaml:1:8 HET015", "warned.het:3:8 HET702",
    ]
    assert lines[-1] == "checked 5 documents, 1 of kinds hetc does not know (no manifest): 2 errors, 1 warning"


def test_json_of_diagnostics():
    validator = Draft7Validator(json.loads((ROOT / "schemas" / "diagnostics.schema.json").read_text()))
    status, out, err = hetc("lint", "--output-format", "json", "bad.het", "warned.het")
    assert (status, err) == (1, "")
    data = json.loads(out)
    validator.validate(data)
    assert data["summary"] == {"files": 2, "errors": 1, "warnings": 1, "skipped": 0, "suppressed": 0, "fixes": 0}
    assert [(each["code"], each["file"], each["line"], each["column"], each["end_column"]) for each in data["diagnostics"]] == [
        ("HET012", "bad.het", 4, 1, 7), ("HET702", "warned.het", 3, 8, 37),
    ]
    for argv, stream in ((("lint", "good.het"), 1), (("build", "good.het"), 2), (("build", "bad.het"), 2), (("plan", "good.het"), 2)):
        validator.validate(json.loads(hetc(*argv, "--output-format=json")[stream]))


def test_output_file(folder):
    target = folder / "job.yaml"
    target.write_text("old")
    target.chmod(0o640)
    status, out, err = hetc("build", "bad.het", "-o", "job.yaml")
    assert (status, out) == (1, "")
    assert err
    assert target.read_text() == "old"
    assert hetc("build", "good.het", "-ojob.yaml") == (0, "", "")
    assert target.read_text() == hetc("build", "good.het")[1]
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(path.name for path in folder.iterdir()) == [".git", "bad.het", "good.het", "job.yaml", "warned.het"]


def test_output_through_a_link_and_to_a_device(folder):
    (folder / "real.yaml").write_text("old")
    (folder / "link.yaml").symlink_to("real.yaml")
    assert hetc("build", "good.het", "-o", "link.yaml")[0] == 0
    assert (folder / "link.yaml").is_symlink()
    assert (folder / "real.yaml").read_text().startswith("apiVersion")
    assert hetc("build", "good.het", "-o", "/dev/stdout") == hetc("build", "good.het")
    assert hetc("build", "good.het", "-o", "/dev/null") == (0, "", "")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_output_that_cannot_be(folder):
    assert hetc("build", "good.het", "-o", "good.het") == (2, "", "hetc: `good.het` is an input; write to another file\n")
    assert (folder / "good.het").read_text() == GOOD
    assert hetc("build", "good.het", "-o", "no/where.yaml") == (2, "", "hetc: cannot write `no/where.yaml`: no such file or directory\n")
    assert hetc("build", "good.het", "-o", ".")[0] == 2


@pytest.mark.parametrize(("argv", "message"), [
    (["build", "no.het"], "cannot read `no.het`: no such file or directory"),
    (["build", "."], "`.` is a directory; name its files, or check them with `hetc lint .`"),
    (["lint", "no.het"], "cannot read `no.het`: no such file or directory"),
    (["build", "--name", "x", "good.het", "bad.het"], "`--name` goes with one file: several jobs cannot have one name"),
    (["build", "-n", "2", "good.het"], "`--nodes` is for templates; a .het file says its shape itself"),
    (["build", "-f", "no.yaml", "good.het"], "cannot read `no.yaml`: no such file or directory"),
    (["build", "--config", "no.toml", "good.het"], "cannot read `no.toml`: no such file or directory"),
    (["build", "good.het", "python", "x.py"], "cannot read `python`: no such file or directory; a command goes behind `--`"),
    (["build", "no.het", "python"], "cannot read `no.het`: no such file or directory"),
    (["build", "good.het", "no.het", "--", "python"], "cannot read `no.het`: no such file or directory"),
    (["build", "good.het", "python", "x.py", "--lr", "1"], "`build` has no option `--lr`; a command goes behind `--`"),
    (["plan", "good.het", "python", "x.py"], "`plan` takes one FILE, not 3; a command goes behind `--`"),
    (["plan", "good.het", "bad.het"], "`plan` takes one FILE, not 2"),
    (["schema", "overlay", "site"], "`schema` takes one NAME, not 2"),
    (["build", "--foo", "good.het"], "`build` has no option `--foo`; see `hetc build --help`"),
    (["build", "--fromat", "json", "good.het"], "`build` has no option `--fromat`; did you mean `--format`?"),
    (["rule", "HET60l"], "no rule is called `HET60l`; did you mean `HET601`?"),
    (["build", "a\x1b[31m\n.het"], "cannot read `a\\x1b[31m\\n.het`: no such file or directory"),
])
def test_usage(argv, message, capsys):
    assert __main__.run(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"hetc: {message}\n"


def test_unreadable_file(folder):
    (folder / "loop.het").symlink_to("loop.het")  # root may read everything, but not this
    assert hetc("build", "loop.het") == (2, "", "hetc: cannot read `loop.het`: too many levels of symbolic links\n")


def test_one_unreadable_file_does_not_hide_the_others(folder):
    (folder / "loop.het").symlink_to("loop.het")
    (folder / "worse.het").write_text("0*master<cpu=1>\n")
    os.mkfifo(folder / "pipe.het")
    status, out, err = hetc("lint", "--output-format", "concise", ".")
    assert status == 2
    assert "worse.het:1:1: error HET018" in out
    assert err == "hetc: cannot read `loop.het`: too many levels of symbolic links\n"


def test_a_broken_site_file_is_said_once(folder):
    (folder / "team").mkdir()
    (folder / "team" / "hetc.toml").write_text("[policy\n")
    for name in ("a.het", "b.het"):
        (folder / "team" / name).write_text(GOOD)
    problem = "team/hetc.toml: no TOML: Expected ']' at the end of a table declaration (at line 1, column 8)"
    assert hetc("lint", "team") == (2, "checked 0 documents, 2 files not checked: 0 errors, 0 warnings\n", f"hetc: {problem}\n")
    for paths in (["team"], ["team/a.het"]):
        status, out, err = hetc("lint", "--output-format", "json", *paths)
        assert (status, err) == (2, f"hetc: {problem}\n")
        assert json.loads(out)["problems"] == [problem]
    assert json.loads(hetc("lint", "--output-format", "json", "good.het")[1])["problems"] == []


def test_two_site_files_in_one_folder(folder):
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\n# [tool.hetc]\n')
    (folder / "hetc.toml").write_text("")
    assert hetc("build", "good.het")[0] == 0
    (folder / "pyproject.toml").write_text("[tool.hetc.policy]\n")
    two = "hetc: `hetc.toml` and `[tool.hetc]` of `pyproject.toml` are two site files for one folder; keep one of the two\n"
    assert hetc("build", "good.het") == (2, "", two)
    assert hetc("build", "--isolated", "good.het")[0] == 0


def test_other_encodings_are_findings(folder):
    (folder / "bad.het").write_bytes(GOOD.encode("utf-16"))
    status, out, err = hetc("build", "bad.het")
    assert (status, out) == (1, "")
    assert err.startswith("bad.het:1:1: error HET001: the text is UTF-16, not UTF-8 [not-utf-8]\n")
    (folder / "good.het").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert hetc("build", "good.het")[0] == 0


def test_the_locale_does_not_matter(folder):
    (folder / "good.het").write_text(GOOD.replace("train.py", "train.py --city Zürich"), encoding="utf-8")
    expected = hetc("build", "good.het")
    assert "Zürich" in expected[1]
    assert hetc("build", "good.het", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0") == expected


def test_the_plan_says_how_to_submit():
    out = hetc("plan", "--origins", "good.het", "-f", "over lay.yaml", "-flayer.yaml", "--queue=x", "--isolated", "--", "python", "a b.py")
    assert out == (2, "", "hetc: cannot read `over lay.yaml`: no such file or directory\n")
    for name in ("over lay.yaml", "layer.yaml"):
        with open(name, "w", encoding="utf-8") as file:
            file.write("name: other\n")
    out = hetc("plan", "--origins", "good.het", "-f", "over lay.yaml", "-flayer.yaml", "--queue=x", "--isolated", "--", "python", "a b.py")[1]
    build = "hetc build good.het -f 'over lay.yaml' -f layer.yaml --queue x --isolated -- python 'a b.py'"
    assert f"\nsubmit\n  {build} | kubectl create -f -\n" in out
    data = json.loads(hetc("plan", "--format", "json", "good.het")[1])
    assert (data["build"], data["submit"]) == ("hetc build good.het", "kubectl create -f -")


def test_the_plan_says_that_a_name_is_the_files():
    assert re.search(r"^name = good +good.het:1:1 \(the file's name\)$", hetc("plan", "--origins", "good.het")[1], re.MULTILINE)
    assert re.search(r"^name = x +<command line>:1:11$", hetc("plan", "--origins", "--name", "x", "good.het")[1], re.MULTILINE)
    data = json.loads(hetc("plan", "--origins", "--format", "json", "good.het")[1])
    assert [each["how"] for each in data["origins"] if each["path"] == "name"] == ["file-name"]


def test_the_plan_shows_a_command_of_several_places(folder):
    (folder / "t.yaml").write_text(
        "config:\n  target: {service: volcano, cpus_per_node: 4, memory: 8Gi, gpus_per_node: 0, rdma: false, processes_per_node: 1}\n"
        "  environment: {image: 'registry.example/b:1'}\n  jobs: [{name: train, command: [nvidia-smi, python -m pip list]}]\n")
    out = hetc("plan", "t.yaml", "-n", "2", "--", "python", "x.py")[1]
    assert "\ncommand of master, worker\n  nvidia-smi\n  python -m pip list\n  python x.py\n" in out
    assert "command of" not in hetc("plan", "t.yaml")[1]
    data = json.loads(hetc("plan", "--format", "json", "t.yaml", "--", "python", "x.py")[1])
    assert data["tasks"][0]["command"] == ["nvidia-smi", "python -m pip list", "python x.py"]


def test_plan_and_rule():
    status, out, err = hetc("plan", "good.het")
    assert (status, err) == (0, "")
    assert "\n1 node, 0 GPU nodes, 0 GPUs, 1 process\n" in out
    assert json.loads(hetc("plan", "--format", "json", "good.het")[1])["totals"]["nodes"] == 1
    status, out, err = hetc("plan", "bad.het")
    assert (status, out) == (1, "")
    assert " error HET012: " in err
    assert hetc("rule", "missing-MASTER")[1].startswith("# HET601 missing-master\n")
    page = json.loads(hetc("rule", "het601", "--format=json")[1])
    assert (page["code"], page["name"], page["level"]) == ("HET601", "missing-master", "error")
    assert page["page"].startswith("# HET601")
    status, out, _ = hetc("rule")
    assert status == 0
    assert "HET601  error    missing-master" in out
    assert {"code": "HET601", "name": "missing-master", "level": "error", "title": "a job without exactly one master of one replica"} in (
        json.loads(hetc("rule", "--format", "json")[1]))


@pytest.mark.parametrize("name", ["overlay", "template", "site", "plan", "diagnostics"])
def test_schema(name, capfdbinary):
    assert __main__.run(["schema", name]) == 0
    assert capfdbinary.readouterr().out == (ROOT / "schemas" / f"{name}.schema.json").read_bytes()


def test_help_version_and_nothing():
    assert hetc("--version") == (0, f"hetc {__version__}\n", "")
    status, out, err = hetc("build", "--help")
    assert (status, err) == (0, "")
    assert out.startswith("Usage: hetc build [OPTIONS] FILE... [-- COMMAND...]\n")
    assert hetc("lint", "-h")[1].startswith("Usage: hetc lint ")
    assert hetc("help") == hetc("--help")
    assert hetc("help", "plan") == hetc("plan", "--help")
    status, out, err = hetc()
    assert (status, out) == (2, "")
    assert err.startswith("Usage: hetc [OPTIONS] COMMAND")


def test_completion_offers_commands_options_and_values():
    def completed(line, index):
        return hetc(_HETC_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(index))[1].split()

    assert completed("hetc b", 1) == ["build"]
    assert completed("hetc build --f", 2) == ["--format", "--fail-on"]
    assert completed("hetc build --format ", 3) == ["yaml", "json"]
    assert completed("hetc rule missing-m", 2) == ["missing-master"]
    assert completed("hetc schema ov", 2) == ["overlay"]
    assert "complete" in hetc("--show-completion", SHELL="/bin/bash")[1]


def test_command_behind_two_dashes():
    out = hetc("build", "good.het", "--", "python", "-c", "print('a b')", "--name", "--")[1]
    assert """exec python -c 'print('"'"'a b'"'"')' --name --\n""" in out
    assert "name: good\n" in out


@pytest.mark.parametrize(("argv", "env", "colored"), [
    ([], {}, False),
    (["--color", "always"], {}, True),
    (["--color=always"], {"NO_COLOR": "1"}, True),
    (["--color=never"], {"FORCE_COLOR": "1"}, False),
    ([], {"FORCE_COLOR": "1"}, True),
    ([], {"FORCE_COLOR": "0"}, False),
    ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ([], {"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    ([], {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
    (["--output-format", "json", "--color", "always"], {}, False),
    (["--output-format", "concise", "--color", "always"], {}, True),
])
def test_color(argv, env, colored, monkeypatch, capfdbinary):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert __main__.run(["lint", "bad.het", *argv]) == 1
    assert (b"\x1b[" in capfdbinary.readouterr().out) == colored


def test_color_on_a_terminal():
    for env, colored in (({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False)):
        controller, terminal = os.openpty()
        process = subprocess.run([sys.executable, "-m", "hetc", "lint", "bad.het"], stdout=terminal, check=False,
                                 env={**ENVIRONMENT, "PYTHONPATH": str(ROOT), **env}, timeout=60)
        os.close(terminal)
        assert process.returncode == 1
        assert (b"\x1b[" in os.read(controller, 65536)) == colored
        os.close(controller)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_broken_pipe_is_quiet(folder, unbuffered):
    (folder / "good.het").write_text(GOOD + "env:\n" + "".join(f"  V{number}: {'x' * 100}\n" for number in range(1800)))
    process = start(["build", "good.het"], env={"PYTHONUNBUFFERED": unbuffered})
    assert os.read(process.stdout.fileno(), 10) == b"apiVersion"
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 1


def test_an_interrupt_is_quiet():
    # What started the tests may ignore the signal, as a shell does for what it runs in the background; children inherit that.
    process = start(["build", "--name", "x", "-"], stdin=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not _reads(process.pid):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


def _reads(pid):
    """Whether the process has loaded hetc and waits for its input."""
    try:
        with open(f"/proc/{pid}/wchan", encoding="ascii") as file:
            waits = file.read()
    except OSError:
        return True
    return "pipe" in waits


@pytest.mark.parametrize("traceback", ["", "1"])
def test_a_bug_says_that_it_is_one(traceback, monkeypatch, capsys):
    def broken(*_):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("hetc.commands.run", broken)
    monkeypatch.setenv("HETC_TRACEBACK", traceback)
    assert __main__.run(["build", "good.het"]) == 70
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("hetc: internal error (ZeroDivisionError) while running `hetc build good.het`; this is a bug in hetc")
    assert ("Traceback" in captured.err) == bool(traceback)


def test_a_directory_shows_no_file_from_outside_of_it(folder, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("TOKEN=hunter2\n")
    (folder / "link.het").symlink_to(secret)
    (folder / "link.het.yaml").symlink_to(secret)
    os.mkfifo(folder / "pipe")
    (folder / "pipe.het").symlink_to("pipe")
    (folder / "own.het").symlink_to("good.het")
    status, out, err = hetc("lint", "--output-format", "json", ".")
    assert "hunter2" not in out + err
    assert status == 1
    assert {each["file"] for each in json.loads(out)["diagnostics"]} == {"bad.het", "warned.het"}


@pytest.mark.parametrize("command", ["build good.het", "lint good.het", "--version"])
def test_output_that_cannot_be_written(folder, command):
    for target in ("/dev/full", "&-"):
        program = f'"{sys.executable}" -m hetc {command} >{target}'
        done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
        assert (done.returncode, "Traceback" in done.stderr, "bug" in done.stderr) == (2, False, False), (target, done.stderr)
