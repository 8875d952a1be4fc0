"""Acme's own rules for hetc: one module each."""
from acme_hetc import long_run

RULES = (long_run.RULE,)
