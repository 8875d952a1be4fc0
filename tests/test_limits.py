"""What checking costs grows with the input and not faster, whatever the input is made of: a file must not be a way to hang a pipeline.

Calls are counted, which no busy machine changes; where all the work is in one call, of a pattern or of a string, time is
taken, and its bound is far from what it measures.
"""
from __future__ import annotations

import sys
import time
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from fuzz import targets

if TYPE_CHECKING:
    from types import FrameType

VOLCANO = "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata:\n  name: demo\n"
TASK = (f"{VOLCANO}spec:\n  tasks:\n  - name: w\n    replicas: 1\n    template:\n      spec:\n        restartPolicy: Never\n        containers:\n"
        "        - name: main\n          image: a/b:1\n")
HET = "1*master<cpu=1, mem=1Gi>\n---\nimage: a/b:1\ncommand: a\n"
QUEUE = "---\napiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {{name: q{n}}}\nspec: {{parent: {parent}, capability: {{cpu: 1}}}}\n"
TEMPLATE = "---\napiVersion: flow.volcano.sh/v1alpha1\nkind: JobTemplate\nmetadata: {{name: f{n}}}\nspec: {{tasks: [{{name: w}}]}}\n"
FLOW = "---\napiVersion: flow.volcano.sh/v1alpha1\nkind: JobFlow\nmetadata: {{name: g{n}}}\nspec: {{flows: [{{name: f{n}}}]}}\n"
SMALL_TASK = "  - {{name: w{n}, replicas: 1, template: {{spec: {{containers: [{{name: m, image: a/b:1}}], restartPolicy: Never}}}}}}\n"

#: Kind of file, what stands once, and what stands again and again, with a number in it.
SHAPES: dict[str, tuple[str, str, str]] = {
    "tasks": ("manifest", f"{VOLCANO}spec:\n  tasks:\n", SMALL_TASK),
    "tasks and host lists": ("manifest", f"{VOLCANO}spec:\n  plugins: {{svc: []}}\n  tasks:\n", SMALL_TASK),
    "tasks of one name": ("manifest", f"{VOLCANO}spec:\n  tasks:\n", SMALL_TASK.replace("w{n}", "w")),
    "tasks that wait in a chain": ("manifest", f"{VOLCANO}spec:\n  minAvailable: 1\n  tasks:\n", "  - {{name: w{n}, dependsOn: {{name: [w1{n}]}}}}\n"),
    "tasks that wait for one": ("manifest", f"{VOLCANO}spec:\n  tasks:\n", "  - {{name: w{n}, dependsOn: {{name: [w0]}}}}\n"),
    "null tasks": ("manifest", f"{VOLCANO}spec:\n  tasks:\n", "  -\n"),
    "empty tasks": ("manifest", f"{VOLCANO}spec:\n  tasks:\n", "  - {{}}\n"),
    "mounts": ("manifest", f"{TASK}          volumeMounts:\n", "          - {{name: v, mountPath: /m{n}}}\n"),
    "mounts of one path": ("manifest", f"{TASK}          volumeMounts:\n", "          - {{name: v, mountPath: /m}}\n"),
    "mounts below one": ("manifest", f"{TASK}          volumeMounts:\n          - {{name: v, mountPath: /m}}\n", "          - {{name: v, mountPath: /m/{n}}}\n"),
    "variables": ("manifest", f"{TASK}          env:\n", "          - {{name: E{n}, value: x}}\n"),
    "variables that name later ones": ("manifest", f"{TASK}          env:\n", "          - {{name: E{n}, value: $(E1{n})}}\n"),
    "variables of one name": ("manifest", f"{TASK}          env:\n", "          - {{name: E, value: x}}\n"),
    "ports": ("manifest", f"{TASK}          ports:\n", "          - {{containerPort: {n}}}\n"),
    "volumes": ("manifest", f"{TASK}        volumes:\n", "        - {{name: v{n}, emptyDir: {{}}}}\n"),
    "containers": ("manifest", TASK, "        - {{name: c{n}, image: a/b:1}}\n"),
    "tolerations": ("manifest", f"{TASK}        tolerations:\n", "        - {{key: a{n}, operator: Exists}}\n"),
    "policies": ("manifest", f"{VOLCANO}spec:\n  policies:\n", "  - {{exitCode: {n}, action: RestartJob}}\n"),
    "plugins": ("manifest", f"{VOLCANO}spec:\n  plugins:\n", "    p{n}: []\n"),
    "arguments": ("manifest", f"{VOLCANO}spec:\n  plugins:\n    svc:\n", "    - --x{n}=1\n"),
    "volumes of the job": ("manifest", f"{VOLCANO}spec:\n  volumes:\n", "  - {{mountPath: /m{n}, volumeClaimName: c{n}}}\n"),
    "labels": ("manifest", f"{VOLCANO}  labels:\n", "    l{n}: x\n"),
    "unknown fields": ("manifest", f"{VOLCANO}spec:\n", "  k{n}: x\n"),
    "one key": ("manifest", f"{VOLCANO}spec:\n", "  k: x\n"),
    "anchors": ("manifest", f"{VOLCANO}x:\n", "- &a{n} x\n"),
    "aliases": ("manifest", f"{VOLCANO}y: &a [1, 2, 3]\nx:\n", "- *a\n"),
    "merge keys": ("manifest", f"{VOLCANO}y: &a {{p: 1}}\nx:\n", "- <<: *a\n"),
    "jobs": ("manifest", "", f"---\n{VOLCANO.replace('demo', 'j{n}')}spec: {{{{tasks: [{{{{name: w, replicas: 1}}}}]}}}}\n"),
    "jobs of one name": ("manifest", "", f"---\n{VOLCANO}spec: {{{{tasks: [{{{{name: w, replicas: 1}}}}]}}}}\n"),
    "templates and flows": ("manifest", "", TEMPLATE + FLOW),
    "queues of one parent": ("manifest", "", QUEUE.replace("{parent}", "q0")),
    "queues without their parents": ("manifest", "", QUEUE.replace("{parent}", "q1{n}")),
    "queues in a chain": ("manifest", "", QUEUE.replace("{n}", "q{n:07}").replace("{parent}", "qq{n:07}")),
    "flows": ("manifest", FLOW.split("{{flows")[0].format(n=1) + "\n  flows:\n", "  - {{name: f{n}, dependsOn: {{targets: [f1{n}]}}}}\n"),
    "items": ("manifest", "apiVersion: v1\nkind: List\nitems:\n", "- {{apiVersion: v1, kind: Pod, metadata: {{name: p{n}}}, spec: {{}}}}\n"),
    "invisible characters": ("manifest", VOLCANO, "k{n}: a\u00a0b\n"),
    "tabs": ("manifest", VOLCANO, "x{n}:\t1\n"),
    "comments": ("manifest", VOLCANO, "x{n}: 1 # hetc: ignore[HET702] r\n"),
    "strings like comments": ("manifest", f"{VOLCANO}x: # hetc: ignore[HET702] r\n", "  - 'hetc: {n}'\n"),
    "unknown documents": ("manifest", "", "---\napiVersion: a/b\nn: {n}\n"),
    "groups": ("request", "1*master<cpu=1>", " + 1*w{n}<cpu=1>"),
    "groups of one name": ("request", "1*master<cpu=1>", " + 1*w<cpu=1>"),
    "attributes": ("request", "1*master<", "a{n}=1,"),
    "files used": ("request", "use[", "a{n},"),
    "variables of a request": ("request", f"{HET}env:\n", "  E{n}: a$(E1{n})\n"),
    "mounts of a request": ("request", f"{HET}mounts:\n", "  m{n}: {{claim: a, path: /m{n}}}\n"),
    "tolerations of a request": ("request", f"{HET}tolerations:\n", "- {{key: a{n}, operator: Exists}}\n"),
    "nodes that a request needs": ("request", f"{HET}affinity:\n  required:\n", "  - {{key: a{n}, operator: Exists}}\n"),
    "nodes that a request prefers": ("request", f"{HET}affinity:\n  preferred:\n", "  - {{key: a{n}, operator: Exists}}\n"),
    "policies of a request": ("request", f"{HET}policies:\n", "- {{exit_code: {n}, action: restart-job}}\n"),
    "sources of variables": ("request", f"{HET}env_from:\n", "- {{secret: s{n}}}\n"),
    "profiles": ("request", f"{HET}profiles:\n", "  p{n}: {{image: a}}\n"),
    "profiles of a task": ("request", f"{HET}profiles: {{}}\ntasks:\n  master:\n    profiles:\n", "    - p{n}\n"),
    "claims of devices": ("request", f"{HET}resource_claims:\n", "  c{n}: t\n"),
    "overlays for nobody": ("request", f"{HET}tasks:\n", "  w{n}: {{image: a}}\n"),
    "commands": ("request", f"{HET}setup:\n", "- echo {n}\n"),
    "overlay keys": ("overlay", "", "k{n}: x\n"),
    "overlay variables": ("overlay", "env:\n", "  E{n}: x\n"),
    "overlay documents": ("overlay", "", "---\nimage: a{n}\n"),
}

#: Kind of file, and one thing that is as long as the file.
LONG = {
    "[": ("manifest", f"{VOLCANO}x: ", "["), "{": ("manifest", f"{VOLCANO}x: ", "{"), "#": ("manifest", VOLCANO, "#"), "<": ("manifest", f"{VOLCANO}x: ", "<"),
    "a key": ("manifest", VOLCANO, "k"), "blanks": ("manifest", f"{VOLCANO}x:", " "), "line ends": ("manifest", VOLCANO, "\n"), "a number": ("manifest", f"{VOLCANO}x: ", "9"),
    "an amount": ("manifest", f"{TASK}          resources: {{limits: {{cpu: ", "9"), "base 60": ("manifest", f"{VOLCANO}x: ", "1:"), "a name": ("manifest", VOLCANO.rstrip(), "a"),
    "an image": ("manifest", TASK.rstrip(), "/a"), "a path": ("manifest", f"{TASK}          volumeMounts:\n          - mountPath: ", "/a"),
    "parents": ("manifest", f"{TASK}          volumeMounts:\n          - mountPath: ", "/.."), "references": ("manifest", f"{TASK}          env:\n          - name: A\n            value: ", "$(A)"),
    "dollars": ("manifest", f"{TASK}          env:\n          - name: A\n            value: ", "$("), "a command": ("manifest", f"{TASK}          command:\n          - ", "$('"),
    "a duration": ("manifest", f"{VOLCANO}spec:\n  runningEstimate: ", "1h"), "a schedule": ("manifest", f"{VOLCANO.replace('Job', 'CronJob')}spec:\n  schedule: ", "1,"),
    "a zone": ("manifest", f"{VOLCANO.replace('Job', 'CronJob')}spec:\n  timeZone: ", "a/"), "codes": ("manifest", f"{VOLCANO}# hetc: ignore[", "HET702,"),
    "comments in a line": ("manifest", f"{VOLCANO}#", " # hetc: ignore[HET702]"), "depth": ("manifest", f"{VOLCANO}x: ", "{a: "), "a block": ("manifest", f"{VOLCANO}x: |\n", "  a b\n"),
    "a request's [": ("request", "1*master<", "["), "a request's <": ("request", "1*m", "<"), "a request's #": ("request", "", "#"), "a request's *": ("request", "", "1*"),
    "a request's number": ("request", "", "9"), "a request's blanks": ("request", "1*master", " "), "a request's line ends": ("request", "1*master<cpu=1>", "\r\n"),
    "a request's words": ("request", "bsub ", "-n 4 "), "a script": ("request", f"{HET}setup: |\n", "  cat <<A\n"), "a script's blocks": ("request", f"{HET}setup: |\n", "  if x; then (\n"),
    "a script's dollars": ("request", f"{HET}setup: a", "$"), "a script's blackslashes": ("request", f"{HET}setup: a", "\\"),
}


def filled(head: str, part: str, size: int) -> str:
    pieces, length, number = [head], 0, 0
    while length < size:
        pieces.append(part.format(n=number))
        length += len(pieces[-1])
        number += 1
    return "".join(pieces)


def calls(name: str, text: str) -> int:
    """How many calls checking a text makes."""
    count = 0

    def step(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    data = text.encode()
    sys.setprofile(step)
    try:
        targets.lint(name, data)
    finally:
        sys.setprofile(None)
    return count


SIZE = 3_000


@pytest.mark.parametrize("shape", SHAPES)
def test_many_cost_no_more_than_many_times_one(shape: str) -> None:
    kind, head, part = SHAPES[shape]
    name = targets.TARGETS[kind]
    calls(name, filled(head, part, 100))  # what is imported once
    few, many = (calls(name, filled(head, part, size)) for size in (SIZE, 4 * SIZE))
    assert many < 7 * few  # a quadratic takes 16 times as much


@pytest.mark.parametrize("shape", LONG)
def test_long_things_are_passed_over_quickly(shape: str) -> None:
    """4 would be the ratio of what grows as the text does, 16 that of its square."""
    kind, head, part = LONG[shape]

    def seconds(size: int) -> float:
        data = (head + part * (size // len(part))).encode()
        started = time.process_time()
        targets.lint(targets.TARGETS[kind], data)
        return time.process_time() - started

    seconds(100)
    small = max(min(seconds(50_000) for _ in range(2)), 0.02)
    assert min(seconds(200_000) for _ in range(2)) < 9 * small


#: What once took a minute a megabyte, or went through the whole text for each document.
ONCE_SLOW = ("empty tasks", "null tasks", "one key", "items", "jobs")


@pytest.mark.slow
@pytest.mark.parametrize("shape", [*LONG, *ONCE_SLOW])
def test_a_megabyte_ends_soon(shape: str) -> None:
    kind, head, part = LONG.get(shape) or SHAPES[shape]
    text = head + part * (1_000_000 // len(part)) if shape in LONG else filled(head, part, 1_000_000)
    data = text.encode()
    started = time.process_time()
    targets.lint(targets.TARGETS[kind], data)
    assert time.process_time() - started < 10, "it should take less than 2 s"


#: The most bytes of memory for a byte of input: 200 MB for 1 MB.
MEMORY = 200


@pytest.mark.slow
@pytest.mark.parametrize("shape", [*SHAPES, *LONG])
def test_memory_is_bounded(shape: str) -> None:
    kind, head, part = SHAPES.get(shape) or LONG[shape]
    text = filled(head, part, 20_000) if shape in SHAPES else head + part * (20_000 // len(part))
    targets.lint(targets.TARGETS[kind], filled(head, part, 100).encode() if shape in SHAPES else head.encode())
    tracemalloc.start()
    try:
        targets.lint(targets.TARGETS[kind], text.encode())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MEMORY * len(text.encode()) + 3_000_000
