"""Mutation testing: which change to a rule, or to what rules stand on, would no test notice?

    scripts/mutants.py [MODULE ...]        e.g. quantity, or rules/mount_path; default: all of them

mutmut makes the mutants and switches them on by the call: a mutated module holds every mutant of its functions. Here they are
tried as mutmut would try them, in a copy of the tree below .cache/mutants, but each in a fork of a process that has collected
the tests already, which takes a tenth of the time. A module is judged by its own tests alone (see `judges`), and each mutant by
those of them that call its function. Docstrings, annotations, decorated functions and what stands outside of functions stay
as they are; of functions that remember what they said the memory is taken away first, and all other memory of hetc's is empty
before a mutant is tried.

What was found is kept: a module is tried again when it, its tests or this file has changed, and where only the tests have, no
more than the mutants that had survived. Prints every survivor that scripts/mutants.txt does not explain, then the score.
"""
from __future__ import annotations

import difflib
import gc
import hashlib
import json
import multiprocessing
import os
import re
import resource
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import _lru_cache_wrapper as Memory
from itertools import islice
from pathlib import Path

import hypothesis
import libcst
import pytest
from _pytest.runner import runtestprotocol
from mutmut.mutation import file_mutation, mutators
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state
from mutmut.utils.format_utils import mangled_name_from_mutant_name

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".cache" / "mutants"
TREE = HOME / "tree"
REMEMBERS = re.compile(r"^@(?:remembered|lru_cache(?:\(.*\))?)\n", re.MULTILINE)
CORE = ["quantity", "names", "paths", "dump"]
MEMORY = 2 * 2**30


def one_string(node: libcst.BaseString) -> Iterable[libcst.BaseString]:
    """The text with something before and behind it. Whatever shows this shows other case too, which mutmut also has.

    The empty text stands for "there is none", mostly where only the type checker asks for it.
    """
    is_empty = isinstance(node, libcst.SimpleString) and node.evaluated_value == ""
    return islice(mutators.operator_string(node), 0 if is_empty else 1)


def none_for_argument(node: libcst.Call) -> Iterator[libcst.Call]:
    """None in the place of each argument. Without it most calls fail at once."""
    return (each for each in mutators.operator_arg_removal(node) if len(each.args) == len(node.args))


INSTEAD = {mutators.operator_string: one_string, mutators.operator_arg_removal: none_for_argument}
file_mutation.mutation_operators = [(kind, INSTEAD.get(each, each)) for kind, each in mutators.mutation_operators]


def modules() -> list[str]:
    return [*CORE, *sorted(f"rules/{path.stem}" for path in (ROOT / "hetc/rules").glob("*.py") if path.stem != "__init__")]


def judges(module: str) -> tuple[list[str], list[str]]:
    """The files of a module's own tests, and words of which a test's name has one.

    A rule has its test file, its page, and the trees that no rule may fail on. Programs that are slow to ask are not asked.
    """
    folder, _, name = module.rpartition("/")
    if not folder:
        return [f"tests/test_{name}.py"], ["not kubectl and not kustomize"]
    code, kind = code_of(module)
    files = [f"tests/{folder}/test_{name}.py", "tests/test_rule_pages.py", "tests/rules/test_any_tree.py"]
    return files, [f"test_{name}.py", f"test_page[{code}]", f"raise[{kind}-"]


def code_of(module: str) -> tuple[str, str]:
    """The code and the name of a rule, as the title of its page has them. One that has another's code has no page of its own."""
    page = ROOT / f"hetc/{module}.md"
    if not page.exists():
        other = re.search(r"from hetc\.rules\.(\w+) import RULE", (ROOT / f"hetc/{module}.py").read_text(encoding="utf-8"))
        assert other is not None
        page = ROOT / f"hetc/rules/{other[1]}.md"
    _, code, kind = page.read_text(encoding="utf-8").split("\n", 1)[0].split()
    return code, kind


class Trial:
    """A plugin of pytest that runs the collected tests as they are, then what concerns it of them for each mutant."""

    def __init__(self, mutants: list[str]) -> None:
        self.mutants = mutants
        self.killed: set[str] = set()

    def pytest_configure(self) -> None:
        settings = hypothesis.settings
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)  # what has failed need not be made small
        settings.register_profile("mutants", settings.get_profile("hetc"), derandomize=True, database=None, phases=phases)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        calls: dict[str, list[tuple[float, int]]] = {}
        known = memories()
        set_mutant_under_test("stats")
        for number, item in enumerate(session.items):
            forget(known)
            start = time.process_time()
            if not passes(item, session.items[(number + 1) % len(session.items)]):
                pytest.exit(f"{item.nodeid} fails without any mutant", returncode=2)
            for function in state()._stats:
                calls.setdefault(function, []).append((time.process_time() - start, number))
            state()._stats.clear()
        forget(memories())
        gc.freeze()
        for mutant in self.mutants:
            tests = sorted(calls.get(mangled_name_from_mutant_name(mutant), []))
            if not survives(mutant, [session.items[number] for _, number in tests], sum(seconds for seconds, _ in tests)):
                self.killed.add(mutant)
        return True


def memories() -> list[Memory]:
    """What functions of hetc's keep of what they said."""
    return [each for each in gc.get_objects() if isinstance(each, Memory) and (each.__module__ or "").startswith("hetc.")]


def forget(known: list[Memory]) -> None:
    """So that a function is called for what it was asked before, and a mutant of it shows."""
    for each in known:
        each.cache_clear()


def survives(mutant: str, tests: list[pytest.Item], seconds: float) -> bool:
    """Whether the tests, which take so many seconds of CPU, pass as ever in a fork of this process."""
    if not tests:
        return True
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    limit = int(time.process_time() + 4 * seconds) + 3
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    set_mutant_under_test(mutant)
    tests[0].session._setupstate.teardown_exact(tests[0])
    os._exit(0 if all(passes(test, behind) for test, behind in zip(tests, [*tests[1:], tests[0]])) else 1)


def passes(test: pytest.Item, behind: pytest.Item) -> bool:
    """Whether a test passes; what it shares with the next one stays set up."""
    return not any(report.failed for report in runtestprotocol(test, log=False, nextitem=behind))


def judge(module: str) -> dict[str, str]:
    """The survivors of a module and the lines in which each differs, and the killed ones, which have none."""
    path, kept = f"hetc/{module}.py", HOME / f"{module.replace('/', '.')}.json"
    files, words = judges(module)
    code, tests = (ROOT / path).read_text(encoding="utf-8"), b"".join((ROOT / file).read_bytes() for file in files)
    print_of = [hashlib.sha256(each).hexdigest() for each in (code.encode() + Path(__file__).read_bytes(), tests)]
    old = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {"of": [None, None]}
    if old["of"] != print_of:
        copy_tree()
        os.chdir(TREE)  # where mutmut looks for its settings, and pytest for its own
        mutated = file_mutation.mutate_file_contents(path, REMEMBERS.sub("", code))
        prefix = path.removesuffix(".py").replace("/", ".")
        differences = {f"{prefix}.{name}": difference(name, mutated) for name in mutated.mutant_names}
        again = [name for name in differences if old["of"][0] != print_of[0] or old["mutants"][name]]
        killed = attempt(path, mutated.code, again, [*files, "-k", " or ".join(words)])
        survivors = set(again) - killed
        old = {"of": print_of, "mutants": {name: text if name in survivors else "" for name, text in differences.items()}}
        kept.write_text(json.dumps(old, indent=1), encoding="utf-8")
    mutants: dict[str, str] = old["mutants"]
    return mutants


def attempt(path: str, mutated: str, mutants: list[str], selected: list[str]) -> set[str]:
    """Those of the mutants that the selected tests kill."""
    (TREE / path).write_text(mutated, encoding="utf-8")
    sys.path.insert(0, str(TREE))
    trial = Trial(mutants)
    with open(HOME / "log", "w", encoding="utf-8") as log:
        os.dup2(log.fileno(), 1)
        status = pytest.main(["-q", "--assert=plain", "--tb=native", "-p", "no:xdist", "-p", "no:cacheprovider", *selected], [trial])
    if status != 0:
        raise RuntimeError(f"{path}: pytest ended with {status!r}\n{(HOME / 'log').read_text(encoding='utf-8')}")
    return trial.killed


def copy_tree() -> None:
    """The tree as it is now, in which only what has changed since the last copy is written."""
    for name in ("hetc", "tests", "grammar", "schemas", "golden"):
        shutil.copytree(ROOT / name, TREE / name, ignore=shutil.ignore_patterns("__pycache__", "npm"), dirs_exist_ok=True)
    shutil.copy2(ROOT / "pyproject.toml", TREE)
    (TREE / "setup.cfg").write_text("[mutmut]\nsource_paths=hetc\n", encoding="utf-8")


def difference(mutant: str, mutated: file_mutation.MutatedFile) -> str:
    """The lines of a function before and behind a change, without their indentation."""
    lines = mutated.code.split("\n")
    name = mangled_name_from_mutant_name(mutant)
    before, behind = (
        [line.strip().replace(each, name) for line in lines[span.start - 1:span.end]]
        for each in (f"{name}__mutmut_orig", mutant) for span in [mutated.line_span_by_function_name[each]])
    return "\n".join(line for line in difflib.ndiff(before, behind) if line[0] in "+-")


def explained() -> dict[str, set[str]]:
    """The survivors that scripts/mutants.txt gives a reason for, by module."""
    known: dict[str, set[str]] = {}
    for block in (ROOT / "scripts/mutants.txt").read_text(encoding="utf-8").split("\n\n"):
        module, *lines = [line for line in block.strip().split("\n") if not line.startswith("#")] or [""]
        if module:
            known.setdefault(module, set()).add("\n".join(lines))
    return known


def group(module: str) -> str:
    return f"rules {code_of(module)[0][:4]}xx" if "/" in module else module


def main(names: list[str]) -> int:
    names = names or modules()
    known = explained()
    shutil.rmtree(TREE, ignore_errors=True)
    score: dict[str, Counter[str]] = {}
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        for module in names:
            try:
                mutants = pool.apply(judge, (module,))
            except RuntimeError as error:
                print(error, flush=True)
                score.setdefault(group(module), Counter())["survived"] += 1
                continue
            reasons = known.get(module, set())
            for difference in mutants.values():
                status = "killed" if not difference else "explained" if difference in reasons else "survived"
                score.setdefault(group(module), Counter())[status] += 1
                if status == "survived":
                    print(f"{module}\n{difference}\n", flush=True)
            for stale in reasons.difference(mutants.values()):
                print(f"scripts/mutants.txt explains what does not survive:\n{module}\n{stale}\n", flush=True)
    report(score)
    return 1 if any(count["survived"] for count in score.values()) else 0


def report(score: dict[str, Counter[str]]) -> None:
    rows = [*sorted(score.items()), ("all", sum(score.values(), Counter[str]()))]
    print(f"{'':14}mutants  killed  survived  explained    score")
    for name, count in rows:
        judged = count["killed"] + count["survived"]
        share = 100 * count["killed"] / judged if judged else 100
        print(f"{name:14}{count.total():7}{count['killed']:8}{count['survived']:10}{count['explained']:11}{share:7.1f} %")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
