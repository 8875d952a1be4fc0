"""Settings of the whole suite."""
from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

ROOT = Path(__file__).parent.parent

# A busy machine is no finding, so nothing here measures time. What failed once is kept and tried first the next time. Under CI the
# examples are those of the code: what chance finds anew is for the desk that sees it, and holds up nobody else's change.
CI = bool(os.environ.get("CI"))
settings.register_profile(
    "hetc",
    settings.get_profile("default"),
    deadline=None,
    derandomize=CI,
    print_blob=True,
    database=None if CI else DirectoryBasedExampleDatabase(ROOT / ".hypothesis" / "examples"),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("hetc")

if os.environ.get("HETC_REQUIRE_JUDGES"):

    # A judge that is missing skips its tests, which is right at a desk and would hide a hole in CI.
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.skipped and not hasattr(report, "wasxfail"):
            report.outcome = "failed"
            report.longrepr = f"HETC_REQUIRE_JUDGES is set, so this may not be skipped: {report.longrepr}"
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        if report.skipped:
            report.outcome = "failed"
            report.longrepr = f"HETC_REQUIRE_JUDGES is set, so this may not be skipped: {report.longrepr}"
        return report
