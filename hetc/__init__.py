"""A static compiler and policy linter for heterogeneous Volcano gang jobs."""

__version__ = "0.1.0"
