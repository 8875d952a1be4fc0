"""The files that are measured."""
from __future__ import annotations

import json
import os
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLE = os.path.join(ROOT, "examples", "train.het")

_JOB = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: train-{n:05}
  namespace: team-{team}
  labels:
    app: train
spec:
  schedulerName: volcano
  queue: research
  minAvailable: 7
  maxRetry: 3
  ttlSecondsAfterFinished: 86400
  plugins:
    env: []
    svc: []
  policies:
  - event: PodEvicted
    action: RestartJob
  tasks:
"""
_TASK = """  - name: {task}
    replicas: {replicas}
    template:
      metadata:
        labels:
          app: train
          role: {task}
      spec:
        restartPolicy: Never
        nodeSelector:
          node-type: {task}
        containers:
        - name: main
          image: registry.example/train-{task}:1.{n}
          command: ["/bin/sh", "-c", "python -m train --index $VC_TASK_INDEX"]
          env:
          - name: LOG_LEVEL
            value: info
          - name: RUN
            value: "{n}"
          resources:
            requests:
              cpu: "8"
              memory: 64Gi
            limits:
              cpu: "8"
              memory: 64Gi
          volumeMounts:
          - name: data
            mountPath: /data
        volumes:
        - name: data
          persistentVolumeClaim:
            claimName: datasets
"""
_REGO = """package main

deny contains message if {
    some task in input.spec.tasks
    some container in task.template.spec.containers
    endswith(container.image, ":latest")
    message := sprintf("container %s of task %s has a tag that moves", [container.name, task.name])
}
"""


def job(number: int) -> str:
    """A Volcano Job of three tasks, of which no rule has anything to say."""
    tasks = (_TASK.format(n=number, task=task, replicas=replicas) for task, replicas in (("master", 1), ("worker", 4), ("ps", 2)))
    return _JOB.format(n=number, team=number % 7) + "".join(tasks)


def request(groups: int) -> str:
    """A request of so many minimal groups, with an overlay."""
    workers = "".join(f"\n+ 1*g{number:04}<cpu=1>" for number in range(1, groups))
    return f'1*master<cpu=1>{workers}\n---\nimage: busybox:1\ncommand: ["sleep 1"]\n'


def write(path: str, text: str) -> str:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def jobs(folder: str, count: int) -> str:
    """A folder of so many jobs."""
    for number in range(count):
        write(os.path.join(folder, f"job-{number:05}.yaml"), job(number))
    return folder


def requests(folder: str, count: int) -> tuple[str, ...]:
    """Copies of the example, each under a name of its own."""
    with open(EXAMPLE, encoding="utf-8") as file:
        text = file.read()
    return tuple(write(os.path.join(folder, f"train-{number:03}.het"), text) for number in range(count))


def plugin(folder: str, sources: list[str]) -> str:
    """The configuration of a generator, as kustomize hands it on."""
    config = {"apiVersion": "hetc.dev/v1alpha1", "kind": "HetcJob", "metadata": {"name": "jobs"}, "sources": sources}
    return write(os.path.join(folder, f"config-{len(sources)}.yaml"), json.dumps(config))


def schema(folder: str) -> str:
    """A JSON Schema of the same fields for kubeconform, and the pattern of its place; Go's regular expressions look neither way."""
    with open(os.path.join(ROOT, "schemas", "volcano-job.schema.json"), encoding="utf-8") as file:
        text = json.dumps(_without_looks(json.load(file)))
    write(os.path.join(folder, "job.json"), text)
    return os.path.join(folder, "{{.ResourceKind}}.json")


def _without_looks(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _without_looks(value) for key, value in node.items()
                if not (key == "pattern" and isinstance(value, str) and ("(?=" in value or "(?!" in value))}
    return [_without_looks(item) for item in node] if isinstance(node, list) else node


def policy(folder: str) -> str:
    """A small policy for conftest."""
    write(os.path.join(folder, "latest.rego"), _REGO)
    return folder
