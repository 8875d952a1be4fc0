"""A coverage-guided fuzzer of `hetc lint`: no traceback, no place outside the file, none that takes over 2 s or 200 MB.

    python -m fuzz.fuzz_lint TARGET [options of libFuzzer]

TARGET is one of those in `fuzz.targets`. It runs until it is stopped, `-max_total_time=60` for a minute, and
`-runs=10000 -seed=1` does the same each time for the same code. What fails is left as `fuzz/found/TARGET-*`; given in place of
options, such a file is run once. Needs atheris, which `requirements-fuzz.lock` pins.
"""
from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import atheris

FOUND = Path(__file__).resolve().parent / "found"
#: Seconds of CPU, not of a clock that a busy machine makes late, and MiB for one input: 2 s, four times over since that much
#: slower is hetc under the fuzzer's bookkeeping.
SECONDS, MEMORY = 2 * 4, 200
#: A longer input is not tried: what grows is for tests/test_limits.py.
LONGEST = 10_000


def run(target: str, options: list[str]) -> None:
    """Fuzz a target, from its seeds, with its words; never comes back."""
    with atheris.instrument_imports(include=["hetc"]):
        from fuzz import seeds, targets

        name = targets.TARGETS[target]

        def one(data: bytes) -> None:
            start = time.process_time()
            targets.examine(name, data)
            if len(data) % 4 == 0:  # the same again: not for every input
                status, _ = targets.lint(name, data, "text")
                assert status in (0, 1)
            took = time.process_time() - start
            assert took < SECONDS, f"{took:.1f} s for {len(data)} bytes"

        for seed in seeds.seeds(target):  # all that is imported once
            targets.examine(name, seed)

    folder = Path(tempfile.mkdtemp(prefix=f"hetc-fuzz-{target}-"))
    corpus, dictionary = folder / "corpus", folder / "words"
    corpus.mkdir()
    FOUND.mkdir(exist_ok=True)
    for number, seed in enumerate(seeds.seeds(target)):
        (corpus / f"{number:04}").write_bytes(seed)
    dictionary.write_text("".join(f'"{escaped(word)}"\n' for word in seeds.words(target)))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 + MEMORY
    arguments = [sys.argv[0], f"-max_len={LONGEST}", f"-rss_limit_mb={most}", f"-timeout={100 * SECONDS}", f"-dict={dictionary}",
                 f"-artifact_prefix={FOUND}/{target}-", "-print_final_stats=1", *options]
    is_file = any(not option.startswith("-") for option in options)
    atheris.Setup(arguments if is_file else [*arguments, str(corpus)], one)
    atheris.Fuzz()


def escaped(word: bytes) -> str:
    """A word as libFuzzer's dictionaries write it."""
    return "".join(f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2:])
