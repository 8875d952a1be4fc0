"""HET607: host lists, against lists that are really made."""
from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING

import pytest

from hetc.manifest import jobs
from hetc.rules.host_list import MAX_DATA, MAX_VARIABLE, RULE, _list_size, _ssh_size, digits
from tests.rules.checks import check_het, check_manifest, job, manifest, task

if TYPE_CHECKING:
    from collections.abc import Callable


def hosts(count: int, name: str = "worker") -> list[str]:
    return [f"demo-{name}-{index}.demo" for index in range(count)]


def workers(count: int, plugins: str = "svc: []", pod: str = "", name: str = "worker") -> str:
    return job(task(replicas=count, pod=pod, name=name), spec=f"plugins: {{{plugins}}}")


@pytest.mark.parametrize("count", [0, 1, 2, 9, 10, 11, 99, 100, 101, 12345])
def test_sizes(count: int) -> None:
    view = jobs(manifest(workers(count)))[0]
    assert digits(count) == sum(len(str(index)) for index in range(count))
    assert _list_size(view, view.tasks[0]) == len(",".join(hosts(count)))
    config = "".join(f"Host {host.partition('.')[0]}\n  HostName {host}\n  Port 22\n" for host in hosts(count))
    assert _ssh_size(view, view.tasks[0], "22") == len(config)


def test_a_hostname_of_the_template_is_one_entry() -> None:
    view = jobs(manifest(workers(100, pod="hostname: abc\nsubdomain: de")))[0]
    assert _list_size(view, view.tasks[0]) == len("abc.de")


def limit() -> int:
    """The most workers whose list still fits into one variable."""
    count = 0
    size = len("VC_WORKER_HOSTS=") - len(",") + len("\0")
    while True:
        size += len(f",demo-worker-{count}.demo")
        if size > MAX_VARIABLE:
            return count
        count += 1


def test_the_variable_at_its_limit() -> None:
    most = limit()
    assert check_manifest(RULE, workers(most)) == []
    [found] = check_manifest(RULE, workers(most + 1))
    size = len("VC_WORKER_HOSTS=" + ",".join(hosts(most + 1)) + "\0")
    assert found[:4] == (9, 15, "error",
                         f"variable `VC_WORKER_HOSTS` has {size:,} bytes, and Linux takes 131,072: no container of the job starts")
    assert found.help == "write `svc: [--inject-hosts-env=false]`, and read the hosts from `/etc/volcano/worker.host`"


@pytest.mark.parametrize("plugins", ["svc: [--inject-hosts-env=false]", "", "svc: ", "ssh: []"])
def test_no_variable(plugins: str) -> None:
    assert check_manifest(RULE, workers(limit() + 1, plugins)) == []


def test_another_plugin_brings_svc() -> None:
    assert len(check_manifest(RULE, workers(limit() + 1, "pytorch: []"))) == 1


def data(count: int) -> int:
    return config_map(hosts(count))


def test_the_config_map_at_its_limit() -> None:
    most = bisect(range(100000), MAX_DATA, key=data) - 1
    plugins = "svc: [--inject-hosts-env=false]"
    assert check_manifest(RULE, workers(most, plugins)) == []
    [found] = check_manifest(RULE, workers(most + 1, plugins))
    assert found[:4] == (9, 15, "error",
                         f"the host lists of the plugin `svc` have {data(most + 1):,} bytes, and a ConfigMap holds 1,048,576")
    assert found.help == "ask for fewer replicas, or shorten the names of the job and its tasks"


def test_the_secret_of_ssh() -> None:
    [found] = check_manifest(RULE, workers(20000, "ssh: []"))
    assert found[:4] == (9, 15, "error", f"the host list of the plugin `ssh` has {secret(hosts(20000)):,} bytes, and a Secret holds 1,048,576")
    assert check_manifest(RULE, workers(15000, "ssh: []")) == []


def config_map(*lists: list[str]) -> int:
    return sum(2 * len(",".join(each)) + len(str(len(each))) for each in lists)


def secret(*lists: list[str]) -> int:
    return len("StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\n" + "".join(
        f"Host {host.partition('.')[0]}\n  HostName {host}\n  Port 22\n" for each in lists for host in each))


@pytest.mark.parametrize(("plugins", "size"), [("svc: [--inject-hosts-env=false]", config_map), ("ssh: []", secret)])
def test_data_of_just_the_limit(plugins: str, size: Callable[..., int]) -> None:
    """A second task of one pod fills up what the first leaves, by its subdomain."""
    most = bisect(range(100000), MAX_DATA, key=lambda count: size(hosts(count), ["demo-x-0.s"])) - 1
    [fitting] = [length for length in range(1, 64) if size(hosts(most), [f"demo-x-0.{'s' * length}"]) == MAX_DATA]
    for length, found in ((fitting, 0), (fitting + 1, 1)):
        text = job(task(replicas=most, name="worker"), task(pod=f"subdomain: {'s' * length}", name="x"), spec=f"plugins: {{{plugins}}}")
        assert len(check_manifest(RULE, text)) == found


@pytest.mark.parametrize("port", ["22", "2222", "65535"])
def test_the_port_of_ssh_counts(port: str) -> None:
    [found] = check_manifest(RULE, workers(20000, f"ssh: [--ssh-port={port}]"))
    config = "StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\n" + "".join(
        f"Host {host.partition('.')[0]}\n  HostName {host}\n  Port {port}\n" for host in hosts(20000))
    assert found[3:] == (f"the host list of the plugin `ssh` has {len(config):,} bytes, and a Secret holds 1,048,576",
                         "ask for fewer replicas, or leave the plugin `ssh` out")


def test_a_variable_of_just_the_limit() -> None:
    def size(count: int) -> int:
        return len(f"VC_{name.upper()}_HOSTS=" + ",".join(hosts(count, name)) + "\0")

    exact = []
    for length in range(1, 40):
        name = "w" * length
        most = bisect(range(20000), MAX_VARIABLE, key=size) - 1
        exact += [(most, name)] if size(most) == MAX_VARIABLE else []
    assert exact
    for most, name in exact:
        assert check_manifest(RULE, workers(most, name=name)) == []


def test_the_variable_of_a_task_with_a_dash() -> None:
    [found] = check_manifest(RULE, workers(9000, name="gpu-w"))
    assert found.message.startswith("variable `VC_GPU_W_HOSTS` has ")


def test_a_job_without_tasks() -> None:
    assert check_manifest(RULE, job(spec="plugins: {svc: [], ssh: []}")) == []


def test_any_number_of_replicas() -> None:
    assert len(check_manifest(RULE, workers(2**31 - 1, "svc: [], ssh: []"))) == 2
    assert len(check_manifest(RULE, workers(10**18))) == 1
    assert check_manifest(RULE, workers(-5)) == []


def test_het() -> None:
    text = "1*master<cpu=1, mem=1Gi> + 9000*gpu-w<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: [python x.py]\n"
    [found] = check_het("HET607", text)
    assert found[:3] == (1, 28, "error")
    assert found.help == "write `plugins: {svc: {inject_hosts_env: false}}`, and read the hosts from `/etc/volcano/gpu_w.host`"
    assert check_het("HET607", text + "plugins: {svc: {inject_hosts_env: false}}\n") == []
    assert check_het("HET607", text.replace("9000", "5000")) == []
