"""HET503: tolerations that the API server refuses."""
from __future__ import annotations

import pytest

from hetc.rules.bad_toleration import RULE
from tests.rules.checks import Found, check_manifest, job, task


def pod(toleration: str) -> str:
    return job(task(pod=f"tolerations:\n- {{{toleration}}}"))


@pytest.mark.parametrize(("toleration", "column", "message", "help"), [
    ("key: a, operator: exists", 30, "`exists` is no operator of a toleration", "write `Exists`"),
    ("key: a, operator: Gt, value: '1'", 30, "`Gt` is no operator of a toleration", "write `Equal` or `Exists`"),
    ("effect: NoSchedule", 11, "a toleration without a key needs the operator `Exists`", "add a `key`, or write `operator: Exists`"),
    ("key: a, operator: Exists, value: b", 45, "a toleration with the operator `Exists` has the value `b`",
     "leave the value out, or write `operator: Equal`"),
    ("key: a b, operator: Exists", 17,
     "the key of a toleration is no key of a taint: `a b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed",
     "write the key of the taint"),
    ("key: a, value: b-", 27, "the value of a toleration is no value of a taint: `b-` ends with `-`, not with a letter or digit",
     "write the value of the taint"),
    ("key: a, operator: Exists, effect: Noschedule", 46, "`Noschedule` is no effect of a toleration", "write `NoSchedule`"),
    ("key: a, operator: Exists, effect: NoSchedule, tolerationSeconds: 5", 58,
     "`tolerationSeconds` goes with the effect `NoExecute` only", "leave it out, or write `effect: NoExecute`"),
    ("key: a, operator: Exists, tolerationSeconds: 5", 38,
     "`tolerationSeconds` goes with the effect `NoExecute` only", "leave it out, or write `effect: NoExecute`"),
])
def test_refused(toleration: str, column: int, message: str, help: str) -> None:
    assert check_manifest(RULE, pod(toleration)) == [Found(12, column, "error", message, help)]


@pytest.mark.parametrize("toleration", [
    "operator: Exists", "key: a, operator: Exists", "key: a, value: b", "key: a, operator: Equal, value: ''",
    "key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 0", "key: a, value: b, effect: PreferNoSchedule, tolerationSeconds: ",
])
def test_admitted(toleration: str) -> None:
    assert check_manifest(RULE, pod(toleration)) == []
