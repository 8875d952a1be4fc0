"""Settings of the whole suite."""
from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# A busy machine is no finding, so nothing here measures time. What failed once is kept and tried first the next time,
# under CI too, where Hypothesis would otherwise repeat one fixed set of examples for ever.
settings.register_profile(
    "hetc",
    settings.get_profile("default"),
    deadline=None,
    derandomize=False,
    print_blob=True,
    database=DirectoryBasedExampleDatabase(os.path.join(ROOT, ".hypothesis", "examples")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("hetc")
