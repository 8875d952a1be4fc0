"""`hetc lint --cache`: what was clean is passed over as long as nothing changes that bears on it, and nothing else is."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from hetc import cache, commands
from hetc.cache import MOST, Cache, Clean
from hetc.options import LINT, parse
from hetc.pipeline import Compiler
from hetc.source import Source, UsageError

if TYPE_CHECKING:
    from pathlib import Path

JOB = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {{name: {name}, namespace: team}}
spec:
  queue: research
  minAvailable: 1
  tasks:
  - name: worker
    replicas: 1
    template:
      spec:
        restartPolicy: Never
        containers:
        - {{name: main, image: registry.example/a:1}}
"""
QUEUE = "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {{name: {}}}\nspec: {{weight: 1}}\n"


class Run:
    """Runs of `hetc lint` in a folder: their exit status, what they print, and which manifests they look at."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self.capfd = capfd
        self.looked: list[str] = []
        own = Compiler.manifest

        def manifest(compiler: Compiler, source: Source, *rest: object) -> object:
            self.looked.append(os.path.basename(source.name))
            return own(compiler, source, *rest)  # type: ignore[arg-type]

        monkeypatch.chdir(folder)
        monkeypatch.setattr(Compiler, "manifest", manifest)

    def __call__(self, *argv: str) -> tuple[int, str]:
        self.looked.clear()
        self.capfd.readouterr()
        status = commands.run(LINT, parse(LINT, ["--cache-dir", "cache", "--jobs", "1", "--output-format", "concise", *(argv or ["."])]))
        return status, self.capfd.readouterr().out


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    (tmp_path / ".git").mkdir()
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(JOB.format(name=name))
    return Run(tmp_path, monkeypatch, capfd)


CLEAN = (0, "checked 2 documents: 0 errors, 0 warnings\n")


def test_a_clean_file_is_looked_at_once(run: Run) -> None:
    assert run() == CLEAN
    assert run.looked == ["a.yaml", "b.yaml"]
    assert run() == CLEAN
    assert run.looked == []


def test_a_changed_file_is_looked_at_again(run: Run, tmp_path: Path) -> None:
    run()
    (tmp_path / "a.yaml").write_text(JOB.format(name="A"))
    status, out = run()
    assert (status, run.looked) == (1, ["a.yaml"])
    assert "a.yaml:3:18: error HET102" in out
    assert run()[0] == 1  # and again, as long as there is something to say
    assert run.looked == ["a.yaml"]


def test_a_warning_is_said_each_time(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(JOB.format(name="a").replace("a:1", "a:latest"))
    assert run() == run()
    assert run.looked == ["a.yaml"]


def test_a_suppressed_finding_is_no_reason_to_pass_a_file_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(JOB.format(name="a").replace("a:1}", "a:latest}  # hetc: ignore[HET702] a test"))
    assert run()[0] == 0
    run()
    assert run.looked == ["a.yaml"]


@pytest.mark.parametrize("argv", [["--select", "HET7", "."], ["--ignore", "HET7", "."], ["--strict-kinds", "."], ["--isolated", "."]])
def test_options_count(run: Run, argv: list[str]) -> None:
    run()
    run(*argv)
    assert run.looked == ["a.yaml", "b.yaml"]
    run(*argv)
    assert run.looked == []


@pytest.mark.parametrize("argv", [["--fail-on", "warning", "."], ["--color", "never", "."]])
def test_options_about_the_output_do_not(run: Run, argv: list[str]) -> None:
    run()
    run(*argv)
    assert run.looked == []


def test_the_site_file_counts(run: Run, tmp_path: Path) -> None:
    run()
    (tmp_path / "hetc.toml").write_text('[rules]\nHET702 = "error"\n')
    run()
    assert run.looked == ["a.yaml", "b.yaml"]
    run()
    assert run.looked == []
    (tmp_path / "hetc.toml").write_text('[rules]\nHET702 = "off"\n')
    run()
    assert run.looked == ["a.yaml", "b.yaml"]


def test_queues_beside_a_job_count(run: Run, tmp_path: Path) -> None:
    run()
    (tmp_path / "queue.yaml").write_text(QUEUE.format("other"))
    status, out = run()
    assert run.looked == ["a.yaml", "b.yaml", "queue.yaml"]
    assert (status, out.count("warning HET520")) == (0, 2)
    (tmp_path / "queue.yaml").write_text(QUEUE.format("research"))
    assert run()[1].startswith("checked 3 documents: 0 errors, 0 warnings")
    run()
    assert run.looked == []


def test_a_kustomization_that_makes_a_file_a_patch_counts(run: Run, tmp_path: Path) -> None:
    run()
    (tmp_path / "kustomization.yaml").write_text("patches:\n- path: a.yaml\n")
    run()
    assert "a.yaml" in run.looked
    assert "b.yaml" not in run.looked


def test_the_place_of_a_file_counts(run: Run, tmp_path: Path) -> None:
    """A site file may treat paths differently."""
    run()
    (tmp_path / "a.yaml").rename(tmp_path / "c.yaml")
    run()
    assert run.looked == ["c.yaml"]


def test_only_manifests_are_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.het").write_text("1*master<cpu=1, mem=1Gi>\n---\nuse: x\n")
    assert run()[0] == run()[0] == 1
    assert run.looked == []


def test_unknown_documents_are_counted_each_time(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"{JOB.format(name='a')}---\napiVersion: v1\nkind: Node\n")
    assert run() == run()
    assert run.looked == []


def test_the_version_counts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    monkeypatch.setattr(cache, "__version__", "999")
    run()
    assert run.looked == ["a.yaml", "b.yaml"]


@pytest.mark.parametrize("text", ["", "{", "[]", "5", '{"a": 5}', '{"a": []}', '{"a": [-1]}', '{"a": [true]}', '{"a": [1, 2]}', '{"a": null}', "\udcff", "[" * 9999])
def test_a_broken_cache_is_none(run: Run, tmp_path: Path, text: str) -> None:
    run()
    (path,) = (tmp_path / "cache").iterdir()
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert run() == CLEAN
    assert run.looked == ["a.yaml", "b.yaml"]
    run()
    assert run.looked == []


def test_a_pipe_in_its_place_is_not_waited_for(run: Run, tmp_path: Path) -> None:
    run()
    (path,) = (tmp_path / "cache").iterdir()
    path.unlink()
    os.mkfifo(path)
    assert run() == CLEAN
    assert path.is_file()


def test_processes_share_it(run: Run) -> None:
    assert run("--jobs", "2", ".") == CLEAN
    run()
    assert run.looked == []


def test_fixing_goes_without(run: Run, tmp_path: Path) -> None:
    run("--fix", ".")
    assert run.looked == ["a.yaml", "b.yaml"]
    assert not (tmp_path / "cache").exists()


def test_off_by_default(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    commands.run(LINT, parse(LINT, ["."]))
    assert not (tmp_path / "home").exists()
    commands.run(LINT, parse(LINT, ["--cache", "."]))
    assert len(list((tmp_path / "home" / "hetc").iterdir())) == 1
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert cache.default_folder() == os.path.join("/home/somebody", ".cache", "hetc")


def test_a_folder_that_cannot_be(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("")
    with pytest.raises(UsageError, match="cannot make the folder `cache` of the cache: "):
        run()


def test_a_cache_that_cannot_be_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "replace", full)
    with pytest.raises(UsageError, match=r"cannot write the cache `cache.*`: no space left on device"):
        run()


def test_it_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 2)
    assert MOST > 10_000
    for number in range(5):
        one = Cache(str(tmp_path), ("x",))
        one.put(str(number), Clean(1, ()))
        one.write()
    (path,) = tmp_path.iterdir()
    assert set(json.loads(path.read_text())) == {"2", "3", "4"}


def test_texts_are_told_apart() -> None:
    assert len({cache.digest("ab", "c"), cache.digest("a", "bc"), cache.digest("abc"), cache.digest("abc", "")}) == 4
