"""Prints what hetc costs as one table, each row beside what it is held against.

Peers that are not installed (see benchmarks/peers) are left out of it, with a word. With --check a few ratios have to be within
limits that leave room for a busy machine and another interpreter; without, nothing fails.
"""
from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks import inputs
from benchmarks.measure import Case, Runs

#: A tenfold request may take a tenth more than ten times as much, and as much again for noise.
GROWTH = 12.0
FEW, MANY = 100, 1000
BARE = "python -c pass"


@dataclass(frozen=True)
class Row:
    """One figure of the table. `ratio`: to what `against` names, in CPU if not said otherwise; `most`: what --check allows."""

    name: str
    cpu: float
    peak: float
    against: str = ""
    ratio: float | None = None
    aim: float | None = None
    most: float | None = None

    @property
    def fine(self) -> bool:
        return self.ratio is None or self.most is None or self.ratio <= self.most

    def cells(self) -> tuple[str, ...]:
        ratio, aim = (f"{value:.2f}" if value is not None else "" for value in (self.ratio, self.aim))
        return self.name, f"{1000 * self.cpu:.1f}", f"{self.peak:.0f}", self.against, ratio, aim


class Bench:
    """Measures `hetc`, with inputs below `folder`."""

    def __init__(self, hetc: str, folder: str, rounds: int, files: int) -> None:
        self.hetc = hetc
        self.folder = folder
        self.rounds = rounds
        self.files = files
        self.missing: list[str] = []
        self.bare = Case(BARE, (sys.executable, "-c", "pass"))
        self.kubeconform = self.peer("kubeconform", "-strict", "-schema-location", inputs.schema(self.at("schema")))
        self.conftest = self.peer("conftest", "test", "--policy", inputs.policy(self.at("policy")))
        self.kubectl = self.peer("kubectl", "kustomize")

    def at(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def peer(self, program: str, *arguments: str) -> tuple[str, ...]:
        """The beginning of a peer's command line; empty where it is not installed."""
        places = (os.path.join(inputs.ROOT, ".cache", "peers", "bin"), os.path.dirname(sys.executable), os.environ.get("PATH", ""))
        found = shutil.which(program, path=os.pathsep.join(places))
        if found is None:
            self.missing.append(program)
            return ()
        return found, *arguments

    def own(self, name: str, *arguments: str, status: int = 0) -> Case:
        return Case(name, (self.hetc, *arguments), status)

    def rows(self) -> Iterator[Row]:
        yield from self.start()
        yield from self.one_file()
        yield from self.many_files()
        yield from self.many_requests()
        yield from self.plugin()
        yield from self.growth()

    def start(self) -> Iterator[Row]:
        """Starts, in starts of the interpreter."""
        version, build = self.own("hetc --version", "--version"), self.own("hetc build train.het", "build", inputs.EXAMPLE)
        cases = [self.bare, version, build]
        if self.kubectl:
            inputs.write(self.at("emitted/kustomization.yaml"), "resources: [train.yaml]\n")
            made = self.own("", "build", "-o", self.at("emitted/train.yaml"), inputs.EXAMPLE)
            Runs([made], 0)
            cases.append(Case("kubectl kustomize", (*self.kubectl, self.at("emitted"))))
        runs = Runs(cases, self.rounds)
        yield Row(BARE, runs.cpu(BARE), runs.peak(BARE))
        yield beside(runs, version.name, BARE, 2.5, 4)
        yield beside(runs, build.name, BARE, 4.5, 12)
        if self.kubectl:
            yield beside(runs, build.name, "kubectl kustomize", 1.0)

    def one_file(self) -> Iterator[Row]:
        path = os.path.join(inputs.jobs(self.at("one"), 1), "job-00000.yaml")
        lint = self.own("hetc lint, 1 file", "lint", path)
        cases = [self.bare, lint]
        if self.kubeconform:
            cases.append(Case("kubeconform", (*self.kubeconform, path)))
        runs = Runs(cases, self.rounds)
        yield beside(runs, lint.name, BARE, 5.5, 14)
        if self.kubeconform:
            yield beside(runs, lint.name, "kubeconform", 1.2)

    def many_files(self) -> Iterator[Row]:
        folder, rounds = inputs.jobs(self.at("many"), self.files), max(self.rounds // 5, 1)
        what = f"{self.files:,} files"
        lint, two = self.own(f"hetc lint, {what}", "lint", "--jobs", "1", folder), self.own("two", "lint", "--jobs", "2", folder)
        again = self.own("hetc lint --cache, again", "lint", "--cache-dir", self.at("cache"), folder)
        cases = [self.bare, lint, two, again]
        for name, command in (("kubeconform", self.kubeconform), ("conftest", self.conftest)):
            if command:
                cases.append(Case(name, (*command, folder)))
        runs = Runs(cases, rounds)
        yield beside(runs, lint.name, BARE, None, 0.9 * self.files)
        if self.conftest:
            yield beside(runs, lint.name, "conftest", 1.0)
        if self.kubeconform:
            yield beside(runs, lint.name, "kubeconform", 1.5)
            yield Row(f"hetc lint --jobs 2, {what}", runs.cpu(two.name), runs.peak(two.name), "kubeconform, wall",
                      runs.ratio(two.name, "kubeconform", "wall"), 2.0)
            yield beside(runs, again.name, "kubeconform", 0.5)
        yield beside(runs, again.name, lint.name, None, 0.7)

    def many_requests(self) -> Iterator[Row]:
        """Builds of one file and of a hundred in one process, and what each further one takes."""
        paths = inputs.requests(self.at("requests"), FEW)
        one, all_of_them = self.own("one", "build", paths[0]), self.own("all", "build", *paths)
        runs = Runs([self.bare, one, all_of_them], max(self.rounds // 3, 1))
        each = (runs.cpu(all_of_them.name) - runs.cpu(one.name)) / (FEW - 1)
        yield Row(f"hetc build, each of {FEW} files", each, runs.peak(all_of_them.name), BARE, each / runs.cpu(BARE), None, 3)

    def plugin(self) -> Iterator[Row]:
        """The plugin of kustomize with one source and with ten, as kustomize calls it: in the kustomization's folder."""
        program = os.path.join(os.path.dirname(self.hetc), "hetc-kustomize")
        folder = self.at("kustomization")
        names = [os.path.basename(path) for path in inputs.requests(folder, 10)]
        cases = [Case(f"hetc-kustomize, {count} source{'s' if count > 1 else ''}", (program, inputs.plugin(folder, names[:count])))
                 for count in (1, 10)]
        one, ten = (case.name for case in cases)
        before = os.getcwd()
        os.chdir(folder)
        try:
            runs = Runs([self.bare, *cases], max(self.rounds // 3, 1))
        finally:
            os.chdir(before)
        yield beside(runs, one, BARE, None, 16)
        allowed = 1.5 * runs.cpu(one) + 9 * 0.010
        yield Row(ten, runs.cpu(ten), runs.peak(ten), "1.5 of one, and 10 ms each", runs.cpu(ten) / allowed, 1.0, 3)

    def growth(self) -> Iterator[Row]:
        """How time and memory grow with the groups of a request, and where the size error ends it."""
        cases = [self.own(f"hetc build, {groups:,} groups", "build", inputs.write(self.at(f"groups-{groups}.het"), inputs.request(groups)))
                 for groups in (FEW, MANY)]
        many = self.own("hetc build, 10,000 groups", "build", inputs.write(self.at("all.het"), inputs.request(10_000)), status=1)
        few, more = (case.name for case in cases)
        runs = Runs(cases, max(self.rounds // 3, 1))
        yield Row(few, runs.cpu(few), runs.peak(few))
        yield Row(more, runs.cpu(more), runs.peak(more), few, runs.ratio(more, few), None, GROWTH)
        yield Row(more, runs.cpu(more), runs.peak(more), f"{few}, memory", runs.ratio(more, few, "peak"), None, GROWTH)
        most = Runs([cases[1], many], 1)
        yield Row(f"{many.name}: refused", most.cpu(many.name), most.peak(many.name), more, most.ratio(many.name, more), None, GROWTH)


def beside(runs: Runs, name: str, other: str, aim: float | None = None, most: float | None = None) -> Row:
    return Row(name, runs.cpu(name), runs.peak(name), other, runs.ratio(name, other), aim, most)


def machine() -> str:
    """The date and the shape of the machine."""
    return (f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} processors ({platform.machine()}), "
            f"{platform.system()}, {platform.python_implementation()} {platform.python_version()}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command = os.path.join(os.path.dirname(sys.executable), "hetc")
    parser.add_argument("--hetc", default=command, help="the command to measure (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=15, help="runs of each quick command (default: %(default)s)")
    parser.add_argument("--files", type=int, default=1000, help="how many files `many` are (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="exit 1 where a ratio is far beyond what it should be")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.hetc, folder, options.rounds, options.files)
        print(machine())
        for peer in bench.missing:
            print(f"{peer} is not installed here, and its rows are left out")
        print(f"\n{'':34}{'CPU ms':>10}{'peak MiB':>10}  {'against':30}{'ratio':>8}{'aim':>6}")
        over = []
        for row in bench.rows():
            name, cpu, peak, against, ratio, aim = row.cells()
            print(f"{name:34}{cpu:>10}{peak:>10}  {against:30}{ratio:>8}{aim:>6}", flush=True)
            over += [] if row.fine else [f"{row.name} took {ratio} of {against}, and {row.most:g} is the most"]
    for line in over if options.check else ():
        print(f"benchmarks: {line}", file=sys.stderr)
    return 1 if options.check and over else 0


if __name__ == "__main__":
    sys.exit(main())
