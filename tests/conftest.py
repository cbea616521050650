"""Hypothesis without clocks and without a database: the same examples in every run."""

from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True, database=None)
settings.load_profile("suite")
