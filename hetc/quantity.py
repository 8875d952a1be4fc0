"""Kubernetes quantities, exact, in integers only."""
