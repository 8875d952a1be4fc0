"""Diagnostics in the forms people and programs read."""
