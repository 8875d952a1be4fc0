"""The files to start from: a request with comments, a layer over it, and the schema that an editor checks the layer by."""
from __future__ import annotations

import os

from hetc.data import path
from hetc.names import dns1035_label, suggest
from hetc.source import UsageError
from hetc.system import is_device

#: The schema stands beside the layer, so that an editor needs no network to find it.
SCHEMA = "hetc-overlay.schema.json"

REQUEST = """\
# {name}.het: what to run. `hetc plan {name}.het` shows what it comes to, `hetc build {name}.het` prints the Job.
#
# Above the `---`: groups of like pods, COUNT*NAME<what one pod gets>. Exactly one pod is called `master`: its address is
# MASTER_ADDR, and its node rank is 0.
1*master   <cpu=4,  mem=16Gi>
+ 2*worker <cpu=16, mem=128Gi, gpu=8:A100, ppn=8>
# All of them start together, or none does. A pod that fails ends the job; to start all of them again instead:
# gang[fail=restart, retries=3]
---
# Below it: YAML. What all tasks share stands at the top, what differs under `tasks`.
# namespace: training
queue: default
image: python:3.12
env:
  LOG_LEVEL: INFO
command:
  - python -c 'import os; print("rank", os.environ["NODE_RANK"], "of", os.environ["WORLD_SIZE"], "at", os.environ["MASTER_ADDR"])'
tasks:
  master:
    command:
      - echo "rank $NODE_RANK leads $WORLD_SIZE pods"
"""

OVERLAY = """\
# yaml-language-server: $schema={schema}
#
# A layer over {name}.het: hetc build {name}.het -f {name}.het.yaml
# The line at the top tells an editor with the YAML language server which keys there are. The schema is the file beside this
# one; after an update of hetc: hetc schema overlay > {schema}
#
# Mappings merge by key, everything else replaces what is below it, and null takes it away.
labels:
  team: research
env:
  LOG_LEVEL: DEBUG
tasks:
  worker:
    container_args: {{shm_size: 32Gi}}
"""


def files(name: str) -> list[tuple[str, str]]:
    """Paths and texts to write for a job. The schema is left out where it is there already.

    Raises UsageError for a name that no job can have, and for a file that would be overwritten.
    """
    wrong = dns1035_label(name)
    if wrong is not None:
        better = suggest(name)
        raise UsageError(f"no job can have this name: {wrong}" + (f"; try `hetc init {better}`" if better else ""))
    result = [(f"{name}.het", REQUEST.format(name=name)), (f"{name}.het.yaml", OVERLAY.format(name=name, schema=SCHEMA))]
    for file, _ in result:
        if is_device(file):
            raise UsageError(f"`{file}` is no file on this system, which takes its name for a device")
        if os.path.lexists(file):
            raise UsageError(f"`{file}` is there already, and `init` overwrites nothing")
    if not os.path.lexists(SCHEMA):
        with open(path("schemas/overlay.schema.json"), encoding="utf-8") as schema:
            result.append((SCHEMA, schema.read()))
    return result
