"""Runs commands in turn and tells what each took.

CPU time (user and system, of all processes of a run) is compared rather than the clock, and each run with one of the others
beside it, so that other work on the machine weighs on all alike.
"""
from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Taken:
    """CPU and wall seconds of a run, and the MiB at the peak of its largest process.

    The peak is never below that of the process that measures, which a command replaces.
    """

    cpu: float
    wall: float
    peak: float


@dataclass(frozen=True)
class Case:
    """A command and the exit status that it has to have."""

    name: str
    command: tuple[str, ...]
    status: int = 0


def run(case: Case) -> Taken:
    """Run a command once, its output thrown away. Exits where its status is another."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0o600) for stream in (1, 2)]
    started = time.perf_counter()
    pid = os.posix_spawn(case.command[0], case.command, environment, file_actions=nowhere)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) != case.status:
        sys.exit(f"benchmarks: exit status {os.waitstatus_to_exitcode(status)} from: {' '.join(case.command)[:200]}")
    return Taken(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10))


class Runs:
    """What some commands took in so many rounds; in each round they ran one after the other."""

    def __init__(self, cases: Sequence[Case], rounds: int) -> None:
        for case in cases:  # writes the byte code, fills the file cache
            run(case)
        found = [[run(case) for case in cases] for _ in range(rounds)]
        self.taken = {case.name: [row[column] for row in found] for column, case in enumerate(cases)}

    def cpu(self, name: str) -> float:
        """The least CPU seconds of a command: noise only ever adds."""
        return min(each.cpu for each in self.taken[name])

    def peak(self, name: str) -> float:
        return statistics.median(each.peak for each in self.taken[name])

    def ratio(self, name: str, other: str, of: str = "cpu") -> float:
        """The median of what a command took, measured by what another took in the same round."""
        pairs = zip(self.taken[name], self.taken[other])
        return float(statistics.median(getattr(one, of) / getattr(two, of) for one, two in pairs))
