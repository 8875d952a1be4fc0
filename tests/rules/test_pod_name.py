from __future__ import annotations

import pytest

from hetc.rules.pod_name import RULE
from tests.rules.checks import check_het, check_manifest
from tests.rules.helpers import job, related

SVC = "plugins: {svc: []}\n"
#: With task `worker` and a last index of one digit, 63 characters.
LONGEST = "j" * 54
LONG = "has 65 characters, 2 more than the 63 allowed"


def test_what_the_webhook_checks() -> None:
    assert check_manifest(RULE, job(name=LONGEST)) == []
    assert check_manifest(RULE, job(name=LONGEST + "jj")) == [(
        6, 11, "error",
        f"pod name `{LONGEST}jj-worker-0`, which the webhook builds from the task's place in the list, {LONG}",
        "cut 2 from the name of the task or of the job",
    )]
    assert related(RULE, job(name=LONGEST + "jj")) == [(3, 18, "the job's name")]


def test_the_last_replica_counts_with_svc_only() -> None:
    assert check_manifest(RULE, job(spec=SVC, name=LONGEST, replicas=10)) == []
    assert check_manifest(RULE, job(spec=SVC, name=LONGEST, replicas=11)) == [(
        6, 11, "error", f"pod name `{LONGEST}-worker-10`, the hostname of the last replica, has 64 characters, 1 more than the 63 allowed",
        "cut 1 from the name of the task or of the job",
    )]
    assert check_manifest(RULE, job(name=LONGEST, replicas=11)) == []
    assert len(check_manifest(RULE, job(spec="plugins: {pytorch: []}\n", name=LONGEST, replicas=11))) == 1
    assert check_manifest(RULE, job(pod="hostname: node\n", spec=SVC, name=LONGEST, replicas=11)) == []


def test_more_replicas_than_there_can_be() -> None:
    assert [each.message[-51:] for each in check_manifest(RULE, job(spec=SVC, name="j" * 45, replicas=10**13))] == [
        "replica, has 66 characters, 3 more than the 63 allowed"[-51:]]


def test_no_replica_has_no_longer_name() -> None:
    assert check_manifest(RULE, job(spec=SVC, name=LONGEST, replicas=0)) == []


def test_with_svc_it_is_a_hostname() -> None:
    assert "the hostname of the last replica" in check_manifest(RULE, job(spec=SVC, name=LONGEST + "j"))[0].message
    assert "the hostname" not in check_manifest(RULE, job(name=LONGEST + "j"))[0].message


def test_a_name_that_is_just_short_enough() -> None:
    assert len(check_manifest(RULE, job(name="j" * 63))) == 1


@pytest.mark.parametrize("name", ["j" * 64, "j" * 200])
def test_a_name_too_long_in_itself_is_not_told_twice(name: str) -> None:
    assert check_manifest(RULE, job(name=name)) == []


def test_in_a_het_file() -> None:
    text = f"1*master<cpu=1, mem=1Gi> + 101*h100s<cpu=1, mem=1Gi>\n---\nname: {LONGEST}\nimage: a.example/b:1\ncommand: [run]\n"
    assert check_het("HET103", text) == [(
        1, 32, "error", f"pod name `{LONGEST}-h100s-100`, the hostname of the last replica, has 64 characters, 1 more than the 63 allowed",
        "cut 1 from the name of the task or of the job",
    )]
    assert check_het("HET103", text.replace("101*", "100*")) == []
