"""HET523: names of CronJobs."""
from __future__ import annotations

import pytest

from hetc.pipeline import Compiler, Options
from hetc.rules.cron_name import RULE
from hetc.source import Source
from tests.rules.checks import Found, check_manifest, cron, cron_job, job, task


def test_too_long() -> None:
    assert check_manifest(RULE, cron(name="a" * 53)) == [
        Found(4, 9, "error",
              "CronJob `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` has 53 characters, 1 more than the 52 allowed",
              "cut 1 from the name: that of its jobs is longer by up to 11"),
    ]


@pytest.mark.parametrize("text", [
    cron(name="a" * 52),
    cron(name="[x]"),
    job(task()).replace("name: demo", "name: " + "a" * 53),
])
def test_sound(text: str) -> None:
    assert check_manifest(RULE, text) == []


@pytest.mark.parametrize("length", [53, 54, 55, 63, 64])
def test_the_rule_on_names_of_jobs_keeps_silent(length: int) -> None:
    text = cron_job(job(task())).replace("name: demo", f"name: {'c' * length}")
    found = Compiler(Options(isolated=True)).manifest(Source("job.yaml", text)).report.sorted()
    assert {"HET102", "HET523"} & {each.code.code for each in found} == {"HET523"}
