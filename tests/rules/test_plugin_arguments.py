"""HET505: plugins and their flags, as Go's flag package parses them."""
from __future__ import annotations

import pytest

from hetc.manifest import jobs
from hetc.plugins import PLUGINS as TABLE
from hetc.record import replace
from hetc.rules.plugin_arguments import RULE, integer, settings
from tests.rules.checks import NO_SITE, Found, check_het, check_manifest, job, manifest, task

IGNORED = "Volcano ignores it and what follows"
PLUGINS = ", ".join(f"`{name}`" for name, plugin in TABLE.items() if not plugin.distribution)


def plugins(text: str) -> str:
    """A job whose plugins begin at line 6, column 13."""
    return job(task(), spec=f"plugins: {{{text}}}")


@pytest.mark.parametrize(("text", "column", "message", "help"), [
    ("pytroch: []", 13, "Volcano has no plugin `pytroch`", "did you mean `pytorch`?"),
    ("kubeflow-mesh: []", 13, "Volcano has no plugin `kubeflow-mesh`", f"the plugins are {PLUGINS}"),
    ("svc: ", 13, "plugin `svc` is null, and Kubernetes drops what is null", "write `svc: []`"),
    ("ssh: --ssh-port=2222", 18, "the arguments of plugin `ssh` are `--ssh-port=2222`, not a list of strings",
     "write `ssh: [--ssh-port=2222]`"),
    ("ssh: {a: b}", 18, "the arguments of plugin `ssh` are a mapping, not a list of strings", "write `ssh: [--FLAG=VALUE]`"),
    ("ssh: [--ssh-port, 22]", 31, "an argument of plugin `ssh` is `22`, not a string", "quote it"),
    ("ssh: [22]", 19, "an argument of plugin `ssh` is `22`, not a string", "quote it"),
    ("env: [--index]", 19, f"plugin `env` has no flag `--index`: {IGNORED}", "it takes none: write `[]`"),
    ("svc: [--disable-networkpolicy=true]", 19, f"plugin `svc` has no flag `--disable-networkpolicy`: {IGNORED}",
     "did you mean `--disable-network-policy`?"),
    ("ssh: [--x=1]", 19, f"plugin `ssh` has no flag `--x`: {IGNORED}",
     "its flags are `--ssh-key-file-path`, `--ssh-private-key`, `--ssh-public-key`, `--ssh-port`"),
    ("svc: [disable-network-policy=true]", 19, f"`disable-network-policy=true` is no flag of plugin `svc`: {IGNORED}",
     "write `--FLAG=VALUE`"),
    ("svc: [---inject-hosts-env]", 19, f"`---inject-hosts-env` is no flag of plugin `svc`: {IGNORED}", "write `--FLAG=VALUE`"),
    ("svc: [--inject-hosts-env, 'false']", 39, f"`false` is no flag of plugin `svc`: {IGNORED}", "write `--FLAG=VALUE`"),
    ("svc: [--inject-hosts-env=no]", 19, "`--inject-hosts-env` of plugin `svc` takes `true` or `false`, not `no`",
     "write `--inject-hosts-env=true`"),
    ("mpi: [--port]", 19, f"flag `--port` of plugin `mpi` has no value: {IGNORED}", "write `--port=VALUE`"),
    ("mpi: [--port=ssh]", 19, "`--port` of plugin `mpi` takes a port from 1 to 65535, not `ssh`", "write `--port=2222`"),
    ("mpi: [--port=0]", 19, "`--port` of plugin `mpi` takes a port from 1 to 65535, not `0`", "write `--port=2222`"),
    ("mpi: [--port=65536]", 19, "`--port` of plugin `mpi` takes a port from 1 to 65535, not `65536`", "write `--port=2222`"),
    ("mpi: [--port=08]", 19, "`--port` of plugin `mpi` takes a port from 1 to 65535, not `08`", "write `--port=2222`"),
    ("mpi: [--port, x]", 27, "`--port` of plugin `mpi` takes a port from 1 to 65535, not `x`", "write `--port=2222`"),
    ("mpi: ['--port=22 --master=a']", 19, "`--port` of plugin `mpi` takes a port from 1 to 65535, not `22 --master=a`",
     "write `--port=2222`"),
    ("pytorch: [--wait-master-timeout=5m]", 23, "`--wait-master-timeout` of plugin `pytorch` takes an integer, not `5m`",
     "write `--wait-master-timeout=300`"),
    ("ssh: [--ssh-key-file-path=.ssh]", 19, "`--ssh-key-file-path` of plugin `ssh` takes an absolute path, not `.ssh`",
     "write `--ssh-key-file-path=/home/user/.ssh`"),
])
def test_wrong(text: str, column: int, message: str, help: str) -> None:
    assert check_manifest(RULE, plugins(text)) == [Found(6, column, "error", message, help)]


@pytest.mark.parametrize("text", [
    "svc: [], env: [], ssh: []", "svc: [--inject-hosts-env]", "svc: [-inject-hosts-env=F]", "mpi: [--port, '22', --master, lead]",
    "mpi: [--port=65535]", "mpi: [--port=1]", "mpi: [--port=0x16]", "mpi: [--port=0o26]", "mpi: [--port=026]", "mpi: [--port=1_024]",
    "mpi: [--master=]", "ssh: [--ssh-key-file-path=/]", "pytorch: [--wait-master-timeout=-1]", "ray: [--headContainer=main]",
])
def test_parsed(text: str) -> None:
    assert check_manifest(RULE, plugins(text)) == []


def test_a_port_of_any_length() -> None:
    assert len(check_manifest(RULE, plugins(f"mpi: [--port=1{'0' * 10000}]"))) == 1


def test_a_key_of_several_lines() -> None:
    assert check_manifest(RULE, plugins('ssh: ["--ssh-private-key=-----BEGIN KEY-----\\nx\\n-----END KEY-----"]')) == []


def test_containers_of_status_mounter() -> None:
    text, site = plugins("status-mounter: [--containers=main;log]"), replace(NO_SITE, distribution="cce")
    assert [(each.message, each.help) for each in check_manifest(RULE, text, site)] == [
        ("`--containers` of plugin `status-mounter` takes names of containers, or `*`, not `main;log`", "write `--containers=*`")]


def test_no_plugins() -> None:
    assert check_manifest(RULE, job(task(), spec="plugins: []")) == []


def test_het() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: [python x.py]\nplugins: {{ssh: {{key_file_path: {}, port: 22}}}}\n"
    assert check_het("HET505", text.format("/k")) == []
    assert check_het("HET505", text.format("k")) == [
        (5, 32, "error", "`key_file_path` of plugin `ssh` takes an absolute path, not `k`", "write `key_file_path: /home/user/.ssh`")]
    assert [found[:3] for found in check_het("HET505", text.format("--x=y"))] == [(5, 32, "error")]


def test_the_end_of_the_flags() -> None:
    assert check_manifest(RULE, plugins("svc: [--]")) == check_manifest(RULE, plugins("svc: [--inject-hosts-env=false, --]")) == []
    assert [(each.level, each.message, each.help) for each in check_manifest(RULE, plugins("svc: [--, --inject-hosts-env=false, x]"))] == [
        ("error", "Volcano ignores what follows `--` in the arguments of plugin `svc`", "leave `--` out")]


@pytest.mark.parametrize("port", ["0", "-1", "65536", "0x10000"])
def test_an_ssh_port_out_of_range(port: str) -> None:
    assert [(each.level, each.message, each.help) for each in check_manifest(RULE, plugins(f"ssh: [--ssh-port={port}, x]"))] == [
        ("warning", f"`--ssh-port` of plugin `ssh` takes a port from 1 to 65535; Volcano makes 22 of `{port}`", "write `--ssh-port=22`"),
        ("error", "`x` is no flag of plugin `ssh`: Volcano ignores it and what follows", "write `--FLAG=VALUE`"),
    ]


@pytest.mark.parametrize("name", [name for name, plugin in TABLE.items() if plugin.distribution])
def test_a_plugin_of_a_distribution(name: str) -> None:
    own = TABLE[name].distribution
    assert check_manifest(RULE, plugins(f"{name}: []")) == [
        Found(6, 13, "error", f"Volcano has no plugin `{name}`",
              f'where it is the distribution `{own}`, which ships it, say `[volcano] distribution = "{own}"` in the site file')]
    assert check_manifest(RULE, plugins(f"{name}: []"), replace(NO_SITE, distribution=own)) == []


@pytest.mark.parametrize(("arguments", "found"), [
    ("[--port=2222, -master, lead]", {"port": "2222", "master": "lead"}), ("[--port=1, --port=2]", {"port": "2"}), ("[]", {}), ("x", {}),
    ("[--master=lead, --other, --port=2]", {"master": "lead"}), ("[{}, --port=2]", {"port": "2"}), ("[5, --port=2]", {"port": "2"}),
])
def test_what_a_plugin_takes(arguments: str, found: dict[str, str]) -> None:
    [view] = jobs(manifest(plugins(f"mpi: {arguments}")))
    assert {flag: text for flag, (text, _) in settings("mpi", view.plugin("mpi")).items()} == found


def test_a_warning_does_not_end_the_arguments() -> None:
    [view] = jobs(manifest(plugins("ssh: [--ssh-port=0, --ssh-key-file-path=/k]")))
    assert {flag: text for flag, (text, _) in settings("ssh", view.plugin("ssh")).items()} == {"ssh-key-file-path": "/k"}


@pytest.mark.parametrize(("text", "value"), [
    ("22", 22), ("-5", -5), ("+7", 7), ("0", 0), ("017", 15), ("-017", -15), ("0777", 511), ("0_17", 15), ("1_024", 1024), ("0x1F", 31), ("0X1f", 31),
    ("0b101", 5), ("0o17", 15),
])
def test_integers_of_go(text: str, value: int) -> None:
    assert integer(text) == value


def test_numbers_of_forty_digits() -> None:
    assert check_manifest(RULE, plugins(f"pytorch: ['--wait-master-timeout={'1' * 40}']")) == []
    assert len(check_manifest(RULE, plugins(f"pytorch: ['--wait-master-timeout={'1' * 41}']"))) == 1


def test_an_edit_for_a_plugin_that_is_null() -> None:
    [finding] = RULE.check(manifest(plugins("svc: ")), NO_SITE)
    assert finding.fix is not None and [edit.text for edit in finding.fix.edits] == [" []"]


@pytest.mark.parametrize(("keys", "message", "help"), [
    ("pytorch: {wait_master_image: ''}", "`wait_master_image` of plugin `pytorch` takes an image reference, not ``", "write `wait_master_image: busybox:1.36.1`"),
    ("pytorch: {wait_master_image: a b}", "`wait_master_image` of plugin `pytorch` takes an image reference, not `a b`", "write `wait_master_image: busybox:1.36.1`"),
    ("status-mounter: {values: []}", "`values` of plugin `status-mounter` takes words and commas, not ``", "write `values: retryCount`"),
    ("status-mounter: {values: [a b]}", "`values` of plugin `status-mounter` takes words and commas, not `a b`", "write `values: retryCount`"),
    ("status-mounter: {prefix: 1A}", "`prefix` of plugin `status-mounter` takes the beginning of a variable's name, not `1A`", "write `prefix: Job_`"),
    ("status-mounter: {prefix: Größe}", "`prefix` of plugin `status-mounter` takes the beginning of a variable's name, not `Größe`", "write `prefix: Job_`"),
])
def test_settings_with_a_form(keys: str, message: str, help: str) -> None:
    text = f"1*master<cpu=1, mem=1Gi> + 1*worker<cpu=1, mem=1Gi>\n---\nimage: b:1\ncommand: x\nplugins: {{{keys}}}\n"
    assert [(each.message, each.help) for each in check_het("HET505", text, '[volcano]\ndistribution = "cce"\n')] == [(message, help)]
