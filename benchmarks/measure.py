"""What a run of hetc costs: against the bare interpreter, and as a request grows.

CPU time (user and system) is compared, not the clock, and each run of hetc with a run of the interpreter beside it,
so other work on the machine weighs on both sides alike.
"""
from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLE = os.path.join(ROOT, "examples", "train.het")

# A tenfold request may take a tenth more than ten times as much, and as much again for noise.
GROWTH_LIMIT = 12.0
FEW, MANY = 100, 1000


def run(command: tuple[str, ...]) -> tuple[float, float]:
    """CPU seconds and peak MiB of a command, its output thrown away.

    The peak includes the moment before the command replaces its parent, so it is never below this process's own.
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    actions = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0o600)]
    pid = os.posix_spawn(command[0], command, environment, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"startup: exit status {os.waitstatus_to_exitcode(status)} from: {' '.join(command)}")
    peak = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return usage.ru_utime + usage.ru_stime, peak


def start_up(hetc: str, pairs: int, limit: float) -> bool:
    """Print what a build of the example costs, in starts of the interpreter; whether that is within the limit."""
    bare = (sys.executable, "-c", "pass")
    build = (hetc, "build", EXAMPLE)
    for _ in range(2):  # writes the byte code, fills the file cache
        run(bare)
        run(build)
    taken = [(run(bare), run(build)) for _ in range(pairs)]
    ratio = statistics.median(pair[1][0] / pair[0][0] for pair in taken)
    passed, built = (statistics.median(pair[side][0] for pair in taken) for side in (0, 1))
    peak = statistics.median(pair[1][1] for pair in taken)
    print(f"{'python -c pass':32}{1000 * passed:8.1f} ms CPU")
    print(f"{'hetc build examples/train.het':32}{1000 * built:8.1f} ms CPU{peak:8.1f} MiB at the peak")
    print(f"{'ratio of CPU':32}{ratio:8.1f}    (limit {limit:g}, median of {pairs} pairs)")
    return ratio <= limit


def request(groups: int) -> str:
    """A request of so many minimal groups, with an overlay."""
    workers = "".join(f"\n+ 1*g{number:04}<cpu=1>" for number in range(1, groups))
    return f'1*master<cpu=1>{workers}\n---\nimage: busybox:1\ncommand: ["sleep 1"]\n'


def growth(hetc: str, rounds: int) -> bool:
    """Print how time and memory grow from FEW groups to MANY; whether both stay within the limit."""
    sizes = (1, FEW, MANY)
    with tempfile.TemporaryDirectory() as folder:
        commands: list[tuple[str, ...]] = []
        for groups in sizes:
            path = os.path.join(folder, f"groups-{groups}.het")
            with open(path, "w", encoding="utf-8") as file:
                file.write(request(groups))
            commands.append((hetc, "build", path))
        taken = [[run(command) for command in commands] for _ in range(rounds)]
    print()
    for column, groups in enumerate(sizes):
        cpu = statistics.median(row[column][0] for row in taken)
        peak = statistics.median(row[column][1] for row in taken)
        print(f"{f'groups: {groups}':32}{1000 * cpu:8.1f} ms CPU{peak:8.1f} MiB at the peak")
    fine = True
    for what, index in (("CPU", 0), ("memory", 1)):
        # Noise only ever adds: the least of some rounds has least of it.
        one, few, many = (min(row[column][index] for row in taken) for column in range(3))
        ratio = many / few
        beyond = (many - one) / (few - one) if few > one else float("inf")
        note = f"limit {GROWTH_LIMIT:g}, from {FEW} to {MANY} groups; {beyond:.1f} beyond one group"
        print(f"{f'growth of {what}':32}{ratio:8.1f}    ({note})")
        fine = fine and ratio <= GROWTH_LIMIT
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = os.path.join(os.path.dirname(sys.executable), "hetc")
    parser.add_argument("--hetc", default=beside, help="the command to measure (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=12, help="starts of the interpreter that a build may cost (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=21, help="runs of each (default: %(default)s)")
    parser.add_argument("--groups", action="store_true", help=f"compile {FEW} and {MANY} groups too and check the growth")
    options = parser.parse_args()
    fine = start_up(options.hetc, options.pairs, options.limit)
    if options.groups:
        fine = growth(options.hetc, 9) and fine
    if not fine:
        print("\nstartup: over the limit", file=sys.stderr)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
