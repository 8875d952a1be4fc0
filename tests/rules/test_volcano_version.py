"""HET534: what the site's version of Volcano does not have."""
from __future__ import annotations

import pytest

from hetc.record import replace
from hetc.rules.volcano_version import RULE
from tests.rules.checks import NO_SITE, check_het, check_manifest, job, task

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
