"""What silences a finding, what does not, and what is said of the silencing itself."""
from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from hetc import __main__
from hetc.diagnostic import Report
from hetc.read.yaml import read
from hetc.rules import CATALOG
from hetc.source import Source, Span
from hetc.suppress import ignores, quiet
from tests.conftest import ROOT

CODES = {code.code: code for code in CATALOG}
HET = "1*master<cpu=1, mem=1Gi>\n---\ncommand: [python a.py]\n"
JOB = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: train}
spec:
  tasks:
  - name: worker
    replicas: 1
    template:
      spec:
        restartPolicy: Never
        containers:
        - name: main
          image: registry.example/train:latest%s
%s"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    os.mkdir(".git")


def write(path: str, text: str) -> str:
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def lint(capsys: pytest.CaptureFixture[str], *args: str) -> list[str]:
    """`CODE level line` of each finding."""
    __main__.run(["lint", "--output-format", "json", *args])
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    return [f"{each['code']} {each['level']} {each['line']}" for each in found]


IMAGE = "image: registry.example/a:latest"


@pytest.mark.parametrize(("text", "found"), [
    (f"{IMAGE}\n", ["HET702 warning 4"]),
    (f"{IMAGE}  # hetc: ignore[HET702] nightly\n", []),
    (f"# hetc: ignore[HET702] nightly\n{IMAGE}\n", []),
    (f"# hetc: ignore[HET702] nightly\n\n# about the image\n{IMAGE}\n", []),
    (f"{IMAGE}\n# hetc: ignore-file[HET702] nightly\n", []),
    (f"{IMAGE}  # hetc: ignore[HET702, HET701] nightly\n", ["HET036 warning 4"]),
    (f"{IMAGE}  # hetc: ignore[HET702]\n", ["HET035 warning 4"]),
    (f"{IMAGE}  # hetc: ignore nightly\n", ["HET702 warning 4", "HET035 warning 4"]),
    (f"{IMAGE}  # hetc: ignore[]\n", ["HET702 warning 4", "HET035 warning 4"]),
    (f"{IMAGE}  # hetc: ignore[HET999] nightly\n", ["HET702 warning 4", "HET036 warning 4"]),
    (f"{IMAGE}  # hetc: ignore[HET701] nightly\n", ["HET702 warning 4", "HET036 warning 4"]),
    (f"{IMAGE}\n# hetc: ignore[HET702] too late\nlabels: {{}}\n", ["HET702 warning 4", "HET036 warning 5"]),
    (f"{IMAGE}\nenv: {{A: '# hetc: ignore-file[HET702] no comment'}}\n", ["HET702 warning 4"]),
    (f"{IMAGE}\nsetup:\n- |\n  # hetc: ignore-file[HET702] a shell's comment\n  make\n", ["HET702 warning 4"]),
    (f"{IMAGE}  # hetc: ignore[HET401] x\n", ["HET702 warning 4", "HET037 error 4"]),
])
def test_comments(text: str, found: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(capsys, write("job.het", HET + text)) == found


def test_a_comment_in_the_request(capsys: pytest.CaptureFixture[str]) -> None:
    text = "# hetc: ignore[HET032] sizes come from the limit range\n1*master<cpu=1>\n---\nimage: a:1\ncommand: x\n"
    assert lint(capsys, write("job.het", text)) == []


def test_what_stops_a_build_is_not_silenced(capsys: pytest.CaptureFixture[str]) -> None:
    text = f"{HET}image: 5  # hetc: ignore[HET015] fine\n"
    assert lint(capsys, write("job.het", text)) == ["HET015 error 4"]
    assert __main__.run(["build", "job.het"]) == 1
    assert capsys.readouterr().out == ""


def test_a_manifest(capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(capsys, write("job.yaml", JOB % ("  # hetc: ignore[HET702] nightly", ""))) == []
    assert lint(capsys, write("job.yaml", JOB % ("", "          privileged: true  # hetc: ignore[HET403] x\n")))[-2:] == [
        "HET403 error 14", "HET037 error 14"]


@pytest.mark.parametrize(("options", "found"), [
    ([], ["HET032 warning 1", "HET702 warning 4"]), (["--ignore", "HET7"], ["HET032 warning 1"]), (["--select", "HET702"], ["HET702 warning 4"]),
    (["--ignore", "HET702,HET032"], []), (["--ignore", "HET702", "--ignore", "HET0"], []), (["--select", "HET1"], []),
])
def test_options(options: list[str], found: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    write("job.het", f"1*master<cpu=1>\n---\ncommand: [python a.py]\n{IMAGE}\n")
    assert lint(capsys, *options, "job.het") == found


def test_options_do_not_touch_security(capsys: pytest.CaptureFixture[str]) -> None:
    write("job.yaml", JOB % ("", "          securityContext: {privileged: true}\n"))
    for options in (["--ignore", "HET4"], ["--select", "HET7"], ["--ignore", "HET403"]):
        assert "HET403 error 14" in lint(capsys, *options, "job.yaml")


def test_an_option_that_names_no_code_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.run(["lint", "--ignore", "latest", write("job.het", HET)]) == 2
    assert capsys.readouterr().err == "hetc: `--ignore` takes codes such as `HET7` or `HET702`, not `latest`\n"


@pytest.mark.parametrize(("root", "near", "found"), [
    ('[rules]\nHET702 = "error"\n', None, ["HET702 error 4"]),
    ('[rules]\nHET702 = "off"\n', None, []),
    ('[rules]\nHET702 = "error"\n', '[rules]\nHET702 = "off"\n', ["HET033 error 2"]),
    ('[rules]\nHET702 = "info"\n', '[rules]\nHET702 = "error"\n', ["HET702 error 4"]),
    ("", '[rules]\nHET702 = "off"\n', []),
    ('[per-path]\n"team/**" = ["HET702"]\n', None, []),
    ('[per-path]\n"other/**" = ["HET702"]\n', None, ["HET702 warning 4"]),
    ("", '[per-path]\n"*.het" = ["HET702"]\n', []),
    ('[rules]\nHET702 = "warning"\n', '[per-path]\n"*.het" = ["HET702"]\n', ["HET033 error 1"]),
    ('[rules]\nHET777 = "off"\n', None, ["HET012 error 2"]),
    ('[rules]\nHET702 = "loud"\n', None, ["HET019 error 2"]),
])
def test_site_files(root: str, near: str | None, found: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    write("hetc.toml", root)
    if near is not None:
        write("team/hetc.toml", near)
    assert sorted(lint(capsys, write("team/job.het", f"{HET}{IMAGE}\n"))) == sorted(found)


PRIVILEGED = JOB % ("  # x", "          securityContext: {privileged: true}\n")


@pytest.mark.parametrize(("root", "near", "level"), [
    (None, None, "error"), (None, "", "error"), ("", "", "error"), ('[rules]\nHET403 = "warning"\n', None, "warning"),
    ('[rules]\nHET403 = "off"\n', None, None), ('[rules]\nHET403 = "warning"\n', "", "warning"), ("", '[rules]\nHET403 = "off"\n', "error"),
    ("", '[per-path]\n"**" = ["HET403"]\n', "error"), ('[per-path]\n"team/**" = ["HET403"]\n', None, None),
])
def test_security_is_the_roots_to_lower(root: str | None, near: str | None, level: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    for path, text in (("hetc.toml", root), ("team/hetc.toml", near)):
        if text is not None:
            write(path, text)
    found = [each for each in lint(capsys, write("team/job.yaml", PRIVILEGED)) if each.startswith("HET403")]
    assert found == ([] if level is None else [f"HET403 {level} 14"])


def test_a_baseline_keeps_known_findings_out(capsys: pytest.CaptureFixture[str]) -> None:
    write("job.het", f"{HET}{IMAGE}\n")
    write("job.yaml", PRIVILEGED)
    assert __main__.run(["lint", "--write-baseline", "known.json", "."]) == 1
    capsys.readouterr()
    assert lint(capsys, "--baseline", "known.json", "job.het") == []
    write("job.het", f"# moved\n\n{HET}{IMAGE}\n")
    assert lint(capsys, "--baseline", "known.json", "./job.het") == []
    write("job.het", f"{HET}image: registry.example/b:latest\n")
    assert lint(capsys, "--baseline", "known.json", "./job.het") == ["HET702 warning 4"]
    assert "HET403 error 14" in lint(capsys, "--baseline", "known.json", "./job.yaml")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"findings": [1]}', "x", '{"findings": 5}'])
def test_a_broken_baseline_is_a_usage_error(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.run(["lint", "--baseline", write("known.json", text), write("job.het", HET)]) == 2
    assert capsys.readouterr().err == "hetc: `known.json` is no baseline; `--write-baseline known.json` makes one\n"


def test_suppressed_findings_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    write("job.het", f"{HET}{IMAGE}  # hetc: ignore[HET702] nightly\n")
    __main__.run(["lint", "--output-format", "json", "job.het"])
    assert json.loads(capsys.readouterr().out)["summary"]["suppressed"] == 1
    __main__.run(["lint", "--output-format", "sarif", "job.het"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": "inSource", "justification": "nightly"}]


def test_build_obeys_too(capsys: pytest.CaptureFixture[str]) -> None:
    write("hetc.toml", '[rules]\nHET702 = "error"\n')
    assert __main__.run(["build", write("job.het", f"{HET}{IMAGE}\n")]) == 1
    assert capsys.readouterr().out == ""
    write("job.het", f"{HET}{IMAGE}  # hetc: ignore[HET702] nightly\n")
    assert __main__.run(["build", "job.het"]) == 0
    assert capsys.readouterr().err == ""


def test_many_comments_take_linear_time() -> None:
    source = Source("x.het", "# hetc: ignore[HET702] x\n" * 20_000)
    assert len(ignores(source)) == 20_000


def test_github_is_chosen_by_itself() -> None:
    write("job.het", f"{HET}{IMAGE}\n")
    done = subprocess.run([sys.executable, "-m", "hetc", "lint", "job.het"], capture_output=True, text=True, check=False,
                          env={**os.environ, "GITHUB_ACTIONS": "true", "PYTHONPATH": ROOT})
    assert done.stdout.startswith("::warning title=HET702 floating-image,file=job.het,line=4,endLine=4,col=8,endColumn=")


@pytest.mark.parametrize("options", [[], ["--select", "HET7"], ["--ignore", "HET005"], ["--ignore", "HET0"]])
@pytest.mark.parametrize("name", ["job.yaml", "job.het.yaml"])
def test_that_a_text_cannot_be_read_is_always_said(name: str, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    write("hetc.toml", '[rules]\nHET005 = "off"\n')
    write(name, "# hetc: ignore-file[HET005] not today\napiVersion: batch.volcano.sh/v1alpha1\nkind: [Job\n")
    assert lint(capsys, *options, name) == ["HET005 error 3"]


@pytest.mark.parametrize("options", [["--ignore", "HET702"], ["--select", "HET1"], ["--ignore", "HET7,HET0"]])
def test_a_comment_on_what_options_leave_out_is_of_use(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    write("job.het", f"{HET}{IMAGE}  # hetc: ignore[HET702] nightly\n")
    assert lint(capsys, *options, "job.het") == []


def test_what_is_said_of_comments_has_levels_too(capsys: pytest.CaptureFixture[str]) -> None:
    write("job.het", f"{HET}image: a.example/b:1  # hetc: ignore[HET702] of no use\n")
    assert lint(capsys, "job.het") == ["HET036 warning 4"]
    assert lint(capsys, "--ignore", "HET036", "job.het") == []
    write("hetc.toml", '[rules]\nHET036 = "error"\n')
    assert lint(capsys, "job.het") == ["HET036 error 4"]


def test_info_is_below_every_limit(capsys: pytest.CaptureFixture[str]) -> None:
    write("hetc.toml", '[rules]\nHET702 = "info"\n')
    write("job.het", f"{HET}{IMAGE}\n")
    assert __main__.run(["lint", "--fail-on", "warning", "--output-format", "sarif", "job.het"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["level"] == "note"
    assert __main__.run(["lint", "job.het"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "checked 1 document: 0 errors, 0 warnings"


def test_a_baseline_holds_wherever_hetc_is_started(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.path.realpath(write("team/job.het", f"{HET}{IMAGE}\n"))
    __main__.run(["lint", "--write-baseline", "known.json", "."])
    capsys.readouterr()
    assert lint(capsys, "--baseline", "known.json", path) == []
    monkeypatch.chdir("team")
    assert lint(capsys, "--baseline", "../known.json", "job.het") == []
    assert lint(capsys, "--baseline", "../known.json", "..") == []


def test_a_baseline_counts_findings_alike(capsys: pytest.CaptureFixture[str]) -> None:
    line = "tasks: {master: {image: 'a.example/a:latest'}}\n"
    write("job.het", HET + line)
    __main__.run(["lint", "--write-baseline", "known.json", "job.het"])
    capsys.readouterr()
    changed = "tasks: {master: {image: 'a.example/b:latest'}}\n"
    write("job.het", HET + changed)
    assert lint(capsys, "--baseline", "known.json", "job.het") == ["HET702 warning 4"]


def test_what_a_baseline_knows_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    write("job.het", f"{HET}{IMAGE}\n")
    __main__.run(["lint", "--write-baseline", "known.json", "job.het"])
    capsys.readouterr()
    assert __main__.run(["lint", "--baseline", "known.json", "--fail-on", "warning", "--output-format", "json", "job.het"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["suppressed"] == 1
    __main__.run(["lint", "--baseline", "known.json", "--output-format", "sarif", "job.het"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": "external", "justification": "The baseline knows it."}]


def test_many_findings_and_comments_take_linear_time() -> None:
    source = Source("x.yaml", "".join(f"a{number}: '# hetc: no comment'  # hetc: ignore[HET702] x\n" for number in range(20_000)))
    report = Report()
    read(source, report)
    for number in range(20_000):
        report.add(CODES["HET702"], Span(source, source.starts()[number], source.starts()[number] + 1), "x")
    comments = ignores(source)
    assert len(comments) == 20_000
    result = quiet(report.diagnostics, comments, frozenset(CODES), frozenset(), whole=True)
    assert (len(result.shown), len(result.suppressed)) == (0, 20_000)


def test_a_comment_of_an_overlay_is_of_use_where_the_overlay_is_used(capfd: pytest.CaptureFixture[str]) -> None:
    """By itself an overlay shows no moving tag, so nothing is known against the comment."""
    with open("job.het", "w", encoding="utf-8") as file:
        file.write(HET)
    with open("nightly.het.yaml", "w", encoding="utf-8") as file:
        file.write("image: registry.example/train:latest  # hetc: ignore[HET702] the nightly build\n")
    assert __main__.run(["lint", "--fail-on", "warning", "nightly.het.yaml"]) == 0
    assert __main__.run(["build", "-f", "nightly.het.yaml", "job.het"]) == 0
    assert "HET" not in capfd.readouterr().err


@pytest.mark.parametrize("comment", ["# hetc: ignore-file[HET801] mine\n", ""])
def test_the_sites_policy_is_not_silenced(capsys: pytest.CaptureFixture[str], comment: str) -> None:
    write("hetc.toml", '[policy]\nqueues = ["slow"]\n')
    write("job.het", f"{comment}1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: x\nqueue: fast\n")
    write("sub/hetc.toml", '[rules]\nHET801 = "off"\n')
    assert __main__.run(["lint", "--ignore", "HET8", "job.het"]) == 1
    out = capsys.readouterr().out
    assert "error HET801: the site does not allow the queue `fast`" in out
    assert ("error HET037: `HET801` is the site's policy, which no comment silences" in out) is bool(comment)
    os.replace("job.het", "sub/job.het")
    assert __main__.run(["lint", "sub/job.het"]) == 1
    assert "`HET801` is the site's policy, and `off` would lower it" in capsys.readouterr().out
