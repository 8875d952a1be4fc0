"""A coverage-guided fuzzer of `hetc lint`: no traceback, no place outside the file, none that takes over 2 s or 200 MB.

    python -m fuzz.fuzz_lint TARGET [SECONDS] [options of libFuzzer]

TARGET is one of those in `fuzz.targets`. What fails is left as `fuzz/found/TARGET-*`; given in place of SECONDS, such a file
is run once. Needs atheris, which `requirements-fuzz.lock` pins.
"""
from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import atheris

FOUND = Path(__file__).resolve().parent / "found"
#: Seconds of CPU and MiB for one input; under the fuzzer's own bookkeeping hetc is about four times as slow.
SECONDS, MEMORY = 2, 200
#: A longer input is not tried: what grows is for tests/test_limits.py.
LONGEST = 10_000


def run(target: str, seconds: str, options: list[str]) -> None:
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
    arguments = [sys.argv[0], f"-max_len={LONGEST}", f"-rss_limit_mb={most}", "-timeout=60", f"-dict={dictionary}",
                 f"-artifact_prefix={FOUND}/{target}-", "-print_final_stats=1", *options]
    arguments += [f"-max_total_time={seconds}", str(corpus)] if seconds.isdigit() else [seconds]
    atheris.Setup(arguments, one)
    atheris.Fuzz()


def escaped(word: bytes) -> str:
    """A word as libFuzzer's dictionaries write it."""
    return "".join(f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    run(sys.argv[1], *(sys.argv[2:3] or ["60"]), sys.argv[3:])
