"""HET534: what the site's version of Volcano does not have."""
from __future__ import annotations

import pytest

from hetc.record import replace
from hetc.rules.volcano_version import RULE
from tests.rules.checks import NO_SITE, Found, check_het, check_manifest, cron_job, job, task

HEAD = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi{}>\n{}\n---\nname: j\nimage: b:1\ncommand: x\n{}\n"


def said(version: str, group: str = "", gang: str = "", layer: str = "") -> list[tuple[str, str]]:
    text = HEAD.format(group, gang, layer)
    return [(each.level, each.message) for each in check_het("HET534", text, f'[volcano]\nversion = "{version}"\n')]


def lacks(minor: int, what: str, since: int) -> str:
    return f"Volcano 1.{minor} has no {what}: 1.{since} is the first that has it"


@pytest.mark.parametrize(("group", "gang", "layer", "what", "since"), [
    ("", "gang[pack=2]", "", "field `networkTopology`", 12),
    ("", "gang[pack=rack]", "", "field `highestTierName`", 14),
    (", pack=2", "", "", "field `partitionPolicy`", 14),
    ("", "gang[start=30m]", "", "event `PodPending`", 11),
    ("", "", "policies: [{exit_code: 3, action: restart-pod}]", "action `RestartPod`", 11),
    ("", "", "policies: [{event: unknown, action: restart-partition}]", "action `RestartPartition`", 14),
    ("", "", "plugins: {hcclrank: {}}", "plugin `hcclrank`", 13),
    ("", "", "plugins: {pytorch: {wait_master_enabled: true}}", "flag `wait_master_enabled` of plugin `pytorch`", 14),
    ("", "", "plugins: {ssh: {port: 2222}}", "flag `port` of plugin `ssh`", 15),
    ("", "", "plugins: {svc: {inject_hosts_env: false}}", "flag `inject_hosts_env` of plugin `svc`", 16),
    ("", "", 'schedule: {cron: "@daily"}', "kind `CronJob`", 13),
])
def test_the_version_before_lacks_it(group: str, gang: str, layer: str, what: str, since: int) -> None:
    found = said(f"1.{since - 1}", group, gang, layer)
    assert ("error", lacks(since - 1, what, since)) in found
    assert not any(what in message for _, message in said(f"1.{since}", group, gang, layer))
    assert check_het("HET534", HEAD.format(group, gang, layer)) == []


def test_annotations_are_ignored_rather_than_refused() -> None:
    assert said("v1.12.3", layer="scheduling: {resource_strategy: {type: MostAllocated, weights: {cpu: 1}}}") == [
        ("warning", lacks(12, f"annotation `volcano.sh/resource-strategy-{name}`", 13)) for name in ("scoring-type", "weight")]


def test_by_hand() -> None:
    text = job(task("image: b:1"), spec="plugins:\n  ssh: [--ssh-port=2222]")
    assert check_manifest(RULE, text) == []
    found = check_manifest(RULE, text, replace(NO_SITE, volcano=14))
    assert [each.message for each in found] == [lacks(14, "flag `--ssh-port` of plugin `ssh`", 15)]


def by_hand(text: str, minor: int) -> list[Found]:
    return check_manifest(RULE, text, replace(NO_SITE, volcano=minor))


def test_places() -> None:
    help = "leave it out, or say `[volcano] version = \"1.{}\"` in the site file once the cluster runs it"
    assert by_hand(cron_job(job(task())), 12) == [Found(2, 7, "error", lacks(12, "kind `CronJob`", 13), help.format(13))]
    assert by_hand(job(task(), spec="networkTopology: {highestTierName: rack}"), 13) == [
        Found(6, 21, "error", lacks(13, "field `highestTierName`", 14), help.format(14))]


def test_all_that_a_job_has() -> None:
    text = job(task(), spec="plugins: {ray: [], svc: [--inject-hosts-env], ssh: [-ssh-port, '2222']}\npolicies:\n"
               "- {events: [PodFailed, PodPending], action: RestartPod}\n- {event: PodPending, action: RestartJob}")
    assert [each.message for each in by_hand(text, 10)] == [
        lacks(10, what, since) for what, since in (
            ("plugin `ray`", 13), ("flag `--inject-hosts-env` of plugin `svc`", 16), ("flag `--ssh-port` of plugin `ssh`", 15),
            ("event `PodPending`", 11), ("action `RestartPod`", 11), ("event `PodPending`", 11))]


@pytest.mark.parametrize("spec", [
    "plugins: [ray]", "plugins: {ssh: [{ssh-port: 22}], ray-like: [x]}", "plugins: {env: [], mpi: [--port=22]}", "policies: [{event: {}, events: [[]]}]",
])
def test_what_any_version_has_or_none(spec: str) -> None:
    assert by_hand(job(task(), spec=spec), 10) == []


@pytest.mark.parametrize("template", ["metadata: {labels: {tierName: rack}}", "spec: {nodeSelector: {networkTopology: fast}}"])
def test_what_the_user_named_is_no_field(template: str) -> None:
    assert by_hand(job(f"- {{name: worker, replicas: 1, template: {{{template}}}}}\n"), 10) == []


@pytest.mark.parametrize("spec", [
    "plugins: {partitionPolicy: []}", "volumes: [{mountPath: /d, volumeClaim: {selector: {matchLabels: {tierName: rack}}}}]",
])
def test_other_keys_of_the_user_s(spec: str) -> None:
    assert by_hand(job(task(), spec=spec), 10) == []


@pytest.mark.parametrize("group", ["labels", "annotations"])
def test_metadata_of_the_jobs_of_a_cron_job(group: str) -> None:
    text = cron_job(job(task())).replace("  jobTemplate:\n", f"  jobTemplate:\n    metadata: {{{group}: {{tierName: rack}}}}\n")
    assert by_hand(text, 13) == []


def test_annotations() -> None:
    def annotated(key: str, group: str = "annotations") -> str:
        pod = f"- name: worker\n  replicas: 1\n  template:\n    metadata: {{{group}: {{{key}: LS}}}}\n"
        return job(pod).replace("  name: demo\n", f"  name: demo\n  {group}: {{{key}: LS}}\n")

    assert [each[:4] for each in by_hand(annotated("volcano.sh/qos-level"), 10)] == [
        (5, 17, "warning", lacks(10, "annotation `volcano.sh/qos-level`", 11))]
    assert by_hand(annotated("volcano.sh/qos-level"), 11) == by_hand(annotated("volcano.sh/qos-level", "labels"), 10) == []
    assert by_hand(annotated("example.com/qos-level"), 10) == []
